"""Watching passed on: a tree of bystanders below a member that has no room for more.

Theory of operation.  A bystander that would pass a match on says `PassOn` before it
asks to watch.  The member that is asked, the *usher*, lets some watch at itself, and
sends who comes later on, with a `Ticket`, to a *parent*: one that watches already and
has room.  The parent lets in whoever shows a ticket that the usher has signed for just
the two of them, sends it the entries that it gets itself, and tells the usher, by way
of its own parent, who has come and gone.  So the usher knows the whole tree, and it
alone makes it: nobody comes in unasked, and no two are each other's parents.

Whoever passes entries on cannot change them: they are signed, and checked at each step
as if the usher had sent them.  It can keep them back.  So every few seconds the usher
says a signed `Beat` with how many entries there are, which goes the same way; who hears
none, or of entries that it is not sent, asks the usher for another parent, as does
everybody whose parent has gone.  In a beat also stands who may watch no longer.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

from msgspec.structs import replace

from netplay import limits
from netplay.errors import Code
from netplay.match.match import Match
from netplay.match.replica import batches
from netplay.messages.log import Entries, Have
from netplay.messages.node_questions import Setting
from netplay.messages.table import (
    OUT,
    PASSED_TO,
    Beat,
    Bystander,
    Bystanders,
    Passed,
    PassOn,
    Ticket,
)
from netplay.rate import Buckets
from netplay.record.chance import number_bytes, tag
from netplay.record.log import check_signature
from netplay.sentences import Says
from netplay.table.shared import Shared
from netplay.table.unopened import tail
from netplay.wire import pack

PASSES_ON: Final[Setting] = "pass-on"

ABLE: Final = 512
"""Bystanders of whom is remembered that they would pass on; more than may watch."""

FAILED: Final = 3
"""Bystanders who had to come back from a parent before others are tried first."""

REPORTS_A_SECOND: Final = 2.0
"""Passed on of who comes and goes below one bystander (sustained)."""

REPORTS_AT_ONCE: Final = 100.0
"""The burst allowed above that: all who can be below it."""

AGAIN_SECONDS: Final = 1.0
"""Between two places that one bystander is given."""


def ticket_data(ticket: Ticket) -> bytes:
    """Return what the usher signs for somebody who is sent on."""
    who = ticket.usher + ticket.parent + ticket.key
    return tag("ticket") + ticket.match + who + number_bytes(ticket.until)


def beat_data(beat: Beat) -> bytes:
    """Return what the usher signs of how things stand."""
    rest = pack([beat.absent, beat.vacant, beat.out, beat.over])
    place = number_bytes(beat.number) + number_bytes(beat.entries)
    return tag("beat") + beat.match + beat.usher + place + rest


class Alarm:
    """When something about watching is due."""

    at: float | None = None


class Feed:
    """What a bystander has been sent of a match."""

    sent: Have | None = None
    """None until it has said what it has."""
    time = -1
    """Which news of the match's time it has been told."""

    def send(self, shared: Shared, match: Match, key: bytes) -> None:
        """Send a bystander what is new to it."""
        log = match.ledger.log
        if self.sent is None:
            return
        start = tail(log, self.sent)
        if start is not None and start < len(log):
            for batch in batches(match.ledger.raws(start)):
                shared.say((key,), Entries(match.match, batch))
            self.sent = Have(log.match, log.term, len(log), log.head)
        timing = match.timing
        if match.fold.clocks.counting and self.time != timing.news:
            self.time = timing.news
            shared.say((key,), timing.public_time(shared.now))

    def have(self, shared: Shared, match: Match, key: bytes, have: Have) -> None:
        """Take what a bystander says it has."""
        if have.number:
            self.sent = have
            return
        # It may lack the edition or the words; the rest it gets when it asks.
        shared.say((key,), Entries(match.match, match.ledger.raws(0, 1)))


class _Below:
    """A bystander that was sent on."""

    def __init__(self, name: str, parent: bytes, at: float) -> None:
        self.name = name
        self.parent = parent
        self.at = at
        """When it was sent there."""
        self.here = False
        """Its parent has said that it has come."""
        self.lost: float | None = None
        """Since when no way leads from it to the usher."""


