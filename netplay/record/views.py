"""What a seat knows of a match, and what it has seen happen.

Theory of operation.  What everybody sees follows from the log alone: it is folded
from the public history, and no position waits for what a seat has yet to learn.  What
a seat knows besides are the kinds of tiles that it has drawn; numbers are never used
twice, so that such knowledge lasts, whether the tile still lies on the rack or was
laid, put back or taken away since.  Each position as the seat knows it, now or long
ago, is the public one with these kinds put in.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from msgspec import Struct

from netplay.bag.group import BagError
from netplay.errors import Code, PeerError
from netplay.limits import PIECE_BYTES, PIECE_MOVES
from netplay.messages.door import Happened, Piece
from netplay.messages.log import Proof
from netplay.record.chance import PUBLIC, Bag, Round
from netplay.record.fold import Fold
from netplay.record.playable import kept, tiles_of
from netplay.wire import pack
from rules.game import CHANCE, Game, IllegalMoveError, with_own
from rules.tiles import UNKNOWN, Reveal, Show, bag

Openings = Callable[[int], Proof | None]
"""Returns the opening of a tile, if this node has it."""

Kinds = Callable[[int], int | None]
"""Returns the kind of a tile, if this node knows it."""


class Seen(Struct, frozen=True):
    """How everybody saw the match after a move."""

    number: int
    """Entries folded in."""
    state: Any


SELDOM: Final = 10
"""Entries between the views that are kept of a game that hurries: about a second."""


class SeatView:
    """A seat's view, or a bystander's."""

    def __init__(self, fold: Fold, seat: int | None, kinds: Kinds) -> None:
        """Start at the beginning.

        Args:
            fold: The public state, whose history is followed.
            seat: Whose view; None is a bystander's.
            kinds: What this node knows of the seat's tiles.
        """
        self._fold = fold
        self._seat = seat
        self._kinds = kinds
        self._tiled = fold.game.ABOUT.tiled is not None and seat is not None
        """Whether the seat may know more than everybody sees."""
        self.seen = [Seen(0, fold.game.view(fold.playable.start(), None))]
        """As everybody saw it; of a game that hurries now and then."""
        self.count = 0
        """How many moves of the history have been followed."""
        self.known: dict[int, int] = {}
        """Number -> kind of the tiles that the seat has drawn, as they were learnt."""
        self.state: Any = self._told(self.seen[0].state)
        self._backs = fold.backs
        """What was taken back when it was looked at last."""
        self.at = -1
        """How many entries there were when it had all that was in them."""

    @property
    def up_to_date(self) -> bool:
        """Whether the seat knows all of its tiles, so that it can play."""
        tiles = tiles_of(self._fold.game, self.state)
        if self._seat is None or tiles is None:
            return True
        return UNKNOWN not in tiles.kinds[self._seat]

    def advance(self) -> None:
        """Follow the history, and learn what there is to be learnt."""
        fold = self._fold
        if fold.hz:
            # Take the public state of a game that hurries; nothing is hidden in it
            self.state = self._fold.game.view(self._fold.state, self._seat)
            if self._fold.number >= self.seen[-1].number + SELDOM:
                self.seen.append(Seen(self._fold.number, self.state))
            self.count = len(self._fold.history)
            return
        if self._backs is not fold.backs:
            backs = self._fold.backs
            self.count = kept(backs, len(self._backs), self.count)
            del self.seen[self.count + 1 :]
            self.state, self._backs = self._told(self.seen[-1].state), backs
        before = self.seen[-1].state
        for past in fold.history[self.count :]:
            # The fold has played the last move already.
            last = self.count + 1 == len(fold.history)
            state = self.seen[-1].state
            state = fold.state if last else fold.game.play(state, past.actor, past.move)
            self.seen.append(Seen(past.number + 1, state))
            self.count += 1
        learnt = False
        if self._tiled:
            learnt = self._learn()
        else:
            self.at = fold.number
        if learnt or self.seen[-1].state is not before:
            newest = self.seen[-1].state
            self.state = self._told(newest) if self._tiled else newest

    def _learn(self) -> bool:
        """Look up the tiles that the seat has drawn; tell whether one was learnt."""
        lacking = False
        before = len(self.known)
        for tile, seat in self._fold.drawn_by.items():
            if seat == self._seat and tile not in self.known:
                kind = self._kinds(tile)
                if kind is None:
                    lacking = True  # looked up again, whether or not the log grows
                else:
                    self.known[tile] = kind
        self.at = -1 if lacking else self._fold.number
        return len(self.known) > before

    def _told(self, state: Any) -> Any:  # noqa: ANN401 (a game's own)
        """Return a state that everybody sees as this seat knows it."""
        if not self._tiled:
            return state
        return with_own(self._fold.game, state, self._seat, self.known)

    def happened(self, start: int = 0, end: int | None = None) -> tuple[Happened, ...]:
        """Return moves of the history, from one place to another, as the seat knows."""
        told: list[Happened] = []
        for n, past in enumerate(self._fold.history[: self.count][start:end], start):
            move = self._filled(past.move) if self._tiled else past.move
            told.append(Happened(n, past.actor, pack(move), past.at))
        return tuple(told)

    def _filled(self, move: Any) -> Any:  # noqa: ANN401 (a game's own)
        """Return a move as this seat knows it."""
        if not isinstance(move, Reveal):
            return move
        return Reveal(move.tile, self.known.get(move.tile, move.kind))

    def piece(self, until: int) -> Piece:
        """Return the moves before a place, as many as go together, and how it was then.

        It begins with the position before the first of them, so that every position
        between can be built from it alone.  Of a game that hurries nothing is built.
        """
        happened = self.happened(max(0, until - PIECE_MOVES), until)
        size, start = 0, len(happened)
        while start and size + len(happened[start - 1].move) <= PIECE_BYTES:
            start -= 1
            size += len(happened[start].move)
        happened = happened[start:]
        if self._fold.hz:
            return Piece(b"", happened)
        first = happened[0].number if happened else min(until, self.count)
        before = self.seen[first].state
        tiles = tiles_of(self._fold.game, before)
        if tiles is None or self._seat is None:
            return Piece(pack(before), happened)
        # What the seat knows of the tiles on its rack, or on their way back
        held = (*tiles.racks[self._seat], *(each.tile for each in tiles.returned))
        known = tuple((t, self.known[t]) for t in sorted(held) if t in self.known)
        return Piece(pack(before), happened, known)

    def learnt(self, since: int) -> tuple[tuple[int, int], ...]:
        """Return what the seat has learnt since it knew so many tiles."""
        return tuple(self.known.items())[since:]

    def back(self, number: int) -> tuple[Any, int]:
        """Return the view after `number` entries, and how much had happened by then.

        Of a game that hurries only some views are kept: what is returned is the last
        of them that is not later.
        """
        at = len(self.seen) - 1
        while at and self.seen[at].number > number:
            at -= 1
        state = self._told(self.seen[at].state)
        if not self._fold.hz:
            return state, at
        until = min(number, self.seen[at].number)
        return state, bisect_left(self._fold.history, until, key=lambda p: p.number)


def to_turn_up(fold: Fold, openings: Openings) -> tuple[Proof, ...]:
    """Return the openings of the tiles that CHANCE is to show next, one after another.

    Empty if none is to be shown now, or the first is not known here.
    """
    proofs: list[Proof] = []
    state, likely = fold.state, fold.next_chance()
    while isinstance(likely, Show):
        proof = openings(likely.tile)
        if proof is None:
            break
        proofs.append(proof)
        state = fold.game.play(state, CHANCE, Show(likely.tile, proof.kind))
        likely = next(fold.game.moves(state, CHANCE), None)
    return tuple(proofs)


# The full state, as the dealer knows it during a match and everybody after it.
#
# It is folded from the same history as the public state, with every tile's kind filled
# in from the bags. A new deal shuffles what is in the bag at that moment, which only
# the full state knows: so bags are made one after the other, each from the state that
# the one before led to.


Secret = Callable[[Round], bytes | None]
"""Returns the dealer's seed of a round that is fixed, if it is known here."""


