"""What players at this node offer the others, and answer them; computers do at once.

A computer player agrees to stop, to take back and to days off; to a draw where it is
not ahead by what counts on the board.  One that stands in for a person answers nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, get_args

from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.match.effects import NOTHING, Effects, Keep, Notice
from netplay.match.seats import Seats
from netplay.match.submitting import Submitting
from netplay.messages.log import DAYS_OFF, LogBody, Response, Turn, What, Wish
from netplay.messages.table_questions import MOVES
from netplay.record import offers
from netplay.record.fold import Fold
from netplay.record.hidden import Hidden
from netplay.record.ledger import Ledger
from netplay.record.standing import state_digest
from netplay.said import Said, Saying, fields
from netplay.sentences import Says
from netplay.wire import pack, unpack
from rules.game import Resign


class Told(NamedTuple):
    """What players are told of one kind of offer."""

    impossible: Saying
    """Why it cannot be made now."""
    offered: Saying
    agreed: Saying
    declined: Saying


TOLD: Final[Mapping[What, Told]] = {
    "draw": Told(Says.NO_DRAW, Says.OFFERS_DRAW, Says.AGREED_DRAW, Says.DECLINED_DRAW),
    "stop": Told(
        Says.NOTHING_TO_AGREE, Says.OFFERS_STOP, Says.AGREED_STOP, Says.DECLINED_STOP
    ),
    "back": Told(
        Says.NOTHING_TO_GO_BACK, Says.OFFERS_BACK, Says.AGREED_BACK, Says.DECLINED_BACK
    ),
    "days": Told(
        Says.NO_DAYS_OFF, Says.OFFERS_DAYS, Says.AGREED_DAYS, Says.DECLINED_DAYS
    ),
}
assert TOLD.keys() == set(get_args(What))


class Offering:
    """The offers of one match, as this node takes part in them."""

    def __init__(
        self, me: bytes, ledger: Ledger, seats: Seats, pending: Submitting
    ) -> None:
        """Begin with what the log says; an earlier run has told of it."""
        self._me: Final = me
        self._ledger: Final = ledger
        self._seats: Final = seats
        self._pending: Final = pending
        self.told = ledger.fold.offers
        """The offers of which the players here have been told."""
        self._looked: dict[int, tuple[Any, bool]] = {}
        """Seat -> the position looked at last, and whether its turn may go back."""

    # What a player here may do.

    def may(self, seat: int) -> list[What]:
        """Return what a player here may offer now."""
        fold, match = self._ledger.fold, self._ledger.fold.offers
        # Nothing has a place in the log before the seats of who is gone have passed.
        if fold.hz or fold.over or fold.stuck or fold.gone or seat in fold.resigned:
            return []
        # An offer may be on its way into the log.
        if match.made.get(seat, 0) >= offers.OFFERS_A_TURN or any(
            isinstance(one, Wish) and one.seat == seat for one in self._pending.bodies
        ):
            return []
        if self._seats.all_of_one():
            return []  # nobody else would be asked
        found: list[What] = [] if fold.game.ABOUT.drawn is None else ["draw"]
        found.append("stop")
        if self._may_go_back(seat):
            found.append("back")
        if fold.terms.days and match.times_off(seat) < offers.TIMES_OFF:
            found.append("days")
        return found

    def _may_go_back(self, seat: int) -> bool:
        """Tell whether a seat's last turn may be taken back.

        With tiles the position before it is made anew, once for each position: whoever
        withdraws a word shows no tiles by that, and moves some all the same.
        """
        fold = self._ledger.fold
        if offers.last_turn(fold, seat) is None:
            return False
        if fold.game.ABOUT.tiled is None:
            return True
        state, may = self._looked.get(seat, (None, False))
        if state is not fold.state:
            try:
                may = bool(offers.back(fold, seat))
            except PeerError:
                may = False
            self._looked[seat] = fold.state, may
        return may

    def offer(self, seat: int, what: What, days: int) -> Wish:
        """Return the body of an offer by a seat that is played here.

        Raises:
            LocalError: NOT_A_MEMBER, it is not; TOO_MANY; USAGE, it cannot be offered,
                or not before a move of the seat's is delivered.
        """
        fold = self._ledger.fold
        self._check_own(seat)
        if fold.offers.made.get(seat, 0) >= offers.OFFERS_A_TURN:
            raise LocalError(Code.TOO_MANY, Says.OFFERS_ENOUGH())
        # An offer holds in one position: the move would end it as it is delivered.
        if any(isinstance(x, Turn) and x.seat == seat for x in self._pending.bodies):
            raise LocalError(Code.USAGE, Says.OFFERS_AFTER_MOVE())
        if what not in self.may(seat):
            kind = "stop" if fold.over else what  # then nothing of the kind matters
            raise LocalError(Code.USAGE, TOLD[kind].impossible())
        if what == "days" and not 1 <= days <= DAYS_OFF:
            raise LocalError(Code.USAGE, Says.DAYS_OFF_RANGE(most=DAYS_OFF))
        head, state = self._ledger.log.head, fold.digest()
        return Wish(seat, what, days if what == "days" else 0, head, state)

    def answer(self, seat: int, head: bytes, *, agrees: bool) -> Response:
        """Return the body of an answer by a seat that is played here.

        Args:
            seat: Whose answer.
            head: Of the offer; empty for the only one that it can answer so.
            agrees: Whether it is yes.

        Raises:
            LocalError: NOT_A_MEMBER; USAGE, there is nothing to answer.
        """
        fold = self._ledger.fold
        self._check_own(seat)
        found = [
            one
            for one in fold.offers.standing
            if one.head == head or (not head and self._may_answer(one, seat, agrees))
        ]
        if len(found) != 1 or not self._may_answer(found[0], seat, agrees):
            raise LocalError(Code.USAGE, Says.NOTHING_OFFERED())
        body = Response(seat, found[0].head, agrees)
        if body in self._pending.bodies:
            raise LocalError(Code.USAGE, Says.NOTHING_OFFERED())
        return body

    def _may_answer(self, one: offers.Offered, seat: int, agrees: bool) -> bool:
        """Tell whether a seat may say yes, or no, to an offer; no to its own, too."""
        if seat in self._ledger.fold.resigned or (agrees and self._seats.all_of_one()):
            return False
        if seat == one.seat:
            return not agrees
        return not (agrees and seat in one.agreed)

    def _check_own(self, seat: int) -> None:
        """Refuse a seat that is played elsewhere."""
        if not self._seats.is_own(seat):
            raise LocalError(Code.NOT_A_MEMBER, Says.PLAYED_ELSEWHERE())

    def unanswered(self, one: offers.Offered) -> set[int]:
        """Return who has yet to answer an offer, by what was said here, too.

        That has no place in the log while the others are away.
        """
        said = [
            body
            for body in self._pending.bodies
            if isinstance(body, Response) and body.offer == one.head
        ]
        if self._seats.all_of_one() or not all(body.agrees for body in said):
            return set()
        return offers.asked(self._ledger.fold, one) - {body.seat for body in said}

    def waits(self) -> bool:
        """Tell whether an offer waits for the answer of this node's player."""
        left = map(self.unanswered, self._ledger.fold.offers.standing)
        return any(self._seats.by_player(seat) for seats in left for seat in seats)

    def is_persons(self, body: LogBody) -> bool:
        """Tell whether a body is an offer or an answer of a person here."""
        return isinstance(body, Wish | Response) and self._seats.by_person(body.seat)

    # What the node does by itself.

    def owed(self) -> Iterator[Response]:
        """Yield what computer players here answer to the offers that stand."""
        fold = self._ledger.fold
        if not fold.offers.standing or fold.over or fold.stuck:
            return
        for one, seat in offers.asked_of(fold, self._me):
            if self._seats.is_computers(seat):
                # A computer player agrees to all but a draw while it is ahead.
                drawn = fold.game.ABOUT.drawn
                agrees = one.what != "draw" or (
                    drawn is not None and drawn.lead(fold.state, seat) <= 0
                )
                yield Response(seat, one.head, agrees)

    def look(self) -> Effects:
        """Tell the players here of what is new."""
        before, self.told = self.told, self._ledger.fold.offers
        if before is self.told:
            return NOTHING
        return list(self._news(before, self.told))

    def _news(self, before: offers.Offers, now: offers.Offers) -> Iterator[Notice]:
        """Yield what is new."""
        fold, known = self._ledger.fold, {one.head for one in before.standing}
        for one in now.standing:
            if one.head not in known and not self._seats.is_own(one.seat):
                yield Notice(_said(TOLD[one.what].offered, one, fold))
        for done in now.agreed[len(before.agreed) :]:
            yield Notice(_said(TOLD[done.what].agreed, done, fold))
        for no in now.declined[len(before.declined) :]:
            one = no.offer
            own = no.by == one.seat
            says = Says.OFFER_WITHDRAWN if own else TOLD[one.what].declined
            yield Notice(_said(says, one, fold))