class Tree:
    """The bystanders below one usher, as it has sent them on."""

    def __init__(self, shared: Shared, match: Match) -> None:
        """Begin without any."""
        self._shared: Final = shared
        self._match: Final = match
        self.alarm: Final = Alarm()
        self.below: Final[dict[bytes, _Below]] = {}
        self._able: Final[dict[bytes, tuple[int, str]]] = {}
        """Who would pass on -> to how many, and where it listens."""
        self._failed: Final[dict[bytes, set[bytes]]] = {}
        """Parent -> who had to come back from it."""
        self._came_from: Final[dict[bytes, bytes]] = {}
        """Who has gone from a parent -> which: it may be back because of that."""
        self._out: Final[dict[bytes, tuple[int, bytes]]] = {}
        """Who may watch no longer -> up to which beat that is said, and the parent at
        which it is unknown; none of one that is refused."""
        self._over = False
        self._last: Beat | None = None

    def offer(self, key: bytes, message: PassOn) -> None:
        """Note that somebody would pass on, and could be sent on."""
        peer = self._shared.peers.get(key)
        was = self._came_from.pop(key, None)
        if was is not None:
            self._failed.setdefault(was, set()).add(key)
        self._able.pop(key, None)
        self._able[key] = message.most, "" if peer is None else peer.address
        if len(self._able) > ABLE:
            gone = (one for one in self._able if one not in self.below)
            del self._able[next(gone)]

    def can_be_sent(self, key: bytes) -> bool:
        """Tell whether a bystander's node knows of all this."""
        return key in self._able

    # Where there is room.

    def _levels(self, roots: Iterable[bytes], apart: bytes = b"") -> dict[bytes, int]:
        """Return who is reached from the usher, and over how many others.

        Args:
            roots: Who watches at the usher.
            apart: Whose part of the tree is left out.
        """
        children: dict[bytes, list[bytes]] = {}
        for key, one in self.below.items():
            children.setdefault(one.parent, []).append(key)
        found = {root: 0 for root in roots if root != apart}
        queue = list(found)
        for parent in queue:
            for key in children.get(parent, ()):
                if key not in found and key != apart:
                    found[key] = found[parent] + 1
                    queue.append(key)
        return found

    def _root(self, key: bytes, roots: Collection[bytes]) -> bytes | None:
        """Return over whom at the usher somebody is reached, None if over nobody."""
        at: bytes | None = key
        for _ in self.below:
            if at in roots or at is None:
                break
            at = self.below[at].parent if at in self.below else None
        return at

    def _parent(self, key: bytes, roots: Collection[bytes]) -> bytes | None:
        """Return who is to pass the match on to somebody, None if nobody can."""
        if not self.can_be_sent(key) or len(self.below) >= limits.ONLOOKERS:
            return None
        load = Counter(one.parent for one in self.below.values())
        heard = [root for root in roots if not self._shared.is_quiet(root)]
        sure = self._levels(heard, key)
        ranked: list[tuple[bool, bool, int, int, bytes]] = []
        for parent, level in self._levels(roots, key).items():
            most, address = self._able.get(parent, (0, ""))
            failed = self._failed.get(parent, ())
            taken = load[parent] >= most or level >= limits.LEVELS
            if address and not taken and key not in failed:
                doubt = parent not in sure, len(failed) >= FAILED
                ranked.append((*doubt, level, load[parent], parent))
        return min(ranked)[-1] if ranked else None

    def has_room(self, key: bytes, roots: Collection[bytes]) -> bool:
        """Tell whether somebody could be sent on."""
        return self._parent(key, roots) is not None

    def send_on(self, key: bytes, name: str, roots: Collection[bytes]) -> bool:
        """Send a bystander on; return whether there was a place for it."""
        parent = self._parent(key, roots)
        if parent is None:
            return False
        shared, me = self._shared, self._match.me
        self._out.pop(key, None)
        beat = self._last
        out = beat is not None and {*beat.out} != self._out.keys()
        if beat is None or self._over or beat.over or out:
            # Its parent lets nobody in who is out in the last beat; and whom that was
            # to send away is not to come where nobody has heard of it.  A ticket that
            # is signed upon one with `over` counts as little as those before.
            if self._over:
                shared.say(roots, self._beat())
            beat = self._beat()
            shared.say((self._root(parent, roots) or parent,), beat)
        elif parent in roots:  # it may have come after the last
            shared.say((parent,), beat)
        self.below[key] = _Below(name, parent, shared.now)
        until = beat.number + limits.TICKET_SECONDS
        bare = Ticket(self._match.match, me, parent, key, until, b"", "")
        signature = shared.means.signer.sign(ticket_data(bare))
        address = self._able[parent][1]
        shared.say((key,), replace(bare, signature=signature, address=address))
        self._ring(limits.BEAT_SECONDS)
        return True

    def came_back(self, key: bytes, roots: Collection[bytes]) -> bool:
        """Note that one who was sent on asks again; return whether it is time for it.

        Whoever has several come back is not trusted with others as long as there is
        another.
        """
        one, now = self.below[key], self._shared.now
        if now < one.at + AGAIN_SECONDS:
            return False
        if one.parent in self._levels(roots):
            self._failed.setdefault(one.parent, set()).add(key)
        return True

    # What is told.

    def passed(self, root: bytes, message: Passed, roots: Collection[bytes]) -> bool:
        """Take who has come below one that watches here; return whether one has gone.

        It can say so of its own part of the tree alone, which it could cut off as well.
        """
        if self._root(message.parent, roots) != root:
            return False
        one = self.below.get(message.key)
        if one is None:
            # Forgotten, or never let in; below one of these it comes back by itself.
            # One has no more below it than it may: else a liar could have so many
            # be out that all have to ask again.
            strays = sum(by == message.parent for _, by in self._out.values())
            more = message.key in self._out or strays < PASSED_TO
            if message.here and more and message.key not in roots:
                self.cut((message.key,), message.parent)
            return False
        if one.parent != message.parent:
            return False
        one.here = message.here
        if not message.here:
            del self.below[message.key]
            self._came_from[message.key] = message.parent
            if len(self._came_from) > ABLE:
                del self._came_from[next(iter(self._came_from))]
        return not message.here

    def cut(self, keys: Iterable[bytes], by: bytes = b"") -> None:
        """Have some watch no longer, wherever they are in the tree.

        Args:
            keys: Who.
            by: The parent at which they are unknown, if that is why.
        """
        last = self._last
        number = self._shared.means.counted() if last is None else last.number
        for key in keys:
            self.below.pop(key, None)
            self._out[key] = number + limits.TICKET_SECONDS, by
            self._ring(AGAIN_SECONDS)
        if len(self._out) > OUT:
            self._over = True
            self._out.clear()
            self.below.clear()

    def _ring(self, seconds: float) -> None:
        due, at = self._shared.now + seconds, self.alarm.at
        self.alarm.at = due if at is None else min(due, at)

    def ring(self, roots: Collection[bytes]) -> list[tuple[bytes, str]]:
        """Say a beat if there is need; return whom to forget, and their names."""
        now, reached = self._shared.now, self._levels(roots)
        self.alarm.at = None
        gone: list[tuple[bytes, str]] = []
        for key, one in list(self.below.items()):
            if key in reached:
                one.lost = None
            elif one.lost is None:
                one.lost = now
            cut = one.lost is not None and now > one.lost + limits.BELOW_LOST_SECONDS
            if cut or not (one.here or now < one.at + limits.TICKET_SECONDS):
                del self.below[key]
                gone.append((key, one.name))
        if self.below or self._out or self._over:
            self._shared.say(roots, self._beat())
            self._ring(limits.BEAT_SECONDS)
        else:
            self._last = None
        for noted in (self._able, self._failed):
            for key in [k for k in noted if k not in reached and k not in self.below]:
                if not self._shared.is_up(key):
                    del noted[key]
        return gone

    def _beat(self) -> Beat:
        """Return how things stand, signed; the number goes on after a restart."""
        match, means = self._match, self._shared.means
        before = 0 if self._last is None else self._last.number
        number = max(before + 1, means.counted())
        for key in [key for key, (until, _) in self._out.items() if until < number]:
            del self._out[key]
        absent, vacant = match.members.vacated()
        over, self._over = self._over, False
        bare = Beat(
            match.match, match.me, number, len(match.ledger.log), absent, vacant,
            tuple(self._out), over, b"",
        )  # fmt: skip
        self._last = replace(bare, signature=means.signer.sign(beat_data(bare)))
        return self._last


