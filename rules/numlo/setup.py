"""The board before the first turn: tiles, values and who begins.

Chance scatters tiles (start `scatter`), then gives values to squares, smallest
first, then draws who begins.  Start `othello` is Othello's own: seat 0 begins.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec.structs import replace

from rules.game import OptionsError
from rules.numlo.grid import bits, grid
from rules.numlo.state import (
    TOP,
    Disc,
    First,
    Options,
    State,
    Value,
    open_to,
    pack,
    unpack,
)

Outcome: TypeAlias = Disc | Value | First
"""What chance may decide."""

EACH: Final = 12
"""Tiles of each colour that are scattered (a sibling game of the same author)."""

OF_A_KIND: Final = 6
"""Squares that get each value, where the board has enough of them."""

SQUARE: Final = 6
"""The edge of the block that start `latin` fills: 12 tiles of each of 3 colours."""


def check(seats: int, options: Options) -> None:
    """Refuse options that no board can be set up for.

    Raises:
        OptionsError: They do not go together; the message is for the user.
    """
    if not 2 <= seats <= 4:
        raise OptionsError("Numlo is played by 2 to 4.")
    if options.size not in range(8, 21, 2):
        raise OptionsError("size must be an even number from 8 to 20.")
    if options.start not in {"latin", "scatter", "othello"}:
        raise OptionsError("start must be latin, scatter or othello.")
    if options.start == "othello" and seats != 2:
        raise OptionsError("start=othello is for two seats.")


def first_tiles(seats: int, options: Options) -> tuple[int, ...]:
    """Return the squares each seat holds before chance has its say."""
    if options.start == "latin":
        # Fill the middle so that each row and diagonal runs through all colours
        size = options.size
        middle = range((size - SQUARE) // 2, (size + SQUARE) // 2)
        boards = [0] * seats
        for row in middle:
            for column in middle:
                boards[(row + column) % seats] |= 1 << row * size + column
        return tuple(boards)
    if options.start == "othello":
        # Cross the four middle squares; seat 0 is the one that begins, Black there
        size, low = options.size, options.size // 2 - 1
        high = low + 1
        black = 1 << low * size + high | 1 << high * size + low
        white = 1 << low * size + low | 1 << high * size + high
        return black, white
    return (0,) * seats


def outcomes(state: State) -> Iterator[Outcome]:
    """Yield what chance may do next, each thing once: all are as likely.

    Only for a state whose turn is `CHANCE`.
    """
    table = grid(state.options.size)
    seats = len(state.tiles)
    empty = table.full & ~sum(unpack(state))
    placed = table.squares - empty.bit_count()
    valued = sum(map(bool, state.values))
    # How many squares get each value: six, or as many as there is room for
    alike = min(OF_A_KIND, empty.bit_count() // TOP) if state.options.values else 0
    if state.options.start == "scatter" and placed < EACH * seats:
        for square in bits(empty):
            yield Disc(square, placed % seats)
    elif valued < TOP * alike:
        for square in bits(empty):
            if not state.values[square]:
                yield Value(square, valued // alike + 1)
    else:
        for seat in range(seats):
            if seat not in state.gone:
                yield First(seat)


def apply(state: State, outcome: Outcome) -> State:
    """Return the state with a tile or a value set down, or as it was for `First`."""
    if isinstance(outcome, Disc):
        seat = outcome.seat
        size = state.options.size
        boards = unpack(state)
        boards[seat] |= 1 << outcome.square
        complete = sum(board.bit_count() for board in boards) == EACH * len(boards)
        # All is swept away again if some colour ends without a move.
        if complete and not all(
            open_to(grid(size), boards, seat) for seat in range(len(boards))
        ):
            boards = [0] * len(boards)
        return replace(state, tiles=pack(size, boards))
    if isinstance(outcome, Value):
        values = bytearray(state.values)
        values[outcome.square] = outcome.points
        return replace(state, values=bytes(values))
    return state


def is_done(state: State) -> bool:
    """Return whether chance has nothing left to decide; then seat 0 begins."""
    return state.options.start == "othello" and isinstance(next(outcomes(state)), First)
