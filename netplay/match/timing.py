"""The time of a match, and whether the clock of its host can be right.

Theory of operation. The host alone says when something was entered, and when a time
is up. Whoever saw the entry by which a turn began, and its own clock from then on,
knows how much time has passed at most: the entry came later than it was made, never
sooner. A move by CLOCK that needs more is not acknowledged here, so that it becomes
final without us or not at all; the player is told, and may vote for another host. It
stays in the log: were it invalid, a node that had slept would have another log than
one that had not.

What a node cannot know it does not contradict. It knows nothing of a time in which it
slept, and nothing of one whose beginning it was told of late, when it caught up: but
for its own turns, since the time of a match stands while the one on turn is away.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from netplay.limits import PING_SECONDS, SILENCE_SECONDS
from netplay.match.effects import NOTHING, Effects, Keep, Notice, Write, to
from netplay.match.members import Members
from netplay.messages.log import Clock, Entry, MatchTime
from netplay.messages.types import LARGEST
from netplay.record.hidden import Hidden, KeptDoubt
from netplay.record.ledger import Ledger
from netplay.record.log import Line
from netplay.sentences import Says
from netplay.wanted import Outgoing
from netplay.wire import pack, unpack

LATE_SECONDS: Final = SILENCE_SECONDS
"""By which the entry that began a turn may have been late on a link that was not lost;
and for which a host may not have noticed yet that somebody is away."""

DRIFT: Final = 0.01
"""Two clocks that differ by more than this part are broken; those of computers, and of
virtual machines, differ by less than a tenth of it."""

ASLEEP_SECONDS: Final = 2.0
"""By which the time of day runs ahead, after a sleep, of the clock that counts while we
are awake; it is told in whole seconds."""


class Moment(NamedTuple):
    """When an entry came here."""

    now: float
    """Seconds awake."""
    unix: int | None
    """The time of day, if it is known here."""
    fresh: bool
    """Whether it came as soon as it was entered, and not when we caught up."""


class Count:
    """By how much the host's clock was ahead of ours, over some time."""

    def __init__(self) -> None:
        """Begin."""
        self.ahead = 0.0
        self._seen = 0.0
        self._late = LATE_SECONDS

    def add(self, ahead: float, seen: float, late: float) -> None:
        """Add a while.

        Args:
            ahead: Seconds that the host says have passed beyond those that have here.
            seen: Seconds that have passed here.
            late: How late its beginning may have been told here.
        """
        self.ahead += ahead
        self._seen += seen
        self._late = max(self._late, late)

    @property
    def margin(self) -> float:
        """By how much the clocks may differ, in seconds."""
        return self._late + DRIFT * self._seen

    @property
    def excess(self) -> int:
        """The milliseconds that are certainly too many."""
        return max(0, round(1000 * (self.ahead - self.margin / 2)))


