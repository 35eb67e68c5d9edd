"""The group in which tiles are masked: the prime-order part of Ed25519.

Points are 32 bytes as RFC 8032 encodes them, scalars are integers below `ORDER`.
libsodium refuses to *multiply* what is no point of the group in its one form, or zero;
it *adds* any points of the curve.  So a point of somebody else's has to be multiplied,
or looked at with `is_point`, before anything is believed of it.

Tiles as masked pairs, and the decks that they make up (ElGamal 1985).

A masked tile is (a, b) = (rG, T + rY): r nobody's number alone, T the point of its
kind, which equal tiles share, Y the sum of all holders' masks times G.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache, reduce
from typing import Final, NamedTuple, TypeAlias

from nacl import bindings
from nacl.exceptions import CryptoError

Point: TypeAlias = bytes

BYTES: Final = 32  # of a point, and of a scalar
ORDER: Final = 2**252 + 27742317777372353535851937790883648493  # of the group: a prime
FIELD: Final = 2**255 - 19  # coordinates are below it
IDENTITY: Final = b"\1" + bytes(31)  # changes nothing when it is added: x is 0, y is 1


class BagError(ValueError):
    """Somebody's part in the bag is not what it claims to be; said in words."""


def available() -> bool:
    """Tell whether the library was built with these functions."""
    return bindings.has_crypto_core_ed25519 and bindings.has_crypto_scalarmult_ed25519


def is_point(data: bytes) -> bool:
    """Tell whether bytes are a point of the group in its one form, and not zero."""
    there = len(data) == BYTES
    return there and bool(bindings.crypto_core_ed25519_is_valid_point(data))


def base(scalar: int) -> Point:
    """Return scalar times G, the generator of RFC 8032."""
    multiply = bindings.crypto_scalarmult_ed25519_base_noclamp
    return multiply(packed(scalar % ORDER)) if scalar % ORDER else IDENTITY


def times(point: Point, scalar: int) -> Point:
    """Return scalar times a point; BagError if it is none of the group, or zero."""
    multiply, data = bindings.crypto_scalarmult_ed25519_noclamp, packed(scalar % ORDER)
    return _of_points(multiply, data, point) if scalar % ORDER else IDENTITY


def plus(one: Point, other: Point) -> Point:
    """Return the sum of two points of the curve; BagError if one is none."""
    return _of_points(bindings.crypto_core_ed25519_add, one, other)


def minus(one: Point, other: Point) -> Point:
    """Return the difference of two points of the curve; BagError if one is none."""
    return _of_points(bindings.crypto_core_ed25519_sub, one, other)


def _of_points(do: Callable[[bytes, bytes], Point], one: bytes, other: bytes) -> Point:
    try:
        return do(one, other)
    except CryptoError:
        raise BagError("a point is none of the group") from None


def total(points: Iterable[Point]) -> Point:
    """Return the sum of points, `IDENTITY` for none."""
    return reduce(plus, points, IDENTITY)


def weighted(scalars: Sequence[int], points: Sequence[Point]) -> Point:
    """Return the sum of each point times its scalar."""
    return total(times(p, s) for s, p in zip(scalars, points, strict=True))


def packed(scalar: int) -> bytes:
    """Return a scalar as 32 bytes, little-endian."""
    return scalar.to_bytes(BYTES, "little")


def unpacked(data: bytes, *, zero: bool = False) -> int:
    """Return the scalar that 32 bytes are: below the order, 0 only if `zero` allows."""
    scalar = int.from_bytes(data, "little")
    if len(data) != BYTES or scalar >= ORDER or not (scalar or zero):
        raise BagError("a number is not of the one form it may have")
    return scalar


def split(data: bytes) -> list[bytes]:
    """Return bytes as words of 32; BagError if they are no whole number of words."""
    if len(data) % BYTES:
        raise BagError("bytes are missing")
    return [data[at : at + BYTES] for at in range(0, len(data), BYTES)]


def number(value: int) -> bytes:
    """Return a number as it is hashed: 8 bytes, big-endian."""
    return value.to_bytes(8, "big")


def tag(name: str) -> bytes:
    """Return what keeps the hashes of one use from those of another."""
    return b"netplay/1 bag " + name.encode() + b"\0"


def digest(name: str, *data: bytes) -> bytes:
    """Return H(name, data): 32 bytes of SHA-256."""
    return hashlib.sha256(tag(name) + b"".join(data)).digest()


def scalar_of(name: str, *data: bytes) -> int:
    """Return S(name, data): a scalar that nobody can choose, by SHA-512."""
    found = hashlib.sha512(tag(name) + b"".join(data)).digest()
    return int.from_bytes(found, "little") % ORDER


def point_of(name: str, *data: bytes) -> Point:
    """Return P(name, data): a point of which nobody knows the logarithm.

    The first of H(name, data, n), n from 0, that is a point of the curve and not of
    small order; times 8, so that it is in the group.
    """
    n = 0
    while (found := _eightfold(digest(name, *data, number(n)))) == IDENTITY:
        n += 1
    return found


def _eightfold(data: bytes) -> Point:
    """Return 8 times the point that bytes are (RFC 8032), zero if they are none."""
    with suppress(BagError):
        if int.from_bytes(data, "little") % 2**255 < FIELD:
            return reduce(lambda point, _: plus(point, point), range(3), data)
    return IDENTITY


class Masked(NamedTuple):
    """A tile that nobody can read alone: T = b - sum d, with d = xa of each holder."""

    a: Point
    b: Point


Deck = tuple[Masked, ...]


@lru_cache(maxsize=1024)
def kind_point(match: bytes, kind: int) -> Point:
    """Return T_k, the point that stands for a kind of tile in a match."""
    return point_of("tile", match, number(kind))


def first_deck(match: bytes, kinds: Sequence[int], common: Point) -> Deck:
    """Return the deck before anybody mixed: (G, T + Y) of ascending kinds, r is 1."""
    one = base(1)
    return tuple(Masked(one, plus(kind_point(match, kind), common)) for kind in kinds)


def joined(deck: Deck) -> bytes:
    """Return a deck as it is hashed and sent: a and b of each tile, 64 bytes."""
    return b"".join(a + b for a, b in deck)
