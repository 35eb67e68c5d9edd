"""The clock that counts from the start of the computer, and what names that start."""

import sys
import time  # noqa: TID251 (the clock of the computer is what this is about)
from pathlib import Path
from typing import Final

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
