"""What the node finds out about a turn of a match that is over.

The answer to the verb `appraise` with a number: which of the moves in the history
(`Happened.number`).
"""

from netplay.messages.types import DoorMessage, Natural


class Offer(DoorMessage, frozen=True):
    """A play, made or possible."""

    text: str
    """As other programs write it: `8H WORD`; empty for a turn without a play."""
    points: int
    sums: tuple[str, ...]
    """How the points come about, a line a word: `WORD: (4 + 1×2 + 1 + 2) × 2 = 18`."""
    laid: tuple[tuple[int, int, int], ...]
    """(square, letter, kind of tile) of each tile laid."""
    move: bytes = b""
    """The move itself, in games that are judged by their computer player."""


class Appraisal(DoorMessage, frozen=True):
    """A turn, beside what could have been played."""

    number: Natural
    """The move's place in the history."""
    seat: int
    rack: tuple[int, ...]
    """Kinds of the tiles held; -1 for one that nobody wrote down."""
    played: Offer
    best: tuple[Offer, ...]
    """The plays that score most, the highest first; empty if there was none."""

    @property
    def loss(self) -> int:
        """How many points more the best play scores than the one made."""
        top = self.best[0].points if self.best else 0
        return max(0, top - self.played.points)
