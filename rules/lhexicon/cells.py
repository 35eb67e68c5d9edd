"""Sets of cells of the board as whole numbers, one bit a cell.

Cell n of `rules.hexes.hexagon(side)` is bit n.  A state keeps tuples; these masks live
only while something is worked out, where they make "touches", "all but" and "is part
of" one operation each.
"""

from collections.abc import Iterable, Iterator
from functools import cache

from rules import hexes


def mask(cells: Iterable[int]) -> int:
    """Return the set of these cell numbers."""
    total = 0
    for cell in cells:
        total |= 1 << cell
    return total


def members(cells: int) -> tuple[int, ...]:
    """Return the cell numbers of a set, ascending."""
    return tuple(_bits(cells))


def _bits(cells: int) -> Iterator[int]:
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


@cache
def whole(side: int) -> int:
    """Return the set of all cells of the board."""
    return (1 << len(hexes.hexagon(side))) - 1


@cache
def rim(side: int) -> int:
    """Return the set of the cells on the edge of the board."""
    return mask(hexes.border(side))


@cache
def centre(side: int) -> int:
    """Return the number of the centre cell."""
    return hexes.numbers(side)[hexes.CENTRE]


@cache
def around(side: int) -> tuple[int, ...]:
    """Return for each cell the set of its neighbours on the board."""
    return tuple(mask(row) for row in hexes.adjacent(side))


def spread(cells: int, side: int) -> int:
    """Return every cell next to one of these, some of these perhaps among them."""
    near, total = around(side), 0
    for cell in _bits(cells):
        total |= near[cell]
    return total


def flood(start: int, within: int, side: int) -> int:
    """Return the cells of `start` and all that can be reached from them in `within`."""
    part = fresh = start
    while fresh:
        fresh = spread(fresh, side) & within & ~part
        part |= fresh
    return part


def distances(goal: int, side: int) -> tuple[int, ...]:
    """Return for each cell how many steps the nearest of some cells is away.

    Where there is none it is as many as the board has cells.
    """
    count = len(hexes.hexagon(side))
    far = [count] * count
    reached = fresh = goal
    steps = 0
    while fresh:
        for cell in _bits(fresh):
            far[cell] = steps
        fresh = spread(fresh, side) & ~reached
        reached |= fresh
        steps += 1
    return tuple(far)


def groups(cells: int, side: int) -> Iterator[int]:
    """Yield the connected parts of a set, by their lowest cell."""
    while cells:
        part = flood(cells & -cells, cells, side)
        yield part
        cells &= ~part
