"""The matches this node keeps: a file each, the secrets beside it, the one in hand."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from netplay.errors import Code, LocalError
from netplay.home import aside_names, set_aside, spare, write_whole
from netplay.record.copies import Copy, copy_of, place_of, read_copy
from netplay.record.store import (
    SECRETS,
    SUFFIX,
    Disk,
    FileDisk,
    MemoryDisk,
    whole,
    write_copy,
)
from netplay.sentences import Says

DIGEST_BYTES: Final = 32
"""Of what names a match."""

NAME_BYTES: Final = 16
"""Of a match's digest in the name of its file."""

IN_HAND: Final = "in-hand"
"""The file that names the match to go on with after a crash."""


class Archive(Protocol):
    """Where matches are kept; every method raises LocalError where the disk refuses."""

    def has(self, match: bytes) -> bool:
        """Tell whether a match is kept here."""
        ...

    def open(self, match: bytes) -> Disk:
        """Open the file of a match, making it if need be."""
        ...

    def open_secrets(self, match: bytes) -> Disk:
        """Open the file of what this node alone may know of a match."""
        ...

    def discard(self, match: bytes) -> None:
        """Remove the files of a match that never began."""

    def set_aside(self, match: bytes, suffix: str, rest: bytes) -> str:
        """Keep a damaged file of a match under another name, and return that.

        Args:
            match: Which match.
            suffix: Which of its files.
            rest: What takes its place; nothing for no file.
        """
        ...

    def named(self, path: str) -> bytes | None:
        """Return the match whose file lies at a path, if it is one kept here.

        Of a match that is named by its file alone the first bytes.
        """
        ...

    def write_again(self, match: bytes) -> None:
        """Write the files of a match anew, durably, after the disk had refused.

        What is read of them may not be on the disk before.
        """

    def newest(self) -> Sequence[str]:
        """Return the paths of the match files, the one written last first."""
        ...

    def in_hand(self) -> bytes | None:
        """Return the match that was being played when the node ended, if any."""
        ...

    def take_in_hand(self, match: bytes | None) -> None:
        """Remember which match is being played."""

    def read(self, path: str) -> Copy:
        """Return what is whole of a match file anywhere."""
        ...

    def spare(self, path: str, *, over: bool) -> str:
        """Return where a file of the user's may be written, as `home.spare` does."""
        ...

    def write(
        self, path: str, entries: Iterable[bytes], more: Iterable[bytes] = ()
    ) -> None:
        """Write a match file anywhere, with records for whoever reads it."""


