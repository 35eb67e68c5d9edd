"""A match that this node watches: it has a copy of the log, and no say in anything.

It checks and keeps every entry as a member does, in a `Match` of which it is no member:
so it acknowledges nothing and is shown a bystander's view.  It comes back by itself
after a cut or a restart.
"""

from collections.abc import Iterable
from typing import Final

from typing_extensions import override

from netplay.desk import Dial, PeerMessage
from netplay.errors import Code
from netplay.match.match import Match
from netplay.messages.log import LogMessage
from netplay.messages.table import Attend, Bystanders, Decline
from netplay.table.changes import Change, Gone, PlayOn
from netplay.table.declining import said
from netplay.table.in_match import InMatch
from netplay.table.shared import Shared
from netplay.table.state import Reply
from netplay.table.watched_at import WatchedAt


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
        return None

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
        match message:
            case Bystanders():
                self._told(key, message, now)
                return None
            case Attend(match) if match in {b"", self._match.match}:
                self.shared.decline(key, Code.NO_TABLE, "watch at a player's")
                return None
            case _:
                return super().receive(key, message, now)

    def _told(self, key: bytes, message: Bystanders, now: float) -> None:
        """Take how things stand: whether this node may watch, and who is away."""
        begins, match = self.at.told(key, message), self._match
        if key == self.at.key and message.match == match.match:
            holders = match.fold.holders
            seats = [seat for seat in message.absent if seat < len(holders)]
            match.tell_away(frozenset(holders[seat] for seat in seats))
        self._begin(now, begins)

    @override
    def on_decline(self, key: bytes, decline: Decline, now: float) -> None:
        """Take the end of watching; the match stays to be looked at."""
        if key != self.at.key:
            super().on_decline(key, decline, now)
            return
        why = said(decline)
        self.at.end()
        self._match.tell_away(frozenset())
        if not self._match.fold.over:
            self.stopped = why or "the table was left"
            self.shared.tell(f"watching has ended: {why}", "error")

    @override
    def on_log(self, key: bytes, message: LogMessage, now: float) -> Change | None:
        change = super().on_log(key, message, now)
        handed = change is None and not self._match.watching
        return PlayOn(self._match) if handed else change
