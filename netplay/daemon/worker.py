"""What every worker process does around its task."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from netplay.players.undisturbed import undisturbed
from netplay.players.words.keeping import keep_maps
from netplay.players.words.manners import allowing
from netplay.table.resources import Shelf
from rules.game import OptionsError

T = TypeVar("T")


def with_resources(
    words: Path | None, do: Callable[[], T], *, offensive: bool = False
) -> T:
    """Do what may need an edition or a word list; runs in a worker.

    Args:
        words: The folder with those that are not shipped.
        do: Done once more if it misses one.
        offensive: Whether it may lay and offer words that offend.
    """
    keep_maps(words)
    with undisturbed(), allowing(words_that_offend=offensive):
        try:
            return do()
        except (LookupError, OptionsError):
            # A match with its own edition or words has begun after this process.
            Shelf(words)
            return do()
