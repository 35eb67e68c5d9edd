"""Disks that forget what was not synced, and tear what was being written."""

from collections.abc import Callable
from random import Random

from netplay.errors import Code, LocalError
from netplay.record.archive import MemoryArchive
from netplay.record.store import Disk, MemoryDisk

Touch = Callable[[str], None]
"""Told that a point is passed where a crash may strike; raises `CrashError` if so."""


class CrashError(BaseException):
    """The power fails: no handler of the program's sees this."""


class FailingDiskError(LocalError):
    """The disk refuses; what is on it nobody knows."""

    def __init__(self) -> None:
        super().__init__(Code.DISK, "the simulated disk has failed")


class SimDisk(MemoryDisk):
    """A file whose unsynced tail may be lost; crashes may strike around every call."""

    def __init__(self, archive: "SimArchive") -> None:
        super().__init__()
        self.archive = archive
        self.touch = archive.touch
        self.changes = 0
        """How often something else than more has come to stand there."""

    def append(self, data: bytes) -> None:
        self.touch("before write")
        if self.archive.fails("write"):
            super().append(data[: len(data) // 2])
            raise FailingDiskError
        super().append(data)
        self.touch("after write")

    def sync(self) -> None:
        if self.synced == len(self.data):
            return
        self.touch("before sync")
        if self.archive.fails("sync"):
            raise FailingDiskError
        super().sync()
        self.touch("after sync")

    def cut(self, size: int) -> None:
        self.touch("before cut")
        if self.archive.fails("cut"):
            raise FailingDiskError
        self.changes += 1
        super().cut(size)
        self.touch("after cut")

    def lose(self, rng: Random) -> bool:
        """Lose what was not synced, all or a torn part; return whether any was torn."""
        loose = len(self.data) - self.synced
        if not loose:
            return False
        self.changes += 1
        kept = rng.choice((0, loose, rng.randrange(loose + 1)))
        del self.data[self.synced + kept :]
        torn = kept == loose and rng.random() < 0.5
        if torn:  # the length is on the disk, the last bytes are not
            lost = min(loose, rng.randrange(1, 9))
            self.data[-lost:] = bytes(lost)
        self.synced = len(self.data)
        return 0 < kept < loose or torn


class SimArchive(MemoryArchive):
    """The files of one node, which outlive its crashes."""

    def __init__(self, touch: Touch) -> None:
        super().__init__()
        self.touch = touch
        self.failing: tuple[str, int] | None = None
        """The disk is to fail at this call, after so many of its kind."""
        self.failed = False
        """It did, and does until the node starts anew."""

    def fails(self, call: str) -> bool:
        """Tell whether a call fails."""
        if self.failing is not None and self.failing[0] == call:
            left = self.failing[1]
            self.failing = (call, left - 1)
            self.failed |= left <= 0
        return self.failed

    def mend(self) -> None:
        """Give the node another disk with what was on the old one."""
        self.failing, self.failed = None, False

    def _disk(self, name: str) -> MemoryDisk:
        return self.disks.setdefault(name, SimDisk(self))

    def open(self, match: bytes) -> Disk:
        self.touch("before open")
        return super().open(match)

    def power_fails(self, rng: Random) -> int:
        """Lose what no file has synced; return how many files were torn."""
        disks = [self.disks[name] for name in sorted(self.disks)]
        return sum(disk.lose(rng) for disk in disks if isinstance(disk, SimDisk))
