"""One match as the players at this node make their moves in it."""

from collections.abc import Sequence
from typing import Any, Final

from netplay.errors import Code, LocalError, PeerError
from netplay.match.effects import Keep, Notice
from netplay.match.parts import Parts
from netplay.match.replicated import Replicated
from netplay.messages.log import Judgement
from netplay.record.clocks import CONTESTING
from netplay.said import Said, Words, spoken
from netplay.sentences import Says
from rules.game import IllegalMoveError, Resign

OVERDUE_SECONDS: Final = 1.0
"""A move that the log has not after so long is shown as made and not delivered: what
stands still on the board for longer is taken for a click that went astray.  A link is
given up for lost only much later."""


class OwnTurns:
    """The moves of a match that are made here, by players or as they prepared them."""

    def __init__(self, parts: Parts, replication: Replicated) -> None:
        """Begin without a move.

        Args:
            parts: Of the match.
            replication: Brings into its log what is done here.
        """
        self._parts: Final = parts
        self._replication: Final = replication
        self._ledger: Final = parts.ledger
        self._hidden: Final = parts.hidden
        self._journal: Final = parts.journal
        self._masks: Final = parts.masks
        self._members: Final = parts.members
        self._preparing: Final = parts.preparing
        self._seats: Final = parts.seats
        self._submitting: Final = parts.submitting
        self._thinking: Final = parts.thinking
        self.overdue_at: float | None = None
        """When a move that was sent to the host is overdue."""
        replication.plays_prepared = self._play_prepared

    @property
    def stopped(self) -> Words:
        """Why the match cannot go on at all, empty if it can."""
        if self._hidden.fork is not None:
            return Said(Code.FORK.name)
        return "" if self._ledger.fold.bag is None else self._masks.why_stopped

    # Moves.

    def play(self, seat: int, move: bytes, seen: int, now: float) -> None:
        """Make a move at a seat that is played here.

        Args:
            seat: Whose move.
            move: The game's move, encoded.
            seen: Moves by seats and the clock that the player had seen; -1 for all.
            now: Seconds.

        Raises:
            LocalError: It cannot be made now.
            IllegalMoveError: The rules forbid it.
        """
        parsed = self._seats.parse(seat, move)
        waits = self._parts.realtime is None or isinstance(parsed, Resign)
        lively = self._members.quorate or (waits and not self._members.lost)
        # Nor has anything a place before the seats of who is gone have passed.
        gone = self._ledger.fold.gone
        if self._hidden.fork is not None or not lively or gone:
            raise LocalError(Code.SILENT, Says.WAITS_FOR_PLAYERS())
        if self._parts.realtime is not None and not isinstance(parsed, Resign):
            self._replication.do(self._parts.realtime.wake(now), now)
            self._parts.realtime.input(seat, parsed, now)
            return
        if self._enter(seat, parsed, seen, now):
            self._replication.step(now)
            if self._submitting.early or self._thinking.limit:
                # It is shown as made, and nobody else has it; with days it is what
                # speaks against a claim of a host that holds it back.
                self._journal.sync()
        self._journal.check()

    def _enter(self, seat: int, move: Any, seen: int, now: float) -> bool:  # noqa: ANN401 (a game's own)
        """Say a move in the log; return whether it need not wait for a lift before."""
        body = self._seats.turn(seat, move, seen)
        # Nobody has to wait to resign.
        lifts = self._ledger.fold.bag is not None and not isinstance(move, Resign)
        if lifts and self._masks.stopped is not None:
            raise LocalError(Code.STOPPED, self._masks.why_stopped)
        claims = self._ledger.fold.claims
        blocked = claims.standing and self._ledger.fold.timed and claims.blocks(seat)
        if claims.standing:
            self._replication.do(self._submitting.unsay(seat), now)
        if blocked and not isinstance(move, Resign):
            self._contest(seat, now)
            return True
        # A lift that is owed comes first.
        if lifts and self._masks.hold(self._submitting.bodies):
            self._replication.do(self._submitting.hold(body), now)
            return False
        try:
            # Whether a turn may wait here until it is to leave, at a host alone. Where
            # several seats are played at this node, the next may be one of them, and
            # whoever has it must not wait for a file or a link.
            alone = len(self._members.seats) == 1
            self._replication.submit(
                body, now, hold=alone and self._seats.by_person(seat)
            )
        except PeerError as error:
            raise LocalError(error.code, error.detail) from error
        self.overdue_at = now + OVERDUE_SECONDS
        return True

    def _contest(self, seat: int, now: float) -> None:
        """Object to a claim that a turn of this seat does not stop any more."""
        claim = self._ledger.fold.claims.against(seat)
        assert claim is not None  # it blocks the seat
        if len(self._ledger.fold.electors) > CONTESTING:
            if claim.objected:
                raise LocalError(Code.USAGE, Says.OBJECTED_ALREADY())
            self._parts.notice(Says.OBJECTED(name=self._members.name(claim.author)))
        self._replication.submit(Judgement(claim.head, agrees=False, receipts=()), now)

    def wake(self, now: float) -> None:
        """Have a move shown as not delivered that the log should have by now."""
        if self.overdue_at is not None and now >= self.overdue_at:
            self.overdue_at = None
            self._submitting.look()

    def may_move(self) -> bool:
        """Tell whether a person here can make a move now, whoever is away."""
        fold, lost = self._ledger.fold, self._members.lost
        if self._parts.realtime is not None or self.stopped or lost or fold.gone:
            return False
        seats = self._seats
        return any(
            seats.by_person(seat)
            and not seats.is_moving(seat)
            and not seats.lacks_tiles(seat)
            for seat in fold.actors - self._members.vacant
        )

    def take_back(self, seat: int, now: float) -> None:
        """Take back a move that was made here, and has left by no way.

        Raises:
            LocalError: USAGE, there is none, or it has left; NOT_A_MEMBER, the
                seat is played elsewhere; DISK.
        """
        if not self._seats.is_own(seat):
            raise LocalError(Code.NOT_A_MEMBER, Says.PLAYED_ELSEWHERE())
        taken = self._submitting.take_back(seat)
        if seat in self._hidden.prepared:  # what followed from it goes with it
            self._replication.do(self._preparing.drop(seat), now)
        self._replication.do(taken, now)
        self._replication.step(now)
        self._journal.sync()

    def let_leave(self, now: float) -> None:
        """Take no move back any more: what waits here is about to leave by some way.

        A host that enters alone enters what it has held back.

        Raises:
            LocalError: DISK.
        """
        self._submitting.let_go()
        self._replication.do(self._submitting.leave(), now)
        self._replication.step(now)
        self._journal.sync()

    # Moves on condition.

    def prepare(self, seat: int, moves: Sequence[bytes], seen: int, now: float) -> None:
        """Prepare a line for a seat; see `Preparing.prepare`.

        Raises:
            LocalError: It cannot be prepared, or DISK.
            IllegalMoveError: The rules forbid a move of it.
        """
        if self.stopped or self._members.lost:
            raise LocalError(Code.SILENT, Says.WAITS_FOR_PLAYERS())
        self._replication.do(self._preparing.prepare(seat, moves, seen), now)
        self._journal.sync()

    def drop_prepared(self, seat: int, moves: Sequence[bytes], now: float) -> None:
        """Drop a line of a seat, or all; see `Preparing.drop`.

        Raises:
            LocalError: There is none such, or DISK.
        """
        self._replication.do(self._preparing.drop(seat, moves), now)
        self._journal.sync()

    def _play_prepared(self, now: float) -> bool:
        """Make a move whose position has come about; return whether there was one.

        It is made once: a host that refuses it is not asked again.
        """
        self._replication.do(self._preparing.look(), now)
        stopped = self.stopped or self._members.lost or self._journal.failed is not None
        due = None if stopped else self._preparing.due()
        if due is None:
            return False
        try:
            self._enter(due.seat, due.move, self._ledger.fold.moves, now)
            said = Says.PREPARED_MADE()
        except (LocalError, IllegalMoveError) as error:
            said = Says.PREPARED_FAILED(why=spoken(error))
        self._replication.do((Keep(due.kept), Notice(said)), now)
        return True
