"""A computer player for Hexagrams in three levels: Easy, Medium and Hard.

Easy (skill up to 33) looks at its own move only, and slips now and then.  Medium (up
to 66) and Hard search, Hard much deeper.

The search is alpha-beta, with a table and a longer look at forced captures.
"""

import time  # noqa: TID251 (a player's budget; the clock is an argument)
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from netplay.players import Abilities, Rng
from netplay.players.deepening import (
    CLEAR,
    EASY,
    SECONDS,
    SHARE,
    Allowance,
    Blur,
    Spent,
    compared,
    deepen,
    doubts,
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
HEXAD: Final = 60
WAY: Final = 6
"""For each way a hexad can go; a side may lose when there is none left."""

TRIAD: Final = 10
AHEAD: Final = 1
"""For each row a triad still has before it: moves to make while waiting."""

_ROWS: Final = tuple(
    sum(1 << cell for cell, (row, _) in TRIANGLES.items() if row == t)
    for t in range(1, 9)
)


def promise(state: State, seat: Seat) -> int:
    """Return how far a seat seems to be ahead while the match goes on."""
    standing = state.triads[0] | state.triads[1]
    return _side(state, seat, standing) - _side(state, 1 - seat, standing)


def _side(state: State, seat: Seat, standing: int) -> int:
    """Return what a side has: stones, ways for its hexads, rows before its triads."""
    hexads, triads = state.hexads[seat], state.triads[seat]
    ways = 0
    for origin in bits(hexads):
        for target, between in WAYS[origin]:
            if not (between & standing or hexads >> target & 1):
                ways += 1
    ahead = 0
    for number, row in enumerate(_ROWS if seat else reversed(_ROWS)):
        ahead += number * (triads & row).bit_count()
    return (
        HEXAD * hexads.bit_count()
        + WAY * ways
        + TRIAD * triads.bit_count()
        + AHEAD * ahead
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

    def __init__(self, most: int, late: Callable[[], bool], blur: Blur = CLEAR) -> None:
        """Prepare.

        Args:
            most: How many positions may be looked at.
            late: Says whether time is up.
            blur: By how much positions are misjudged.
        """
        self._blur: Final = blur
        self.allowance = Allowance(most, late)
        self._table: dict[Key, Found] = {}
        self._refuted: tuple[dict[Ply, int], ...] = ({}, {})
        """Of each seat, moves that were better than the other side would allow: what
        was good in one position is tried first in others."""
        self._path: set[Key] = set()
        self._deeper = True
        """Whether what was found by a deeper look than asked for will do."""

    def run(self, state: State, likely: Iterable[Ply]) -> tuple[Ply, int]:
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
        self.allowance.take()
        if state.turn == OVER:
            return ended(state, seat, depth)
        key = _key(state)
        if key in self._path:
            return 0
        if (
            depth <= 0
            and not forward(seat, state.triads[seat]) & state.triads[1 - seat]
        ):
            return promise(state, seat) + self._blur.of(key)
        known = self._table.get(key)
        if known and self._serves(known, depth) and _settles(known, alpha, beta):
            return known.value
        self._path.add(key)
        try:
            found = self._look(state, depth, alpha, beta, known)
        finally:
            self._path.remove(key)
        self._table[key] = found
        return found.value

    def _serves(self, known: Found, depth: int) -> bool:
        """Tell whether what is known was found by a look as deep as is asked for."""
        return known.depth == depth or (self._deeper and known.depth > depth)

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
        for ply in plies:
            after = play(state, seat, ply)
            # Of all but the first it is asked whether they are better, which costs
            # less, and only of those that are, by how much.
            most = beta if ply is plies[0] else floor + 1
            worth = -self._value(after, 1 - seat, depth - 1, -most, -floor)
            if most <= worth < beta:
                worth = -self._value(after, 1 - seat, depth - 1, -beta, -floor)
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


POSITIONS: Final = 100, 64_000
"""At the low end of Medium, and at most: see `deepening.positions`."""

BLURRED: Final = 120
"""By how much Medium misjudges positions at its low end; a hexad is 60."""

WORK: Final = 80_000
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
    most, blur = positions(skill, *POSITIONS), Blur(skill, BLURRED, rng.random())
    return Search(most, lambda: clock() >= end, blur).run(view, plies)[0]


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

    before = list[int]()
    try:
        before, after = compared(
            judged, depth, value, search.allowance, 2 * budget * len(judged)
        )
    except Spent:  # captures without end: only what is seen at once can be told
        after = [_first_sight(play(view, seat, ply), seat) for ply in judged]
    # Who has seen the end doubts it no more for not having seen it before.
    before = [
        late if abs(late) >= WIN else early
        for early, late in zip(before, after, strict=False)
    ]
    early, late = ([logistic(each, EVEN) for each in seen] for seen in (before, after))
    found = [
        Candidate(ply, 0.0, chance, doubt)
        for ply, chance, doubt in zip(judged, late, doubts(early, late), strict=True)
    ]
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


GLANCE: Final = 400
"""Positions for a first look."""

ABILITIES: Final = Abilities(
    talents=(0, 56, 62, 68, 76, 87, 100),
    timed=True,
    evaluate=evaluate,
    work=WORK,
    glance=GLANCE,
    reason=reason,
)


def _first_sight(after: State, seat: Seat) -> int:
    """Return what a position after a seat's move is worth to it at first sight."""
    return ended(after, seat) if after.turn == OVER else promise(after, seat)
