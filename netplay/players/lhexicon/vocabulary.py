"""Which words a player of some skill knows."""

from collections.abc import Callable
from typing import Final

from rules import lexicon

LIMITS: Final = ((90, 80), (75, 70), (60, 60), (45, 50), (30, 40), (10, 35), (0, 20))
"""From a skill on, the size of the words known: see `rules.lexicon.SIZES`."""


def vocabulary(digest: str, skill: int) -> Callable[[tuple[int, ...]], bool] | None:
    """Return what says whether a word of the dictionary is known; None for all.

    Args:
        digest: The dictionary's.
        skill: 0-100.
    """
    limit = next(size for least, size in LIMITS if skill >= least)
    words = lexicon.find(digest)
    sizes = lexicon.tiers(words)
    if sizes is None or limit == LIMITS[0][1]:
        return None
    seen: dict[tuple[int, ...], bool] = {}

    def knows(word: tuple[int, ...]) -> bool:
        found = seen.get(word)
        if found is None:
            found = seen[word] = sizes.of(word) <= limit
        return found

    return knows
