"""Mixing a deck, and the proof that nothing but the order and the masks has changed.

The proof is that of Terelius and Wikstroem (2010) in the form of Haenni, Locher, Koenig
and Dubuis, "Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets" (2017),
algorithms 4.2 to 4.4; letters are theirs or say what they stand for:

    psi, r   the order and the new masks: new_i = old_psi(i) + r_i (G, Y)
    C, R     a commitment to psi: C_psi(i) = R_psi(i) G + h_i
    u, v     weights nobody can choose, v_i = u_psi(i)
    D, q     a chain that multiplies the weights up: D_0 = h, D_i = q_i G + v_i D_(i-1)

If the products of u and v are equal and both sums fit, v is u in another order.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from math import prod
from operator import mul
from typing import Final, NamedTuple

from netplay.bag import group
from netplay.bag.group import (
    ORDER,
    BagError,
    Deck,
    Masked,
    Point,
    base,
    joined,
    minus,
    number,
    plus,
    times,
)
from netplay.bag.lift import Author, nonce
from netplay.stream import Stream

PER_TILE: Final = 4 * group.BYTES  # bytes of a proof
BESIDES: Final = 5 * group.BYTES


class Step(NamedTuple):
    """Which mixing of a match it is."""

    author: Author
    round: int
    step: int
    common: Point  # Y, the sum of all holders' masks times G


class Mixing(NamedTuple):
    """A deck that was mixed, and the secrets of it."""

    deck: Deck
    order: tuple[int, ...]  # psi: where each tile was before, from 0
    masks: tuple[int, ...]  # r: what was added to each


@lru_cache(maxsize=512)
def generator(index: int) -> Point:
    """Return g_k: h is g_0, and h_i is g_i for i from 1."""
    return group.point_of("generator", number(index))


def mix(step: Step, mask: int, old: Deck) -> Mixing:
    """Return a deck in another order under other masks."""
    # Both follow from mask and deck: with log and key alone a node mixes again just so.
    place = step.author.match, number(step.round), number(step.step)
    seed = group.digest("mix secret", group.packed(mask), *place, joined(old))
    stream, order = Stream(group.tag("mix order") + seed), list(range(len(old)))
    for last in range(len(old) - 1, 0, -1):  # Fisher-Yates
        other = stream.below(last + 1)
        order[last], order[other] = order[other], order[last]
    r = [group.scalar_of("mix mask", seed, number(i)) for i in range(len(old))]
    deck = (
        Masked(plus(old[at].a, base(r_i)), plus(old[at].b, times(step.common, r_i)))
        for at, r_i in zip(order, r, strict=True)
    )
    return Mixing(tuple(deck), tuple(order), tuple(r))


def _statement(step: Step, old: Deck, new: Deck) -> bytes:
    """Return what the proof is about: all of it goes into every challenge."""
    (match, key), round_, at, common = step
    place = match, number(round_), number(at), key, common, number(len(old))
    return group.digest("mix", *place, joined(old), joined(new))


def _weights(statement: bytes, commitments: Sequence[Point]) -> list[int]:
    """Return u_i = S(mix weight, z, i), fixed once the order is committed to."""
    z = group.digest("mix weights", statement, *commitments)
    count = len(commitments)
    return [group.scalar_of("mix weight", z, number(i)) for i in range(count)]


def prove(step: Step, mask: int, old: Deck, mixing: Mixing, fresh: bytes) -> bytes:
    """Return the proof of a mixing, by the holder's mask and 32 random bytes."""
    new, psi, r = mixing
    count, h = len(old), [generator(i + 1) for i in range(len(old))]
    statement = _statement(step, old, new)
    secrets = (nonce(mask, fresh, statement, i) for i in range(4 * count + 4))
    big_r, q, n, m = (list(islice(secrets, count)) for _ in range(4))
    w1, w2, w3, w4 = secrets
    big_c = [b""] * count
    for i, at in enumerate(psi):
        big_c[at] = plus(base(big_r[i]), h[i])  # C_psi(i) = R_psi(i) G + h_i
    u = _weights(statement, big_c)
    v, big_d, chain = [u[at] for at in psi], [generator(0)], 0
    for q_i, v_i in zip(q, v, strict=True):
        big_d.append(plus(base(q_i), times(big_d[-1], v_i)))  # q_i G + v_i D_(i-1)
        chain = (chain * v_i + q_i) % ORDER  # sum q_i prod_(j>i) v_j
    t = [
        base(w1),
        base(w2),
        plus(base(w3), group.weighted(m, h)),  # w3 G + sum m h
        minus(group.weighted(m, [x.b for x in new]), times(step.common, w4)),
        minus(group.weighted(m, [x.a for x in new]), base(w4)),  # sum m a' - w4 G
        *(plus(base(n[i]), times(big_d[i], m[i])) for i in range(count)),
    ]
    c = group.scalar_of("mix challenge", statement, *big_c, *big_d[1:], *t)
    sums = (
        w1 + c * sum(big_r),
        w2 + c * chain,
        w3 + c * sum(map(mul, big_r, v)),
        w4 + c * sum(map(mul, r, v)),
        *(n[i] + c * q[i] for i in range(count)),
        *(m[i] + c * v[i] for i in range(count)),
    )
    numbers = (group.packed(each % ORDER) for each in (c, *sums))
    return b"".join((*big_c, *big_d[1:], *numbers))


def check(step: Step, old: Deck, new: Deck, proof: bytes) -> None:
    """Check a mixing, and each point of it by multiplying; BagError if it is false."""
    count = len(old)
    if len(new) != count or len(proof) != PER_TILE * count + BESIDES:
        raise BagError("tiles were lost or added, or words of the proof")
    words, h = group.split(proof), [generator(i + 1) for i in range(count)]
    big_c, big_d = words[:count], words[count : 2 * count]
    c, s1, s2, s3, s4, *others = map(group.unpacked, words[2 * count :])
    n, m = others[:count], others[count:]
    links = zip(n, m, [generator(0), *big_d], big_d, strict=False)
    statement = _statement(step, old, new)
    u = _weights(statement, big_c)

    def less(one: Point, other: Point) -> Point:
        """Return one - c other; honest sums may be zero, which nothing multiplies."""
        return one if other == group.IDENTITY else minus(one, times(other, c))

    def mixed(new_: list[Point], old_: list[Point], with_: Point) -> Point:
        """Return sum m x' - s4 X - c sum u x: X is Y of each b, G of each a."""
        return less(minus(group.weighted(m, new_), with_), group.weighted(u, old_))

    t = [
        less(base(s1), minus(group.total(big_c), group.total(h))),
        less(base(s2), minus(big_d[-1], times(generator(0), prod(u)))),
        less(plus(base(s3), group.weighted(m, h)), group.weighted(u, big_c)),
        mixed([x.b for x in new], [x.b for x in old], times(step.common, s4)),
        mixed([x.a for x in new], [x.a for x in old], base(s4)),
    ]
    t += [
        minus(plus(base(n_i), times(d, m_i)), times(e, c)) for n_i, m_i, d, e in links
    ]
    if group.scalar_of("mix challenge", statement, *big_c, *big_d, *t) != c:
        raise BagError("the deck is not the one before in another order")
