"""Signed acknowledgements: what members have said they have, and cannot unsay.

Theory of operation.  Whoever acknowledges entries signs for them.  To check every
signature would cost as much as the move; the last one of each member is checked once a
second, and before anything is made of it.  What was checked is kept beside the match.

A copy of the match that is older than what its member has signed for was put back: a
disk was restored.  That is told to all, and is no offence.  But entries that a quorum
has signed for never go silently: where a newer history lacks them, those who hold the
signatures say so, and show them.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from netplay.errors import Code, PeerError
from netplay.limits import SILENCE_SECONDS
from netplay.match.dealing import Knowledge
from netplay.match.effects import NOTHING, Effect, Effects, Keep, Notice
from netplay.match.members import Members
from netplay.match.replica import place_at
from netplay.messages.log import Ack, Have, Receipt, Receipts, Term
from netplay.record.agreement import Difference
from netplay.record.clocks import quorum
from netplay.record.fold import Fold
from netplay.record.hidden import (
    Hidden,
    KeptHeldUp,
    KeptLapse,
    KeptLoss,
    KeptReceipt,
    KeptStanding,
    Standing,
)
from netplay.record.ledger import Ledger
from netplay.record.log import Line, ack_data, check_signature
from netplay.record.views import audit, unopened
from netplay.said import Said, Words
from netplay.sentences import Says
from netplay.wanted import Outgoing

# A node that has forgotten what it may have signed: its disk was damaged, or put back.
#
# Theory of operation. A host that lost the end of its file would give numbers twice,
# and whoever watches would have the proof of a fork, against an honest host. A member
# that lost its secrets has forgotten which terms it promised. So whoever is *lost*
# enters nothing, vouches for nothing that it did not have, and promises nothing, before
# a term that is newer than its loss has begun: it brings its log up to date, then
# claims a term far above all that it hears of (what it had promised was below that, but
# for bad luck), and takes part as before once that term, or one above it, is in the
# log. As host it first hears from all who have a say: one of them may be alone in
# having what it signed, and to renew its term behind less would be a fork, too. Its
# player may vote to go on without.
#
# Who finds damage writes the loss down before it opens the match (`record.mending`).
# Who was put back from a copy does not know: it learns it from the others, when they
# send it entries that it has signed, or an acknowledgement of its own. Until then that
# somebody has more is a bare word, which anybody can say. A host asks for what there is
# and enters nothing for a moment, in which it would come; it does so once for each
# member, or one that lies could stop the match as often as it likes.


LOST_AHEAD: Final = 500_000
"""By so much at the most the first claim of a node that is lost is above all terms it
hears of: others let two hundred such claims pass.  By how much is left to chance."""

CAUTION_SECONDS: Final = SILENCE_SECONDS
"""For which a host enters nothing because a member says that it has more: as long as a
link may be silent.  The first entry of them is proof, and would be here."""


class Losses:
    """What one member knows of what it has forgotten."""

    def __init__(self, ledger: Ledger, hidden: Hidden, members: Members) -> None:
        """Look after a match."""
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self._claimed: dict[bytes, float] = {}
        """Members that have said they have more -> until when that is waited for; 0 for
        those of whom the player has been told that nothing came."""
        self.due: float | None = None
        """When `ring` is wanted."""

    # What others say.

    def ahead(self, have: Have) -> bool:
        """Tell whether a member has more of the log than its host, who is this node."""
        log, said = self._ledger.log, (have.term, have.number)
        return self._members.hosting and said > (log.term, len(log))

    def claimed(self, key: bytes, have: Have, now: float) -> Effects:
        """Look at the word of a member who is ahead of its host.

        Of this node's own term it can only have what was entered here: that is waited
        for, for a moment, the first time this member says so.
        """
        ours = have.term == self._ledger.log.term
        if not ours or key in self._claimed or self._hidden.lost:
            return NOTHING
        self.due = self._claimed[key] = now + CAUTION_SECONDS
        self._members.wait(waiting=True)
        name = self._members.name(key)
        detail = Says.CLAIMS_TO_HAVE_MORE(name=name)
        return (Notice(detail),)

    def ring(self, now: float) -> Effects:
        """Go on if what somebody says it has has not come."""
        if self.due is None or now < self.due:
            return NOTHING
        silent = [key for key, until in self._claimed.items() if until]
        self._claimed = dict.fromkeys(self._claimed, 0.0)
        careful, self.due = self._members.careful, None
        self._members.wait(waiting=False)
        if not careful:
            return NOTHING
        names = map(self._members.name, silent)
        return tuple(Notice(Says.SHOWED_NO_MORE(name=name)) for name in names)

    def accepted(self, line: Line) -> Effects:
        """Look at an entry that came from another member.

        Only what this node has forgotten comes back to it with its own signature.
        """
        hidden, members = self._hidden, self._members
        if members.hosting:
            return self._lose()
        newer = isinstance(line.body, Term) and line.entry.term >= hidden.granted
        return self.over() if newer and hidden.sworn and members.lost else NOTHING

    def signed(self, shown: Receipt) -> Effects:
        """Look at what this node has once signed, and whose signature holds."""
        log = self._ledger.log
        more = shown.term == log.term and shown.number > len(log)
        return self._lose() if more and self._members.hosting else NOTHING

    def _lose(self) -> Effects:
        """Be lost from now on, durably, and say so once."""
        members = self._members
        self.due = None
        members.wait(waiting=False)
        if self._hidden.lost or not members.others or members.watching:
            return NOTHING
        detail = Says.FILES_TOO_OLD()
        lapse = KeptLapse(len(self._ledger.log), over=False)
        return Keep(lapse), Notice(detail)

    # What becomes of it.

    def settled(self, *, voted: bool) -> bool:
        """Tell whether this node may claim: all that it may have signed is here again.

        Args:
            voted: Its player has voted to go on without.
        """
        members = self._members
        all_here = members.electors == members.here
        if members.careful:
            return False
        return not members.lost or not members.hosting or all_here or voted

    def over(self) -> Effects:
        """Take part again: a newer term has begun."""
        return (Keep(KeptLapse(0, over=True)),) if self._hidden.lost else NOTHING

    def ahead_of_all(self) -> int:
        """Return by how much a first claim is above all terms that were heard of."""
        if not self._members.lost:
            return 1
        return 1 + int.from_bytes(self._hidden.random(4), "big") % LOST_AHEAD


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

    def on_ack(self, key: bytes, ack: Ack, now: float) -> Effects:
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
            # Note whether somebody sees another position than this node
            same = ack.state == self._ledger.fold.digest()
            if same is (key in self.doubts):
                self.doubts = self.doubts - {key} if same else self.doubts | {key}
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
            same = [one for one in self.ahead if one.member == shown.member]
            if beyond and shown not in same and len(same) < LOSSES_TOLD:
                check(log.match, shown)
                self.ahead.append(shown)
            if beyond or not self._contradicts(shown):
                continue
            check(log.match, shown)
            effects += self._gone(shown, losses)
        return effects

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


# What the log shows of a match that its players should know: told once, and kept.
#
# At the end dealers open their seeds, and every node works the whole match out again. A
# dealer that does not is not waited for where the others hold all shares of its seed:
# they pool them. Until a match that is over is audited, that is said wherever it shows,
# and remembered for the list of matches. Told as well are every draw that began again,
# and where the programs of a match see different positions.


SHOWN: Final = 16
"""Digits of a digest that people compare; the whole one stands in the log."""


def words(fold: Fold, found: Difference) -> Said:
    """Return a difference in words, with both digests."""
    name = next(m.name for m in fold.members if m.key == found.author)
    theirs, ours = found.theirs.hex()[:SHOWN], found.ours.hex()[:SHOWN]
    at = found.number
    detail = Says.OUT_OF_STEP_AT(name=name, number=at, theirs=theirs, ours=ours)
    return detail  # noqa: RET504 (the name marks a text that is translated)


def standing(fold: Fold) -> tuple[Said, ...]:
    """Return in words who is out of step."""
    return tuple(words(fold, found) for found in fold.out_of_step)


class Auditing:
    """What is known of the draw of one match, and what has been told of it."""

    def __init__(
        self, ledger: Ledger, hidden: Hidden, members: Members, knows: Knowledge
    ) -> None:
        """Begin with what the log says; an earlier run has told of it."""
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self._knows: Final = knows
        self._found = ""
        fold = ledger.fold
        self._told = fold.again
        self._differences = len(fold.agreement.found)
        self._disputed = fold.disputed
        self._seen: object = None
        """What all that is told follows from, when it was looked at last."""

    def result(self) -> str:
        """Return what the audit says: empty until the end, then "ok" or why not."""
        if not self._found and not self._knows.unchecked:
            self._found = audit(self._ledger.fold)
        return self._found

    @property
    def possible(self) -> bool:
        """Whether a seed is known here that the log lacks to audit the match."""
        return any(
            round_.secret is None and self._knows.secret(round_) is not None
            for round_ in self._ledger.fold.rounds
        )

    def held_up(self) -> Words:
        """Return why a match that is over is not audited, in words; empty if it is."""
        missing = unopened(self._ledger.fold)
        if not missing:
            return ""
        names = ", ".join(dict.fromkeys(one.dealer for one in missing))
        detail = Says.BAG_NOT_OPENED(names=names)
        if any(self._knows.is_misled(one.deal + 1) for one in missing):
            detail = Says.BAG_NOT_OPENED_SHARES_WRONG(names=names)
        return detail

    def look(self) -> Effects:
        """Return what is to be told and kept, now that the log has gone on."""
        fold = self._ledger.fold
        said, here = fold.agreement, self._members.version
        seen = fold, fold.again, fold.resigned, said.found, said.standing, here
        if seen == self._seen and not fold.over:
            return NOTHING
        self._seen = seen
        effects: list[Effect] = [*self._begun_again(), *self._differing()]
        why = self.held_up() if fold.over else self._hidden.held_up
        if why != self._hidden.held_up:
            effects.append(Keep(KeptHeldUp(why)))
        now, before = self._standing(), self._hidden.standing
        if now != before:
            # A link ends once nobody plays by it: whose the result is must outlast it.
            kept = self._hidden.guests if before else frozenset()
            guests = self._members.lent | kept if now else ()
            effects.append(Keep(KeptStanding(now, tuple(sorted(guests)))))
        return effects

    def _standing(self) -> Standing:
        """Return what the match is to this node, for the list of matches."""
        fold, members = self._ledger.fold, self._members
        if fold.over:
            return "over"
        if members.watching:
            return "watched"
        if not fold.resigned:
            return ""
        return "out" if fold.resigned.issuperset(fold.seats_of(members.me)) else ""

    def _begun_again(self) -> Iterator[Notice]:
        """Tell of every draw that begins again: somebody may have gained by it."""
        again = self._ledger.fold.again
        if again == self._told:
            return
        for count, one in enumerate(again, 1):
            who = one.host
            if one in self._told:
                continue
            if one.another:
                detail = Says.NEW_HOST_DRAWS_AGAIN(name=who, number=count)
            else:
                detail = Says.NEW_SEAT_DRAWS_AGAIN(number=count)
            yield Notice(detail)
        self._told = again

    def _differing(self) -> Iterator[Notice]:
        """Tell of differences that have come to light, and of what follows."""
        fold = self._ledger.fold
        found = fold.agreement.found
        if len(found) != self._differences:
            for each in found[self._differences :]:
                yield Notice(words(fold, each))
            self._differences = len(found)
        disputed = bool(fold.agreement.standing) and fold.disputed
        if disputed and not self._disputed:
            detail = Says.IN_DISPUTE()
            yield Notice(detail)
        self._disputed = disputed
