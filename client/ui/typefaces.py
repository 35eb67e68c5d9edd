"""Fonts: what a font file says of its characters, and which file knows a character.

The two TrueType tables that matter (which glyph, how wide) are read here, without any
graphics library.  What the bundled fonts do not know - Chinese, Korean, emoji - is
looked for among the fonts that systems usually have; where none knows it, the character
is drawn as its code in a box, so that two names never look the same.
"""

import mmap
import os
import struct
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cache, lru_cache
from itertools import accumulate, groupby
from pathlib import Path
from struct import unpack_from
from typing import Final

ASSETS: Final = Path(__file__).parents[1] / "assets"


class Cut(IntEnum):
    """Which of the bundled fonts; where only two matter, whether it is bold."""

    TEXT = 0
    BOLD = 1
    TILE = 2
    """The letters of tiles."""


FONTS: Final = {
    Cut.TEXT: ASSETS / "Inter-Regular.otf",
    Cut.BOLD: ASSETS / "Inter-SemiBold.otf",
    Cut.TILE: ASSETS / "RobotoSlab-Bold.otf",
}
"""The fonts' files; False and True will do for the first two."""

MORE: Final = ASSETS / "DejaVuSans.ttf"
"""Knows many more characters."""

LAST: Final = 0xFFFE
"""The last character of a small table; the one after it ends it."""

CODED: Final = {4: 0.95, 6: 1.3}
"""How wide a code of so many figures is drawn, in text heights."""

USUAL: Final = (
    "NotoSansCJK-Regular.ttc", "NotoSansSC-Regular.otf", "DroidSansFallbackFull.ttf",
    "DroidSansFallback.ttf", "wqy-microhei.ttc", "wqy-zenhei.ttc", "NanumGothic.ttf",
    "NotoSansDevanagari-Regular.ttf", "NotoSansThai-Regular.ttf",
    "NotoEmoji-Regular.ttf", "NotoSansSymbols2-Regular.ttf", "Symbola.ttf",
    "Symbola_hint.ttf", "FreeSans.ttf", "unifont.otf", "unifont.ttf",  # Linux
    "msyh.ttc", "malgun.ttf", "YuGothR.ttc", "simsun.ttc", "Nirmala.ttf",
    "Nirmala.ttc", "LeelawUI.ttf", "seguiemj.ttf", "seguisym.ttf",  # Windows
    "PingFang.ttc", "Hiragino Sans GB.ttc", "STHeiti Light.ttc",
    "AppleSDGothicNeo.ttc", "Arial Unicode.ttf", "Apple Symbols.ttf",  # macOS
)  # fmt: skip
"""Fonts with many characters, as systems have them, the best first."""

FOLDERS: Final = {
    "win32": (r"~\AppData\Local\Microsoft\Windows\Fonts", r"C:\Windows\Fonts"),
    "darwin": ("~/Library/Fonts", "/Library/Fonts", "/System/Library/Fonts"),
}
"""Where systems keep them."""

ELSEWHERE: Final = (
    "~/.fonts", "~/.local/share/fonts", "/usr/local/share/fonts", "/usr/share/fonts",
)  # fmt: skip


class FontError(ValueError):
    """A file is no font that can be drawn with."""


class Face:
    """What a font says of its characters; few of its thousands are ever asked for."""

    def __init__(self, path: Path) -> None:
        """Read where the tables of a font file are.

        Raises:
            OSError: It cannot be read.
            FontError: It is none, or one of pictures.
        """
        self.path = path
        with path.open("rb") as file:
            self._font = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            self._tables()
        except (struct.error, KeyError, IndexError) as error:
            raise FontError(f"{path}: this is no font") from error
        self._widths: dict[str, float] = {}

    def _tables(self) -> None:
        """Find the tables of glyphs and widths; of a collection, of its first font."""
        font = self._font
        at = unpack_from(">I", font, 12)[0] if font[:4] == b"ttcf" else 0
        (count,) = unpack_from(">H", font, at + 4)
        rows = (unpack_from(">4sIII", font, at + 12 + 16 * i) for i in range(count))
        tables = {tag: offset for tag, _sum, offset, _length in rows}
        if not {b"glyf", b"CFF ", b"CFF2"} & tables.keys():
            raise FontError(f"{self.path}: it has no outlines")
        self._wide: int = tables[b"hmtx"]
        (units,) = unpack_from(">H", font, tables[b"head"] + 18)
        self._units: int = units
        up, down = unpack_from(">hh", font, tables[b"hhea"] + 4)
        self.ascent, self.descent = up / units, down / units
        """How far it goes above a line's base, and below (negative), at height 1."""
        (widths,) = unpack_from(">H", font, tables[b"hhea"] + 34)
        self._last: int = widths - 1
        self._small, self._large = self._maps(tables[b"cmap"])
        if at := self._small:
            n = unpack_from(">H", font, at + 6)[0] // 2
            self._ends: tuple[int, ...] = unpack_from(f">{n}H", font, at + 14)
            self._starts = unpack_from(f">{n}H", font, at + 16 + 2 * n)
            self._deltas = unpack_from(f">{n}H", font, at + 16 + 4 * n)
            self._place = at + 16 + 6 * n
            self._ranges = unpack_from(f">{n}H", font, self._place)

    def _maps(self, cmap: int) -> tuple[int, int]:
        """Return where the tables of the basic plane and of all are; 0 for none."""
        small = large = 0
        (count,) = unpack_from(">H", self._font, cmap + 2)
        for i in range(count):
            platform, kind, at = unpack_from(">HHI", self._font, cmap + 4 + 8 * i)
            (layout,) = unpack_from(">H", self._font, cmap + at)
            if layout == 4 and (platform == 0 or (platform, kind) == (3, 1)):
                small = cmap + at
            elif layout == 12 and platform in (0, 3):
                large = cmap + at
        return small, large

    def knows(self, character: str) -> bool:
        """Tell whether there is a glyph for the character."""
        return bool(self.glyph(ord(character)))

    def width(self, character: str) -> float:
        """Return the character's width at height 1; that of a box if it is unknown."""
        found = self._widths.get(character)
        if found is None:
            glyph = min(self.glyph(ord(character)), self._last)
            (wide,) = unpack_from(">H", self._font, self._wide + 4 * glyph)
            found = self._widths[character] = wide / self._units
        return found

    def glyph(self, code: int) -> int:
        """Return the number of a character's glyph; 0 for none."""
        if self._small and code <= LAST:
            return self.glyph_of_plane(code)
        return self.glyph_of_all(code) if self._large else 0

    def glyph_of_plane(self, code: int) -> int:
        """Return the glyph by the segments of the basic plane (format 4)."""
        i = bisect_left(self._ends, code)
        if i == len(self._ends) or code < self._starts[i]:
            return 0
        glyph = code
        if self._ranges[i]:
            spot = self._place + 2 * i + self._ranges[i] + 2 * (code - self._starts[i])
            (glyph,) = unpack_from(">H", self._font, spot)
        return (glyph + self._deltas[i]) & 0xFFFF if glyph else 0

    def glyph_of_all(self, code: int) -> int:
        """Return the glyph by the groups of all planes (format 12)."""
        (count,) = unpack_from(">I", self._font, self._large + 12)
        low, high = 0, count
        while low < high:
            middle = (low + high) // 2
            place = self._large + 16 + 12 * middle
            start, end, glyph = unpack_from(">III", self._font, place)
            if code < start:
                high = middle
            elif code > end:
                low = middle + 1
            else:
                return int(glyph) + code - int(start)
        return 0


