"""Tic-tac-toe as text: a board of X and O, squares such as b2."""

from collections.abc import Iterator, Sequence
from typing import Any

from rules.tictactoe import NOBODY, OVER, Mark, Move, State

from netplay.text.phrases import called
from rules import tictactoe
from rules.game import Actor, IllegalMoveError, Resign, Seat

SIGNS = "XO."


def board(view: State, names: Sequence[str] = (), below: Seat | None = None) -> str:
    """Return the board, and whose turn it is."""
    del below  # the board has no sides
    signs = [SIGNS[own] for own in view.squares]
    rows = [f"{3 - n} {' '.join(signs[3 * n : 3 * n + 3])}" for n in range(3)]
    return "\n".join([*rows, "  a b c", "", _turn(view, names)])


def line(before: State, actor: Actor, move: Move, names: Sequence[str]) -> str:
    """Return a move in one line."""
    if isinstance(move, Resign):
        return f"{names[actor]} resigns"
    return f"{names[actor]} marks {square(move.square)}"


def hint(view: State, seat: Seat, move: Move) -> str:
    """Return a move that a seat might make."""
    del view, seat
    return "" if isinstance(move, Resign) else square(move.square)


def position(view: State) -> dict[str, Any]:
    """Return what a program is told: who has marked which square."""
    marks = enumerate(view.squares)
    return {"marks": {square(at): own + 1 for at, own in marks if own != NOBODY}}


def written(view: State, seat: Seat, move: Mark) -> str:
    """Return a move as it is typed."""
    del view, seat
    return square(move.square)


def square(at: int) -> str:
    """Return a square as column and row, a1 at the bottom left."""
    return f"{'abc'[at % 3]}{3 - at // 3}"


def _turn(view: State, names: Sequence[str]) -> str:
    """Return who is next, or who has won."""
    if view.turn != OVER:
        return f"{called(view.turn, names)} ({SIGNS[view.turn]}) to move."
    if view.winner == NOBODY:
        return "A draw."
    return f"{called(view.winner, names)} ({SIGNS[view.winner]}) has won."


def read(view: State, seat: Seat, words: str) -> Move:
    """Return the move that marks a square."""
    for at in range(9):
        if square(at) == words.lower():
            return Mark(at)
    raise IllegalMoveError(f"{words} is no square: type a1 to c3")


def offers(view: State, seat: Seat) -> Iterator[str]:
    """Yield the free squares."""
    return (square(move.square) for move in tictactoe.moves(view, seat))


def ways() -> tuple[tuple[str, str], ...]:
    """Return what may be typed."""
    return (("b2", "mark the square in column b and row 2"),)
