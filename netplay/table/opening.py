"""What peers say about a match, which is opened for it if it is not in hand."""

from typing import Final

from netplay.errors import Code, PeerError
from netplay.messages.log import Entries, Have, LogMessage
from netplay.messages.table import Proposal
from netplay.record.chance import ZERO
from netplay.record.ledger import Ledger, may_know, read_terms
from netplay.record.log import match_of
from netplay.record.store import MemoryDisk
from netplay.record.whole import audit
from netplay.table.finished import answer
from netplay.table.sitting import Sitting


class Opener:
    """Hands on what is about the match in hand, and takes another in hand for it."""

    def __init__(self, sitting: Sitting) -> None:
        """Begin."""
        self._sitting: Final = sitting

    def receive(self, key: bytes, message: LogMessage, now: float) -> None:
        """Hand on what is about a match, and open it if it is not in hand.

        Raises:
            PeerError: It broke the protocol, or is no member.
            LocalError: DISK.
        """
        sitting = self._sitting
        with sitting.guarded:
            if sitting.gallery.receive(key, message, now):
                return
            if sitting.attending is not None and sitting.match is None:
                sitting.attending.take(key, message, now)
            elif sitting.match is None or sitting.match.match != message.match:
                with sitting.opening(message.match):
                    self._open_for(key, message, now)
            match = sitting.match
            if match is None or match.match != message.match:
                return  # of a match that is not in hand
            if key not in match.others:
                raise PeerError(Code.NOT_A_MEMBER)
            new = key not in match.relaying.direct
            if new:
                match.link_up(key, now)
            if new or key in sitting.left:
                sitting.resume(key, message)
            match.receive(key, message, now)
            sitting.greet_members(now)
            if sitting.attending is not None:
                sitting.play_on(now)

    def _open_for(self, key: bytes, message: LogMessage, now: float) -> None:
        """Open the match that a message is about, if this node may.

        Raises:
            PeerError: BAD_LOG, NOT_A_MEMBER, or what is wrong with the genesis.
        """
        sitting, archive = self._sitting, self._sitting.means.archive
        at_home = sitting.guest is not None and sitting.guest.host == key
        if sitting.busy and not at_home:
            return
        if not isinstance(message, Have | Entries):
            return
        if message.match in (*sitting.spoiled, sitting.lacking.match):
            return  # what is read may not be on the disk, or words are still missing
        kept = self._kept(message.match, key)
        if kept is not None:
            self._check_sender(key, kept)
            self._take_up(key, message, kept, now)
        elif isinstance(message, Have):
            nothing = Have(message.match, 0, 0, ZERO)
            sitting.say((key,), nothing)  # whoever has it sends the genesis
        elif message.entries:
            genesis = message.entries[:1]
            if not self._is_agreed(key, message.match, genesis):
                return
            Ledger(MemoryDisk(), genesis)  # or a file would be made for nothing
            if not at_home and sitting.me in _members(genesis[0]):
                sitting.mender.lost(
                    message.match, 0
                )  # we signed its terms: it was here
            sitting.open(Ledger(archive.open(message.match), genesis), now)

    def _take_up(
        self, key: bytes, message: Have | Entries, kept: Ledger, now: float
    ) -> None:
        """Go on with a match that is kept here, for a member who speaks of it.

        One that is over and audited stays where it is: whoever lacks its end gets it.
        """
        sitting = self._sitting
        if not (kept.fold.over and audit(kept.fold)):
            sitting.open(kept, now)
            return
        signer = sitting.saving.signer(kept)
        hidden = sitting.mender.hidden(kept.log.match)
        try:
            out = answer(signer, kept, hidden, message)
        finally:
            hidden.close()
            kept.file.close()
        sitting.say((key,), *out)

    def _kept(self, match: bytes, key: bytes) -> Ledger | None:
        """Return a match that is on the disk, None without so much as its genesis.

        A crash before the genesis was safe leaves a file without any.

        Raises:
            PeerError: NOT_A_MEMBER, before the match is read for a stranger.
        """
        archive = self._sitting.means.archive
        if not archive.has(match):
            return None
        disk = archive.open(match)
        try:
            if not may_know(disk, key):
                raise PeerError(Code.NOT_A_MEMBER)
        finally:
            disk.close()
        try:
            return self._sitting.mender.ledger(match)
        except PeerError as error:
            self._sitting.fault(f"a match that is kept here cannot go on: {error}")
            raise

    def _check_sender(self, key: bytes, kept: Ledger) -> None:
        """Check that a peer plays in a match before it puts the match in hand.

        Raises:
            PeerError: NOT_A_MEMBER; the file is let go.
        """
        if key not in kept.fold.keys:
            kept.file.close()
            raise PeerError(Code.NOT_A_MEMBER)

    def _is_agreed(self, key: bytes, match: bytes, genesis: tuple[bytes, ...]) -> bool:
        """Tell whether the player has agreed to a match that a peer sends.

        A member has signed its terms.  Anybody else may have been handed a seat: by a
        friend, while waiting for calls; by somebody unknown once the player says yes.

        Raises:
            PeerError: BAD_LOG or NOT_A_MEMBER.
        """
        sitting, terms = self._sitting, read_terms(genesis[0])
        if match_of(terms) != match:
            raise PeerError(Code.BAD_LOG, "another match")
        keys = _members(genesis[0])
        if key not in keys:
            raise PeerError(Code.NOT_A_MEMBER)
        if sitting.me in keys:
            return True
        if not sitting.answering:
            raise PeerError(Code.NOT_A_MEMBER)
        if sitting.strangers.knows(key):
            return True
        guest = sitting.guest
        if (guest is not None and guest.host == key) or sitting.strangers.rings(key):
            assert sitting.guest is not None
            sitting.guest.handed = match
            sitting.guest.proposal = Proposal(0, terms, (), "ask")
        return False


def _members(genesis: bytes) -> list[bytes]:
    """Return the keys of those who signed the terms in a genesis."""
    return [member.key for member in read_terms(genesis).members]
