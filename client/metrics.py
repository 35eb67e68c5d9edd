"""How wide a text is, read from the bundled fonts without any graphics library.

Layout must be decided where no display exists, so widths come from the font files.
Kerning is left out: it nearly always makes a text narrower, so what fits here fits on
the screen.  `bold` may be any `typefaces.Cut`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate, groupby
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


OPENING: Final = frozenset("«‹„‚“‘([{¿¡")
CLOSING: Final = frozenset(":;!?.,…»›”’)]}%")
"""Signs that belong to the word after or before them, even where a blank lies between
as in French; “ alone is taken as English has it.
"""
HELD: Final = frozenset("\u00a0\u202f")
"""Blanks at which no line ends."""

FREE, INSIDE, APART, PARTED, ANYWHERE = range(5)
"""Where a line may end, the better first: at a blank; within a word that is wider than
a line; between two signs; between a sign and its word; within a word beside a sign.
"""


def _rank(before: str, after: str, *, blank: bool = False) -> int:
    """Return how well a line ends between two characters."""
    opens, closes = before in OPENING, after in CLOSING
    if not blank:
        held = opens or closes or before in HELD or after in HELD
        return ANYWHERE if held else INSIDE
    if opens or closes:
        signs = OPENING | CLOSING
        return APART if before in signs and after in signs else PARTED
    return FREE


def _cut(text: str, ends: Sequence[int], room: int) -> int:
    """Return where the first line of a text ends that is wider than `room`.

    Args:
        text: Begins with no blank.
        ends: The width of the text up to each of its characters, it included.
        room: Pixels.
    """
    most = max(1, bisect_right(ends, room))
    ranked: list[tuple[int, int]] = []
    start = 0
    while start <= most:
        stop = text.find(" ", start)
        stop = len(text) if stop < 0 else stop
        before = ends[start - 1] if start else 0
        if stop > start and ends[stop - 1] - before > room:
            places = range(start + 1, min(stop, most + 1))
            ranked += [(_rank(text[i - 1], text[i]), -i) for i in places]
        if stop < len(text) and stop <= most:
            after = text[stop:].lstrip(" ")[:1]
            ranked.append(
                (_rank(text[:stop].rstrip(" ")[-1], after, blank=True), -stop)
            )
        start = stop + 1
    return -min(ranked)[1] if ranked else most


@lru_cache(maxsize=4096)
def wrap(text: str, size: int, room: int, *, bold: int = False) -> tuple[str, ...]:
    """Return the text as lines no wider than `room` pixels, broken at blanks."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        rest = paragraph.lstrip(" ")
        while width(rest, size, bold=bold) > room and len(rest) > 1:
            ends = [*accumulate(round(_wide(c, bold) * size) for c in rest)]
            at = _cut(rest, ends, room)
            lines.append(rest[:at])
            rest = rest[at:].lstrip(" ")
        lines.append(rest)
    return tuple(lines)


def height(text: str, size: int, room: int, *, bold: int = False) -> int:
    """Return how many pixels the wrapped text is high, each line a whole number."""
    return len(wrap(text, size, room, bold=bold)) * round(size * LINE)
