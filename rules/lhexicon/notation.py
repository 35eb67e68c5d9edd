"""What the cells of Lhexicon are called: the column's letter, and the row's number.

The columns stand upright, A at the left.  Rows are level, 1 at the bottom, as one reads
across the board: every other column stands half a cell higher, and so do its cells in
the same row.  The centre of a board of side 9 is I9, the first cells of its row and
column are A9 and I1.
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


def halves(side: int, q: int, r: int) -> int:
    """Return how many halves of a cell above the lowest cell of all a cell stands."""
    return 2 * (side - 1) - (2 * r + q)


def row_number(side: int, q: int, r: int) -> int:
    """Return the number of the row that a cell is in, from 1."""
    return halves(side, q, r) // 2 + 1


def cell_name(side: int, cell: int) -> str:
    """Return what a cell is called, such as `H9`."""
    q, r = hexes.hexagon(side)[cell]
    return f"{column_name(side, q)}{row_number(side, q, r)}"


@cache
def cells(side: int) -> Mapping[str, int]:
    """Return every cell of a board by its name."""
    return {cell_name(side, cell): cell for cell in range(len(hexes.hexagon(side)))}
