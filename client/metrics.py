"""How wide a text is, read from the bundled fonts without any graphics library.

Layout must be decided where no display exists, so the two TrueType tables that
matter (which glyph, how wide) are read here.  Kerning is left out: it nearly always
makes a text narrower, so what fits here fits on the screen.
"""

from bisect import bisect_left
from functools import cache, lru_cache
from pathlib import Path
from struct import unpack_from
from typing import Final

ASSETS: Final = Path(__file__).parent / "assets"
FONTS: Final = {False: ASSETS / "DejaVuSans.ttf", True: ASSETS / "DejaVuSans-Bold.ttf"}
"""The font's file; True is bold."""

LAST: Final = 0xFFFE
"""The last character a font may know; the one after it ends the table."""

LINE: Final = 1.3
"""Distance of two lines of wrapped text, in text heights."""

SQUEEZE: Final = 0.8
"""How much smaller a text may be drawn before it is cut."""


def _tables(font: bytes) -> dict[bytes, int]:
    """Return where each table of a TrueType file begins."""
    (count,) = unpack_from(">H", font, 4)
    rows = (unpack_from(">4sIII", font, 12 + 16 * i) for i in range(count))
    return {tag: offset for tag, _, offset, _ in rows}


class _Font:
    """What a font says of its characters; few of its thousands are ever asked for."""

    def __init__(self, font: bytes) -> None:
        """Read the tables of a TrueType file."""
        tables = _tables(font)
        self._font, self._wide = font, tables[b"hmtx"]
        (units,) = unpack_from(">H", font, tables[b"head"] + 18)
        self._units: Final[int] = units
        (count,) = unpack_from(">H", font, tables[b"hhea"] + 34)
        self._last: Final[int] = count - 1
        at = _plane(font, tables[b"cmap"])
        n = unpack_from(">H", font, at + 6)[0] // 2
        self._ends: tuple[int, ...] = unpack_from(f">{n}H", font, at + 14)
        self._starts = unpack_from(f">{n}H", font, at + 16 + 2 * n)
        self._deltas = unpack_from(f">{n}H", font, at + 16 + 4 * n)
        self._place = at + 16 + 6 * n
        self._ranges = unpack_from(f">{n}H", font, self._place)
        self._widths: dict[str, float] = {}

    def knows(self, character: str) -> bool:
        """Tell whether there is a glyph for the character."""
        return self._glyph(ord(character)) is not None

    def width(self, character: str) -> float:
        """Return the character's width at height 1; that of a box if it is unknown."""
        found = self._widths.get(character)
        if found is None:
            glyph = min(self._glyph(ord(character)) or 0, self._last)
            (wide,) = unpack_from(">H", self._font, self._wide + 4 * glyph)
            found = self._widths[character] = wide / self._units
        return found

    def _glyph(self, code: int) -> int | None:
        """Return the glyph of a character by the segments of the format 4 subtable."""
        i = bisect_left(self._ends, code)
        if i == len(self._ends) or code < self._starts[i] or code > LAST:
            return None
        glyph = code
        if self._ranges[i]:
            spot = self._place + 2 * i + self._ranges[i] + 2 * (code - self._starts[i])
            (glyph,) = unpack_from(">H", self._font, spot)
        return (glyph + self._deltas[i]) & 0xFFFF if glyph else None


def _plane(font: bytes, cmap: int) -> int:
    """Return where the format 4 subtable is, that of the basic plane."""
    (count,) = unpack_from(">H", font, cmap + 2)
    for i in range(count):
        platform, encoding, at = unpack_from(">HHI", font, cmap + 4 + 8 * i)
        if (platform, encoding) == (3, 1):
            return cmap + int(at)
    raise ValueError("the font has no Unicode table")


@cache
def _font(bold: bool) -> _Font:
    """Return a font, read once."""
    return _Font(FONTS[bold].read_bytes())


def knows(character: str, *, bold: bool = False) -> bool:
    """Tell whether the font can draw the character."""
    return _font(bold).knows(character)


@lru_cache(maxsize=8192)
def width(text: str, size: int, *, bold: bool = False) -> int:
    """Return the width of one line, in pixels, at a height of `size` pixels."""
    wide = _font(bold).width
    # The renderer rounds every advance to whole pixels; so the sum is of whole ones.
    return sum(round(wide(c) * size) for c in text)


@lru_cache(maxsize=4096)
def shorten(text: str, size: int, room: int, *, bold: bool = False) -> str:
    """Return the text, cut with an ellipsis if it is wider than `room` pixels."""
    if width(text, size, bold=bold) <= room:
        return text
    while text and width(text + "…", size, bold=bold) > room:
        text = text[:-1]
    return text.rstrip() + "…" if text else ""


@lru_cache(maxsize=8192)
def fit(text: str, size: int, room: int, *, bold: bool = False) -> tuple[str, int]:
    """Return the text and height that fit on one line of `room` pixels.

    A text that is too wide is first drawn smaller, down to `SQUEEZE` of its height,
    then cut with an ellipsis.
    """
    least = max(1, round(size * SQUEEZE))
    while size > least and width(text, size, bold=bold) > room:
        size -= 1
    return shorten(text, size, room, bold=bold), size


def _split(word: str, size: int, room: int, *, bold: bool) -> list[str]:
    """Cut a word that is wider than a line into pieces that fit."""
    pieces = [""]
    for c in word:
        if pieces[-1] and width(pieces[-1] + c, size, bold=bold) > room:
            pieces.append("")
        pieces[-1] += c
    return pieces


@lru_cache(maxsize=4096)
def wrap(text: str, size: int, room: int, *, bold: bool = False) -> tuple[str, ...]:
    """Return the text as lines no wider than `room` pixels, broken at blanks."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
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


def height(text: str, size: int, room: int, *, bold: bool = False) -> int:
    """Return how many pixels the wrapped text is high, each line a whole number."""
    return len(wrap(text, size, room, bold=bold)) * round(size * LINE)
