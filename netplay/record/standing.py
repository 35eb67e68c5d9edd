"""How a match stands: who sees the same, and what players agree on themselves."""

import hashlib
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace
from typing_extensions import override

from netplay.errors import Code, PeerError
from netplay.messages.log import Hand, Ticks
from netplay.messages.offers import Response, What, Wish
from netplay.messages.table import Terms
from netplay.record import offers
from netplay.record.agreement import Agreement, Difference, state_digest
from netplay.record.log import Line
from netplay.record.masked import MaskedBag
from netplay.record.offers import Agreed, Offered, Offers
from netplay.record.past import Back, Past
from netplay.record.playable import Playable
from netplay.record.seating import Seating
from netplay.record.votes import quorum
from rules.game import CHANCE, Game, IllegalMoveError


def _never(_seat: int) -> bool:
    """Tell that nothing is known of a seat's time."""
    return False


class Standing(Seating):
    """How a match stands, as far as its players agree on that."""

    agreement: Agreement
    playable: Playable
    game: Game[Any, Any]
    hz: int
    number: int
    moves: int
    history: list[Past]
    solid: int
    _digest: tuple[Any, bytes]
    _strict: bool

    is_early: Callable[[int], bool] = staticmethod(_never)
    """Tells of a seat whether a host knows that it has time left."""

    def __init__(self, terms: Terms, bag: MaskedBag | None) -> None:
        """Begin without any offer; see `Seating`."""
        super().__init__(terms, bag)
        self.offers = Offers()
        self.ended: What | None = None
        """How players have agreed to end the match, if they have."""
        self.backs: tuple[Back, ...] = ()
        """The turns that were taken back."""

    def _stand(self, state: Any) -> None:  # noqa: ANN401 (a game's own)
        """Note how the match stands, and whom it waits for: the actors."""
        self.state: Any = state
        self.actors: frozenset[int] = self.game.actors(state)
        if self.ended is not None:
            self.actors = frozenset()
        self.over = not self.actors
        """Whether the rules, or the players, have ended the match."""
        if self.over and self.offers.standing:
            self.offers = replace(self.offers, standing=())
        self.stuck = CHANCE in self.actors
        """Whether CHANCE must move and the log has not decided how."""

    def digest(self) -> bytes:
        """Return the digest of the public position."""
        if self._digest[0] is not self.state:
            made = state_digest(self.match, self.game, self.state)
            self._digest = self.state, made
        return self._digest[1]

    def _agrees(self, author: bytes, state: bytes, *, strict: bool) -> bool:
        """Tell whether an author's program sees the position that is here."""
        ours = self.digest()
        if state == ours and not self.agreement.standing:
            return True
        heard = Difference(self.number, author, state, ours, self.moves)
        agreed = self.over and self.agreement.has_said(author, ours)
        return self.agreement.compare(heard, strict=strict, agreed=agreed)

    def _agrees_on(self, author: bytes, body: Ticks, state: Any) -> bool:  # noqa: ANN401 (a game's own)
        """Tell whether a stretch is played: its author names the well that is here.

        Whoever is out of step has to name it.
        """
        apart = author in self.agreement.standing
        if not body.well:
            if apart:
                raise PeerError(Code.OUT_OF_STEP)
            return True
        ours, at = self.agreement.well(state, body.seat), (self.number, author)
        heard = Difference(*at, body.well, ours, self.moves)
        return self.agreement.compare(heard, strict=self._strict)

    # Offers between players.

    def _check_goes_on(self) -> None:
        """Let nobody resign a match that its players have ended."""
        if self.ended is not None:
            raise IllegalMoveError("The match is over.")

    def _offer(self, line: Line, body: Wish) -> None:
        """Take an offer to all others."""
        seat = body.seat
        self._check_seat(line.entry.author, seat)
        offers.check_seat(self, seat)
        offers.check_offer(self, body, self.terms.days)
        if not self.agreement.is_after(body.after, line.entry.prev):
            raise PeerError(Code.STALE)
        if not self._agrees(line.entry.author, body.state, strict=self._strict):
            return
        if body.what == "back":
            offers.back(self, seat)
        made = {**self.offers.made, seat: self.offers.made.get(seat, 0) + 1}
        same = offers.same(self, body)
        if same is not None:
            self.offers = replace(self.offers, made=made)
            self._settle_offer(*offers.settled(self, same))
            return
        head = hashlib.sha256(line.raw).digest()
        before = (one for one in self.offers.standing if one.seat != seat)
        self.offers = replace(self.offers, standing=tuple(before), made=made)
        offer = Offered(head, seat, body.what, body.days, frozenset())
        self._settle_offer(*offers.settled(self, offer))

    def _respond(self, line: Line, body: Response) -> None:
        """Take a seat's answer to an offer."""
        self._check_seat(line.entry.author, body.seat)
        offers.check_seat(self, body.seat)
        self._settle_offer(*offers.answered(self, body))

    def _settle_offer(self, left: Offers, agreed: Offered | None) -> None:
        """Do what all have agreed on."""
        if agreed is None:
            self.offers = left
            return
        seat, what = agreed.seat, agreed.what
        if what == "back":
            self._go_back(seat)
            left = left.after_move()
        elif what != "days":
            self.ended = what
            self._stand(self.state)
            left = replace(left, standing=())
        done = Agreed(self.number, seat, what, agreed.days)
        self.offers = replace(left, agreed=(*left.agreed, done))

    def _leave(self, seat: int) -> None:
        """Let a seat play no more; days off are not left to wait for its answer."""
        self.resigned |= {seat}
        self._choose()
        for offer in self.offers.standing:
            if offer.seat == seat:
                self.offers = self.offers.without(offer)
            else:
                self._settle_offer(*offers.settled(self, offer))

    @override
    def _hand(self, author: bytes, body: Hand) -> None:
        super()._hand(author, body)
        if self.offers.standing:
            self.offers = self.offers.after_hand(body.seat)

    def _go_back(self, seat: int) -> None:
        """Take back a seat's last turn, and what has followed it; it counts as a move.

        Raises:
            PeerError: UNEXPECTED, that cannot be done any more.
        """
        place, state = offers.back(self, seat)
        del self.history[place:]
        self.backs += (Back(self.number, place),)
        self.moves += 1
        self._stand(state)

    # How it has ended.

    @property
    def out_of_step(self) -> list[Difference]:
        """Where those who have a say see another position than this fold."""
        standing = self.agreement.standing
        return [standing[key] for key in sorted(standing.keys() & self.required)]

    @property
    def disputed(self) -> bool:
        """Whether too few are in step for the match to have places."""
        apart = self.agreement.standing.keys() & self.electors
        enough = quorum(len(self.electors))
        return bool(apart) and len(self.electors) - len(apart) < enough

    @property
    def places(self) -> tuple[int, ...]:
        """Each seat's place, empty while the match goes on and in dispute.

        Where the players have ended it those who still played share the first.
        """
        if not self.over or self.disputed:
            return ()
        if self.ended is None:
            return tuple(self.game.places(self.state))
        count, gone = len(self.holders), self.resigned
        last = count - len(gone) + 1
        return tuple(last if seat in gone else 1 for seat in range(count))
