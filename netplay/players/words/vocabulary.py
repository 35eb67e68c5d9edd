"""Which words a player of some skill knows.

A word list may say how common its words are (`rules.lexicon.making`); then people know
the common ones, and of those at the edge of their vocabulary some.  Where nobody
counted, words with one beginning are known together, as HOUSE and HOUSES are, some
beginnings sooner than others.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Final
from zlib import crc32

from rules import lexicon

ALL: Final = 95
"""From this skill on, a player knows every word there is."""

LIMITS: Final = ((0, 12), (20, 35), (40, 50), (60, 60), (80, 70), (ALL, 90))
"""(skill, size): words below this size are known; between two skills it rises evenly.
See `rules.lexicon.SIZES`."""

SHARES: Final = ((0, 4), (20, 15), (40, 30), (60, 45), (80, 70), (ALL, 100))
"""(skill, percent of the words known) where nobody counted how common they are."""

FEW: Final = 3000
"""Of a list of the user's own that is so short, everybody knows every word."""

EDGE: Final = 10
"""How much of a size is the edge of a vocabulary."""

STEM: Final = 4
"""Letters that make the beginning of a word."""

_KEPT: Final = 8

Knows = Callable[[tuple[int, ...] | bytes], bool]


def between(points: tuple[tuple[int, int], ...], skill: int) -> float:
    """Return the value for a skill on a line through some points, (skill, value)."""
    for (low, from_), (high, to) in pairwise(points):
        if skill < high:
            return from_ + (to - from_) * (skill - low) / (high - low)
    return float(points[-1][1])


@lru_cache(maxsize=_KEPT)
def vocabulary(digest: str, skill: int) -> Knows | None:
    """Return what says whether a word of the dictionary is known; None for all.

    Args:
        digest: The dictionary's.
        skill: 0-100.
    """
    if skill >= ALL:
        return None
    words = lexicon.find(digest)
    sizes = lexicon.tiers(words)
    limit = between(LIMITS, skill)
    share = max(between(SHARES, skill) / 100, FEW / max(1, words.count))
    seen: dict[tuple[int, ...] | bytes, bool] = {}

    def knows(word: tuple[int, ...] | bytes) -> bool:
        found = seen.get(word)
        if found is None:
            if sizes is None:
                found = _lot(word[:STEM]) < share
            else:
                found = sizes.of(word) + EDGE * _lot(word) <= limit + EDGE / 2
            seen[word] = found
        return found

    return knows


def _lot(word: tuple[int, ...] | bytes) -> float:
    """Return a number from 0 to 1, always the same for a word."""
    return crc32(bytes(word)) / 2**32
