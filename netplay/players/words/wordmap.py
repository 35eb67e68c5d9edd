"""Words by the multiset of their letters.

Each letter has a fixed random number; the code of a multiset is the sum of its
letters' numbers.  Adding a tile is one addition, and all anagrams share one code.
"""

import hashlib
import os
import struct
import sys
from array import array
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final
from zlib import crc32

from netplay.errors import LocalError
from netplay.named_files import read_named
from netplay.players.deepening import gc_paused
from rules.lexicon import Lexicon, Word

# The map of words kept in a file, so that it is made once and not at every start.
#
# A file is a shortcut only: a missing, old or damaged one is as good as none. It holds
# numbers and letters that any version of Python reads the same:
#
# magic | digest of the lexicon, 32 bytes | longest word taken, 1 byte then, for each
# length of words and number n of bytes that those of one code take: length, n, codes (4
# bytes each) | the codes, 8 bytes each | the words, n bytes each at last the CRC-32 of
# all before, 4 bytes
#
# Numbers are little-endian.


MAGIC: Final = b"NPMAP\x02\x00\x00"
MOST_BYTES: Final = 512 << 20
"""Of a file: the most words that there may be, of twenty letters, and their codes."""

_HEAD: Final = struct.Struct("<8s32sB")
_PACK: Final = struct.Struct("<III")
_CRC: Final = struct.Struct("<I")

_folder: Final[list[Path | None]] = [None]
"""Where this process keeps maps: one entry, which `keep_maps` sets."""


def keep_maps(folder: Path | None) -> None:
    """Keep maps of words in a folder from now on, and look for them there.

    Args:
        folder: Where; used if it exists.  None to make each map afresh.
    """
    _folder[-1] = folder


def folder() -> Path | None:
    """Return where this process keeps maps; None if nowhere."""
    return _folder[-1]


def file_of(place: Path, digest: str, longest: int) -> Path:
    """Return where the map of a word list is kept."""
    return place / f"{digest}.{longest}.map"


def restore(path: Path, digest: str, longest: int) -> list[dict[int, bytes]] | None:
    """Return the map in a file; None if that is not what it should be.

    Args:
        path: Where it was kept.
        digest: Of the word list.
        longest: Letters of the longest word taken.

    Returns:
        For each length up to the longest: code -> words, one after the other.
    """
    if sys.byteorder != "little":
        return None
    try:
        data = memoryview(read_named(path, MOST_BYTES))
    except (OSError, LocalError):
        return None
    head = _HEAD.pack(MAGIC, bytes.fromhex(digest), longest)
    if bytes(data[: _HEAD.size]) != head or len(data) < _HEAD.size + _CRC.size:
        return None
    if crc32(data[: -_CRC.size]) != _CRC.unpack(data[-_CRC.size :])[0]:
        return None
    data = data[_HEAD.size : -_CRC.size]
    found = [dict[int, bytes]() for _ in range(longest + 1)]
    at = 0
    while at < len(data):
        length, size, count = map(int, _PACK.unpack_from(data, at))
        at += _PACK.size
        codes = array("Q")
        codes.frombytes(data[at : at + 8 * count])
        at += 8 * count
        words = bytes(data[at : at + size * count])
        at += size * count
        parts = [words[i : i + size] for i in range(0, len(words), size)]
        found[length].update(zip(codes, parts, strict=True))
    return found


def keep(
    path: Path, digest: str, longest: int, anagrams: Sequence[Mapping[int, bytes]]
) -> None:
    """Write a map to a file, whole or not at all.

    Nothing is lost if it cannot be written, so no error is made of it.

    Args:
        path: Where to.
        digest: Of the word list.
        longest: Letters of the longest word taken.
        anagrams: For each length: code -> words, one after the other.
    """
    if sys.byteorder != "little":
        return
    written = [_HEAD.pack(MAGIC, bytes.fromhex(digest), longest)]
    for length, known in enumerate(anagrams):
        packs: dict[int, tuple[list[int], list[bytes]]] = {}
        for code, words in known.items():
            codes, parts = packs.setdefault(len(words), ([], []))
            codes.append(code)
            parts.append(words)
        for size, (codes, parts) in packs.items():
            written.append(_PACK.pack(length, size, len(codes)))
            written += [array("Q", codes).tobytes(), *parts]
    data = b"".join(written)
    # Several worker processes may write at once: each under a name of its own.
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        new.write_bytes(data + _CRC.pack(crc32(data)))
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)


CODE_BITS: Final = 57
"""Sums of 15 such numbers stay below 2**61 - 1, so that a code is its own hash."""

_LANE: Final = 8
"""Bytes of the sum of some codes: `rules.lexicon.MAX_LENGTH` of them fit."""

_MAX_CROSSES: Final = 200_000
"""Remembered cross checks; far more than the positions of a match ask for."""

_MAX_TABLES: Final = 5_000
"""Remembered sets of letters, 300 bytes each."""

_NONE: Final[Mapping[int, bytes]] = {}

_BYTES: Final = (1 << 256) - 1
_DIGITS: Final = bytes.maketrans(b"01", b"\x00\x01")


def letter_code(letter: int) -> int:
    """Return the fixed random number of a letter, the same on every machine."""
    digest = hashlib.sha256(b"netplay word map %d" % letter).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - CODE_BITS)


