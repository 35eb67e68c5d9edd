"""How things are measured: rows, rounds in pairs, and a guard against noise.

A round measures the yardstick and what is ours one after the other, in turn the one
and the other first, so that a machine that slows down slows both.  The median of the
rounds' ratios counts.  A round in which an empty loop took much longer than in the
best one was disturbed by something else, and is left out.
"""

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple, Protocol

from msgspec import Struct

ROUNDS: Final = 7
"""Of each pair."""

ENOUGH: Final = 5
"""Undisturbed rounds that make a figure reliable."""

SLOWED: Final = 1.1
"""A round whose loop took so many times the best one's was disturbed."""

TURNS: Final = 200_000
"""Of the empty loop, some milliseconds."""


AT_MOST: Final = "at most"
"""What a figure is held against that must not be passed: its ratio is at most 1."""

_quick: Final = ContextVar("quick", default=False)


class Row(Struct, frozen=True):
    """One figure and what it is held against."""

    name: str
    value: float
    unit: str
    versus: str = ""
    versus_value: float = 0.0
    ratio: float = 0.0
    """`value` by `versus_value`, the median of rounds; 0 if held against nothing."""


class Bench(Protocol):
    """What a module that measures must define."""

    def rows(self) -> Iterator[Row]:
        """Measure, and yield the rows as they come."""
        ...


class Round(NamedTuple):
    """What a pair of measurements gave, and how quiet it was meanwhile."""

    ours: float
    theirs: float
    spin: float


def amount(usual: int, quick: int) -> int:
    """Return how many of something to measure: fewer if it is to be quick."""
    return quick if _quick.get() else usual


@contextmanager
def quickly() -> Generator[None]:
    """Measure little for as long as the context lasts; the figures are worth little."""
    token = _quick.set(True)
    try:
        yield
    finally:
        _quick.reset(token)


def row(name: str, value: float, unit: str, versus: str, other: float) -> Row:
    """Return a row with its ratio."""
    ratio = _digits(value / other) if other else 0.0
    return Row(name, round(value, 3), unit, versus, round(other, 3), ratio)


def _digits(figure: float) -> float:
    """Return a figure to three digits, however small it is."""
    return float(f"{figure:.3g}")


def plain(name: str, value: float, unit: str) -> Row:
    """Return a row that is held against nothing."""
    return Row(name, round(value, 3), unit)


def paired(
    ours: Callable[[], float], theirs: Callable[[], float], rounds: int = ROUNDS
) -> list[Round]:
    """Return the undisturbed rounds of two measurements, all if too few were."""
    found: list[Round] = []
    for number in range(amount(rounds, 1)):
        calm = spin()
        if number % 2:
            mine = ours()
            yardstick = theirs()
        else:
            yardstick = theirs()
            mine = ours()
        found.append(Round(mine, yardstick, max(calm, spin())))
    best = min(each.spin for each in found)
    good = [each for each in found if each.spin <= best * SLOWED]
    return good if len(good) >= min(ENOUGH, rounds) else found


def ratio_row(name: str, unit: str, versus: str, rounds: Sequence[Round]) -> Row:
    """Return the row of paired rounds: the medians of figures and of ratios."""
    ratios = [each.ours / each.theirs for each in rounds if each.theirs]
    return Row(
        name,
        round(median(each.ours for each in rounds), 3),
        unit,
        versus,
        round(median(each.theirs for each in rounds), 3),
        _digits(median(ratios)) if ratios else 0.0,
    )


def timed(do: Callable[[], object]) -> float:
    """Return the milliseconds by the clock that something takes, once."""
    began = perf_counter()
    do()
    return (perf_counter() - began) * 1000


def usual(do: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the median milliseconds by the clock that something takes."""
    return median(timed(do) for _ in range(amount(rounds, 1)))


def per_second(do: Callable[[], int], seconds: float = 0.5) -> float:
    """Return how many a second of processor time something does.

    Args:
        do: Does some, and returns how many.
        seconds: Of processor time to go on for at least.
    """
    seconds /= amount(1, 20)
    count, began = 0, process_time()
    while (took := process_time() - began) < seconds:
        count += do()
    return count / took


def spin() -> float:
    """Return the milliseconds of an empty loop, which tell how quiet it is."""

    def turn() -> None:
        for _ in range(TURNS):
            pass

    return min(timed(turn) for _ in range(3))


def percentile(sorted_figures: Sequence[float], share: float) -> float:
    """Return the figure below which a share of them lies."""
    return sorted_figures[
        min(len(sorted_figures) - 1, int(len(sorted_figures) * share))
    ]


@contextmanager
def one_core() -> Generator[None]:
    """Keep this process, and those it starts meanwhile, on one core where that goes.

    Two processes on two cores measure how long the machine takes to wake a core; on
    one they measure what the work costs.
    """
    if not hasattr(os, "sched_setaffinity"):  # pragma: no cover (not on this system)
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
