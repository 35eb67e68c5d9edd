"""The mixings of an encrypted bag: what stands in the log, and what is due."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from netplay.bag.shuffle import Step, check
from netplay.record.decks import read_deck

Key: TypeAlias = bytes


class Mixed(NamedTuple):
    """A mixing that stands in the log."""

    number: int
    """The entry."""
    step: Step
    old: bytes
    deck: bytes
    proof: bytes

    def check(self) -> None:
        """Check that the deck is the old one in another order under other masks.

        Takes 60 ms for a hundred tiles.

        Raises:
            BagError: Not so.
        """
        check(self.step, read_deck(self.old), read_deck(self.deck), self.proof)


class Wanted(NamedTuple):
    """The mixing that is due."""

    mixer: Key
    step: Step
    old: bytes
    """The deck to be mixed."""


class MaskedDeal:
    """A deal of tiles, from the deck it begins with to the one that is drawn from."""

    def __init__(
        self, number: int, first: int, size: int, sources: Sequence[int], starter: Key
    ) -> None:
        """Begin.

        Args:
            number: The deal + 1.
            first: Number of its first tile.
            size: How many there are.
            sources: Which tiles go into it; none for the first deal.
            starter: Who mixes first.
        """
        self.number: Final = number
        self.first: Final = first
        self.size: Final = size
        self.sources: Final = tuple(sources)
        self.starter: Final = starter
        self.start = b""
        """The deck that it begins with, once that was asked for."""
        self.mixed: list[Mixed] = []
        self.ready = False

    def holds(self, tile: int) -> bool:
        """Tell whether a number belongs to this deal."""
        return self.first <= tile < self.first + self.size

    def mixer(self, holders: Sequence[Key]) -> Key | None:
        """Return who mixes next: the starter first, the others in members' order."""
        at = holders.index(self.starter) if self.starter in holders else 0
        done = {one.step.author.key for one in self.mixed}
        return next((k for k in (*holders[at:], *holders[:at]) if k not in done), None)
