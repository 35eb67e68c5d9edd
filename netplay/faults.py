"""What is damaged or missing in a home, in words, until the node ends.

A fault is often found before any window is there to hear of it.  So it is kept, and
every window and `netplay status` is told.
"""

from collections.abc import Iterator
from typing import Final

from netplay.said import Said

FAULTS: Final = 32
"""Kept at the most; more of them are one broken disk."""


class Faults:
    """The faults of one home."""

    def __init__(self) -> None:
        self._said: Final[dict[Said, None]] = {}

    def fault(self, text: Said) -> bool:
        """Keep a fault; return whether it is a new one."""
        new = text not in self._said and len(self._said) < FAULTS
        if new:
            self._said[text] = None
        return new

    def mended(self, text: Said) -> None:
        """Forget a fault that is none any more."""
        self._said.pop(text, None)

    def __iter__(self) -> Iterator[Said]:
        """Iterate in the order in which they were found."""
        return iter(self._said)
