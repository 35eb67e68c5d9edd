"""This node as a bystander: it asks to watch, and then has a copy of the log.

It checks and keeps every entry as a member does, in a `Match` of which it is no member:
so it acknowledges nothing, has no say in anything, and is shown a bystander's view.  It
comes back by itself after a cut or a restart.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from typing_extensions import override

from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.match.match import Match
from netplay.messages import table
from netplay.messages.door import Choose
from netplay.messages.log import Entries, Have, LogMessage
from netplay.record.chance import ZERO
from netplay.record.ledger import Ledger, read_terms
from netplay.record.log import match_of
from netplay.record.store import MemoryDisk
from netplay.said import Said, Words
from netplay.sentences import Says
from netplay.table.forming import told_as
from netplay.table.in_match import InMatch
from netplay.table.resources import Fetches, missing
from netplay.table.shared import Shared, heard
from netplay.table.state import AskToWatch, Change, Gone, PlayOn, Reply, State, WatchOn
from netplay.wanted import Dial, PeerMessage


class WatchedAt:
    """Whom this node asks to watch, and what came of it."""

    def __init__(self, shared: Shared, address: str, match: bytes = b"") -> None:
        """Begin by looking for a member.

        Args:
            shared: What all tables of the node have in common.
            address: Where to call; empty for any member whose address is known.
            match: Which match, once it is known.
        """
        self._shared = shared
        self._address = address
        self.match = match
        self.key: bytes | None = None
        """The member where this node watches."""
        self.watches = False
        self._waits = False
        """The player here knows that all who play have yet to agree."""
        self.given_up = False
        """Nobody is to be asked any more; what is here can be looked at."""

    def calls(self, address: str) -> bool:
        """Tell whether an address is called and has not answered yet."""
        waits = self.key is None and not self.given_up
        return waits and bool(address) and address == self._address

    def dials(self, members: Iterable[bytes]) -> Iterator[Dial]:
        """Yield the links that are missing.

        Args:
            members: Whoever plays in the match, as far as that is known.
        """
        places, key = self._shared.places, self.key
        if self.given_up:
            return
        if key is not None:
            yield Dial(places.get(key, self._address), key)
        elif self._address:
            yield Dial(self._address, None)
        else:
            for member in members:
                yield Dial(places.get(member, ""), member)

    def up(self, key: bytes, address: str, *, member: bool = False) -> None:
        """Ask whoever has come, if it is the one called, or any member will do."""
        called = bool(self._address) and address == self._address
        mine = key == self.key if self.key else called or member
        if mine and not self.given_up:
            self.key, self.watches = key, False  # on a new line it is asked anew
            self._waits = False
            self._shared.befriend((key,))
            self._shared.changed = self._shared.moved = True
            self._shared.say((key,), table.Attend(self.match))

    def told(self, key: bytes, message: table.Bystanders) -> bool:
        """Take how things stand; return whether this node may watch from now on."""
        shared = self._shared
        mine = [one for one in message.bystanders if one.key == shared.me]
        if key != self.key or not mine or self.match not in {b"", message.match}:
            return False
        self.match = message.match
        watches = mine[0].watches
        if not (watches or self._waits):  # else it is about who is away
            name = shared.name_of(key)
            shared.tell(Says.ASKED_TO_WATCH(name=name))
        self._waits = not watches
        begins, self.watches = watches and not self.watches, watches
        return begins

    def leave(self) -> None:
        """Watch no longer."""
        if self.key is not None and not self.given_up:
            self._shared.unwatched = self.match, self._shared.now
            self._shared.decline(self.key, self.match, Code.STOPPED, "left")
        self.end()

    def end(self) -> None:
        """Ask nobody any more."""
        self.given_up, self.watches = True, False
        self._shared.moved = True


class Asking(State):
    """A match that this node would like to watch."""

    polled = True

    def __init__(self, shared: Shared, ask: AskToWatch) -> None:
        """Call a member.

        Args:
            shared: What all tables of the node have in common.
            ask: Where, and which match.
        """
        super().__init__(shared)
        self.answers.update({Choose: self._choose})
        self.at: Final = WatchedAt(shared, ask.address, ask.match)
        self._address: Final = ask.address
        self.offers: tuple[table.OpenTable, ...] = ()
        """What may be watched there, until the player has chosen."""
        self._nonce = b""
        """Of the terms, once they are known."""
        self._fetches: Final = Fetches(shared.means.shelf)

    @property
    @override
    def mode(self) -> str:
        return "calling"

    @property
    @override
    def address(self) -> str:
        return self._address

    @property
    @override
    def nonce(self) -> bytes:
        return self._nonce

    @property
    @override
    def match_name(self) -> bytes:
        return self.at.match

    @override
    def asked(self, key: bytes) -> bool:
        return key == self.at.key and not self.at.match

    @override
    def expects(self, key: bytes) -> bool:
        return key == self.at.key

    @override
    def dials(self) -> Iterable[Dial]:
        return self.at.dials(())

    @override
    def enter(self, now: float) -> Change | None:
        for key in self.shared.at(self._address):
            self.at.up(key, self._address)
        return None

    # Links.

    @override
    def peer_up(self, key: bytes, address: str, now: float) -> Change | None:
        there = key in self.shared.at(self._address)
        self.at.up(key, self._address if there else address)
        return None

    @override
    def peer_down(self, key: bytes, now: float) -> Change | None:
        if key == self.at.key:
            self.at.watches = False
            self._fetches.again()
        return None

    @override
    def unreachable(self, dial: Dial) -> Change | None:
        return Gone() if self.at.calls(dial.address) else None

    @override
    def blocked(self, key: bytes) -> Change | None:
        return self.leave()[1] if key == self.at.key else None

    @override
    def leave(self) -> Reply:
        self.at.leave()
        return Says.TABLE_LEFT(), Gone()

    # Messages.

    @override
    def receive(self, key: bytes, message: PeerMessage, now: float) -> Change | None:
        if key == self.at.key:
            match message:
                case table.Bystanders():
                    if self.at.told(key, message):
                        self._ask_for_genesis()
                    return None
                case table.Piece():
                    self.shared.say((key,), *self._fetches.take(message))
                    return None
                case table.Decline():
                    return self._ended(heard(message))
                case table.OpenTables(tables):
                    self._choose_from(tables)
                    return None
                case _:
                    pass
        return super().receive(key, message, now)

    def _choose_from(self, tables: tuple[table.OpenTable, ...]) -> None:
        """Let the player choose which match is meant."""
        if not self.at.match and self.at.key is not None:
            self.offers, shared = tables, self.shared
            name = shared.known_as(self.at.key)
            shared.tell(Says.SEVERAL_OPEN(name=name, count=len(tables)))
            shared.changed = True

    def _choose(self, question: Choose, _now: float) -> Reply:
        """Ask to watch one of the matches that are open at the host.

        Raises:
            LocalError: USAGE, there is no such match.
        """
        number, count = question.number, len(self.offers)
        if not 0 <= number < count or self.at.key is None:
            raise LocalError(Code.USAGE, Says.NO_SUCH_OFFER(count=count))
        self.at.match, self.offers = self.offers[number].table, ()
        self.shared.say((self.at.key,), table.Attend(self.at.match))
        known = self.shared.means.known
        return Says.CALLING(address=told_as(self._address, known)), None

    def _ask_for_genesis(self) -> None:
        """Ask for the beginning of the match."""
        if self.at.key is not None:
            self.shared.say((self.at.key,), Have(self.at.match, 0, 0, ZERO))

    @override
    def send(self, now: float) -> Change | None:
        come, fault = self._fetches.take_news()
        if fault is not None:
            return self._fail(fault)
        if come and not self._fetches:
            self._ask_for_genesis()
        return None

    @override
    def on_log(self, key: bytes, message: LogMessage, now: float) -> Change | None:
        known = key == self.at.key and self.at.watches
        if not isinstance(message, Entries) or not known:
            return None
        if not message.entries:
            return None
        terms, shared = read_terms(message.entries[0]), self.shared
        if match_of(terms) != self.at.match:
            raise PeerError(Code.BAD_LOG, "another match")
        if shared.is_spoiled(self.at.match):
            self.at.leave()
            return self._ended(Said(Code.DISK.name))
        self._nonce = terms.nonce
        wants = list(self._fetches.wants())
        lacks = missing(shared.means.shelf, terms)
        wants = wants or self._fetches.begin(terms.nonce, lacks)
        if self._fetches:
            shared.say((key,), *wants)
            return None
        try:
            Ledger(MemoryDisk(), message.entries[:1])
        except PeerError as error:
            if error.code is not Code.RULES:
                raise
            return self._fail(error)
        archive = shared.means.archive
        ledger = Ledger(archive.open(self.at.match), message.entries[:1])
        return WatchOn(ledger, key, message)

    def _fail(self, why: NetplayError) -> Change:
        """Say that this node cannot watch."""
        if self.at.key is not None:
            self.shared.decline(self.at.key, self.at.match, why.code, why.reason)
        return self._ended(why.said)

    def _ended(self, why: Words) -> Change:
        """Show why there is nothing to be watched."""
        self.at.end()
        self.shared.tell(Says.WATCHING_ENDED(why=why), "error")
        return Gone()


class Watching(InMatch):
    """A match without a seat here; nobody waits for a bystander."""

    def __init__(self, shared: Shared, match: Match, at: WatchedAt) -> None:
        """Look on.

        Args:
            shared: What all tables of the node have in common.
            match: Its files are open.
            at: Where this node watches.
        """
        super().__init__(shared, match)
        self.at: Final = at

    @property
    @override
    def mode(self) -> str:
        return "watching"

    @override
    def expects(self, key: bytes) -> bool:
        return key == self.at.key or super().expects(key)

    @override
    def dials(self) -> Iterable[Dial]:
        return self.at.dials(self.others)

    # Life.

    @override
    def enter(self, now: float) -> Change | None:
        super().enter(now)
        self._begin(now, self.at.watches)
        return None

    def _begin(self, now: float, may: bool) -> None:
        """Take up with the member where this node may watch."""
        if may and self.at.key is not None:
            self._match.link_up(self.at.key, now)
            self._match.step(now)

    @override
    def give_up(self) -> None:
        self.at.leave()
        super().give_up()

    @override
    def peer_up(self, key: bytes, address: str, now: float) -> Change | None:
        self.at.up(key, address, member=key in self._match.others)
        return None

    @override
    def peer_down(self, key: bytes, now: float) -> Change | None:
        super().peer_down(key, now)
        if key == self.at.key:
            self.at.watches = False
            self._match.tell_away(None)
        return None

    @override
    def blocked(self, key: bytes) -> Change | None:
        return self.leave()[1] if key == self.at.key else None

    @override
    def leave(self) -> Reply:
        self.at.leave()
        return Says.TABLE_LEFT(), Gone()

    # Messages.

    @override
    def receive(self, key: bytes, message: PeerMessage, now: float) -> Change | None:
        match message:
            case table.Bystanders():
                self._told(key, message, now)
                return None
            case table.Attend(match):
                why = Says.WATCH_AT_PLAYERS()
                self.shared.decline(key, match, Code.NO_TABLE, why)
                return None
            case _:
                return super().receive(key, message, now)

    def _told(self, key: bytes, message: table.Bystanders, now: float) -> None:
        """Take how things stand: whether this node may watch, and who is away."""
        begins, match = self.at.told(key, message), self._match
        if key == self.at.key and message.match == match.match:
            holders = match.fold.holders
            seats = [seat for seat in message.absent if seat < len(holders)]
            match.tell_away(frozenset(holders[seat] for seat in seats))
        self._begin(now, begins)

    @override
    def on_decline(self, key: bytes, decline: table.Decline, now: float) -> None:
        """Take the end of watching; the match stays to be looked at."""
        if key != self.at.key:
            super().on_decline(key, decline, now)
            return
        why = heard(decline)
        self.at.end()
        self._match.tell_away(frozenset())
        if not self._match.fold.over:
            self.stopped = why
            self.shared.tell(Says.WATCHING_ENDED(why=why), "error")

    @override
    def on_log(self, key: bytes, message: LogMessage, now: float) -> Change | None:
        change = super().on_log(key, message, now)
        handed = change is None and not self._match.watching
        return PlayOn(self._match) if handed else change
