"""A computer player for tic-tac-toe: looks at everything, and slips without skill."""

from functools import cache
from typing import Final

from rules.tictactoe import OVER, Mark, Move, State, moves, places, play

from netplay.players import Abilities, Rng
from rules.game import Seat

ABILITIES: Final = Abilities()


def choose(view: State, seat: Seat, skill: int, rng: Rng) -> Move:
    """Return one of the best moves, or by a slip any."""
    found = list(moves(view, seat))
    if rng.random() * 100 >= skill:
        return rng.choice(found)
    worth = {move: _worth(play(view, seat, move), seat) for move in found}
    best = max(worth.values())
    return rng.choice([move for move in found if worth[move] == best])


@cache
def _worth(state: State, seat: Seat) -> int:
    """Return 1 for a position that a seat wins, 0 for a draw, -1 for one it loses."""
    if state.turn == OVER:
        own = places(state)
        return own[1 - seat] - own[seat]
    marks = (m for m in moves(state, state.turn) if isinstance(m, Mark))
    found = [_worth(play(state, state.turn, mark), seat) for mark in marks]
    return max(found) if state.turn == seat else min(found)
