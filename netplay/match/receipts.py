"""Signed acknowledgements: what members have said they have, and cannot unsay.

Theory of operation.  Whoever acknowledges entries signs for them.  To check every
signature would cost as much as the move; the last one of each member is checked once a
second, and before anything is made of it.  What was checked is kept beside the match.

A copy of the match that is older than what its member has signed for was put back: a
disk was restored.  That is told to all, and is no offence.  But entries that a quorum
has signed for never go silently: where a newer history lacks them, those who hold the
signatures say so, and show them.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from netplay.errors import Code, PeerError
from netplay.match.replica import place_at
from netplay.messages.log import Ack, Have, Receipt, Receipts
from netplay.record import signing
from netplay.record.hidden import KeptLoss, KeptReceipt
from netplay.record.log import ack_data
from netplay.record.votes import quorum

if TYPE_CHECKING:
    from netplay.match.match import Match

CHECK_SECONDS: Final = 1.0
"""Between two checks of a member's signatures: a check takes as long as a move."""

LOSSES_TOLD: Final = 4
"""Of one member's signatures under entries that are gone: it may sign what it likes."""


def receipt(member: bytes, ack: Ack) -> Receipt:
    """Return what a member has signed, to be shown to others."""
    return Receipt(member, ack.term, ack.number, ack.head, ack.state, ack.signature)


def check(match: bytes, shown: Receipt) -> None:
    """Check a member's signature.

    Raises:
        PeerError: BAD_SIGNATURE.
    """
    place = (shown.term, shown.number, shown.head, shown.state)
    signing.verify(shown.member, shown.signature, ack_data(match, *place))


