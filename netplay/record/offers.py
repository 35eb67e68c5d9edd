"""What players offer one another besides the rules, and what they have agreed on.

An offer stands in the log, and names the head it was made at.  It is gone with the next
move, but for days off, which wait for their answers.  Once every other seat that still
plays has agreed it takes effect at every node, by the log alone; who resigns is asked
no more.  An offer and an answer are the word of whoever plays the seat then: both are
gone when the seat passes to another player.

A turn may be taken back with all that followed it, if nothing hidden was learned by it
or since: nothing but turns of seats stands behind it, and bag and racks are as before.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, NamedTuple, Protocol, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.messages.log import Response, What, Wish
from netplay.messages.types import Body, Digest, Message, Natural, SeatNumber
from netplay.record.playable import Past, Playable, tiles_of
from netplay.wire import pack
from rules.game import Resign

OFFERS_A_TURN: Final = 4
"""Of one seat, until somebody moves: more would be pestering."""

TIMES_OFF: Final = 3
"""Of one seat in a match."""


class Offered(NamedTuple):
    """An offer that stands."""

    head: bytes
    """Of the log right behind it."""
    seat: int
    what: What
    days: int
    agreed: frozenset[int]
    """Seats that have agreed."""


class Agreed(NamedTuple):
    """What all have agreed on."""

    number: int
    """The entry with the last answer."""
    seat: int
    what: What
    days: int


class Declined(NamedTuple):
    """An offer to which somebody has said no, its own seat perhaps."""

    offer: Offered
    by: int


class Offers(Struct, frozen=True):
    """The offers of a match, as its log tells."""

    standing: tuple[Offered, ...] = ()
    made: Mapping[int, int] = {}
    """Seat -> how many it has made since the last move."""
    agreed: tuple[Agreed, ...] = ()
    declined: tuple[Declined, ...] = ()

    def after_move(self) -> "Offers":
        """Return what stands once somebody has moved."""
        waits = tuple(one for one in self.standing if one.what == "days")
        return replace(self, standing=waits, made={})

    def after_hand(self, seat: int) -> "Offers":
        """Return what stands once a seat has passed to another player."""
        standing = tuple(
            one._replace(agreed=one.agreed - {seat})
            for one in self.standing
            if one.seat != seat
        )
        return replace(self, standing=standing)

    def find(self, head: bytes) -> Offered | None:
        """Return the offer behind which the log had a head, if it stands."""
        return next((one for one in self.standing if one.head == head), None)

    def times_off(self, seat: int) -> int:
        """Return how often a seat was granted days off."""
        return sum(one.what == "days" and one.seat == seat for one in self.agreed)

    def without(self, gone: Offered) -> "Offers":
        """Return what stands without an offer."""
        standing = tuple(one for one in self.standing if one.head != gone.head)
        return replace(self, standing=standing)


class Situation(Protocol):
    """How a match stands, as an offer is looked at."""

    playable: Playable
    state: Any
    hz: int
    over: bool
    stuck: bool
    resigned: frozenset[int]
    holders: list[bytes]
    history: list[Past]
    solid: int
    offers: Offers


def check_seat(match: Situation, seat: int) -> None:
    """Check that a seat may offer something now, or answer.

    Raises:
        PeerError: UNEXPECTED.
    """
    if match.hz or match.over or match.stuck:
        raise PeerError(Code.UNEXPECTED, "nothing is to be agreed on now")
    if seat in match.resigned:
        raise PeerError(Code.UNEXPECTED, f"seat {seat} has resigned")


def check_offer(match: Situation, offer: Wish, days: int) -> None:
    """Check that a seat may make an offer in this match, at any time.

    Args:
        match: How it stands.
        offer: What is offered.
        days: To think, by the terms.

    Raises:
        PeerError: UNEXPECTED, or TOO_MANY have been made.
    """
    seat, made = offer.seat, match.offers
    if offer.what == "draw" and match.playable.game.ABOUT.drawn is None:
        raise PeerError(Code.UNEXPECTED, "no draw in this game")
    if (offer.what == "days") != bool(offer.days):
        raise PeerError(Code.UNEXPECTED, "days with another offer, or none")
    if offer.what == "days" and not days:
        raise PeerError(Code.UNEXPECTED, "turns have no days here")
    if offer.what == "days" and made.times_off(seat) >= TIMES_OFF:
        raise PeerError(Code.TOO_MANY, "days off")
    if made.made.get(seat, 0) >= OFFERS_A_TURN:
        raise PeerError(Code.TOO_MANY, "offers before a move")


def last_turn(match: Situation, seat: int) -> int | None:
    """Return where in the history a seat's last turn stands, if it may go back there.

    None if it has had none, or something but turns has happened since, or a move has
    shown tiles.
    """
    tiled, history = match.playable.game.ABOUT.tiled, match.history
    if match.hz or match.over or match.stuck:
        return None
    for place in range(len(history) - 1, match.solid - 1, -1):
        past = history[place]
        if past.actor < 0 or isinstance(past.move, Resign):
            return None
        if tiled is not None and tiled.shown(past.move):
            return None
        if past.actor == seat:
            return place
    return None


def back(match: Situation, seat: int) -> tuple[int, Any]:
    """Return where a seat's last turn stands in the history, and the state before it.

    Raises:
        PeerError: UNEXPECTED, it cannot be taken back.
    """
    place = last_turn(match, seat)
    if place is None:
        raise PeerError(Code.UNEXPECTED, "no turn that can be taken back")
    state = state_at(match, place)
    game = match.playable.game
    if tiles_of(game, state) != tiles_of(game, match.state):
        raise PeerError(Code.UNEXPECTED, "tiles have gone from or to the bag since")
    return place, state


def state_at(match: Situation, place: int) -> Any:  # noqa: ANN401 (a game's own)
    """Return the public state before a place in the history."""
    game = match.playable.game
    state = game.view(match.playable.start(), None)
    for past in match.history[:place]:
        state = game.play(state, past.actor, past.move)
    return state


def same(match: Situation, offer: Wish) -> Offered | None:
    """Return another's offer of a draw or to stop, to which the same of one agrees."""
    seat, what = offer.seat, offer.what
    for one in match.offers.standing:
        fresh = seat != one.seat and seat not in one.agreed
        if fresh and what == one.what and what in ("draw", "stop"):
            return one._replace(agreed=one.agreed | {seat})
    return None


