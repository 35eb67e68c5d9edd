"""Networdz in the window: the board, the rack and everything the hand does there.

The names of `client.app.board.Board`; the model for the other games' modules.
"""

from typing import Final

from client.app.board import Traits, notice
from client.app.motion import tick
from client.networdz import text
from client.networdz.input import begin, busy, handle, hinted, renew
from client.networdz.text import (
    agreed,
    entered,
    keys,
    option_notes,
    option_words,
    sheets,
    status,
    tell,
    tip,
)
from client.networdz.view import LYING, scene, standing

TRAITS: Final = Traits(
    aloud=text.aloud,
    hinted=hinted,
    unseen=text.unseen,
    refused=notice,
    analysed=text, taught=True, recalled=text, tinted=True, entered=entered,
    lots=lambda _state: True,
    notes=option_notes,
    terms=agreed,
    breadth=1.1, lying=LYING, standing=standing, rises=True, tip=tip,
)  # fmt: skip

__all__ = [
    "TRAITS",
    "begin",
    "busy",
    "handle",
    "keys",
    "option_words",
    "renew",
    "scene",
    "sheets",
    "status",
    "tell",
    "tick",
]
