"""The time of a match: it runs while everybody on turn is here, and stands otherwise.

The host's is the one in the entries; the others set theirs by it.
"""

from typing import TYPE_CHECKING, Final

from netplay.messages.log import Clock, MatchTime
from netplay.wire import pack

if TYPE_CHECKING:
    from netplay.match.match import Match


class Timing:
    """The time of one match at one node."""

    def __init__(self, match: "Match") -> None:
        """Stand at the last entry's time."""
        self._match: Final = match
        self._base = match.ledger.log.at
        self._since: float | None = None
        self.news = 0
        """Counts how often the time was set, or began to run or to stand."""
        self._looked = 0.0

    @property
    def running(self) -> bool:
        """Whether time passes: everybody needed is here, and the match is not over."""
        return self._since is not None

    @property
    def known(self) -> MatchTime:
        """The time as it was when it was looked at last."""
        return MatchTime(self._match.match, self.at(self._looked))

    def at(self, now: float) -> int:
        """Return the milliseconds of the match."""
        running = 0.0 if self._since is None else now - self._since
        return self._base + round(running * 1000)

    def set(self, at: int, now: float) -> None:
        """Set this node's idea of the time by the host's."""
        self._base = at
        if self._since is not None:
            self._since = now

    def tell(self, now: float) -> None:
        """Let time run, or stand, as things are."""
        match, self._looked = self._match, now
        running = not match.paused and not match.fold.over
        if running is self.running:
            return
        self._base, self._since = self.at(now), now if running else None
        self.news += 1
        if match.hosting and match.fold.clocks.counting:
            match.replica.say_all(self.known)

    def greet(self, key: bytes, now: float) -> None:
        """As host, tell the time to a member that has just come.

        Its log says only when the last entry was made, which may be minutes ago.
        """
        match, self._looked = self._match, now
        if match.hosting and match.fold.clocks.counting and not match.fold.over:
            match.replica.say(key, self.known)

    def on_time(self, key: bytes, told: MatchTime, now: float) -> None:
        """Show clocks by the host's time; a bystander hears of it from its usher."""
        match = self._match
        if (match.watching or key == match.host) and told.at >= match.ledger.log.at:
            self.set(told.at, now)
            self._looked = now
            self.news += 1

    def ring(self, now: float) -> None:
        """As host, move for the clock when somebody's time is up."""
        match = self._match
        if self._since is None or not match.hosting or not match.quorate:
            return
        up = [due.move for due in match.fold.due() if due.at <= self.at(now)]
        if up:
            clock = Clock(match.fold.digest(), pack(up[0]))
            match.entering.submit(clock, now)

    def ring_at(self) -> float | None:
        """Return when the next time is up, None but for the host."""
        if not self._match.hosting or self._since is None:
            return None
        times = [due.at for due in self._match.fold.due()]
        return self._since + (min(times) - self._base) / 1000 if times else None
