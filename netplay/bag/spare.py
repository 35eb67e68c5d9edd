"""Parts of each mask, spread among the others, so that one of them may leave.

With three or four holders, each gives every other a part s_jq of its mask that the two
can work out alone, since each knows the other's spare key (Diffie and Hellman 1976);
what the parts lack is said openly.  All the others together can then lift in its place.
"""

from collections.abc import Mapping
from typing import NamedTuple

from netplay.bag.group import (
    ORDER,
    BagError,
    Point,
    base,
    is_point,
    number,
    plus,
    scalar_of,
    times,
    total,
)


class Spread(NamedTuple):
    """What a holder says to all: a point for each other's part, and the rest."""

    points: Mapping[bytes, Point]
    rest: int


class Holders(NamedTuple):
    """Whose parts in which match and epoch: epochs count those who have left."""

    match: bytes
    epoch: int


def part(holders: Holders, dealer: bytes, taker: bytes, shared: Point) -> int:
    """Return s_jq = S(spare, match, epoch, j, q, shared).

    Args:
        holders: Match and epoch.
        dealer: j, whose mask it is a part of.
        taker: q, who gets it.
        shared: e_j E_q, which is e_q E_j: the two alone know it.
    """
    epoch = number(holders.epoch)
    return scalar_of("spare", holders.match, epoch, dealer, taker, shared)


def spread(
    holders: Holders,
    dealer: bytes,
    mask: int,
    spare: int,
    others: Mapping[bytes, Point],
) -> Spread:
    """Return what a holder says of its mask's parts.

    Args:
        holders: Match and epoch.
        dealer: The holder's key.
        mask: Its mask in this epoch.
        spare: Its secret spare key.
        others: The other holders' spare keys, E.
    """
    parts = {
        taker: part(holders, dealer, taker, times(point, spare))
        for taker, point in others.items()
    }
    rest = (mask - sum(parts.values())) % ORDER
    return Spread({taker: base(each) for taker, each in parts.items()}, rest)


def check_spread(mask: Point, said: Spread) -> None:
    """Check that the parts and the rest are the mask.

    Raises:
        BagError: Not so, or one of them is no point: adding would not notice.
    """
    if not all(map(is_point, said.points.values())):
        raise BagError("a part of a mask is none")
    if plus(total(said.points.values()), base(said.rest)) != mask:
        raise BagError("the parts of a mask do not add up to it")


def fits(said: Spread, taker: bytes, mine: int) -> bool:
    """Tell whether a part that was worked out is the one the dealer has said."""
    return said.points.get(taker) == base(mine)
