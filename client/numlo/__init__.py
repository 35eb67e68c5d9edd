"""Numlo in the window: squares that are worth points, tiles in the seats' colours.

The names of `client.app.board.Board`.  SHOW and HINT are the source document's buttons;
what a square would flip is shown as soon as the pointer is on it.
"""

from typing import Final

from client.app.board import Traits, notice
from client.app.motion import tick
from client.app.results import Searched
from client.numlo import text
from client.numlo.input import ShowHint, ShowMoves, begin, handle, renew
from client.numlo.text import keys, option_words, sheets, status, tell
from client.numlo.view import LYING, busy, scene, standing
from rules.numlo import Place

TRAITS: Final = Traits(
    aloud=text.aloud,
    refused=notice,
    taught=True,
    lots=lambda state: state.options.start != "othello",
    recalled=text,
    entered=text.entered,
    notes=text.option_notes,
    terms=text.agreed,
    heard=text.heard,
    analysed=Searched("numlo", (Place,)),
    tip=text.tip,
    helping=(ShowMoves, ShowHint),
    breadth=0.94,
    lying=LYING,
    standing=standing,
    rises=True,
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
