"""Match files: what a node was told, on disk before it says so.

A match file only grows.  It begins with eight bytes of magic; then each record is

    4 bytes  length of the entry, big-endian
    4 bytes  CRC-32 of the entry (as zlib has it), big-endian
    the entry, as it travels

The checksum finds torn writes; forgery is found by the signatures.  When a file is
opened to go on, a torn tail (the last record cut short, or zeros from some byte on)
is cut off: it was never acknowledged.  Damage anywhere else is an error that names the
place.  The same file is the saved game and what is handed on by e-mail.

Beside it lies a file of secrets (own seeds, shares, openings), written the same way
and readable by its owner alone.

A sync that fails is fatal for the match: nobody can tell what is on the disk then.
"""

import os
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from errno import ENOENT
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from netplay.errors import Code, LocalError, PeerError
from netplay.home import FULL_SYNC, write_whole
from netplay.limits import ENTRY_BYTES, MATCH_BYTES
from netplay.named_files import check, read_named
from netplay.said import Said
from netplay.sentences import Says
from netplay.system.disk import sync_folder

MAGIC: Final = b"NPMATCH\x01"
"""The last byte is the version of the format."""

ENDS: Final = b"\xff\xff\xff\xff"
"""In place of a length in a file that is handed on: the entries end here, and what
follows, in records likewise, is for its reader (see `parcel`)."""

_HEADER: Final = struct.Struct(">II")
"""Size and checksum of an entry, before it."""

HEADER_BYTES: Final = _HEADER.size
ZEROS: Final = 4
"""So many at the end of a file are no end of an entry, but of a write that was torn."""

FILE_BYTES: Final = 2 * MATCH_BYTES
"""Of a file that is read at all: what goes along with a match is behind it."""

PRIVATE: Final = 0o600
SUFFIX: Final = ".netplay"
SECRETS: Final = ".secrets"


class Disk(Protocol):
    """What a match writes to; the simulated disk of the tests is one too."""

    def read(self) -> bytes:
        """Return everything that is there; empty for a new file."""
        ...

    def append(self, data: bytes) -> None:
        """Add bytes at the end; they may still be lost until `sync`."""
        ...

    def sync(self) -> None:
        """Return when everything appended survives a power cut.

        Raises:
            LocalError: DISK; the file must not be used any more.
        """
        ...

    def cut(self, size: int) -> None:
        """Shorten the file to a size, at once and durably."""
        ...

    def close(self) -> None:
        """Sync what was written and let go."""
        ...


class FileDisk:
    """A file of the computer's."""

    def __init__(self, path: Path) -> None:
        """Open the file, and make it, durably, if it is missing.

        Raises:
            LocalError: DISK, it cannot be opened.
        """
        self._path: Final = path
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._entered = False
        """Its name is in the folder for sure: who made the file may have been killed
        before that was synced."""
        new = not path.exists()
        try:
            if not new:  # a pipe is waited for; a device may do something
                check(path, path.stat(), FILE_BYTES, Code.DISK)
            self._number = os.open(path, flags, PRIVATE)
            if new:
                self._enter()
        except OSError as error:
            raise self._failed(error) from error
        self._dirty = True  # what a program that was killed has not synced
        self._written = False

    def _enter(self) -> None:
        """Have the file's name in its folder for good."""
        sync_folder(self._path.parent)
        self._entered = True

    def read(self) -> bytes:
        """Return the whole file."""
        try:
            return read_named(self._path, FILE_BYTES, Code.DISK)
        except OSError as error:
            raise self._failed(error) from error

    def append(self, data: bytes) -> None:
        """Write at the end; the operating system has it then, the disk not yet."""
        try:
            written = os.write(self._number, data)
            while written < len(data):
                written += os.write(self._number, data[written:])
        except OSError as error:
            raise self._failed(error) from error
        self._dirty = self._written = True

    def sync(self) -> None:
        """Wait for the disk, if there is anything to wait for."""
        if not self._dirty:
            return
        try:
            sync: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)
            (FULL_SYNC or sync)(self._number)
            if not self._entered:
                self._enter()
            # No next node would find what is kept in a file that was removed or moved
            # away, or in whose place another has come.  Some file systems count no
            # names, or number a file anew: it is another where its length is, too.
            own, there = os.fstat(self._number), os.stat(self._path)  # noqa: PTH116 (a call less)
            other = (own.st_ino, own.st_dev) != (there.st_ino, there.st_dev)
            if other and not (own.st_nlink and own.st_size == there.st_size):
                raise FileNotFoundError(ENOENT, os.strerror(ENOENT))
        except OSError as error:
            raise self._failed(error) from error
        self._dirty = False

    def cut(self, size: int) -> None:
        """Shorten the file."""
        try:
            os.truncate(self._number, size)
            (FULL_SYNC or os.fsync)(self._number)
        except OSError as error:
            raise self._failed(error) from error

    def close(self) -> None:
        """Sync what was written and close; closing twice is once.

        A file that was only read is not synced: an error that only its reader was told
        of would be lost to whoever writes to it next.
        """
        if self._number < 0:
            return
        try:
            if self._written:
                self.sync()
        finally:
            os.close(self._number)
            self._number = -1

    def _failed(self, error: OSError) -> LocalError:
        """Return the error that a failed call means."""
        return LocalError(Code.DISK, Says.AT(place=self._path.name, why=error.strerror))


