"""One match as the players at this node make their moves in it."""

from collections.abc import Sequence
from typing import Any, Final

from typing_extensions import override

from netplay.errors import Code, LocalError, PeerError
from netplay.match.effects import Keep, Notice
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


class OwnTurns(Replicated):
    """A match whose moves are made here, by players or as they have prepared them."""

    _overdue_at: float | None = None
    """When a move that was sent to the host is overdue."""

    @property
    def stopped(self) -> Words:
        """Why the match cannot go on at all, empty if it can."""
        if self.hidden.fork is not None:
            return Said(Code.FORK.name)
        return "" if self.ledger.fold.bag is None else self.masks.why_stopped

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
        parsed = self.seats.parse(seat, move)
        waits = self.realtime is None or isinstance(parsed, Resign)
        lively = self.members.quorate or (waits and not self.members.lost)
        if self.hidden.fork is not None or not lively:
            raise LocalError(Code.SILENT, Says.WAITS_FOR_PLAYERS())
        if self.realtime is not None and not isinstance(parsed, Resign):
            self.do(self.realtime.wake(now), now)
            self.realtime.input(seat, parsed, now)
            return
        if self._enter(seat, parsed, seen, now):
            self.step(now)
            if self.submitting.early or self.thinking.limit:
                # It is shown as made, and nobody else has it; with days it is what
                # speaks against a claim of a host that holds it back.
                self.journal.sync()
        self.journal.check()

    def _enter(self, seat: int, move: Any, seen: int, now: float) -> bool:  # noqa: ANN401 (a game's own)
        """Say a move in the log; return whether it need not wait for a lift before."""
        body = self.seats.turn(seat, move, seen)
        claims = self.ledger.fold.claims
        blocked = claims.standing and self.fold.timed and claims.blocks(seat)
        if claims.standing:
            self.do(self.submitting.unsay(seat), now)
        if blocked and not isinstance(move, Resign):
            self._contest(seat, now)
            return True
        if self.ledger.fold.bag is not None and self._is_to_wait(move):
            self.do(self.submitting.hold(body), now)
            return False
        try:
            self.submit(body, now, hold=self._may_hold(seat))
        except PeerError as error:
            raise LocalError(error.code, error.detail) from error
        self._overdue_at = now + OVERDUE_SECONDS
        return True

    def _contest(self, seat: int, now: float) -> None:
        """Object to a claim that a turn of this seat does not stop any more."""
        claim = self.ledger.fold.claims.against(seat)
        assert claim is not None  # it blocks the seat
        if len(self.fold.electors) > CONTESTING:
            if claim.objected:
                raise LocalError(Code.USAGE, Says.OBJECTED_ALREADY())
            self.notice(Says.OBJECTED(name=self.members.name(claim.author)))
        self.submit(Judgement(claim.head, agrees=False, receipts=()), now)

    @override
    def wake(self, now: float) -> None:
        if self._overdue_at is not None and now >= self._overdue_at:
            self._overdue_at = None
            self.submitting.look()
        super().wake(now)

    @override
    def deadline(self) -> float | None:
        due = super().deadline()
        if self._overdue_at is None or not self.submitting.waiting:
            return due
        return self._overdue_at if due is None else min(due, self._overdue_at)

    def _is_to_wait(self, move: Any) -> bool:  # noqa: ANN401 (a game's own)
        """Tell whether a move made here has to wait for a lift that is owed."""
        return not isinstance(move, Resign) and self.masks.hold(self.submitting.bodies)

    def _may_hold(self, seat: int) -> bool:
        """Tell whether a turn may wait here until it is to leave, at a host alone.

        Where several seats are played at this node, the next may be one of them, and
        whoever has it must not wait for a file or a link.
        """
        alone = len(self.members.seats) == 1
        return alone and self.seats.by_person(seat)

    def may_move(self) -> bool:
        """Tell whether a person here can make a move now, whoever is away."""
        if self.realtime is not None or self.stopped or self.members.lost:
            return False
        return any(self._may_move(seat) for seat in self.fold.actors)

    def _may_move(self, seat: int) -> bool:
        """Tell whether a person here can make a move at a seat on turn."""
        seats = self.seats
        ours = seats.by_person(seat)
        return ours and not seats.is_moving(seat) and seats.view(seat).up_to_date

    def take_back(self, seat: int, now: float) -> None:
        """Take back a move that was made here, and has left by no way.

        Raises:
            LocalError: USAGE, there is none, or it has left; NOT_A_MEMBER, the
                seat is played elsewhere; DISK.
        """
        if not self.seats.is_own(seat):
            raise LocalError(Code.NOT_A_MEMBER, Says.PLAYED_ELSEWHERE())
        taken = self.submitting.take_back(seat)
        if seat in self.hidden.prepared:  # what followed from it goes with it
            self.do(self.preparing.drop(seat), now)
        self.do(taken, now)
        self.step(now)
        self.journal.sync()

    def let_leave(self, now: float) -> None:
        """Take no move back any more: what waits here is about to leave by some way.

        A host that enters alone enters what it has held back.

        Raises:
            LocalError: DISK.
        """
        self.submitting.let_go()
        self.do(self.submitting.leave(), now)
        self.step(now)
        self.journal.sync()

    # Moves on condition.

    def prepare(self, seat: int, moves: Sequence[bytes], seen: int, now: float) -> None:
        """Prepare a line for a seat; see `Preparing.prepare`.

        Raises:
            LocalError: It cannot be prepared, or DISK.
            IllegalMoveError: The rules forbid a move of it.
        """
        if self.stopped or self.members.lost:
            raise LocalError(Code.SILENT, Says.WAITS_FOR_PLAYERS())
        self.do(self.preparing.prepare(seat, moves, seen), now)
        self.journal.sync()

    def drop_prepared(self, seat: int, moves: Sequence[bytes], now: float) -> None:
        """Drop a line of a seat, or all; see `Preparing.drop`.

        Raises:
            LocalError: There is none such, or DISK.
        """
        self.do(self.preparing.drop(seat, moves), now)
        self.journal.sync()

    @override
    def _settle(self, now: float) -> bool:
        done = super()._settle(now)
        while self.hidden.prepared and self._play_prepared(now):
            super()._settle(now)
            done = True
        return done

    def _play_prepared(self, now: float) -> bool:
        """Make a move whose position has come about; return whether there was one.

        It is made once: a host that refuses it is not asked again.
        """
        self.do(self.preparing.look(), now)
        stopped = self.stopped or self.members.lost or self.journal.failed is not None
        due = None if stopped else self.preparing.due()
        if due is None:
            return False
        try:
            self._enter(due.seat, due.move, self.fold.moves, now)
            said = Says.PREPARED_MADE()
        except (LocalError, IllegalMoveError) as error:
            said = Says.PREPARED_FAILED(why=spoken(error))
        self.do((Keep(due.kept), Notice(said)), now)
        return True