class FileArchive:
    """A folder of the home."""

    def __init__(self, folder: Path) -> None:
        """Use a folder that exists."""
        self._folder: Final = folder

    def _path(self, match: bytes, suffix: str) -> Path:
        """Return where a file of a match lies."""
        return self._folder / (match[:NAME_BYTES].hex() + suffix)

    def place(self, match: bytes) -> Path:
        """Return where the file of a match lies."""
        return self._path(match, SUFFIX)

    def has(self, match: bytes) -> bool:
        """Tell whether a match is kept here."""
        return self.place(match).exists()

    def open(self, match: bytes) -> Disk:
        """Open the file of a match, making it if need be."""
        return FileDisk(self._path(match, SUFFIX))

    def open_secrets(self, match: bytes) -> Disk:
        """Open the file of what this node alone may know of a match."""
        return FileDisk(self._path(match, SECRETS))

    def discard(self, match: bytes) -> None:
        """Remove the files of a match that never began."""
        for suffix in (SUFFIX, SECRETS):
            with suppress(OSError):  # an empty file does no harm
                self._path(match, suffix).unlink(missing_ok=True)

    def set_aside(self, match: bytes, suffix: str, rest: bytes) -> str:
        """Keep a damaged file of a match under another name, and return that."""
        return set_aside(self._path(match, suffix), rest).name

    def named(self, path: str) -> bytes | None:
        """Return the first bytes of a match's name, if its file lies in the folder."""
        place = place_of(path)
        try:
            name = bytes.fromhex(place.stem)
        except ValueError:
            return None
        if place.suffix != SUFFIX or place.parent.resolve() != self._folder.resolve():
            return None
        return name

    def write_again(self, match: bytes) -> None:
        """Write the files of a match anew, durably, after the disk had refused."""
        for suffix in (SUFFIX, SECRETS):
            path = self._path(match, suffix)
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise LocalError(
                    Code.DISK, Says.AT(place=path, why=error.strerror)
                ) from error
            write_whole(path, data)

    def newest(self) -> Sequence[str]:
        """Return the paths of the match files, the one written last first."""
        paths = self._folder.glob(f"*{SUFFIX}")
        return [str(path) for path in sorted(paths, key=_age, reverse=True)]

    def in_hand(self) -> bytes | None:
        """Return the match that was being played when the node ended, if any.

        Raises:
            LocalError: FILE, what names it is damaged.
        """
        try:
            match = bytes.fromhex((self._folder / IN_HAND).read_text("ascii"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            match = b""
        if len(match) != DIGEST_BYTES:
            detail = Says.IN_HAND_DAMAGED(name=IN_HAND)
            raise LocalError(Code.FILE, detail)
        return match

    def take_in_hand(self, match: bytes | None) -> None:
        """Remember which match is being played."""
        if match is not None:
            write_whole(self._folder / IN_HAND, match.hex().encode())
            return
        try:
            (self._folder / IN_HAND).unlink(missing_ok=True)
        except OSError as error:
            raise LocalError(
                Code.DISK, Says.AT(place=IN_HAND, why=error.strerror)
            ) from error

    def read(self, path: str) -> Copy:
        """Return what is whole of a match file anywhere."""
        return read_copy(place_of(path))

    def spare(self, path: str, *, over: bool) -> str:
        """Return the whole path of a file that may be written."""
        return str(spare(place_of(path), over=over))

    def write(
        self, path: str, entries: Iterable[bytes], more: Iterable[bytes] = ()
    ) -> None:
        """Write a match file anywhere."""
        write_copy(place_of(path), entries, more)


def _age(path: Path) -> float:
    """Return when a file was written last."""
    return path.stat().st_mtime


class MemoryArchive:
    """Matches that nobody keeps: for trials, simulations and tests."""

    def __init__(self) -> None:
        """Start empty."""
        self.disks: dict[str, MemoryDisk] = {}
        self._in_hand: bytes | None = None

    def _disk(self, name: str) -> MemoryDisk:
        """Return a disk, as it was left."""
        return self.disks.setdefault(name, MemoryDisk())

    def has(self, match: bytes) -> bool:
        """Tell whether a match is kept here."""
        return match.hex() + SUFFIX in self.disks

    def open(self, match: bytes) -> Disk:
        """Open the disk of a match."""
        return self._disk(match.hex() + SUFFIX)

    def open_secrets(self, match: bytes) -> Disk:
        """Open the disk of a match's secrets."""
        return self._disk(match.hex() + SECRETS)

    def discard(self, match: bytes) -> None:
        """Forget a match that never began."""
        for suffix in (SUFFIX, SECRETS):
            self.disks.pop(match.hex() + suffix, None)

    def set_aside(self, match: bytes, suffix: str, rest: bytes) -> str:
        """Keep what a disk has under another name, and return that."""
        name = match.hex() + suffix
        disk = self._disk(name)
        aside = next(n for n in aside_names(name) if n not in self.disks)
        self.disks[aside] = MemoryDisk(disk.read())
        disk.cut(0)
        if not rest:
            del self.disks[name]
            return aside
        disk.append(rest)
        disk.sync()
        return aside

    def named(self, path: str) -> bytes | None:
        """Return the match whose disk has a name."""
        stem = path.removesuffix(SUFFIX)
        whole_name = path != stem and len(stem) == 2 * 32
        return bytes.fromhex(stem) if whole_name else None

    def write_again(self, match: bytes) -> None:
        """Make sure of the disks of a match after they had refused."""
        for suffix in (SUFFIX, SECRETS):
            self._disk(match.hex() + suffix).sync()

    def newest(self) -> Sequence[str]:
        """Return the names of the match files, the one made last first."""
        return [name for name in reversed(self.disks) if name.endswith(SUFFIX)]

    def in_hand(self) -> bytes | None:
        """Return the match that was being played, if any."""
        return self._in_hand

    def take_in_hand(self, match: bytes | None) -> None:
        """Remember which match is being played."""
        self._in_hand = match

    def read(self, path: str) -> Copy:
        """Return what is whole of a match kept here."""
        if path not in self.disks:
            raise LocalError(Code.FILE, Says.NO_SUCH_FILE(path=path))
        return copy_of(self.disks[path].read())

    def spare(self, path: str, *, over: bool) -> str:
        """Return a name that is not taken, or may be."""
        if path in self.disks and not over:
            raise LocalError(Code.TAKEN, path)
        return path

    def write(
        self, path: str, entries: Iterable[bytes], more: Iterable[bytes] = ()
    ) -> None:
        """Keep a copy under another name."""
        self.disks[path] = MemoryDisk(whole(entries, more))
