"""What has happened in a match, move by move."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct


class Past(Struct, frozen=True):
    """A move of the match, as a bystander saw it."""

    number: int
    """The entry that it came with."""
    actor: int
    move: Any
    at: int
    """Milliseconds of the match."""


class Back(NamedTuple):
    """A turn was taken back, and what followed it: the history ends before it."""

    number: int
    """The entry by which it was."""
    place: int
    """What had happened before it, counted with chance."""


def kept(backs: Sequence[Back], known: int, at: int) -> int:
    """Return how much still stands of a part of the history that was looked at.

    Args:
        backs: What was taken back.
        known: So many of these were heeded.
        at: How much of the history was looked at.
    """
    return min([at, *(back.place for back in backs[known:])])


class Again(NamedTuple):
    """A round of chance that began again, so that its outcome is another."""

    number: int
    """The entry by which it did."""
    round: int
    host: str
    """Name of who was host from then on."""
    another: bool
    """Whether that was somebody else than before; if not, a seat had passed on."""


class Foreseen(Struct, frozen=True):
    """A move that was tried, and what came of it."""

    state: Any
    """In which it was tried."""
    actor: int
    move: Any
    after: Any
    raw: bytes
    """The move, encoded."""
