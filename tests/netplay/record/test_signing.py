"""Ed25519 as all nodes see it."""

import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from hypothesis import given
from hypothesis import strategies as st

from netplay.errors import Code, PeerError
from netplay.record.log import SecretKey, check_signature

ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the curve's group (RFC 8032, section 5.1)."""

NOWHERE = b"\x01" + bytes(31)
"""The point that adds nothing: of order one."""


def refused(key: bytes, signature: bytes, data: bytes) -> bool:
    with pytest.raises(PeerError) as caught:
        check_signature(key, signature, data)
    return caught.value.code is Code.BAD_SIGNATURE


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=500))
def test_another_library_makes_the_same_signature(seed: bytes, data: bytes) -> None:
    key, other = SecretKey(seed), Ed25519PrivateKey.from_private_bytes(seed)
    signature = key.sign(data)
    assert (key.key, signature) == (
        other.public_key().public_bytes_raw(),
        other.sign(data),
    )
    check_signature(key.key, signature, data)


@given(st.binary(min_size=1, max_size=99), st.data())
def test_no_bit_of_what_is_signed_can_be_changed(
    text: bytes, data: st.DataObject
) -> None:
    key = SecretKey(hashlib.sha256(text).digest())
    parts = [key.key, key.sign(text), text]
    at = data.draw(st.integers(0, 2))
    bit = data.draw(st.integers(0, 8 * len(parts[at]) - 1))
    flipped = bytearray(parts[at])
    flipped[bit // 8] ^= 1 << bit % 8
    parts[at] = bytes(flipped)
    assert refused(*parts)


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33), b"\xff" * 32])
def test_a_key_that_is_no_point_verifies_nothing(key: bytes) -> None:
    assert refused(key, bytes(64), b"")


@pytest.mark.parametrize("length", [0, 63, 65])
def test_a_signature_of_another_length_is_none(length: int) -> None:
    key = SecretKey(bytes(32))
    assert refused(key.key, (key.sign(b"") + b"\0")[:length], b"")


def test_a_key_under_which_anything_holds_is_refused() -> None:
    """R = A = 0 and S = 0 fit any text, and not every library minds."""
    Ed25519PublicKey.from_public_bytes(NOWHERE).verify(NOWHERE + bytes(32), b"any")
    assert refused(NOWHERE, NOWHERE + bytes(32), b"any")


def test_a_signature_has_one_form_alone() -> None:
    """S and S + the order of the group would both fit (RFC 8032, section 8.4)."""
    key = SecretKey(bytes(32))
    signature = key.sign(b"text")
    more = int.from_bytes(signature[32:], "little") + ORDER
    assert refused(key.key, signature[:32] + more.to_bytes(32, "little"), b"text")
