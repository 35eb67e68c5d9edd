"""Hexagrams in the window: hexads on hexagons, triads on the triangles between.

The names of `client.board.Board`.  One's own side is the lower one; a bystander sees
the board as the source document draws it, White above.
"""

from typing import Final

from client import searched
from client.hexagrams import result, text
from client.hexagrams.input import begin, handle, renew
from client.hexagrams.sliding import busy
from client.hexagrams.text import keys, option_words, sheets, status, tell
from client.hexagrams.view import scene
from client.motion import tick
from rules.hexagrams import Hexad, Triad

TRAITS: Final = searched.traits("hexagrams", (Hexad, Triad), text, result)._replace(
    breadth=1.22, pictured=4, tip=text.tip, cells=("C5", "T(4,1)")
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
