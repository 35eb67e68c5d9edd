"""The matches that were in hand when the node ended, opened one after another.

To open a match takes as long as to check it, move by move.  A node with fifty of them
would keep its windows waiting; so only a few are opened before it runs.  More are
opened while it does, one at a time, and sooner where somebody speaks of one.
"""

from collections.abc import Callable, Iterator
from typing import Final

FEW: Final = 3
"""So many are opened before anybody can come in, if there are no more."""


class UnopenedMatches:
    """Matches and the numbers of their tables, until each is opened."""

    def __init__(self) -> None:
        """Begin without any."""
        self._numbers: dict[bytes, int] = {}
        self._open: Callable[[bytes, int], None] = _nowhere

    def note(self, kept: dict[bytes, int], opens: Callable[[bytes, int], None]) -> None:
        """Take the matches of a home.

        Args:
            kept: Each match and the number of its table.
            opens: Opens one, or says why that cannot be.
        """
        self._numbers, self._open = dict(kept), opens

    def __len__(self) -> int:
        """Return how many are left."""
        return len(self._numbers)

    def __contains__(self, match: object) -> bool:
        """Tell whether a match is still to be opened."""
        return match in self._numbers

    def __iter__(self) -> Iterator[bytes]:
        """Iterate over those that are left."""
        return iter(list(self._numbers))

    @property
    def last(self) -> int:
        """The highest number of a table that was in hand."""
        return max(self._numbers.values(), default=0)

    def open(self, match: bytes) -> None:
        """Open one now."""
        self._open(match, self._numbers.pop(match))

    def open_next(self) -> bool:
        """Open the first that is left; tell whether there are more."""
        if self._numbers:
            self.open(next(iter(self._numbers)))
        return bool(self._numbers)

    def open_all(self) -> None:
        """Open all that are left."""
        while self.open_next():
            pass


def _nowhere(match: bytes, number: int) -> None:
    """Open nothing: there is nothing to open."""
    raise AssertionError((match, number))