def after_answer(match: Situation, body: Response) -> tuple[Offers, Offered | None]:
    """Return the offers after an answer, and the one that all have agreed to by it.

    Raises:
        PeerError: STALE, it does not stand; UNEXPECTED, nobody agrees to an offer of
            their own, or twice.
    """
    offers, seat = match.offers, body.seat
    offer = offers.find(body.offer)
    if offer is None:
        raise PeerError(Code.STALE, "that offer does not stand")
    if not body.agrees:
        declined = (*offers.declined, Declined(offer, seat))
        return replace(offers.without(offer), declined=declined), None
    if seat == offer.seat or seat in offer.agreed:
        raise PeerError(Code.UNEXPECTED, "agreed already")
    return settled(match, offer._replace(agreed=offer.agreed | {seat}))


def settled(match: Situation, offer: Offered) -> tuple[Offers, Offered | None]:
    """Return the offers with one as it is now, and that one if all have agreed."""
    others = match.offers.without(offer)
    if asked(match, offer):
        return replace(others, standing=(*others.standing, offer)), None
    return others, offer


def asked(match: Situation, offer: Offered) -> set[int]:
    """Return the seats that have yet to answer an offer."""
    seats = set(range(len(match.holders))) - match.resigned
    return seats - offer.agreed - {offer.seat}


def asked_of(match: Situation, key: bytes) -> Iterator[tuple[Offered, int]]:
    """Yield the offers that seats of a player's have yet to answer, with the seats."""
    for offer in match.offers.standing:
        for seat in sorted(asked(match, offer)):
            if match.holders[seat] == key:
                yield offer, seat


# Moves that a player has prepared on condition, kept at the player's own node.
#
# A line is what is to be played from a position on, turn by turn: what the others are
# assumed to do, and what the player does then. Each step names the position in which it
# is made. So a line stands as long as exactly its steps have been made, and in no other
# position; what has been taken back counts as a move, and ends it like any other.


LINES: Final = 20
"""Of one seat at once."""


class Step(Message, frozen=True):
    """A turn of a line."""

    seat: SeatNumber
    state: Digest
    """Of the public position in which it is made."""
    move: Body


class Prepared(Message, frozen=True):
    """A line."""

    moves: Natural
    """Made before it, by seats and the clock."""
    place: Natural
    """How much had happened before it, counted with chance."""
    steps: Annotated[tuple[Step, ...], Meta(min_length=1)]
    made: Natural
    """So many steps at its start this node makes no more: it has, or the player."""


Lines: TypeAlias = tuple[Prepared, ...]


class KeptLines(Message, frozen=True, tag=31):
    """All lines that are prepared for a seat."""

    seat: SeatNumber
    lines: Lines


class PreparedSituation(Protocol):
    """How a match stands, as a line is looked at."""

    moves: int
    over: bool
    history: list[Past]

    def digest(self) -> bytes:
        """Return the digest of the public position."""
        ...


def reached(line: Prepared, match: PreparedSituation) -> int | None:
    """Return how many steps of a line have been made, and nothing else since.

    None if the game has gone another way, or the line is at its end.
    """
    count = match.moves - line.moves
    if match.over or not 0 <= count < len(line.steps):
        return None
    if len(match.history) - line.place != count:
        return None
    past = match.history[line.place :]
    played = [(each.actor, pack(each.move)) for each in past]
    if played != [(step.seat, step.move) for step in line.steps[:count]]:
        return None
    return count if line.steps[count].state == match.digest() else None


def parts_at(one: tuple[Step, ...], other: tuple[Step, ...]) -> int | None:
    """Return whose turn it is where two lines part; None where one holds the other."""
    for mine, theirs in zip(one, other, strict=False):
        if mine.move != theirs.move:
            return mine.seat
    return None
