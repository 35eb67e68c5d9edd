"""Whether all persons are there when a match begins in which time runs.

A host asks them once it wants to begin, and counts down when all have said so within
the last minute. Nobody loses a game that began while they looked elsewhere.
"""

from collections.abc import Iterable
from typing import Final

from netplay.messages.table import Terms
from netplay.wire import unpack
from rules import GAMES

SAID_SECONDS: Final = 60.0
"""For which it holds that somebody has said to be there."""


def time_runs(terms: Terms) -> bool:
    """Tell whether time runs in a match on such terms: in real time, or by clocks.

    Where a turn has days nobody need be there.
    """
    game = GAMES.get(terms.game)
    if game is None or terms.days:
        return False
    about = game.ABOUT
    if about.hz or about.clocked is None:
        return bool(about.hz)
    options, clocked = unpack(terms.options, about.options), about.clocked
    return bool(clocked.turn_minutes(options) or clocked.match_minutes(options))


class Readiness:
    """Who has said to be there, at the host of a table."""

    def __init__(self) -> None:
        """Begin: nobody has."""
        self._said: Final[dict[bytes, tuple[int, float]]] = {}
        """Guest -> the revision of the terms, and when it was said."""
        self._wanted: tuple[int, float] | None = None
        """The revision that the host wants to play, and since when."""
        self._count = 0
        self._begins: float | None = None

    def hear(self, key: bytes, revision: int, now: float) -> None:
        """Note that a guest's player is there."""
        self._said[key] = revision, now

    def forget(self, key: bytes) -> None:
        """Note that a guest is away: nothing begins without it."""
        self._said.pop(key, None)
        self._begins = None

    def lacking(
        self, guests: Iterable[bytes], revision: int, now: float
    ) -> list[bytes]:
        """Return the guests who have not said so of these terms in the last minute."""
        since = now - SAID_SECONDS

        def holds(key: bytes) -> bool:
            of, at = self._said.get(key, (-1, since))
            return of == revision and at > since

        return [key for key in guests if not holds(key)]

    def want(self, revision: int, count: int, now: float) -> None:
        """Note that the host's player wants to begin, and is there.

        Args:
            revision: Of the terms.
            count: Seconds to count down once all are there.
            now: When that is.
        """
        # Who says it again while it counts does not put the beginning off.
        if self._wanted is None or self._wanted[0] != revision:
            self._begins = None
        self._wanted, self._count = (revision, now), count

    def wanted(self, revision: int, now: float) -> bool:
        """Tell whether the host has said lately that it wants to begin these terms."""
        return (
            self._wanted is not None
            and self._wanted[0] == revision
            and now - self._wanted[1] < SAID_SECONDS
        )

    def go(self, now: float) -> int:
        """Begin to count down, as all are there; return how many seconds are left."""
        if self._begins is None:
            self._begins = now + self._count
        return self._count

    def due(self) -> float | None:
        """Return when the match begins, None while nothing is counted."""
        return self._begins

    def stop(self, revision: int) -> None:
        """Count no more where the terms are others than those that were wanted."""
        if self._wanted is not None and self._wanted[0] != revision:
            self._wanted = self._begins = None


def left(begins: float | None, now: float) -> int:
    """Return the whole seconds until a match begins, 0 where nothing is counted."""
    return 0 if begins is None else max(1, int(begins - now + 0.999))


def next_second(begins: float, now: float) -> float:
    """Return when another second of a countdown is over."""
    return min(begins, begins - max(0, left(begins, now) - 1))
