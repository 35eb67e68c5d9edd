"""The board of Hexagrams: ten hexagons and the 32 triangles around them, as bits.

Cells have the coordinates of the game's page: H(r, x) and T(t, x), where rows are
counted from White's side and x in half hexagon widths from the left.  A triangle is
number 5 * (t - 1) + (x + 1) // 2, which leaves a few numbers of each row unused but
makes every step forward an addition of 4, 5 or 6; so one shift moves all triads.
Hexagons are numbered row by row from 0 to 9.
"""

import re
from collections.abc import Iterator
from string import ascii_uppercase
from typing import Any, Final

from rules.game import Seat

WHITE: Final = 0
BLACK: Final = 1

HEXAD: Final = 4
"""Triads that a hexad is worth: who has none left has lost."""

HEXAGON_ROWS: Final = ((1, 3, 5), (0, 2, 4, 6), (1, 3, 5))
"""The x of the hexagons in each row r, from 0."""

TRIANGLE_ROWS: Final = (
    (1, 3, 5),
    (0, 2, 4, 6),
    (0, 2, 4, 6),
    (-1, 1, 3, 5, 7),
    (-1, 1, 3, 5, 7),
    (0, 2, 4, 6),
    (0, 2, 4, 6),
    (1, 3, 5),
)
"""The x of the triangles in each row t, from 1; those of odd rows point up."""

_ROW: Final = 5


def triangle(t: int, x: int) -> int:
    """Return the number of a triangle."""
    return _ROW * (t - 1) + (x + 1) // 2


HEXAGONS: Final = tuple((r, x) for r, row in enumerate(HEXAGON_ROWS) for x in row)
"""For each hexagon its (r, x)."""

_HEXAGON: Final = {cell: number for number, cell in enumerate(HEXAGONS)}

TRIANGLES: Final = {
    triangle(t, x): (t, x) for t, row in enumerate(TRIANGLE_ROWS, 1) for x in row
}
"""For each triangle's number its (t, x)."""


def hexagon(r: int, x: int) -> int:
    """Return the number of a hexagon.

    Raises:
        KeyError: There is none.
    """
    return _HEXAGON[r, x]


def bits(cells: int) -> Iterator[int]:
    """Yield the numbers of the cells in a set, smallest first."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


def _rows(*numbers: int) -> int:
    """Return all triangles of some rows t."""
    return sum(1 << cell for cell, (t, _) in TRIANGLES.items() if t in numbers)


_ALL: Final = _rows(*range(1, 9))
_FOUR: Final = _rows(2, 6)
"""Rows that are also 4 from the row before; all are 5 from it where both have cells."""

_SIX: Final = _rows(4, 8)
"""Rows that are also 6 from the row before."""


def forward(seat: Seat, triads: int) -> int:
    """Return the triangles one step forward of a set of triads.

    White's triads go to the next row, Black's to the row before (source document,
    Turns).
    """
    if seat == WHITE:
        to = triads << 5 | triads << 4 & _FOUR | triads << 6 & _SIX
    else:
        to = triads >> 5 | (triads & _FOUR) >> 4 | (triads & _SIX) >> 6
    return to & _ALL


def _pairs() -> Iterator[tuple[int, int, int]]:
    """Yield each two linked hexagons and the two triangles that separate them."""
    for r, x in HEXAGONS:
        if (r, x + 2) in _HEXAGON:
            between = (2 * r + 2, x + 1), (2 * r + 3, x + 1)
            yield hexagon(r, x), hexagon(r, x + 2), _set(*between)
        for below in (x - 1, x + 1):
            if (r + 1, below) in _HEXAGON:
                between = (2 * r + 3, below), (2 * r + 4, x)
                yield hexagon(r, x), hexagon(r + 1, below), _set(*between)


def _set(*cells: tuple[int, int]) -> int:
    """Return a set of triangles given by (t, x)."""
    return sum(1 << triangle(t, x) for t, x in cells)


HEXAGON_LINKS: Final = tuple(_pairs())
"""The 19 links as (hexagon, hexagon, set of the two triangles between)."""


WAYS: Final = tuple(
    tuple(
        sorted((a + b - at, between) for a, b, between in HEXAGON_LINKS if at in (a, b))
    )
    for at in range(len(HEXAGONS))
)
"""For each hexagon the linked ones and the set of the two triangles between."""

_MARKED_WAYS: Final = tuple(
    tuple((1 << target, between) for target, between in ways) for ways in WAYS
)


def can_step(hexads: int, triads: int) -> bool:
    """Say whether any hexad of a side can move, were it its turn and choice.

    Args:
        hexads: The side's own hexads.
        triads: The triads of both sides, which all stand in the way.
    """
    left = hexads
    while left:
        lowest = left & -left
        left ^= lowest
        for target, between in _MARKED_WAYS[lowest.bit_length() - 1]:
            if not (between & triads or target & hexads):
                return True
    return False


# How cells and plies of Hexagrams are written: C5-C7, with x for a capture.
#
# Columns are lettered from the left as the game's page draws the board, rows numbered
# from White's side. Hexagons have rows of their own, so every cell has another name.
# The page's coordinates, T(4,1) and H(1,2), are read as well, and written on wish.


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


def lead(state: Any, seat: Seat) -> int:  # noqa: ANN401 (the state is defined above us)
    """Return by how many triads a seat is ahead, a hexad for four; see `Drawn`."""
    worth: list[int] = [
        HEXAD * hexads.bit_count() + triads.bit_count()
        for hexads, triads in zip(state.hexads, state.triads, strict=True)
    ]
    return worth[seat] - worth[1 - seat]
