"""A computer player for Hexagrams in three levels: Easy, Medium and Hard.

Easy (skill up to 33) looks at its own move only, and slips now and then.  Medium (up
to 66) and Hard search, Hard much deeper.
"""

import time  # noqa: TID251 (a player's budget; the clock is an argument)
from collections.abc import Callable
from typing import Final

from netplay.players import Abilities, Rng
from netplay.players.deepening import EASY, SECONDS, SHARE, positions
from netplay.players.hexagrams.judge import ended, promise
from netplay.players.hexagrams.search import Ply, Search
from rules.game import Seat
from rules.hexagrams import OVER, State, moves, play

POSITIONS: Final = 100, 4_000
"""At the low ends of Medium and Hard: see `deepening.positions`."""

ABILITIES: Final = Abilities(timed=True)


def choose(
    view: State,
    seat: Seat,
    skill: int,
    rng: Rng,
    budget: float = SECONDS,
    clock: Callable[[], float] = time.perf_counter,
) -> Ply:
    """Return a move for the seat on turn.

    Chance chooses among moves that look equal, and makes Easy slip.
    """
    end = clock() + SHARE * budget
    plies = list(moves(view, seat))
    rng.shuffle(plies)
    plies.sort(key=lambda ply: -_first_sight(play(view, seat, ply), seat))
    if skill <= EASY:
        slips = rng.random() * 100 < 50 - skill
        return rng.choice(plies[:3]) if slips else plies[0]
    return Search(positions(skill, *POSITIONS), lambda: clock() >= end).run(
        view, plies
    )[0]


def _first_sight(after: State, seat: Seat) -> int:
    """Return what a position after a seat's move is worth to it at first sight."""
    return ended(after, seat) if after.turn == OVER else promise(after, seat)
