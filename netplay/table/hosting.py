"""A table that this node forms: it gives seats to those who come, and starts."""

from collections.abc import Iterator
from typing import Final

from typing_extensions import override

from netplay.errors import Code, LocalError
from netplay.messages.door import Call, ChangeTable, Question, StartMatch, TableStatus
from netplay.messages.table import Accept, Ask, Decline, OpenTable, Terms
from netplay.messages.table_questions import Kick, LetWatch
from netplay.messages.types import Admission
from netplay.peering.fingerprint import fingerprint
from netplay.peering.invitation import plain
from netplay.peering.named_peer import one_named
from netplay.record.hidden import SEED_BYTES, KeptKey
from netplay.record.ledger import Ledger, make_genesis
from netplay.record.log import match_of
from netplay.record.signing import SecretKey
from netplay.said import Words
from netplay.sentences import Says
from netplay.table.changes import Change, Gone, TakeUp
from netplay.table.chat_room import ChatRoom
from netplay.table.declining import heard
from netplay.table.forming import Forming
from netplay.table.kept_seats import is_fingerprint
from netplay.table.resources import Kind
from netplay.table.shared import Shared
from netplay.table.state import Reply, State
from netplay.table.table_status import Eyes, show_forming
from netplay.table.unopened import keep_secrets, signer_of
from netplay.wanted import Dial, PeerMessage

TURNED_AWAY: Final = 8
"""Of whom a host is told that they ask for a seat that is kept for others."""

KEPT: Final = Says.SEATS_KEPT()
REMOVED: Final = Says.SEAT_FREED()
"""Reasons that a guest reads."""


