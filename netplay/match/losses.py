"""A node that has forgotten what it may have signed: its disk was damaged, or put back.

Theory of operation.  A host that lost the end of its file would give numbers twice, and
whoever watches would have the proof of a fork, against an honest host.  A member that
lost its secrets has forgotten which terms it promised.  So whoever is *lost* enters
nothing, vouches for nothing that it did not have, and promises nothing, before a term
that is newer than its loss has begun: it brings its log up to date, then claims a term
far above all that it hears of (what it had promised was below that, but for bad luck),
and takes part as before once that term, or one above it, is in the log.  As host it
first hears from all who have a say: one of them may be alone in having what it signed,
and to renew its term behind less would be a fork, too.  Its player may vote to go on
without.

Who finds damage writes the loss down before it opens the match (`record.mending`).  Who
was put back from a copy does not know: it learns it from the others, when they send it
entries that it has signed, or an acknowledgement of its own.  Until then that somebody
has more is a bare word, which anybody can say.  A host asks for what there is and
enters nothing for a moment, in which it would come; it does so once for each member, or
one that lies could stop the match as often as it likes.
"""

from typing import Final

from netplay.limits import SILENCE_SECONDS
from netplay.match.effects import NOTHING, Effects, Keep, Notice
from netplay.match.members import Members
from netplay.messages.log import Have, Receipt, Term
from netplay.record.hidden import Hidden, KeptLapse
from netplay.record.ledger import Ledger
from netplay.record.log import Line
from netplay.sentences import Says

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
        """Members that have said they have more -> until when that is waited for."""
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
        claimed = [key for key, until in self._claimed.items() if until == self.due]
        careful, self.due = self._members.careful, None
        self._members.wait(waiting=False)
        if not careful:
            return NOTHING
        name = self._members.name(claimed[0])
        detail = Says.SHOWED_NO_MORE(name=name)
        return (Notice(detail),)

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
