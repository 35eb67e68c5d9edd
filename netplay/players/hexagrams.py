"""A computer player for Hexagrams in three levels: Easy, Medium and Hard.

Easy (skill up to 33) looks at its own move only, and slips now and then.  Medium (up
to 66) and Hard search, Hard much deeper; from Expert on they also see more.

The search is alpha-beta, with a table and a longer look at forced captures.
"""

import time  # noqa: TID251 (a player's budget; the clock is an argument)
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial, reduce
from operator import or_
from typing import Final, NamedTuple, TypeAlias

from netplay.players import Abilities, Rng
from netplay.players.deepening import (
    CLEAR,
    EASY,
    MEDIUM,
    SECONDS,
    SHARE,
    Allowance,
    Blur,
    Spent,
    chances,
    compared,
    deepen,
    positions,
)
from netplay.players.evaluating import Candidate, Evaluation, logistic
from netplay.said import Said
from netplay.sentences import Says
from rules.game import Seat
from rules.hexagrams import (
    NOBODY,
    OVER,
    TRIANGLES,
    Hexad,
    State,
    Triad,
    bits,
    moves,
    play,
)
from rules.hexagrams.board import WAYS, forward

# What a position of Hexagrams promises each side, without looking ahead.


WIN: Final = 1_000_000


class Sight(NamedTuple):
    """What a player sees in a position at which it looks no further."""

    hexad: int = 60
    way: int = 6
    """For each way a hexad can go; a side may lose when there is none left."""

    triad: int = 10
    ahead: int = 1
    """For each row a triad still has before it: moves to make while waiting."""

    step: int = 0
    """For each empty triangle that a triad can go to at once."""

    gone: int = 0
    """For a triad in the last row: it moves no more, and only stands in the way."""

    turn: int = 0
    """For being on turn."""

    taking: bool = False
    """Whether hexads that can be taken are taken first: else the last move of a line
    would seem to win one that is lost again, or to leave one that is safe."""

    most: int = 64_000
    """At how many positions the highest skill looks."""


PLAIN: Final = Sight()
BETTER: Final = Sight(step=2, most=16_000)
BEST: Final = Sight(way=8, triad=20, step=10, gone=-20, turn=9, taking=True)
"""Of who judges, too.  Fitted to 500 games of computer players, and then to which of
two sets wins."""

EXPERT: Final = 77
"""The lowest skill of who sees better than plainly."""

MASTER: Final = 93
"""The lowest skill of who sees best."""


def sight(skill: int) -> Sight:
    """Return what a player of a skill sees.

    Each level is to win some seven of ten games against the one below.  More thought
    alone would not do for those who see best: Black, on turn second, wins most games
    between two of them, whoever thinks more.
    """
    if skill < EXPERT:
        return PLAIN
    return BETTER if skill < MASTER else BEST


_BETWEEN: Final = tuple(
    reduce(or_, (between for _target, between in ways), 0) for ways in WAYS
)
"""The triangles that a hexad passes, by where it stands."""

_ROWS: Final = tuple(
    sum(1 << cell for cell, (row, _) in TRIANGLES.items() if row == t)
    for t in range(1, 9)
)


def promise(state: State, seat: Seat, seen: Sight = BEST) -> int:
    """Return how far a seat seems to be ahead while the match goes on."""
    standing = state.triads[0] | state.triads[1]
    turn = seen.turn if state.turn == seat else -seen.turn
    own, other = (_side(state, each, standing, seen) for each in (seat, 1 - seat))
    return turn + own - other


def _side(state: State, seat: Seat, standing: int, seen: Sight) -> int:
    """Return what a side has: stones, ways for its hexads, rows before its triads."""
    hexads, triads = state.hexads[seat], state.triads[seat]
    return (
        seen.hexad * hexads.bit_count()
        + seen.way * _ways(hexads, standing)
        + seen.step * (forward(seat, triads) & ~standing).bit_count()
        + _marched(seat, triads, seen)
    )


# Looked up rather than counted: the same few stones stand in most of the positions that
# a search comes to, and counting them took half of its time.


@lru_cache(1 << 14)
def _marched(seat: Seat, triads: int, seen: Sight) -> int:
    """Return what the triads of a side are worth, wherever the other stones are."""
    ahead = 0
    for number, row in enumerate(_ROWS if seat else reversed(_ROWS)):
        ahead += number * (triads & row).bit_count()
    gone = (triads & _ROWS[0 if seat else -1]).bit_count()
    return seen.triad * triads.bit_count() + seen.gone * gone + seen.ahead * ahead


