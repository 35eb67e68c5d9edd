"""Tic-tac-toe: three in a row, on three times three squares.

With the option `misere` whoever has three in a row loses.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from rules.game import About, Actor, IllegalMoveError, OptionsError, Resign, Seat

__all__ = [
    "ABOUT",
    "LINES",
    "NOBODY",
    "OVER",
    "Mark",
    "Move",
    "Options",
    "Resign",
    "State",
    "actors",
    "mask",
    "moves",
    "places",
    "play",
    "public",
    "start",
    "view",
]

OVER: Final = -3
"""`State.turn` once the match is over."""

NOBODY: Final = -1
"""On an empty square, and as the winner of a draw."""

LINES: Final = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
)  # fmt: skip


class Options(Struct, frozen=True, array_like=True):
    """What is agreed before a match."""

    misere: bool = False
    """Three in a row lose."""


class Mark(Struct, frozen=True, array_like=True, tag="mark"):
    """Put a mark on a square, 0 to 8, row by row."""

    square: int


Move: TypeAlias = Mark | Resign


class State(Struct, frozen=True, array_like=True):
    """The board, and who is next."""

    options: Options
    squares: tuple[int, ...] = (NOBODY,) * 9
    turn: int = 0
    winner: int = NOBODY


ABOUT: Final = About(
    title="Tic-tac-toe",
    seats=range(2, 3),
    version=1,
    options=Options,
    state=State,
    move=Move,
)


def start(seats: int, options: Options) -> State:
    """Return the empty board.

    Raises:
        OptionsError: It is not a game for so many.
    """
    if seats not in ABOUT.seats:
        raise OptionsError("Tic-tac-toe is for two.")
    return State(options)


def actors(state: State) -> frozenset[Actor]:
    """Return the seat on turn, nobody once the match is over."""
    return frozenset() if state.turn == OVER else frozenset((state.turn,))


def moves(state: State, actor: Actor) -> Iterator[Move]:
    """Yield a mark on each empty square."""
    if actor == state.turn and actor != OVER:
        yield from (Mark(at) for at, own in enumerate(state.squares) if own == NOBODY)


def play(state: State, actor: Actor, move: Move) -> State:
    """Return the state after a move.

    Raises:
        IllegalMoveError: The rules forbid it here.
    """
    if state.turn == OVER:
        raise IllegalMoveError("The game is over.")
    if isinstance(move, Resign):
        if actor not in {0, 1}:
            raise IllegalMoveError("Nobody sits there.")
        return replace(state, turn=OVER, winner=1 - actor)
    if actor != state.turn:
        raise IllegalMoveError("It is not your turn.")
    if not 0 <= move.square < 9:
        raise IllegalMoveError("There is no such square.")
    if state.squares[move.square] != NOBODY:
        raise IllegalMoveError("That square is taken.")
    return _judge(state, actor, _marked(state.squares, move.square, actor))


def _marked(squares: tuple[int, ...], at: int, seat: Seat) -> tuple[int, ...]:
    """Return the squares with one more mark."""
    return (*squares[:at], seat, *squares[at + 1 :])


def _judge(state: State, seat: Seat, squares: tuple[int, ...]) -> State:
    """Return the position after a seat's mark: the other's turn, or the end."""
    after = replace(state, squares=squares, turn=1 - seat)
    if any(all(squares[at] == seat for at in line) for line in LINES):
        winner = 1 - seat if state.options.misere else seat
        return replace(after, turn=OVER, winner=winner)
    return after if NOBODY in squares else replace(after, turn=OVER)


def view(state: State, seat: Seat | None) -> State:
    """Return the state itself: nothing is hidden."""
    return state


def mask(state: State, actor: Actor, move: Move, seat: Seat | None) -> Move:
    """Return the move itself: nothing is hidden."""
    return move


def places(state: State) -> tuple[int, ...]:
    """Return each seat's place; both are first in a draw and until somebody wins."""
    return ((1, 1), (1, 2), (2, 1))[state.winner + 1]


def public(state: State) -> tuple[Any, ...]:
    """Return the public position as plain values; see `Game.public`."""
    return state.squares, state.turn, state.winner
