"""Disks as they are: they forget what was not synced, tear, write short, fail and lie.

The nodes of the simulation keep their homes in real folders and use the real calls of
the operating system.  What stands here steps between: it remembers of each file what a
power cut would leave, lets calls fail, and passes points where a crash may strike.
A process that is killed loses nothing that it has written; a power cut does.
"""

import errno
import os
import shutil
from bisect import bisect_right, insort
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from netplay.record.archive import OPENING

Touch = Callable[[str], None]
"""Told that a point is passed where a crash may strike; raises `CrashError` if so."""

SHORT: Final = 0.02
"""How often a write takes but a part of what it is given, as the system may."""


class CrashError(BaseException):
    """The node ends here: no handler of the program's sees this."""


class Kept:
    """A file as it is, beside what of it is on the disk for sure."""

    def __init__(self, durable: bytes = b"") -> None:
        self.durable = durable
        self.rewritten = 0
        """How often something else than more has come to stand there."""
        self.cut_at: int | None = None
        """Where it was cut since the last sync."""
        self.doomed = False
        """A sync failed: what was not on the disk then never will be."""


class Drive:
    """The disk of one computer, with one home on it."""

    def __init__(self, root: Path, touch: Touch, rng: Random) -> None:
        self.root = root
        self.touch = touch
        self.rng = rng
        self.files: dict[str, Kept] = {}
        """What there is, by path."""
        self.safe: dict[str, Kept] = {}
        """What there would be after a power cut."""
        self.failing: tuple[str, int] | None = None
        """The disk is to fail at this call, after so many of its kind."""
        self.failed = False
        """It did, and does until the node starts anew, unless `once`."""
        self.once = False
        """After a sync that failed, others say that all is well."""
        self.broken = False
        """A call has failed since the node began."""
        self.broken_at = ""
        """The file about which the last one was that failed."""
        self.lies = False
        """It says that it has synced, and has not."""
        self.lied = 0
        self.on_sync: Callable[[str], None] = lambda _: None
        self._numbers: dict[int, tuple[str, bool]] = {}
        """Number of an open file -> its path, and whether Python closes it."""

    def name(self, path: Any) -> str:
        return str(os.fspath(path))

    def owns(self, number: int) -> bool:
        return number in self._numbers

    # What the node calls.

    def open(self, path: str, flags: int, mode: int) -> int:
        new = path not in self.files and flags & os.O_CREAT and not Path(path).is_dir()
        if flags & os.O_CREAT:
            self.touch("before open")
            self._may_fail("open", errno.ENOSPC, path)
        number = REAL.open(path, flags, mode)
        self._numbers[number] = path, not flags & os.O_APPEND
        if new:
            self.files[path] = Kept()
        elif flags & os.O_TRUNC:
            self._shorter(path, 0)
        return number

    def write(self, number: int, data: bytes) -> int:
        self.touch("before write")
        if self._fails("write", self._numbers[number][0]):
            REAL.write(number, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if len(data) > 1 and self.rng.random() < SHORT:
            data = data[: self.rng.randrange(1, len(data))]
        written = REAL.write(number, data)
        self.touch("after write")
        return written

    def sync(self, number: int) -> None:
        path = self._numbers[number][0]
        if Path(path).is_dir():
            self._sync_folder(path)
            return
        self.touch("before sync")
        kept = self.files[path]
        if self._fails("sync", path):
            kept.doomed = True
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._may_fail("write", errno.ENOSPC, path)  # a file that Python has buffered
        if self.lies:
            self.lied += 1
        elif not kept.doomed:
            kept.durable, kept.cut_at = Path(path).read_bytes(), None
        self.on_sync(path)
        self.touch("after sync")

    def _sync_folder(self, folder: str) -> None:
        inside = {p for p in (*self.files, *self.safe) if str(Path(p).parent) == folder}
        for path in inside:
            if path in self.files:
                self.safe[path] = self.files[path]
            else:
                self.safe.pop(path, None)

    def cut(self, where: Any, size: int) -> None:
        path = self._numbers[where][0] if isinstance(where, int) else os.fspath(where)
        self.touch("before cut")
        self._may_fail("cut", errno.EIO, path)
        REAL.truncate(where, size)
        self._shorter(path, size)
        self.touch("after cut")

    def _shorter(self, path: str, size: int) -> None:
        kept = self.files[path]
        kept.rewritten += 1
        kept.cut_at = size if kept.cut_at is None else min(size, kept.cut_at)

    def replace(self, old: str, new: str) -> None:
        self.touch("before rename")
        REAL.replace(old, new)
        self.files[new] = self.files.pop(old)
        self.files[new].rewritten += 1

    def unlink(self, path: str) -> None:
        REAL.unlink(path)
        self.files.pop(path, None)

    def close(self, number: int) -> None:
        self._numbers.pop(number, None)
        REAL.close(number)

    def forget(self, number: int) -> None:
        """Note that a number is another's: Python has closed ours by itself."""
        self._numbers.pop(number, None)

    def _fails(self, call: str, path: str) -> bool:
        if Path(path).parent == self.root and Path(path).suffix == ".new":
            return False  # a copy for the user, who is told that it failed
        if Path(path).suffix == OPENING:
            return False  # a mark that may be missing: nobody is told
        if self.failing is not None and self.failing[0] == call:
            left = self.failing[1]
            self.failing = None if left <= 0 else (call, left - 1)
            self.failed |= left <= 0
        failed, self.failed = self.failed, self.failed and not self.once
        self.broken |= failed
        self.broken_at = path if failed else self.broken_at
        return failed

    def _may_fail(self, call: str, number: int, path: str) -> None:
        if self._fails(call, path):
            raise OSError(number, os.strerror(number))

    # What becomes of it.

    def ends(self) -> None:
        """Close what a process that has ended had open."""
        for number, (_, by_itself) in self._numbers.items():
            if not by_itself:
                REAL.close(number)
        self._numbers.clear()

    def mend(self) -> None:
        """Let everything work again."""
        self.failing, self.failed, self.once, self.lies = None, False, False, False
        self.broken = False

    def spoiled(self) -> bool:
        """Tell whether what can be read here may not be on the disk."""
        return any(kept.doomed for kept in self.files.values())

    def power_fails(self) -> int:
        """Lose what is not safe; return how many files are torn."""
        torn = 0
        for path in sorted({*self.files, *self.safe}):
            here, there = self.files.get(path), self.safe.get(path)
            kept = here if here is there or self.rng.random() < 0.5 else there
            if kept is None:
                Path(path).unlink(missing_ok=True)
                self.files.pop(path, None)
                self.safe.pop(path, None)
                continue
            data = kept.durable
            if kept is here:
                data, was_torn = self._left(kept, Path(path).read_bytes())
                torn += was_torn
            rewritten = 1 + max(k.rewritten for k in (here, there) if k is not None)
            Path(path).write_bytes(data)
            self.files[path] = self.safe[path] = Kept(data)
            self.files[path].rewritten = rewritten
        return torn

    def _left(self, kept: Kept, now: bytes) -> tuple[bytes, bool]:
        """Return what is left of a file, and whether that is torn."""
        old, rng = kept.durable, self.rng
        if now == old:
            return old, False
        if kept.cut_at is None and now.startswith(old):
            loose = len(now) - len(old)
            some = rng.choice((0, loose, rng.randrange(loose + 1)))
            data = bytearray(now[: len(old) + some])
            torn = some == loose and rng.random() < 0.5
            if torn:  # the length is on the disk, the last bytes are not
                lost = min(loose, rng.randrange(1, 9))
                data[-lost:] = bytes(lost)
            return bytes(data), 0 < some < loose or torn
        at = min(kept.cut_at or 0, len(old))
        over = now[at : at + rng.randrange(len(now) - at + 1)] if now[at:] else b""
        mixed = old[:at] + over + old[at + len(over) :]
        return rng.choice((old, now, mixed)), True

    # Homes that are copied and put back.

    def picture(self) -> Mapping[str, bytes]:
        """Return the home as a backup program would find it."""
        paths = sorted(self.files)
        return {
            str(Path(p).relative_to(self.root)): Path(p).read_bytes() for p in paths
        }

    def put(self, picture: Mapping[str, bytes]) -> None:
        """Replace the home by a copy."""
        for path in list(self.files):
            Path(path).unlink(missing_ok=True)
        most = max((kept.rewritten for kept in self.files.values()), default=0)
        self.files.clear()
        for name, data in picture.items():
            place = self.root / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            self.files[str(place)] = Kept(data)
            self.files[str(place)].rewritten = most + 1
        self.safe = dict(self.files)


class REAL:
    """The calls of the system, as they are without a simulation."""

    open = staticmethod(os.open)
    write = staticmethod(os.write)
    fsync = staticmethod(os.fsync)
    fdatasync = staticmethod(getattr(os, "fdatasync", os.fsync))
    truncate = staticmethod(os.truncate)
    replace = staticmethod(os.replace)
    unlink = staticmethod(os.unlink)
    close = staticmethod(os.close)


class Drives:
    """All the disks; while they are in place, the system's calls come here."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._roots: list[str] = []
        self._drives: dict[str, Drive] = {}

    def add(self, drive: Drive) -> None:
        drive.root.mkdir(parents=True)
        insort(self._roots, f"{drive.root}/")
        self._drives[f"{drive.root}/"] = drive

    def at(self, path: Any) -> Drive | None:
        name = os.fspath(path) if not isinstance(path, int) else ""
        if not isinstance(name, str) or not name.startswith(self._folder):
            return None
        at = bisect_right(self._roots, name + "/") - 1
        return self._drives[self._roots[at]] if at >= 0 else None

    def of(self, number: int) -> Drive | None:
        return next((d for d in self._drives.values() if d.owns(number)), None)

    @contextmanager
    def in_place(self) -> Generator[None]:
        def sync(number: int) -> None:
            drive = self.of(number)
            REAL.fsync(number) if drive is None else drive.sync(number)

        def cut(where: Any, size: int) -> None:
            drive = self.of(where) if isinstance(where, int) else self.at(where)
            REAL.truncate(where, size) if drive is None else drive.cut(where, size)

        def open_(path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
            drive = self.at(path)
            if drive is None:
                return REAL.open(path, flags, mode, **more)
            number = drive.open(os.fspath(path), flags, mode)
            for other in self._drives.values():
                if other is not drive:
                    other.forget(number)
            return number

        def write(number: int, data: bytes) -> int:
            drive = self.of(number)
            return (
                REAL.write(number, data) if drive is None else drive.write(number, data)
            )

        def replace(old: Any, new: Any, **more: Any) -> None:
            drive = self.at(old)
            if drive is None:
                REAL.replace(old, new, **more)
            else:
                drive.replace(os.fspath(old), os.fspath(new))

        def unlink(path: Any, **more: Any) -> None:
            drive = self.at(path)
            REAL.unlink(path, **more) if drive is None else drive.unlink(
                os.fspath(path)
            )

        def close(number: int) -> None:
            drive = self.of(number)
            REAL.close(number) if drive is None else drive.close(number)

        calls = {
            "open": open_,
            "write": write,
            "fsync": sync,
            "fdatasync": sync,
            "truncate": cut,
            "ftruncate": cut,
            "replace": replace,
            "rename": replace,
            "unlink": unlink,
            "remove": unlink,
            "close": close,
        }
        with pytest.MonkeyPatch.context() as patch:
            for name, call in calls.items():
                patch.setattr(os, name, call, raising=False)
            try:
                yield
            finally:
                for drive in self._drives.values():
                    drive.ends()
        shutil.rmtree(self._folder, ignore_errors=True)
