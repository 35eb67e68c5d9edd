"""A reader of letters written from protocol.md alone (section 8, and 18 of the seal).

Nothing of netplay is imported here.  It takes chat as section 11 says; of everything
else it only sees that it is about the match.
"""

import hashlib
from collections.abc import Collection

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import (
    X25519PrivateKey,
    X25519PublicKey,
)
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from tests.second_node import RefusedError, need, read, sha, tag, u64, verified

CHAT, HEARD = 16, 17
KEY, SIGNATURE = 32, 64
HEAD = 2 * KEY + 8 + SIGNATURE


class Letter:
    """A letter, as far as it could be read."""

    def __init__(
        self, seed: bytes, match: bytes, table: bytes, members: Collection[bytes]
    ) -> None:
        """Wait for one.

        Args:
            seed: The reader's secret.
            match: The match in hand.
            table: The nonce of its terms.
            members: Their keys.
        """
        self.seed, self.match, self.table = seed, match, table
        self.members = members
        private = Ed25519PrivateKey.from_private_bytes(seed)
        self.me = private.public_key().public_bytes_raw()
        self.number = 0
        self.stands = 0
        """Messages that were good."""
        self.lines: dict[bytes, list[str]] = {}

    def take(self, data: bytes) -> str:
        """Read a letter; return what was wrong, empty if nothing was."""
        try:
            frames = self._opened(data)
        except RefusedError as error:
            return str(error)
        try:
            while frames:
                frames = self._next(frames)
                self.stands += 1
        except RefusedError as error:
            return str(error)
        return ""

    def _opened(self, data: bytes) -> bytes:
        """Return the frames of a letter that its author has signed."""
        shown, cipher = data[:KEY], data[KEY:]
        secret = hashlib.sha512(self.seed).digest()[:KEY]
        try:
            common = X25519PrivateKey.from_private_bytes(secret).exchange(
                X25519PublicKey.from_public_bytes(shown)
            )
            key = sha(tag("letter"), shown, self.me, common)
            text = ChaCha20Poly1305(key).decrypt(bytes(12), cipher, None)
        except (InvalidTag, ValueError):
            raise RefusedError("it cannot be opened") from None
        need(len(text) >= HEAD, "too short")
        match, author, number = text[:KEY], text[KEY : 2 * KEY], text[2 * KEY :][:8]
        signature, frames = text[2 * KEY + 8 : HEAD], text[HEAD:]
        signed = tag("posted") + match + self.me + number + frames
        verified(author, signature, signed, "the letter's signature")
        need(match == self.match and author in self.members, "of no match in hand")
        self.number = int.from_bytes(number, "big")
        return frames

    def _next(self, frames: bytes) -> bytes:
        """Take the first frame; return the others."""
        length = int.from_bytes(frames[:4], "big")
        need(0 < length <= len(frames) - 4, "a frame cut short")
        kind, payload = frames[4], frames[5 : 4 + length]
        message = read(payload)
        if kind in {CHAT, HEARD}:
            need(message[0] == self.table, "of another table")
            if kind == CHAT:
                self._chat(*message[1:])
        else:
            need(message[0] == self.match, "of another match")
        return frames[4 + length :]

    def _chat(self, author: bytes, number: int, text: str, signature: bytes) -> None:
        need(len(text) <= 500, "too long")
        need(author in self.members, "no member")
        said = self.lines.setdefault(author, [])
        if number == len(said):
            signed = tag("chat") + self.table + u64(number) + text.encode()
            verified(author, signature, signed, "a line's signature")
            said.append(text)
