"""Matches that are over, as windows and commands are told of them."""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from netplay.messages.types import SEATS, Digest, DoorMessage, Name, Natural, Word
from rules import title_of

Result: TypeAlias = Literal[
    "won", "lost", "tied", "won on time", "lost on time", "contested", "unanswered", ""
]
"""Of the seats here; contested: won on time, with an objection; unanswered: claimed to
be won so; nothing where nobody else played, in dispute, and where all have agreed to
stop."""


class Friend(DoorMessage, frozen=True):
    """Somebody who played at another node."""

    key: Word
    """Fingerprint."""
    name: Name


class Finished(DoorMessage, frozen=True):
    """A match that is over."""

    match: Digest
    path: str
    game: Word
    players: Annotated[tuple[Name, ...], Meta(max_length=SEATS)]
    """In turn order."""
    places: Annotated[tuple[int, ...], Meta(max_length=SEATS)]
    scores: Annotated[tuple[int, ...], Meta(max_length=SEATS)]
    """In turn order; empty where the game counts no points."""
    own: Annotated[tuple[int, ...], Meta(max_length=SEATS)]
    """Seats that were played here by persons at the end."""
    friends: Annotated[tuple[Friend, ...], Meta(max_length=SEATS)]
    result: Result
    at: int
    """When its last entry was written, in Unix time."""

    @property
    def title(self) -> str:
        """What the game is called."""
        return title_of(self.game)


class Record(DoorMessage, frozen=True):
    """Results against a friend."""

    key: str
    name: str
    """As the friend was called the last time."""
    won: int = 0
    lost: int = 0
    tied: int = 0


class GetFinished(DoorMessage, frozen=True, tag="finished"):
    """Reply with some of the matches that are over, the latest first."""

    start: Natural = 0
    """How many files of matches have been looked at for it before."""


class FinishedMatches(DoorMessage, frozen=True):
    """Some of the matches that are over."""

    found: tuple[Finished, ...]
    next: Natural
    """The next `start`."""
    more: bool
    """There may be others."""


def told_apart(one: Record, every: Iterable[Record]) -> str:
    """Return a friend's name, with the key if another has the same name."""
    alike = sum(each.name == one.name for each in every)
    return f"{one.name} ({one.key})" if alike > 1 else one.name


def has_words(text: str, words: str) -> bool:
    """Tell whether every word that is looked for is in a text, in any case."""
    folded = text.casefold()
    return all(word in folded for word in words.casefold().split())


def records(found: Iterable[Finished]) -> list[Record]:
    """Return the results against each friend, the one played with most first.

    A friend is a key: two of the same name are two.

    Args:
        found: The matches, the latest first.
    """
    names: dict[str, str] = {}
    made: dict[str, Counter[str]] = {}
    for one in found:
        result = one.result.removesuffix(" on time")
        for friend in one.friends if result in ("won", "lost", "tied") else ():
            names.setdefault(friend.key, friend.name)
            made.setdefault(friend.key, Counter())[result] += 1
    often = sorted(made.items(), key=lambda each: -each[1].total())
    return [Record(key, names[key], c["won"], c["lost"], c["tied"]) for key, c in often]
