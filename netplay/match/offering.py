"""What players at this node offer the others, and answer them; computers do at once.

A computer player agrees to stop, to take back and to days off; to a draw where it is
not ahead by what counts on the board.  One that stands in for a person answers nothing.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, get_args

from netplay.errors import Code, LocalError
from netplay.match.effects import NOTHING, Effects, Notice
from netplay.match.seats import Seats
from netplay.match.submitting import Submitting
from netplay.messages.log import LogBody
from netplay.messages.offers import DAYS_OFF, Response, What, Wish
from netplay.record import offers
from netplay.record.fold import Fold
from netplay.record.ledger import Ledger
from netplay.record.offers import (
    OFFERS_A_TURN,
    TIMES_OFF,
    Agreed,
    Offered,
    Offers,
    asked_of,
)
from netplay.said import Said, fields
from netplay.sentences import Says


class Told(NamedTuple):
    """What players are told of one kind of offer."""

    impossible: Says
    """Why it cannot be made now."""
    offered: Says
    agreed: Says
    declined: Says


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

    # What a player here may do.

    def may(self, seat: int) -> list[What]:
        """Return what a player here may offer now."""
        fold, match = self._ledger.fold, self._ledger.fold.offers
        if fold.hz or fold.over or fold.stuck or seat in fold.resigned:
            return []
        if match.made.get(seat, 0) >= OFFERS_A_TURN or self._is_waiting(seat):
            return []
        found: list[What] = [] if fold.game.ABOUT.drawn is None else ["draw"]
        found.append("stop")
        if offers.last_turn(fold, seat) is not None:
            found.append("back")
        if fold.terms.days and match.times_off(seat) < TIMES_OFF:
            found.append("days")
        return found

    def _is_waiting(self, seat: int) -> bool:
        """Tell whether an offer of a seat's is on its way into the log."""
        bodies = self._pending.bodies
        return any(isinstance(one, Wish) and one.seat == seat for one in bodies)

    def offer(self, seat: int, what: What, days: int) -> Wish:
        """Return the body of an offer by a seat that is played here.

        Raises:
            LocalError: NOT_A_MEMBER, it is not; TOO_MANY; USAGE, it cannot be offered.
        """
        fold = self._ledger.fold
        self._check_own(seat)
        if fold.offers.made.get(seat, 0) >= OFFERS_A_TURN:
            raise LocalError(Code.TOO_MANY, Says.OFFERS_ENOUGH())
        if what not in self.may(seat):
            raise LocalError(Code.USAGE, TOLD[what].impossible())
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

    def _may_answer(self, one: Offered, seat: int, agrees: bool) -> bool:
        """Tell whether a seat may say yes, or no, to an offer; no to its own, too."""
        if seat in self._ledger.fold.resigned:
            return False
        if seat == one.seat:
            return not agrees
        return not (agrees and seat in one.agreed)

    def _check_own(self, seat: int) -> None:
        """Refuse a seat that is played elsewhere."""
        if not self._seats.is_own(seat):
            raise LocalError(Code.NOT_A_MEMBER, Says.PLAYED_ELSEWHERE())

    def waits(self) -> bool:
        """Tell whether an offer waits for the answer of a person here."""
        return any(
            self._seats.by_person(seat) and not self._is_answered(one, seat)
            for one, seat in asked_of(self._ledger.fold, self._me)
        )

    def is_persons(self, body: LogBody) -> bool:
        """Tell whether a body is an offer or an answer of a person here."""
        return isinstance(body, Wish | Response) and self._seats.by_person(body.seat)

    def _is_answered(self, one: Offered, seat: int) -> bool:
        """Tell whether an answer of a seat's is on its way into the log."""
        said = (body for body in self._pending.bodies if isinstance(body, Response))
        return any(body.seat == seat and body.offer == one.head for body in said)

    # What the node does by itself.

    def owed(self) -> Iterator[Response]:
        """Yield what computer players here answer to the offers that stand."""
        fold = self._ledger.fold
        if not fold.offers.standing or fold.over or fold.stuck:
            return
        for one, seat in asked_of(fold, self._me):
            if self._seats.is_computers(seat):
                yield Response(seat, one.head, _agrees(fold, one, seat))

    def look(self) -> Effects:
        """Tell the players here of what is new."""
        before, self.told = self.told, self._ledger.fold.offers
        if before is self.told:
            return NOTHING
        return list(self._news(before, self.told))

    def _news(self, before: Offers, now: Offers) -> Iterator[Notice]:
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


def _agrees(fold: Fold, offer: Offered, seat: int) -> bool:
    """Tell whether a computer player agrees to an offer."""
    drawn = fold.game.ABOUT.drawn
    if offer.what != "draw":
        return True
    return drawn is not None and drawn.lead(fold.state, seat) <= 0


def _said(says: Says, offer: Offered | Agreed, fold: Fold) -> Said:
    """Return what is told of an offer."""
    values = {"name": fold.names[offer.seat], "days": offer.days}
    return says(**{name: values[name] for name in fields(says.value)})
