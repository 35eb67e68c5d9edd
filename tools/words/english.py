"""English words from SCOWL, Debian's package scowl 2020.12.07."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tools.words import chosen
from tools.words.folding import plain

LETTERS: Final = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")

LARGEST: Final = 80
"""The next size, 95, is full of words that nobody knows."""

CHOSEN: Final = chosen.CHOSEN["english"]

_WORD: Final = re.compile("[a-z]{2,15}")


def sizes(folder: Path) -> dict[str, int]:
    """Return the words of all spellings and variants, each with its SCOWL size.

    The size is the smallest list a word is in: 10 are the commonest words, 80 rare
    ones.  A chosen word may stand among the abbreviations; one that SCOWL does not
    have at all is as rare as its rarest.

    Args:
        folder: Where the package keeps its lists.
    """
    listed = CHOSEN.two | CHOSEN.more
    found: dict[str, int] = dict.fromkeys(listed, LARGEST)
    for size, word in _entries(folder, "words"):
        folded = plain(word)
        if _WORD.fullmatch(folded) and _is_good(folded):
            found[folded] = min(size, found.get(folded, size))
    for size, word in _entries(folder, "abbreviations"):
        if word in CHOSEN.more:
            found[word] = min(size, found[word])
    return found


def _entries(folder: Path, kind: str) -> Iterator[tuple[int, str]]:
    """Yield every entry of the lists that are small enough, with its size."""
    for path in sorted(folder.glob(f"*-{kind}.*")):
        size = int(path.suffix[1:])
        if size <= LARGEST:
            for word in path.read_text("utf-8").split():
                yield size, word


def _is_good(word: str) -> bool:
    """Return whether a word is one to play: SCOWL has stray abbreviations too."""
    if len(word) == 2:
        return word in CHOSEN.two
    return word not in CHOSEN.less and not set("aeiouy").isdisjoint(word)
