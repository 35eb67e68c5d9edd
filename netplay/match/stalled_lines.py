"""What a line that has stalled keeps back goes round it, in a game of ticks.

Theory of operation.  All entries come from the host, and all stretches go to it.  Where
a packet is lost, sent again and lost once more, a line stands for seconds: the wells of
one member stand still for everybody, or all wells for one.  The others have lines of
their own to both.  So a member that has had entries for a moment, and has not heard
that another one has them, hands them on; and one whose stretches are not in the log
after a moment asks another one to hand them to the host.  Entries and stretches prove
themselves, whoever brings them, and what comes twice is passed over.  Games of turns
can wait for a line.

Those who could hand entries on take turns, by their keys, so that not all do it at
once.  What is handed on is counted as what is carried is.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final

from netplay.errors import PeerError
from netplay.match.effects import NOTHING, Effects, to
from netplay.match.members import Members
from netplay.match.relaying import Relaying
from netplay.match.replica import Replica
from netplay.match.submitting import Submitting
from netplay.messages.log import Submit, Ticks
from netplay.record.ledger import Ledger
from netplay.record.log import Signed, read_body
from netplay.wanted import Outgoing

LATE_SECONDS: Final = 0.7
"""For which another member may be behind this one, or a stretch on its way: about what
lines of 200 ms take to bring it there, and the word back that it is safe.  With 0.9 and
one packet in twenty lost, wells were up to half a second later."""

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
    ) -> None:
        """Begin with all lines well.

        Args:
            ledger: The log.
            members: Who takes part.
            replica: Who has how much of it.
            relaying: Who has a line of its own to this node.
            pending: What this node has said and the log does not have.
        """
        self._ledger: Final = ledger
        self._members: Final = members
        self._replica: Final = replica
        self._relaying: Final = relaying
        self._pending: Final = pending
        self._entries: Final = _Growth()
        self._said: Final = _Growth()
        self._handed: dict[bytes, int] = {}
        """Member -> how many entries it has, or this node has sent it."""
        self._asked = 0
        """Own bodies that have been given to another to hand on."""
        self._looked = 0.0

    @property
    def _concerns(self) -> bool:
        """Whether this node may be of use: it follows a host, and is not alone."""
        members, fold = self._members, self._ledger.fold
        follows = members.content and not (members.hosting or members.watching)
        return fold.hz > 0 and follows and not fold.over and len(members.here) > 2

    def wake(self, now: float) -> Effects:
        """Hand on what others have lacked for too long, and ask for the same."""
        if not self._concerns:
            self._forget()
            return NOTHING
        self._looked = now
        log = self._ledger.log
        said = log.own(self._members.me) + len(self._pending)
        fewer = self._entries.note(log.number, now) | self._said.note(said, now)
        if fewer:  # there is another history
            self._forget()
        return [*self._late_entries(now), *self._late_stretches(now)]

    def _forget(self) -> None:
        """Begin again."""
        self._entries.forget()
        self._said.forget()
        self._handed.clear()
        self._asked = 0

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

    def _late_stretches(self, now: float) -> Iterator[Outgoing]:
        """Yield what another member is to hand to the host."""
        late = self._said.at(now - LATE_SECONDS)
        direct = self._relaying.direct
        ways = [key for key in self._helpers(self._members.me) if key in direct]
        if not ways or not self._members.host_here:
            return
        for asked in self._pending.asked():
            if self._asked <= asked.own < late:
                self._asked = asked.own + 1
                yield to(ways[0], asked)

    def hand_on(self, key: bytes, submit: Submit, now: float) -> Effects:
        """Hand a member's stretch to the host; nothing else, and nothing of another's.

        Raises:
            PeerError: TOO_MANY are to be handed on.
        """
        host, log = self._members.host, self._ledger.log
        wanted = host in self._relaying.direct and submit.own >= log.own(key)
        if not wanted or self._holder(submit) != key or not self._wrote(key, submit):
            return NOTHING
        self._relaying.count(key, len(submit.body), now)
        return (to(host, submit),)

    def author(self, key: bytes, submit: Submit) -> bytes | None:
        """Return who wrote what a member submits; None if that is nobody's word.

        In a game of ticks another may have handed it on: a stretch is by the holder of
        its seat.  Who handed it on is not to blame if the seat has another one by now.
        """
        holder = self._holder(submit)
        if holder is None or holder == key:
            return key
        return next((k for k in (holder, key) if self._wrote(k, submit)), None)

    def _holder(self, submit: Submit) -> bytes | None:
        """Return who holds the seat of a stretch, None if it is something else."""
        fold = self._ledger.fold
        if not fold.hz:
            return None
        try:
            body = read_body(submit.body)
        except PeerError:
            return None
        if not isinstance(body, Ticks) or body.seat >= len(fold.holders):
            return None
        return fold.holders[body.seat]

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
