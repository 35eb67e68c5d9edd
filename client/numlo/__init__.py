"""Numlo in the window: squares that are worth points, tiles in the seats' colours.

The names of `client.board.Board`.  SHOW and HINT are the source document's buttons;
what a square would flip is shown as soon as the pointer is on it.
"""

from typing import Final

from client.board import Traits, notice
from client.motion import tick
from client.numlo import result, text
from client.numlo.input import begin, handle, renew
from client.numlo.text import keys, option_words, sheets, status, tell
from client.numlo.turning import busy
from client.numlo.view import scene
from client.searched import Searched
from rules.numlo import Place

TRAITS: Final = Traits(
    refused=notice,
    taught=True,
    recalled=result,
    entered=text.entered,
    notes=text.option_notes,
    heard=text.heard,
    analysed=Searched("numlo", (Place,)),
    tip=text.tip,
    breadth=0.94,
    own_hints=True,
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
