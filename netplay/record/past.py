"""What has happened in a match, move by move."""

from typing import Any, NamedTuple


class Past(NamedTuple):
    """A move of the match, as a bystander saw it."""

    number: int
    """The entry that it came with."""
    actor: int
    move: Any
    at: int
    """Milliseconds of the match."""


class Again(NamedTuple):
    """A round of chance that began again, so that its outcome is another."""

    number: int
    """The entry by which it did."""
    round: int
    host: str
    """Name of who was host from then on."""
    another: bool
    """Whether that was somebody else than before; if not, a seat had passed on."""


class Foreseen(NamedTuple):
    """A move that was tried, and what came of it."""

    state: Any
    """In which it was tried."""
    actor: int
    move: Any
    after: Any