class WordMap:
    """The words of a lexicon up to a length, found by their letters.

    A word is `bytes`, one byte a letter (its index in the alphabet).
    """

    def __init__(
        self,
        lexicon: Lexicon,
        longest: int,
        folder: Path | None = None,
        without: Collection[Word] = (),
    ) -> None:
        """Read all words once; about 50 MB for 250,000 words.

        Args:
            lexicon: Where the words are.
            longest: Longer words are left out, as no board or edition takes them.
            folder: Where maps are kept, which is three times as fast as making them;
                None to make this one afresh.
            without: Words to leave out; kept maps have them.
        """
        self.letters: Final = len(lexicon.alphabet)
        self.codes: Final = tuple(map(letter_code, range(self.letters)))
        self.longest: Final = longest
        self.anagrams: Final = _kept(lexicon, self.codes, longest, folder)
        """For each length up to the longest: code -> its words one after the other.

        A dict for each length is a small one, which the processor's cache holds.
        """
        for word in map(bytes, without):
            length, code = len(word), self.code(word)
            others = [one for one in self.words(code, length) if one != word]
            if others:
                self.anagrams[length][code] = b"".join(others)
            elif length <= self.longest:
                self.anagrams[length].pop(code, None)
        self._crosses: dict[tuple[bytes, bytes], int] = {}
        self._tables: dict[int, bytes] = {}

    def code(self, letters: Sequence[int]) -> int:
        """Return the code of a multiset of letters."""
        codes = self.codes
        return sum(codes[letter] for letter in letters)

    def words(self, code: int, length: int) -> list[bytes]:
        """Return the words whose letters have this code.

        Args:
            code: Of a multiset of letters.
            length: How many letters it has.
        """
        found = self.of(length).get(code, b"")
        return [found[at : at + length] for at in range(0, len(found), length)]

    def of(self, length: int) -> Mapping[int, bytes]:
        """Return code -> words for the words of one length."""
        return self.anagrams[length] if length <= self.longest else _NONE

    def has(self, word: bytes) -> bool:
        """Return whether the letters are a word."""
        return word in self.words(self.code(word), len(word))

    def cross(self, before: bytes, after: bytes) -> int:
        """Return which letters make a word between others, as a set of bits.

        Args:
            before: The letters above or to the left, without a gap.
            after: Those below or to the right.
        """
        key = (before, after)
        mask = self._crosses.get(key)
        if mask is None:
            if len(self._crosses) > _MAX_CROSSES:
                self._crosses.clear()
            mask = self._crosses[key] = self._find_cross(before, after)
        return mask

    def table(self, mask: int) -> bytes:
        """Return 256 bytes, 1 for each letter of a set of bits and 0 for the others."""
        found = self._tables.get(mask)
        if found is None:
            if len(self._tables) > _MAX_TABLES:
                self._tables.clear()
            digits = f"{mask & _BYTES:0256b}".encode()
            found = self._tables[mask] = digits[::-1].translate(_DIGITS)
        return found

    def _find_cross(self, before: bytes, after: bytes) -> int:
        """Return the letters that fit between others, looked up one by one."""
        around = self.code(before) + self.code(after)
        place, length = len(before), len(before) + 1 + len(after)
        known, mask = self.of(length), 0
        for letter, code in enumerate(self.codes):
            found = known.get(around + code)
            if found is None:
                continue
            for at in range(0, len(found), length):
                start, end = at + place, at + length
                if found[at:start] == before and found[start + 1 : end] == after:
                    mask |= 1 << letter
        return mask


def _kept(
    lexicon: Lexicon, codes: Sequence[int], longest: int, folder: Path | None
) -> list[dict[int, bytes]]:
    if folder is None or not folder.is_dir():
        return _gather(lexicon, codes, longest)
    path = file_of(folder, lexicon.digest, longest)
    found = restore(path, lexicon.digest, longest)
    if found is None:
        found = _gather(lexicon, codes, longest)
        keep(path, lexicon.digest, longest, found)
    return found


def _gather(
    lexicon: Lexicon, codes: Sequence[int], longest: int
) -> list[dict[int, bytes]]:
    """Return all words of 2 to `longest` letters, for each length gathered by code."""
    anagrams = [dict[int, bytes](), dict[int, bytes]()]
    with gc_paused():
        for length, words in enumerate(lexicon.by_length(longest)[2:], 2):
            known: dict[int, bytes] = {}
            first = known.setdefault
            for code, word in zip(_coded(words, length, codes), words, strict=True):
                if first(code, word) is not word:
                    known[code] += word
            anagrams.append(known)
    return anagrams


def _coded(words: Sequence[bytes], length: int, codes: Sequence[int]) -> "array[int]":
    """Return the codes of words of one length.

    All are added up at once, as one number of 64 bits a word: no sum is that long.
    """
    tables = [
        bytes(code.to_bytes(_LANE, sys.byteorder)[at] for code in codes).ljust(256)
        for at in range(_LANE)
    ]
    letters = b"".join(words)
    total = 0
    for place in range(length):
        column = letters[place::length]
        lanes = bytearray(_LANE * len(column))
        for at, table in enumerate(tables):
            lanes[at::_LANE] = column.translate(table)
        total += int.from_bytes(lanes, sys.byteorder)
    return array("Q", total.to_bytes(_LANE * len(words), sys.byteorder))
