"""How cells and plies of Hexagrams are written: C5-C7, with x for a capture.

Columns are lettered from the left as the game's page draws the board, rows numbered
from White's side.  Hexagons have rows of their own, so every cell has another name.
The page's coordinates, T(4,1) and H(1,2), are read as well, and written on wish.
"""

import re
from string import ascii_uppercase
from typing import Final

from rules.hexagrams.board import HEXAGONS, TRIANGLES

HEXAGON: Final = "h"
TRIANGLE: Final = "t"

CELL: Final = r"[ht]\s*\(?\s*-?\d{1,3}\s*,\s*-?\d{1,3}\s*\)?|[a-i]\d{1,3}"
"""What may be the name of a cell, for a pattern that ignores case."""

_COLUMNS: Final = ascii_uppercase[:9]
_LEFTMOST: Final = -1
"""The x of column A."""


def column_name(x: int) -> str:
    """Return the letter of a column."""
    return _COLUMNS[x - _LEFTMOST]


def line_number(sort: str, row: int) -> int:
    """Return the number of a row of hexagons or triangles among all eleven."""
    return 3 * row + 3 if sort == HEXAGON else row + (row - 1) // 2


def cell_name(sort: str, number: int) -> str:
    """Return what a cell is called, by column and row: `C5`."""
    row, x = row_and_x(sort, number)
    return f"{column_name(x)}{line_number(sort, row)}"


def page_name(sort: str, number: int) -> str:
    """Return what the page calls a cell: `T(4,1)`."""
    row, x = row_and_x(sort, number)
    return f"{sort.upper()}({row},{x})"


def row_and_x(sort: str, number: int) -> tuple[int, int]:
    """Return a cell's row and x on the page."""
    return (HEXAGONS if sort == HEXAGON else TRIANGLES)[number]


def _cells() -> dict[tuple[str, ...], tuple[str, int]]:
    """Return every cell by the parts of either name."""
    found: dict[tuple[str, ...], tuple[str, int]] = {}
    every = [(HEXAGON, number) for number in range(len(HEXAGONS))]
    every += [(TRIANGLE, number) for number in TRIANGLES]
    for sort, number in every:
        found[_parts(cell_name(sort, number))] = sort, number
        found[_parts(page_name(sort, number))] = sort, number
    return found


def _parts(name: str) -> tuple[str, ...]:
    """Return the letter and the numbers of a name."""
    letter, *numbers = re.findall(r"[a-z]|-?\d+", name.lower())
    return letter, *(str(int(number)) for number in numbers)


_CELLS: Final = _cells()


def cell(name: str) -> tuple[str, int] | None:
    """Return sort and number of the cell that has a name, of either kind.

    Args:
        name: It has the form of `CELL`.

    Returns:
        None if there is no such cell on the board.
    """
    return _CELLS.get(_parts(name))


def ply_name(origin: str, target: str, *, captures: bool) -> str:
    """Return a ply from one cell to another, by their names."""
    return f"{origin}{'x' if captures else '-'}{target}"