class MemoryDisk:
    """A disk without a file, for matches that nobody keeps and for tests."""

    def __init__(self, data: bytes = b"") -> None:
        """Start with what lay there."""
        self.data = bytearray(data)
        self.synced = len(data)
        """So many bytes would survive a power cut."""

    def read(self) -> bytes:
        """Return everything."""
        return bytes(self.data)

    def append(self, data: bytes) -> None:
        """Add bytes."""
        self.data += data

    def sync(self) -> None:
        """Note that everything is safe."""
        self.synced = len(self.data)

    def cut(self, size: int) -> None:
        """Drop what is behind."""
        del self.data[size:]
        self.synced = size

    def close(self) -> None:
        """Note that everything is safe."""
        self.sync()


class Record(Struct, frozen=True):
    """An entry and where its record begins in the file."""

    offset: int
    entry: bytes


class DamageError(PeerError):
    """A match file is damaged; the words say where."""

    def __init__(self, offset: int, why: Said | str, *, tail: bool) -> None:
        """Remember the place.

        Args:
            offset: Where the damaged record begins, in bytes.
            why: What is wrong.
            tail: It may be a write that was torn: nothing whole follows it.
        """
        super().__init__(Code.BAD_LOG, Says.AT_BYTE(offset=offset, why=why))
        self.offset = offset
        self.tail = tail


def frame(entry: bytes) -> bytes:
    """Return the record of an entry."""
    return _HEADER.pack(len(entry), zlib.crc32(entry)) + entry


def records(data: bytes) -> Iterator[Record]:
    """Yield the records of a match file.

    Raises:
        DamageError: When the damaged place is reached.
    """
    if data[: len(MAGIC)] != MAGIC:
        torn = MAGIC.startswith(data.rstrip(b"\0"))  # a prefix, or zeros for the rest
        raise DamageError(0, Says.NOT_A_MATCH_FILE(), tail=torn)
    if len(data) > MATCH_BYTES:
        raise DamageError(0, Says.TOO_MANY_BYTES(count=MATCH_BYTES), tail=False)
    at = len(MAGIC)
    while at < len(data) and data[at : at + len(ENDS)] != ENDS:
        record = _record(data, at)
        yield record
        at += HEADER_BYTES + len(record.entry)


def attached(data: bytes) -> Iterator[Record]:
    """Yield the records behind the entries of a file that was handed on.

    Raises:
        DamageError: When the damaged place is reached, also among the entries.
    """
    at = len(MAGIC)
    for record in records(data):
        at = record.offset + HEADER_BYTES + len(record.entry)
    at += len(ENDS)
    while at < len(data):
        record = _record(data, at)
        yield record
        at += HEADER_BYTES + len(record.entry)


