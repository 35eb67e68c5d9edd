"""This node asks to watch a match, and fetches what it is played with."""

from collections.abc import Iterable
from typing import Final

from typing_extensions import override

from netplay.desk import Dial, PeerMessage
from netplay.errors import Code, NetplayError, PeerError
from netplay.messages.log import Entries, Have, LogMessage
from netplay.messages.table import Bystanders, Decline, Piece
from netplay.record.chance import ZERO
from netplay.record.ledger import Ledger, read_terms
from netplay.record.log import match_of
from netplay.record.store import MemoryDisk
from netplay.table.changes import Change, Gone, WatchOn
from netplay.table.declining import said
from netplay.table.resources import Fetches, missing
from netplay.table.shared import Shared
from netplay.table.state import Reply, State
from netplay.table.watched_at import WatchedAt


class Asking(State):
    """A match that this node would like to watch."""

    in_hand = True

    def __init__(self, shared: Shared, address: str) -> None:
        """Call a member.

        Args:
            shared: What all tables of the node have in common.
            address: Where.
        """
        super().__init__(shared)
        self.at: Final = WatchedAt(shared, address)
        self._address: Final = address
        self._fetches: Final = Fetches(shared.means.shelf)

    @property
    @override
    def mode(self) -> str:
        return "calling"

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
        self.at.up(key, address)
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
        return "the table is left", Gone()

    # Messages.

    @override
    def receive(self, key: bytes, message: PeerMessage, now: float) -> Change | None:
        if key == self.at.key:
            match message:
                case Bystanders():
                    if self.at.told(key, message):
                        self._ask_for_genesis()
                    return None
                case Piece():
                    self.shared.say((key,), *self._fetches.take(message))
                    return None
                case Decline():
                    return self._ended(said(message))
                case _:
                    pass
        return super().receive(key, message, now)

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
        known = message.match == self.at.match and key == self.at.key
        if not isinstance(message, Entries) or not known or not self.at.watches:
            return None
        if not message.entries:
            return None
        terms, shared = read_terms(message.entries[0]), self.shared
        if match_of(terms) != self.at.match:
            raise PeerError(Code.BAD_LOG, "another match")
        if self.at.match in shared.spoiled:
            self.at.leave()
            return self._ended(Code.DISK.text)
        wants = list(self._fetches.wants())
        wants = wants or self._fetches.begin(missing(shared.means.shelf, terms))
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
        return WatchOn(ledger, self.at, key, message)

    def _fail(self, why: NetplayError) -> Change:
        """Say that this node cannot watch."""
        if self.at.key is not None:
            self.shared.decline(self.at.key, why.code, why.reason)
        return self._ended(str(why))

    def _ended(self, why: str) -> Change:
        """Show why there is nothing to be watched."""
        self.at.end()
        self.shared.tell(f"watching has ended: {why}", "error")
        return Gone()
