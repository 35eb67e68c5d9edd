"""The hexagonal well: columns and heights, and their places in a row of bytes.

A cell is (column, height): columns -(n-1)..n-1 from left to right, heights from 0
counted in hexes below it (source document, moves "en V").  On screen a cell's
centre is at y = height + |column| / 2, so equal heights form a V.

With u = height + max(0, -column) the pair (column, u) is axial: the six neighbours
are (0, +-1), (+-1, 0), (1, -1), (-1, 1), and the three directions of alignment are
those of equal column, equal u and equal u + column.  A well's bytes are laid out by
(column, u) with one unused cell after each column, so every neighbour is a constant
number of bytes away and no step wraps around: whole wells are then searched by
shifting one long integer.
"""

from enum import IntEnum
from functools import cache
from typing import Final

from msgspec import Struct

SIZES: Final = range(6, 10)
"""How many hexes a side of the well may have."""


class Grid(Struct, frozen=True):
    """What is fixed for all wells of one size."""

    size: int
    """Hexes on a side."""

    stride: int
    """Bytes from a cell to its neighbour of equal u, one column to the right."""

    length: int
    """Bytes of a well."""

    steps: tuple[int, int, int]
    """Bytes to the next cell in each direction of alignment."""

    columns: tuple[tuple[int, int], ...]
    """Where each column's bytes start and stop, from the leftmost."""

    cells: int
    """The well as one integer (little-endian) with 1 in the byte of every cell."""

    top: int
    """The height at which the lowest hex of a new piece appears."""


@cache
def grid(size: int) -> Grid:
    """Return the tables of a size, 6..9."""
    stride = 2 * size
    columns = tuple(
        (start, start + 2 * size - 1 - abs(c))
        for c in range(1 - size, size)
        for start in ((c + size - 1) * stride + max(0, -c),)
    )
    return Grid(
        size=size,
        stride=stride,
        length=stride * len(columns),
        steps=(1, stride, stride - 1),
        columns=columns,
        cells=sum(1 << 8 * i for start, stop in columns for i in range(start, stop)),
        top=2 * size - 4,
    )


def index(size: int, column: int, height: int) -> int:
    """Return where a cell's byte is; the cell must be in the well."""
    return (column + size - 1) * 2 * size + max(0, -column) + height


def position(size: int, index: int) -> tuple[int, int]:
    """Return the column and height of a byte; the inverse of `index`."""
    column = index // (2 * size) - size + 1
    return column, index % (2 * size) - max(0, -column)


def depth(size: int, column: int) -> int:
    """Return how many cells a column has."""
    return 2 * size - 1 - abs(column)


# Hexes as bytes: a colour and a motif each, and how likely CHANCE draws them.


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
