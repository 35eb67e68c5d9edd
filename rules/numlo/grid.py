"""The squares of Numlo as bits: where a colour may lay, and what that flips.

A board of size * size squares is an int for each colour; square number
row * size + column is the bit of that number.  A straight run that is flipped lies
strictly between two squares, so a run along a row or a diagonal never contains a
square of the first or last column: taking those columns out of the colour that is
run over is all that keeps shifted bits from wrapping round the edges.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from string import ascii_uppercase
from typing import Final, NamedTuple

LINES: Final = ((0, 1), (1, -1), (1, 0), (1, 1))
"""The four lines through a square as (rows, columns) of one step forward."""


class Grid(NamedTuple):
    """Tables for one size of board."""

    size: int
    """Squares along an edge."""

    squares: int
    """How many squares there are."""

    full: int
    """All squares."""

    inner: int
    """All squares but the first and the last column."""

    lane: int
    """Bits from one board to the next where several lie in one int; the gap between
    them is as wide as the longest step, so that nothing runs over into the next."""

    ahead: tuple[tuple[int, ...], ...]
    """For each square the rays towards higher numbers, two squares long or more."""

    behind: tuple[tuple[int, ...], ...]
    """For each square the rays towards lower numbers, two squares long or more."""


@cache
def grid(size: int) -> Grid:
    """Return the tables of a board with `size` squares along an edge."""
    squares = size * size
    column = sum(1 << row * size for row in range(size))
    full = (1 << squares) - 1
    return Grid(
        size=size,
        squares=squares,
        full=full,
        inner=full & ~(column | column << size - 1),
        lane=squares + size + 1,
        ahead=tuple(_rays(size, square, 1) for square in range(squares)),
        behind=tuple(_rays(size, square, -1) for square in range(squares)),
    )


def _rays(size: int, square: int, way: int) -> tuple[int, ...]:
    """Return the rays from a square, forward (way 1) or backward (-1)."""
    rays = list[int]()
    for down, right in LINES:
        row, column = divmod(square, size)
        ray = 0
        row, column = row + down * way, column + right * way
        while 0 <= row < size and 0 <= column < size:
            ray |= 1 << row * size + column
            row, column = row + down * way, column + right * way
        if ray.bit_count() > 1:
            rays.append(ray)
    return tuple(rays)


def bits(board: int) -> Iterator[int]:
    """Yield the numbers of the squares on a board, smallest first."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest


def reach(table: Grid, own: int, others: Sequence[int], empty: int) -> int:
    """Return the empty squares from which a colour flips at least one tile.

    A run is of one single other colour, unbroken, and ended by the nearest own
    square (source document, Game play).  The other colours are laid side by side
    in one long int, so that one sweep over the eight directions serves them all.

    Args:
        table: The tables of the board.
        own: The squares of the colour that is to move.
        others: The squares of each other colour.
        empty: The squares that nobody holds.
    """
    size, lane = table.size, table.lane
    foe, ours, inner, shift = others[0], own, table.inner, 0
    for other in others[1:]:
        shift += lane
        foe |= other << shift
        ours |= own << shift
        inner |= inner << shift
    found = 0
    for step, inside in (
        (size, foe),
        (1, foe & inner),
        (size - 1, foe & inner),
        (size + 1, foe & inner),
    ):
        run = inside & ours << step
        while run:
            run <<= step
            found |= run
            run &= inside
        run = inside & ours >> step
        while run:
            run >>= step
            found |= run
            run &= inside
    while shift:
        found |= found >> shift
        shift -= lane
    return found & empty


def captures(table: Grid, own: int, others: Sequence[int], square: int) -> int:
    """Return the squares that flip when a colour lays on an empty square.

    Args:
        table: The tables of the board.
        own: The squares of the colour that lays.
        others: The squares of each other colour.
        square: The number of the square laid on.
    """
    flips = 0
    for ray in table.ahead[square]:
        if ends := ray & own:
            run = ray & (ends & -ends) - 1
            for foe in others:
                if run & foe == run:
                    flips |= run
    for ray in table.behind[square]:
        if ends := ray & own:
            length = ends.bit_length()
            run = ray >> length << length
            for foe in others:
                if run & foe == run:
                    flips |= run
    return flips


# How squares of Numlo are called: column and row, A1 at the top left.


def column_name(column: int) -> str:
    """Return the letter of a column, from 0."""
    return ascii_uppercase[column]


def square_name(size: int, square: int) -> str:
    """Return what a square is called on a board so many squares wide."""
    row, column = divmod(square, size)
    return f"{column_name(column)}{row + 1}"