class Whole:
    """The full state of a match, as far as the dealer's seeds are known."""

    def __init__(self, fold: Fold, secret: Secret) -> None:
        """Start at the beginning.

        Args:
            fold: The public state, whose history is followed.
            secret: Where the dealers' seeds come from.
        """
        self._fold = fold
        self._secret = secret
        self.state: Any = fold.playable.start()
        self._at, self._backs = 0, fold.backs
        self._kinds: dict[int, tuple[int, ...]] = {}
        self._bags: dict[int, Bag] = {}
        self._note()

    def kinds(self, round_: int) -> tuple[int, ...] | None:
        """Return what is in the bag of a deal, ascending; None if not known here."""
        self.advance()
        return self._kinds.get(round_)

    def bag(self, tile: int) -> Bag | None:
        """Return the bag that a tile's number belongs to; None if not known here."""
        self.advance()
        for bag_ in self._bags.values():
            if bag_.deal.holds(tile):
                return bag_
        return None

    def kind(self, tile: int) -> int | None:
        """Return the kind of a tile, None if its bag is not known here.

        Raises:
            PeerError: BAD_PROOF, an encrypted bag holds what is no tile.
        """
        if self._fold.bag is None:
            bag_ = self.bag(tile)
            return None if bag_ is None else bag_.kind(tile)
        try:
            return self._fold.bag.kind(tile)
        except BagError as error:
            raise PeerError(Code.BAD_PROOF, f"{error}") from None

    def proof(self, tile: int) -> Proof | None:
        """Return the opening of a tile; None if its bag is not known here."""
        bag_ = self.bag(tile)
        return None if bag_ is None else bag_.proof(tile)

    def advance(self) -> bool:
        """Follow the history; return whether nothing stopped it.

        Raises:
            PeerError: BAD_PROOF, a dealer's seed does not give the bag it fixed.
        """
        self._make_bags()
        if self._backs is not self._fold.backs:
            self._backs = self._fold.backs
            self.state, self._at = self._fold.playable.start(), 0
        while self._at < len(self._fold.history):
            past = self._fold.history[self._at]
            move = self._filled(past.move)
            if move is None:
                return False
            try:
                self.state = self._fold.game.play(self.state, past.actor, move)
            except IllegalMoveError as error:
                raise PeerError(Code.BAD_PROOF, f"{error}") from None
            self._at += 1
            self._note()
        return True

    def _filled(self, move: Any) -> Any:  # noqa: ANN401 (a game's own)
        """Return a move with the kind that only the dealer knows."""
        if not isinstance(move, Reveal):
            return move
        if self._fold.bag is not None:
            kind = self.kind(move.tile)
            return None if kind is None else Reveal(move.tile, kind)
        for bag_ in self._bags.values():
            if bag_.deal.holds(move.tile):
                return Reveal(move.tile, bag_.kind(move.tile))
        return None

    def _note(self) -> None:
        """Remember the bag whenever a deal begins."""
        tiles = tiles_of(self._fold.game, self.state)
        if tiles is not None and tiles.deal + 1 not in self._kinds:
            self._kinds[tiles.deal + 1] = bag(tiles)
            self._make_bags()

    def _make_bags(self) -> None:
        """Shuffle every bag that is fixed and whose dealer's seed is known."""
        for round_ in self._fold.rounds:
            number = round_.number
            known = number in self._kinds and number not in self._bags
            if number == PUBLIC or not round_.fixed or not known:
                continue
            secret = self._secret(round_)
            if secret is not None:
                made = round_.bag(self._fold.match, self._kinds[number], secret)
                if made.deal != round_.deal:
                    raise PeerError(Code.BAD_PROOF, f"the bag of deal {number - 1}")
                self._bags[number] = made


