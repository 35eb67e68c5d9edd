"""Make text from another node safe to show in a window, a terminal or a log.

Nothing that moves the cursor, turns the direction of writing, cannot be seen, or piles
up over its neighbours is left, and nothing takes more columns than it has characters
to spend.
"""

import unicodedata
from functools import lru_cache
from typing import Final

NAME_CHARACTERS: Final = 24
"""A player's name, after sanitising."""

MARKS: Final = 3
"""Combining marks kept on one character: all that living languages stack."""

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_SPACES: Final = frozenset({"Zs", "Zl", "Zp"})
_MARKS: Final = frozenset({"Mn", "Me", "Mc"})
_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    "\u180b\u180c\u180d\u180f" + "".join(map(chr, range(0xFE00, 0xFE10)))
)
"""Characters that show nothing, though their category does not say so."""


def clean(text: str, characters: int) -> str:
    """Return the text in NFC, on one line, without what may not be shown.

    Args:
        text: Anything.
        characters: The most characters and the most terminal columns of the result;
            wide characters take two columns.
    """
    shown = "".join(map(_visible, text))
    composed = unicodedata.normalize("NFC", shown)
    whole = " ".join(_thin(composed).split())
    # As much of it as the allowance of characters and columns buys
    columns = 0
    for index, character in enumerate(whole):
        columns += width(character)
        if columns > characters or index >= characters:
            return whole[:index].rstrip()
    return whole


def visible(text: str) -> str:
    """Return what may be shown of a text of several lines: all but its line ends."""
    return "\n".join("".join(map(_visible, line)) for line in text.split("\n"))


@lru_cache(maxsize=256)  # a match shows the same few names at every move
def shown_name(name: str, characters: int = NAME_CHARACTERS) -> str:
    """Return a name as it is shown, a question mark if nothing is left of it.

    What a record says of names is signed, and stays as it is; only what is shown of it
    is clean.

    Args:
        name: Of a person, a seat or a game: anything.
        characters: As for `clean`.
    """
    return clean(name, characters) or "?"


def _visible(character: str) -> str:
    """Return the character, a space for any kind of space, or nothing."""
    category = unicodedata.category(character)
    if category in _SPACES or character in "\t\n\r":
        return " "
    if category in _UNSEEN or character in _BLANK:
        return ""
    return character


def _thin(text: str) -> str:
    """Return the text without marks that have no base or too many companions."""
    kept: list[str] = []
    marks = MARKS
    for character in text:
        is_mark = unicodedata.category(character) in _MARKS
        marks = marks + 1 if is_mark else (MARKS if character == " " else 0)
        if not is_mark or marks <= MARKS:
            kept.append(character)
    return "".join(kept)


def width(character: str) -> int:
    """Return the terminal columns that a visible character takes."""
    if unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
