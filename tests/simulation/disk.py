"""Disks that forget what was not synced, and tear what was being written."""

from collections.abc import Callable
from random import Random

from netplay.record.archive import MemoryArchive
from netplay.record.store import Disk, MemoryDisk

Touch = Callable[[str], None]
"""Told that a point is passed where a crash may strike; raises `CrashError` if so."""


class CrashError(BaseException):
    """The power fails: no handler of the program's sees this."""


class SimDisk(MemoryDisk):
    """A file whose unsynced tail may be lost; crashes may strike around every call."""

    def __init__(self, touch: Touch) -> None:
        super().__init__()
        self.touch = touch

    def append(self, data: bytes) -> None:
        self.touch("before write")
        super().append(data)
        self.touch("after write")

    def sync(self) -> None:
        if self.synced == len(self.data):
            return
        self.touch("before sync")
        super().sync()
        self.touch("after sync")

    def cut(self, size: int) -> None:
        self.touch("before cut")
        super().cut(size)
        self.touch("after cut")

    def lose(self, rng: Random) -> bool:
        """Lose what was not synced, all or a torn part; return whether any was torn."""
        loose = len(self.data) - self.synced
        if not loose:
            return False
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

    def _disk(self, name: str) -> MemoryDisk:
        return self.disks.setdefault(name, SimDisk(self.touch))

    def open(self, match: bytes) -> Disk:
        self.touch("before open")
        return super().open(match)

    def power_fails(self, rng: Random) -> int:
        """Lose what no file has synced; return how many files were torn."""
        disks = [self.disks[name] for name in sorted(self.disks)]
        return sum(disk.lose(rng) for disk in disks if isinstance(disk, SimDisk))
