"""Rows that wells send one another, where that was agreed: how they look and rise.

A piece whose destruction goes on for more than one round sends a row for each further
one into every other well.  Rows wait until the other seat's own input lets them rise:
so nobody's well changes by what another seat does, and the order in which stretches of
different seats are folded does not matter.
"""

from typing import Final

from msgspec.structs import replace

from rules.hexcolumns.destruction import Gone
from rules.hexcolumns.gems import COLOURS, cell
from rules.hexcolumns.grid import depth, grid, index
from rules.hexcolumns.state import State
from rules.hexcolumns.well import Well, fits

MOST_ROWS: Final = 4
"""Rows that rise at once at most."""

_GAP_STEP: Final = 7
"""From the gap of a row to that of the next: every column has its turn."""


def earned(gone: tuple[Gone, ...]) -> int:
    """Return how many rows a landed piece sends by what it destroyed."""
    return max((step.round for step in gone), default=1) - 1


def come(state: State, seat: int) -> int:
    """Return how many rows the others have sent to a seat in all."""
    if not state.attacks:
        return 0
    return sum(well.sent for other, well in enumerate(state.wells) if other != seat)


def owed(state: State, seat: int) -> int:
    """Return how many rows are still to rise in a seat's well."""
    return come(state, seat) - state.wells[seat].taken


def gap(size: int, number: int) -> int:
    """Return the column that a row leaves out; rows are counted from 0."""
    return _GAP_STEP * number % (2 * size - 1) - (size - 1)


def raised(size: int, cells: bytes, number: int, rows: int) -> tuple[bytes, bool]:
    """Push rows in from below.

    A row has a plain hex for every column but its gap, and its colours are such that
    rows make up no alignment by themselves.

    Args:
        size: Hexes on a side.
        cells: The well's bytes.
        number: Of the first row: how many have risen in this well.
        rows: How many.

    Returns:
        The well's bytes, and whether anything was pushed out at the top.
    """
    left, lost = bytearray(cells), False
    for row in range(number, number + rows):
        for column, (start, stop) in zip(
            range(1 - size, size), grid(size).columns, strict=True
        ):
            if column != gap(size, row):
                lost = lost or bool(left[stop - 1])
                left[start + 1 : stop] = left[start : stop - 1]
                left[start] = cell((2 * column - row) % len(COLOURS))
    return bytes(left), lost


def risen(size: int, well: Well, rows: int) -> Well:
    """Return a well with a piece after rows have risen in it.

    The piece is lifted as far as it must be.  Where it then has no room, or a hex is
    pushed out, the well is over.
    """
    cells, lost = raised(size, well.cells, well.taken, rows)
    later = replace(well, cells=cells, taken=well.taken + rows)
    deep, start = depth(size, well.column), index(size, well.column, 0)
    filled = deep - cells.count(0, start, start + deep)
    height = max(well.height, filled)
    if lost or not fits(size, cells, well.column, height):
        return replace(later, piece=b"", paused=False, over=True)
    return replace(later, height=height)
