"""Hexes as bytes: a colour and a motif each, and how likely CHANCE draws them."""

from enum import IntEnum
from typing import Final

from msgspec import Struct

COLOURS: Final = ("red", "orange", "yellow", "green", "blue", "violet")
"""The six colours, equally likely; the document counts them and names none."""

EMPTY: Final = 0
"""The byte of a cell that holds nothing."""


class Motif(IntEnum):
    """What is drawn on a hex; all but PLAIN behave in a way of their own."""

    PLAIN = 0
    SQUARE = 1
    PLUS = 2
    MINUS = 3
    STAR = 4
    BOMB = 5


KINDS: Final = len(COLOURS) * len(Motif)
"""How many different hexes there are; their bytes are 1..KINDS."""


def cell(colour: int, motif: Motif = Motif.PLAIN) -> int:
    """Return the byte of a hex.

    Args:
        colour: An index into `COLOURS`.
        motif: What is drawn on it.
    """
    return 1 + len(COLOURS) * motif + colour


def colour(cell: int) -> int:
    """Return the index into `COLOURS` of a hex's byte; an empty cell has none."""
    return (cell - 1) % len(COLOURS)


def motif(cell: int) -> Motif:
    """Return what is drawn on a hex; an empty cell must not be asked."""
    return Motif((cell - 1) // len(COLOURS))


class Gem(Struct, frozen=True, array_like=True, gc=False, tag="gem"):
    """CHANCE: the next hex of the sequence of pieces that all wells share."""

    cell: int
    """The hex's byte, 1..`KINDS`."""


# One hex in 10 has a motif; of these 2/3 are squares and 1/12 is each other one
# (source document, motifs).  So of 120: 108 plain, 8 squares, 1 of each other.
_WEIGHTS: Final = (
    (Motif.PLAIN, 108),
    (Motif.SQUARE, 8),
    (Motif.PLUS, 1),
    (Motif.MINUS, 1),
    (Motif.STAR, 1),
    (Motif.BOMB, 1),
)

OUTCOMES: Final[tuple[Gem, ...]] = tuple(
    gem
    for colour in range(len(COLOURS))
    for motif, weight in _WEIGHTS
    for gem in (Gem(cell(colour, motif)),) * weight
)
"""The 720 equally likely hexes, by colour and then by motif."""
