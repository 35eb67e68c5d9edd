"""Lhexicon in the window: the board of hexagons, the word bank and five phases.

The names of `client.app.board.Board`.  The phases are the source document's: idle,
moving, in progress, marking, scoring.  Everything there is done three ways: with both
mouse buttons as the document has it, with one button, and with the keyboard alone.
"""

from typing import Final

from client.app.board import Traits
from client.app.motion import tick
from client.app.results import Searched
from client.lhexicon import text
from client.lhexicon.board import busy
from client.lhexicon.input import begin, handle, hinted, renew
from client.lhexicon.local import refusal
from client.lhexicon.text import (
    agreed,
    entered,
    heard,
    keys,
    option_notes,
    option_words,
    sheets,
    status,
    tell,
    tip,
)
from client.lhexicon.view import LYING, scene, standing
from rules import lhexicon
from rules.lhexicon import BLANK, Discard, Lay, Pass, PickUp

FACES: Final = (*(lhexicon.text(kind) for kind in range(BLANK)), "?")
"""What stands on each kind of tile, in lists of them."""

TRAITS: Final = Traits(
    aloud=text.aloud,
    hinted=hinted,
    unseen=text.unseen,
    refused=refusal,
    taught=True,
    pictured=4,
    solitaire=True,
    recalled=text,
    entered=entered,
    undecided=lambda view: view.announced is not None,
    notes=option_notes,
    terms=agreed,
    heard=heard,
    tip=tip,
    breadth=1.36,
    lying=LYING,
    standing=standing,
    analysed=Searched(
        "lhexicon", (Discard, Lay, Pass, PickUp), FACES, lhexicon.mistaken
    ),
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