class Hosting(State):
    """A table that is being formed here."""

    survives = True

    def __init__(self, shared: Shared, forming: Forming) -> None:
        """Open it.

        Args:
            shared: What all tables of the node have in common.
            forming: Its chairs and terms.
        """
        super().__init__(shared)
        self.forming: Final = forming
        self.chat = ChatRoom(shared, self, forming.nonce)

    # What there is.

    @property
    @override
    def mode(self) -> str:
        return "hosting"

    @property
    @override
    def busy(self) -> bool:
        return True

    @property
    @override
    def terms(self) -> Terms:
        return self.forming.terms()

    @property
    @override
    def others(self) -> list[bytes]:
        return self.forming.guests

    @property
    @override
    def admission(self) -> Admission:
        return self.forming.bystanders

    @override
    def dials(self) -> Iterator[Dial]:
        for chair in self.forming.chairs:
            if not chair.address or not (chair.key or chair.calls):
                continue
            if not is_fingerprint(chair.address):
                yield Dial(chair.address, chair.key)
            elif key := self.shared.means.known.with_fingerprint(chair.address):
                yield Dial("", key)

    @override
    def offer(self) -> tuple[str, int] | None:
        free = len(self.forming.free())
        return (self.terms.game, free) if free else None

    @override
    def open_to(self, key: bytes) -> OpenTable | None:
        """Return this table for a peer that may sit down, and does not sit yet."""
        table, peer = self.forming, self.shared.peers.get(key)
        if peer is None or key in table.guests:
            return None
        free = table.seats_for(key, peer.address)
        if key in table.removed:
            free = table.kept_for(key, peer.address)
        if not free:
            return None
        names = tuple(seat.name for seat in self.terms.seats if seat.name)
        return OpenTable(table.nonce, self.terms.game, len(free), names)

    @override
    def status(self, now: float) -> TableStatus:
        return show_forming(self.forming, Eyes.of(self.shared, now))

    # Life.

    @override
    def enter(self, now: float) -> Change | None:
        """Seat whoever is there already, and begin at once if all have agreed."""
        self._seat_called()
        self._propose()
        at_once = self.forming.begins and self.forming.agreed
        return self._start() if at_once else None

    @override
    def peer_up(self, key: bytes, address: str, now: float) -> Change | None:
        """Seat a peer that was called, or show one that is seated the terms again."""
        called = self.forming.kept_for(key, address)
        if key in self.forming.guests:
            self.shared.say((key,), self.forming.proposal())
        elif called:
            self._seat(key, called[0])
            self._propose()
        return None

    @override
    def blocked(self, key: bytes) -> Change | None:
        if key in self.forming.guests:
            self._remove(key)
        return None

    def _seat(self, key: bytes, number: int) -> None:
        """Give a peer a seat."""
        peer = self.shared.peers[key]
        self.forming.addresses[key] = plain(peer.address)
        self.forming.seat(key, peer.name, number)

    def _seat_called(self) -> None:
        """Seat peers that are called and already up."""
        for key, peer in self.shared.peers.items():
            called = self.forming.kept_for(key, peer.address) if peer.up else []
            if called and key not in self.forming.guests:
                self._seat(key, called[0])

    def _propose(self) -> None:
        """Send everybody at the table its terms."""
        self.shared.changed = True
        self.shared.say(self.forming.guests, self.forming.proposal())
        assert self.chat is not None
        self.chat.greet(self.forming.guests)

    def _remove(self, key: bytes) -> None:
        """Free a player's seat, and say so to all whom it concerns."""
        self._decline(key, Code.DECLINED, REMOVED)
        self.forming.remove(key)
        self._propose()

    # Messages.

    @override
    def receive(self, key: bytes, message: PeerMessage, now: float) -> Change | None:
        match message:
            case Ask():
                self._on_ask(key, message)
            case Accept():
                self.forming.accept(key, message)
                if self.forming.begins and self.forming.agreed:
                    return self._start()
            case Decline() if key in self.forming.guests:
                self.forming.unseat(key)
                name = self.shared.name_of(key)
                self.shared.tell_of(
                    key, Says.DOES_NOT_PLAY(name=name, why=heard(message))
                )
                self._propose()
            case _:
                return super().receive(key, message, now)
        return None

    def _on_ask(self, key: bytes, ask: Ask) -> None:
        """Give a peer a seat, or say why not."""
        table, shared = self.forming, self.shared
        came_from = shared.peers[key].address
        wanted = [n for n in table.seats_for(key, came_from) if ask.seat in {-1, n}]
        if key in table.guests:
            shared.say((key,), table.proposal())
        elif key in table.removed and not table.kept_for(key, came_from):
            shared.decline(key, ask.table, Code.DECLINED, REMOVED, table.revision)
        elif not wanted:
            self._turn_away(key, ask)
        else:
            self._seat(key, wanted[0])
            shared.tell_of(key, Says.HAS_COME(name=shared.known_as(key)))
            self._propose()

    def _decline(self, key: bytes, code: Code, why: Words) -> None:
        """Say no to somebody."""
        table = self.forming
        self.shared.decline(key, table.nonce, code, why, table.revision)

    def _turn_away(self, key: bytes, ask: Ask) -> None:
        """Say that no seat is free for a peer, and tell the host why, once."""
        why, shared = KEPT if self.forming.free() else "", self.shared
        revision = self.forming.revision
        shared.decline(key, ask.table, Code.TABLE_FULL, why, revision)
        told = self.forming.turned_away
        if why and key not in told and len(told) < TURNED_AWAY:
            told.add(key)
            who = f"{shared.known_as(key)}, {fingerprint(key)}"
            shared.tell_of(key, Says.ASKS_FOR_SEAT(who=who))

    # Windows.

    @override
    def ask(self, question: Question, now: float) -> Reply:
        match question:
            case ChangeTable(table):
                self.forming.change(table)
                keep_words(self.shared, self.forming)
                answer = Says.ASKED_AGAIN()
            case Call(address, seat):
                self.forming.call(address.strip(), seat)
                answer = Says.CALLING(address=address)
            case StartMatch():
                guests = self.forming.guests
                change = self._start()
                self.shared.befriend(guests)
                return Says.MATCH_BEGINS(), change
            case Kick(whom):
                return Says.REMOVED(name=self._kick(whom)), None
            case LetWatch(who):
                self.forming.admit(who)
                self._propose()
                return Says.BYSTANDERS(wish=who), None
            case _:
                return super().ask(question, now)
        self._seat_called()
        self._propose()
        return answer, None

    def _kick(self, whom: str) -> str:
        """Free the seat of a player; return the name.

        Args:
            whom: Name or fingerprint.

        Raises:
            LocalError: USAGE, there is nobody so named.
        """
        table = self.forming
        names = {key: self.shared.name_of(key) for key in table.guests}
        names |= {c.key: c.name for c in table.chairs if c.key is not None}
        key = one_named(names, whom)
        self._remove(key)
        return names[key]

    @override
    def leave(self) -> Reply:
        for key in self.others:
            self._decline(key, Code.STOPPED, Says.LEFT_TABLE())
        return Says.TABLE_LEFT(), Gone()

    # The match.

    def _start(self) -> Change:
        """Start the match that all have agreed on.

        Raises:
            LocalError: Not all have, or DISK: nothing is left of the match then.
        """
        table, shared = self.forming, self.shared
        seed = shared.means.entropy(SEED_BYTES) if table.here else b""
        table.signer = SecretKey(seed) if seed else shared.means.signer
        terms, archive = table.terms(), shared.means.archive
        name = match_of(terms)
        raw = make_genesis(table.signer, terms, table.signatures())
        try:
            if seed:
                keep_secrets(shared, name, KeptKey(seed))
            ledger = Ledger(archive.open(name), (raw,))
            ledger.file.sync()
            signer_of(shared, ledger)  # there is room for the secrets, too
        except LocalError:
            archive.discard(name)
            raise
        for number, chair in enumerate(table.chairs):
            if chair.program:
                shared.means.programs.put(name, number, chair.program)
        shared.places.update(table.addresses)
        return TakeUp(ledger)


def keep_words(shared: Shared, table: Forming) -> None:
    """Keep an edition and a word list that came from the user's own files.

    Raises:
        LocalError: DISK.
    """
    terms, shelf = table.terms(), shared.means.shelf
    shelf.adopt(Kind.EDITION, terms.edition)
    shelf.adopt(Kind.LEXICON, terms.lexicon)
