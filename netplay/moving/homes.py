"""Take everything out of one home and put it into another; nothing is ever lost.

A home that something is put into keeps what it had in a folder of its own.  New files
are all written and synced before the first takes its place, so a disk that is full
changes nothing; the key comes last, so a home that was interrupted says that its key is
missing, and the import is done again.
"""

import json
import os
import shutil
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from nacl import pwhash
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox
from nacl.utils import random

from netplay.errors import Code, LocalError
from netplay.home import MOVED, PRIVATE_DIRECTORY, Home, write_whole
from netplay.named_files import read_named
from netplay.sentences import Says
from netplay.system.disk import sync_folder

# What goes along to another computer, and the one piece it is put into.


FOLDERS: Final = ("matches", "words", "editions", "dictionaries", "written")
COPYING: Final = "copying.json"
"""Where copies go, and what locks them: see `copies`."""

STAYS: Final = frozenset({
    "door.json", "programs.json", "web.json", "web_ports.json", "pairing.json", MOVED,
    COPYING,
})  # fmt: skip
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


LATEST: Final = 1 << 62
"""Nanoseconds since 1970 that a copy can tell of a file, which may have any time."""


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """A file."""

    name: str
    """Where it lies in a home, with a slash behind the folder."""
    written: Annotated[int, Meta(ge=0, le=LATEST)]
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
            at = min(max(0, status.st_mtime_ns), LATEST)
            item = Item(name, at, read_named(path, status.st_size))
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


ARRIVING: Final = "arriving"
"""The folder in which new files wait."""

BEFORE: Final = "before-import"
"""The folder that keeps what was in a home."""


def mark(home: Home, file: Path) -> None:
    """Note that what is in a home has moved: no node plays there any more.

    Raises:
        LocalError: DISK, it cannot be noted.
    """
    day = datetime.now(UTC).date().isoformat()
    write_whole(home.moved, json.dumps({"day": day, "file": str(file)}).encode())


def occupied(home: Home) -> bool:
    """Tell whether a home has anything that an import would put aside."""
    return any(True for _ in names(home))


def aside(home: Home) -> Path:
    """Return the folder that would keep what is in a home."""
    tried = (home.path / f"{BEFORE}-{number}" for number in count(2))
    first = home.path / BEFORE
    return first if not first.exists() else next(p for p in tried if not p.exists())


def install(home: Home, packed: PackedFiles) -> None:
    """Put everything into a home; what is there goes aside.

    Args:
        home: Prepared and held.
        packed: What has come.

    Raises:
        LocalError: DISK; the home is as it was.
    """
    lay(home, packed)
    swap(home, packed)


def brought(home: Home, path: Path, passphrase: str) -> PackedFiles:
    """Lay what is in a file beside what is in a home, and return it.

    Raises:
        LocalError: FILE, it is none, or damaged, or has another passphrase; DISK.
    """
    data = read_exported(path)
    check(data, path)
    packed = from_bytes(unlock(data, passphrase, path), path)
    lay(home, packed)
    return packed


