"""Mixing a deck, and the proof that nothing but the order and the masks has changed.

The proof is that of Terelius and Wikstroem (2010) in the form of Haenni, Locher, Koenig
and Dubuis (2017), algorithms 4.2 to 4.4; letters are theirs or say what they stand for:

    psi, r   the order and the new masks: new_i = old_psi(i) + r_i (G, Y)
    C, R     a commitment to psi: C_psi(i) = R_psi(i) G + h_i
    u, v     weights nobody can choose, v_i = u_psi(i)
    D, q     a chain that multiplies the weights up: D_0 = h, D_i = q_i G + v_i D_(i-1)

If the products of u and v are equal and both sums fit, v is u in another order.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from netplay.bag.deck import Deck, Masked, joined
from netplay.bag.group import (
    BYTES,
    ORDER,
    BagError,
    Point,
    base,
    digest,
    is_point,
    minus,
    number,
    packed,
    plus,
    point_of,
    scalar_of,
    split,
    tag,
    times,
    total,
    unpacked,
    weighted,
)
from netplay.bag.lift import Author, nonce
from netplay.stream import Stream

PER_TILE: Final = 4 * BYTES
BESIDES: Final = 5 * BYTES
"""A proof has so many bytes a tile, and so many besides."""


class Step(NamedTuple):
    """Which mixing of a match it is."""

    author: Author
    round: int
    step: int
    common: Point
    """Y, the sum of all holders' masks times G."""


class Mixing(NamedTuple):
    """A deck that was mixed, and the secrets of it."""

    deck: Deck
    order: tuple[int, ...]
    """psi: where each tile was before, from 0."""
    masks: tuple[int, ...]
    """r: what was added to each."""


class Proof(NamedTuple):
    """The numbers of a proof, in the order in which they are written."""

    big_c: Sequence[Point]
    big_d: Sequence[Point]
    c: int
    s1: int
    s2: int
    s3: int
    s4: int
    n: Sequence[int]
    m: Sequence[int]


@lru_cache(maxsize=512)
def generator(index: int) -> Point:
    """Return g_k: h is g_0, and h_i is g_i for i from 1."""
    return point_of("generator", number(index))


def mix(step: Step, mask: int, old: Deck) -> Mixing:
    """Return a deck in another order under other masks.

    Both follow from the holder's mask and the deck: a node that has lost everything
    but log and key mixes again just so.
    """
    author = step.author
    seed = digest(
        "mix secret", packed(mask), author.match, number(step.round),
        number(step.step), joined(old),
    )  # fmt: skip
    order = _shuffled(Stream(tag("mix order") + seed), len(old))
    masks = tuple(scalar_of("mix mask", seed, number(i)) for i in range(len(old)))
    deck = tuple(
        Masked(plus(old[at].a, base(r)), plus(old[at].b, times(step.common, r)))
        for at, r in zip(order, masks, strict=True)
    )
    return Mixing(deck, order, masks)


def _shuffled(stream: Stream, count: int) -> tuple[int, ...]:
    """Return the numbers below a count in another order (Fisher-Yates)."""
    left = list(range(count))
    for last in range(count - 1, 0, -1):
        other = stream.below(last + 1)
        left[last], left[other] = left[other], left[last]
    return tuple(left)


def _statement(step: Step, old: Deck, new: Deck) -> bytes:
    """Return what the proof is about: all of it goes into every challenge."""
    author = step.author
    return digest(
        "mix", author.match, number(step.round), number(step.step), author.key,
        step.common, number(len(old)), joined(old), joined(new),
    )  # fmt: skip


def _weights(statement: bytes, commitments: Sequence[Point]) -> list[int]:
    """Return u_i = S(mix weight, z, i), fixed once the order is committed to."""
    z = digest("mix weights", statement, *commitments)
    return [scalar_of("mix weight", z, number(i)) for i in range(len(commitments))]