class Passing:
    """Those to whom this node, which watches, passes the match on."""

    def __init__(self, shared: Shared, match: Match) -> None:
        """Begin without any."""
        self._shared: Final = shared
        self._match: Final = match
        self.children: Final[dict[bytes, Feed]] = {}
        self._reports: Final = Buckets[bytes](
            REPORTS_A_SECOND, REPORTS_AT_ONCE, PASSED_TO
        )
        self._last: Final[dict[bytes, tuple[bytes, Passed]]] = {}
        """Who came or went in this part of the tree -> who told it last, and how."""
        self._void = 0
        """Up to here tickets count no more: all had to ask again."""

    def let_in(self, key: bytes, ticket: Ticket, beat: Beat | None, up: bytes) -> None:
        """Let somebody in who was sent on to this node, or say no.

        Args:
            key: Who says so.
            ticket: What it shows.
            beat: The last of the usher's; without one nothing is known of the ticket.
            up: To whom it is told.

        Raises:
            PeerError: BAD_SIGNATURE, the usher has not sent it.
        """
        shared, match, me = self._shared, self._match.match, self._match.me
        named = (ticket.match, ticket.parent, ticket.key) == (match, me, key)
        usher = beat is not None and beat.usher == ticket.usher
        if not named or beat is None or not usher:
            shared.decline(key, match, Code.DECLINED, Says.WATCH_AT_PLAYERS())
            return
        check_signature(ticket.usher, ticket.signature, ticket_data(ticket))
        good = self._void < ticket.until and ticket.until >= beat.number
        if not good or key in beat.out:
            shared.decline(key, match, Code.DECLINED, Says.WATCH_AT_PLAYERS())
            return
        if key not in self.children and len(self.children) >= PASSED_TO:
            shared.decline(key, match, Code.TABLE_FULL, Says.TOO_MANY_WATCH())
            return
        self.children[key] = Feed()
        shared.moved = True
        name = shared.their_name(key)
        shared.say(
            (key,), Bystanders(match, (Bystander(key, name, True),), (), ()), beat
        )
        self._report(key, up, here=True)

    def _report(self, key: bytes, up: bytes, *, here: bool) -> None:
        me = self._match.me
        self._tell(me, Passed(self._match.match, key, me, here), up)

    def _tell(self, by: bytes, report: Passed, up: bytes) -> None:
        self._last.pop(report.key, None)
        self._last[report.key] = by, report
        if len(self._last) > limits.ONLOOKERS:
            del self._last[next(iter(self._last))]
        self._shared.say((up,), report)

    def report_all(self, up: bytes) -> None:
        """Tell who has come and gone, after another way to the usher was found.

        The last reports may have been on their way as the one before broke.  Those
        here come first: of whom the usher knows no parent it takes no report.
        """
        for key in self.children:
            self._report(key, up, here=True)
        for key, (_by, report) in self._last.items():
            if key not in self.children:
                self._shared.say((up,), report)

    def passed(self, key: bytes, message: Passed, up: bytes) -> None:
        """Pass on who has come to one below, or gone; not more than there can be."""
        if key in self.children and self._reports.take(key, self._shared.now):
            self._tell(key, message, up)

    def beat(self, beat: Beat) -> None:
        """Pass a beat on, and let those go of whom it says so."""
        if beat.over:
            self._void = beat.number + limits.TICKET_SECONDS
            self._last.clear()
        for key in beat.out:
            self._last.pop(key, None)
        for key in list(self.children):
            if beat.over or key in beat.out:
                del self.children[key]
                shared, match = self._shared, self._match.match
                shared.decline(key, match, Code.DECLINED, Says.UNWATCHED())
        self._shared.say(self.children, beat)

    def send(self) -> None:
        """Send those here what is new; nobody waits for this node's disk."""
        for key, feed in self.children.items():
            feed.send(self._shared, self._match, key)

    def gone(self, key: bytes, up: bytes) -> bool:
        """Note that somebody has gone; return whether it was one of those here."""
        if self.children.pop(key, None) is None:
            return False
        for below in [one for one, (by, _) in self._last.items() if by == key]:
            del self._last[below]
        self._report(key, up, here=False)
        return True

    def close(self) -> None:
        """Pass on no more: they ask the usher for another place."""
        for key in self.children:
            why = Says.TABLE_WAS_LEFT()
            self._shared.decline(key, self._match.match, Code.STOPPED, why)
        self.children.clear()
        self._last.clear()


def heard_beat(beat: Beat, match: bytes, usher: bytes, last: Beat | None) -> bool:
    """Tell whether a beat is news of the usher's.

    Raises:
        PeerError: BAD_SIGNATURE.
    """
    if beat.match != match or beat.usher != usher:
        return False
    if last is not None and last.usher == usher and beat.number <= last.number:
        return False
    check_signature(usher, beat.signature, beat_data(beat))
    return True
