"""Parts of each mask, spread among the others, so that one of them may leave.

With three or four holders, each gives every other a part s_jq of its mask that the two
can work out alone, since each knows the other's spare key (Diffie and Hellman 1976);
what the parts lack is said openly.  All the others together can then lift in its place.
"""

from collections.abc import Mapping
from typing import NamedTuple

from netplay.bag import group
from netplay.bag.group import ORDER, BagError, Point, base, is_point
from netplay.bag.lift import Author


class Spread(NamedTuple):
    """What a holder says to all: a point for each other's part, and the rest."""

    points: Mapping[bytes, Point]
    rest: int


def part(dealer: Author, epoch: int, taker: bytes, shared: Point) -> int:
    """Return s_jq = S(spare, match, epoch, j, q, e_j E_q), which is e_q E_j."""
    place = dealer.match, group.number(epoch), dealer.key, taker
    return group.scalar_of("spare", *place, shared)


def spread(
    dealer: Author, epoch: int, mask: int, spare: int, others: Mapping[bytes, Point]
) -> Spread:
    """Return what a dealer says of its mask's parts, by the others' spare keys E."""
    shared = {taker: group.times(key, spare) for taker, key in others.items()}
    parts = {q: part(dealer, epoch, q, point) for q, point in shared.items()}
    rest = (mask - sum(parts.values())) % ORDER
    return Spread({taker: base(each) for taker, each in parts.items()}, rest)


def check_spread(mask: Point, said: Spread) -> None:
    """Check that the parts and the rest are the mask; BagError if they are not."""
    if not all(map(is_point, said.points.values())):  # adding would not notice
        raise BagError("a part of a mask is none")
    if group.plus(group.total(said.points.values()), base(said.rest)) != mask:
        raise BagError("the parts of a mask do not add up to it")


def fits(said: Spread, taker: bytes, mine: int) -> bool:
    """Tell whether a part that was worked out is the one the dealer has said."""
    return said.points.get(taker) == base(mine)
