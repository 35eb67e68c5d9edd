"""English words from SCOWL, Debian's package scowl 2020.12.07."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tools.words.folding import plain

LETTERS: Final = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")

LARGEST: Final = 80
"""The next size, 95, is full of words that nobody knows."""

_TWO_LETTERS: Final = """
    aa ab ad ae ag ah ai al am an ar as at aw ax ay ba be bi bo by da de do ed ef eh el
    em en er es et ew ex fa fe gi go ha he hi hm ho id if in is it jo ka ki la li lo ma
    me mi mm mo mu my na ne no nu od oe of oh oi ok om on op or os ow ox oy pa pe pi po
    qi re sh si so ta te ti to uh um un up us ut we wo xi xu ya ye yo za
"""
TWO_LETTERS: Final[frozenset[str]] = frozenset(_TWO_LETTERS.split())
"""SCOWL has letter plurals (bs, cs) as words, good words as abbreviations."""

_WORD: Final = re.compile("[a-z]{2,15}")


def sizes(folder: Path) -> dict[str, int]:
    """Return the words of all spellings and variants, each with its SCOWL size.

    The size is the smallest list a word is in: 10 are the commonest words, 80 rare
    ones.  A two-letter word that SCOWL has for no word is as rare as its rarest.

    Args:
        folder: Where the package keeps its lists.
    """
    found: dict[str, int] = dict.fromkeys(TWO_LETTERS, LARGEST)
    for size, word in _entries(folder):
        folded = plain(word)
        if _WORD.fullmatch(folded) and _is_good(folded):
            found[folded] = min(size, found.get(folded, size))
    return found


def _entries(folder: Path) -> Iterator[tuple[int, str]]:
    """Yield every entry of the word lists that are small enough, with its size."""
    for path in sorted(folder.glob("*-words.*")):
        size = int(path.suffix[1:])
        if size <= LARGEST:
            for word in path.read_text("utf-8").split():
                yield size, word


def _is_good(word: str) -> bool:
    """Return whether a word is one to play: SCOWL has stray abbreviations too."""
    if len(word) == 2:
        return word in TWO_LETTERS
    return not set("aeiouy").isdisjoint(word)
