"""What the node finds out about a turn of a match that is over.

The answer to the verb `appraise` with a number: which of the moves in the history
(`Happened.number`).
"""

from typing import Literal, TypeAlias

from netplay.messages.types import DoorMessage, Natural
from netplay.said import Said

Grade: TypeAlias = Literal["none", "inaccuracy", "mistake", "blunder"]
"""How much a turn lost of the chance to win."""


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
    value: int = 0
    """Hundredths of a point: what it scores, and what it leaves; 0 in games without."""
    chance: int = 0
    """To win after it, in ten-thousandths."""


class Appraisal(DoorMessage, frozen=True):
    """A turn, beside what could have been played."""

    number: Natural
    """The move's place in the history."""
    seat: int
    rack: tuple[int, ...]
    """Kinds of the tiles held; -1 for one that nobody wrote down."""
    played: Offer
    best: tuple[Offer, ...]
    """The plays that are worth most, the best first; empty if there was none."""
    most: int = 0
    """Points of the play that scores most."""
    equity_lost: int = 0
    """Hundredths of a point that the best play was worth more than the one made."""
    chance_lost: int = 0
    """To win, in ten-thousandths."""
    grade: Grade = "none"
    """Only for losses greater than the judging may err."""
    why: Said | None = None
    """What was better about the best play, where that is sure."""
    work: int = 0
    """How much was thought: positions, plays, or looks at what was found."""

    @property
    def loss(self) -> int:
        """How many points more the play that scores most has than the one made."""
        most = max([self.most, *(each.points for each in self.best)])
        return max(0, most - self.played.points)
