"""Tic-tac-toe as text: a board of X and O, squares such as b2."""

from collections.abc import Sequence

from rules.tictactoe import NOBODY, OVER, Move, State

from netplay.text.naming import called
from rules.game import Actor, Resign

SIGNS = "XO."


def board(view: State, names: Sequence[str] = ()) -> str:
    """Return the board, and whose turn it is."""
    signs = [SIGNS[own] for own in view.squares]
    rows = [f"{3 - n} {' '.join(signs[3 * n : 3 * n + 3])}" for n in range(3)]
    return "\n".join([*rows, "  a b c", "", _turn(view, names)])


def line(before: State, actor: Actor, move: Move, names: Sequence[str]) -> str:
    """Return a move in one line."""
    if isinstance(move, Resign):
        return f"{names[actor]} resigns"
    return f"{names[actor]} marks {square(move.square)}"


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
