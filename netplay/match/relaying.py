"""What two members say to each other through a third, where they have no link.

Theory of operation.  Members tell each other to whom they have links.  A member that
cannot be reached itself, but through one who can, counts as linked: what is for it is
sealed to its key, signed, and handed to that one, who hands it on and keeps nothing.
So whoever carries learns and changes nothing; it can delay and drop, as a network can.

A *way* to a member lives as long as the two links it goes over.  Each side names its
end with random bytes and puts both names into all it says.  A message that does not
name our end as it is now is of another time, or played back: it changes nothing, but a
`Have` is answered with ours.  One that does, by an end that is new to us, begins the
way anew, with `Have` on both sides as on a new link; so what was lost before needs no
care.  Who has lost a link says so with a new number for it, and whoever used it begins
anew.

One step only: who carries has links of its own to both.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.limits import CARRIED_A_SECOND, CARRIED_AT_ONCE
from netplay.match.effects import (
    NOTHING,
    Effect,
    Effects,
    Heard,
    Meet,
    Notice,
    Part,
    to,
)
from netplay.match.members import Members
from netplay.match.realtime import EarlyStretches
from netplay.match.replica import Replica, have
from netplay.match.submitting import Submitting
from netplay.messages.log import (
    LINKS_TOLD,
    WAY_BYTES,
    Carried,
    Have,
    Linked,
    LinkTo,
    LogMessage,
    Submit,
    Ticks,
)
from netplay.rate import Buckets
from netplay.record.chance import number_bytes, tag
from netplay.record.hidden import Entropy
from netplay.record.ledger import Ledger
from netplay.record.letter import SHOWN_KEY_BYTES as KEY_BYTES
from netplay.record.letter import seal
from netplay.record.log import Signed, Signer, check_signature, read_body
from netplay.wanted import Outgoing
from netplay.wire import LENGTH_BYTES, Frame, decode, encode

NOWHERE: Final = bytes(WAY_BYTES)
"""The name of an end that is not known yet."""

KIBIBYTE: Final = 1024

Unseal: TypeAlias = Callable[[bytes], bytes]
"""Opens a letter to this node."""


def sealed(_letter: bytes) -> bytes:
    """Open no letter: the node has nothing to open letters with.

    Raises:
        PeerError: BAD_FRAME.
    """
    raise PeerError(Code.BAD_FRAME, "a letter that cannot be opened")


def carried_data(carried: Carried) -> bytes:
    """Return what the author of a carried message signs."""
    ends = carried.mine + carried.yours
    place = tag("carried") + carried.match + carried.to + ends
    return place + number_bytes(carried.number) + carried.letter


class Way:
    """How one member is reached through another."""

    def __init__(self, via: bytes, link: int, mine: bytes) -> None:
        """Begin without knowing the other end.

        Args:
            via: Who carries.
            link: Its number for its link to the member.
            mine: The name of our end.
        """
        self.place: Final = (via, link)
        self.via: Final = via
        self.mine: Final = mine
        self.yours = NOWHERE
        self.sent = 0
        """Messages so far."""
        self.got = -1
        """Number of the last one taken from the other end."""
        self.shut = False
        """The other end broke the protocol: this way leads nowhere."""


class Relaying:
    """The ways to the members of one match, as one of them knows."""

    def __init__(
        self, signer: Signer, ledger: Ledger, members: Members, entropy: Entropy
    ) -> None:
        """Begin without any link.

        Args:
            signer: This node's key.
            ledger: The log.
            members: Who takes part.
            entropy: Random bytes: names of ends, and keys of letters.
        """
        self._signer: Final = signer
        self._ledger: Final = ledger
        self._members: Final = members
        self._entropy: Final = entropy
        self.direct: set[bytes] = set()
        """Members with links of their own to this node."""
        self._links: dict[bytes, int] = {}
        """Those of them that have the match in hand, and a number for each link."""
        self._count = 0
        self._told: dict[bytes, Linked] = {}
        self.told_at = -1
        """Which `members.version` the others have been told of."""
        self._linked: dict[bytes, dict[bytes, int]] = {}
        """Whom they have links to, by what they say."""
        self.ways: dict[bytes, Way] = {}
        """To members without a link to this node."""
        self._budgets = Buckets[bytes](CARRIED_A_SECOND, CARRIED_AT_ONCE)
        """Member -> what is carried for it."""
        self.news: set[bytes] = set()
        """Who has been told of links, since `take_news`."""
        self.unseal: Unseal = sealed

    # Links.

    def link_up(self, key: bytes) -> Effects:
        """Note a member with a link of its own."""
        self._forget(key)
        self.direct.add(key)
        self.ways.pop(key, None)
        return Meet(key), *self.look()

    def link_down(self, key: bytes) -> Effects:
        """Note that it has none any more; perhaps there is another way."""
        self._forget(key)
        self.direct.discard(key)
        parted = () if key in self.ways else (Part(key),)
        return *parted, *self.look()

    def _forget(self, key: bytes) -> None:
        """Assume nothing of what was said over a link."""
        for said in (self._links, self._told, self._linked):
            said.pop(key, None)
        self.told_at = -1

    def tell_again(self, key: bytes) -> None:
        """Have a member told anew of links: it may have opened the match once more."""
        if self._told.pop(key, None) is not None:
            self.told_at = -1

    def on_linked(self, key: bytes, linked: Linked, _now: float) -> Effects:
        """Note whom a member has links to."""
        if key not in self.direct:
            return NOTHING
        self._linked[key] = {link.to: link.number for link in linked.links}
        return self.look()

    def look(self) -> Effects:
        """Find a way to each member that has no link to this node."""
        members = self._members
        if members.watching:
            return NOTHING  # members do not carry for bystanders
        effects: list[Effect] = []
        for key in sorted(members.others - self.direct):
            places = [
                (by, links[key])
                for by, links in self._linked.items()
                if by in self.direct and key in links
            ]
            old = self.ways.get(key)
            if old is not None and old.place in places:
                continue
            if old is not None:
                del self.ways[key]
                effects.append(Part(key))
            if places:
                self.ways[key] = Way(*min(places), self._entropy(WAY_BYTES))
                effects.append(Meet(key))
        return effects

    def lacking(self, author: bytes) -> list[bytes]:
        """Return the members linked to us who have no link to an author."""
        known = self._linked.items()
        return [key for key, links in known if author not in links and key != author]

    # What is sent.

    def route(self, outgoing: list[Outgoing]) -> list[Outgoing]:
        """Return what is to be sent over links, and to whom."""
        out = list(self._by_ways(outgoing)) if self.ways else outgoing
        if self.told_at != self._members.version:
            self.told_at = self._members.version
            out += self._tell()
        return out

    def _by_ways(self, outgoing: Iterable[Outgoing]) -> Iterator[Outgoing]:
        """Have carried what is for members without a link; yield the rest as it is."""
        for each in outgoing:
            keys = tuple(key for key in each.keys if key not in self.ways)
            if keys:
                yield Outgoing(keys, each.message)
            for key in each.keys:
                if key in self.ways and isinstance(each.message, LogMessage):
                    yield from self._say(key, each.message)

    def _tell(self) -> Iterator[Outgoing]:
        """Tell the others whom this node has links to, where that is news."""
        members = self._members
        if len(members.others) < 2 or members.watching:
            return
        here = members.greeted & members.others & self.direct
        for key in sorted(here - self._links.keys()):
            self._count += 1
            self._links[key] = self._count
        for key in self._links.keys() - here:
            del self._links[key]
        links = tuple(
            LinkTo(key, self._links[key]) for key in sorted(here)[:LINKS_TOLD]
        )
        linked = Linked(self._ledger.log.match, links)
        for key in sorted(here):
            if self._told.get(key) != linked:
                self._told[key] = linked
                self.news.add(key)
                yield Outgoing((key,), linked)

    def take_news(self) -> set[bytes]:
        """Return who has been told of links since the last call."""
        news, self.news = self.news, set()
        return news

    def _say(
        self, to: bytes, message: LogMessage, yours: bytes = b""
    ) -> Iterator[Outgoing]:
        """Have a message carried, unless the way is shut.

        Args:
            to: Whom it is for; there is a way.
            message: What to say.
            yours: The name of the other end, if it is not the one that is known.
        """
        way = self.ways[to]
        if way.shut:
            return
        text = encode(message)[LENGTH_BYTES:]
        try:
            letter = seal(to, text, self._entropy(KEY_BYTES))
        except PeerError:
            way.shut = True  # its key is no key that anything can be sealed to
            return
        carried = self.signed(to, way, letter, yours or way.yours)
        yield Outgoing((way.via,), carried)

    def signed(self, to: bytes, way: Way, letter: bytes, yours: bytes) -> Carried:
        """Return a letter with everything around it."""
        match, me = self._ledger.log.match, self._members.me
        ends, number = (way.mine, yours), way.sent
        way.sent += 1
        bare = Carried(match, me, to, *ends, number, letter, bytes(64))
        return replace(bare, signature=self._signer.sign(carried_data(bare)))

    # What comes.

    def on_carried(self, key: bytes, carried: Carried, now: float) -> Effects:
        """Hand on what is for another member, and take what is for us.

        Raises:
            PeerError: BAD_SIGNATURE; TOO_MANY are to be carried; UNEXPECTED, it comes
                by way of somebody else already.
        """
        mine = carried.to == self._members.me
        if not mine and carried.author != key:
            raise PeerError(Code.UNEXPECTED, "to be carried more than one step")
        if carried.author not in self._members.others:
            return NOTHING  # it has been handed a seat, and that is not known here yet
        check_signature(carried.author, carried.signature, carried_data(carried))
        if not mine:
            self.count(key, len(carried.letter), now)
            there = carried.to in self._links
            return (Outgoing((carried.to,), carried),) if there else NOTHING
        way = self.ways.get(carried.author)
        if way is None or way.shut:
            return NOTHING
        try:
            return list(self._taken(way, carried, self._opened(carried)))
        except PeerError as error:  # its faults are not the carrier's
            return self.shut(carried.author, error)

    def count(self, key: bytes, size: int, now: float) -> None:
        """Count what is carried for a member, of so many bytes.

        Raises:
            PeerError: TOO_MANY.
        """
        if not self._budgets.take(key, now, 1 + size // KIBIBYTE):
            raise PeerError(Code.TOO_MANY, "to be carried")

    def shut(self, author: bytes, error: PeerError) -> Effects:
        """Take nothing more from a member that broke the protocol, on this way."""
        way = self.ways.get(author)
        if way is not None:
            way.shut = True
        return Notice(error.said), Part(author)

    def _taken(
        self, way: Way, carried: Carried, message: LogMessage
    ) -> Iterator[Effect]:
        """Yield a message if it is said on this way as it is, and not once more."""
        author = carried.author
        if carried.yours != way.mine:
            if isinstance(message, Have):  # who says it does not know our end yet
                yield from self._say(author, have(self._ledger.log), carried.mine)
            return
        if carried.mine != way.yours:
            if not isinstance(message, Have):
                return
            way.yours, way.got = carried.mine, -1
            yield Meet(author)
        news = carried.number > way.got
        way.got = max(way.got, carried.number)
        if news:
            yield Heard(author, message)

    def _opened(self, carried: Carried) -> LogMessage:
        """Return a carried message.

        Raises:
            PeerError: It is none, or none of this match.
        """
        text = self.unseal(carried.letter)
        message = decode(Frame(text[0], text[1:])) if text else None
        if not isinstance(message, LogMessage) or isinstance(message, Linked | Carried):
            raise PeerError(Code.UNEXPECTED, "something that is not carried")
        if message.match != self._ledger.log.match:
            raise PeerError(Code.UNEXPECTED, "something of another match")
        return message


# What a line that has stalled keeps back goes round it, in a game of ticks.
#
# Theory of operation. All entries come from the host, and all stretches go to it. Where
# a packet is lost, sent again and lost once more, a line stands for seconds: the wells
# of one member stand still for everybody, or all wells for one. The others have lines
# of their own to both. So a member that has had entries for a moment, and has not heard
# that another one has them, hands them on. And where lines are slow stretches go to all
# members, not to the host alone: whoever has had one for a moment that is not in the
# log hands it to the host. Entries and stretches prove themselves, whoever brings them,
# and what comes twice is passed over. Games of turns can wait for a line.
#
# Those who could hand something on take turns, by their keys, so that not all do it at
# once.


LATE_SECONDS: Final = 0.5
"""For which another member may be behind this one, or the log behind a stretch: about
what lines of 200 ms take to bring it there, and the word back that it is safe.  With
0.7 and one packet in twenty lost the host's well was over 1.5 s behind twice as often;
less brings nothing."""

LOOK_SECONDS: Final = 0.25
"""Between two looks where nothing else wakes this node."""

MOMENTS: Final = 256
"""Moments that are remembered: far more than a few seconds have."""


class _Growth:
    """How many there were of something that becomes more, and since when."""

    def __init__(self) -> None:
        self._since = deque[tuple[int, float]](maxlen=MOMENTS)

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

    def restart(self) -> None:
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
        self._entries.restart()
        self._early.restart()
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

    def on_submit(self, key: bytes, submit: Submit, now: float) -> None:
        """Take a member's own stretch before the log has it; nothing of another's.

        Raises:
            PeerError: TOO_MANY.
        """
        self._relaying.count(key, len(submit.body), now)
        body = self._stretch(submit)
        if body is not None and self._ledger.fold.holders[body.seat] == key:
            self._early.on_stretch(key, submit, body, now)

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
        return self._ledger.log.is_by_its_author(signed)

    def deadline(self) -> float | None:
        """Return when to look again; None if this node is of no use here."""
        return self._looked + LOOK_SECONDS if self._concerns else None
