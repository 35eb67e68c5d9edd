"""How often stretches of own seats are written: so that the slowest line keeps up.

Theory of operation.  A stretch has arrived when the log has it and everybody who is
here has acknowledged it.  No more than a few of a seat are to be on their way at a
time: where that takes long, because a line is far away or full, there is a longer gap
before the next, and less to carry.  Nothing is lost by that: time and inputs that have
passed meanwhile are in the next stretch.  Whoever acknowledges nothing at all for a
while has stalled, and is waited for no more: it holds up no well but its own.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

UNDER_WAY: Final = 3
"""Stretches of a seat that may be on their way: four wells over 128 kbit/s and 200 ms,
one packet in twenty lost, take 98 kbit/s so and are a second and a half behind.  With
four the line is full, with two the wells are seen to move in leaps."""

GAP_MOST_SECONDS: Final = 1.0
"""Between two stretches at the worst line: it gets what it can, and the others are not
kept from seeing wells move."""

STALLED_SECONDS: Final = 2.5
"""A dozen acknowledgements in a row are missing: a slow line has them late, not never.

With less a line of 128 kbit/s is taken for a stalled node, and falls behind."""


class _Stretch(NamedTuple):
    """One that is on its way."""

    seat: int
    until: int
    """Ticks of its seat's clock."""
    at: float
    """When it was written."""


class Pace:
    """The gap between two stretches of a seat, as its lines are at present."""

    def __init__(self, there: Callable[[], Mapping[bytes, int]]) -> None:
        """Begin with the fastest.

        Args:
            there: Returns how many entries each of the others has who is here.
        """
        self._there: Final = there
        self._heard: dict[bytes, tuple[int, float]] = {}
        """What each had when it last had more, and when that was."""
        self._on_way: Final = deque[_Stretch]()
        self._entered: Final = deque[tuple[int, float]]()
        """Entries of stretches that the log has, and when those were written."""
        self._took = 0.0
        """Seconds that the last took to arrive."""

    def written(self, seat: int, until: int, now: float) -> None:
        """Note that a stretch is on its way."""
        self._on_way.append(_Stretch(seat, until, now))

    def look(self, ticks: Sequence[int], number: int, now: float) -> None:
        """Note what has arrived.

        Args:
            ticks: Of each seat's clock, by the log.
            number: Entries in it.
            now: Seconds.
        """
        while self._on_way and ticks[self._on_way[0].seat] >= self._on_way[0].until:
            self._entered.append((number, self._on_way.popleft().at))
        if self._entered:
            everywhere = self._everywhere(number, now)
            while self._entered and self._entered[0][0] <= everywhere:
                self._took = now - self._entered.popleft()[1]

    def _everywhere(self, number: int, now: float) -> int:
        """Return how many entries all have who have not stalled."""
        there, before = self._there(), self._heard
        self._heard = {
            key: before[key] if key in before and before[key][0] == has else (has, now)
            for key, has in there.items()
        }
        late = now - STALLED_SECONDS
        return min(
            (has for has, at in self._heard.values() if at > late), default=number
        )

    def forget(self) -> None:
        """Begin again: what was written is not entered, or the log is another."""
        self._on_way.clear()
        self._entered.clear()

    def gap(self, now: float) -> float:
        """Return the seconds that are to pass between two stretches of a seat."""
        first = self._entered[0][1] if self._entered else now
        if self._on_way:
            first = min(first, self._on_way[0].at)
        return min(max(self._took, now - first) / UNDER_WAY, GAP_MOST_SECONDS)
