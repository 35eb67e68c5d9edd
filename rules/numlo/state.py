"""A match of Numlo: options, state and moves, and what a position is worth."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from rules.game import Resign, Seat
from rules.numlo.grid import Grid, bits, captures, grid, reach

OVER: Final = -3
"""`State.turn` once nobody moves any more."""

TOP: Final = 6
"""The highest value a square may have (source document, Numlo game rules)."""


class Options(Struct, frozen=True, array_like=True):
    """What the table may choose before a match."""

    size: Annotated[int, Meta(ge=8, le=20, multiple_of=2)] = 12
    """Squares along an edge."""

    start: Literal["latin", "scatter", "othello"] = "latin"
    """The tiles at the start: a Latin square of 6 x 6 in the middle, twelve of each
    colour anywhere, or the four discs of Othello (two seats)."""

    values: bool = True
    """Whether some squares are worth 1 to 6 points more."""


class State(Struct, frozen=True, array_like=True):
    """A position; squares are numbered row by row from the top left corner."""

    options: Options

    tiles: tuple[bytes, ...]
    """For each seat a bit a square, little-endian: the squares it holds."""

    values: bytes
    """For each square the points it is worth beside its own one; mostly 0."""

    turn: int
    """The seat that lays next, `CHANCE` until the board is set up, or `OVER`."""

    open: bytes
    """A bit a square as in `tiles`: where the seat on turn may lay.  It follows from
    the tiles, but finding the next turn needs it anyway, and every move is looked up
    in it."""

    passed: tuple[int, ...]
    """The seats that had no move between the last one and this turn."""

    gone: tuple[int, ...]
    """The seats that have resigned, the first one first."""


class Place(Struct, frozen=True, array_like=True, tag="place"):
    """A seat lays a tile on an empty square."""

    square: int


class Disc(Struct, frozen=True, array_like=True, tag="disc"):
    """Chance gives a seat one of its first tiles (start `scatter`)."""

    square: int
    seat: int


class Value(Struct, frozen=True, array_like=True, tag="value"):
    """Chance makes a square worth more."""

    square: int
    points: int


class First(Struct, frozen=True, array_like=True, tag="first"):
    """Chance says who begins."""

    seat: int


Move: TypeAlias = Place | Disc | Value | First | Resign


def unpack(state: State) -> list[int]:
    """Return for each seat the squares it holds, a bit a square."""
    return [int.from_bytes(tiles, "little") for tiles in state.tiles]


def pack(size: int, boards: Sequence[int]) -> tuple[bytes, ...]:
    """Return boards as `State.tiles` keeps them, in as many bytes as they need."""
    width = (size * size + 7) // 8
    return tuple([board.to_bytes(width, "little") for board in boards])


def open_to(table: Grid, boards: Sequence[int], seat: int) -> int:
    """Return the squares where a seat may lay, a bit a square."""
    empty = table.full
    for board in boards:
        empty &= ~board
    others = [*boards[:seat], *boards[seat + 1 :]]
    return reach(table, boards[seat], others, empty)


def scores(state: State) -> tuple[int, ...]:
    """Return each seat's squares and their values added up (Numlo game rules)."""
    worth = value_boards(state.values)
    return tuple(points(board, worth) for board in unpack(state))


def lead(state: State, seat: Seat) -> int:
    """Return by how many points a seat is ahead of the best other; see `Drawn`."""
    counts = scores(state)
    return counts[seat] - max(*counts[:seat], *counts[seat + 1 :], 0)


def owners(state: State) -> tuple[int | None, ...]:
    """Return for each square the seat that holds it, None where it is empty."""
    owner: list[int | None] = [None] * state.options.size**2
    for seat, board in enumerate(unpack(state)):
        for square in bits(board):
            owner[square] = seat
    return tuple(owner)


def flips(state: State, seat: Seat, square: int) -> tuple[int, ...]:
    """Return the squares that a seat would flip; none where it may not lay.

    The seat need not be on turn: a window may show this on hover at any time.
    """
    return tuple(bits(_flipped(state, seat, square)))


def gain(state: State, seat: Seat, square: int) -> int:
    """Return the points a seat would win by laying there; 0 where it may not."""
    flipped = _flipped(state, seat, square)
    return points(flipped | 1 << square, value_boards(state.values)) if flipped else 0


def hint(state: State) -> int | None:
    """Return the square that wins the seat on turn most points, the first of equals.

    None if no seat is on turn (source document, the HINT button).
    """
    squares = bits(int.from_bytes(state.open, "little"))
    return max(squares, key=lambda at: gain(state, state.turn, at), default=None)


def points(board: int, worth: Sequence[int]) -> int:
    """Return the points for a set of squares: one each, and their values."""
    total = board.bit_count()
    for value, squares in enumerate(worth, 1):
        total += value * (board & squares).bit_count()
    return total


@lru_cache(maxsize=64)
def value_boards(values: bytes) -> tuple[int, ...]:
    """Return for each value from 1 the squares that have it, a bit a square.

    Args:
        values: `State.values`; the same object in all states of a match.
    """
    boards = [0] * (TOP + 1)
    for square, value in enumerate(values):
        boards[value] |= 1 << square
    return tuple(boards[1:])


def _flipped(state: State, seat: Seat, square: int) -> int:
    """Return the squares a seat would flip, a bit a square."""
    boards = unpack(state)
    if sum(boards) >> square & 1:
        return 0
    own = boards.pop(seat)
    return captures(grid(state.options.size), own, boards, square)
