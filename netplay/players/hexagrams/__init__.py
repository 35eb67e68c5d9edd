"""A computer player for Hexagrams in three levels: Easy, Medium and Hard.

Easy (skill up to 33) looks at its own move only, and slips now and then.  Medium (up
to 66) and Hard search, Hard much deeper.
"""

import time  # noqa: TID251 (a player's budget; the clock is an argument)
from collections.abc import Callable, Sequence
from typing import Final

from netplay.players import Abilities, Rng
from netplay.players.deepening import EASY, SECONDS, SHARE, Spent, compared, positions
from netplay.players.evaluating import Candidate, Evaluation, logistic
from netplay.players.hexagrams.search import Ply, Search, ended, promise
from netplay.said import Said
from netplay.sentences import Says
from rules.game import Seat
from rules.hexagrams import OVER, State, moves, play

POSITIONS: Final = 100, 4_000
"""At the low ends of Medium and Hard: see `deepening.positions`."""

WORK: Final = 20_000
"""Positions for a turn in a review: some half a second."""

EVEN: Final = 70.0
"""What a position must promise for 73 % of the games to be won; fitted to 100 games of
computer players."""


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


def evaluate(
    view: State, seat: Seat, budget: int, rng: Rng, also: Sequence[Ply] = ()
) -> Evaluation:
    """Return what the best move is worth, and others; see `evaluating`."""
    plies = list(moves(view, seat))
    plies.sort(key=lambda ply: -_first_sight(play(view, seat, ply), seat))
    search = Search(budget, lambda: False)
    best, depth = search.run(view, plies)
    judged = [best, *[ply for ply in also if ply in plies and ply != best]]

    def value(ply: Ply, deep: int) -> int:
        return search.value(view, ply, deep)

    unsure = 0.0
    try:
        before, after = compared(
            judged, depth, value, search.allowance, 2 * budget * len(judged)
        )
    except Spent:  # captures without end: only what is seen at once can be told
        before = after = [_first_sight(play(view, seat, ply), seat) for ply in judged]
        unsure = 1.0
    found: list[Candidate] = []
    for ply, shallow, deep in zip(judged, before, after, strict=True):
        chance = logistic(deep, EVEN)
        lost = logistic(after[0], EVEN) - chance
        earlier = logistic(before[0], EVEN) - logistic(shallow, EVEN)
        found.append(Candidate(ply, 0.0, chance, unsure or 2 * abs(earlier - lost)))
    found.sort(key=lambda each: -each.chance)
    return Evaluation(tuple(found), search.allowance.taken)


def reason(view: State, seat: Seat, best: Ply, made: Ply) -> Said | None:
    """Return whether a hexad was missed, or left to be taken, in Hexagrams."""
    other = 1 - seat

    def hexads(state: State, of: int) -> int:
        return state.hexads[of].bit_count()

    def least(move: Ply) -> int:
        """Return how many hexads are left after the worst answer to a move."""
        after = play(view, seat, move)
        if after.turn != other:
            return hexads(after, seat)
        replies = moves(after, other)
        left = (hexads(play(after, other, each), seat) for each in replies)
        return min(left, default=hexads(after, seat))

    taken = hexads(play(view, seat, best), other)
    if taken < hexads(play(view, seat, made), other):
        return Says.WHY_HEXAD_MISSED()
    return Says.WHY_HEXAD_LEFT() if least(made) < least(best) else None


GLANCE: Final = 400
"""Positions for a first look."""

ABILITIES: Final = Abilities(
    timed=True, evaluate=evaluate, work=WORK, glance=GLANCE, reason=reason
)


def _first_sight(after: State, seat: Seat) -> int:
    """Return what a position after a seat's move is worth to it at first sight."""
    return ended(after, seat) if after.turn == OVER else promise(after, seat)
