"""What a search over the board asks of a word list, worked out once and kept."""

from collections.abc import Mapping
from functools import cache
from typing import Final, Protocol

from rules import lexicon
from rules.lexicon import Lexicon
from rules.lhexicon.letters import LETTERS, QU, STANDINS, spelling

_Q, _U = spelling(QU)
_ALL: Final = (1 << len(LETTERS)) - 1


class Spellings(Protocol):
    """Nodes of a word list, and how words go on from them."""

    @property
    def bounded(self) -> bool:
        """Return whether the words come to an end by themselves, and soon."""
        ...

    @property
    def root(self) -> int:
        """Return the node before the first letter."""
        ...

    def steps(self, node: int, /) -> Mapping[int, int]:
        """Return where each letter of the board leads, `letters.QU` among them."""
        ...

    def ends(self, node: int, /) -> bool:
        """Return whether the letters up to a node are a word."""
        ...

    def ahead(self, node: int, /) -> tuple[int, int]:
        """Return how many letters may follow at most, and the set of which ones."""
        ...


class Known:
    """The words of a lexicon."""

    def __init__(self, words: Lexicon) -> None:
        """Take a lexicon; nothing of it is looked at yet."""
        self._words = words
        self.bounded: Final = True
        self.root: Final = words.root
        self.ends: Final = words.ends
        self._steps: dict[int, dict[int, int]] = {}
        self._ahead: dict[int, tuple[int, int]] = {}

    def steps(self, node: int, /) -> Mapping[int, int]:
        """Return where each letter of the board leads."""
        found = self._steps.get(node)
        if found is None:
            found = dict(self._words.arcs(node))
            both = self._words.child(found.get(_Q, 0), _U)
            if both:
                found[QU] = both
            self._steps[node] = found
        return found

    def ahead(self, node: int, /) -> tuple[int, int]:
        """Return how many letters may follow at most, and the set of which ones."""
        found = self._ahead.get(node)
        if found is None:
            most, which = 0, 0
            for letter, after in self._words.arcs(node):
                further, others = self.ahead(after)
                most = max(most, further + 1)
                which |= others | 1 << letter
            found = self._ahead[node] = most, which
        return found


class Anything:
    """Every row of letters, for plays that nobody checks."""

    def __init__(self) -> None:
        self.bounded: Final = False
        self.root: Final = 1
        self._everywhere: Final = dict.fromkeys(STANDINS, 1)

    def steps(self, _node: int, /) -> Mapping[int, int]:
        """Return the only node there is, for every letter."""
        return self._everywhere

    def ends(self, _node: int, /) -> bool:
        """Return True."""
        return True

    def ahead(self, _node: int, /) -> tuple[int, int]:
        """Return that no length and no letter is excluded."""
        return 1 << 30, _ALL


@cache
def known(digest: str) -> Known:
    """Return the words of a lexicon, the same object each time.

    Raises:
        LookupError: It is not here.
    """
    return Known(lexicon.find(digest))
