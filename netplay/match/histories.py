"""What to make of entries that are not those we have.

Two entries of one number and one term, both signed by the term's host, are the proof
that it forked the log, and the end of the match.  An entry of a newer term takes the
place of ours, once it is shown to follow from what comes before it.
"""

from typing import TYPE_CHECKING, Final

from netplay.errors import Code, PeerError
from netplay.messages.log import Fork
from netplay.record.log import read_entry

if TYPE_CHECKING:
    from netplay.match.match import Match


class Histories:
    """The history of a match that we have, beside those that others tell."""

    def __init__(self, match: "Match") -> None:
        """Begin in good faith."""
        self._match: Final = match
        self.fork: Fork | None = None
        """The proof that the host forked the log."""

    def judge(self, raw: bytes) -> bool:
        """Judge an entry in the place of another one of ours.

        Returns:
            Whether to follow it; ours from there on are dropped then.

        Raises:
            PeerError: BAD_LOG, it is no part of any history of this match; or what is
                wrong with a newer term.
        """
        log, entry = self._match.ledger.log, read_entry(raw)
        proof = log.fork(raw)
        if proof is not None:
            self._stop_for(proof)
            return False
        ours = log.lines[entry.number].entry
        if entry.term < ours.term:
            return False  # the sender has not heard of the new host yet
        if entry.term == ours.term:
            raise PeerError(Code.BAD_LOG, f"entry {entry.number}")
        self._drop_from(entry.number, raw)
        return True

    def _drop_from(self, number: int, raw: bytes) -> None:
        """Drop entries that a newer term has no room for, once it is proved.

        Own bodies among them are to be entered again.

        Raises:
            PeerError: The newer term is not signed as it must be.
        """
        match = self._match
        match.ledger.check_branch(number, raw)
        lost = match.ledger.truncate(number)
        own = [line.body for line in lost if line.entry.author == match.me]
        match.renew()
        match.pending.rebase(match.ledger.log, own)

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
        self.fork = proof
        self._match.replica.say_all(proof)
        self._match.notice(Code.FORK.text)
