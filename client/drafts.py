"""What the dictionary's dialog and the editor of editions remember between events."""

from typing import Final

from msgspec import Struct

from rules.editions import PLAIN, Edition

START: Final = "start"
"""The brush that puts the start square somewhere."""


class Book(Struct, frozen=True):
    """The dictionary's dialog."""

    edition: str = "networdz"
    """Whose letters the words have."""
    words: str = "english"
    """The list looked at."""
    said: str = ""
    """What came of the last thing asked for."""
    bad: bool = False
    """It was refused."""


class EditionDraft(Struct, frozen=True):
    """An edition being edited."""

    edition: Edition
    origin: str = ""
    """The edition that it began with."""
    tab: int = 0
    tile: int = 0
    """The kind of tile chosen, from 0."""
    brush: str = PLAIN
    """What a click makes of a square, or `START`."""
    mirrored: bool = True
    """All four corners are changed alike."""
    row: int = 0
    """Where the keyboard is on the board."""
    column: int = 0
    warned: str = ""
    """What was to be done when it was seen that some colours are much alike."""
    taken: str = ""
    """What was to be done when it was seen that another edition has this name."""
    saved: str = ""
    """The name that it was saved by."""
    said: str = ""
    bad: bool = False
