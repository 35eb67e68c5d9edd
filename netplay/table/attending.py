"""This node as a bystander: whom it asks to watch, and how it gets the match.

It checks and keeps every entry as a member does, in a `Match` of which it is no
member: so it acknowledges nothing, has no say in anything, and is shown a bystander's
view.  It comes back by itself after a cut or a restart.
"""

from functools import partial
from typing import TYPE_CHECKING, Final

from netplay.desk import Dial
from netplay.errors import Code, NetplayError, PeerError
from netplay.messages.log import Entries, Have, LogMessage
from netplay.messages.table import Attend, Bystanders, Decline, Piece, Terms
from netplay.record.chance import ZERO
from netplay.record.ledger import Ledger, read_terms
from netplay.record.log import match_of
from netplay.record.store import MemoryDisk
from netplay.table.declining import declining, said
from netplay.table.resources import Fetch, Kept, Kind

if TYPE_CHECKING:
    from netplay.table.sitting import Sitting


class Attending:
    """A match that this node watches, or asks to."""

    def __init__(self, sitting: "Sitting", address: str, match: bytes = b"") -> None:
        """Begin by looking for a member.

        Args:
            sitting: The table in hand.
            address: Where to call; empty for any member whose address is known.
            match: Which match, once it is known.
        """
        self._sitting: Final = sitting
        self._address: Final = address
        self.match = match
        self.key: bytes | None = None
        """The member where this node watches."""
        self.watches = False
        self.given_up = False
        """Nobody is to be asked any more; what is here can be looked at."""
        self._fetches: list[Fetch] = []

    @property
    def calls(self) -> str:
        """The address that is called and has not answered yet."""
        return "" if self.key is not None or self.given_up else self._address

    def wants_dial(self) -> list[Dial]:
        """Return the links that are missing."""
        sitting, key = self._sitting, self.key
        if self.given_up or (key is not None and sitting.is_up(key)):
            return []
        if key is not None:
            return [Dial(sitting.places.get(key, self._address), key)]
        if self._address:
            return [Dial(self._address, None)]
        places = sitting.places
        return [Dial(places.get(key, ""), key) for key in sitting.others]

    # Links.

    def up(self, key: bytes, address: str) -> None:
        """Ask a member that can be reached, if it is the one called."""
        called = bool(self._address) and address == self._address
        mine = key == self.key if self.key else called or self._is_member(key)
        if mine and not self.given_up:
            self.key = key
            self._sitting.strangers.befriend((key,))
            self._sitting.changed = True
            self._sitting.say((key,), Attend(self.match))

    def _is_member(self, key: bytes) -> bool:
        """Tell whether somebody plays in the match that is watched."""
        match = self._sitting.match
        return match is not None and key in match.others

    def down(self, key: bytes) -> None:
        """Note that a member is away."""
        if key == self.key:
            self.watches = False
            for fetch in self._fetches:
                fetch.again()

    def leave(self) -> None:
        """Watch no longer."""
        if self.key is not None and not self.given_up:
            self._sitting.say((self.key,), declining(Code.STOPPED, "left"))
        self.given_up = True

    # Messages.

    def told(self, message: Bystanders, now: float) -> None:
        """Take how things stand: whether this node may watch, and who is away."""
        sitting, key = self._sitting, self.key
        mine = [one for one in message.bystanders if one.key == sitting.me]
        if key is None or not mine or self.match not in {b"", message.match}:
            return
        self.match = message.match
        watches = mine[0].watches
        if not watches and not self.watches:
            name = sitting.name_of(key)
            sitting.tell(f"asked to watch; waiting for the players at {name}")
        begins, self.watches = watches and not self.watches, watches
        match = sitting.match
        if match is not None:
            holders = match.fold.holders
            seats = [seat for seat in message.absent if seat < len(holders)]
            match.away = frozenset(holders[seat] for seat in seats)
        if begins and match is not None:
            match.link_up(key, now)
            match.step(now)
        elif begins:
            sitting.say((key,), Have(self.match, 0, 0, ZERO))

    def declined(self, decline: Decline) -> None:
        """Take a refusal, or the end of watching."""
        sitting = self._sitting
        why = said(decline)
        over = sitting.match is not None and sitting.match.fold.over
        self.given_up, self.watches = True, False
        if sitting.match is None:
            sitting.drop()
        elif self.key is not None:
            sitting.match.away = frozenset()
            if not over:
                sitting.stopped = why or "the table was left"
        if not over:
            sitting.tell(f"watching has ended: {why}", "error")

    def take(self, key: bytes, message: LogMessage, now: float) -> None:
        """Take the beginning of the match, once everything it needs is here.

        Raises:
            PeerError: It is no match, or cannot be followed here.
            LocalError: DISK.
        """
        sitting, archive = self._sitting, self._sitting.means.archive
        known = message.match == self.match and key == self.key and self.watches
        if not known or not isinstance(message, Entries) or not message.entries:
            return
        terms = read_terms(message.entries[0])
        if match_of(terms) != self.match:
            raise PeerError(Code.BAD_LOG, "another match")
        if self.match in sitting.spoiled:
            self.leave()
            self.declined(declining(Code.DISK))
            return
        if self._fetches or self._fetch(terms):
            sitting.say((key,), *(w for fetch in self._fetches for w in fetch.wants()))
            return
        try:
            Ledger(MemoryDisk(), message.entries[:1])
        except PeerError as error:
            if error.code is not Code.RULES:
                raise
            sitting.say((key,), declining(error.code, error.reason))
            self.declined(declining(error.code, str(error)))
            return
        ledger = Ledger(archive.open(self.match), message.entries[:1])
        sitting.open(ledger, now, self)

    def _fetch(self, terms: Terms) -> bool:
        """Note what must be fetched; return whether anything must."""
        needed = {Kind.EDITION: terms.edition, Kind.LEXICON: terms.lexicon}
        shelf = self._sitting.means.shelf
        self._fetches = [
            Fetch(kind, digest)
            for kind, digest in needed.items()
            if digest and not shelf.has(kind, digest)
        ]
        return bool(self._fetches)

    def take_piece(self, key: bytes, piece: Piece) -> None:
        """Take a piece of an edition or word list.

        Raises:
            PeerError: BAD_DIGEST or TOO_LARGE.
        """
        sitting = self._sitting
        fetch = next((one for one in self._fetches if one.digest == piece.digest), None)
        if fetch is None or key != self.key:
            return
        whole = fetch.take(piece)
        if whole is None:
            sitting.say((key,), *fetch.wants())
            return
        kept: Kept = partial(self._kept, key, fetch)
        sitting.means.shelf.take_in(fetch.kind, fetch.digest, whole, kept)

    def _kept(self, key: bytes, fetch: Fetch, fault: NetplayError | None) -> None:
        """Ask for the match once everything it needs is here, or give up."""
        if fetch not in self._fetches or self.given_up:
            return
        self._fetches.remove(fetch)
        if fault is not None:
            self._fetches.clear()
            self._sitting.say((key,), declining(fault.code, fault.reason))
            self.declined(declining(fault.code, str(fault)))
        elif not self._fetches:
            self._sitting.say((key,), Have(self.match, 0, 0, ZERO))
