"""The full state, as the dealer knows it during a match and everybody after it.

It is folded from the same history as the public state, with every tile's kind filled
in from the bags.  A new deal shuffles what is in the bag at that moment, which only the
full state knows: so bags are made one after the other, each from the state that the one
before led to.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from netplay.bag.group import BagError
from netplay.errors import Code, PeerError
from netplay.messages.log import Proof
from netplay.record.chance import Bag
from netplay.record.fold import Fold
from netplay.record.playable import tiles_of
from netplay.record.rounds import PUBLIC, Round
from rules.game import IllegalMoveError
from rules.tiles import Reveal, bag

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
