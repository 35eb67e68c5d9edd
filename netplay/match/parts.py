"""The parts of a match, put together: each is given the few others that it asks.

No part knows the match, and none is asked in a circle.
"""

from collections.abc import Callable
from typing import Final

from netplay.match.dealing import Dealing, Knowledge
from netplay.match.election import Election, Handover
from netplay.match.journal import Journal, sync_seconds
from netplay.match.masks import Masks
from netplay.match.members import Members
from netplay.match.offering import Offering, Preparing
from netplay.match.realtime import EarlyStretches, RealTime
from netplay.match.receipts import Auditing, ReceiptBook
from netplay.match.relaying import Relaying, StalledLines
from netplay.match.replica import Replica
from netplay.match.seats import Seats
from netplay.match.submitting import Branches, Submitting
from netplay.match.thinking import Thinking
from netplay.match.timing import Timing, Witness
from netplay.record.fold import Fold
from netplay.record.hidden import Entropy, Hidden
from netplay.record.ledger import Ledger
from netplay.record.log import Signer
from netplay.record.store import Disk
from netplay.said import Said
from netplay.steady import Steady

Tell = Callable[[Said], None]
"""Told in words what the players should know."""


class Parts:
    """The parts of one match at one node."""

    def __init__(
        self,
        signer: Signer,
        ledger: Ledger,
        secrets: Disk,
        entropy: Entropy,
        notice: Tell,
    ) -> None:
        """Take up a match where its file ends.

        Args:
            signer: This node's key.
            ledger: The log, with its genesis at least.
            secrets: The file of this node's secrets.
            entropy: Random bytes.
            notice: Told what the players should know.
        """
        self.signer: Final = signer
        self.me: Final = signer.key
        self.ledger: Final = ledger
        self.match: Final = ledger.log.match
        """The name of the match."""
        self.notice: Final = notice
        self.unix: Callable[[], int] | None = None
        """The time of day, which runs on while this computer sleeps."""
        self.steady: Steady | None = None
        """The same, which nobody can put forward; None where there is none."""
        self.hidden: Final = Hidden(secrets, entropy)
        me, hidden = self.me, self.hidden
        self.journal: Final = Journal(me, ledger, hidden, sync_seconds(ledger.fold.hz))
        self.members: Final = Members(me, ledger, hidden)
        members = self.members
        self.replica: Final = Replica(signer, ledger, members)
        self.masks: Final = Masks(signer, ledger, hidden, members, self.replica)
        self.knows: Final = Knowledge(me, ledger, hidden, self.masks)
        self.auditing: Final = Auditing(ledger, hidden, members, self.knows)
        self.election: Final = Election(signer, ledger, hidden, members, self.auditing)
        self.losses: Final = self.election.losses
        self.submitting: Final = Submitting(signer, ledger, hidden, members)
        self.branches: Final = Branches(ledger, hidden, members, self.replica)
        self.relaying: Final = Relaying(signer, ledger, members, entropy)
        pending, early = self.submitting, EarlyStretches(ledger)
        self.early_stretches: Final = early
        self.stalled: Final = StalledLines(
            ledger, members, self.replica, self.relaying, pending, early
        )
        self.dealing: Final = Dealing(ledger, hidden, members, self.replica, self.knows)
        self.handover: Final = Handover(signer, ledger, hidden, members)
        self.receipts: Final = ReceiptBook(ledger, hidden, members, self.losses)
        self.witness: Final = Witness(ledger, hidden, members)
        self.timing: Final = Timing(ledger, members, self.witness)
        self.thinking: Final = Thinking(
            ledger, hidden, members, pending, self._steady, self._off
        )
        self.seats: Final = Seats(members, ledger, self.knows, self.submitting)
        self.offering: Final = Offering(me, ledger, self.seats, self.submitting)
        self.preparing: Final = Preparing(ledger, hidden, self.seats, self.submitting)
        self.realtime = self._realtime()

    def _realtime(self) -> RealTime | None:
        """Return the clocks of the own seats, in a game of ticks."""
        # Clocks of ticks would wake a game of turns all the time.
        if not self.fold.hz:
            return None
        return RealTime(
            self.ledger, self.members, self.seats, self.submitting, self.replica,
            self.early_stretches,
        )  # fmt: skip

    def renew(self) -> None:
        """Know again what follows from the log, after it was made anew."""
        self.members.renew()
        self.masks.renew()
        self.knows.renew()
        self.seats.renew()
        self.witness.restart()
        self.thinking.renew()
        self.realtime = self._realtime()

    def unix_now(self) -> int | None:
        """Return the time of day, if it is known here."""
        return None if self.unix is None else self.unix()

    def _steady(self) -> int | None:
        """Return the time of day that nobody can put forward, if it is known here."""
        return self.unix_now() if self.steady is None else self.steady.now()

    def _off(self) -> int:
        """Return for how many seconds of it this computer was off."""
        return 0 if self.steady is None else self.steady.off

    @property
    def fold(self) -> Fold:
        """The public state."""
        return self.ledger.fold
