"""What windows ask about words and editions, those of the user's own above all.

An edition is given by its name, a list by name, digest or path.
"""

from typing import Literal, TypeAlias

from netplay.messages.types import DoorMessage


class CheckWord(DoorMessage, frozen=True, tag="check-word"):
    """Reply whether a word is in a list; the data is `yes` or `no`."""

    edition: str
    words: str
    word: str


class ChangeWords(DoorMessage, frozen=True, tag="change-words"):
    """Add a word to a list, or delete it."""

    change: Literal["add", "delete"]
    edition: str
    words: str
    """The list as it is."""
    into: str
    """The name of the changed one, one of the user's own."""
    word: str


class ImportWords(DoorMessage, frozen=True, tag="import-words"):
    """Make a list of a file of text."""

    edition: str
    into: str
    """Its name, one of the user's own."""
    path: str


class ExportWords(DoorMessage, frozen=True, tag="export-words"):
    """Write a list as text."""

    edition: str
    words: str
    path: str
    over: bool = False
    """What lies there may go."""


class OpenEdition(DoorMessage, frozen=True, tag="open-edition"):
    """Reply with an edition."""

    name: str
    """Or path."""


class WriteEdition(DoorMessage, frozen=True, tag="write-edition"):
    """Write an edition to a file."""

    path: str
    text: str
    over: bool = False
    """What lies there may go."""


class SaveEdition(DoorMessage, frozen=True, tag="save-edition"):
    """Keep an edition as one of the user's own."""

    name: str
    text: str


WordQuestion: TypeAlias = (
    CheckWord
    | ChangeWords
    | ImportWords
    | ExportWords
    | OpenEdition
    | WriteEdition
    | SaveEdition
)
