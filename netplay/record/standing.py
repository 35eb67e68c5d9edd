"""How a match stands: who takes part, who sees the same, what players agree on.

The log tells all of that beside the moves, which are the fold's.
"""

import hashlib
from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.messages.log import Hand, Response, Term, Ticks, What, Wish
from netplay.messages.table import Member, Terms
from netplay.messages.types import SEATS
from netplay.record import offers
from netplay.record.agreement import Agreement, Difference
from netplay.record.chance import Rounds, number_bytes, tag
from netplay.record.clocks import Claims, check_votes, elects, quorum
from netplay.record.log import Line, hand_data, match_of, term_data
from netplay.record.masked import masked_bag
from netplay.record.offers import Agreed, Offered, Offers
from netplay.record.playable import Back, Past, playable
from netplay.sanitize import shown_name
from netplay.wire import pack
from rules.game import CHANCE, Game

_STATE: Final = tag("state")


def state_digest(match: bytes, game: Game[Any, Any], state: Any) -> bytes:  # noqa: ANN401 (any game's)
    """Return the digest of a public position."""
    data = _STATE + match + pack(game.public(state))
    return hashlib.sha256(data).digest()


def well_digest(match: bytes, game: Game[Any, Any], state: Any, seat: int) -> bytes:  # noqa: ANN401 (any game's)
    """Return the digest of a seat's own part of a public position."""
    real_time = game.ABOUT.real_time
    assert real_time is not None  # in others nobody has a part of its own
    own = pack(real_time.public_part(state, seat))
    data = tag("well") + match + number_bytes(seat) + own
    return hashlib.sha256(data).digest()


def _never(_seat: int) -> bool:
    """Tell that nothing is known of a seat's time."""
    return False


