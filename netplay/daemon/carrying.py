"""Carrying lines: for others, if the player lets us, and our own through friends.

Theory of operation.  The player says for whom this node carries: for nobody, for those
whom it knows, or also for those whom these want or let in.  Whom it would carry for is
told so.  The other way round the player names nodes through which this one may be
reached; links to them are kept, and they stand in the invitation.  Where the router
takes ports at random nothing else leads here: then a friend who carries is chosen
without being named, once, and not again after the player has said no.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Final, Literal

import trio

from netplay.daemon.parts import Parts
from netplay.daemon.posting import Posting, Settle
from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.faults import Nursery
from netplay.finding.places import Scope, scope_of
from netplay.fingerprint import fingerprint, folded
from netplay.limits import CARRIERS, CARRIERS_TOLD
from netplay.messages import link
from netplay.messages.letters import LetterMessage
from netplay.messages.node_questions import CarrierStatus, Carry, CarryStatus
from netplay.peering import invitation
from netplay.peering.address import Address, parse
from netplay.peering.connection import Way
from netplay.peering.line import CarriedCalls, Line, OwnLines, Via, via
from netplay.peering.links import Links
from netplay.peering.peers import KnownPeers
from netplay.peering.switchboard import Say, Switchboard
from netplay.said import Said, Saying
from netplay.sentences import Says
from netplay.wanted import Dial

CARRY: Final = "carry"
THROUGH: Final = "through"
NOT_THROUGH: Final = "not-through"
"""What is kept as these settings."""


NOTHING: Final = link.Carries(carries=False, letters=False)
"""What holds before anything is said."""

CARRIES: Final[Mapping[Carry, Saying]] = {
    "off": Says.CARRIES_FOR_NOBODY,
    "known": Says.CARRIES_FOR_KNOWN,
    "friends": Says.CARRIES_FOR_FRIENDS,
}
"""What is said of each choice."""


def policy(text: str) -> Carry:
    """Return for whom a node carries, from a setting: nobody if it makes no sense."""
    chosen: Mapping[str, Carry] = {"known": "known", "friends": "friends"}
    return chosen.get(text, "off")


class Carrying:
    """What this node carries, and what is carried for it."""

    def __init__(
        self, parts: Parts, links: Links, known: KnownPeers, moved: Callable[[], None]
    ) -> None:
        """Prepare.

        Args:
            parts: The node's parts.
            links: Who is there.
            known: Whom the player knows.
            moved: Told when `wants` or `status` has changed.
        """
        self._home: Final = parts.home
        self._links: Final = links
        self._known: Final = known
        self._journal: Final = parts.journal
        self._moved: Final = moved
        self._board: Final = Switchboard(parts.key, self._judge)
        self._own: Final = OwnLines(self._board, self)
        self.calls: Final = CarriedCalls(parts.net, self)
        """Calls through those who carry."""
        self._told: Final[dict[bytes, link.Carries]] = {}
        """Whom we have told whether we carry for them."""
        self._carriers: Final[dict[bytes, bool]] = {}
        """Who has told us whether it carries for us."""
        self._keepers: Final[dict[bytes, bool]] = {}
        """Who keeps letters for us, and whether of any match."""
        self._tables: Final = parts.tables
        self.posting: Final = Posting(parts, self)
        """Letters, ours and others'."""
        self._policy: Carry = policy(parts.carry or self._home.setting(CARRY))
        chosen = list[str]()
        for text in self._home.setting(THROUGH).split():
            with suppress(LocalError):  # it is no invitation
                invitation.read(text)
                chosen.append(text)
        self._chosen = tuple(chosen[:CARRIERS])
        self._refused = tuple(self._home.setting(NOT_THROUGH).split())
        """The fingerprints of those through whom the player would not be reached."""
        self.alone: Callable[[], bool]
        """Returns whether nothing else leads here."""
        self.nursery: Nursery | None = None
        """For lines that come, and leave that is held back."""

    def begin(self, nursery: Nursery, settle: Settle) -> None:
        """Begin, as the node does."""
        self.nursery, self.posting.settle = nursery, settle

    # Links.

    def peer_up(self, key: bytes) -> None:
        """Take that a link is open."""
        if self.is_chosen(key) and not self._known.is_friend(key):
            self._links.befriend((key,))
        self.look()
        self._own.look()

    def peer_down(self, key: bytes) -> None:
        """End the lines of a link that was lost."""
        for told in (self._told, self._carriers, self._keepers):
            told.pop(key, None)
        self.posting.peer_down(key)
        self._own.gone(key)
        self._do(self._board.gone(key))
        here = self._links.here()
        self._board.forget(lambda each: each in here, trio.current_time())

    def look(self) -> None:
        """Tell those who are there whether we carry for them, where it is news."""
        for key in tuple(self._links.here()):
            carries = self._policy != "off" and self._known.is_friend(key)
            said = link.Carries(carries, carries or self._tables.letters.has_third(key))
            if said != self._told.get(key, NOTHING):
                self._told[key] = said
                self.send(key, said)
        self.posting.wish()

    def wants(self) -> Iterator[Dial]:
        """Yield the links that carrying needs, while they are missing."""
        for text in self._chosen:
            if self.linked(invitation.read(text).fingerprint) is None:
                yield self._dial(text)
        for each in self._own.asked:
            yield self._dial_via(each)

    def _dial(self, text: str) -> Dial:
        key = self._known.with_fingerprint(invitation.read(text).fingerprint)
        return Dial(text, key)

    def _dial_via(self, each: Via) -> Dial:
        if each.address is None:
            return Dial("", self._known.with_fingerprint(each.carrier))
        place = each.address.text()
        return self._dial(f"{invitation.SCHEME}{place}#{each.carrier}")

    def failed(self, dial: Dial, error: NetplayError) -> bool:
        """Take that there is no link to who carries; return whether it was that."""
        found = [each for each in self._own.asked if self._dial_via(each) == dial]
        for each in found:
            self._own.failed(each, error)
        return bool(found) or dial.address in self._chosen

    def expects(self, key: bytes) -> bool:
        """Tell whether a link matters: whom the player knows, and has lines there."""
        busy = self._board.serves(key) and self._known.is_friend(key)
        return busy or self.is_chosen(key) or key in self._own

    def trusts(self, key: bytes) -> bool:
        """Tell whether a peer may send as many frames as a match needs."""
        return self._board.serves(key) or key in self._own

    def is_chosen(self, key: bytes) -> bool:
        """Tell whether the player here has chosen to be reached through a node."""
        return any(invitation.read(text).fits(key) for text in self._chosen)

    # Messages.

    def receive(
        self, key: bytes, message: link.LineMessage | LetterMessage, now: float
    ) -> None:
        """Take a message about lines or letters.

        Raises:
            PeerError: It breaks the protocol.
        """
        match message:
            case link.Carries(carries, letters):
                self._carriers[key] = carries
                self._keepers.pop(key, None)
                ours = self._known.is_friend(key) or self._tables.letters.has_third(key)
                if letters and ours:
                    self._keepers[key] = carries
                self.posting.look()
                self.choose_one()
                self._moved()
            case link.OpenLine():
                self._do(self._board.opens(key, message, now))
                self._moved()  # windows show how many there are
            case link.Ring():
                # Somebody comes in through a friend.
                welcome = self._known.is_friend(key) and self.nursery is not None
                incoming = self._own.ring(key, message, welcome=welcome)
                if incoming is not None and self.nursery is not None:
                    self.nursery.start_soon(self._links.came, incoming)
            case link.LineBytes() | link.LineTaken() | link.CloseLine():
                if self._board.carries(key, message.line):
                    self._do(self._carry(key, message, now))
                    if isinstance(message, link.CloseLine):
                        self._moved()
                else:
                    self._own.receive(key, message)
            case _:
                self.posting.receive(key, message, now)

    def _carry(
        self,
        key: bytes,
        message: link.LineBytes | link.LineTaken | link.CloseLine,
        now: float,
    ) -> list[Say]:
        match message:
            case link.LineBytes():
                return self._board.sends(key, message, now)
            case link.LineTaken():
                return self._board.takes(key, message, now)
            case link.CloseLine():
                return self._board.closes(key, message)

    def _do(self, says: Iterable[Say]) -> None:
        """Say what is to be said, each in its time."""
        for say in says:
            if say.wait and self.nursery is not None:
                self.nursery.start_soon(self._say_later, say)
            else:
                self.send(say.key, say.message)

    async def _say_later(self, say: Say) -> None:
        await trio.sleep(say.wait)
        assert isinstance(say.message, link.LineTaken)
        if self._board.carries(say.key, say.message.line):
            self.send(say.key, say.message)

    def _judge(self, key: bytes, to: str) -> bytes:
        """Return the key of whom somebody wants a line to.

        Raises:
            PeerError: DECLINED, we do not carry for them; NO_ANSWER, it is not here.
        """
        wanted = folded(to)
        other = self.linked(wanted) or self._known.with_fingerprint(wanted)
        ends = [self._known.is_friend(each) for each in (key, other or b"")]
        known = all(ends) if self._policy == "known" else any(ends)
        if self._policy == "off" or not known:
            raise PeerError(Code.DECLINED, "")
        if other is None or other == key or other not in self._links.here():
            # To somebody unknown a friend who is away is as anybody else.
            raise PeerError(Code.NO_ANSWER if ends[0] else Code.DECLINED, "")
        return other

    # See `posting.Around`.

    def keepers(self) -> Mapping[bytes, bool]:
        """Return who keeps letters, and whether of any match; our choice first."""
        found = sorted(self._keepers.items(), key=lambda e: not self.is_chosen(e[0]))
        return dict(found)

    def is_friend(self, key: bytes) -> bool:
        """Tell whether the player here knows somebody."""
        return self._known.is_friend(key)

    def may_leave(self, author: bytes, reader: bytes) -> bool:
        """Tell whether this node keeps letters of one for the other."""
        both = author, reader
        if author == reader or any(each in self._known.blocked for each in both):
            return False
        ends = list(map(self._known.is_friend, both))
        known = all(ends) if self._policy == "known" else any(ends)
        together = self._tables.letters.sit_together(author, reader)
        return (self._policy != "off" and known) or together

    def moved(self) -> None:
        """Show how it stands."""
        self._moved()

    def refused(self, why: NetplayError) -> None:
        """Write down that a letter was refused: as what strangers cause, so often."""
        self._links.note_stranger("letter.refused", why=why)

    # See `line.Around`.

    def linked(self, carrier: str) -> bytes | None:
        """Return the key of a node that is there, by its fingerprint, folded."""
        here = self._links.here()
        return next((k for k in here if folded(fingerprint(k)) == carrier), None)

    def named(self, carrier: str) -> str:
        """Return what to call a node."""
        key = self.linked(folded(carrier)) or self._known.with_fingerprint(carrier)
        return self.name(key) if key else carrier

    def name(self, key: bytes) -> str:
        """Return what a node's player is called, its fingerprint for want of a name."""
        connection = self._links.here().get(key)
        hello = None if connection is None else connection.hello
        said = hello.name if hello else ""
        return said or self._known.name(key) or fingerprint(key)

    def send(self, key: bytes, message: link.LineMessage | LetterMessage) -> None:
        """Send on a link."""
        self._links.send((key,), message)

    def wanted(self) -> None:
        """Have the links looked for that are wanted now."""
        self._moved()

    # See `line.Through`.

    def ways(self, to: str) -> tuple[str, ...]:
        """Return the places of friends who are there and carry for us.

        Args:
            to: Whom they are to carry to: a fingerprint, folded.
        """
        return tuple(
            via(key).text()
            for key, carries in self._carriers.items()
            if carries and self._known.is_friend(key) and folded(fingerprint(key)) != to
        )

    def is_here(self, to: str) -> bool:
        """Return whether there is a link already."""
        return self.linked(to) is not None

    async def connect(self, place: Via, to: str) -> tuple[Line, bytes]:
        """Return a line to a node, and who carries.

        Raises:
            LocalError: NO_ANSWER, there is none.
        """
        line = await self._own.connect(place, to)
        key = self.linked(folded(place.carrier))
        return line, key or b""

    # Telling.

    def places(self) -> tuple[str, ...]:
        """Return through whom this node is reached, as others are told."""
        found: list[str] = []
        for key, carries in self._carriers.items():
            if carries and self.is_chosen(key):
                where = self._place(key)
                if where is not None:
                    found.append(via(key, where).text())
        return tuple(found[:CARRIERS_TOLD])

    def _place(self, key: bytes) -> Address | None:
        """Return where others find a node that is here most likely."""
        here = self._links.here()[key]
        called = "" if here.way is Way.CAME else here.address
        # Where others find a node most likely: the first place of the internet
        found = [
            parse(text)
            for text in (*filter(None, (called,)), *self._known.places_told(key))
            if not text.startswith("via/")
        ]
        far = (each for each in found if _is_far(each))
        return next(far, found[0] if found else None)

    def status(self) -> CarryStatus:
        """Return how it stands, for windows."""
        return CarryStatus(
            self._policy,
            len(self._board),
            self._board.carried,
            len(self.posting),
            tuple(map(self._carrier, self._chosen)),
        )

    def _carrier(self, text: str) -> CarrierStatus:
        carrier = invitation.read(text).fingerprint
        key = self.linked(carrier)
        carries = key is not None and self._carriers.get(key, False)
        state: Literal["away", "carries", "declines"] = "away"
        if key is not None:
            state = "carries" if carries else "declines"
        return CarrierStatus(self.named(text.rpartition("#")[2]), text, state)

    # What the user wants.

    def choose(self, chosen: Carry) -> Said:
        """Carry for others from now on, or no more.

        Raises:
            LocalError: DISK, it cannot be kept.
        """
        self._home.set(CARRY, chosen)
        self._policy = chosen
        self._do(self._board.end_all())
        self.look()
        return CARRIES[chosen]()

    def add(self, text: str) -> Said:
        """Be reached through a friend from now on.

        Raises:
            LocalError: USAGE, it is no invitation, our own, or one too many; DISK.
        """
        word = (text.split() or [""])[0]
        found = invitation.read(word)
        kept = tuple(t for t in self._chosen if _print(t) != found.fingerprint)
        if len(kept) >= CARRIERS:
            raise LocalError(Code.USAGE, Says.CARRIERS_FULL(count=CARRIERS))
        if found.fits(self._links.own_key):
            raise LocalError(Code.SELF)
        self._keep((*kept, word))
        self._refuse({*self._refused} - {found.fingerprint})
        named = word.rpartition("#")[2]
        name = self.named(named)
        who = Says.WHOEVER_INVITED() if name == named else name
        return Says.CARRIER_ADDED(name=who)

    def choose_one(self) -> None:
        """Choose a friend who carries, where nothing else leads here."""
        if self._chosen or not self.alone():
            return
        for key, carries in self._carriers.items():
            named = fingerprint(key)
            if not carries or not self._known.is_friend(key):
                continue
            where = self._place(key)
            if where is None or not _is_far(where) or folded(named) in self._refused:
                continue
            with suppress(LocalError):  # a full disk: the next time
                self._keep((f"{invitation.SCHEME}{where.text()}#{named}",))
                self._journal("carrier.chosen", name=self.name(key))
            return

    def remove(self, whom: str) -> Said:
        """Be reached through a friend no longer.

        Args:
            whom: An invitation, a fingerprint or a name.

        Raises:
            LocalError: USAGE, it is none of them; DISK.
        """
        for text in self._chosen:
            name = self.named(text.rpartition("#")[2])
            if whom == name or folded(whom.rpartition("#")[2]) == _print(text):
                self._keep(tuple(each for each in self._chosen if each != text))
                self._refuse({*self._refused, _print(text)})
                return Says.CARRIER_REMOVED(name=name)
        raise LocalError(Code.USAGE, Says.NO_CARRIER(name=whom))

    def befriend(self, key: bytes) -> Said:
        """Treat a node that was met as one whom the player has called."""
        self._known.befriend(key, self._known.name(key) or self.name(key))
        self.look()
        return Says.BEFRIENDED(name=self.name(key))

    def _refuse(self, refused: set[str]) -> None:
        if refused != {*self._refused}:
            self._home.set(NOT_THROUGH, " ".join(sorted(refused)))
            self._refused = tuple(refused)

    def _keep(self, chosen: tuple[str, ...]) -> None:
        self._home.set(THROUGH, " ".join(chosen))
        self._chosen = chosen
        for key in tuple(self._links.here()):
            if self.is_chosen(key):
                self._links.befriend((key,))
        self._moved()


def _print(text: str) -> str:
    return invitation.read(text).fingerprint


def _is_far(place: Address) -> bool:
    try:
        return scope_of(place.host) is Scope.INTERNET
    except ValueError:
        return True  # a name, which others can look up
