"""Hexagrams in the window: hexads on hexagons, triads on the triangles between.

The names of `client.board.Board`.  One's own side is the lower one; a bystander sees
the board as the source document draws it, White above.
"""

from typing import Final

from client.board import Traits
from client.hexagrams import result
from client.hexagrams.input import begin, handle, renew, tick
from client.hexagrams.sliding import busy
from client.hexagrams.text import (
    entered,
    heard,
    keys,
    option_notes,
    option_words,
    sheets,
    status,
    tell,
)
from client.hexagrams.view import scene
from client.searched import Searched
from rules.hexagrams import Hexad, Triad

TRAITS: Final = Traits(
    taught=True,
    recalled=result,
    analysed=Searched("hexagrams", (Hexad, Triad)),
    entered=entered,
    notes=option_notes,
    heard=heard,
    breadth=1.22,
    pictured=4,
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