@lru_cache(1 << 16)
def _ways(hexads: int, standing: int) -> int:
    """Return how many moves the hexads of a side have."""
    return sum(
        (_reach(origin, standing & _BETWEEN[origin]) & ~hexads).bit_count()
        for origin in bits(hexads)
    )


@lru_cache(1 << 14)
def _reach(origin: int, standing: int) -> int:
    """Return the set of hexagons that a hexad comes to past the triads beside it."""
    return sum(
        1 << target for target, between in WAYS[origin] if not between & standing
    )


def ended(state: State, seat: Seat, sooner: int = 0) -> int:
    """Return what the end of a match is worth to a seat.

    Args:
        state: A position in which nobody moves any more.
        seat: Whose gain it is.
        sooner: The greater, the earlier; so that a win is not put off for ever.
    """
    if state.winner == NOBODY:
        return 0
    return WIN + sooner if state.winner == seat else -WIN - sooner


Ply: TypeAlias = Triad | Hexad
Key: TypeAlias = tuple[int, tuple[int, int], tuple[int, int]]

DEEPEST: Final = 60
"""Plies beyond which no search is begun: so long a rest is quiet enough to count."""

INFINITE: Final = 2 * WIN


TAKING: Final = 8
"""Plies beyond the last one in which hexads are still taken."""

PLENTY: Final = 600
"""Who is so far ahead wins; it does not matter any more by how much."""


class Found(NamedTuple):
    """What a search has found out about a position."""

    depth: int
    value: int
    bound: int
    """0 if it is worth just `value`, 1 if at least that, -1 if at most."""

    best: Ply


class Search:
    """One search for the best move."""

    def __init__(
        self,
        most: int,
        late: Callable[[], bool],
        blur: Blur = CLEAR,
        seen: Sight = BEST,
    ) -> None:
        """Prepare.

        Args:
            most: How many positions may be looked at.
            late: Says whether time is up.
            blur: By how much positions are misjudged.
            seen: What is seen at the end of a line.
        """
        self._blur: Final = blur
        self._seen: Final = seen
        self.allowance = Allowance(most, late)
        self._table: dict[Key, Found] = {}
        self._refuted: tuple[dict[Ply, int], ...] = ({}, {})
        """Of each seat, moves that were better than the other side would allow: what
        was good in one position is tried first in others."""
        self._path: set[Key] = set()
        self._deeper = True
        """Whether what was found by a deeper look than asked for will do."""

    def best(self, state: State, likely: Iterable[Ply]) -> tuple[Ply, int]:
        """Return the best of some moves, and the depth searched to the end.

        Args:
            state: The position.
            likely: The moves of the seat on turn, the likeliest first.
        """
        self._path.add(_key(state))
        return deepen(list(likely), partial(self._root, state), DEEPEST)

    def value(self, state: State, ply: Ply, depth: int) -> int:
        """Return what a move is worth to who makes it, looking so many plies ahead.

        Raises:
            Spent: It would cost more than is allowed.
        """
        self._deeper = False  # or two depths would agree on what only one has found
        after = play(state, state.turn, ply)
        return -self._value(after, 1 - state.turn, depth - 1, -PLENTY, PLENTY)

    def _root(self, state: State, plies: Iterable[Ply], depth: int) -> tuple[Ply, bool]:
        """Return the best move at a depth, and whether it wins or loses for sure."""
        found: list[tuple[int, Ply]] = []
        alpha = -INFINITE
        for ply in plies:
            after = play(state, state.turn, ply)
            value = -self._value(after, 1 - state.turn, depth - 1, -INFINITE, -alpha)
            if value > alpha:
                alpha = value
                found.append((value, ply))
        value, best = found[-1]
        return best, abs(value) >= WIN

    def _value(
        self, state: State, seat: Seat, depth: int, alpha: int, beta: int
    ) -> int:
        """Return what a position is worth to the seat that is, or would be, on turn."""
        self.allowance.spend()
        if state.turn == OVER:
            return ended(state, seat, depth)
        key = _key(state)
        if key in self._path:
            return 0
        if (
            depth <= 0
            and not forward(seat, state.triads[seat]) & state.triads[1 - seat]
        ):
            return self._quiet(state, seat, depth, alpha, beta)
        known = self._table.get(key)
        if (
            known
            and (known.depth == depth or (self._deeper and known.depth > depth))
            and _settles(known, alpha, beta)
        ):
            return known.value
        self._path.add(key)
        try:
            found = self._look(state, depth, alpha, beta, known)
        finally:
            self._path.remove(key)
        self._table[key] = found
        return found.value

    def _quiet(
        self, state: State, seat: Seat, depth: int, alpha: int, beta: int
    ) -> int:
        """Return what a position at the end of a line is worth."""
        value = promise(state, seat, self._seen) + self._blur.of(_key(state))
        if not self._seen.taking or value >= beta or depth < -TAKING:
            return value
        taken, standing = state.hexads[1 - seat], state.triads[0] | state.triads[1]
        for origin in bits(state.hexads[seat]):
            reached = _reach(origin, standing & _BETWEEN[origin])
            for target in bits(reached & taken):
                alpha = max(alpha, value)
                after = play(state, seat, Hexad(origin, target))
                worth = -self._value(after, 1 - seat, depth - 1, -beta, -alpha)
                value = max(value, worth)
                if value >= beta:
                    return value
        return value

    def _look(
        self, state: State, depth: int, alpha: int, beta: int, known: Found | None
    ) -> Found:
        """Return what looking at every move of a position tells about it."""
        seat, plies = state.turn, list(moves(state, state.turn))
        refuted = self._refuted[seat]
        plies.sort(key=lambda ply: -refuted.get(ply, 0))
        if known:
            plies.remove(known.best)
            plies.insert(0, known.best)
        value, best, floor = -INFINITE, plies[0], alpha
        # Captures that must be made at the end of a line cost no depth, or the same
        # position would be looked through once for each number of them before it.
        left = depth if depth <= 0 and self._seen.taking else depth - 1
        for ply in plies:
            after = play(state, seat, ply)
            # Of all but the first it is asked whether they are better, which costs
            # less, and only of those that are, by how much.
            most = beta if ply is plies[0] else floor + 1
            worth = -self._value(after, 1 - seat, left, -most, -floor)
            if most <= worth < beta:
                worth = -self._value(after, 1 - seat, left, -beta, -floor)
            if worth > value:
                value, best = worth, ply
                floor = max(floor, worth)
                if floor >= beta:
                    refuted[ply] = refuted.get(ply, 0) + max(1, depth) ** 2
                    return Found(depth, value, 1, best)
        return Found(depth, value, 0 if value > alpha else -1, best)