def read_exported(path: Path) -> bytes:
    """Return what is in a file.

    Raises:
        LocalError: FILE, it cannot be read, or is no such file by its size.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise LocalError(Code.FILE, Says.NOT_EXPORTED(path=path))
        return read_named(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        raise LocalError(Code.FILE, Says.AT(place=path, why=error)) from None


def lay(home: Home, packed: PackedFiles) -> None:
    """Write everything beside what is in a home, durably; `swap` takes it up.

    Raises:
        LocalError: DISK; the home is as it was.
    """
    arriving = home.path / ARRIVING
    try:
        shutil.rmtree(arriving, ignore_errors=True)
        for part in ("", *FOLDERS):
            (arriving / part).mkdir(mode=PRIVATE_DIRECTORY)
        for item in packed.items:
            path = arriving / item.name
            write_whole(path, item.data)
            os.utime(path, ns=(item.written, item.written))
    except OSError as error:
        shutil.rmtree(arriving, ignore_errors=True)
        why = Says.AT(place=home.path, why=error.strerror)
        raise LocalError(Code.DISK, why) from None


def swap(home: Home, packed: PackedFiles) -> None:
    """Take up what was laid beside what is in a home, which goes aside.

    Args:
        home: Held.
        packed: What was laid there.

    Raises:
        LocalError: DISK; the home is as it was.
    """
    arriving = home.path / ARRIVING
    try:
        old = [*names(home), *([MOVED] if home.moved.exists() else [])]
        new = sorted((i.name for i in packed.items), key=home.key.name.__eq__)
        kept = aside(home)
        away = [(home.path / name, kept / name) for name in old]
        _move([*away, *((arriving / name, home.path / name) for name in new)])
    except OSError as error:
        why = Says.AT(place=home.path, why=error.strerror)
        raise LocalError(Code.DISK, why) from None
    finally:
        shutil.rmtree(arriving, ignore_errors=True)


def _move(files: Sequence[tuple[Path, Path]]) -> None:
    """Move files to where they are to be, durably, all or none."""
    done: list[tuple[Path, Path]] = []
    folders = dict.fromkeys(target.parent for _, target in files)
    try:
        for folder in sorted(folders):
            folder.mkdir(mode=PRIVATE_DIRECTORY, exist_ok=True, parents=True)
        for source, target in files:
            source.replace(target)
            done.append((source, target))
        for folder in folders:
            sync_folder(folder)
    except OSError:
        for source, target in reversed(done):
            with suppress(OSError):
                target.replace(source)
        raise


# A file that opens with a passphrase only.
#
# magic | salt | secretbox(argon2id(passphrase, salt), content) | SHA-256 of all that
#
# The key is made by Argon2id, which takes a quarter of a gigabyte for each guess; the
# box is XSalsa20 with Poly1305. The sum is no secret's: it tells a damaged file from a
# wrong passphrase.


MAGIC: Final = b"netplay export 1\n"
SUM_BYTES: Final = 32
PHRASE_CHARACTERS: Final = 8
"""At the least; the file may lie in many places, for years."""


class PhraseLock(Struct, frozen=True):
    """What a passphrase was made into, which takes long."""

    salt: bytes
    key: bytes

    def seal(self, content: bytes) -> bytes:
        """Return what opens with the passphrase only."""
        body = MAGIC + self.salt + bytes(SecretBox(self.key).encrypt(content))
        return body + sha256(body).digest()


def phrase_lock(passphrase: str) -> PhraseLock:
    """Return what locks files with a passphrase.

    Raises:
        LocalError: USAGE, the passphrase is too short, or there is too little memory.
    """
    if len(passphrase) < PHRASE_CHARACTERS:
        raise LocalError(Code.USAGE, Says.PHRASE_SHORT(count=PHRASE_CHARACTERS))
    salt = random(pwhash.argon2id.SALTBYTES)
    return PhraseLock(salt, _key(passphrase, salt))


def lock(content: bytes, passphrase: str) -> bytes:
    """Return what opens with a passphrase only.

    Raises:
        LocalError: USAGE, as in `phrase_lock`.
    """
    return phrase_lock(passphrase).seal(content)


def unlock(data: bytes, passphrase: str, path: object) -> bytes:
    """Return the content.

    Args:
        data: As `lock` made it.
        passphrase: The same.
        path: Where it was read, for errors.

    Raises:
        LocalError: FILE, it is none, or damaged, or has another passphrase.
    """
    check(data, path)
    start = len(MAGIC) + pwhash.argon2id.SALTBYTES
    try:
        box = SecretBox(_key(passphrase, data[len(MAGIC) : start]))
        return bytes(box.decrypt(data[start:-SUM_BYTES]))
    except CryptoError:
        raise LocalError(Code.FILE, Says.OTHER_PHRASE(path=path)) from None


def check(data: bytes, path: object) -> None:
    """Look whether it is such a file, and whole.

    Raises:
        LocalError: FILE, it is not.
    """
    if not data.startswith(MAGIC):
        raise LocalError(Code.FILE, Says.NOT_EXPORTED(path=path))
    body, total = data[:-SUM_BYTES], data[-SUM_BYTES:]
    shortest = len(MAGIC) + pwhash.argon2id.SALTBYTES
    if len(body) < shortest or sha256(body).digest() != total:
        raise LocalError(Code.FILE, Says.EXPORT_DAMAGED(path=path))


def _key(passphrase: str, salt: bytes) -> bytes:
    try:
        return pwhash.argon2id.kdf(
            SecretBox.KEY_SIZE,
            passphrase.encode("utf-8", "surrogateescape"),
            salt,
            opslimit=pwhash.argon2id.OPSLIMIT_MODERATE,
            memlimit=pwhash.argon2id.MEMLIMIT_MODERATE,
        )
    except (MemoryError, RuntimeError):
        raise LocalError(Code.USAGE, Says.MEMORY_SHORT()) from None
