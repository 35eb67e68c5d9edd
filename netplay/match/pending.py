"""Bodies this node has written and the log does not have yet."""

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from netplay.errors import PeerError
from netplay.messages.log import Commit, LogBody, Seed, Turn
from netplay.record.fold import Fold
from netplay.record.hidden import Hidden, KeptBody
from netplay.record.log import Log, Signed, Signer, author_data, read_body
from netplay.wire import pack
from rules.game import Resign

RESIGNS: Final = pack(Resign())


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


class Waiting(NamedTuple):
    """A body that waits for the host."""

    signed: Signed
    body: LogBody


class Pending:
    """Own bodies in order; their numbers follow those of the log without a gap."""

    def __init__(self, signer: Signer, match: bytes, hidden: Hidden) -> None:
        """Start empty; `recall` brings back what an earlier run had written."""
        self._signer: Final = signer
        self._match: Final = match
        self._hidden: Final = hidden
        self._bodies: list[Waiting] = []

    def __iter__(self) -> Iterator[Waiting]:
        """Iterate in order of own numbers."""
        return iter(self._bodies)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._bodies)

    def recall(self, log: Log) -> None:
        """Take back what was written and not entered before the node ended."""
        own = log.own(self._signer.key)
        while raw := self._hidden.bodies.get(own, b""):
            try:
                body = read_body(raw)
            except PeerError:  # written by a program of another version
                return
            self._bodies.append(self._sign(own, raw, body))
            own += 1

    def add(self, log: Log, body: LogBody, *, keep: bool = True) -> Waiting:
        """Sign a body with the next number and remember it.

        Args:
            log: Where it is to go.
            body: What to say.
            keep: Write it down; who enters it in the log at once writes it there.
        """
        own = log.own(self._signer.key) + len(self._bodies)
        raw = pack(body)
        if keep:
            self._hidden.keep(KeptBody(own, raw))
        waiting = self._sign(own, raw, body)
        self._bodies.append(waiting)
        log.vouch(waiting.signed)
        return waiting

    def _sign(self, own: int, raw: bytes, body: LogBody) -> Waiting:
        """Return a body with its signature."""
        signature = self._signer.sign(author_data(self._match, own, raw))
        return Waiting(Signed(self._signer.key, own, raw, signature), body)

    def entered(self, log: Log, fold: Fold, body: LogBody) -> bool:
        """Forget a body that has come into the log as this node's last.

        It may be another than the next in order: one sent before its number was given
        to another, and entered by a host that had not heard of that.

        Returns:
            Whether the others have new numbers, and are to be submitted again.
        """
        own = log.own(self._signer.key) - 1
        first = next(iter(self._bodies), None)
        if first is not None and (first.signed.own, first.body) == (own, body):
            del self._bodies[0]
            return False
        if first is None:
            return False
        self.rebase(log, fold, [], [body])
        return True

    def refuse(self, own: int) -> Waiting | None:
        """Take out a body that the host will not have; those behind it move up."""
        refused = next((one for one in self._bodies if one.signed.own == own), None)
        if refused is not None:
            self._bodies.remove(refused)
            self._renumber(own)
        return refused

    def _renumber(self, gap: int) -> None:
        """Sign those behind a gap again; the last number becomes free."""
        for at, waiting in enumerate(self._bodies):
            own = waiting.signed.own
            if own > gap:
                raw = waiting.signed.body
                self._hidden.keep(KeptBody(own - 1, raw))
                self._bodies[at] = self._sign(own - 1, raw, waiting.body)
        self._hidden.keep(KeptBody(gap + self._behind(gap), b""))

    def _behind(self, gap: int) -> int:
        """Return how many bodies have numbers from `gap` on."""
        return sum(one.signed.own >= gap for one in self._bodies)

    def take_all(self) -> list[LogBody]:
        """Hand over all bodies; they stay on the disk until `rebase`."""
        bodies, self._bodies = [one.body for one in self._bodies], []
        return bodies

    def rebase(
        self,
        log: Log,
        fold: Fold,
        lost: Collection[LogBody],
        entered: Collection[LogBody] = (),
    ) -> bool:
        """Start again with other numbers, after the log has changed.

        What was to be said of chance is not: what a node still owes it says anew, with
        a seed that nobody can have seen in a history that was dropped.

        Args:
            log: The log as it is now.
            fold: What it means.
            lost: Own bodies whose entries were dropped: they come first.
            entered: Bodies that need not be submitted any more.

        Returns:
            Whether a move is left out: its player has to make it again.
        """
        bodies = [*lost, *(waiting.body for waiting in self._bodies)]
        self._bodies, gone = [], False
        for body in bodies:
            fitted = fit(body, log, fold)
            if body in entered or isinstance(body, Commit | Seed):
                continue
            gone = gone or fitted is None
            if fitted is not None:
                self.add(log, fitted)
        self._clear(log.own(self._signer.key) + len(self._bodies))
        return gone

    def _clear(self, own: int) -> None:
        """Let nothing be recalled that had a number from here on."""
        for number, body in list(self._hidden.bodies.items()):
            if number >= own and body:
                self._hidden.keep(KeptBody(number, b""))