def _record(data: bytes, at: int) -> Record:
    """Return the record at a place.

    Raises:
        DamageError: There is none, or it is not what its checksum says.
    """
    length = int.from_bytes(data[at : at + 4], "big")
    start = at + HEADER_BYTES
    end = start + length
    if start > len(data):
        raise DamageError(at, Says.RECORD_CUT(), tail=True)
    if not 0 < length <= ENTRY_BYTES:
        # A torn write leaves zeros or a prefix, never a wrong length before an entry.
        zeros = not any(data[at:])
        raise DamageError(at, Says.RECORD_LENGTH(), tail=zeros)
    if end > len(data):
        torn = not _goes_on(data, at)
        raise DamageError(at, Says.RECORD_CUT(), tail=torn)
    entry = record_at(data, at)
    if entry is None:
        # A write that was torn ends in zeros: anything else was once written whole.
        torn = end == len(data) and not any(data[-ZEROS:]) and not _goes_on(data, at)
        raise DamageError(at, Says.RECORD_CHECKSUM(), tail=torn)
    return Record(at, entry)


def _goes_on(data: bytes, at: int) -> bool:
    """Tell whether a record that seems cut short is whole but for its length.

    Then its bytes, or whole records, lie behind the place: it was no write that was
    torn, but the length has been changed.
    """
    start = at + HEADER_BYTES
    if zlib.crc32(data[start:]) == int.from_bytes(data[at + 4 : start], "big"):
        return True
    behind = range(start, len(data) - HEADER_BYTES)
    return any(record_at(data, place) is not None for place in behind)


def record_at(data: bytes, at: int) -> bytes | None:
    """Return what the record at a place holds, None if there is no whole one."""
    length, start = int.from_bytes(data[at : at + 4], "big"), at + HEADER_BYTES
    entry = data[start : start + length]
    if not 0 < length <= ENTRY_BYTES or len(entry) != length:
        return None
    checksum = int.from_bytes(data[at + 4 : start], "big")
    return entry if zlib.crc32(entry) == checksum else None


class MatchFile:
    """A file of records, open to go on.

    It refuses for good once its disk has refused.  Nobody can tell what is on it then;
    and whatever came behind half a record would make a damaged file of what is only one
    with a torn tail.
    """

    def __init__(self, disk: Disk) -> None:
        """Read what is there and cut a torn tail off.

        Raises:
            DamageError: The file is damaged before its end.
            LocalError: DISK, it cannot be read or written.
        """
        self._disk: Final = disk
        self._failed: LocalError | None = None
        """What the disk said when it first refused."""
        self._size = len(MAGIC)
        self.entries: Final[tuple[bytes, ...]] = tuple(self._load())
        """What was there when the file was opened."""

        self.dirty = bool(self.entries)
        """Whether something written may still be lost: also what is read of a program
        that was killed before it had synced, and that the system alone may have."""

    def _load(self) -> list[bytes]:
        """Return the entries, after cutting off what was torn."""
        data = self._disk.read()
        found: list[bytes] = []
        size = len(MAGIC)
        try:
            for record in records(data):
                found.append(record.entry)
                size = record.offset + HEADER_BYTES + len(record.entry)
        except DamageError as damage:
            if not damage.tail:
                raise
            self._disk.cut(damage.offset)
            size = damage.offset
        if data[size : size + len(ENDS)] == ENDS:
            self._disk.cut(size)  # a file that was handed on, put here by hand
        self._size = size or len(MAGIC)
        if not size or not data:
            self._disk.append(MAGIC)
            self._disk.sync()
        return found

    def append(self, entries: Iterable[bytes]) -> None:
        """Write entries; they are not safe before `sync`.

        Raises:
            LocalError: DISK, also for a file that would become too long to be read.
        """
        data = b"".join(map(frame, entries))
        self._size += len(data)
        if self._size > MATCH_BYTES:
            raise LocalError(Code.DISK, Says.MATCH_TOO_LONG())
        if self._failed is not None:
            self._check()
        try:
            self._disk.append(data)
        except LocalError as error:
            self._failed = error
            raise
        self.dirty = True

    def sync(self) -> None:
        """Return when every entry written is on the disk.

        Raises:
            LocalError: DISK.
        """
        if self._failed is not None:
            self._check()
        try:
            self._disk.sync()
        except LocalError as error:
            self._failed = error
            raise
        self.dirty = False

    def keep(self, entries: Iterable[bytes]) -> None:
        """Keep only the first entries, which are these, at once and durably.

        Raises:
            LocalError: DISK.
        """
        self.sync()
        try:
            self._size = len(MAGIC) + sum(HEADER_BYTES + len(one) for one in entries)
            self._disk.cut(self._size)
        except LocalError as error:
            self._failed = error
            raise

    def _check(self) -> None:
        """Refuse to go on behind a refusal.

        Raises:
            LocalError: DISK, as it was said first.
        """
        if self._failed is not None:
            raise LocalError(self._failed.code, self._failed.detail)

    def close(self) -> None:
        """Sync and close, whatever happened before."""
        self._disk.close()


