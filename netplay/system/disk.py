"""Locks, and what makes files last.

Linux and macOS lock by `flock`, which goes with the file; Windows locks a byte of it.
`fsync` is enough on Linux; on macOS it leaves data in the drive's own cache, which a
power cut empties, and only F_FULLFSYNC waits for that; Windows flushes the drive, and
syncs names by itself.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

FULL: Final = 51
"""F_FULLFSYNC, which Python names on macOS only."""


def lock(
    number: int,
    platform: str = sys.platform,
    load: Callable[[str], Any] = import_module,
) -> None:
    """Take a file for this process alone, as long as it has it open.

    Args:
        number: Of the open file.
        platform: Which system's way.
        load: Returns the system's own module.

    Raises:
        OSError: Another process has it.
    """
    if platform == "win32":
        msvcrt = load("msvcrt")
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
    else:
        fcntl = load("fcntl")
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


def full_sync(
    platform: str = sys.platform, load: Callable[[str], Any] = import_module
) -> Callable[[int], None] | None:
    """Return what syncs an open file where `os.fsync` does not; None where it does."""
    if platform != "darwin":
        return None
    fcntl = load("fcntl")

    def sync(number: int) -> None:
        try:
            fcntl.fcntl(number, FULL)
        except OSError:  # a drive on a network that does not know it
            os.fsync(number)

    return sync


def other_disks(
    platform: str = sys.platform, home: Path | None = None, root: Path | None = None
) -> Iterator[Path]:
    """Yield the folders of disks and sticks that were put in, as far as one can tell.

    Args:
        platform: Which system's way.
        home: The user's folder.
        root: Below which all is looked for; None for the whole computer.
    """
    home, root = home or Path.home(), root or Path("/")
    if platform == "win32":
        drives = (Path(f"{letter}:\\") for letter in "DEFGHIJKLMNOPQRSTUVWXYZ")
        found = [one for one in drives if one.drive.upper() != home.drive.upper()]
    elif platform == "darwin":
        found = sorted((root / "Volumes").glob("*"))  # that of the system is a link
    else:
        below = ("media", "run/media")
        found = [
            one for each in below for one in sorted((root / each / home.name).glob("*"))
        ]
    for one in found:
        with suppress(OSError):  # it was taken out, or is locked
            if one.is_dir() and not one.is_symlink() and os.access(one, os.W_OK):
                yield one


def sync_folder(path: Path, platform: str = sys.platform) -> None:
    """Make a new or renamed file's name last.

    Raises:
        OSError: The disk refuses.
    """
    if platform == "win32":
        return
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
