"""A second reader of encrypted bags, written from protocol.md alone.

Plain Python: no PyNaCl, nothing of `netplay/` or `rules/`.  Points are affine pairs of
Ed25519 worked out in extended coordinates.  It checks every proof in the log of a
match; it is slow.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]
ZERO: Point = (0, 1, 1, 0)


class RefusedError(Exception):
    """Something does not hold."""


def need(holds: object, what: str) -> None:
    if not holds:
        raise RefusedError(what)


# The group.


def add(one: Point, other: Point) -> Point:
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def neg(point: Point) -> Point:
    x, y, z, t = point
    return -x % P, y, z, -t % P


def sub(one: Point, other: Point) -> Point:
    return add(one, neg(other))


def mul(scalar: int, point: Point) -> Point:
    found, scalar = ZERO, scalar % L
    for bit in f"{scalar:b}":
        found = add(found, found)
        if bit == "1":
            found = add(found, point)
    return found


def same(one: Point, other: Point) -> bool:
    x1, y1, z1, _ = one
    x2, y2, z2, _ = other
    return (x1 * z2 - x2 * z1) % P == 0 and (y1 * z2 - y2 * z1) % P == 0


def encode(point: Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def on_curve(data: bytes) -> Point | None:
    """Return the point that bytes encode (RFC 8032), None if they encode none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number % 2**255
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P == -u % P:
        x = x * ROOT % P
    if v * x * x % P != u or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def decode(data: bytes) -> Point:
    """Return a point of the group that is not zero (K13)."""
    need(len(data) == 32, "a point has 32 bytes")
    point = on_curve(data)
    need(point is not None, "no point")
    assert point is not None
    need(not same(point, ZERO) and same(raw(L, point), ZERO), "not of the group")
    return point


def raw(scalar: int, point: Point) -> Point:
    found = ZERO
    for bit in f"{scalar:b}":
        found = add(found, found)
        if bit == "1":
            found = add(found, point)
    return found


def number(data: bytes, *, zero: bool = False) -> int:
    found = int.from_bytes(data, "little")
    need(len(data) == 32 and found < L and (found or zero), "no number")
    return found


BASE_Y = 4 * pow(5, P - 2, P) % P
_BASE = on_curve(BASE_Y.to_bytes(32, "little"))
assert _BASE is not None
G: Point = _BASE


def u64(value: int) -> bytes:
    return value.to_bytes(8, "big")


def btag(name: str) -> bytes:
    return b"netplay/1 bag " + name.encode() + b"\0"


def big_h(name: str, *data: bytes) -> bytes:
    return hashlib.sha256(btag(name) + b"".join(data)).digest()


def big_s(name: str, *data: bytes) -> int:
    hashed = hashlib.sha512(btag(name) + b"".join(data)).digest()
    return int.from_bytes(hashed, "little") % L


def big_p(name: str, *data: bytes) -> Point:
    n = 0
    while True:
        point = on_curve(big_h(name, *data, u64(n)))
        if point is not None:
            point = raw(8, point)
            if not same(point, ZERO):
                return point
        n += 1


def dot(numbers: Sequence[int], points: Sequence[Point]) -> Point:
    found = ZERO
    for scalar, point in zip(numbers, points, strict=True):
        found = add(found, mul(scalar, point))
    return found


def total(points: Sequence[Point]) -> Point:
    found = ZERO
    for point in points:
        found = add(found, point)
    return found


def words(data: bytes) -> list[bytes]:
    need(len(data) % 32 == 0, "no whole words")
    return [data[at : at + 32] for at in range(0, len(data), 32)]


_G: dict[int, Point] = {}


def g(index: int) -> Point:
    if index not in _G:
        _G[index] = big_p("generator", u64(index))
    return _G[index]


# The proofs.


def check_mask(
    match: bytes, author: bytes, mask: bytes, spare: bytes, proof: bytes
) -> None:
    x, e = decode(mask), decode(spare)
    need(len(proof) == 96, "a proof of a mask")
    c, s1, s2 = (number(word) for word in words(proof))
    st = big_h("key", match, author, mask, spare)
    t1, t2 = sub(mul(s1, G), mul(c, x)), sub(mul(s2, G), mul(c, e))
    need(big_s("key challenge", st, encode(t1), encode(t2)) == c, "a mask of nobody's")


def check_lift(
    match: bytes,
    author: bytes,
    mask: Point,
    shares: Sequence[tuple[int, bytes, bytes]],
    proof: bytes,
) -> None:
    need(len(proof) == 64, "a proof of a lift")
    c, s = (number(word) for word in words(proof))
    a = [decode(each[1]) for each in shares]
    d = [decode(each[2]) for each in shares]
    data = b"".join(u64(tile) + one + two for tile, one, two in shares)
    st = big_h("lift", match, author, encode(mask), data)
    p = [1, *(big_s("lift weight", st, u64(i)) for i in range(1, len(shares)))]
    t1 = sub(mul(s, G), mul(c, mask))
    t2 = sub(mul(s, dot(p, a)), mul(c, dot(p, d)))
    need(
        big_s("lift challenge", st, encode(t1), encode(t2)) == c, "a lift that is none"
    )


