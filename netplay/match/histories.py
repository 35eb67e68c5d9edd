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

from typing import TYPE_CHECKING, Final

from netplay.errors import Code, PeerError
from netplay.messages.log import Entry, Fork, Have
from netplay.record.hidden import KeptFork, KeptGrant
from netplay.record.log import digest, read_body, read_entry

if TYPE_CHECKING:
    from netplay.match.match import Match

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


class Histories:
    """The history of a match that we have, beside those that others tell."""

    def __init__(self, match: "Match") -> None:
        """Begin in good faith."""
        self._match: Final = match
        self._branch: Branch | None = None
        self._asked: dict[bytes, bytes] = {}
        """Member -> our head when it was asked for all behind our final entries."""

    @property
    def fork(self) -> Fork | None:
        """The proof that the host forked the log; kept, it holds after a restart."""
        return self._match.hidden.fork

    def forget(self, key: bytes) -> None:
        """Assume nothing of what a member was asked."""
        self._asked.pop(key, None)

    def take(self, key: bytes, raws: tuple[bytes, ...], now: float) -> None:
        """Take entries that continue the log; look hard at those that do not.

        Raises:
            PeerError: They are no part of any history of this match.
            LocalError: DISK.
        """
        for raw in raws:
            log, entry = self._match.ledger.log, read_entry(raw)
            if entry.number < len(log) and log.lines[entry.number].raw == raw:
                continue
            if entry.number == len(log) and entry.prev == log.head:
                self._match.accept(raw, now)
            elif not self._leads_away(key, entry, raw, now):
                return

    def _leads_away(self, key: bytes, entry: Entry, raw: bytes, now: float) -> bool:
        """Look at an entry that does not continue the log; return whether to go on.

        Raises:
            PeerError: BAD_LOG, or what is wrong with a newer term.
        """
        log, branch = self._match.ledger.log, self._branch
        if entry.number <= len(log) and entry.prev == log.heads[entry.number]:
            if not self._may_stand(entry, raw):
                return False
            branch = self._branch = Branch(entry.number, entry.prev)
        elif branch is None or not branch.goes_on_with(entry):
            return self._ask(key, entry, raw)
        branch.add(raw)
        if entry.term > log.term:
            self._branch = None
            self._follow(branch, now)
        return True

    def _may_stand(self, entry: Entry, raw: bytes) -> bool:
        """Tell whether an entry may stand in the place of ours, as far as one can say.

        Raises:
            PeerError: BAD_LOG, it is of the same term and not its host's.
        """
        log = self._match.ledger.log
        proof = log.fork(raw)
        if proof is not None:
            self._stop_for(proof)
            return False
        if entry.term == log.lines[entry.number].entry.term:
            raise PeerError(Code.BAD_LOG, f"entry {entry.number}")
        return True

    def _ask(self, key: bytes, entry: Entry, raw: bytes) -> bool:
        """Ask for what is missing before an entry, once; return False.

        Raises:
            PeerError: BAD_LOG, it is of our term and yet not of our log.
        """
        match, log = self._match, self._match.ledger.log
        proof = log.fork(raw)
        if proof is not None:
            self._stop_for(proof)
        elif entry.term > log.term:
            if self._asked.get(key) != log.head:
                self._asked[key] = log.head
                match.replica.say(key, self._final())
        elif entry.number > len(log):
            match.replica.say(key, match.replica.have())
        elif entry.term == log.term:
            raise PeerError(Code.BAD_LOG, f"entry {entry.number}: wrong chain")
        return False  # of an older term: the sender has not heard of the new host yet

    def _final(self) -> Have:
        """Return what of ours is in every newer history: the genesis always is.

        To have nothing would say that the match is not in hand here.
        """
        log, number = self._match.ledger.log, max(1, self._match.final)
        term = log.lines[number - 1].entry.term
        return Have(log.match, term, number, log.heads[number])

    def _follow(self, branch: Branch, now: float) -> None:
        """Put a branch that came to a newer term in the place of our entries.

        Own bodies that are not in it are to be entered again.

        Raises:
            PeerError: The branch is not signed as it must be.
        """
        match = self._match
        match.ledger.check_branch(branch.start, branch.raws)
        if match.bound and match.hidden.vouched > branch.start:
            match.hidden.keep(KeptGrant(match.hidden.granted, branch.start))
            match.hidden.sync()
        shown = match.receipts.witnesses(branch.start, now)
        waiting = match.pending.take_all()
        lost = match.ledger.truncate(branch.start)
        match.replica.truncated(branch.start)
        match.renew()
        for raw in branch.raws:
            match.accept(raw, now)
        own = [line.body for line in lost if line.entry.author == match.me]
        entered = [read_body(read_entry(raw).body) for raw in branch.raws]
        ledger, again = match.ledger, [*own, *waiting]
        if match.pending.rebase(ledger.log, ledger.fold, again, entered):
            match.notice("the match has gone back: please make your last move again")
        if shown:
            match.receipts.lost(branch.start, shown)
        match.entering.submit_all()

    def on_fork(self, _key: bytes, proof: Fork, _now: float) -> None:
        """Look at what is said to prove a fork.

        Raises:
            PeerError: UNEXPECTED, it does not.
        """
        if not self._match.ledger.log.proves(proof):
            raise PeerError(Code.UNEXPECTED, "no proof of a fork")
        self._stop_for(proof)

    def _stop_for(self, proof: Fork) -> None:
        """Stop for good, and show everybody why."""
        if self.fork is None:
            self._match.hidden.keep(KeptFork(proof))
            self._match.hidden.sync()
        self._match.replica.say_all(proof)
        self._match.notice(Code.FORK.text)
