"""Words of one length, found by which letters may stand where.

A group holds its words end to end, so that the letters in one place of all of them
are a slice; which of these are allowed is one translation of bytes, and which words
pass several checks is an AND of numbers.  However many words there are, a check is a
few calls.
"""

from collections.abc import Callable, Sequence
from itertools import compress
from typing import Final

Check = tuple[int, int]
"""(place in a lane, letters that may stand there as a set of bits)."""
FEW: Final = 24
"""So many words are looked at one by one: few calls would cost more."""


class Group:
    """Words of one length."""

    __slots__ = ("_bits", "_length", "_spelled", "_table", "_words", "count")

    def __init__(
        self, spelled: bytes, length: int, table: Callable[[int], bytes]
    ) -> None:
        """Take words over.

        Args:
            spelled: The words, one after the other.
            length: Of each of them.
            table: Returns for a set of letters the bytes to translate letters by, 1
                for those in the set and 0 for all others.
        """
        self._spelled: Final = spelled
        self._length: Final = length
        self.count: Final = len(spelled) // length
        self._table: Final = table
        self._bits: Final[dict[Check, int]] = {}
        self._words: list[bytes] | None = None

    def words(self) -> list[bytes]:
        """Return all words."""
        if self._words is None:
            spelled, length = self._spelled, self._length
            self._words = [
                spelled[at : at + length] for at in range(0, len(spelled), length)
            ]
        return self._words

    def choose(self, checks: Sequence[Check], begin: int) -> Sequence[bytes]:
        """Return the words that have an allowed letter in each of some places.

        Args:
            checks: What is asked of places in a lane.
            begin: Where in the lane the words begin.
        """
        if not checks:
            return self.words()
        spelled, length, known = self._spelled, self._length, self._bits
        if self.count <= FEW:
            return _passing(self.words(), checks, begin)
        both = -1
        for place, mask in checks:
            key = (place - begin, mask)
            found = known.get(key)
            if found is None:
                column = spelled[place - begin :: length].translate(self._table(mask))
                found = known[key] = int.from_bytes(column, "little")
            both &= found
            if not both:
                return ()
        chosen = both.to_bytes(self.count, "little")
        return [
            spelled[at : at + length]
            for at in compress(range(0, len(spelled), length), chosen)
        ]


NO_WORDS: Final = Group(b"", 1, lambda _: b"")


def _passing(
    words: Sequence[bytes], checks: Sequence[Check], begin: int
) -> Sequence[bytes]:
    for place, mask in checks:
        at = place - begin
        words = [word for word in words if mask >> word[at] & 1]
        if not words:
            break
    return words
