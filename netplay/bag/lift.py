"""Taking one's own mask off tiles, with one proof for all of them; and owning a key.

Both are proofs of equal logarithms (Chaum and Pedersen 1992), made non-interactive
over the whole statement (Bernhard, Pereira, Warinschi 2012).  What does not hold, or is
no point, is a BagError.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from netplay.bag import group
from netplay.bag.group import ORDER, BagError, Point, base, is_point, minus, plus, times

MOST_LIFTS: Final = 64


class Share(NamedTuple):
    """What a holder takes off a tile of some number: d, its mask times a."""

    tile: int
    a: Point
    d: Point


class Author(NamedTuple):
    """Who proves something, and where; every challenge hashes both."""

    match: bytes
    key: bytes


def mask_of(seed: bytes, match: bytes) -> int:
    """Return x = S(mask, seed, match): a holder's mask in a match."""
    return group.scalar_of("mask", seed, match)


def spare_of(seed: bytes, match: bytes) -> int:
    """Return e = S(spare key, seed, match): what parts of masks are spread under."""
    return group.scalar_of("spare key", seed, match)


def nonce(secret: int, fresh: bytes, statement: bytes, index: int) -> int:
    """Return a number used once, even where the 32 random bytes are worth nothing."""
    place = statement, group.number(index)  # of the numbers of a proof, from 0
    return group.scalar_of("nonce", group.packed(secret), fresh, *place)


def prove_key(author: Author, mask: int, spare: int, fresh: bytes) -> bytes:
    """Return the proof that one knows x of X = xG and e of E = eG."""
    statement = _key_statement(author, base(mask), base(spare))
    w1, w2 = nonce(mask, fresh, statement, 0), nonce(spare, fresh, statement, 1)
    c = group.scalar_of("key challenge", statement, base(w1), base(w2))
    answers = c, (w1 + c * mask) % ORDER, (w2 + c * spare) % ORDER
    return b"".join(map(group.packed, answers))


def check_key(author: Author, mask: Point, spare: Point, proof: bytes) -> None:
    """Check that the author knows both logarithms: no key is made of others' keys."""
    if len(proof) != 3 * group.BYTES:
        raise BagError("a proof of a key has another length")
    c, s1, s2 = map(group.unpacked, group.split(proof))
    statement = _key_statement(author, mask, spare)
    t1 = minus(base(s1), times(mask, c))  # w1 G = s1 G - c X
    t2 = minus(base(s2), times(spare, c))  # w2 G = s2 G - c E
    if group.scalar_of("key challenge", statement, t1, t2) != c:
        raise BagError("nobody knows the secret of that key")


def _key_statement(author: Author, mask: Point, spare: Point) -> bytes:
    return group.digest("key", author.match, author.key, mask, spare)


def prove_lift(
    author: Author, mask: int, shares: Sequence[Share], fresh: bytes
) -> bytes:
    """Return the proof, one for all, that every d is the same mask times its a."""
    statement = _lift_statement(author, base(mask), shares)
    w = nonce(mask, fresh, statement, 0)
    sum_a = _summed(statement, [each.a for each in shares])
    c = group.scalar_of("lift challenge", statement, base(w), times(sum_a, w))
    return group.packed(c) + group.packed((w + c * mask) % ORDER)


def check_lift(
    author: Author, mask: Point, shares: Sequence[Share], proof: bytes
) -> None:
    """Check that each d is the author's mask times its a."""
    if not 1 <= len(shares) <= MOST_LIFTS or len(proof) != 2 * group.BYTES:
        raise BagError("a lift has from 1 to 64 tiles, and a proof")
    c, s = map(group.unpacked, group.split(proof))
    statement = _lift_statement(author, mask, shares)
    sum_a = _summed(statement, [each.a for each in shares])
    sum_d = _summed(statement, [each.d for each in shares])
    t1 = minus(base(s), times(mask, c))  # wG = sG - cX
    t2 = minus(times(sum_a, s), times(sum_d, c))  # w sum pa = s sum pa - c sum pd
    if group.scalar_of("lift challenge", statement, t1, t2) != c:
        raise BagError("what was taken off a tile is not the key's part of it")


def _lift_statement(author: Author, mask: Point, shares: Sequence[Share]) -> bytes:
    data = b"".join(group.number(each.tile) + each.a + each.d for each in shares)
    return group.digest("lift", author.match, author.key, mask, data)


def _summed(statement: bytes, points: Sequence[Point]) -> Point:
    """Return sum p_i x_i: p_i = S(lift weight, statement, i), but p_0 = 1."""
    numbers = map(group.number, range(1, len(points)))
    p = [group.scalar_of("lift weight", statement, i) for i in numbers]
    return plus(points[0], group.weighted(p, points[1:]))


# Parts of each mask, spread among the others, so that one of them may leave.
#
# With three or four holders, each gives every other a part s_jq of its mask that the
# two can work out alone, since each knows the other's spare key (Diffie and Hellman
# 1976); what the parts lack is said openly. All the others together can then lift in
# its place.


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
