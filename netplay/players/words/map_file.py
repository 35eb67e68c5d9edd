"""The map of words kept in a file, so that it is made once and not at every start.

A file is a shortcut only: a missing, old or damaged one is as good as none.  It holds
numbers and letters that any version of Python reads the same:

    magic | digest of the lexicon, 32 bytes | longest word taken, 1 byte
    then, for each length of words and number n of bytes that those of one code take:
    length, n, codes (4 bytes each) | the codes, 8 bytes each | the words, n bytes each
    at last the CRC-32 of all before, 4 bytes

Numbers are little-endian.
"""

import os
import struct
import sys
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final
from zlib import crc32

from netplay.errors import LocalError
from netplay.named_files import read_named

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
    return _unpacked(data[_HEAD.size : -_CRC.size], longest)


def _unpacked(data: memoryview, longest: int) -> list[dict[int, bytes]]:
    """Return what the packs of a file hold; its sum was right."""
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
    data = _packed(digest, longest, anagrams)
    # Several worker processes may write at once: each under a name of its own.
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        new.write_bytes(data + _CRC.pack(crc32(data)))
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)


def _packed(
    digest: str, longest: int, anagrams: Sequence[Mapping[int, bytes]]
) -> bytes:
    """Return the bytes of a file but for its sum."""
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
    return b"".join(written)
