"""How wide a text is, read from the bundled fonts without any graphics library.

Layout must be decided where no display exists, so the two TrueType tables that
matter (which glyph, how wide) are read here.  Kerning is left out: it nearly always
makes a text narrower, so what fits here fits on the screen.
"""

from functools import cache, lru_cache
from pathlib import Path
from struct import unpack_from
from typing import Final

ASSETS: Final = Path(__file__).parent / "assets"
FONTS: Final = {False: ASSETS / "DejaVuSans.ttf", True: ASSETS / "DejaVuSans-Bold.ttf"}
"""The font's file; True is bold."""

LINE: Final = 1.3
"""Distance of two lines of wrapped text, in text heights."""

SQUEEZE: Final = 0.8
"""How much smaller a text may be drawn before it is cut."""


def _tables(font: bytes) -> dict[bytes, int]:
    """Return where each table of a TrueType file begins."""
    (count,) = unpack_from(">H", font, 4)
    rows = (unpack_from(">4sIII", font, 12 + 16 * i) for i in range(count))
    return {tag: offset for tag, _, offset, _ in rows}


def _glyphs(font: bytes, cmap: int) -> dict[int, int]:
    """Return character -> glyph from the format 4 subtable (the basic plane)."""
    (count,) = unpack_from(">H", font, cmap + 2)
    for i in range(count):
        platform, encoding, at = unpack_from(">HHI", font, cmap + 4 + 8 * i)
        if (platform, encoding) == (3, 1):
            return _segments(font, cmap + at)
    raise ValueError("the font has no Unicode table")


def _segments(font: bytes, at: int) -> dict[int, int]:
    """Read the segments of a format 4 subtable that begins at `at`."""
    n = unpack_from(">H", font, at + 6)[0] // 2
    ends = unpack_from(f">{n}H", font, at + 14)
    starts = unpack_from(f">{n}H", font, at + 16 + 2 * n)
    deltas = unpack_from(f">{n}H", font, at + 16 + 4 * n)
    place = at + 16 + 6 * n
    ranges = unpack_from(f">{n}H", font, place)
    found: dict[int, int] = {}
    for i in range(n):
        for code in range(starts[i], min(ends[i], 0xFFFE) + 1):
            glyph = code
            if ranges[i]:
                spot = place + 2 * i + ranges[i] + 2 * (code - starts[i])
                (glyph,) = unpack_from(">H", font, spot)
            if glyph:
                found[code] = (glyph + deltas[i]) & 0xFFFF
    return found


@cache
def _widths(bold: bool) -> tuple[dict[int, float], float]:
    """Return character -> width at height 1, and the width of an unknown one."""
    font = FONTS[bold].read_bytes()
    tables = _tables(font)
    (units,) = unpack_from(">H", font, tables[b"head"] + 18)
    (count,) = unpack_from(">H", font, tables[b"hhea"] + 34)
    rows = [
        unpack_from(">H", font, tables[b"hmtx"] + 4 * i)[0] / units
        for i in range(count)
    ]
    glyphs = _glyphs(font, tables[b"cmap"])
    return {c: rows[min(g, count - 1)] for c, g in glyphs.items()}, rows[0]


def knows(character: str, *, bold: bool = False) -> bool:
    """Tell whether the font can draw the character."""
    return ord(character) in _widths(bold)[0]


@lru_cache(maxsize=8192)
def width(text: str, size: int, *, bold: bool = False) -> int:
    """Return the width of one line, in pixels, at a height of `size` pixels."""
    table, unknown = _widths(bold)
    # The renderer rounds every advance to whole pixels; so the sum is of whole ones.
    return sum(round(table.get(ord(c), unknown) * size) for c in text)


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
