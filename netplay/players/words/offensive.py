"""Words that computers do not lay and nobody is offered, unless the user wants them.

The word lists keep them: whoever knows such a word may lay it.  A small list for each
language lies in `offensive`.
"""

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from typing import Final

from rules import lexicon
from rules.lexicon import Lexicon, Word

ALLOWED: Final[ContextVar[bool]] = ContextVar("offensive words allowed", default=False)
"""Whether the task at hand may lay and offer such words too."""

STAR: Final = "*"
"""Stands for whatever may follow."""

MOST: Final = 2_000
"""Words taken of one beginning: a list of somebody else's may have millions."""

SAMPLE: Final = 300
"""Words of a list that tell its language."""

_KEPT: Final = 8


@contextmanager
def allowing(*, words_that_offend: bool) -> Generator[None, None, None]:
    """Let a task lay and offer words that offend, or not.

    Args:
        words_that_offend: Whether it may.
    """
    before = ALLOWED.set(words_that_offend)
    try:
        yield
    finally:
        ALLOWED.reset(before)


def unwanted(digest: str) -> frozenset[Word]:
    """Return the words of a word list that are left out in the task at hand.

    Args:
        digest: The word list's.
    """
    return frozenset() if ALLOWED.get() else offensive(digest)


@lru_cache(maxsize=_KEPT)
def offensive(digest: str) -> frozenset[Word]:
    """Return the words of a word list that would offend.

    Args:
        digest: The word list's; for one of the user's own the language is guessed.
    """
    words = lexicon.find(digest)
    language = _language(words)
    if language is None:
        return frozenset()
    return frozenset(
        found for entry in entries(language) for found in _meant(words, entry)
    )


@cache
def entries(language: str) -> tuple[str, ...]:
    """Return the list of a language, in capitals; empty if it has none."""
    file = files("netplay.players.words") / "offensive" / f"{language}.txt"
    if not file.is_file():
        return ()
    lines = file.read_text("utf-8").splitlines()
    return tuple(line.upper() for line in lines if not line.startswith("#"))


def _language(words: Lexicon) -> str | None:
    """Return the shipped language of a word list; None if its letters are others'."""
    shipped = lexicon.shipped()
    for name, digest in shipped.items():
        if digest == words.digest:
            return name
    alike = [
        known
        for known in map(lexicon.load, shipped)
        if set(known.alphabet) == set(words.alphabet)
    ]
    if not alike or not words.count:
        return None
    step = max(1, words.count // SAMPLE)
    sample = [words.at(at) for at in range(0, words.count, step)]
    texts = [[words.alphabet[letter] for letter in word] for word in sample]

    def shared(known: Lexicon) -> int:
        number = {letter: at for at, letter in enumerate(known.alphabet)}
        return sum(known.has([number[letter] for letter in text]) for text in texts)

    best = max(alike, key=shared)
    return next(name for name in shipped if shipped[name] == best.digest)


def _meant(words: Lexicon, entry: str) -> Iterator[Word]:
    start = _spelled(words.alphabet, entry.removesuffix(STAR))
    if start is None:
        return
    if entry.endswith(STAR):
        yield from islice(words.words(start), MOST)
    elif words.has(start):
        yield tuple(words.folds.get(letter, letter) for letter in start)


def _spelled(alphabet: tuple[str, ...], text: str) -> Word | None:
    """Return a text as letters' indexes; None if it has others than these."""
    tile = "|".join(map(re.escape, sorted(alphabet, key=len, reverse=True)))
    found: list[str] = re.findall(tile, text)
    if "".join(found) != text:
        return None
    return tuple(map(alphabet.index, found))
