"""What to make of entries that are not those we have.

Theory of operation.  Two entries of one number and one term, both signed by the term's
host, are the proof that it forked the log, and the end of the match.  Anything else
that leads away from our log is a *branch*.  It is held beside the log until it comes
to a term newer than our last one: that term's signatures say that a quorum had exactly
what the branch has below it, so whatever was final is in it.  Then, checked from its
first entry to its last, it takes the place of what we have from there on.  Where a
branch leaves our log may lie before what its sender first sends us; then we ask for
all behind our final entries, which every newer term has.
"""

from typing import Final, NamedTuple

from netplay.errors import Code, PeerError
from netplay.match.effects import NOTHING, Effects, Follow, Keep, Stop, to
from netplay.match.members import Members
from netplay.match.replica import Replica, place_at
from netplay.messages.log import Entry, Fork, Have
from netplay.record.hidden import Hidden, KeptGrant
from netplay.record.ledger import Ledger
from netplay.record.log import digest

BRANCH_BYTES: Final = 4 * 1024 * 1024
"""Of entries held beside the log.  In front of a newer term stand only entries that a
host could not make final: a few seconds' worth."""


class Branch:
    """Entries that lead away from our log."""

    def __init__(self, start: int, head: bytes) -> None:
        """Begin where the log is still ours.

        Args:
            start: Number of the first entry that is not.
            head: Digest of the one before it.
        """
        self.start: Final = start
        self.raws: list[bytes] = []
        self._head = head
        self._size = 0

    def goes_on_with(self, entry: Entry) -> bool:
        """Tell whether an entry is the next."""
        at = self.start + len(self.raws)
        return entry.number == at and entry.prev == self._head

    def add(self, raw: bytes) -> None:
        """Take the next entry.

        Raises:
            PeerError: TOO_LARGE.
        """
        self._size += len(raw)
        if self._size > BRANCH_BYTES:
            raise PeerError(Code.TOO_LARGE, "another history")
        self.raws.append(raw)
        self._head = digest(raw)


class Judged(NamedTuple):
    """What is to be done about an entry that does not continue the log."""

    effects: Effects
    go_on: bool
    """Whether the entries that came behind it are worth looking at."""


class Branches:
    """The history of a match that we have, beside those that others tell."""

    def __init__(
        self, ledger: Ledger, hidden: Hidden, members: Members, replica: Replica
    ) -> None:
        """Begin in good faith.

        Args:
            ledger: The log.
            hidden: What was promised.
            members: Who takes part.
            replica: Knows what is final.
        """
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self._replica: Final = replica
        self._branch: Branch | None = None
        self._asked: dict[bytes, bytes] = {}
        """Member -> our head when it was asked for all behind our final entries."""
        self.unjudged: dict[bytes, Fork] = {}
        """Member -> what it has shown of a term that the log does not have yet."""

    def forget(self, key: bytes) -> None:
        """Assume nothing of what a member was asked."""
        self._asked.pop(key, None)
        self.unjudged.pop(key, None)

    def look(self, key: bytes, entry: Entry, raw: bytes) -> Judged:
        """Look hard at an entry that does not continue the log.

        Raises:
            PeerError: BAD_LOG, or what is wrong with a newer term.
        """
        log, branch = self._ledger.log, self._branch
        if entry.number < len(log) and log.lines[entry.number].raw == raw:
            return Judged(NOTHING, go_on=True)
        if entry.number <= len(log) and entry.prev == log.heads[entry.number]:
            proof = self._contradiction(entry, raw)
            if proof is not None:
                return Judged((Stop(proof),), go_on=False)
            branch = self._branch = Branch(entry.number, entry.prev)
        elif branch is None or not branch.goes_on_with(entry):
            return Judged(self._ask(key, entry, raw), go_on=False)
        branch.add(raw)
        if entry.term <= log.term:
            return Judged(NOTHING, go_on=True)
        self._branch = None
        return Judged(self._follow(branch), go_on=True)

    def _contradiction(self, entry: Entry, raw: bytes) -> Fork | None:
        """Return the proof of a fork if an entry in the place of ours is one.

        Raises:
            PeerError: BAD_LOG, it is of the same term and not its host's.
        """
        log = self._ledger.log
        proof = log.fork(raw)
        if proof is None and entry.term == log.lines[entry.number].entry.term:
            raise PeerError(Code.BAD_LOG, f"entry {entry.number}")
        return proof

    def _ask(self, key: bytes, entry: Entry, raw: bytes) -> Effects:
        """Ask for what is missing before an entry, once.

        Raises:
            PeerError: BAD_LOG, it is of our term and yet not of our log.
        """
        log = self._ledger.log
        proof = log.fork(raw)
        if proof is not None:
            return (Stop(proof),)
        if entry.term > log.term:
            if self._asked.get(key) == log.head:
                return NOTHING
            self._asked[key] = log.head
            return (to(key, self._final()),)
        if entry.number > len(log):
            return (to(key, self._replica.have()),)
        if entry.term == log.term:
            raise PeerError(Code.BAD_LOG, f"entry {entry.number}: wrong chain")
        return NOTHING  # of an older term: the sender has not heard of the new host yet

    def _final(self) -> Have:
        """Return what of ours is in every newer history: the genesis always is.

        To have nothing would say that the match is not in hand here.
        """
        log = self._ledger.log
        return Have(log.match, *place_at(log, max(1, self._replica.final)))

    def _follow(self, branch: Branch) -> Effects:
        """Put a branch that came to a newer term in the place of our entries.

        Raises:
            PeerError: The branch is not signed as it must be.
        """
        hidden, follow = self._hidden, Follow(branch.start, tuple(branch.raws))
        self._ledger.check_branch(branch.start, branch.raws)
        if self._members.bound and hidden.vouched > branch.start:
            return Keep(KeptGrant(hidden.granted, branch.start)), follow
        return (follow,)

    def on_fork(self, key: bytes, proof: Fork, _now: float) -> Effects:
        """Look at what is said to prove a fork; it waits where nobody can tell yet.

        Raises:
            PeerError: UNEXPECTED, it does not.
        """
        log = self._ledger.log
        if log.proves(proof):
            return (Stop(proof),)
        if log.names_host_of(proof):
            raise PeerError(Code.UNEXPECTED, "no proof of a fork")
        self.unjudged[key] = proof
        return NOTHING

    def judge(self) -> Effects:
        """Look again at what waited for the log to name the host of its term."""
        log = self._ledger.log
        for key, proof in list(self.unjudged.items()):
            if log.names_host_of(proof):
                del self.unjudged[key]
                if log.proves(proof):
                    return (Stop(proof),)
        return NOTHING
