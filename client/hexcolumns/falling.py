"""What is seen of a drop and of a well that overflows, from the time alone."""

from math import sin
from typing import Final, TypeAlias

from msgspec import Struct

from rules.hexcolumns import Well, depth, index

TRAIL_SECONDS: Final = 0.25
"""How long the way of a dropped piece is seen."""

SHAKE_SECONDS: Final = 0.5

SWINGS: Final = 55.0
"""Of a shake, in radians a second."""


class Trail(Struct, frozen=True):
    """The way that a piece was dropped."""

    column: int
    low: int
    """The lowest height that it has passed."""
    high: int
    since: float

    def part(self, now: float) -> float:
        """Return how much of it is still to be seen, from 1 to 0."""
        return max(0.0, 1 - (now - self.since) / TRAIL_SECONDS)


Way: TypeAlias = tuple[Trail, float]
"""The way of a dropped piece, and how much of it is still to be seen."""


def trail(size: int, well: Well, now: float) -> Trail | None:
    """Return the way that a well's piece takes when it is dropped; None for none."""
    if not well.piece or well.over:
        return None
    deep = depth(size, well.column)
    start = index(size, well.column, 0)
    low = well.cells[start : start + deep].find(0) + len(well.piece)
    high = min(deep - 1, well.height + len(well.piece) - 1)
    return Trail(well.column, low, high, now) if low <= high else None


def overflowed(well: Well) -> bool:
    """Tell whether a well is over because nothing fits in any more."""
    return well.over and not well.resigned


def sway(since: float, now: float, most: int) -> int:
    """Return by how many pixels a well that has overflowed is off its place.

    Args:
        since: When it did; below 0 for never.
        now: Seconds.
        most: Pixels at first.
    """
    if since < 0 or not since <= now < since + SHAKE_SECONDS:
        return 0
    return round(
        most * (1 - (now - since) / SHAKE_SECONDS) * sin((now - since) * SWINGS)
    )
