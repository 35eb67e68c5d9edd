"""Hexagonal cells in axial coordinates, and boards that are hexagons of them.

A cell is a pair (q, r).  Rows of equal r run from left to right, r grows downwards,
and each row lies half a hexagon further right than the one above; seen with columns
of equal q upright, the same numbers serve a board of flat-topped hexagons.
Cells of a board are also numbered from 0, row by row, so that a state can keep one
small integer a cell.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, TypeAlias

Hex: TypeAlias = tuple[int, int]
"""A cell or a step between cells, (q, r)."""

CENTRE: Final[Hex] = (0, 0)

STEPS: Final[tuple[Hex, ...]] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""From a cell to its six neighbours, counter-clockwise from the right."""

OFF: Final = -1
"""The number of a cell that is not on the board."""


def neighbours(cell: Hex) -> tuple[Hex, ...]:
    """Return the six cells that share an edge with this one, in `STEPS` order."""
    q, r = cell
    return tuple((q + dq, r + dr) for dq, dr in STEPS)


def distance(a: Hex, b: Hex) -> int:
    """Return the number of steps on the shortest way between two cells."""
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


def ring(radius: int, centre: Hex = CENTRE) -> Iterator[Hex]:
    """Yield the cells exactly `radius` steps from the centre, once around."""
    if radius == 0:
        yield centre
        return
    q, r = centre[0] - radius, centre[1] + radius
    for dq, dr in STEPS:
        for _ in range(radius):
            yield q, r
            q, r = q + dq, r + dr


@cache
def hexagon(side: int) -> tuple[Hex, ...]:
    """Return the cells of a hexagon, row by row from the top, each from the left.

    Args:
        side: Cells along one edge, at least 1.

    Returns:
        3 * side * (side - 1) + 1 cells; the place of a cell in it is its number.
    """
    reach = side - 1
    return tuple(
        (q, r)
        for r in range(-reach, reach + 1)
        for q in range(max(-reach, -reach - r), min(reach, reach - r) + 1)
    )


@cache
def numbers(side: int) -> Mapping[Hex, int]:
    """Return the number of each cell of `hexagon(side)`."""
    return MappingProxyType({cell: n for n, cell in enumerate(hexagon(side))})


@cache
def steps(side: int) -> tuple[tuple[int, ...], ...]:
    """Return for each cell number the six numbers in `STEPS` order, `OFF` outside."""
    number = numbers(side)
    return tuple(
        tuple(number.get(cell, OFF) for cell in neighbours(centre))
        for centre in hexagon(side)
    )


@cache
def adjacent(side: int) -> tuple[tuple[int, ...], ...]:
    """Return for each cell number the numbers of its neighbours on the board."""
    return tuple(tuple(n for n in row if n != OFF) for row in steps(side))


@cache
def border(side: int) -> frozenset[int]:
    """Return the numbers of the cells on the rim, those with fewer than six neighbours.

    A board of one cell is all rim.
    """
    return frozenset(n for n, row in enumerate(adjacent(side)) if len(row) < len(STEPS))
