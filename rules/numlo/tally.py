"""What a position of Numlo is worth, and what a move would be."""

from collections.abc import Sequence
from functools import lru_cache

from rules.game import Seat
from rules.numlo.grid import bits, captures, grid
from rules.numlo.state import TOP, State, unpack


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
