"""The group in which tiles are masked: the prime-order part of Ed25519.

Points are 32 bytes as RFC 8032 encodes them, scalars are integers below `ORDER`.
libsodium refuses to *multiply* a point that is not canonical or not in the subgroup;
it *adds* any point of the curve.  So a point that came from somebody else has to be
multiplied, or looked at with `is_point`, before anything is believed of it.
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final, TypeAlias

from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_is_valid_point,
    crypto_core_ed25519_sub,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
    has_crypto_core_ed25519,
    has_crypto_scalarmult_ed25519,
)
from nacl.exceptions import CryptoError

Point: TypeAlias = bytes
"""32 bytes."""

BYTES: Final = 32
"""Of a point, and of a scalar."""

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""How many points the group has: a prime."""

FIELD: Final = 2**255 - 19
"""Coordinates are numbers below this."""

IDENTITY: Final = b"\1" + bytes(31)
"""The point that changes nothing when it is added: x is 0, y is 1."""


class BagError(ValueError):
    """Somebody's part in the bag is not what it claims to be; said in words."""


def available() -> bool:
    """Tell whether the library was built with these functions."""
    return has_crypto_core_ed25519 and has_crypto_scalarmult_ed25519


def is_point(data: bytes) -> bool:
    """Tell whether bytes are a point of the group in its one form, and not zero."""
    return len(data) == BYTES and bool(crypto_core_ed25519_is_valid_point(data))


def base(scalar: int) -> Point:
    """Return scalar times G, the generator of RFC 8032."""
    scalar %= ORDER
    if not scalar:
        return IDENTITY
    return crypto_scalarmult_ed25519_base_noclamp(packed(scalar))


def times(point: Point, scalar: int) -> Point:
    """Return scalar times a point.

    Raises:
        BagError: The point is none of the group, or zero.
    """
    scalar %= ORDER
    if not scalar:
        return IDENTITY
    try:
        return crypto_scalarmult_ed25519_noclamp(packed(scalar), point)
    except CryptoError:
        raise BagError("a point is none of the group") from None


def plus(one: Point, other: Point) -> Point:
    """Return the sum of two points of the curve.

    Raises:
        BagError: One of them is none.
    """
    try:
        return crypto_core_ed25519_add(one, other)
    except CryptoError:
        raise BagError("a point is none of the curve") from None


def minus(one: Point, other: Point) -> Point:
    """Return the difference of two points of the curve.

    Raises:
        BagError: One of them is none.
    """
    try:
        return crypto_core_ed25519_sub(one, other)
    except CryptoError:
        raise BagError("a point is none of the curve") from None


def total(points: Iterable[Point]) -> Point:
    """Return the sum of points, `IDENTITY` for none."""
    return reduce(plus, points, IDENTITY)


def weighted(scalars: Sequence[int], points: Sequence[Point]) -> Point:
    """Return the sum of each point times its scalar."""
    return total(times(p, s) for s, p in zip(scalars, points, strict=True))


# Bytes.


def packed(scalar: int) -> bytes:
    """Return a scalar as 32 bytes, little-endian."""
    return scalar.to_bytes(BYTES, "little")


def unpacked(data: bytes, *, zero: bool = False) -> int:
    """Return the scalar that 32 bytes are.

    Args:
        data: Little-endian.
        zero: Whether 0 may be.

    Raises:
        BagError: It is not below the order, or 0; each scalar has one form.
    """
    scalar = int.from_bytes(data, "little")
    if len(data) != BYTES or scalar >= ORDER or not (scalar or zero):
        raise BagError("a number is not of the one form it may have")
    return scalar


def split(data: bytes) -> list[bytes]:
    """Return bytes as words of 32.

    Raises:
        BagError: They are no whole number of words.
    """
    if len(data) % BYTES:
        raise BagError("bytes are missing")
    return [data[at : at + BYTES] for at in range(0, len(data), BYTES)]


# Hashes.


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
    while True:
        found = _eightfold(digest(name, *data, number(n)))
        if found is not None:
            return found
        n += 1


def _eightfold(data: bytes) -> Point | None:
    """Return 8 times the point that bytes are, None if they are none, or it is zero."""
    if int.from_bytes(data, "little") % 2**255 >= FIELD:
        return None
    try:
        for _ in range(3):
            data = plus(data, data)
    except BagError:
        return None
    return None if data == IDENTITY else data
