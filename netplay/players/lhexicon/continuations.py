"""What may still follow the first letters of a word, where that is not much."""

from functools import cache
from typing import Final, NamedTuple

from rules import lexicon
from rules.lexicon import Lexicon
from rules.lhexicon import LETTERS, POINTS

MANY: Final = 150
"""From so many endings on, nothing is said of them: looking at each costs too much."""

EVERY_LETTER: Final = (1 << len(LETTERS)) - 1

Ending = tuple[int, int]
"""What the letters of an ending score, and the set of them."""


class Ahead(NamedTuple):
    """What may follow a node."""

    most: int
    """How many letters at most."""

    which: int
    """The set of all of them."""

    endings: tuple[Ending, ...] | None
    """Each ending, the one that scores most first; None if there are more than
    `MANY`."""


WIDE: Final = Ahead(1 << 30, EVERY_LETTER, None)
"""Of a node that many words go through."""


class Outlook:
    """The endings of a dictionary's words, worked out where they are asked for."""

    def __init__(self, words: Lexicon) -> None:
        """Take a dictionary; nothing of it is looked at yet."""
        self._words = words
        self._sets: dict[Ending, Ending] = {}
        self.known: Final[dict[int, Ahead]] = {}
        """What has been asked for; look here first."""

    def ahead(self, node: int) -> Ahead:
        """Return what may follow a node."""
        found = self.known.get(node)
        if found is None:
            found = self.known[node] = self._look(node)
        return found

    def _look(self, node: int) -> Ahead:
        words = self._words
        best: dict[int, int] = {}
        most = which = count = 0
        rows = [(node, 0, 0, 0)]
        while rows:
            at, length, points, letters = rows.pop()
            if words.ends(at):
                count += 1
                if count > MANY:
                    return WIDE
                best[letters] = max(best.get(letters, 0), points)
                most = max(most, length)
                which |= letters
            for letter, after in words.arcs(at):
                row = points + POINTS[letter], letters | 1 << letter
                rows.append((after, length + 1, *row))
        endings = [(points, letters) for letters, points in best.items()]
        shared = (self._sets.setdefault(each, each) for each in endings)
        return Ahead(most, which, tuple(sorted(shared, reverse=True)))


@cache
def outlook(digest: str) -> Outlook:
    """Return the endings of a dictionary's words, the same object each time.

    Raises:
        LookupError: It is not here.
    """
    return Outlook(lexicon.find(digest))
