"""Take everything out of one home and put it into another; nothing is ever lost.

A home that something is put into keeps what it had in a folder of its own.  New files
are all written and synced before the first takes its place, so a disk that is full
changes nothing; the key comes last, so a home that was interrupted says that its key is
missing, and the import is done again.
"""

import json
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Final

from netplay.errors import Code, LocalError
from netplay.home import MOVED, PRIVATE_DIRECTORY, Home, write_whole
from netplay.moving.packed_files import FOLDERS, PackedFiles, names
from netplay.sentences import Says
from netplay.system.disk import sync_folder

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
    arriving = home.path / ARRIVING
    try:
        shutil.rmtree(arriving, ignore_errors=True)
        _write(arriving, packed)
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


def _write(folder: Path, packed: PackedFiles) -> None:
    """Write all files into a new folder, durably."""
    for part in ("", *FOLDERS):
        (folder / part).mkdir(mode=PRIVATE_DIRECTORY)
    for item in packed.items:
        path = folder / item.name
        write_whole(path, item.data)
        os.utime(path, ns=(item.written, item.written))


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
