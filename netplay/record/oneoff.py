"""The key of a single match, which goes along when the match is handed on."""

from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class OneOff:
    """The key of one match, which goes along when the match is handed on."""

    def __init__(self, seed: bytes) -> None:
        """Make the key of 32 secret bytes."""
        self._private: Final = Ed25519PrivateKey.from_private_bytes(seed)
        self.key: Final = self._private.public_key().public_bytes_raw()

    def sign(self, data: bytes) -> bytes:
        """Return the Ed25519 signature, 64 bytes."""
        return self._private.sign(data)
