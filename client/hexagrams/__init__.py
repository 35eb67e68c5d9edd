"""Hexagrams in the window: hexads on hexagons, triads on the triangles between.

The names of `client.app.board.Board`.  One's own side is the lower one; a bystander
sees the board as the source document draws it, White above.
"""

from typing import Final

from client.app.board import Traits, notice
from client.app.motion import tick
from client.app.results import Searched
from client.hexagrams import text
from client.hexagrams.input import begin, handle, hinted, renew
from client.hexagrams.text import keys, option_words, sheets, status, tell
from client.hexagrams.view import LYING, busy, scene, standing
from rules.hexagrams import Hexad, Triad

TRAITS: Final = Traits(
    aloud=text.aloud,
    hinted=hinted,
    refused=notice,
    taught=True,
    recalled=text,
    entered=text.entered,
    notes=text.option_notes,
    terms=text.agreed,
    heard=text.heard,
    analysed=Searched("hexagrams", (Hexad, Triad)),
    tip=text.tip,
    breadth=1.22,
    lying=LYING,
    standing=standing,
    pictured=4,
    cells=("C5", "T(4,1)"),
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
