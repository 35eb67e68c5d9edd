"""What goes along to another computer, and the one piece it is put into."""

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from netplay.errors import Code, LocalError
from netplay.home import MOVED, Home
from netplay.named_files import read_named
from netplay.sentences import Says

FOLDERS: Final = ("matches", "words", "editions", "dictionaries")
STAYS: Final = frozenset({"door.json", "programs.json", MOVED})
"""What says something of this computer alone."""

MADE_AGAIN: Final = frozenset({".map", ".new", ".lock"})
"""Endings of files that are worked out again, or were not finished."""

MOST_BYTES: Final = 1 << 30
"""Of all files together: thousands of matches, and a hundred word lists."""


MOST_FILES: Final = 100_000
"""More than anybody plays in a lifetime; each takes room as it is read."""

INFLATED: Final = 40
"""How many times larger what was packed may be than what is read: keys, signatures and
graphs of words hardly shrink, a text shrinks ten times, and zeros a thousand times."""

SMALL_BYTES: Final = 16 << 20
"""What was packed may have as much in any case."""


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """A file."""

    name: str
    """Where it lies in a home, with a slash behind the folder."""
    written: Annotated[int, Meta(ge=0, le=1 << 62)]
    """Nanoseconds since 1970: matches are listed by when they were played."""
    data: bytes


class PackedFiles(Struct, frozen=True, forbid_unknown_fields=True):
    """All that goes along."""

    items: Annotated[tuple[Item, ...], Meta(max_length=MOST_FILES)]

    def count(self, folder: str, suffix: str) -> int:
        """Return how many files of a kind there are."""
        return sum(
            item.name.startswith(f"{folder}/") and item.name.endswith(suffix)
            for item in self.items
        )

    def find(self, name: str) -> bytes:
        """Return what a file says, nothing if there is none."""
        return next((item.data for item in self.items if item.name == name), b"")


def names(home: Home) -> Iterator[str]:
    """Yield the name of each file of a home that goes along."""
    if home.key.exists():
        yield home.key.name
    for path in sorted(home.path.glob("*.json")):
        if path.is_file() and path.name not in STAYS:
            yield path.name
    for folder in FOLDERS:
        for path in sorted((home.path / folder).glob("*")):
            if path.is_file() and path.suffix not in MADE_AGAIN:
                yield f"{folder}/{path.name}"


def pack(home: Home) -> PackedFiles:
    """Return all that goes along from a home; nobody writes there meanwhile.

    Raises:
        LocalError: DISK, a file cannot be read; TOO_LARGE, there is too much.
    """
    items: list[Item] = []
    left = MOST_BYTES
    for name in names(home):
        path = home.path / name
        try:
            status = path.stat()
            left -= status.st_size
            if left < 0:
                raise LocalError(Code.USAGE, Says.TOO_MUCH_TO_EXPORT(count=MOST_BYTES))
            item = Item(name, status.st_mtime_ns, read_named(path, status.st_size))
        except OSError as error:
            raise LocalError(
                Code.DISK, Says.AT(place=path, why=error.strerror)
            ) from None
        items.append(item)
    return PackedFiles(tuple(items))


def to_bytes(packed: PackedFiles) -> bytes:
    """Return it in one piece."""
    return zlib.compress(msgspec.msgpack.encode(packed))


def from_bytes(data: bytes, path: object) -> PackedFiles:
    """Return what is in one piece.

    Args:
        data: As `to_bytes` made it.
        path: Where it was read, for errors.

    Raises:
        LocalError: FILE, it is none, or would put files where they do not belong.
    """
    damaged = LocalError(Code.FILE, Says.EXPORT_DAMAGED(path=path))
    inflater = zlib.decompressobj()
    try:
        most = min(2 * MOST_BYTES, max(SMALL_BYTES, INFLATED * len(data)))
        plain = inflater.decompress(data, most)
        packed = msgspec.msgpack.decode(plain, type=PackedFiles)
    except (zlib.error, msgspec.MsgspecError, ValueError, RecursionError):
        raise damaged from None
    if not inflater.eof or not all(_belongs(item.name) for item in packed.items):
        raise damaged
    return packed


def _belongs(name: str) -> bool:
    """Tell whether a name is one that `names` yields somewhere."""
    folder, slash, rest = name.rpartition("/")
    plain = bool(rest) and rest.isprintable() and not set(rest) & set('\\/:*?"<>|')
    if not plain or rest.startswith(".") or Path(rest).suffix in MADE_AGAIN:
        return False
    if slash:
        return folder in FOLDERS
    return rest == "key.pem" or (rest.endswith(".json") and rest not in STAYS)
