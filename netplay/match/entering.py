"""Bodies on their way into the log: written here, sent to the host, entered by it.

Theory of operation.  What a member writes waits in `Pending` until it is in the log or
refused.  The host enters bodies while a quorum is there; everybody else submits theirs
to it, and again whenever it may have dropped them.  The author's own numbers make that
harmless.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from netplay.errors import Code, LocalError, PeerError, by_number
from netplay.limits import SUBMITS_WAITING
from netplay.match.pending import Waiting
from netplay.messages.log import LogBody, Refused, Submit, Term, Turn
from netplay.messages.types import REASON_CHARACTERS
from netplay.record.log import Signed
from netplay.sanitize import clean
from rules.game import IllegalMoveError

if TYPE_CHECKING:
    from netplay.match.match import Match


class Entering:
    """What one member has to do with the order of bodies in a match."""

    def __init__(self, match: "Match") -> None:
        """Begin."""
        self._match: Final = match

    def submit(self, body: LogBody, now: float) -> None:
        """Write a body of our own, and enter it or send it to the host.

        Raises:
            LocalError: TOO_MANY wait already.
            PeerError: As host: it has no place in the log.
            IllegalMoveError: As host: the rules forbid it.
        """
        if len(self._match.pending) >= SUBMITS_WAITING:
            raise LocalError(Code.TOO_MANY, "the host has not answered for long")
        entering = self._match.hosting and self._match.quorate
        waiting = self._match.pending.add(
            self._match.ledger.log, body, keep=not entering
        )
        if entering:
            self._end_waiting(waiting, now)
        elif self._match.host in self._match.replica.greeted:
            self._send(waiting.signed)

    def _send(self, signed: Signed) -> None:
        """Ask the host to enter a body."""
        submit = Submit(self._match.match, signed.own, signed.body, signed.signature)
        self._match.replica.say(self._match.host, submit)

    def submit_all(self) -> None:
        """Send the host again all that it has not entered."""
        if not self._match.hosting and self._match.host in self._match.linked:
            for waiting in self._match.pending:
                self._send(waiting.signed)

    def on_submit(self, key: bytes, submit: Submit, now: float) -> None:
        """Enter what a member wrote, or say why not."""
        log = self._match.ledger.log
        if (
            not self._match.hosting
            or not self._match.quorate
            or submit.own != log.own(key)
        ):
            return  # entered, or behind one refused; or it will be submitted again
        signed = Signed(key, submit.own, submit.body, submit.signature)
        log.check_author(signed)
        try:
            self._enter(signed, now)
        except IllegalMoveError as error:
            self._refuse(key, submit.own, Code.ILLEGAL_MOVE, str(error))
        except PeerError as error:
            self._refuse(key, submit.own, error.code, error.reason)

    def _refuse(self, key: bytes, own: int, code: Code, why: str) -> None:
        """Tell an author that its body is not entered."""
        reason = why[:REASON_CHARACTERS]
        self._match.replica.say(
            key, Refused(self._match.match, own, code.number, reason)
        )

    def on_refused(self, key: bytes, refused: Refused, _now: float) -> None:
        """Take back a body that the host does not enter."""
        waiting = (
            self._match.pending.refuse(refused.own) if key == self._match.host else None
        )
        if waiting is None:
            return
        code = by_number(refused.code) or Code.UNEXPECTED
        apart = False
        if self._match.hurry is not None:
            apart = self._match.hurry.refuse(code)
        if apart or isinstance(waiting.body, Turn):
            why = clean(refused.reason, REASON_CHARACTERS)
            self._match.notice(str(PeerError(code, why)))
        self.submit_all()

    def _enter(self, signed: Signed, now: float, term: int | None = None) -> None:
        """As host, put a body into the log.

        Raises:
            PeerError: It has no place there.
            IllegalMoveError: The rules forbid the move.
        """
        log = self._match.ledger.log
        line = log.compose(self._match.signer, signed, self._match.timing.at(now), term)
        self._match.ledger.append(line, strict=True)

    def _end_waiting(
        self, waiting: Waiting, now: float, term: int | None = None
    ) -> None:
        """As host, put a body of our own into the log; refused, it waits no more.

        Raises:
            PeerError: It has no place there.
            IllegalMoveError: The rules forbid the move.
        """
        try:
            self._enter(waiting.signed, now, term)
        except (PeerError, IllegalMoveError):
            self._match.pending.refuse(waiting.signed.own)
            raise
        ledger = self._match.ledger
        self._match.pending.entered(ledger.log, ledger.fold, waiting.body)

    def enter_waiting(self, now: float) -> bool:
        """As a new host, enter what the old one had not; return whether any was."""
        waiting = next(iter(self._match.pending), None) if self._match.hosting else None
        if waiting is None:
            return False
        with suppress(PeerError, IllegalMoveError):
            self._end_waiting(waiting, now)
        return True

    def take_term(self, body: Term, term: int, now: float) -> None:
        """Be host from here on, as a quorum has agreed.

        Raises:
            PeerError: TERM, the log has moved on since they did.
        """
        ledger = self._match.ledger
        self._match.pending.rebase(ledger.log, ledger.fold, [body])
        self._end_waiting(next(iter(self._match.pending)), now, term)
        self._match.losses.over()
        self._match.new_host()
