"""Hexagrams in the window: hexads on hexagons, triads on the triangles between.

The names of `client.board.Board`.  One's own side is the lower one; a bystander sees
the board as the source document draws it, White above.
"""

from typing import Final

from client.board import Traits
from client.hexagrams.acting import begin, busy, handle, renew, tick
from client.hexagrams.drawing import scene
from client.hexagrams.telling import keys, option_words, sheets, status, tell

TRAITS: Final = Traits(taught=True)

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