def prove(step: Step, mask: int, old: Deck, mixing: Mixing, fresh: bytes) -> bytes:
    """Return the proof of a mixing.

    Args:
        step: Which it is.
        mask: The holder's; a secret for the nonces.
        old: The deck before.
        mixing: The deck after, and how it was made.
        fresh: 32 random bytes.
    """
    new, psi, r = mixing
    count, h = len(old), [generator(i + 1) for i in range(len(old))]
    statement = _statement(step, old, new)
    secrets = (nonce(mask, fresh, statement, i) for i in range(4 * count + 4))

    def several() -> list[int]:
        return [next(secrets) for _ in range(count)]

    big_r = several()  # R_psi(i), by i
    big_c = [b""] * count
    for i, at in enumerate(psi):
        big_c[at] = plus(base(big_r[i]), h[i])
    u = _weights(statement, big_c)
    v = [u[at] for at in psi]
    q, big_d = several(), [generator(0)]
    for i in range(count):
        big_d.append(plus(base(q[i]), times(big_d[-1], v[i])))
    n, m = several(), several()
    w1, w2, w3, w4 = (next(secrets) for _ in range(4))
    t = [
        base(w1),
        base(w2),
        plus(base(w3), weighted(m, h)),
        minus(weighted(m, [tile.b for tile in new]), times(step.common, w4)),
        minus(weighted(m, [tile.a for tile in new]), base(w4)),
        *(plus(base(n[i]), times(big_d[i], m[i])) for i in range(count)),
    ]
    c = scalar_of("mix challenge", statement, *big_c, *big_d[1:], *t)
    chain = 0  # sum of q_i times the v behind it
    for i in range(count):
        chain = (chain * v[i] + q[i]) % ORDER
    sums = (
        w1 + c * sum(big_r),
        w2 + c * chain,
        w3 + c * _dot(big_r, v),
        w4 + c * _dot(r, v),
        *(n[i] + c * q[i] for i in range(count)),
        *(m[i] + c * v[i] for i in range(count)),
    )
    numbers = (packed(each % ORDER) for each in (c, *sums))
    return b"".join((*big_c, *big_d[1:], *numbers))


def check(step: Step, old: Deck, new: Deck, proof: bytes) -> None:
    """Check that a deck is another one in some order under other masks.

    Raises:
        BagError: Not so, or something in it is no point or number.
    """
    if len(old) != len(new):
        raise BagError("tiles were lost or added")
    read, h = _read(proof, len(old)), [generator(i + 1) for i in range(len(old))]
    big_c, big_d, c, s1, s2, s3, s4, n, m = read
    statement = _statement(step, old, new)
    u = _weights(statement, big_c)
    product = 1
    for each in u:
        product = product * each % ORDER
    chain = [generator(0), *big_d]
    end = minus(big_d[-1], times(generator(0), product))
    t = [
        minus(base(s1), _scaled(minus(total(big_c), total(h)), c)),
        minus(base(s2), _scaled(end, c)),
        minus(plus(base(s3), weighted(m, h)), _scaled(weighted(u, big_c), c)),
        minus(
            minus(weighted(m, [tile.b for tile in new]), times(step.common, s4)),
            _scaled(weighted(u, [tile.b for tile in old]), c),
        ),
        minus(
            minus(weighted(m, [tile.a for tile in new]), base(s4)),
            _scaled(weighted(u, [tile.a for tile in old]), c),
        ),
        *(
            minus(plus(base(n[i]), times(chain[i], m[i])), times(chain[i + 1], c))
            for i in range(len(old))
        ),
    ]
    if scalar_of("mix challenge", statement, *big_c, *big_d, *t) != c:
        raise BagError("the deck is not the one before in another order")


def _read(proof: bytes, count: int) -> Proof:
    """Return the points and numbers of a proof.

    Raises:
        BagError: It has another length, or a word of it is no point or number.
    """
    if len(proof) != PER_TILE * count + BESIDES:
        raise BagError("the proof of a mixing has another length")
    words = split(proof)
    big_c, big_d, rest = words[:count], words[count : 2 * count], words[2 * count :]
    if not all(map(is_point, (*big_c, *big_d))):
        raise BagError("a point of a proof is none")
    c, s1, s2, s3, s4, *others = map(unpacked, rest)
    n, m = others[:count], others[count:]
    return Proof(big_c, big_d, c, s1, s2, s3, s4, n, m)


def _scaled(point: Point, scalar: int) -> Point:
    """Return scalar times a point that may be zero: sums of honest points can be."""
    if point == base(0):
        return point
    return times(point, scalar)


def _dot(some: Sequence[int], others: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(some, others, strict=True))
