"""Ed25519 (RFC 8032), by libsodium: what a signature is here.

libsodium refuses what some others take: a key or a first half of small order, under
which a signature holds for anything, and numbers that are not reduced.  So all nodes
agree on every signature there can be.
"""

from typing import Final

from nacl.bindings import crypto_sign, crypto_sign_open, crypto_sign_seed_keypair
from nacl.exceptions import CryptoError

from netplay.errors import Code, PeerError
from netplay.messages.types import KEY_BYTES, SIGNATURE_BYTES


def verify(key: bytes, signature: bytes, data: bytes) -> None:
    """Check a signature.

    Raises:
        PeerError: BAD_SIGNATURE; also for a key that is no point of the curve.
    """
    if len(key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        raise PeerError(Code.BAD_SIGNATURE)
    try:
        crypto_sign_open(signature + data, key)
    except CryptoError:
        raise PeerError(Code.BAD_SIGNATURE) from None


class SecretKey:
    """A key that this node signs with."""

    def __init__(self, seed: bytes) -> None:
        """Make the key of 32 secret bytes."""
        key, pair = crypto_sign_seed_keypair(seed)
        self.key: Final = key
        self._pair: Final = pair

    def sign(self, data: bytes) -> bytes:
        """Return the Ed25519 signature, 64 bytes."""
        return crypto_sign(data, self._pair)[:SIGNATURE_BYTES]
