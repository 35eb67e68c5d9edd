"""Remember for a moment what takes time to find out."""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Cached(Generic[T]):
    """What a function returned a moment ago, or returns now."""

    def __init__(self, find: Callable[[], T], seconds: float) -> None:
        """Prepare.

        Args:
            find: Finds it out.
            seconds: How long it stays true enough.
        """
        self._find = find
        self._seconds = seconds
        self._found: tuple[float, T] | None = None

    def get(self, now: float) -> T:
        """Return it.

        Args:
            now: Seconds on the caller's clock.
        """
        if self._found is None or now >= self._found[0] + self._seconds:
            self._found = (now, self._find())
        return self._found[1]

    def forget(self) -> None:
        """Find it out anew the next time: it has just changed."""
        self._found = None
