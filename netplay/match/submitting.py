"""Bodies on their way into the log: written here, sent to the host, entered by it.

Theory of operation.  What a member writes waits here, numbered without a gap behind
what the log has of it, until it is in the log or refused.  The host enters bodies while
a quorum is there; everybody else submits theirs to it, and again whenever it may have
dropped them.  The author's own numbers make that harmless.
"""

from collections.abc import Collection, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.limits import SUBMITS_WAITING
from netplay.match.effects import NOTHING, Effects, Keep, to
from netplay.match.members import Members
from netplay.messages.log import (
    Blame,
    Commit,
    Lift,
    LogBody,
    Mask,
    Mix,
    Refused,
    Seed,
    Spare,
    Submit,
    Term,
    Turn,
)
from netplay.messages.types import REASON_CHARACTERS
from netplay.record.fold import Fold
from netplay.record.hidden import Hidden, KeptBody
from netplay.record.ledger import Ledger
from netplay.record.log import Log, Signed, Signer, author_data, read_body
from netplay.sentences import Says
from netplay.wanted import Outgoing
from netplay.wire import pack
from rules.game import IllegalMoveError, Resign

RESIGNS: Final = pack(Resign())

REMADE: Final = (Commit, Seed, Mask, Mix, Spare, Lift, Blame)
"""What is never said again in another history: whoever owes it makes it anew."""


def fit(body: LogBody, log: Log, fold: Fold) -> LogBody | None:
    """Return a body as it fits a log that has changed since it was written.

    A move names the history it was made in.  In another one it may be said again where
    its player sees the very same; None where that is for the player to say.
    """
    if not isinstance(body, Turn) or body.move == RESIGNS:
        return body
    if fold.agreement.is_after(body.after, log.head):
        return body
    return replace(body, after=log.head) if body.state == fold.digest() else None


class Waiting(Struct, frozen=True):
    """A body that waits for the host."""

    signed: Signed
    body: LogBody


