"""What a line that has stalled keeps back goes round it, in a game of ticks.

Theory of operation.  All entries come from the host, and all stretches go to it.  Where
a packet is lost, sent again and lost once more, a line stands for seconds: the wells of
one member stand still for everybody, or all wells for one.  The others have lines of
their own to both.  So a member that has had entries for a moment, and has not heard
that another one has them, hands them on.  And where lines are slow stretches go to all
members, not to the host alone: whoever has had one for a moment that is not in the log
hands it to the host.  Entries and stretches prove themselves, whoever brings them, and
what comes twice is passed over.  Games of turns can wait for a line.

Those who could hand something on take turns, by their keys, so that not all do it at
once.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final

from netplay.errors import PeerError
from netplay.match.early_stretches import EarlyStretches
from netplay.match.effects import NOTHING, Effects, to
from netplay.match.members import Members
from netplay.match.relaying import Relaying
from netplay.match.replica import Replica
from netplay.match.submitting import Submitting
from netplay.messages.log import Submit, Ticks
from netplay.record.ledger import Ledger
from netplay.record.log import Signed, read_body
from netplay.wanted import Outgoing

LATE_SECONDS: Final = 0.5
"""For which another member may be behind this one, or the log behind a stretch: about
what lines of 200 ms take to bring it there, and the word back that it is safe.  With
0.7 and one packet in twenty lost the host's well was over 1.5 s behind twice as often;
less brings nothing."""

LOOK_SECONDS: Final = 0.25
"""Between two looks where nothing else wakes this node."""

KEPT: Final = 256
"""Moments that are remembered: far more than a few seconds have."""


class _Growth:
    """How many there were of something that becomes more, and since when."""

    def __init__(self) -> None:
        self._since = deque[tuple[int, float]](maxlen=KEPT)

    def note(self, count: int, now: float) -> bool:
        """Note how many there are; return whether they have become fewer."""
        fewer = bool(self._since) and self._since[-1][0] > count
        if fewer:
            self._since.clear()
        if not self._since or self._since[-1][0] < count:
            self._since.append((count, now))
        return fewer

    def at(self, moment: float) -> int:
        """Return how many there were at a moment."""
        found = 0
        for count, since in self._since:
            if since > moment:
                break
            found = count
        return found

    def forget(self) -> None:
        """Begin again."""
        self._since.clear()


class StalledLines:
    """What one member of a match does about lines to the host that stand."""

    def __init__(
        self,
        ledger: Ledger,
        members: Members,
        replica: Replica,
        relaying: Relaying,
        pending: Submitting,
        early: EarlyStretches,
    ) -> None:
        """Begin with all lines well.

        Args:
            ledger: The log.
            members: Who takes part.
            replica: Who has how much of it.
            relaying: Who has a line of its own to this node.
            pending: What this node has said and the log does not have.
            early: What others have said and the log does not have.
        """
        self._ledger: Final = ledger
        self._members: Final = members
        self._replica: Final = replica
        self._relaying: Final = relaying
        self._pending: Final = pending
        self._early: Final = early
        self._entries: Final = _Growth()
        self._handed: dict[bytes, int] = {}
        """Member -> how many entries it has, or this node has sent it."""
        self._told: set[bytes] = set()
        """Signatures of own stretches on their way that the others have been sent."""
        self._given: dict[bytes, int] = {}
        """Member -> the last of its bodies that was handed to the host."""
        self._looked = 0.0

    @property
    def _concerns(self) -> bool:
        """Whether this node may be of use: it follows a host, and is not alone.

        Who is no elector any more (it resigned, say) has no turn among the helpers.
        """
        members, fold = self._members, self._ledger.fold
        follows = members.content and not members.hosting and members.me in members.here
        return fold.hz > 0 and follows and not fold.over and len(members.here) > 2

    def wake(self, now: float, *, slow: bool) -> Effects:
        """Hand on what others have lacked for too long.

        Args:
            now: Seconds.
            slow: Lines are such that the others are to have our stretches as well.
        """
        if not self._concerns:
            self._forget()
            return NOTHING
        self._looked = now
        log = self._ledger.log
        if self._entries.note(log.number, now):  # there is another history
            self._forget()
        fresh = self._own_stretches() if slow else ()
        return [*fresh, *self._late_entries(now), *self._late_stretches(now)]

    def _forget(self) -> None:
        """Begin again."""
        self._entries.forget()
        self._early.forget()
        self._given.clear()
        self._handed.clear()
        self._told.clear()

    def _helpers(self, key: bytes) -> list[bytes]:
        """Return who could go between a member and the host, in order."""
        members = self._members
        return sorted(members.here - {members.host, key})

    def _late_entries(self, now: float) -> Iterator[Outgoing]:
        """Yield the entries for each member that lacks them, if it is our turn."""
        there = self._replica.there
        self._handed = {key: n for key, n in self._handed.items() if key in there}
        for key, has in there.items():
            if key not in self._relaying.direct or key in self._replica.early:
                continue  # it is reached by way of others; or it is ahead of us
            turn = self._helpers(key).index(self._members.me)
            known = max(has, self._handed.get(key, 0))
            if known < self._entries.at(now - LATE_SECONDS * (1 + turn)):
                self._handed[key] = self._ledger.log.number
                yield from self._replica.entries((key,), known)

    def _own_stretches(self) -> Iterator[Outgoing]:
        """Yield those of our own that others beside the host are to have as well."""
        direct = self._relaying.direct
        ways = [key for key in self._helpers(self._members.me) if key in direct]
        own = [one for one in self._pending if one.left and isinstance(one.body, Ticks)]
        told, self._told = self._told, {one.signed.signature for one in own}
        for one in own:
            if ways and one.signed.signature not in told:
                yield Outgoing(tuple(ways), self._pending.as_asked(one))

    def _late_stretches(self, now: float) -> Iterator[Outgoing]:
        """Yield those of others that the host is to be handed, if it is our turn."""
        host = self._members.host
        if host not in self._relaying.direct:
            return
        for early in self._early:
            key, submit = early.author, early.submit
            turn = self._helpers(key).index(self._members.me)
            late = early.since <= now - LATE_SECONDS * (1 + turn)
            if late and self._given.get(key, -1) < submit.own:
                self._given[key] = submit.own
                if self._wrote(key, submit):
                    yield to(host, submit)

    def take(self, key: bytes, submit: Submit, now: float) -> None:
        """Take a member's own stretch before the log has it; nothing of another's.

        Raises:
            PeerError: TOO_MANY.
        """
        self._relaying.count(key, len(submit.body), now)
        body = self._stretch(submit)
        if body is not None and self._ledger.fold.holders[body.seat] == key:
            self._early.take(key, submit, body, now)

    def author(self, key: bytes, submit: Submit) -> bytes | None:
        """Return who wrote what a member submits; None if that is nobody's word.

        In a game of ticks another may have handed it on: a stretch is by the holder of
        its seat.  Who handed it on is not to blame if the seat has another one by now.
        """
        body = self._stretch(submit)
        holder = None if body is None else self._ledger.fold.holders[body.seat]
        if holder is None or holder == key:
            return key
        return next((k for k in (holder, key) if self._wrote(k, submit)), None)

    def _stretch(self, submit: Submit) -> Ticks | None:
        """Return the stretch that is submitted, None if it is something else."""
        fold = self._ledger.fold
        if not fold.hz:
            return None
        try:
            body = read_body(submit.body)
        except PeerError:
            return None
        if not isinstance(body, Ticks) or body.seat >= len(fold.holders):
            return None
        return body

    def _wrote(self, author: bytes, submit: Submit) -> bool:
        """Tell whether a body is signed by somebody."""
        signed = Signed(author, submit.own, submit.body, submit.signature)
        try:
            self._ledger.log.check_author(signed)
        except PeerError:
            return False
        return True

    def deadline(self) -> float | None:
        """Return when to look again; None if this node is of no use here."""
        return self._looked + LOOK_SECONDS if self._concerns else None