def check_mix(
    match: bytes,
    author: bytes,
    place: tuple[int, int],
    y: Point,
    old: bytes,
    new: bytes,
    proof: bytes,
) -> None:
    n = len(old) // 64
    need(len(new) == len(old) and len(proof) == 128 * n + 160, "lengths of a mix")
    w = words(proof)
    big_c, big_d = [decode(x) for x in w[:n]], [decode(x) for x in w[n : 2 * n]]
    c, s1, s2, s3, s4, *rest = (number(x) for x in w[2 * n :])
    nn, m = rest[:n], rest[n:]
    olds, news = [decode(x) for x in words(old)], [decode(x) for x in words(new)]
    st = big_h(
        "mix", match, u64(place[0]), u64(place[1]), author, encode(y), u64(n), old, new
    )
    z = big_h("mix weights", st, *w[:n])
    u = [big_s("mix weight", z, u64(i)) for i in range(n)]
    product = 1
    for each in u:
        product = product * each % L
    h = [g(i + 1) for i in range(n)]
    chain = [g(0), *big_d]
    t = [
        sub(mul(s1, G), mul(c, sub(total(big_c), total(h)))),
        sub(mul(s2, G), mul(c, sub(big_d[-1], mul(product, g(0))))),
        sub(add(mul(s3, G), dot(m, h)), mul(c, dot(u, big_c))),
        sub(sub(dot(m, news[1::2]), mul(s4, y)), mul(c, dot(u, olds[1::2]))),
        sub(sub(dot(m, news[::2]), mul(s4, G)), mul(c, dot(u, olds[::2]))),
    ]
    t += [
        sub(add(mul(nn[i], G), mul(m[i], chain[i])), mul(c, chain[i + 1]))
        for i in range(n)
    ]
    hashed = [*w[: 2 * n], *map(encode, t)]
    need(big_s("mix challenge", st, *hashed) == c, "a mix that changed something")


class Bag:
    """An encrypted bag as a log tells it, as far as nobody leaves."""

    def __init__(
        self, match: bytes, kinds: Sequence[int], holders: Sequence[bytes]
    ) -> None:
        self.match, self.kinds, self.holders = match, list(kinds), list(holders)
        self.masks: dict[bytes, Point] = {}
        self.deals: list[dict[str, Any]] = []
        self.pairs: dict[int, tuple[bytes, bytes]] = {}
        self.shares: dict[int, dict[bytes, Point]] = {}

    def mask(self, author: bytes, body: Sequence[Any]) -> None:
        need(author in self.holders and author not in self.masks, "a mask out of place")
        check_mask(self.match, author, *body)
        self.masks[author] = decode(body[0])

    @property
    def y(self) -> Point:
        return total([self.masks[key] for key in self.holders])

    def begin(self, first: int, sources: Sequence[int], starter: bytes) -> None:
        at = self.holders.index(starter)
        order = [*self.holders[at:], *self.holders[:at]]
        self.deals.append(
            {"first": first, "sources": sources, "order": order, "deck": b""}
        )

    def old(self, deal: dict[str, Any]) -> bytes:
        if deal["deck"]:
            return bytes(deal["deck"])
        if deal is self.deals[0]:
            tiles = [big_p("tile", self.match, u64(kind)) for kind in self.kinds]
            return b"".join(encode(G) + encode(add(t, self.y)) for t in tiles)
        return b"".join(a + b for a, b in (self.pairs[n] for n in deal["sources"]))

    def mix(self, author: bytes, body: Sequence[Any]) -> None:
        round_, step, digest, deck, proof = body
        number_ = next(i for i, deal in enumerate(self.deals) if deal["order"])
        deal = self.deals[number_]
        done = len(self.holders) - len(deal["order"])
        need((round_, step) == (number_ + 1, done), "a mix out of place")
        need(author == deal["order"][0], "another is to mix")
        old = self.old(deal)
        need(big_h("deck", old) == digest, "another deck")
        check_mix(self.match, author, (round_, step), self.y, old, deck, proof)
        deal["deck"] = deck
        deal["order"].pop(0)
        if not deal["order"]:
            pairs = words(deck)
            for i, pair in enumerate(zip(pairs[::2], pairs[1::2], strict=True)):
                self.pairs[deal["first"] + i] = pair

    def spare(self, author: bytes, body: Sequence[Any]) -> None:
        epoch, points, rest = body
        need(epoch == 0 and len(points) == len(self.holders) - 1, "a spare")
        said = [decode(point) for point in points]
        summed = add(total(said), mul(number(rest, zero=True), G))
        need(same(summed, self.masks[author]), "parts that do not add up")

    def lift(self, author: bytes, body: Sequence[Any]) -> None:
        tiles, shares, proof = body
        need(list(tiles) == sorted(set(tiles)) and len(tiles) == len(shares), "a lift")
        data = [(t, self.pairs[t][0], d) for t, d in zip(tiles, shares, strict=True)]
        check_lift(self.match, author, self.masks[author], data, proof)
        for tile, share in zip(tiles, shares, strict=True):
            need(author not in self.shares.setdefault(tile, {}), "a lift once more")
            self.shares[tile][author] = decode(share)

    def show(self, owner: bytes, proof: Sequence[Any]) -> None:
        tile, kind, share, path = proof
        others = self.shares.get(tile, {})
        need(others.keys() | {owner} == set(self.holders), "not lifted by all")
        a, b = self.pairs[tile]
        data = [(tile, a, share)]
        check_lift(self.match, owner, self.masks[owner], data, b"".join(path))
        left = sub(sub(decode(b), total(list(others.values()))), decode(share))
        need(same(left, big_p("tile", self.match, u64(kind))), "another tile")
