"""Lhexicon in the window: the board of hexagons, the word bank and five phases.

The names of `client.board.Board`.  The phases are the source document's: idle, moving,
in progress, marking, scoring.  Everything there is done three ways: with both mouse
buttons as the document has it, with one button, and with the keyboard alone.
"""

from typing import Final

from client.board import Traits, notice
from client.lhexicon import result
from client.lhexicon.closing import busy
from client.lhexicon.input import begin, handle, renew
from client.lhexicon.move_list import entered, heard, sheets, tell
from client.lhexicon.text import keys, option_notes, option_words, status, tip
from client.lhexicon.view import scene
from client.motion import tick
from client.searched import Searched
from rules.lhexicon import Discard, Lay, Pass, PickUp

TRAITS: Final = Traits(
    refused=notice,
    taught=True,
    pictured=4,
    solitaire=True,
    recalled=result,
    entered=entered,
    notes=option_notes,
    heard=heard,
    tip=tip,
    breadth=1.36,
    analysed=Searched("lhexicon", (Discard, Lay, Pass, PickUp)),
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
