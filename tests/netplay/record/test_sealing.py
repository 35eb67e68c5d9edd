"""Letters that one node alone can open."""

import hashlib
import secrets

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from netplay.errors import Code, PeerError
from netplay.record.letter import seal, unseal


def pair(name: bytes) -> tuple[bytes, bytes]:
    """Return a secret and its public key."""
    seed = hashlib.sha256(name).digest()
    private = Ed25519PrivateKey.from_private_bytes(seed)
    return seed, private.public_key().public_bytes_raw()


@given(st.binary(max_size=200), st.binary(min_size=32, max_size=32), st.binary())
def test_whoever_it_is_sealed_to_reads_it(
    text: bytes, once: bytes, name: bytes
) -> None:
    seed, key = pair(name)

    letter = seal(key, text, once)

    assert unseal(seed, key, letter) == text


def test_nobody_else_reads_it() -> None:
    letter = seal(pair(b"a")[1], b"a tile", secrets.token_bytes(32))

    assert b"a tile" not in letter
    with pytest.raises(PeerError, check=lambda e: e.code is Code.BAD_FRAME):
        unseal(*pair(b"b"), letter)


def test_a_changed_letter_is_not_read() -> None:
    seed, key = pair(b"a")
    letter = seal(key, b"a tile", secrets.token_bytes(32))

    for at in range(len(letter)):
        changed = bytearray(letter)
        changed[at] ^= 0x40
        with pytest.raises(PeerError, check=lambda e: e.code is Code.BAD_FRAME):
            unseal(seed, key, bytes(changed))


@pytest.mark.parametrize("letter", [b"", b"short", bytes(32), bytes(80)])
def test_what_is_no_letter_is_refused(letter: bytes) -> None:
    with pytest.raises(PeerError, check=lambda e: e.code is Code.BAD_FRAME):
        unseal(*pair(b"a"), letter)


@pytest.mark.parametrize("key", [bytes(32), b"\x01" + bytes(31)])
def test_nothing_is_sealed_to_a_key_that_shares_no_secret(key: bytes) -> None:
    with pytest.raises(PeerError, check=lambda e: e.code is Code.BAD_SIGNATURE):
        seal(key, b"", bytes(32))
