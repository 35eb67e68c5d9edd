"""A computer player of Networdz.

At the highest skill it takes what is worth most with the tiles it leaves
(`netplay.players.words.leaves`), an exchange too, looks ahead as far as its time allows
(`rollouts`), and reads the end out once the pool is empty (`ending`).  With less skill
it knows fewer words, overlooks plays and thinks less of what it keeps (`evaluation`).
"""

from collections.abc import Callable, Mapping
from time import perf_counter, process_time  # noqa: TID251 (players think by clocks)
from typing import Final, TypeAlias

from netplay.players import BEST, Abilities, Rng
from netplay.players.networdz import ending, evaluation
from netplay.players.networdz.evaluation import WORK, evaluate, judged
from netplay.players.networdz.seen import Seen
from netplay.players.words.leaves import best_of, best_play
from netplay.players.words.plays import Play
from netplay.players.words.squares import lay_of, words_of
from rules.game import Seat
from rules.networdz import Move, State, accepted

BUDGET: Final = 1.5
"""Seconds for a move."""

LOOKING: Final = 0.9
"""Of its budget, how long a player looks for plays; the rest is for what it makes of
them.  Racks with many blanks alone take so long."""


def prepare(view: State) -> None:
    """Load what a player needs for a match, from any seat's view."""
    words_of(view)


def choose(
    view: State,
    seat: Seat,
    skill: int,
    rng: Rng,
    *,
    budget: float = BUDGET,
    clock: Callable[[], float] = perf_counter,
) -> Move:
    """Return a legal move for a seat whose turn it is.

    Reading out the end takes long, and so does a rack of many tiles and blanks.
    """
    begun = clock()
    answer = evaluation.answer(view, skill, rng)
    if answer is not None:
        return answer
    view = accepted(view)
    free = evaluation.free_move(view, seat, skill)
    if free is not None:
        return free
    seen = Seen(view, seat)

    thought = _Thought(budget, clock, begun)
    if skill == BEST:
        found: Move = judged(seen, thought, rng).candidates[0].move
        return found
    return _move(seen, *evaluation.pick(seen, skill, rng, thought.spent), skill)


class _Thought:
    """What a thought may cost, by a clock."""

    def __init__(self, budget: float, clock: Callable[[], float], begun: float) -> None:
        self._budget: Final = budget * LOOKING
        self._clock: Final = clock
        self._begun: Final = begun

    def late(self, share: float = 1.0) -> bool:
        return self.spent(share)

    def spent(self, share: float = 1.0, steps: int = 0) -> bool:  # noqa: ARG002 (they cost what time they take)
        return self._clock() - self._begun > share * self._budget


def _move(seen: Seen, play: Play | None, worth: float, skill: int) -> Move:
    if play is None or (seen.pool and skill >= evaluation.EXCHANGING):
        discards, kept = evaluation.discards(seen)
        if play is None or (discards and kept > worth):
            return evaluation.passing(seen, discards)
    return lay_of(seen.view, seen.seat, seen.finder, play)


def best(view: State, seat: Seat, rng: Rng) -> Move:
    """Return the play that scores most, without another thought."""
    seen = Seen(view, seat)
    play = best_play(seen.finder)
    if play is None:
        return evaluation.passing(seen, view.tiles.racks[seat][: seen.pool])
    return lay_of(view, seat, seen.finder, play)


def leaves(view: State, seat: Seat, rng: Rng) -> Move:
    """Return the play worth most with what it leaves, the end not read out."""
    seen = Seen(view, seat)
    return _move(seen, *best_of(seen.finder, seen.keep), BEST)


def static(view: State, seat: Seat, rng: Rng) -> Move:
    """Return the play worth most with what it leaves; the end is read out."""
    seen = Seen(view, seat)
    if not seen.last_two:
        return leaves(view, seat, rng)
    play = ending.pick(seen, _Thought(BUDGET, process_time, process_time()).spent)
    return _move(seen, play, 0.0, BEST)


Named: TypeAlias = Callable[[State, Seat, Rng], Move]


def _answering(choose: Named) -> Named:
    """Return a player that answers to the last play before its turn."""
    return lambda view, seat, rng: (
        evaluation.answer(view, BEST, rng) or choose(accepted(view), seat, rng)
    )


NAMED: Final[Mapping[str, Named]] = {
    "best": _answering(best),
    "leaves": _answering(leaves),
    "static": _answering(static),
}
"""Players that are not a skill, for `netplay arena`."""

ABILITIES: Final = Abilities(
    talents=(0, 55, 66, 74, 83, 89, 100, 100),
    prepare=prepare,
    timed=True,
    named=NAMED,
    evaluate=evaluate,
    free=evaluation.free_move,
    even=(40.0, evaluation.VAGUE),
    work=WORK,
)
