"""Lhexicon in the window: the board of hexagons, the word bank and five phases.

The names of `client.board.Board`.  The phases are the source document's: idle, moving,
in progress, marking, scoring.  Everything there is done three ways: with both mouse
buttons as the document has it, with one button, and with the keyboard alone.
"""

from typing import Final

from client.lhexicon.acting import begin, busy, handle, renew, tick
from client.lhexicon.drawing import scene
from client.lhexicon.movelist import sheets, tell
from client.lhexicon.telling import keys, status

HELD: Final = False

__all__ = [
    "HELD",
    "begin",
    "busy",
    "handle",
    "keys",
    "renew",
    "scene",
    "sheets",
    "status",
    "tell",
    "tick",
]
