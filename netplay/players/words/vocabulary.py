"""Which words a computer player lays: those it knows, without those that offend.

A word list may say how common its words are (`rules.lexicon.making`); then people know
the common ones, and of those at the edge of their vocabulary some.  Where nobody
counted, words with one beginning are known together, as HOUSE and HOUSES are, some
beginnings sooner than others.

Words that offend are in the lists, and whoever knows one may lay it; but computers lay
none and nobody is offered one, unless the user wants them.  A small list for each
language lies in `offensive`.
"""

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice, pairwise
from typing import Final
from zlib import crc32

from rules import lexicon
from rules.lexicon import Lexicon, Word

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


# Words that offend.


ALLOWED: Final[ContextVar[bool]] = ContextVar("offensive words allowed", default=False)
"""Whether the task at hand may lay and offer such words too."""

STAR: Final = "*"
"""Stands for whatever may follow."""

MOST: Final = 2_000
"""Words taken of one beginning: a list of somebody else's may have millions."""

SAMPLE: Final = 300
"""Words of a list that tell its language."""


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
    text = entry.removesuffix(STAR)
    tile = "|".join(map(re.escape, sorted(words.alphabet, key=len, reverse=True)))
    found: list[str] = re.findall(tile, text)
    if "".join(found) != text:
        return  # it has other letters
    start = tuple(map(words.alphabet.index, found))
    if entry.endswith(STAR):
        yield from islice(words.words(start), MOST)
    elif words.has(start):
        yield tuple(words.folds.get(letter, letter) for letter in start)