def _said(says: Saying, offer: offers.Offered | offers.Agreed, fold: Fold) -> Said:
    """Return what is told of an offer."""
    values = {"name": fold.names[offer.seat], "days": offer.days}
    return says(**{name: values[name] for name in fields(says.value)})


# What players here have prepared: "if Bert plays there, then this".
#
# Where nothing is hidden, a player may name moves for positions that are to come. The
# node makes such a move as the player would, once the game has come to that very
# position by the very moves that were named. What does not fit any more is dropped.


class Due(NamedTuple):
    """A move whose position has come about."""

    seat: int
    move: Any
    kept: offers.KeptLines
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
        if seat in fold.resigned or not self._seats.by_player(seat):
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
        fold, about = self._ledger.fold, self._ledger.fold.game.ABOUT
        if not self._seats.is_own(seat):
            raise LocalError(Code.NOT_A_MEMBER, Says.PLAYED_ELSEWHERE())
        if about.hz or about.tiled is not None:
            raise LocalError(Code.USAGE, Says.PREPARED_HIDDEN(game=about.title))
        if not self.may(seat):
            raise LocalError(Code.USAGE, Says.PREPARED_NOT_NOW())
        if seen not in {-1, fold.moves}:
            raise LocalError(Code.STALE)
        fresh = self._line(seat, moves)
        kept: list[offers.Prepared] = []
        for line in self._hidden.prepared.get(seat, ()):
            left = line.steps[offers.reached(line, fold) or 0 :]
            parting = offers.parts_at(left, fresh.steps)
            if parting is None and len(left) > len(fresh.steps):
                return NOTHING  # it is prepared, and more
            if parting not in (None, seat):
                kept.append(line)
        if len(kept) >= offers.LINES:
            raise LocalError(Code.TOO_MANY, Says.PREPARED_ENOUGH(most=offers.LINES))
        return (Keep(offers.KeptLines(seat, (*kept, fresh))),)

    def _line(self, seat: int, moves: Sequence[bytes]) -> offers.Prepared:
        """Return a line behind what was made here and waits, if the rules allow it."""
        fold, game = self._ledger.fold, self._ledger.fold.game
        state, steps = fold.state, list[offers.Step]()
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
            steps.append(offers.Step(actor, digest, pack(move)))
            state = game.play(state, actor, move)
        if not moves or len(moves) > MOVES or steps[-1].seat != seat:
            raise LocalError(Code.USAGE, Says.PREPARED_LENGTH(most=MOVES))
        return offers.Prepared(fold.moves, len(fold.history), tuple(steps), len(made))

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
        return (Keep(offers.KeptLines(seat, tuple(kept))),)

    def lines_left(self, seat: int) -> Iterator[tuple[offers.Step, ...]]:
        """Yield what is left of the lines of a seat, behind what is made and waits."""
        for line in self._hidden.prepared.get(seat, ()):
            count = offers.reached(line, self._ledger.fold)
            if count is not None and (left := line.steps[max(count, line.made) :]):
                yield left

    def _named(self, line: offers.Prepared) -> list[bytes]:
        """Return the moves by which a window names a line."""
        count = offers.reached(line, self._ledger.fold) or 0
        return [step.move for step in line.steps[max(count, line.made) :]]

    # What the node does by itself.

    def look(self) -> Effects:
        """Drop the lines from which the game has gone away."""
        fold, fewer = self._ledger.fold, list[Keep]()
        for seat, lines in self._hidden.prepared.items():
            own = self._seats.is_own(seat)  # giving up is a step of no line
            left = [
                one for one in lines if own and offers.reached(one, fold) is not None
            ]
            if len(left) < len(lines):
                fewer.append(Keep(offers.KeptLines(seat, tuple(left))))
        return fewer

    def due(self) -> Due | None:
        """Return a move that was named for the present position, if there is one."""
        fold = self._ledger.fold
        if fold.agreement.standing:  # others see another position
            return None
        for seat, lines in self._hidden.prepared.items():
            waits = seat in fold.actors and self._seats.by_player(seat)
            if not waits or self._seats.is_moving(seat):
                continue
            for line in lines:
                count = offers.reached(line, fold)
                if count is not None and count >= line.made:
                    # It is tried only once, whatever comes of it.
                    kept = tuple(
                        replace(each, made=(offers.reached(each, fold) or 0) + 1)
                        for each in lines
                    )
                    move = self._move(line.steps[count].move)
                    return Due(seat, move, offers.KeptLines(seat, kept))
        return None