class ReceiptBook:
    """The acknowledgements that one member of a match holds."""

    def __init__(self, match: "Match") -> None:
        """Hold what is kept."""
        self._match: Final = match
        self._fresh: dict[bytes, Ack] = {}
        """Not checked yet."""
        self._checked: dict[bytes, float] = {}
        self._told: set[Receipt] = set()
        self._doubts: set[bytes] = set()
        """Who acknowledges entries in which it sees another position."""

    # Acknowledgements as they come.

    def take(self, key: bytes, ack: Ack, now: float) -> None:
        """Hold a member's acknowledgement.

        Raises:
            PeerError: BAD_SIGNATURE; UNEXPECTED, it names another term than its head:
                no later one would pass for newer.
        """
        log = self._match.ledger.log
        ours = ack.number <= len(log) and log.heads[ack.number] == ack.head
        if ours and ack.term != place_at(log, ack.number)[0]:
            raise PeerError(Code.UNEXPECTED, "an acknowledgement of another term")
        self._compare(key, ack)
        self._fresh[key] = ack
        last = self._checked.get(key)
        if last is None or now >= last + CHECK_SECONDS:
            self._check(key, now)

    def _compare(self, key: bytes, ack: Ack) -> None:
        """Note whether somebody sees another position than this node."""
        log, fold = self._match.ledger.log, self._match.fold
        if ack.state and (ack.number, ack.head) == (len(log), log.head):
            same = ack.state == fold.digest()
            self._doubts = self._doubts - {key} if same else self._doubts | {key}

    @property
    def doubted(self) -> bool:
        """Whether somebody differs of whom the log does not say so yet."""
        standing = self._match.fold.agreement.standing
        return bool(self._doubts) and not self._doubts <= standing.keys()

    def _check(self, key: bytes, now: float) -> None:
        """Check what a member said last, and keep it.

        Raises:
            PeerError: BAD_SIGNATURE.
        """
        ack = self._fresh.pop(key, None)
        if ack is None:
            return
        self._checked[key] = now
        shown = receipt(key, ack)
        check(self._match.match, shown)
        held, log = self._match.hidden.receipts.get(key), self._match.ledger.log
        newer = held is None or (ack.term, ack.number) > (held.term, held.number)
        ours = ack.number <= len(log) and log.heads[ack.number] == ack.head
        if newer and ours:  # in the place of it; what contradicts it is no news yet
            self._match.hidden.keep(KeptReceipt(shown))

    def ring(self, now: float) -> None:
        """Check what has waited; what fails is as if it had not been said."""
        for key in list(self._fresh):
            if now >= self._checked.get(key, now) + CHECK_SECONDS:
                self._try(key, now)

    def _try(self, key: bytes, now: float) -> None:
        """Check what a member said last, if it is to be used."""
        try:
            self._check(key, now)
        except PeerError:
            self._match.replica.doubt(key)
            self._checked.pop(key, None)  # the next one is checked as it comes

    def deadline(self) -> float | None:
        """Return when `ring` is wanted."""
        times = (self._checked.get(key, 0.0) for key in self._fresh)
        return min((time + CHECK_SECONDS for time in times), default=None)

    # Copies that went back.

    def greeted(self, key: bytes, have: Have, now: float) -> None:
        """Look whether a member has less than it has signed for."""
        self._try(key, now)
        held = self._match.hidden.receipts.get(key)
        if held is None or not have.number or held in self._told:
            return
        if (have.term, have.number) < (held.term, held.number):
            self._told.add(held)
            name = self._name(key)
            self._match.notice(f"{name} has put back an older copy of the match")
            self._show((held,))

    def _show(self, receipts: Iterable[Receipt]) -> None:
        """Show signatures to everybody."""
        match = self._match
        match.replica.say_all(Receipts(match.match, tuple(receipts)))

    def _name(self, key: bytes) -> str:
        """Return what a member is called."""
        return next(m.name for m in self._match.fold.members if m.key == key)

    # Entries that are gone.

    def witnesses(self, number: int, now: float) -> tuple[Receipt, ...]:
        """Return who has signed for an entry of the log as it is, this node apart.

        Empty where that is no quorum with the entry's host and this node.
        """
        match, log = self._match, self._match.ledger.log
        for key in list(self._fresh):
            self._try(key, now)
        found = [
            held
            for held in match.hidden.receipts.values()
            if number < held.number <= len(log) and log.heads[held.number] == held.head
        ]
        host = log.hosts[log.lines[number].entry.term]
        having = {held.member for held in found} | {host, match.me}
        electors = match.fold.electors
        enough = len(having & electors) >= quorum(len(electors))
        return tuple(found) if enough else ()

    def lost(self, number: int, shown: tuple[Receipt, ...]) -> None:
        """Tell that entries are gone for which a quorum had signed."""
        match, loss = self._match, KeptLoss(number, shown, final=True)
        match.hidden.keep(loss)
        match.notice(self._words(loss))
        self._told.update(shown)
        self._show(shown)

    def _words(self, loss: KeptLoss) -> str:
        """Return in words which entries are gone, and who had signed for them."""
        at = loss.number
        names = ", ".join(self._name(held.member) for held in loss.receipts)
        if [held.member for held in loss.receipts] == [self._match.me]:
            detail = "this computer has put back an older copy of the match"
        elif len(loss.receipts) == 1 and not loss.final:
            detail = f"{names} had signed for entries that are gone"
        else:
            detail = f"final entries from {at} on are gone: {names} had signed for them"
        return detail

    def words(self) -> tuple[str, ...]:
        """Return all of that which was ever told."""
        return tuple(map(self._words, self._match.hidden.losses))

    def on_receipts(self, _key: bytes, receipts: Receipts, _now: float) -> None:
        """Look at what members have signed.

        Raises:
            PeerError: BAD_SIGNATURE.
        """
        match, log = self._match, self._match.ledger.log
        for shown in receipts.receipts:
            known = shown in self._told or shown.member not in match.fold.keys
            if known or self._told_enough(shown) or not self._contradicts(shown):
                continue
            check(match.match, shown)
            self._told.add(shown)
            if shown.member == match.me:
                match.losses.signed(shown)
            loss = KeptLoss(min(shown.number, len(log)), (shown,), final=False)
            match.hidden.keep(loss)
            match.notice(self._words(loss))

    def _told_enough(self, shown: Receipt) -> bool:
        """Tell whether a member's signatures are no news any more."""
        losses = self._match.hidden.losses
        told = [r for loss in losses for r in loss.receipts if r.member == shown.member]
        return len(told) >= LOSSES_TOLD or shown in told

    def _contradicts(self, shown: Receipt) -> bool:
        """Tell whether the log here is not what somebody has signed for."""
        log = self._match.ledger.log
        if shown.number > len(log):
            return shown.member == self._match.me
        return log.heads[shown.number] != shown.head