class Witness:
    """What this node has seen of the time of one match."""

    def __init__(self, ledger: Ledger, hidden: Hidden, members: Members) -> None:
        """Begin without having seen anything."""
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self.restart()

    def restart(self) -> None:
        """Begin without having seen anything: the log has been made anew."""
        self._last: Moment | None = None
        self._fresh_from: tuple[int, float] | None = None
        """Entries are new from this number on, or from this time whatever the number:
        what we had missed has come by then, however many a host says it has."""
        self._seats = [Count() for _ in self._ledger.fold.holders]
        self._turn = Count()
        self._put_forward = 0, 0, [0 for _ in self._seats]
        """When we became host, by how much the time of a turn that had begun at some
        time was ahead of ours, and that of each seat; in milliseconds."""

    def apart(self) -> None:
        """Note that what comes from now on may be late."""
        self._fresh_from = None

    def new_host(self) -> Effects:
        """Begin again with another host; what the old one did is done with."""
        self.apart()
        hidden, log = self._hidden, self._ledger.log
        if not hidden.doubt:
            return NOTHING
        doubted = log.lines[hidden.doubted : hidden.doubted + 1]
        if any(log.hosts[line.entry.term] == log.hosts[log.term] for line in doubted):
            return NOTHING
        return (Keep(KeptDoubt(0, "")),)

    def met(self, now: float, unix: int | None, number: int) -> None:
        """Note that the host had so many entries when it spoke to us.

        Args:
            now: Seconds.
            unix: The time of day, if it is known here.
            number: Entries: those behind are new.
        """
        if self._fresh_from is None:
            self._fresh_from = number, now + LATE_SECONDS
        if self._last is None:
            self._last = Moment(now, unix, fresh=False)

    def saw(
        self,
        line: Line,
        before: tuple[tuple[int, ...], int],
        now: float,
        unix: int | None,
    ) -> Effects:
        """Look at an entry that was taken just now.

        Args:
            line: The entry.
            before: The seats whose time ran before it, and the milliseconds of the
                match at the entry before.
            now: Seconds.
            unix: The time of day, if it is known here.
        """
        entry, first = line.entry, self._fresh_from
        fresh = first is not None and (entry.number >= first[0] or now >= first[1])
        last, self._last = self._last, Moment(now, unix, fresh=fresh)
        waited_for, since = before
        self._pass(last, self._last, waited_for, (entry.at - since) / 1000)
        effects = NOTHING
        if isinstance(line.body, Clock) and not self._members.hosting:
            effects = self._judge(line.body, entry)
        if self._ledger.fold.clocks.turn_since == entry.at:
            self._turn = Count()
        return effects

    def take_over(self, at: int, now: float, unix: int | None) -> int:
        """Become host: what the one before said of the time is not believed.

        Args:
            at: Milliseconds of the match, by what it said.
            now: Seconds.
            unix: The time of day, if it is known here.

        Returns:
            The same, or what can be by the time that was seen here.
        """
        last, self._last = self._last, None
        clocks, since = self._ledger.fold.clocks, self._ledger.log.at
        self._put_forward = (
            clocks.turn_since,
            self._turn.excess,
            [count.excess for count in self._seats],
        )
        if last is None or not last.fresh or _slept(last, Moment(now, unix, True)):
            return at
        seen = now - last.now
        return (
            at
            if at - since <= 1000 * (seen + LATE_SECONDS)
            else since + round(1000 * seen)
        )

    def owed(self, move: object) -> int:
        """Return how many milliseconds a move by the clock is due later than it seems.

        Args:
            move: Of which a host before us has put the time forward.
        """
        clocks = self._ledger.fold.clocks
        since, turn, seats = self._put_forward
        seat = clocks.fined(move)
        if seat is not None:
            return seats[seat]
        return turn if since == clocks.turn_since else 0

    def _pass(
        self, last: Moment | None, now: Moment, waited_for: tuple[int, ...], said: float
    ) -> None:
        """Count the time between two entries."""
        if last is None or _slept(last, now):
            return
        holders, me = self._ledger.fold.holders, self._members.me
        own = any(holders[seat] == me for seat in waited_for)
        if not last.fresh and not own:
            return
        late = LATE_SECONDS if last.fresh else 2 * LATE_SECONDS
        seen = now.now - last.now
        for count in (self._turn, *(self._seats[seat] for seat in waited_for)):
            count.add(said - seen, seen, late)

    def _judge(self, body: Clock, entry: Entry) -> Effects:
        """Look whether it can be time for a move by the clock.

        Only the time that it needed counts: what the host's clock was ahead in the
        end may have passed since.
        """
        move = unpack(body.move, self._ledger.fold.game.ABOUT.move)
        seat = self._ledger.fold.clocks.fined(move)
        count = self._turn if seat is None else self._seats[seat]
        lacks = count.ahead - (entry.at - self._ledger.fold.rung) / 1000
        # Nobody is late for what another's lie keeps it from.
        lied = self._members.cheated
        if (lacks <= count.margin and not lied) or self._hidden.doubt:
            return NOTHING
        host = self._members.name(self._members.host)
        detail = lied or Says.CLOCK_TOO_SOON(name=host, seconds=round(lacks))
        return Keep(KeptDoubt(entry.number, detail)), Notice(detail)


def _slept(last: Moment, now: Moment) -> bool:
    """Tell whether we may have slept between two moments."""
    if last.unix is None or now.unix is None:
        return False
    return abs((now.unix - last.unix) - (now.now - last.now)) > ASLEEP_SECONDS


# The time of a match: it runs while everybody on turn is here, and stands otherwise.
#
# The host's is the one in the entries; the others set theirs by it.


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

    def public_time(self, now: float) -> MatchTime:
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
        return (
            (Outgoing(keys, self.public_time(now)),) if keys and self._told else NOTHING
        )

    def greet(self, key: bytes, now: float) -> Effects:
        """As host, tell the time to a member that has just come.

        Its log says only when the last entry was made, which may be minutes ago.
        """
        over = self._ledger.fold.over
        return (to(key, self.public_time(now)),) if self._told and not over else NOTHING

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
        for due in () if self._members.cheated else self._ledger.fold.due():
            yield due.move, due.at + self._witness.owed(due.move)

    def ring_at(self) -> float | None:
        """Return when the next time is up, None but for the host."""
        counting = self._ledger.fold.clocks.counting
        if self._since is None or not counting or not self._members.hosting:
            return None
        times = [at for _, at in self._due()]
        return self._since + (min(times) - self._base) / 1000 if times else None

    def look_at(self, now: float) -> float | None:
        """Return when to look at the clock again, None while time stands.

        Only a clock that is looked at sees that this computer has slept meanwhile.
        """
        return now + PING_SECONDS if self.running else None