@cache
def own(cut: int) -> Face:
    """Return a bundled font, read once."""
    return Face(FONTS[Cut(cut)])


@cache
def more() -> Face:
    """Return the bundled font with many more characters."""
    return Face(MORE)


@cache
def others() -> tuple[Face, ...]:
    """Return the fonts of the system that know more, the best first."""
    return tuple(_others(folders()))


def folders() -> tuple[str, ...]:
    """Return where this system keeps its fonts."""
    return FOLDERS.get(sys.platform, ELSEWHERE)


def _others(places: tuple[str, ...]) -> Iterator[Face]:
    found: dict[str, Path] = {}
    for place in places:
        for folder, _folders, names in os.walk(os.path.expanduser(place)):  # noqa: PTH111 (pathlib's raises where there is no such user)
            for name in names:
                if name in USUAL:
                    found.setdefault(name, Path(folder) / name)
    for name in USUAL:
        try:
            if name in found:
                yield Face(found[name])
        except (OSError, ValueError):  # torn, empty, or a font of pictures
            continue


@cache
def source(character: str, cut: int) -> Face | None:
    """Return the font that a character is drawn with; None for its code in a box."""
    for first in (own(cut), more()):
        if first.knows(character):
            return first
    return next((face for face in others() if face.knows(character)), None)


def code(character: str) -> str:
    """Return the figures of a character's code, as many above as below."""
    figures = f"{ord(character):04X}"
    return figures if len(figures) == 4 else figures.zfill(6)


def advance(character: str, *, cut: int) -> float:
    """Return how wide a character is drawn at height 1."""
    face = source(character, cut)
    return face.width(character) if face else CODED[len(code(character))]


# How wide a text is, read from the bundled fonts without any graphics library.
#
# Layout must be decided where no display exists, so widths come from the font files.
# Kerning is left out: it nearly always makes a text narrower, so what fits here fits on
# the screen. `bold` may be any `typefaces.Cut`.


LINE: Final = 1.3
"""Distance of two lines of wrapped text, in text heights."""

SQUEEZE: Final = 0.8
"""How much smaller a text may be drawn before it is cut."""


@cache
def _wide(character: str, bold: int) -> float:
    """Return how wide a character is at height 1, whatever it is drawn with."""
    return advance(character, cut=bold)


@lru_cache(maxsize=2048)
def runs(text: str, *, bold: int) -> tuple[tuple[str, Face | None], ...]:
    """Return the parts of a text, each with the font that it is drawn with."""
    parts = groupby(text, lambda character: source(character, bold))
    return tuple(("".join(characters), face) for face, characters in parts)


def _pixels(character: str, size: int, bold: int) -> int:
    """Return how wide a character is drawn at a height of `size` pixels.

    The renderer rounds every advance to whole pixels, of 64ths that it has rounded.
    """
    return (round(_wide(character, bold) * size * 64) + 32) >> 6


@lru_cache(maxsize=8192)
def width(text: str, size: int, *, bold: int = False) -> int:
    """Return the width of one line, in pixels, at a height of `size` pixels."""
    return sum(_pixels(c, size, bold) for c in text)


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


def within(text: str, size: int, least: int, room: tuple[int, int]) -> int:
    """Return the height, `least` at least, at which a text's lines have room."""
    while size > least and height(text, size, room[0]) > room[1]:
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
            ends = [*accumulate(_pixels(c, size, bold) for c in rest)]
            at = _cut(rest, ends, room)
            lines.append(rest[:at])
            rest = rest[at:].lstrip(" ")
        lines.append(rest)
    return tuple(lines)


def height(text: str, size: int, room: int, *, bold: int = False) -> int:
    """Return how many pixels the wrapped text is high, each line a whole number."""
    return len(wrap(text, size, room, bold=bold)) * round(size * LINE)