class Unopened(NamedTuple):
    """A bag that nobody has opened at the end, so that its order is not proved."""

    dealer: str
    """Name of whose seed is missing."""
    deal: int


def unopened(fold: Fold) -> list[Unopened]:
    """Return what keeps a match that is over from being audited."""
    names = {member.key: member.name for member in fold.members}
    return [
        Unopened(names[round_.dealer], round_.number - 1)
        for round_ in fold.rounds
        if fold.over and round_.dealer is not None and round_.secret is None
    ]


def audit(fold: Fold) -> str:
    """Return what an audit of a match that is over says.

    Returns:
        Empty while a dealer has not shown its seed, "ok", or what is wrong.
    """
    if not fold.over or unopened(fold):
        return ""
    if fold.hz:
        return "ok"  # no tiles; seats' times run apart, and the fold has checked them
    try:
        followed = Whole(fold, lambda round_: round_.secret).advance()
    except PeerError as error:
        return str(error)
    # A tile is revealed only once its deal is fixed; of an encrypted bag the fold has
    # checked all, and the kinds can be compared once more if all masks are shown.
    assert followed or fold.bag is not None
    return "ok"


# Every move of a match with the state before and after it.
#
# Once a match is over and audited the states are full: every rack is known. Before,
# they are what a bystander knows.


class Moment(NamedTuple):
    """A move and what it did."""

    number: int
    """The entry that it came with."""
    actor: int
    move: Any
    before: Any
    after: Any
    full: bool
    """Whether all racks are known in the states."""


def moments(fold: Fold) -> Iterator[Moment]:
    """Yield the moves of a match, those of chance too.

    Args:
        fold: The public state, with its history.
    """
    whole = Whole(fold, lambda round_: round_.secret)
    try:
        full = whole.advance()  # whether every tile of the history is known
    except PeerError:  # the audit tells of it
        full = False
    start = fold.playable.start()
    state = start if full else fold.game.view(start, None)
    for past in fold.history:
        move = _filled(whole, past.move) if full else past.move
        after = fold.game.play(state, past.actor, move)
        yield Moment(past.number, past.actor, move, state, after, full)
        state = after


def _filled(whole: Whole, move: Any) -> Any:  # noqa: ANN401 (a game's own)
    """Return a move with the kind that it revealed."""
    kind = whole.kind(move.tile) if isinstance(move, Reveal) else None
    return move if kind is None else Reveal(move.tile, kind)


# The points of a match as it stands, whatever the game.


def scores(game: Game[Any, Any], state: Any) -> tuple[int, ...]:  # noqa: ANN401 (any game's)
    """Return each seat's points; a game without points gives 1 to who comes first."""
    if game.ABOUT.scored is not None:
        return game.ABOUT.scored.scores(state)
    places = game.places(state)
    return tuple(int(place == 1 and max(places) > 1) for place in places)


def moves_made(game: Game[Any, Any], state: Any, moves: int) -> int:  # noqa: ANN401 (any game's)
    """Return how many moves players have made: of falling pieces, those that landed.

    Args:
        game: The game.
        state: A state of it.
        moves: Turns in the log.
    """
    real_time = game.ABOUT.real_time
    return moves if real_time is None else real_time.landed(state)
