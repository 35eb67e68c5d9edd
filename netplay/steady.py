"""A time of day that nobody can put forward or back while the computer is on.

Theory of operation.  The clock on the wall is anybody's to set; the clock that counts
from the start of the computer, its sleep included, is nobody's.  So the time of day is
taken from the wall once for each start of the computer, and goes on by the other clock
from there.  That is kept in the home, for a node that is started again meanwhile.  What
passed while the computer was off only the wall knows: it is counted apart, so that it
can be bounded by what time it was at others.
"""

import sys
import time  # noqa: TID251 (the clock of the computer is what this is about)
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import msgspec

from netplay.errors import LocalError
from netplay.home import write_whole
from netplay.named_files import read_named

# The clock that counts from the start of the computer, and what names that start.


BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
"""Where Linux names this start."""


def counted(platform: str = sys.platform) -> float:
    """Return the seconds since the computer started, its sleep included.

    Linux: CLOCK_BOOTTIME.  On macOS and Windows what Python calls monotonic counts
    sleep; elsewhere it may not, and time asleep is then lost to whoever waits.
    """
    if platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


def boot(kept: Path = BOOT) -> str:
    """Return what names this start of the computer, empty if nothing does."""
    try:
        return kept.read_text("ascii").strip()
    except OSError:
        return ""


WALL_SLACK_SECONDS: Final = 600
"""By which the wall may leave this time before the player is told."""

KEPT_SECONDS: Final = 600
"""Between two writes, at least."""

KEPT_BYTES: Final = 4_096
"""Of what is kept, at most: four values."""


LATEST: Final = 2.0**40
"""In Unix time."""

Seconds: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=2**40)]
"""What a clock may have: others are told whole numbers of bounded size."""


class _Kept(msgspec.Struct):
    """What the home remembers."""

    boot: str
    """Which start of the computer."""
    counted: Seconds
    """Seconds since that start, sleep included."""
    unix: Seconds
    off: Seconds
    """Seconds that only the wall has counted, in all."""


class Steady:
    """The steady time of day of one node."""

    def __init__(
        self,
        path: Path | None,
        wall: Callable[[], float],
        counted: Callable[[], float] = counted,
        boot: Callable[[], str] = boot,
    ) -> None:
        """Go on from what is kept, if the computer has not been off since.

        Args:
            path: Where it is kept; None for nowhere.
            wall: The time of day, as it is set.
            counted: Seconds since the start of the computer.
            boot: Names that start.
        """
        self._path: Final = path
        self._wall: Final = wall
        self._counted: Final = counted
        self._boot: Final = boot()
        self.off = 0
        """Seconds that only the wall has counted, in all."""
        # Set before 1970, or beyond all bounds, it would be no time that can be told.
        self._since, self._unix = counted(), min(max(0.0, wall()), LATEST)
        kept = self._read()
        if kept is not None:
            same = kept.boot == self._boot and kept.counted <= self._since
            if same:
                self._unix = kept.unix + self._since - kept.counted
            else:
                self._unix = max(self._unix, kept.unix)
            self.off = round(kept.off + (0 if same else self._unix - kept.unix))
        self._written: float | None = None
        self._told = False
        self.keep()

    def _read(self) -> _Kept | None:
        """Return what is kept, None if there is nothing, or nothing of use."""
        if self._path is None:
            return None
        try:
            return msgspec.json.decode(read_named(self._path, KEPT_BYTES), type=_Kept)
        except (OSError, LocalError, ValueError, RecursionError):
            return None

    def now(self) -> int:
        """Return the time of day."""
        passed = self._counted() - self._since
        if self._written is None or passed >= self._written + KEPT_SECONDS:
            self.keep()
        return int(self._unix + passed)

    def keep(self) -> None:
        """Write down how late it is; a disk that is full costs no more than that."""
        self._written = passed = self._counted() - self._since
        if self._path is None:
            return
        kept = _Kept(self._boot, self._since + passed, self._unix + passed, self.off)
        try:
            write_whole(self._path, msgspec.json.encode(kept))
        except (OSError, LocalError):
            return

    def leapt(self) -> int:
        """Return by how much the wall has left this time, once for each time it does.

        Returns:
            Seconds, above 0 if it was put forward; 0 if there is nothing to be told.
        """
        ahead = round(self._wall() - self.now())
        away = abs(ahead) > WALL_SLACK_SECONDS
        told, self._told = self._told, away
        return ahead if away and not told else 0
