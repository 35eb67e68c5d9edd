"""What peers say about seats and terms, before a match and after it."""

from typing import Final

from netplay.errors import Code, LocalError
from netplay.messages.table import Accept, Ask, Decline, Proposal
from netplay.peering.calling import one_named
from netplay.peering.fingerprint import fingerprint
from netplay.peering.invitation import plain
from netplay.table.declining import declining, said
from netplay.table.forming import Forming
from netplay.table.sitting import Sitting

TURNED_AWAY: Final = 8
"""Of whom a host is told that they ask for a seat that is kept for others."""

KEPT: Final = "the free seats are kept for others"
REMOVED: Final = "the host has freed your seat"
"""Reasons that a guest reads."""


class Seating:
    """Gives seats to those who come, and takes those that are offered."""

    def __init__(self, sitting: Sitting) -> None:
        """Begin."""
        self._sitting: Final = sitting

    def came(self, table: Forming, key: bytes) -> None:
        """Seat a peer that was called, or show one that is seated the terms again."""
        peer = self._sitting.peers[key]
        called = table.kept_for(key, peer.address)
        if key in table.guests:
            self._sitting.say((key,), table.proposal())
        elif called:
            table.addresses[key] = plain(peer.address)
            table.seat(key, peer.name, called[0])
            self._sitting.propose()

    def receive(
        self, key: bytes, message: Ask | Proposal | Accept | Decline, now: float
    ) -> None:
        """Take what is about seats and terms, and start the match once all agree."""
        match message:
            case Ask():
                self._on_ask(key, message)
            case Proposal():
                self._on_proposal(key, message)
            case Accept():
                table = self._sitting.forming
                if table is not None:
                    table.accept(key, message)
                    if table.begins and table.agreed:
                        self._sitting.start(now)
            case Decline():
                self._on_decline(key, message, now)

    def _decline(self, key: bytes, revision: int, code: Code, why: str = "") -> None:
        """Say no to a peer."""
        self._sitting.say((key,), declining(code, why, revision))

    def kick(self, whom: str) -> str:
        """Free the seat of a player at the table that is being formed.

        Args:
            whom: Name or fingerprint.

        Returns:
            The player's name.

        Raises:
            LocalError: NO_TABLE, or USAGE, there is nobody so named.
        """
        table = self._sitting.forming
        if table is None:
            raise LocalError(Code.NO_TABLE, "no table is being formed here")
        names = {key: self._sitting.name_of(key) for key in table.guests}
        names |= {c.key: c.name for c in table.chairs if c.key is not None}
        key = one_named(names, whom)
        self._remove(table, key)
        return names[key]

    def _remove(self, table: Forming, key: bytes) -> None:
        """Free a player's seat, and say so to all whom it concerns."""
        self._decline(key, table.revision, Code.DECLINED, REMOVED)
        table.remove(key)
        self._sitting.propose()

    def blocked(self, key: bytes) -> None:
        """Have nothing to do with a player any more.

        A match goes on as if there were no way to the player's node; a table where it
        sits is left, unless it is our own.
        """
        sitting, leave = self._sitting, Code.STOPPED
        if sitting.forming is not None:
            if key in sitting.forming.guests:
                self._remove(sitting.forming, key)
        elif sitting.guest is not None and key in sitting.others:
            self._decline(sitting.guest.host, 0, leave, "left the table")
            sitting.drop()
        elif sitting.attending is not None and sitting.attending.key == key:
            sitting.attending.leave()
            sitting.drop()
        else:
            sitting.gallery.turn_out(key)
            sitting.rematch.withdrawn(key)
        sitting.changed = True

    def _on_ask(self, key: bytes, ask: Ask) -> None:
        """Give a peer a seat, or say why not."""
        table = self._sitting.forming
        if table is None:
            match = self._sitting.match
            if match is None:
                self._decline(key, 0, Code.NO_TABLE)
            elif not self._sitting.rematch.wish(key) and key not in match.others:
                why = "a match is being played there"
                if self._sitting.gallery.open:
                    why += "; ask to watch it"
                self._sitting.say((key,), declining(Code.BUSY, why))
            return
        if key in table.guests:
            self._sitting.say((key,), table.proposal())
            return
        peer = self._sitting.peers[key]
        kept = table.kept_for(key, peer.address)
        if key in table.removed and not kept:
            self._decline(key, table.revision, Code.DECLINED, REMOVED)
            return
        seats = table.seats_for(key, peer.address)
        wanted = [n for n in seats if ask.seat in {-1, n}]
        if not wanted:
            self._turn_away(table, key)
            return
        table.addresses[key] = plain(peer.address)
        table.seat(key, peer.name, wanted[0])
        name = self._sitting.known_as(key)
        self._sitting.strangers.tell(f"{name} has come to the table", key)
        self._sitting.propose()

    def _turn_away(self, table: Forming, key: bytes) -> None:
        """Say that no seat is free for a peer, and tell the host why, once."""
        why = KEPT if table.free() else ""
        self._decline(key, table.revision, Code.TABLE_FULL, why)
        told = table.turned_away
        if why and key not in told and len(told) < TURNED_AWAY:
            told.add(key)
            who = f"{self._sitting.known_as(key)}, {fingerprint(key)}"
            detail = f"{who} asks for a seat; those free are kept for others"
            self._sitting.strangers.tell(detail, key)

    def _on_proposal(self, key: bytes, proposal: Proposal) -> None:
        """Look at a host's terms."""
        sitting = self._sitting
        if sitting.rematch.offered(key, proposal):
            return
        guest = sitting.guest
        new = guest is None or guest.host != key
        if new and (
            sitting.busy or not sitting.answering or not sitting.strangers.rings(key)
        ):
            why = "busy with another table or match"
            why = why if sitting.busy else "not waiting for calls"
            self._decline(key, proposal.revision, Code.BUSY, why)
            return
        sitting.look_at(key, proposal)
        guest = sitting.guest
        doubtful = sitting.tone(key) == "warning"
        first = sitting.first and not doubtful and guest is not None and guest.has_all
        if sitting.called and first:
            sitting.first = False
            sitting.agree(befriend=False)

    def _on_decline(self, key: bytes, decline: Decline, now: float) -> None:
        """Note that somebody does not want to play, or has left."""
        sitting, name = self._sitting, self._sitting.name_of(key)
        why = said(decline)
        if sitting.forming is not None and key in sitting.forming.guests:
            sitting.forming.unseat(key)
            sitting.strangers.tell(f"{name} does not play: {why}", key)
            sitting.propose()
        elif sitting.guest is not None and key == sitting.guest.host:
            called = sitting.called
            sitting.guest = None if called else sitting.guest
            sitting.drop()
            if not called:
                sitting.tell(f"no seat at the table of {name}: {why}", "error")
        elif sitting.attending is not None and key == sitting.attending.key:
            sitting.attending.declined(decline)
        elif sitting.gallery.leave(key) or sitting.rematch.withdrawn(key):
            return
        elif sitting.match is not None and key in sitting.match.others:
            sitting.match.link_down(key, now)
            sitting.gallery.member_down(key)
            if not sitting.match.fold.over:
                sitting.left.add(key)
                sitting.stopped = f"{name} has left: {why}"
                sitting.tell(sitting.stopped)
