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

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.limits import CARRIED_A_SECOND, CARRIED_AT_ONCE
from netplay.match.effects import NOTHING, Effect, Effects, Heard, Meet, Notice, Part
from netplay.match.members import Members
from netplay.match.replica import have
from netplay.messages.log import (
    LINKS_TOLD,
    WAY_BYTES,
    Carried,
    Have,
    Linked,
    LinkTo,
    LogMessage,
)
from netplay.rate import Bucket
from netplay.record.chance import number_bytes, tag
from netplay.record.hidden import Entropy
from netplay.record.ledger import Ledger
from netplay.record.log import Signer, check_signature
from netplay.record.sealing import KEY_BYTES, seal
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
        self._budgets: dict[bytes, Bucket] = {}
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
            places = self._places(key)
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

    def _places(self, key: bytes) -> list[tuple[bytes, int]]:
        """Return who can carry to a member, and over which link."""
        return [
            (by, links[key])
            for by, links in self._linked.items()
            if by in self.direct and key in links
        ]

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
        if mine:
            return self._take(carried)
        self.count(key, len(carried.letter), now)
        if carried.to in self._links:
            return (Outgoing((carried.to,), carried),)
        return NOTHING

    def count(self, key: bytes, size: int, now: float) -> None:
        """Count what is carried for a member, of so many bytes.

        Raises:
            PeerError: TOO_MANY.
        """
        if key not in self._budgets:
            self._budgets[key] = Bucket(CARRIED_A_SECOND, CARRIED_AT_ONCE, now)
        if not self._budgets[key].take(now, 1 + size // KIBIBYTE):
            raise PeerError(Code.TOO_MANY, "to be carried")

    def _take(self, carried: Carried) -> Effects:
        """Take what a member had carried here; its faults are not the carrier's."""
        way = self.ways.get(carried.author)
        if way is None or way.shut:
            return NOTHING
        try:
            return list(self._taken(way, carried, self._opened(carried)))
        except PeerError as error:
            return self.shut(carried.author, error)

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
