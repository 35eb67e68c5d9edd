"""Numlo in the window: squares that are worth points, tiles in the seats' colours.

The names of `client.board.Board`.  SHOW and HINT are the source document's buttons;
what a square would flip is shown as soon as the pointer is on it.
"""

from typing import Final

from client.board import Traits
from client.numlo import result
from client.numlo.input import begin, handle, renew, tick
from client.numlo.text import (
    entered,
    heard,
    keys,
    option_notes,
    option_words,
    sheets,
    status,
    tell,
)
from client.numlo.turning import busy
from client.numlo.view import scene
from client.searched import Searched
from rules.numlo import Place

TRAITS: Final = Traits(
    taught=True,
    recalled=result,
    own_hints=True,
    entered=entered,
    notes=option_notes,
    heard=heard,
    analysed=Searched("numlo", (Place,)),
    breadth=0.94,
)

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
