"""What the cells of Lhexicon are called: the column's letter, and how far up.

The columns stand upright, A at the left; A1 is the lowest cell of the first.
"""

from collections.abc import Mapping
from functools import cache
from string import ascii_uppercase

from rules import hexes


def column_name(side: int, q: int) -> str:
    """Return the letter of a column; after Z comes AA."""
    high, low = divmod(q + side - 1, len(ascii_uppercase))
    return f"{ascii_uppercase[high - 1] if high else ''}{ascii_uppercase[low]}"


def lowest(side: int, q: int) -> int:
    """Return the r of the lowest cell of a column."""
    return min(side - 1, side - 1 - q)


def highest(side: int, q: int) -> int:
    """Return the r of the highest cell of a column."""
    return max(1 - side, 1 - side - q)


def rank(side: int, q: int, r: int) -> int:
    """Return how far up in its column a cell is, from 1."""
    return lowest(side, q) - r + 1


def cell_name(side: int, cell: int) -> str:
    """Return what a cell is called, such as `H9`."""
    q, r = hexes.hexagon(side)[cell]
    return f"{column_name(side, q)}{rank(side, q, r)}"


@cache
def cells(side: int) -> Mapping[str, int]:
    """Return every cell of a board by its name."""
    return {cell_name(side, cell): cell for cell in range(len(hexes.hexagon(side)))}
