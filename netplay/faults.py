"""What is damaged or missing in a home, in words, until the node ends.

A fault is often found before any window is there to hear of it.  So it is kept, and
every window and `netplay status` is told.

A mistake of the program itself is one of them.  Whoever runs something that belongs to
one table, window, link or task takes its mistake here and ends that alone; so it is
written down once, and nobody misses it: the tests hear of each by a witness.
"""

from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final, Protocol, TypeGuard

from netplay.errors import NetplayError
from netplay.journal import Journal, failure, silent
from netplay.said import Said
from netplay.sentences import Says
from rules.game import IllegalMoveError

FAULTS: Final = 32
"""Kept at the most; more of them are one broken disk."""

MISTAKES: Final = 64
"""Places of mistakes that are counted; what is made at others is written each time."""

witnesses: Final[list[Callable[[Exception], None]]] = []
"""Told of every mistake: a test in whose node one is made fails by that."""


class Nursery(Protocol):
    """Where tasks are started: trio's, or one in which mistakes end a task alone."""

    def start_soon(self, do: Callable[..., Awaitable[Any]], /, *given: Any) -> None:  # noqa: ANN401 (what `do` takes)
        """Start a task."""


class Apart:
    """Starts tasks of which none ends the others."""

    def __init__(
        self, nursery: Nursery, mistake: Callable[[Exception, str], None]
    ) -> None:
        """Start them in a nursery.

        Args:
            nursery: It.
            mistake: Takes what comes up in one, and what that was.
        """
        self._nursery: Final = nursery
        self._mistake: Final = mistake

    def start_soon(self, do: Callable[..., Awaitable[Any]], /, *given: Any) -> None:  # noqa: ANN401 (what `do` takes)
        """Start a task."""
        self._nursery.start_soon(self._do, do, given)

    async def _do(
        self, do: Callable[..., Awaitable[Any]], given: tuple[Any, ...]
    ) -> None:
        try:
            await do(*given)
        except Exception as error:  # noqa: BLE001 (whatever comes up, the others go on)
            self._mistake(error, "task")


def is_mistake(error: object) -> TypeGuard[Exception]:
    """Tell whether an error is one that nothing here may raise."""
    known = isinstance(error, NetplayError | IllegalMoveError)
    return isinstance(error, Exception) and not known


class Faults:
    """The faults of one home."""

    def __init__(self) -> None:
        self._said: Final[dict[Said, None]] = {}
        self._mistakes: Final[dict[str, int]] = {}
        self.stuck: Final[dict[bytes, Said]] = {}
        """What was said of matches that cannot go on, by what names their files."""
        self.away: Final[set[Said]] = set()
        """What the player has read and put away."""
        self.journal: Journal = silent
        """Where mistakes are written down, once there is a node."""

    def fault(self, text: Said) -> bool:
        """Keep a fault; return whether it is a new one."""
        new = text not in self._said and len(self._said) < FAULTS
        if new:
            self._said[text] = None
        return new

    def mended(self, text: Said) -> None:
        """Forget a fault that is none any more."""
        self._said.pop(text, None)
        self.away.discard(text)  # when it comes again it is news

    def put_away(self, text: Said) -> None:
        """Remember that the player has read a fault, as long as there is room."""
        if len(self.away) < FAULTS:
            self.away.add(text)

    def mistake(self, error: Exception, what: str) -> Said | None:
        """Write a mistake of the program down; return what is to be told, if it is new.

        One that is made again and again is written down at its first, second, fourth,
        eighth ... time: it must not drive everything else out of the journal.

        Args:
            error: What came up where nothing may.
            what: What was ended by it: a word of our own.
        """
        told = failure(error)
        place = f"{what} {told['error']} {told['at']}"
        times = self._mistakes.get(place, 0) + 1
        if times > 1 or len(self._mistakes) < MISTAKES:
            self._mistakes[place] = times
        if not times & (times - 1):
            self.journal("mistake", what=what, times=times, **told)
        for witness in tuple(witnesses):
            witness(error)
        said = Says.MISTAKE_MADE()
        return said if self.fault(said) else None

    def __iter__(self) -> Iterator[Said]:
        """Iterate in the order in which they were found."""
        return iter(self._said)
