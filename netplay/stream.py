"""Uniform numbers out of a key, the same at every node (protocol.md, section 16)."""

import hashlib
from typing import Final

_WORD_BYTES: Final = 8
_WORDS: Final = 1 << 8 * _WORD_BYTES


class Stream:
    """Uniform numbers from SHAKE-256 of a key, the same at every node."""

    def __init__(self, key: bytes) -> None:
        """Start a stream; equal keys give equal numbers."""
        self._shake = hashlib.shake_256(key)
        self._block = b""
        self._at = 0

    def below(self, count: int) -> int:
        """Return the next number from 0 to `count` - 1, each equally likely.

        Words that would favour small numbers are thrown away.

        Args:
            count: At least 1 and at most 2**64.
        """
        limit = _WORDS - _WORDS % count
        while (word := self._word()) >= limit:
            pass
        return word % count

    def _word(self) -> int:
        """Return the next 8 bytes as a number."""
        end = self._at + _WORD_BYTES
        if end > len(self._block):
            self._block = self._shake.digest(max(256, 2 * len(self._block)))
        word = int.from_bytes(self._block[self._at : end], "big")
        self._at = end
        return word
