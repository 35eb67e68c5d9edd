"""Keep an encrypted copy of a home at a place that the player names.

The copy is what `netplay export` writes, and `netplay import` takes it up; only that
nothing is marked as moved, for the disk it came from is lost by then.  So that nobody
must type a passphrase for each copy, the key that was made of it lies in the home, and
opens nothing that is not there already.  It stays with this computer.

A copy may be made while the node writes: each file is as it was at some moment, the log
of a match before its secrets, and what the log lacks at its end comes from the others.
"""

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

import trio
from msgspec import Struct
from nacl.exceptions import ValueError as OtherSizeError

from netplay.errors import Code, LocalError
from netplay.home import Home, read_json, write_whole
from netplay.journal import Journal
from netplay.messages.node_questions import CopyStatus
from netplay.moving import homes
from netplay.named_files import place_of
from netplay.record.archive import written
from netplay.said import Said
from netplay.sentences import Says
from netplay.system.disk import other_disks

FIRST_SECONDS: Final = 10.0
"""From a node's start to the first look, when a window has long been drawn."""

EVERY_SECONDS: Final = 300.0
"""Between two looks; a copy is made only if something has changed."""

LOOK_SECONDS: Final = 5.0
"""Between two looks at where a copy is, or might go."""

OFFERED: Final = "copy"
"""The setting that is `off` once the player wants none."""

NAME_CHARACTERS: Final = 8
"""Of a copy's name, which tell one key from another."""


class Copying(Struct, frozen=True):
    """Where copies go, and what locks them."""

    folder: Path
    lock: homes.PhraseLock
    apart: bool
    """The folder was on another disk than the home when copies began."""

    def file(self, home: Home) -> Path:
        """Return where the copy lies: a home with a new key writes over none.

        Raises:
            OSError: The other disk is not there. Its folder may be: on the disk of the
                home, on which a copy is of no use.
        """
        if self.apart and not _apart(home, self.folder):
            raise FileNotFoundError(self.folder)
        key = sha256(home.key.read_bytes()).hexdigest()[:NAME_CHARACTERS]
        return self.folder / f"netplay-{key}.copy"


def _apart(home: Home, folder: Path) -> bool:
    """Tell whether a folder is on another disk than a home.

    Raises:
        OSError: It is not there.
    """
    return folder.stat().st_dev != home.path.stat().st_dev


def first_copy(home: Home, folder: Path, passphrase: str) -> Path:
    """Make the first copy, and let the node make more; return where it lies.

    Args:
        home: Of which there is to be a copy; a node may run there.
        folder: In which it is to lie, best on another disk.
        passphrase: With which it opens.

    Raises:
        LocalError: USAGE, the folder is none, or in the home, or the passphrase too
            short; DISK, something cannot be read or written: nothing has changed.
    """
    folder = place_of(folder).absolute()
    if not folder.is_dir():
        raise LocalError(Code.USAGE, Says.COPY_NO_FOLDER(path=folder))
    if folder.resolve().is_relative_to(home.path.resolve()):
        raise LocalError(Code.USAGE, Says.COPY_INSIDE(path=folder))
    lock = homes.phrase_lock(passphrase)
    try:
        copying = Copying(folder, lock, _apart(home, folder))
    except OSError as error:
        why = Says.AT(place=folder, why=error.strerror)
        raise LocalError(Code.DISK, why) from None
    path = write_again(home, copying)
    told = {
        "folder": str(folder),
        "apart": copying.apart,
        "salt": b64encode(copying.lock.salt).decode("ascii"),
        "key": b64encode(copying.lock.key).decode("ascii"),
    }
    write_whole(home.path / homes.COPYING, json.dumps(told).encode())
    return path


def end(home: Home) -> bool:
    """Make no more copies; tell whether any were made. Those there are stay.

    Raises:
        LocalError: DISK, it cannot be noted.
    """
    try:
        (home.path / homes.COPYING).unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        why = Says.AT(place=home.path, why=error.strerror)
        raise LocalError(Code.DISK, why) from None
    return True


