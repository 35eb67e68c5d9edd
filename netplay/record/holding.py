"""Who holds an encrypted bag: their masks, what they have spread, and who has left."""

from typing import Final, NamedTuple, TypeAlias

from netplay.bag.deck import Masked
from netplay.bag.group import Point, base, plus, total
from netplay.bag.spare import Spread
from netplay.messages.log import Mask
from netplay.record.decks import read_deck
from netplay.record.mixing import MaskedDeal

Key: TypeAlias = bytes


class Leaving(NamedTuple):
    """How a holder's mask passed to the others."""

    leaver: Key
    epoch: int
    """In which the others' masks are so."""
    spread: Spread | None
    """What it had spread; None if it showed its mask."""
    rest: int
    """What the first of the others takes over: the rest, or all of it."""
    first: Key


class Holding:
    """The holders of a bag, and its deals."""

    def __init__(self, match: bytes) -> None:
        """Begin without holders."""
        self.match: Final = match
        self.holders: tuple[Key, ...] = ()
        """Who plays a seat, in the order of members."""
        self.keys: dict[Key, Mask] = {}
        """What holders have shown, those too who have left."""
        self.masks: dict[Key, Point] = {}
        """Of each holder, its mask times G in this epoch."""
        self.epoch = 0
        self.since = 0
        """The entry by which the holders became these."""
        self.begun = False
        """Whether the bag was ever ready: tiles may have been read."""
        self.deals: list[MaskedDeal] = []
        self.pairs: dict[int, Masked] = {}
        """Number -> masked tile, of deals that are ready."""
        self.spares: dict[Key, Spread] = {}
        """What holders have spread in this epoch."""
        self.parts: dict[int, dict[Key, Point]] = {}
        """Number -> holder -> its share, of tiles that are not complete."""
        self.left: list[Leaving] = []
        self.awaited: dict[Key, Point] = {}
        """Who has left and has to show its mask, and that times G."""
        self._common: Point | None = None

    def seat(self, holders: tuple[Key, ...], number: int) -> None:
        """Take note of who plays a seat.

        Args:
            holders: In the order of members.
            number: The entry by which it became so.
        """
        gone = [key for key in self.holders if key not in holders]
        self.holders, self.since = holders, number
        if not self.begun:
            self._begin_again()
            return
        for key in gone:
            self._leave(key)
        self._look()

    def _begin_again(self) -> None:
        """Forget all that was mixed: nothing was drawn from it yet."""
        self.masks = {k: self.keys[k].mask for k in self.holders if k in self.keys}
        self.spares.clear()
        self.pairs.clear()
        self._common = None
        for deal in self.deals:
            deal.mixed, deal.ready, deal.start = [], False, b""

    def _leave(self, leaver: Key) -> None:
        """Begin another epoch without somebody."""
        spread, point = self.spares.get(leaver), self.masks.pop(leaver)
        self.epoch += 1
        self.parts.clear()
        self.spares = {}
        if spread is None or not self.holders:
            self.awaited[leaver] = point
            return
        for key, more in spread.points.items():
            if key in self.masks:
                self.masks[key] = plus(self.masks[key], more)
        self._take_over(leaver, spread, spread.rest)

    def _take_over(self, leaver: Key, spread: Spread | None, rest: int) -> None:
        """Give the first holder what is said openly of a leaver's mask."""
        first = self.holders[0]
        self.masks[first] = plus(self.masks[first], base(rest))
        self.left.append(Leaving(leaver, self.epoch, spread, rest, first))

    # What is so.

    @property
    def common(self) -> Point:
        """Y: the sum of all masks times G, as long as the match lasts."""
        if self._common is None:
            self._common = total(self.masks[key] for key in self.holders)
        return self._common

    def lacks_spare(self) -> list[Key]:
        """Return who has to spread its mask: with three holders or more, all."""
        early = self.awaited or not self.deals or not self.deals[0].ready
        if early or len(self.holders) < 3:
            return []
        return [key for key in self.holders if key not in self.spares]

    def has(self, number: int) -> bool:
        """Tell whether a deal has begun."""
        return any(deal.number == number for deal in self.deals)

    def begin(self, deal: MaskedDeal) -> None:
        """Begin a deal."""
        self.deals.append(deal)

    def deal_of(self, tile: int) -> MaskedDeal | None:
        """Return the deal that a number belongs to."""
        return next((deal for deal in self.deals if deal.holds(tile)), None)

    def _look(self) -> None:
        """Note which deals have become ready, and whether the bag has."""
        for deal in self.deals:
            if deal.ready or not deal.mixed or deal.mixer(self.holders) is not None:
                continue
            deal.ready = True
            self.pairs.update(enumerate(read_deck(deal.mixed[-1].deck), deal.first))
        first = bool(self.deals) and self.deals[0].ready
        self.begun = self.begun or (first and not self.lacks_spare())
