"""Letters that one node alone can open: to its key, through anybody's hands.

A node's Ed25519 key is taken to X25519 (the same curve in another form).  A letter is

    32 bytes  an X25519 key made for this letter alone
    the text, by ChaCha20-Poly1305, under SHA-256 of the tag "letter", both keys and
    what the two have in common; the nonce is zero, for no key serves twice

It says nothing of who wrote it: what it holds is proved by itself (an opening by its
Merkle path), or worth nothing.
"""

import hashlib
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import (
    X25519PrivateKey,
    X25519PublicKey,
)
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from nacl.bindings import crypto_sign_ed25519_pk_to_curve25519
from nacl.exceptions import CryptoError

from netplay.errors import Code, PeerError
from netplay.record.chance import tag

NONCE: Final = bytes(12)
KEY_BYTES: Final = 32


def seal(key: bytes, text: bytes, once: bytes) -> bytes:
    """Return a letter.

    Args:
        key: The Ed25519 key of who may open it.
        text: What it says.
        once: 32 random bytes, for this letter alone.

    Raises:
        PeerError: BAD_SIGNATURE, the key is no point of the curve.
    """
    mine = X25519PrivateKey.from_private_bytes(once)
    shown = mine.public_key().public_bytes_raw()
    try:
        common = mine.exchange(_public(key))
    except (CryptoError, ValueError):
        raise PeerError(
            Code.BAD_SIGNATURE, "a key that nothing can be sealed to"
        ) from None
    cipher = ChaCha20Poly1305(_secret(shown, key, common))
    return shown + cipher.encrypt(NONCE, text, None)


def unseal(seed: bytes, key: bytes, letter: bytes) -> bytes:
    """Return what a letter says.

    Args:
        seed: The 32 secret bytes of the Ed25519 key it was sealed to.
        key: That key.
        letter: From anywhere.

    Raises:
        PeerError: BAD_FRAME, it was not sealed to this key, or has been changed.
    """
    shown = letter[:KEY_BYTES]
    private = X25519PrivateKey.from_private_bytes(hashlib.sha512(seed).digest()[:32])
    try:
        common = private.exchange(X25519PublicKey.from_public_bytes(shown))
        cipher = ChaCha20Poly1305(_secret(shown, key, common))
        return cipher.decrypt(NONCE, letter[KEY_BYTES:], None)
    except (InvalidTag, ValueError):
        raise PeerError(Code.BAD_FRAME, "a letter that cannot be opened") from None


def _public(key: bytes) -> X25519PublicKey:
    """Return an Ed25519 key in the other form of its curve.

    Raises:
        CryptoError: It is no point of the curve, or of small order.
    """
    return X25519PublicKey.from_public_bytes(crypto_sign_ed25519_pk_to_curve25519(key))


def _secret(shown: bytes, key: bytes, common: bytes) -> bytes:
    """Return the key of a letter's cipher."""
    return hashlib.sha256(tag("letter") + shown + key + common).digest()