class Submitting:
    """What one node has written and the log does not have yet."""

    def __init__(
        self, signer: Signer, ledger: Ledger, hidden: Hidden, members: Members
    ) -> None:
        """Take back what was written and not entered before the node ended."""
        self._signer: Final = signer
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self.waiting: list[Waiting] = []
        """In order of own numbers."""
        self.held: Turn | None = None
        """A turn made here that cannot be said before a lift which is still owed."""
        self.news = 0
        """Counts how often what waits has changed."""
        own = ledger.log.own(signer.key)
        while raw := hidden.bodies.get(own, b""):
            try:
                body = read_body(raw)
            except PeerError:  # written by a program of another version
                return
            self.waiting.append(self._sign(own, raw, body))
            own += 1

    def __iter__(self) -> Iterator[Waiting]:
        """Iterate in order of own numbers."""
        return iter(self.waiting)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.waiting)

    @property
    def bodies(self) -> list[LogBody]:
        """What waits, in order."""
        return [one.body for one in self.waiting]

    # What is written here.

    def submit(self, body: LogBody, at: int) -> Effects:
        """Write a body of our own, and enter it or send it to the host.

        Args:
            body: What to say.
            at: Milliseconds of the match.

        Raises:
            LocalError: TOO_MANY wait already.
            PeerError: As host: it has no place in the log.
            IllegalMoveError: As host: the rules forbid it.
        """
        if len(self.waiting) >= SUBMITS_WAITING:
            raise LocalError(Code.TOO_MANY, Says.HOST_SILENT())
        waiting = self.add(body)
        members = self._members
        if members.hosting and members.quorate:
            try:
                return self._end_waiting(waiting, at)  # the log is where it is kept
            except (PeerError, IllegalMoveError):
                self.waiting.pop()
                self.news += 1
                raise
        kept = Keep(KeptBody(waiting.signed.own, waiting.signed.body))
        return (
            (kept, self._send(waiting)) if members.host in members.greeted else (kept,)
        )

    def add(self, body: LogBody) -> Waiting:
        """Sign a body with the next number and remember it."""
        log = self._ledger.log
        own = log.own(self._signer.key) + len(self.waiting)
        waiting = self._sign(own, pack(body), body)
        self.waiting.append(waiting)
        self.news += 1
        log.vouch(waiting.signed, body)
        return waiting

    def _sign(self, own: int, raw: bytes, body: LogBody) -> Waiting:
        """Return a body with its signature."""
        data = author_data(self._ledger.log.match, own, raw)
        signed = Signed(self._signer.key, own, raw, self._signer.sign(data))
        return Waiting(signed, body)

    def _send(self, waiting: Waiting) -> Outgoing:
        """Return a body as the host is asked to enter it."""
        one = waiting.signed
        submit = Submit(self._ledger.log.match, one.own, one.body, one.signature)
        return to(self._members.host, submit)

    def submit_all(self) -> Effects:
        """Send the host again all that it has not entered."""
        members = self._members
        if members.hosting or members.host not in members.linked:
            return NOTHING
        return [self._send(waiting) for waiting in self.waiting]

    # What becomes of it.

    def entered(self, body: LogBody) -> Effects:
        """Forget a body that has come into the log as this node's last.

        It may be another than the next in order: one sent before its number was given
        to another, and entered by a host that had not heard of that.  Then the others
        have new numbers.
        """
        if not self.waiting:
            return NOTHING
        first = self.waiting[0]
        own = self._ledger.log.own(self._signer.key) - 1
        if first.signed.own == own and first.body == body:
            del self.waiting[0]
            self.news += 1
            return NOTHING
        return *self.rebase([], [body])[0], *self.submit_all()

    def refuse(self, own: int) -> tuple[Waiting | None, Effects]:
        """Take out a body that the host will not have; those behind it move up."""
        refused = next((one for one in self.waiting if one.signed.own == own), None)
        if refused is None:
            return None, NOTHING
        self.waiting.remove(refused)
        self.news += 1
        return refused, self._renumber(own)

    def _renumber(self, gap: int) -> Effects:
        """Sign those behind a gap again; the last number becomes free."""
        effects: list[Keep] = []
        behind = 0
        for at, waiting in enumerate(self.waiting):
            own = waiting.signed.own
            if own > gap:
                raw = waiting.signed.body
                effects.append(Keep(KeptBody(own - 1, raw)))
                self.waiting[at] = self._sign(own - 1, raw, waiting.body)
                behind += 1
        return *effects, Keep(KeptBody(gap + behind, b""))

    def take_all(self) -> list[LogBody]:
        """Hand over all bodies; they stay on the disk until `rebase`."""
        bodies, self.waiting = self.bodies, []
        return bodies

    def rebase(
        self, lost: Collection[LogBody], entered: Collection[LogBody] = ()
    ) -> tuple[Effects, bool]:
        """Start again with other numbers, after the log has changed.

        What was to be said of chance is not: what a node still owes it says anew, with
        a seed that nobody can have seen in a history that was dropped.

        Args:
            lost: Own bodies whose entries were dropped: they come first.
            entered: Bodies that need not be submitted any more.

        Returns:
            What is to be done, and whether a move is left out: its player has to make
            it again.
        """
        log, fold = self._ledger.log, self._ledger.fold
        bodies = [*lost, *self.bodies]
        self.waiting, gone = [], False
        effects: list[Keep] = []
        for body in bodies:
            fitted = fit(body, log, fold)
            if body in entered or isinstance(body, REMADE):
                continue
            gone = gone or fitted is None
            if fitted is not None:
                signed = self.add(fitted).signed
                effects.append(Keep(KeptBody(signed.own, signed.body)))
        end = log.own(self._signer.key) + len(self.waiting)
        return [*effects, *self._cleared(end)], gone

    def _cleared(self, end: int) -> Iterator[Keep]:
        """Let nothing be recalled that had a number from here on."""
        for number, body in self._hidden.bodies.items():
            if number >= end and body:
                yield Keep(KeptBody(number, b""))

    # As host.

    def on_submit(self, key: bytes, submit: Submit, at: int) -> Effects:
        """Enter what a member wrote, or say why not.

        Raises:
            PeerError: BAD_SIGNATURE or NOT_A_MEMBER.
        """
        members, log = self._members, self._ledger.log
        if not (members.hosting and members.quorate) or submit.own != log.own(key):
            return NOTHING  # entered, or behind one refused; or it will come again
        signed = Signed(key, submit.own, submit.body, submit.signature)
        log.check_author(signed)
        try:
            self._enter(signed, at)
        except IllegalMoveError as error:
            return self._refusal(key, submit.own, Code.ILLEGAL_MOVE, str(error))
        except PeerError as error:
            return self._refusal(key, submit.own, error.code, error.reason)
        return NOTHING

    def _refusal(self, key: bytes, own: int, code: Code, why: str) -> Effects:
        """Tell an author that its body is not entered."""
        match, reason = self._ledger.log.match, why[:REASON_CHARACTERS]
        return (to(key, Refused(match, own, code.number, reason)),)

    def _enter(self, signed: Signed, at: int, term: int | None = None) -> None:
        """Put a body into the log.

        Raises:
            PeerError: It has no place there.
            IllegalMoveError: The rules forbid the move.
        """
        line = self._ledger.log.compose(self._signer, signed, at, term)
        self._ledger.append(line, strict=True)

    def _end_waiting(
        self, waiting: Waiting, at: int, term: int | None = None
    ) -> Effects:
        """Put a body of our own into the log.

        Raises:
            PeerError: It has no place there.
            IllegalMoveError: The rules forbid the move.
        """
        self._enter(waiting.signed, at, term)
        return self.entered(waiting.body)

    def enter_waiting(self, at: int) -> Effects:
        """As a new host, enter what the old one had not, one body."""
        waiting = self.waiting[0]
        try:
            return self._end_waiting(waiting, at)
        except (PeerError, IllegalMoveError):
            return self.refuse(waiting.signed.own)[1]

    def begin_term(self, body: Term, term: int, at: int) -> Effects:
        """Be host from here on, as a quorum has agreed.

        Raises:
            PeerError: TERM, the log has moved on since they did.
        """
        effects, _gone = self.rebase([body])
        return *effects, *self._end_waiting(self.waiting[0], at, term)