def write_copy(
    path: Path, entries: Iterable[bytes], more: Iterable[bytes] = ()
) -> None:
    """Write a whole match file, to be kept or handed on.

    It can be read by its owner alone until the owner gives it to somebody.

    Args:
        path: Where to.
        entries: The log.
        more: Records for whoever reads the file, behind the entries.

    Raises:
        LocalError: DISK, it cannot be written there.
    """
    write_whole(path, whole(entries, more))


def whole(entries: Iterable[bytes], more: Iterable[bytes] = ()) -> bytes:
    """Return a match file, with records for its reader behind the entries."""
    body = b"".join(map(frame, entries))
    tail = b"".join(map(frame, more))
    return MAGIC + body + (ENDS + tail if tail else b"")


# A match file that somebody kept or handed on, as far as it is whole.
#
# A node that goes on with its own file cuts a torn tail off without a word: nothing of
# it was ever acknowledged. Of a copy nobody knows what is missing, so that is said.


class Copy(Struct, frozen=True):
    """What is whole of a match file."""

    entries: tuple[bytes, ...]
    more: tuple[bytes, ...] = ()
    """What goes along for its reader."""
    damage: Said | str = ""
    """What is wrong and where; empty if nothing is."""
    torn: bool = False
    """Whether nothing but its end is missing."""


def copy_of(data: bytes) -> Copy:
    """Return what is whole of a match file.

    Raises:
        DamageError: Nothing is.
    """
    entries, more = list[bytes](), list[bytes]()
    what = Says.THE_MATCH()
    try:
        entries.extend(record.entry for record in records(data))
        what = Says.THE_ENCLOSURES()
        more.extend(record.entry for record in attached(data))
    except DamageError as damage:
        if not entries:
            raise
        where = Says.DAMAGED_BEHIND(
            what=what, number=len(entries) - 1, why=damage.detail
        )
        return Copy(tuple(entries), tuple(more), where, damage.tail)
    return Copy(tuple(entries), tuple(more))


def read_copy(path: Path) -> Copy:
    """Return what is whole of a file that somebody kept or sent.

    Raises:
        DamageError: Nothing is, or it is too large.
        LocalError: FILE, it cannot be read.
    """
    try:
        if path.stat().st_size > MATCH_BYTES:
            raise DamageError(0, Says.TOO_MANY_BYTES(count=MATCH_BYTES), tail=False)
        return copy_of(read_named(path, MATCH_BYTES))
    except OSError as error:
        raise LocalError(Code.FILE, Says.AT(place=path, why=error.strerror)) from error
    except ValueError as error:  # a name with a zero byte
        raise LocalError(Code.FILE, Says.AT(place=path, why=error)) from error
