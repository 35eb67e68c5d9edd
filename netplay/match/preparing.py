"""What players here have prepared: "if Bert plays there, then this".

Where nothing is hidden, a player may name moves for positions that are to come.  The
node makes such a move as the player would, once the game has come to that very position
by the very moves that were named.  What does not fit any more is dropped.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.match.effects import NOTHING, Effects, Keep
from netplay.match.seats import Seats
from netplay.match.submitting import Submitting
from netplay.messages.log import Turn
from netplay.messages.preparing import MOVES
from netplay.record.hidden import Hidden
from netplay.record.ledger import Ledger
from netplay.record.prepared import LINES, KeptLines, Prepared, Step, parts_at, reached
from netplay.record.standing import state_digest
from netplay.sentences import Says
from netplay.wire import pack, unpack
from rules.game import Resign


class Due(NamedTuple):
    """A move whose position has come about."""

    seat: int
    move: Any
    kept: KeptLines
    """The lines of the seat once it is made."""


class Preparing:
    """The lines that are prepared for the seats of a match that are played here."""

    def __init__(
        self, ledger: Ledger, hidden: Hidden, seats: Seats, pending: Submitting
    ) -> None:
        """Begin with what an earlier run has kept."""
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._seats: Final = seats
        self._pending: Final = pending

    # What a player here may do.

    def may(self, seat: int) -> bool:
        """Tell whether something can be prepared for a seat now."""
        fold, about = self._ledger.fold, self._ledger.fold.game.ABOUT
        if about.hz or about.tiled is not None or fold.over or fold.stuck:
            return False
        if seat in fold.resigned or not self._seats.by_person(seat):
            return False
        return seat not in fold.actors or self._seats.is_moving(seat)

    def prepare(self, seat: int, moves: Sequence[bytes], seen: int) -> Effects:
        """Prepare a line for a seat, in place of those that it contradicts.

        Args:
            seat: Whose.
            moves: From what the player sees on, the others' and the player's own.
            seen: Moves by seats and the clock that the player had seen; -1 for all.

        Raises:
            LocalError: NOT_A_MEMBER, the seat is played elsewhere; USAGE, nothing can
                be prepared so; STALE; ILLEGAL_MOVE; TOO_MANY.
            IllegalMoveError: The rules forbid a move where it would be made.
        """
        self._check(seat, seen)
        fresh = self._line(seat, moves)
        kept: list[Prepared] = []
        for line in self._hidden.prepared.get(seat, ()):
            left = self._left(line)
            parting = parts_at(left, fresh.steps)
            if parting is None and len(left) > len(fresh.steps):
                return NOTHING  # it is prepared, and more
            if parting not in (None, seat):
                kept.append(line)
        if len(kept) >= LINES:
            raise LocalError(Code.TOO_MANY, Says.PREPARED_ENOUGH(most=LINES))
        return (Keep(KeptLines(seat, (*kept, fresh))),)

    def _check(self, seat: int, seen: int) -> None:
        """Check that something can be prepared for a seat."""
        fold, about = self._ledger.fold, self._ledger.fold.game.ABOUT
        if not self._seats.is_own(seat):
            raise LocalError(Code.NOT_A_MEMBER, Says.PLAYED_ELSEWHERE())
        if about.hz or about.tiled is not None:
            raise LocalError(Code.USAGE, Says.PREPARED_HIDDEN(game=about.title))
        if not self.may(seat):
            raise LocalError(Code.USAGE, Says.PREPARED_NOT_NOW())
        if seen not in {-1, fold.moves}:
            raise LocalError(Code.STALE)

    def _line(self, seat: int, moves: Sequence[bytes]) -> Prepared:
        """Return a line behind what was made here and waits, if the rules allow it."""
        fold, game = self._ledger.fold, self._ledger.fold.game
        state, steps = fold.state, list[Step]()
        made = [body for body in self._pending.bodies if isinstance(body, Turn)]
        named = [*(turn.move for turn in made), *moves]
        for number, raw in enumerate(named):
            actors = game.actors(state)
            actor = min(actors, default=-1)
            if len(actors) != 1 or actor < 0:
                raise LocalError(Code.USAGE, Says.PREPARED_NO_FURTHER())
            move = self._move(raw)
            if number == len(made) and actor == seat:
                raise LocalError(Code.USAGE, Says.PREPARED_NOT_NOW())
            digest = state_digest(fold.match, game, state)
            steps.append(Step(actor, digest, pack(move)))
            state = game.play(state, actor, move)
        if not moves or len(moves) > MOVES or steps[-1].seat != seat:
            raise LocalError(Code.USAGE, Says.PREPARED_LENGTH(most=MOVES))
        return Prepared(fold.moves, len(fold.history), tuple(steps), len(made))

    def _move(self, raw: bytes) -> Any:  # noqa: ANN401 (a game's own)
        """Return a move of a line: one on the board, which nobody gives up with."""
        try:
            move = unpack(raw, self._ledger.fold.game.ABOUT.move)
        except PeerError as error:
            raise LocalError(Code.ILLEGAL_MOVE, error.detail) from None
        if isinstance(move, Resign):
            raise LocalError(Code.USAGE, Says.PREPARED_RESIGNING())
        return move

    def drop(self, seat: int, moves: Sequence[bytes] = ()) -> Effects:
        """Drop a line of a seat, named by the moves that are left of it; or all.

        Raises:
            LocalError: USAGE, there is none such; NOT_A_MEMBER.
        """
        if not self._seats.is_own(seat):
            raise LocalError(Code.NOT_A_MEMBER, Says.PLAYED_ELSEWHERE())
        lines = self._hidden.prepared.get(seat, ())
        wanted = list(moves)
        kept = [line for line in lines if wanted and self._named(line) != wanted]
        if len(kept) == len(lines):
            raise LocalError(Code.USAGE, Says.PREPARED_NONE())
        return (Keep(KeptLines(seat, tuple(kept))),)

    def shown(self, seat: int) -> Iterator[tuple[Step, ...]]:
        """Yield what is left of the lines of a seat, behind what is made and waits."""
        for line in self._hidden.prepared.get(seat, ()):
            count = reached(line, self._ledger.fold)
            if count is not None and (left := line.steps[max(count, line.made) :]):
                yield left

    def _named(self, line: Prepared) -> list[bytes]:
        """Return the moves by which a window names a line."""
        count = reached(line, self._ledger.fold) or 0
        return [step.move for step in line.steps[max(count, line.made) :]]

    def _left(self, line: Prepared) -> tuple[Step, ...]:
        """Return the steps of a line from the present position on."""
        return line.steps[reached(line, self._ledger.fold) or 0 :]

    # What the node does by itself.

    def look(self) -> Effects:
        """Drop the lines from which the game has gone away."""
        return list(self._past())

    def _past(self) -> Iterator[Keep]:
        """Yield what is to be kept of the lines, where it is less than before."""
        fold = self._ledger.fold
        for seat, lines in self._hidden.prepared.items():
            stands = self._seats.is_own(seat) and seat not in fold.resigned
            left = [one for one in lines if stands and reached(one, fold) is not None]
            if len(left) < len(lines):
                yield Keep(KeptLines(seat, tuple(left)))

    def due(self) -> Due | None:
        """Return a move that was named for the present position, if there is one."""
        fold = self._ledger.fold
        if fold.agreement.standing:  # others see another position
            return None
        for seat, lines in self._hidden.prepared.items():
            waits = seat in fold.actors and self._seats.by_person(seat)
            if not waits or self._seats.is_moving(seat):
                continue
            for line in lines:
                count = reached(line, fold)
                if count is not None and count >= line.made:
                    return self._due(seat, line.steps[count].move)
        return None

    def _due(self, seat: int, raw: bytes) -> Due:
        """Return a move, and the lines once it is made: it is tried only once."""
        fold = self._ledger.fold
        kept = tuple(
            replace(line, made=(reached(line, fold) or 0) + 1)
            for line in self._hidden.prepared[seat]
        )
        return Due(seat, self._move(raw), KeptLines(seat, kept))