class Standing:
    """How a match stands, as far as its players agree on that."""

    is_early: Callable[[int], bool] = staticmethod(_never)
    """Tells of a seat whether a host knows that it has time left."""

    def __init__(self, terms: Terms) -> None:
        """Begin as the terms say.

        Args:
            terms: What all have agreed to.

        Raises:
            PeerError: The match cannot be played here; see `playable`.
        """
        self.terms = terms
        self.match = match_of(terms)
        self.playable = playable(terms)
        self.game = self.playable.game
        self.hz = self.game.ABOUT.hz
        self.bag = masked_bag(terms, self.playable)
        self.rounds = Rounds(self.match)
        self.members = [Member(m.key, shown_name(m.name)) for m in terms.members]
        """Those who play, by the names that are shown of them."""
        self.keys = frozenset(member.key for member in terms.members)
        """The members'."""
        self.host = terms.members[0].key
        self.holders = [terms.members[seat.member].key for seat in terms.seats]
        self.names = [shown_name(seat.name) for seat in terms.seats]
        """Those of the seats, as they are shown."""
        self.resigned: frozenset[int] = frozenset()
        self.handed = 0
        self.gone = b""
        """The one of two whose seats are to pass before anything else is entered."""
        self.constitutions: list[tuple[int, frozenset[bytes]]] = []
        """Since how many entries who are the electors."""
        self._choose()
        self._constitute(0)
        self.number: int = 0
        """Entries folded in."""
        self.moves = 0
        """By seats and the clock."""
        self.history: list[Past] = []
        self.solid = 0
        """How much of the history no turn can be taken back from, whatever it is."""
        self.backs: tuple[Back, ...] = ()
        """The turns that were taken back."""
        self._heads: set[bytes] = set()
        """Heads of the log since the last move, the present one left out."""
        self.agreement = Agreement()
        self._digest: tuple[Any, bytes] = None, b""
        """The state whose digest was worked out last, and that."""
        self._strict = False
        """Whether what would change nothing is refused: see `Fold.apply`."""
        self.offers = Offers()
        self.claims: Claims = Claims()
        """That somebody has had all its time, and what came of that."""
        self.ended: What | None = None
        """How players have agreed to end the match, if they have."""
        self._stand(self.game.view(self.playable.start(), None))

    # Who takes part.

    def _choose(self) -> None:
        """Note who has a say, after something of that has changed.

        Electors are those who play a seat that has not resigned; they and the host
        are required: they take part in chance.
        """
        seats = range(len(self.holders))
        self.electors = frozenset(
            self.holders[seat] for seat in seats if seat not in self.resigned
        )
        if self.gone:
            self.electors -= {self.gone}
        self.required = self.electors | {self.host}

    def _constitute(self, number: int) -> None:
        """Note since how many entries who has a say, if that is news."""
        if self.constitutions and self.constitutions[-1][1] == self.electors:
            return
        if self.gone:  # what the other has nobody will ever be told
            self.constitutions.clear()
            number = 0
        self.constitutions.append((number, self.electors))
        if self.bag is not None:
            keys = (member.key for member in self.members)
            holders = tuple(key for key in keys if key in self.electors)
            self.bag.seat(holders, max(0, number - 1))

    def seats_of(self, key: bytes) -> list[int]:
        """Return the seats that a member plays."""
        return [seat for seat, holder in enumerate(self.holders) if holder == key]

    def host_after(self, term: Term) -> bytes:
        """Return the host whom a term names.

        Raises:
            PeerError: UNEXPECTED, it names nobody.
        """
        if term.host >= len(self.members):
            raise PeerError(Code.UNEXPECTED, "a term without a host")
        return self.members[term.host].key

    def _check_seat(self, author: bytes, seat: int) -> None:
        """Check that a seat exists and is the author's."""
        if seat >= len(self.holders) or self.holders[seat] != author:
            raise PeerError(Code.NOT_A_MEMBER, f"seat {seat} is another's")

    def _term(self, line: Line, body: Term) -> None:
        """Follow another host, whom a quorum has chosen."""
        entry, host = line.entry, self.host_after(body)
        data = term_data(self.match, entry.term, host, entry.number, entry.prev)
        voters = check_votes(self.members, body.signatures, data)
        elected = elects(self, host, voters)
        gone = b"" if elected else b"".join(self.electors - {host})
        left = host in self.electors & voters and self.may_leave(gone)
        if entry.author != host or not (elected or left):
            raise PeerError(Code.TERM, "no quorum")
        self.gone = gone or self.gone
        self.host = host
        self._choose()

    def may_leave(self, key: bytes) -> bool:
        """Tell whether the other one of two may go on alone, to hand the seats over.

        Not where tiles could be read by nobody any more.
        """
        dealt = any(one.dealer == key and one.secret is None for one in self.rounds)
        two = len(self.electors) == 2 and {key, self.host} <= self.electors
        return two and self.bag is None and not (dealt or self.over)

    def may_pass(self, seat: int, key: bytes) -> bool:
        """Tell whether a player could read the tiles of a seat that passes to it."""
        old = self.holders[seat]
        return self.bag is None or self.bag.may_pass(self.holders, old, key)

    def has_room(self, key: bytes) -> bool:
        """Tell whether a player is a member, or finds a place to become one."""
        return key in self.keys or len(self.members) < SEATS

    def _hand(self, author: bytes, body: Hand) -> None:
        """Let a seat pass to another player, by consent of the others."""
        known = body.key in self.keys
        if body.seat >= len(self.holders) or body.seat in self.resigned:
            raise PeerError(Code.UNEXPECTED, "a seat that nobody plays")
        if author != self.host or not self.has_room(body.key):
            raise PeerError(Code.UNEXPECTED, "a seat handed over")
        if not self.may_pass(body.seat, body.key):
            raise PeerError(Code.UNEXPECTED, "a seat whose tiles nobody could read")
        old = self.holders[body.seat]
        if self.gone and (old != self.gone or body.key in {old, self.host}):
            raise PeerError(Code.UNEXPECTED, "another seat than is to pass")
        data = hand_data(self.match, body.seat, body.key, body.name, self.handed)
        voters = check_votes(self.members, body.signatures, data)
        if not voters >= (self.electors - {old}) | {self.host}:
            raise PeerError(Code.NOT_A_MEMBER, "not all the others agree")
        if not known:
            self.members.append(Member(body.key, shown_name(body.name)))
            self.keys |= {body.key}
        self.holders[body.seat] = body.key
        self.names[body.seat] = shown_name(body.name)
        self.handed += 1
        left = self.seats_of(self.gone) if self.gone else ()
        if self.resigned.issuperset(left):
            self.gone = b""
        self._choose()
        if self.offers.standing:
            self.offers = self.offers.after_hand(body.seat)

    # Who sees the same.

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

    def well(self, state: Any, seat: int) -> bytes:  # noqa: ANN401 (a game's own)
        """Return the digest of a seat's own part of a state."""
        return well_digest(self.match, self.game, state, seat)

    def is_after(self, head: bytes, present: bytes) -> bool:
        """Tell whether no move has been made since a head of the log.

        Args:
            head: What a Turn names.
            present: The head that there is.
        """
        return head == present or head in self._heads

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
        ours, at = self.well(state, body.seat), (self.number, author)
        heard = Difference(*at, body.well, ours, self.moves)
        return self.agreement.compare(heard, strict=self._strict)

    # Offers between players.

    def _offer(self, line: Line, body: Wish) -> None:
        """Take an offer to all others."""
        seat = body.seat
        self._check_seat(line.entry.author, seat)
        offers.check_seat(self, seat)
        offers.check_offer(self, body, self.terms.days)
        if not self.is_after(body.after, line.entry.prev):
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
        self._settle_offer(*offers.after_answer(self, body))

    def _settle_offer(self, left: Offers, agreed: Offered | None) -> None:
        """Do what all have agreed on."""
        if agreed is None:
            self.offers = left
            return
        seat, what = agreed.seat, agreed.what
        if what == "back":
            # What has followed the turn goes, too; that counts as a move.
            place, state = offers.back(self, seat)
            del self.history[place:]
            self.backs += (Back(self.number, place),)
            self.moves += 1
            self._stand(state)
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

        So it is where the match ended by a claim that was contested.

        Where the players have ended it those who still played share the first.
        """
        if not self.over or self.disputed or self.claims.contested:
            return ()
        if self.ended is None:
            return tuple(self.game.places(self.state))
        count, gone = len(self.holders), self.resigned
        last = count - len(gone) + 1
        return tuple(last if seat in gone else 1 for seat in range(count))