def _settles(known: Found, alpha: int, beta: int) -> bool:
    if known.bound == 0:
        return True
    return known.value >= beta if known.bound > 0 else known.value <= alpha


def _key(state: State) -> Key:
    """Return all that a position is; how long it has been quiet is left out."""
    return state.turn, state.hexads, state.triads


LEAST: Final = 100
"""Positions at the low end of Medium: see `deepening.positions`."""

BLURRED: Final = 120
"""By how much Medium misjudges positions at its low end; a hexad is 60."""

WORK: Final = 80_000
"""Positions for a turn in a review: some half a second."""

EVEN: Final = 50.0
"""What a position must promise for 73 % of the games to be won; fitted to 300 games of
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
    plies, seen = list(moves(view, seat)), sight(skill)
    rng.shuffle(plies)
    plies = _ranked(view, seat, plies, seen)
    if skill <= EASY:
        slips = rng.random() * 100 < 50 - skill
        return rng.choice(plies[:3]) if slips else plies[0]
    most = positions(skill, LEAST, seen.most)
    # Less and less, and above Medium nothing.
    blurred = BLURRED * max(0, MEDIUM + 1 - skill) // (MEDIUM - EASY)
    blur = Blur(blurred, rng.random())
    search = Search(most, lambda: clock() >= end, blur, seen)
    return search.best(view, plies)[0] if len(plies) > 1 else plies[0]


def evaluate(
    view: State, seat: Seat, budget: int, rng: Rng, also: Sequence[Ply] = ()
) -> Evaluation:
    """Return what the best move is worth, and others; see `evaluating`."""
    plies = _ranked(view, seat, moves(view, seat))
    search = Search(budget, lambda: False)
    best, depth = search.best(view, plies)
    judged = [best, *[ply for ply in also if ply in plies and ply != best]]

    def value(ply: Ply, deep: int) -> int:
        return search.value(view, ply, deep)

    before = list[int]()
    try:
        before, after = compared(
            judged, depth, value, search.allowance, 2 * budget * len(judged)
        )
    except Spent:  # captures without end: only what is seen at once can be told
        after = [_first_sight(play(view, seat, ply), seat) for ply in judged]
    told = chances(
        before, after, lambda worth: logistic(worth, EVEN), lambda w: abs(w) >= WIN
    )
    found = [Candidate(ply, 0.0, *each) for ply, each in zip(judged, told, strict=True)]
    found.sort(key=lambda each: -each.chance)
    return Evaluation(tuple(found), search.allowance.taken)


def reason(view: State, seat: Seat, best: Ply, made: Ply) -> Said | None:
    """Return whether a hexad was missed, or left to be taken, in Hexagrams."""
    other = 1 - seat

    def hexads(state: State, of: int) -> int:
        return state.hexads[of].bit_count()

    def ahead(state: State) -> int:
        return hexads(state, seat) - hexads(state, other)

    def least(move: Ply) -> int:
        """Return how many hexads one is ahead after the worst answer to a move.

        A hexad that is lost for another was traded, and not left to be taken.
        """
        after = play(view, seat, move)
        if after.turn != other:
            return ahead(after)
        replies = (ahead(play(after, other, each)) for each in moves(after, other))
        return min(replies, default=ahead(after))

    taken = hexads(play(view, seat, best), other)
    if taken < hexads(play(view, seat, made), other):
        return Says.WHY_HEXAD_MISSED()
    return Says.WHY_HEXAD_LEFT() if least(made) < least(best) else None


def later(view: State, seat: Seat, best: Ply, made: Ply) -> Said | None:
    """Return whether a move costs a hexad, ways to go or triads a few moves on."""

    def end(move: Ply) -> State:
        """Return the position a few strong moves on, no capture of which is owed."""
        after = play(view, seat, move)
        for number in range(FOLLOWED + TAKING):
            if after.turn == OVER:
                break
            turn, stones = after.turn, after.triads
            owed = forward(turn, stones[turn]) & stones[1 - turn]
            if number >= FOLLOWED and not owed:
                break
            plies = _ranked(after, turn, moves(after, turn))
            ply, _value = Search(FOLLOWING, lambda: False).best(after, plies)
            after = play(after, turn, ply)
        return after

    def ahead(stones: tuple[int, int]) -> int:
        return stones[seat].bit_count() - stones[1 - seat].bit_count()

    own, good = end(made), end(best)
    if OVER in {own.turn, good.turn}:
        return None
    hexads = ahead(good.hexads) - ahead(own.hexads)
    if hexads > 0:
        return Says.WHY_HEXAD_COST()
    fewer, more = (
        _ways(one.hexads[of], one.triads[0] | one.triads[1])
        - _ways(two.hexads[of], two.triads[0] | two.triads[1])
        for one, two, of in ((good, own, seat), (own, good, 1 - seat))
    )
    if max(fewer, more) >= FREER:
        if fewer >= more:
            return Says.WHY_WAYS_COST(count=fewer)
        return Says.WHY_WAYS_LEFT(count=more)
    triads = ahead(good.triads) - ahead(own.triads)
    return Says.WHY_TRIADS_COST(count=triads) if hexads == 0 < triads else None


FREER: Final = 2
"""Ways more or less for the hexads of a side that a mistake is told of by."""

FOLLOWED: Final = 6
"""Moves after a mistake that are looked at for what it costs."""

FOLLOWING: Final = 3_000
"""Positions for each of them."""

GLANCE: Final = 400
"""Positions for a first look."""

ABILITIES: Final = Abilities(
    talents=(0, 56, 62, 68, 76, 77, 100, 100),
    timed=True,
    evaluate=evaluate,
    work=WORK,
    glance=GLANCE,
    reason=reason,
    later=later,
)


def _ranked(
    state: State, seat: Seat, plies: Iterable[Ply], seen: Sight = BEST
) -> list[Ply]:
    """Return moves, the best at first sight before the others."""
    return sorted(
        plies, key=lambda ply: -_first_sight(play(state, seat, ply), seat, seen)
    )


def _first_sight(after: State, seat: Seat, seen: Sight = BEST) -> int:
    """Return what a position after a seat's move is worth to it at first sight."""
    return ended(after, seat) if after.turn == OVER else promise(after, seat, seen)
