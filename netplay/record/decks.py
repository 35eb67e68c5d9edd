"""Decks of an encrypted bag as a log has them, and what its tiles turn out to be."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from netplay.bag.deck import Deck, Masked, kind_point
from netplay.bag.group import BagError, Point, split

MOST_TILES: Final = 140
"""In a deck: a shuffle with its proof has to fit a body of the log."""


def read_deck(data: bytes) -> Deck:
    """Return the deck that bytes are; whoever multiplies its points checks them.

    Raises:
        BagError: It has too many tiles, or none.
    """
    words = split(data)
    if not words or len(words) % 2 or len(words) > 2 * MOST_TILES:
        raise BagError("a deck has from 1 to 140 tiles, two points each")
    return tuple(map(Masked, words[::2], words[1::2]))


@lru_cache(maxsize=16)
def kinds_by_point(match: bytes, kinds: int) -> Mapping[Point, int]:
    """Return which kind each point stands for, of so many kinds."""
    return {kind_point(match, kind): kind for kind in range(kinds)}


def kind_of(match: bytes, kinds: int, point: Point) -> int:
    """Return the kind that an unmasked tile is.

    Raises:
        BagError: It is none: a part that was taken off was wrong.
    """
    found = kinds_by_point(match, kinds).get(point)
    if found is None:
        raise BagError("a tile without its masks is of no kind")
    return found
