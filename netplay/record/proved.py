"""Proofs of an encrypted bag that were checked already, and need not be once more.

A log is folded again when its end is replaced, and when a node starts anew; to check
all of its proofs again would take longer than all the rest.
"""

from collections.abc import Sequence
from typing import Final

from netplay.bag.group import Point
from netplay.bag.lift import Author, Share, check_key, check_lift


class Proved:
    """What is known to hold of one match, besides the mixings."""

    def __init__(self) -> None:
        """Know nothing."""
        self._known: Final[set[object]] = set()
        self.trusting = False
        """Whether all that comes now was checked before."""

    def key(self, author: Author, mask: Point, spare: Point, proof: bytes) -> None:
        """Check that an author knows its keys; see `check_key`.

        Raises:
            BagError: It does not.
        """
        mark = author, mask, spare, proof
        if not self.trusting and mark not in self._known:
            check_key(author, mask, spare, proof)
        self._known.add(mark)

    def lift(
        self, author: Author, mask: Point, shares: Sequence[Share], proof: bytes
    ) -> None:
        """Check what an author takes off tiles; see `check_lift`.

        Raises:
            BagError: It is not its mask's part.
        """
        mark = author, mask, tuple(shares), proof
        if not self.trusting and mark not in self._known:
            check_lift(author, mask, shares, proof)
        self._known.add(mark)

    def note(self, author: Author, mask: Point, *what: object) -> None:
        """Note a proof that was made here: of a key, or of shares."""
        self._known.add((author, mask, *what))
