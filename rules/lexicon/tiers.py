"""How common each word of a lexicon is, for computer players that know fewer words.

The file beside a lexicon: magic, the lexicon's digest in 32 bytes, then half a byte
for each word in the order of `Lexicon.words()`, the low half first: an index into
SIZES.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from rules.lexicon.graph import Lexicon, LexiconError
from rules.lexicon.shelf import shipped

MAGIC: Final = b"NPTIERS\x01"
_WORDS: Final = len(MAGIC) + 32
"""The words' half bytes begin here."""

SIZES: Final = (10, 20, 35, 40, 50, 55, 60, 70, 80)
"""SCOWL's sizes: 10 are the thousand commonest words, 80 what only lists have."""


class Tiers:
    """The size of each word of a lexicon: the lower, the more people know it."""

    def __init__(self, lexicon: Lexicon, data: bytes) -> None:
        """Take the bytes of a tiers file for a lexicon.

        Raises:
            LexiconError: They are not a tiers file, or one for another lexicon.
        """
        head = MAGIC + bytes.fromhex(lexicon.digest)
        if data[:_WORDS] != head or len(data) != _WORDS + (lexicon.count + 1) // 2:
            raise LexiconError("these tiers are not those of the word list")
        self._lexicon: Final = lexicon
        self._data: Final = data

    def of(self, word: Sequence[int]) -> int:
        """Return the size of a word, one of SIZES.

        Raises:
            LookupError: The lexicon does not have it.
        """
        return self.at(self._lexicon.index(word))

    def at(self, index: int) -> int:
        """Return the size of the word at a place of `Lexicon.words()`.

        Args:
            index: From 0 up to the lexicon's count.
        """
        return SIZES[self._data[_WORDS + index // 2] >> 4 * (index % 2) & 15]


def pack_tiers(lexicon: Lexicon, sizes: Sequence[int]) -> bytes:
    """Return a tiers file.

    Args:
        lexicon: The word list.
        sizes: One of SIZES for each word, in the order of `Lexicon.words()`.
    """
    marks = [SIZES.index(size) for size in sizes]
    marks += [0] * (len(marks) % 2)
    pairs = zip(marks[::2], marks[1::2], strict=True)
    words = bytes(low | high << 4 for low, high in pairs)
    return MAGIC + bytes.fromhex(lexicon.digest) + words


@cache
def _shipped_tiers(digest: str) -> bytes | None:
    """Return the tiers file beside a shipped lexicon; None if it has none."""
    for name, other in shipped().items():
        file = files("rules") / "words" / f"{name}.tiers"
        if other == digest and file.is_file():
            return file.read_bytes()
    return None


def tiers(lexicon: Lexicon) -> Tiers | None:
    """Return how common the words of a lexicon are; None where nobody counted.

    Raises:
        LexiconError: The shipped file is damaged.
    """
    data = _shipped_tiers(lexicon.digest)
    return None if data is None else Tiers(lexicon, data)
