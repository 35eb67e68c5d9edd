"""Which squares of a word blanks are laid on."""

from itertools import combinations
from typing import Final

Way = tuple[int, ...]
"""Places in a word, ascending, where blanks are laid."""


class Blanks:
    """The ways to lay words with one rack; each is worked out once."""

    def __init__(self, letters: tuple[int, ...], count: int) -> None:
        """Take a rack.

        Args:
            letters: Of its tiles.
            count: Of its blanks.
        """
        self._letters: Final = letters
        self._count: Final = count
        self._known: Final[dict[Way, dict[tuple[int, ...], list[Way]]]] = {}

    def ways(self, free: Way) -> dict[tuple[int, ...], list[Way]]:
        """Return letters laid on some places -> the ways to lay them, as far as known.

        Args:
            free: The places, in a word, that a tile is laid on.
        """
        found = self._known.get(free)
        if found is None:
            found = self._known[free] = {}
        return found

    def find(self, laid: tuple[int, ...], free: Way) -> list[Way]:
        """Return the ways to lay letters: the places where a blank is laid.

        Args:
            laid: The letters, one for each place.
            free: The places, in a word.
        """
        lacking, blanks = self._lacking(laid), self._count
        if not lacking:
            ways: list[Way] = [(), *[(at,) for at in free][: len(free) * blanks]]
            for count in range(2, blanks + 1):
                ways += combinations(free, count)
            return ways
        if len(lacking) == 1 == blanks:
            letter = lacking[0]
            return [(at,) for at, own in zip(free, laid, strict=True) if own == letter]
        places = range(len(free))
        return [
            tuple([free[at] for at in way])
            for count in range(len(lacking), blanks + 1)
            for way in combinations(places, count)
            if _covers([laid[at] for at in way], lacking)
        ]

    def _lacking(self, laid: tuple[int, ...]) -> list[int]:
        """Return which of some letters the rack's tiles do not cover."""
        left = list(self._letters)
        lacking: list[int] = []
        for letter in laid:
            if letter in left:
                left.remove(letter)
            else:
                lacking.append(letter)
        return lacking


def _covers(letters: list[int], lacking: list[int]) -> bool:
    """Return whether some letters have all the lacking ones among them."""
    for letter in lacking:
        if letter not in letters:
            return False
        letters.remove(letter)
    return True