def kept(home: Home) -> Copying | None:
    """Return how copies are made of a home, None if there are none."""
    told = read_json(home.path / homes.COPYING)
    try:
        salt, key = (b64decode(str(told[name])) for name in ("salt", "key"))
        lock, apart = homes.PhraseLock(salt, key), told.get("apart") is True
        return Copying(Path(str(told["folder"])), lock, apart)
    except (KeyError, ValueError):
        return None


def state(home: Home, *, known: bool) -> CopyStatus:
    """Return how it stands with the copies of a home.

    Args:
        home: It.
        known: Whether the player knows anybody who would not know them again.
    """
    copying = kept(home)
    if copying is None:
        wanted = known and home.setting(OFFERED) != "off" and home.key.exists()
        place = next(iter(other_disks()), "") if known else ""
        return CopyStatus(offers=wanted, place=str(place))
    try:
        made = int(written(copying.file(home)))
    except OSError:
        made = 0
    return CopyStatus(str(copying.folder), made)


async def watch(
    home: Home,
    known: Callable[[], bool],
    told: Callable[[CopyStatus], None],
    attended: Callable[[], Awaitable[None]],
) -> None:
    """Tell how it stands with the copies, while a window is there to show it.

    In a thread: a disk that does not answer must not keep the node.

    Args:
        home: Whose.
        known: Tells whether anybody would not know the player again.
        told: Takes it.
        attended: Waits until a window is there.
    """
    while True:
        await attended()
        look = partial(state, home, known=known())
        told(await trio.to_thread.run_sync(look, abandon_on_cancel=True))
        await trio.sleep(LOOK_SECONDS)


def write_again(home: Home, copying: Copying) -> Path:
    """Write a copy in the place of the one before, whole or not at all.

    Raises:
        LocalError: DISK; the copy before stays.
    """
    try:
        packed = homes.to_bytes(homes.pack(home))
        path = copying.file(home)
        write_whole(path, copying.lock.seal(packed))
    except (OSError, OtherSizeError) as error:
        why = Says.AT(place=copying.folder, why=error)
        raise LocalError(Code.DISK, why) from None
    return path


def _looked(
    home: Home, copying: Copying
) -> tuple[frozenset[tuple[str, int, int]], bool]:
    """Return the state of a home, and whether its copy is still where it was.

    Raises:
        OSError: A file went away meanwhile, or the copy's disk is not there.
    """
    # The state changes whenever a file does that goes along.
    found = ((name, os.stat(home.path / name)) for name in homes.names(home))  # noqa: PTH116 (thousands of them)
    state = frozenset((name, at.st_mtime_ns, at.st_size) for name, at in found)
    return state, copying.file(home).exists()


async def keep(home: Home, journal: Journal, changed: Callable[[], None]) -> None:
    """Make copies as long as the node lives, if the player wants them.

    What goes wrong is a fault of the home, which windows show, until a copy is made.

    Args:
        home: Whose.
        journal: Told of each.
        changed: Called when there is a fault, or one has gone.

    Who ends the node does not wait for a disk that has gone: a copy is whole or not.
    """
    before: object = None
    fault: Said | None = None
    await trio.sleep(FIRST_SECONDS)
    while True:
        copying = kept(home)
        if copying is not None and home.key.exists():
            told: Said | None = None
            try:
                now, there = await trio.to_thread.run_sync(
                    _looked, home, copying, abandon_on_cancel=True
                )
                if (copying, now) != before or not there:
                    await trio.to_thread.run_sync(
                        write_again, home, copying, abandon_on_cancel=True
                    )
                    before = (copying, now)
                    journal("copy.made")
            except (LocalError, OSError) as error:
                journal("copy.failed", why=error)
                told = Says.COPY_FAILED(path=copying.folder)
            if told != fault:
                if fault is not None:
                    home.faults.mended(fault)
                if told is not None:
                    home.faults.fault(told)
                fault = told
                changed()
        await trio.sleep(EVERY_SECONDS)
