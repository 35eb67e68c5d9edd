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
from bisect import bisect_left
from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from pathlib import Path
from struct import unpack_from
from typing import Final

ASSETS: Final = Path(__file__).parent / "assets"


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
        if self._small:
            self._segments(self._small)

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

    def _segments(self, at: int) -> None:
        font = self._font
        n = unpack_from(">H", font, at + 6)[0] // 2
        self._ends: tuple[int, ...] = unpack_from(f">{n}H", font, at + 14)
        self._starts = unpack_from(f">{n}H", font, at + 16 + 2 * n)
        self._deltas = unpack_from(f">{n}H", font, at + 16 + 4 * n)
        self._place = at + 16 + 6 * n
        self._ranges = unpack_from(f">{n}H", font, self._place)

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


def width(character: str, *, cut: int) -> float:
    """Return how wide a character is drawn at height 1."""
    face = source(character, cut)
    return face.width(character) if face else CODED[len(code(character))]
