"""The tiles: which letters there are, how many of each and what they are worth.

The source document's table of values is lost.  What it scores CRUEL, LEVELED, CODDLE
and PLEADED leaves little choice for their letters (E is 1, V at most 3); the other
values are those nearest to what players of word games know, and the counts are chosen.
"""

from typing import Final

LETTERS: Final = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""The alphabet of a fitting dictionary; a letter's place is also its tile's kind."""

BLANK: Final = 26
"""The kind of a blank tile, after those of `LETTERS`."""

QU: Final = 27
"""What a blank may stand for besides a letter (source document, chapter 2, VII)."""

EMPTY: Final = -1
"""The letter of a cell without a tile."""

STANDINS: Final = (*range(len(LETTERS)), QU)
"""All that a blank may stand for."""

COUNTS: Final = (
    *(8, 2, 2, 5, 12, 2, 3, 3, 8, 1, 1, 5, 3, 6, 7, 2, 1, 6, 4, 6, 3, 2, 2, 1, 2, 1),
    2,
)
"""How many tiles there are of each kind, 100 together, the two blanks last."""

POINTS: Final = (
    *(1, 3, 4, 1, 1, 3, 2, 2, 1, 5, 4, 1, 2, 1, 1, 4, 8, 1, 1, 1, 2, 3, 3, 5, 3, 8),
    0,
)
"""What a tile of each kind scores; a blank scores nothing whatever it stands for."""

RACK: Final = 7
"""How many tiles a player holds."""

_Q: Final = LETTERS.index("Q")
_U: Final = LETTERS.index("U")


def spelling(letter: int) -> tuple[int, ...]:
    """Return the letters of the dictionary that a letter on the board spells."""
    return (_Q, _U) if letter == QU else (letter,)


def text(letter: int) -> str:
    """Return a letter as players read it: "E", or "QU" for the blank of that name."""
    return "".join(LETTERS[index] for index in spelling(letter))
