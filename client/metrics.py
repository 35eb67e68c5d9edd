"""How wide a text is, read from the bundled fonts without any graphics library.

Layout must be decided where no display exists, so widths come from the font files.
Kerning is left out: it nearly always makes a text narrower, so what fits here fits on
the screen.  `bold` may be any `typefaces.Cut`.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import groupby
from typing import Final

from client import typefaces

LINE: Final = 1.3
"""Distance of two lines of wrapped text, in text heights."""

SQUEEZE: Final = 0.8
"""How much smaller a text may be drawn before it is cut."""


@cache
def _wide(character: str, bold: int) -> float:
    """Return how wide a character is at height 1, whatever it is drawn with."""
    return typefaces.width(character, cut=bold)


@lru_cache(maxsize=2048)
def runs(text: str, *, bold: int) -> tuple[tuple[str, typefaces.Face | None], ...]:
    """Return the parts of a text, each with the font that it is drawn with."""
    parts = groupby(text, lambda character: typefaces.source(character, bold))
    return tuple(("".join(characters), face) for face, characters in parts)


@lru_cache(maxsize=8192)
def width(text: str, size: int, *, bold: int = False) -> int:
    """Return the width of one line, in pixels, at a height of `size` pixels."""
    # The renderer rounds every advance to whole pixels; so the sum is of whole ones.
    return sum(round(_wide(c, bold) * size) for c in text)


@lru_cache(maxsize=4096)
def shorten(text: str, size: int, room: int, *, bold: int = False) -> str:
    """Return the text, cut with an ellipsis if it is wider than `room` pixels."""
    if width(text, size, bold=bold) <= room:
        return text
    while text and width(text + "…", size, bold=bold) > room:
        text = text[:-1]
    return text.rstrip() + "…" if text else ""


def fitting(
    texts: Iterable[str], size: int, least: int, room: float, *, bold: int = False
) -> int:
    """Return the height, `least` at least, at which each text has room on a line."""
    every = tuple(texts)
    while size > least and any(width(text, size, bold=bold) > room for text in every):
        size -= 1
    return size


@lru_cache(maxsize=8192)
def fit(text: str, size: int, room: int, *, bold: int = False) -> tuple[str, int]:
    """Return the text and height that fit on one line of `room` pixels.

    A text that is too wide is first drawn smaller, down to `SQUEEZE` of its height,
    then cut with an ellipsis.
    """
    size = fitting((text,), size, max(1, round(size * SQUEEZE)), room, bold=bold)
    return shorten(text, size, room, bold=bold), size


def _split(word: str, size: int, room: int, *, bold: int) -> list[str]:
    """Cut a word that is wider than a line into pieces that fit."""
    pieces = [""]
    for c in word:
        if pieces[-1] and width(pieces[-1] + c, size, bold=bold) > room:
            pieces.append("")
        pieces[-1] += c
    return pieces


CLOSING: Final = frozenset(":;!?»")
OPENING: Final = "«"
"""Signs that French sets apart from a word by a blank, but on the same line."""


def _words(paragraph: str) -> list[str]:
    """Return the parts of a text between which a line may end."""
    found: list[str] = []
    for word in paragraph.split(" "):
        if found and (word in CLOSING or found[-1] == OPENING):
            found[-1] += f" {word}"
        else:
            found.append(word)
    return found


@lru_cache(maxsize=4096)
def wrap(text: str, size: int, room: int, *, bold: int = False) -> tuple[str, ...]:
    """Return the text as lines no wider than `room` pixels, broken at blanks."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in _words(paragraph):
            longer = f"{line} {word}" if line else word
            if width(longer, size, bold=bold) <= room:
                line = longer
                continue
            if line:
                lines.append(line)
            *full, line = _split(word, size, room, bold=bold)
            lines.extend(full)
        lines.append(line)
    return tuple(lines)


def height(text: str, size: int, room: int, *, bold: int = False) -> int:
    """Return how many pixels the wrapped text is high, each line a whole number."""
    return len(wrap(text, size, room, bold=bold)) * round(size * LINE)
