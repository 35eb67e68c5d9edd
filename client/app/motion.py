"""Movement on boards: how far it has come, from the time alone.

What is drawn while something moves follows from the position before, the one after and
the seconds since; nothing waits for it, and it can be asked for at any second.
"""

from typing import Final, TypeVar

from msgspec import Struct

from client.app.board import AnySeen

L = TypeVar("L")

NEVER: Final = -1.0

USUAL: Final = 0.7
"""The pace, in seconds a move, at which a second of movement lasts one."""


class Motion(Struct, frozen=True):
    """When the last move came that is to be seen moving."""

    steps: int = 0
    """Entries seen."""
    since: float = NEVER

    def renewed(self, seen: AnySeen) -> "Motion":
        """Return it after more entries, if there are any: the last one moves now."""
        count = len(seen.past)
        if count == self.steps:
            return self
        wanted = count > self.steps and seen.pace > 0
        return Motion(count, seen.now if wanted else NEVER)

    def ended(self) -> "Motion":
        """Return it with nothing moving: somebody will not wait."""
        return self if self.since == NEVER else Motion(self.steps)

    def seconds(self, seen: AnySeen) -> float | None:
        """Return how long the last move has moved, at the usual pace; None for not."""
        if self.since == NEVER or not seen.pace or len(seen.past) != self.steps:
            return None
        return max(0.0, seen.now - self.since) * USUAL / seen.pace


class Counting(Struct, frozen=True):
    """Scores on their way to what they have become (`client.app.follow`)."""

    start: tuple[str, ...] = ()
    """Each seat's, as it was shown before."""
    since: float = NEVER


def begun(seen: AnySeen) -> Motion:
    """Return that nothing moves in a match seen for the first time."""
    return Motion(len(seen.past))


def tick(seen: AnySeen, local: L) -> tuple[L, None]:
    """Return no change: what moves follows from the time alone."""
    return local, None


def part(seconds: float, start: float, length: float) -> float:
    """Return how much of a movement is done, 0 to 1: quick at first, then settling."""
    at = min(1.0, max(0.0, (seconds - start) / length))
    return 1 - (1 - at) ** 3
