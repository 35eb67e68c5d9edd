"""The time of a match: it runs while everybody on turn is here, and stands otherwise.

The host's is the one in the entries; the others set theirs by it.
"""

from collections.abc import Iterator
from typing import Final

from netplay.match.effects import NOTHING, Effects, Write, to
from netplay.match.members import Members
from netplay.match.witness import Witness
from netplay.messages.log import Clock, MatchTime
from netplay.messages.types import LARGEST
from netplay.record.ledger import Ledger
from netplay.wanted import Outgoing
from netplay.wire import pack


class Timing:
    """The time of one match at one node."""

    def __init__(self, ledger: Ledger, members: Members, witness: Witness) -> None:
        """Stand at the last entry's time."""
        self._witness: Final = witness
        self._ledger: Final = ledger
        self._members: Final = members
        self._base = ledger.log.at
        self._since: float | None = None
        self.running = False
        """Whether time passes: everybody needed is here, and the match is not over."""
        self.news = 0
        """Counts how often the time was set, or began to run or to stand."""

    def told(self, now: float) -> MatchTime:
        """Return the time as others hear it."""
        return MatchTime(self._ledger.log.match, self.at(now))

    @property
    def _told(self) -> bool:
        """Whether the others are to hear of the time from this node."""
        return self._members.hosting and self._ledger.fold.clocks.counting

    def at(self, now: float) -> int:
        """Return the milliseconds of the match; a host may have said the largest."""
        running = 0.0 if self._since is None else now - self._since
        return min(self._base + round(running * 1000), LARGEST)

    def set(self, at: int, now: float) -> None:
        """Set this node's idea of the time by the host's."""
        self._base = at
        if self._since is not None:
            self._since = now

    def tell(self, now: float) -> Effects:
        """Let time run, or stand, as things are."""
        members = self._members
        goes_on = members.complete or not members.paused()
        running = goes_on and not self._ledger.fold.over
        if running is self.running:
            return NOTHING
        self.running = running
        self._base, self._since = self.at(now), now if running else None
        self.news += 1
        keys = tuple(sorted(members.linked))
        return (Outgoing(keys, self.told(now)),) if keys and self._told else NOTHING

    def greet(self, key: bytes, now: float) -> Effects:
        """As host, tell the time to a member that has just come.

        Its log says only when the last entry was made, which may be minutes ago.
        """
        over = self._ledger.fold.over
        return (to(key, self.told(now)),) if self._told and not over else NOTHING

    def on_time(self, key: bytes, told: MatchTime, now: float) -> Effects:
        """Show clocks by the host's time; a bystander hears of it where it watches."""
        members = self._members
        meant = members.watching or key == members.host
        if meant and told.at >= self._ledger.log.at:
            self.set(told.at, now)
            self.news += 1
        return NOTHING

    def ring(self, now: float) -> Effects:
        """As host, move for the clock when somebody's time is up."""
        members, fold = self._members, self._ledger.fold
        if self._since is None or not members.hosting or not members.quorate:
            return NOTHING
        up = [move for move, at in self._due() if at <= self.at(now)]
        return (Write(Clock(fold.digest(), pack(up[0]))),) if up else NOTHING

    def _due(self) -> Iterator[tuple[object, int]]:
        """Yield what the clock may do, and when, whatever hosts before us have said."""
        for due in self._ledger.fold.due():
            yield due.move, due.at + self._witness.owed(due.move)

    def ring_at(self) -> float | None:
        """Return when the next time is up, None but for the host."""
        counting = self._ledger.fold.clocks.counting
        if self._since is None or not counting or not self._members.hosting:
            return None
        times = [at for _, at in self._due()]
        return self._since + (min(times) - self._base) / 1000 if times else None
