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

from typing import TYPE_CHECKING, Final

from netplay.limits import SILENCE_SECONDS
from netplay.messages.log import Have, Receipt, Term
from netplay.record.hidden import KeptLapse
from netplay.record.log import Line

if TYPE_CHECKING:
    from netplay.match.match import Match

LOST_AHEAD: Final = 500_000
"""By so much at the most the first claim of a node that is lost is above all terms it
hears of: half of what the others let pass.  By how much is left to chance."""

CAUTION_SECONDS: Final = SILENCE_SECONDS
"""For which a host enters nothing because a member says that it has more: as long as a
link may be silent.  The first entry of them is proof, and would be here."""


class Losses:
    """What one member knows of what it has forgotten."""

    def __init__(self, match: "Match") -> None:
        """Look after a match."""
        self._match: Final = match
        self._claimed: dict[bytes, float] = {}
        """Members that have said they have more -> until when that is waited for."""
        self._until: float | None = None

    @property
    def lost(self) -> bool:
        """Whether this node waits for a term that is newer than its loss."""
        keys = self._match.fold.keys
        return self._match.hidden.lost and self._match.me in keys and len(keys) > 1

    # What others say.

    def ahead(self, key: bytes, have: Have, now: float) -> bool:
        """Tell whether a member has more of the log than its host, who is this node.

        Of this node's own term it can only have what was entered here.
        """
        match, log = self._match, self._match.ledger.log
        if not match.hosting or (have.term, have.number) <= (log.term, len(log)):
            return False
        if have.term == log.term:
            self._be_careful(key, now)
        return True

    def _be_careful(self, key: bytes, now: float) -> None:
        """Wait a moment for what a member says it has, the first time it says so."""
        match = self._match
        if key in self._claimed or match.hidden.lost:
            return
        self._until = self._claimed[key] = now + CAUTION_SECONDS
        name = self._name(key)
        match.notice(
            f"{name} claims to have more of the match than this computer, "
            "which waits a moment for it"
        )

    @property
    def careful(self) -> bool:
        """Whether this node, as host, waits for what somebody says it has."""
        return self._until is not None and self._match.hosting

    def deadline(self) -> float | None:
        """Return when `ring` is wanted."""
        return self._until

    def ring(self, now: float) -> None:
        """Go on if what somebody says it has has not come."""
        if self._until is None or now < self._until:
            return
        claimed = [key for key, until in self._claimed.items() if until == self._until]
        careful, self._until = self.careful, None
        if careful:
            name = self._name(claimed[0])
            self._match.notice(
                f"{name} has not shown more of the match, which goes on without that"
            )

    def accepted(self, line: Line) -> None:
        """Look at an entry that came from another member.

        Only what this node has forgotten comes back to it with its own signature.
        """
        match, hidden = self._match, self._match.hidden
        if match.hosting:
            self._lose()
            return
        newer = isinstance(line.body, Term) and line.entry.term >= hidden.granted
        if newer and hidden.sworn and self.lost:
            self.over()

    def signed(self, shown: Receipt) -> None:
        """Look at what this node has once signed, and whose signature holds."""
        match, log = self._match, self._match.ledger.log
        if match.hosting and shown.term == log.term and shown.number > len(log):
            self._lose()

    def _lose(self) -> None:
        """Be lost from now on, durably, and say so once."""
        match = self._match
        self._until = None
        if match.hidden.lost or not match.others or match.watching:
            return
        match.hidden.keep(KeptLapse(len(match.ledger.log), over=False))
        match.hidden.sync()
        match.notice(
            "the files of this computer were too old: the others have more of the "
            "match; what is missing is fetched, and a new term begins"
        )

    def _name(self, key: bytes) -> str:
        """Return what a member is called."""
        return next(m.name for m in self._match.fold.members if m.key == key)

    # What becomes of it.

    @property
    def settled(self) -> bool:
        """Whether this node may claim: all that it may have signed is here again."""
        match = self._match
        here = match.replica.greeted | {match.me}
        all_here = match.fold.electors <= here
        if self.careful:
            return False
        return not self.lost or not match.hosting or all_here or match.election.voted

    def over(self) -> None:
        """Take part again: a newer term has begun."""
        if self._match.hidden.lost:
            self._match.hidden.keep(KeptLapse(0, over=True))

    def ahead_of_all(self) -> int:
        """Return by how much a first claim is above all terms that were heard of."""
        if not self.lost:
            return 1
        return 1 + int.from_bytes(self._match.hidden.random(4), "big") % LOST_AHEAD
