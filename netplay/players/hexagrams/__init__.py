"""A computer player for Hexagrams in three levels: Easy, Medium and Hard.

Easy (skill up to 33) looks at its own move only, and slips now and then.  Medium (up
to 66) and Hard search, Hard much deeper.
"""

import time  # noqa: TID251 (a player's budget; the clock is an argument)
from collections.abc import Callable
from typing import Final

from netplay.players import Abilities, Rng
from netplay.players.deepening import SHARE
from netplay.players.hexagrams.judge import ended, promise
from netplay.players.hexagrams.search import Ply, Search
from rules.game import Seat
from rules.hexagrams import OVER, State, moves, play

EASY: Final = 33
"""The highest skill that plays Easy."""

MEDIUM: Final = 66
"""The highest skill that plays Medium."""

SECONDS: Final = 1.2
"""What a move may take; a player is promised an answer within two seconds."""

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

    Args:
        view: The position; nothing in Hexagrams is hidden.
        seat: The seat on turn.
        skill: From 0 to 100.
        rng: Chooses among moves that look equal, and makes Easy slip.
        budget: Seconds it may take.
        clock: Tells the time in seconds.
    """
    end = clock() + SHARE * budget
    plies = list(moves(view, seat))
    rng.shuffle(plies)
    plies.sort(key=lambda ply: -_first_sight(play(view, seat, ply), seat))
    if skill <= EASY:
        slips = rng.random() * 100 < 50 - skill
        return rng.choice(plies[:3]) if slips else plies[0]
    return Search(positions(skill), lambda: clock() >= end).run(view, plies)[0]


def positions(skill: int) -> int:
    """Return how many positions a skill above Easy may look at.

    From 100 at the low end of Medium and 4,000 at that of Hard, doubling every eight
    points of skill.
    """
    if skill <= MEDIUM:
        return 100 << (skill - EASY - 1) // 8
    return 4_000 << (skill - MEDIUM - 1) // 8


def _first_sight(after: State, seat: Seat) -> int:
    """Return what a position after a seat's move is worth to it at first sight."""
    return ended(after, seat) if after.turn == OVER else promise(after, seat)
