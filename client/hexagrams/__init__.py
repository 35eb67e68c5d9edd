"""Hexagrams in the window: hexads on hexagons, triads on the triangles between.

The names of `client.board.Board`.  One's own side is the lower one; a bystander sees
the board as the source document draws it, White above.
"""

from typing import Final

from client.board import Traits, notice
from client.hexagrams import result, text
from client.hexagrams.input import begin, handle, renew
from client.hexagrams.sliding import busy
from client.hexagrams.text import keys, option_words, sheets, status, tell
from client.hexagrams.view import scene
from client.motion import tick
from client.searched import Searched
from rules.hexagrams import Hexad, Triad

TRAITS: Final = Traits(
    refused=notice,
    taught=True,
    recalled=result,
    entered=text.entered,
    notes=text.option_notes,
    heard=text.heard,
    analysed=Searched("hexagrams", (Hexad, Triad)),
    tip=text.tip,
    breadth=1.22,
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
