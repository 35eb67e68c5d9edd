"""What peers say about seats and terms, before a match and after it."""

from typing import Final

from netplay.errors import Code
from netplay.messages.table import Accept, Ask, Decline, Proposal
from netplay.messages.types import REASON_CHARACTERS
from netplay.peering.invitation import plain
from netplay.sanitize import clean
from netplay.table.forming import Forming
from netplay.table.sitting import Sitting


class Seating:
    """Gives seats to those who come, and takes those that are offered."""

    def __init__(self, sitting: Sitting) -> None:
        """Begin."""
        self._sitting: Final = sitting

    def came(self, table: Forming, key: bytes) -> None:
        """Seat a peer that was called, or show one that is seated the terms again."""
        peer = self._sitting.peers[key]
        called = table.called(peer.address)
        if called and table.astray(key, peer.address):
            table.rise(key)  # it came by itself before it was called
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

    def _decline(self, key: bytes, revision: int, code: Code) -> None:
        """Say no to a peer."""
        self._sitting.say((key,), Decline(revision, code.number, code.text))

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
                self._sitting.say((key,), Decline(0, Code.BUSY.number, why))
            return
        if key in table.guests:
            self._sitting.say((key,), table.proposal())
            return
        open_to_all = [n for n in table.free() if not table.chairs[n].address]
        wanted = [n for n in open_to_all or table.free() if ask.seat in {-1, n}]
        if not wanted:
            self._decline(key, table.revision, Code.TABLE_FULL)
            return
        peer = self._sitting.peers[key]
        table.addresses[key] = plain(peer.address)
        table.seat(key, peer.name, wanted[0])
        name = self._sitting.name_of(key)
        self._sitting.strangers.tell(f"{name} has come to the table", key)
        self._sitting.propose()

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
            self._decline(key, proposal.revision, Code.BUSY)
            return
        sitting.look_at(key, proposal)
        guest = sitting.guest
        if sitting.called and sitting.first and guest is not None and guest.has_all:
            sitting.first = False
            sitting.agree(befriend=False)

    def _on_decline(self, key: bytes, decline: Decline, now: float) -> None:
        """Note that somebody does not want to play, or has left."""
        sitting, name = self._sitting, self._sitting.name_of(key)
        why = clean(decline.reason, REASON_CHARACTERS)
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
                sitting.stopped = f"{name} has left: {why}"
                sitting.tell(sitting.stopped)
