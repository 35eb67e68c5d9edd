"""Days to think: how long the turn that is on has lasted, by this node's own record.

Theory of operation.  Days run on whoever is away, so no entry counts them: each node
writes down when it first had the present turn, and when it last knew that the turn
before was still on.  Whoever is kept waiting may claim, once the days are over by its
own record, with a `Late` in the log; nobody does so by itself.  A host enters it only
if its own record agrees.  Another member confirms it only if its record does: that of
the one who is late counts from when the turn can have begun at the earliest, for it may
have been away when the move came that it did not answer.  What is not confirmed now may
be later, when the days are over by that record, too.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from netplay.match.effects import NOTHING, Effects, Keep, Notice
from netplay.match.members import Members
from netplay.messages.log import Late
from netplay.record.hidden import Hidden, KeptDoubt, KeptOff, KeptThinking
from netplay.record.ledger import Ledger
from netplay.record.log import Line
from netplay.sentences import Says

DAY_SECONDS: Final = 86_400

SLACK_SECONDS: Final = 600
"""By which two records of one turn may differ, and clocks on two walls."""

FRESH_SECONDS: Final = 60
"""After a link came up: what comes later has not been missed."""


LOOK_SECONDS: Final = 3_600
"""Between looks at the time of day, at most: it runs on while this computer sleeps."""


class Thinking:
    """The days of one match at one node."""

    def __init__(
        self,
        ledger: Ledger,
        hidden: Hidden,
        members: Members,
        unix: Callable[[], int | None],
    ) -> None:
        """Go on with what is kept.

        Args:
            ledger: The log.
            hidden: What is kept.
            members: Who takes part.
            unix: Returns the time of day, if it is known here.
        """
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self._unix: Final = unix
        self._met = 0.0
        self._doubted: KeptThinking | None = None
        """The record of the turn by which a claim was not confirmed."""
        self.limit: Final = ledger.terms.days * DAY_SECONDS
        """Seconds for a turn; 0 for as long as one likes."""
        self.renew()

    def renew(self) -> None:
        """Check claims that are to be entered in the log as it is now."""
        if self.limit:
            self._ledger.fold.is_early = self._is_early

    def met(self, now: float) -> None:
        """Note that the host can be reached from now on."""
        self._met = now

    def look(self, now: float) -> Effects:
        """Write down that another turn has begun, if one has."""
        fold, kept, unix = self._ledger.fold, self._hidden.thinking, self._unix()
        if unix is None or fold.over or not fold.number:
            return NOTHING
        granted = self._granted(unix) if fold.offers.agreed else ()
        if kept is not None and kept.moves == fold.moves:
            return granted
        fresh = kept is None or self._is_fresh(now)
        earliest = unix if fresh or kept is None else kept.contact
        return *granted, Keep(KeptThinking(fold.moves, unix, earliest, unix))

    def _granted(self, unix: int) -> tuple[Keep, ...]:
        """Write down days off that were granted and are not written down yet.

        Who has days off already has the new ones behind those.
        """
        agreed, kept = self._ledger.fold.offers.agreed, self._hidden.off
        granted = [one for one in agreed if one.what == "days"]
        if len(granted) <= len(kept):
            return ()
        one = granted[len(kept)]  # the next at the next look
        ends = (off.until for off in kept if off.seat == one.seat)
        since = max(unix, *ends, 0)
        return (Keep(KeptOff(one.seat, since, since + one.days * DAY_SECONDS)),)

    def off(self) -> list[tuple[int, int]]:
        """Return who has days off, and for how many more seconds."""
        unix, offs = self._unix(), self._hidden.off
        if unix is None or self._ledger.fold.over:
            return []
        ends = {one.seat: one.until for one in offs if one.since <= unix}
        return [(seat, end - unix) for seat, end in sorted(ends.items()) if end > unix]

    def _stood(self, seat: int, since: int, unix: int) -> int:
        """Return for how many seconds the days of a seat have stood still."""
        return sum(
            max(0, min(unix, one.until) - max(since, one.since))
            for one in self._hidden.off
            if one.seat == seat
        )

    def _is_fresh(self, now: float) -> bool:
        """Tell whether what comes now was said just now."""
        members = self._members
        linked = members.host in members.linked
        return members.hosting or (linked and now >= self._met + FRESH_SECONDS)

    def part(self, now: float) -> Effects:
        """Note that the host goes: until now there was nothing newer."""
        kept, unix = self._hidden.thinking, self._unix()
        if kept is None or unix is None or not self._is_fresh(now):
            return NOTHING
        return (Keep(replace(kept, contact=max(unix, kept.contact))),)

    @property
    def left(self) -> int | None:
        """The seconds that the turn has left by this record, None without a limit."""
        kept, unix = self._hidden.thinking, self._unix()
        over = self._ledger.fold.over or not self._ledger.fold.overdue()
        if not self.limit or kept is None or unix is None or over:
            return None
        left = kept.began + self.limit - unix
        if not self._hidden.off:
            return left
        late = self._ledger.fold.overdue()
        return left + min(self._stood(seat, kept.began, unix) for seat in late)

    @property
    def short(self) -> bool:
        """Whether a quarter of the time is left, or less."""
        left = self.left
        return left is not None and left <= self.limit // 4

    def _is_early(self, seat: int) -> bool:
        """Tell whether there is time left for a seat, for certain."""
        kept, unix = self._hidden.thinking, self._unix()
        if kept is None or unix is None:
            return False
        own = self._ledger.fold.holders[seat] == self._members.me
        since = kept.earliest if own else kept.began
        stood = self._stood(seat, since, unix)
        return unix - since - stood < self.limit - SLACK_SECONDS

    def judge(self, line: Line) -> Effects:
        """Do not confirm a claim that a host has entered too early."""
        if self._members.hosting or self._hidden.doubt:
            return NOTHING
        kept = self._hidden.thinking
        assert kept is not None  # else nothing would be too early
        self._doubted = kept
        name = self._members.name(line.entry.author)
        detail = Says.CLAIM_TOO_SOON(name=name)
        return Keep(KeptDoubt(line.entry.number, detail)), Notice(detail)

    def wake(self) -> Effects:
        """Confirm a claim that came too early, once the days are over here, too."""
        unix, hidden, log = self._unix(), self._hidden, self._ledger.log
        kept = self._doubted or hidden.thinking
        doubted = log.lines[hidden.doubted : hidden.doubted + 1]
        if kept is None or unix is None or not hidden.doubt:
            return NOTHING
        for body in (line.body for line in doubted):
            if isinstance(body, Late):
                stood = self._stood(body.seat, kept.earliest, unix)
                if unix - kept.earliest - stood >= self.limit - SLACK_SECONDS:
                    self._doubted = None
                    return (Keep(KeptDoubt(0, "")),)
        return NOTHING

    def is_early(self, body: object) -> bool:
        """Tell whether a body is a claim that comes too early, by this record."""
        return isinstance(body, Late) and self._is_early(body.seat)

    def deadline(self, now: float) -> float | None:
        """Return when the time is short, or over."""
        left, doubted, unix = self.left, self._doubted, self._unix()
        if doubted is not None and unix is not None:
            more = doubted.earliest + self.limit - unix
            return now + (min(more, LOOK_SECONDS) if more > 0 else LOOK_SECONDS)
        if left is None:
            return None
        times = [one for one in (left - self.limit // 4, left) if one > 0]
        return now + min(*times, LOOK_SECONDS) if times else None
