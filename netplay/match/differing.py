"""What players are told where the programs of a match see different positions."""

from typing import TYPE_CHECKING, Final

from netplay.record.agreement import Difference
from netplay.record.fold import Fold

if TYPE_CHECKING:
    from netplay.match.match import Match

SHOWN: Final = 16
"""Digits of a digest that people compare; the whole one stands in the log."""


def words(fold: Fold, found: Difference) -> str:
    """Return a difference in words, with both digests."""
    name = next(m.name for m in fold.members if m.key == found.author)
    theirs, ours = found.theirs.hex()[:SHOWN], found.ours.hex()[:SHOWN]
    at = found.number
    detail = f"{name} sees another position at entry {at}: {theirs} there, {ours} here"
    return detail  # noqa: RET504 (the name marks a text that is translated)


def standing(fold: Fold) -> tuple[str, ...]:
    """Return in words who is out of step."""
    return tuple(words(fold, found) for found in fold.out_of_step)


class Differing:
    """The differences that the players of one match have been told of."""

    def __init__(self, match: "Match") -> None:
        """Tell of none that an earlier run has told of."""
        self._match: Final = match
        self._told = len(match.fold.agreement.found)
        self._disputed = match.fold.disputed

    def tell(self) -> None:
        """Tell of those that have come to light, and of what follows."""
        match, fold = self._match, self._match.fold
        found = fold.agreement.found
        for each in found[self._told :]:
            match.notice(words(fold, each))
        self._told = len(found)
        if fold.disputed and not self._disputed:
            match.notice("the programs differ: the game stays unfinished, in dispute")
        self._disputed = fold.disputed
