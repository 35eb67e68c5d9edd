"""Signed acknowledgements: what members have said they have, and cannot unsay.

Theory of operation.  Whoever acknowledges entries signs for them.  To check every
signature would cost as much as the move; the last one of each member is checked once a
second, and before anything is made of it.  What was checked is kept beside the match.

A copy of the match that is older than what its member has signed for was put back: a
disk was restored.  That is told to all, and is no offence.  But entries that a quorum
has signed for never go silently: where a newer history lacks them, those who hold the
signatures say so, and show them.
"""

from collections.abc import Collection, Iterable
from typing import Final

from netplay.errors import Code, PeerError
from netplay.match.effects import NOTHING, Effect, Effects, Keep, Notice
from netplay.match.losses import Losses
from netplay.match.members import Members
from netplay.match.replica import place_at
from netplay.messages.log import Ack, Have, Receipt, Receipts
from netplay.record.hidden import Hidden, KeptLoss, KeptReceipt
from netplay.record.ledger import Ledger
from netplay.record.log import ack_data, check_signature
from netplay.record.votes import quorum
from netplay.said import Said
from netplay.sentences import Says
from netplay.wanted import Outgoing

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
    check_signature(shown.member, shown.signature, ack_data(match, *place))


class ReceiptBook:
    """The acknowledgements that one member of a match holds."""

    def __init__(
        self, ledger: Ledger, hidden: Hidden, members: Members, losses: Losses
    ) -> None:
        """Hold what is kept.

        Args:
            ledger: The log.
            hidden: What is kept.
            members: Who takes part.
            losses: Looks at what this node itself has signed.
        """
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self._losses: Final = losses
        self.fresh: dict[bytes, Ack] = {}
        """Not checked yet."""
        self._checked: dict[bytes, float] = {}
        self.due: float | None = None
        """When the first of those is to be checked."""
        self._told: set[Receipt] = set()
        self.ahead: list[Receipt] = []
        """Shown and signed, of entries beyond the log here: it cannot be told yet
        whether those are gone."""
        self.doubts: set[bytes] = set()
        """Who acknowledges entries in which it sees another position."""

    # Acknowledgements as they come.

    def take(self, key: bytes, ack: Ack, now: float) -> Effects:
        """Hold a member's acknowledgement.

        Raises:
            PeerError: BAD_SIGNATURE; UNEXPECTED, it names another term than its head:
                no later one would pass for newer.
        """
        log = self._ledger.log
        ours = ack.number <= len(log) and log.heads[ack.number] == ack.head
        if ours and ack.term != place_at(log, ack.number)[0]:
            raise PeerError(Code.UNEXPECTED, "an acknowledgement of another term")
        if ours and ack.state and ack.number == len(log):
            self._compare(key, ack)
        known = key in self.fresh
        self.fresh[key] = ack
        if key not in self._checked or now >= self._checked[key] + CHECK_SECONDS:
            checked = self._check(key, now)
            return (*checked, *self.look_ahead()) if self.ahead else checked
        if not known:
            self._look()
        return NOTHING

    def _look(self) -> None:
        """Note when what was held last is to be checked."""
        times = (self._checked.get(key, 0.0) for key in self.fresh)
        self.due = min((at + CHECK_SECONDS for at in times), default=None)

    def _compare(self, key: bytes, ack: Ack) -> None:
        """Note whether somebody sees another position than this node."""
        same = ack.state == self._ledger.fold.digest()
        if same is (key in self.doubts):
            self.doubts = self.doubts - {key} if same else self.doubts | {key}

    @property
    def doubted(self) -> bool:
        """Whether somebody differs of whom the log does not say so yet."""
        standing = self._ledger.fold.agreement.standing
        return bool(self.doubts) and not self.doubts <= standing.keys()

    def _check(self, key: bytes, now: float) -> Effects:
        """Check what a member said last, and keep it.

        Raises:
            PeerError: BAD_SIGNATURE.
        """
        ack = self.fresh.pop(key, None)
        if ack is None:
            return NOTHING
        self._checked[key] = now
        self._look()
        shown, log = receipt(key, ack), self._ledger.log
        check(log.match, shown)
        held = self._hidden.receipts.get(key)
        newer = held is None or (ack.term, ack.number) > (held.term, held.number)
        ours = ack.number <= len(log) and log.heads[ack.number] == ack.head
        # In the place of the one before; what contradicts it is no news yet.
        return (Keep(KeptReceipt(shown)),) if newer and ours else NOTHING

    def ripe(self, now: float) -> list[bytes]:
        """Return whose last acknowledgement has waited long enough."""
        last = ((key, self._checked.get(key, now)) for key in self.fresh)
        return [key for key, then in last if now >= then + CHECK_SECONDS]

    def check_now(
        self, keys: Collection[bytes], now: float
    ) -> tuple[Effects, list[bytes]]:
        """Check what members said last; what fails is as if it had not been said.

        Returns:
            What is to be done, and whose signatures fail.
        """
        effects: list[Effect] = []
        failed: list[bytes] = []
        for key in keys:
            try:
                effects += self._check(key, now)
            except PeerError:
                failed.append(key)
                self._checked.pop(key, None)  # the next one is checked as it comes
                self._look()
        return effects, failed

    @property
    def unchecked(self) -> list[bytes]:
        """Whose last acknowledgement has not been checked."""
        return list(self.fresh)

    # Copies that went back.

    def greeted(self, key: bytes, have: Have) -> Effects:
        """Look whether a member has less than it has signed for, which was checked."""
        held = self._hidden.receipts.get(key)
        if held is None or not have.number or held in self._told:
            return NOTHING
        if (have.term, have.number) >= (held.term, held.number):
            return NOTHING
        self._told.add(held)
        name = self._members.name(key)
        detail = Says.PUT_BACK(name=name)
        return Notice(detail), *self._show((held,))

    def _show(self, receipts: tuple[Receipt, ...]) -> Effects:
        """Show signatures to everybody."""
        keys = tuple(sorted(self._members.linked))
        shown = Receipts(self._ledger.log.match, receipts)
        return (Outgoing(keys, shown),) if keys else NOTHING

    # Entries that are gone.

    def witnesses(self, number: int) -> tuple[Receipt, ...]:
        """Return who has signed for an entry of the log as it is, this node apart.

        Empty where that is no quorum with the entry's host and this node.
        """
        log, members = self._ledger.log, self._members
        found = [
            held
            for held in self._hidden.receipts.values()
            if number < held.number <= len(log) and log.heads[held.number] == held.head
        ]
        host = log.hosts[log.lines[number].entry.term]
        having = {held.member for held in found} | {host, members.me}
        electors = members.electors
        enough = len(having & electors) >= quorum(len(electors))
        return tuple(found) if enough else ()

    def lost(self, number: int, shown: tuple[Receipt, ...]) -> Effects:
        """Tell that entries are gone for which a quorum had signed."""
        loss = KeptLoss(number, shown, final=True)
        self._told.update(shown)
        return Keep(loss), Notice(self._words(loss)), *self._show(shown)

    def _words(self, loss: KeptLoss) -> Said:
        """Return in words which entries are gone, and who had signed for them."""
        at = loss.number
        names = ", ".join(self._members.name(held.member) for held in loss.receipts)
        if [held.member for held in loss.receipts] == [self._members.me]:
            detail = Says.PUT_BACK_HERE()
        elif len(loss.receipts) == 1 and not loss.final:
            detail = Says.SIGNED_AND_GONE(names=names)
        else:
            detail = Says.FINAL_AND_GONE(number=at, names=names)
        return detail

    def words(self) -> tuple[Said, ...]:
        """Return all of that which was ever told."""
        return tuple(map(self._words, self._hidden.losses))

    def on_receipts(self, _key: bytes, receipts: Receipts, _now: float) -> Effects:
        """Look at what members have signed.

        Raises:
            PeerError: BAD_SIGNATURE.
        """
        log, effects = self._ledger.log, list[Effect]()
        losses = [*self._hidden.losses]
        for shown in receipts.receipts:
            known = shown in self._told or shown.member not in self._members.keys
            if known or _told_enough(shown, losses):
                continue
            beyond = shown.number > len(log) and shown.member != self._members.me
            if beyond and not self._has_enough(shown):
                check(log.match, shown)
                self.ahead.append(shown)
            if beyond or not self._contradicts(shown):
                continue
            check(log.match, shown)
            effects += self._gone(shown, losses)
        return effects

    def _has_enough(self, shown: Receipt) -> bool:
        """Tell whether a receipt waits already, or as many of its member as may."""
        same = [one for one in self.ahead if one.member == shown.member]
        return shown in same or len(same) >= LOSSES_TOLD

    def look_ahead(self) -> Effects:
        """Look at what waited for the log to become as long."""
        log, effects = self._ledger.log, list[Effect]()
        due = [one for one in self.ahead if one.number <= len(log)]
        self.ahead = [one for one in self.ahead if one.number > len(log)]
        losses = [*self._hidden.losses]
        for shown in due:
            if self._contradicts(shown) and not _told_enough(shown, losses):
                effects += self._gone(shown, losses)
        return effects

    def _gone(self, shown: Receipt, losses: list[KeptLoss]) -> Effects:
        """Tell and keep that what somebody has signed for is not in the log here."""
        self._told.add(shown)
        number = min(shown.number, len(self._ledger.log))
        losses.append(KeptLoss(number, (shown,), final=False))
        own = shown.member == self._members.me
        signed = self._losses.signed(shown) if own else NOTHING
        return *signed, Keep(losses[-1]), Notice(self._words(losses[-1]))

    def _contradicts(self, shown: Receipt) -> bool:
        """Tell whether the log here is not what somebody has signed for."""
        log = self._ledger.log
        if shown.number > len(log):
            return shown.member == self._members.me
        return log.heads[shown.number] != shown.head


def _told_enough(shown: Receipt, losses: Iterable[KeptLoss]) -> bool:
    """Tell whether a member's signatures are no news any more."""
    told = [r for loss in losses for r in loss.receipts if r.member == shown.member]
    return len(told) >= LOSSES_TOLD or shown in told
