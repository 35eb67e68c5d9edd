"""Search deeper and deeper until what a move may cost is used up."""

import gc
import math
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar

T = TypeVar("T")

CLOCK_EVERY: Final = 64
"""Positions between two looks at the clock, a millisecond or two."""

EASY: Final = 33
"""The highest skill that plays Easy."""

MEDIUM: Final = 66
"""The highest skill that plays Medium."""

SECONDS: Final = 1.2
"""What a move may take; a player is promised an answer within two seconds."""

SHARE: Final = 0.9
"""Of the seconds a move may take: a busy machine makes up the rest."""


def positions(skill: int, least: int, most: int) -> int:
    """Return how many positions a skill above Easy may look at.

    The number doubles every eight points of skill up to Medium, and then grows evenly.

    Args:
        skill: From 0 to 100.
        least: How many they are at the low end of Medium.
        most: How many the highest skill looks at.
    """
    known = least * math.pow(2.0, (min(skill, MEDIUM) - EASY - 1) / 8)
    if skill > MEDIUM:
        known *= math.pow(most / known, (skill - MEDIUM) / (100 - MEDIUM))
    return round(known)


class Blur:
    """Misjudges positions: by the same at each look of one thought."""

    def __init__(self, most: int, lot: float) -> None:
        """Begin.

        Args:
            most: By how much it misjudges at most.
            lot: From 0 to 1; another lot misjudges otherwise.
        """
        self._most: Final = most
        self._salt: Final = int(lot * 2**32)

    def of(self, position: tuple[object, ...]) -> int:
        """Return by how much a position, of numbers alone, is misjudged."""
        if not self._most:
            return 0
        mixed = hash((self._salt, position)) * 0x9E3779B97F4A7C15 >> 20
        return mixed % (2 * self._most + 1) - self._most


CLEAR: Final = Blur(0, 0.0)
"""Of who misjudges nothing."""


class Spent(Exception):  # noqa: N818 (not an error: the search has had its share)
    """The positions or the seconds allowed are used up."""


class Allowance:
    """How many positions a search may look at, and until when."""

    def __init__(self, most: int, late: Callable[[], bool]) -> None:
        """Begin with all of it.

        Args:
            most: Positions.
            late: Says whether time is up.
        """
        self._left = most
        self._late = late
        self.taken = 0
        """Positions looked at."""

    def extend(self, more: int) -> None:
        """Allow more positions."""
        self._left = max(0, self._left) + more

    def spend(self) -> None:
        """Look at a position.

        Raises:
            Spent: It may not be looked at any more.
        """
        self._left -= 1
        self.taken += 1
        if self._left < 0 or (self._left % CLOCK_EVERY == 0 and self._late()):
            raise Spent


def deepen(
    choices: Sequence[T],
    look: Callable[[Sequence[T], int], tuple[T, bool]],
    deepest: int,
) -> tuple[T, int]:
    """Return the best choice found, and the depth that was searched to the end.

    Args:
        choices: At least one, the likeliest first.
        look: Given the choices, the best so far first, and a depth: returns the best
            at that depth, and whether a deeper look is of no use.  May raise `Spent`.
        deepest: Where to stop in any case.
    """
    sorted_choices = list(choices)
    reached, settled = 0, False
    while reached < deepest and not settled:
        try:
            best, settled = look(sorted_choices, reached + 1)
        except Spent:
            break
        reached += 1
        sorted_choices.remove(best)
        sorted_choices.insert(0, best)
    return sorted_choices[0], reached


def compared(
    choices: Sequence[T],
    depth: int,
    value: Callable[[T, int], int],
    allowance: Allowance,
    budget: int,
) -> tuple[list[int], list[int]]:
    """Return what choices are worth at the greatest depth that can be paid for.

    Args:
        choices: Those to compare.
        depth: The depth to begin with.
        value: Returns what a choice is worth at a depth; may raise `Spent`.
        allowance: Of the search.
        budget: Positions for each depth that is tried.

    Returns:
        What each is worth a ply less deep, and at that depth; the former is empty
        where only one depth could be paid for.

    Raises:
        Spent: Not even a single ply could be paid for.
    """
    deeper: list[int] = []
    begin = depth if depth > 1 else depth + 1  # of one depth alone nobody is sure
    for deep in range(begin, 0, -1):
        allowance.extend(budget)
        try:
            found = [value(choice, deep) for choice in choices]
        except Spent:
            continue
        if deeper:
            return found, deeper
        deeper = found
    if not deeper:
        raise Spent
    return [], deeper


def doubts(before: Sequence[float], after: Sequence[float]) -> list[float]:
    """Return how far off it may be what each choice loses beside the first.

    As far as two depths disagree, nobody knows.

    Args:
        before: Chances to win, seen a ply less deep; empty if nobody looked.
        after: The same at the greater depth.
    """
    if not before:
        return [1.0] * len(after)
    best = after[0] - before[0]
    return [
        2 * abs(best - (late - early))
        for early, late in zip(before, after, strict=True)
    ]


def chances(
    before: Sequence[int],
    after: Sequence[int],
    chance: Callable[[int], float],
    sure: Callable[[int], bool],
) -> list[tuple[float, float]]:
    """Return each choice's chance to win, and how far off what it loses may be.

    Args:
        before: Values a ply less deep; empty if nobody looked.
        after: Those at the greater depth, the best choice first.
        chance: Returns what a value means.
        sure: Tells whether a value is that of an end which was seen: who has seen it
            doubts it no more for not having seen it before.
    """
    known = [
        late if sure(late) else early
        for early, late in zip(before, after, strict=bool(before))
    ]
    earlier, now = ([chance(value) for value in seen] for seen in (known, after))
    return list(zip(now, doubts(earlier, now), strict=True))


# A thought without the search for circles among its objects.


@contextmanager
def gc_paused() -> Generator[None]:
    """Put the search off until the end.

    A thought holds up to a million small objects.  To go through them all takes a
    tenth of a second, now and then, in vain: hardly any are in a circle, and the
    others go when nobody needs them.  What is left over is found afterwards.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
