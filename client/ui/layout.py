"""Where things go: rectangles cut up, squares, hexagons and triangles laid out.

All pure arithmetic on integers and pixels.
"""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.ui.scene import Point, Rect

ROOT3: Final = sqrt(3)


def columns(area: Rect, parts: Sequence[float], gap: int = 0) -> tuple[Rect, ...]:
    """Cut a rectangle into columns.

    Args:
        area: What is cut.
        parts: One a column: above 1 a width in pixels, up to 1 a share of the rest.
        gap: Pixels between neighbours.

    Returns:
        One rectangle a part, from left to right, all within `area`.
    """
    return tuple(
        Rect(area.x + at, area.y, size, area.h) for at, size in _cut(area.w, parts, gap)
    )


def rows(area: Rect, parts: Sequence[float], gap: int = 0) -> tuple[Rect, ...]:
    """Cut a rectangle into rows; the counterpart of `columns`."""
    return tuple(
        Rect(area.x, area.y + at, area.w, size) for at, size in _cut(area.h, parts, gap)
    )


def _cut(length: int, parts: Sequence[float], gap: int) -> list[tuple[int, int]]:
    """Return (start, size) of each part of a length."""
    room = max(0, length - gap * (len(parts) - 1))
    fixed = sum(p for p in parts if p > 1)
    shared = sum(p for p in parts if p <= 1)
    rest = max(0.0, room - fixed)
    squeeze = min(1.0, room / fixed) if fixed else 1.0
    found: list[tuple[int, int]] = []
    edge, exact = 0, 0.0
    for part in parts:
        exact += part * squeeze if part > 1 else rest * part / shared
        end = round(exact)
        found.append((edge + gap * len(found), end - edge))
        edge = end
    return found


def grid(area: Rect, across: int, down: int, gap: int = 0) -> tuple[Rect, ...]:
    """Cut a rectangle into equal cells, row by row."""
    return tuple(
        cell
        for band in rows(area, [1.0] * down, gap)
        for cell in columns(band, [1.0] * across, gap)
    )


def centred(area: Rect, w: int, h: int) -> Rect:
    """Return a rectangle of that size, cut to the area, in its middle."""
    w, h = min(w, area.w), min(h, area.h)
    return Rect(area.x + (area.w - w) // 2, area.y + (area.h - h) // 2, w, h)


class Squares(Struct, frozen=True):
    """A board of squares: column and row from the upper left corner."""

    x: int
    y: int
    side: int
    """Pixels from one cell to the next."""
    across: int
    down: int

    @staticmethod
    def fitted(area: Rect, across: int, down: int) -> "Squares":
        """Return the largest board of whole pixels in the middle of the area."""
        side = max(1, min(area.w // across, area.h // down))
        box = centred(area, side * across, side * down)
        return Squares(box.x, box.y, side, across, down)

    @property
    def rect(self) -> Rect:
        """Return the whole board's rectangle."""
        return Rect(self.x, self.y, self.side * self.across, self.side * self.down)

    def cell(self, column: int, row: int, gap: int = 1) -> Rect:
        """Return a cell's rectangle, less the gap at its right and lower side."""
        x, y = self.x + column * self.side, self.y + row * self.side
        return Rect(x, y, self.side - gap, self.side - gap)


class Hexes(Struct, frozen=True):
    """A board of hexagons in axial coordinates (q, r), of whole pixels like squares.

    A corner points left and right, q counts columns to the right, r goes down along a
    column.  Whole pixels keep all gaps alike, where a hexagon is a few pixels wide.
    """

    x: int
    """Middle of the cell (0, 0)."""
    y: int
    across: int
    """Pixels from column to column."""
    down: int
    """Pixels along a column."""

    @staticmethod
    def fitted(area: Rect, cells: Iterable[tuple[int, int]]) -> "Hexes":
        """Return the largest layout of these cells in the middle of the area."""
        every = tuple(cells)
        # How wide and high some cells are together, whose radius is 1
        xs, ys = [1.5 * q for q, _r in every], [ROOT3 * (r + q / 2) for q, r in every]
        half = ROOT3 / 2
        wide, high = max(xs) + 1.0 - (min(xs) - 1.0), max(ys) + half - (min(ys) - half)
        radius = min(area.w / wide, area.h / high)
        unit = Hexes(0, 0, max(1, int(1.5 * radius)), max(1, int(ROOT3 * radius)))
        spots = [unit.cell(q, r, 1.0) for q, r in every]
        spare_w = area.w - min(s.x for s in spots) - max(s.right for s in spots)
        spare_h = area.h - min(s.y for s in spots) - max(s.bottom for s in spots)
        return replace(unit, x=area.x + spare_w // 2, y=area.y + spare_h // 2)

    @property
    def radius(self) -> float:
        """Return how far a corner is from the middle, about."""
        return self.across / 1.5

    def middle(self, q: int, r: int) -> Point:
        """Return the middle of a cell."""
        return self.x + self.across * q, self.y + self.down * r + self.down * q // 2

    def cell(self, q: int, r: int, part: float = 0.96) -> Rect:
        """Return the rectangle round a cell drawn at `part` of its full size.

        Use it with `Shape.FLAT`; all cells get the same size.
        """
        cx, cy = self.middle(q, r)
        w, h = round(part * self.across * 4 / 3), round(part * self.down)
        return Rect(cx - w // 2, cy - h // 2, w, h)


def box(points: Sequence[Point]) -> Rect:
    """Return the rectangle round a polygon, for a node of `Shape.POLYGON`."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    x, y = min(xs), min(ys)
    return Rect(x, y, max(xs) - x + 1, max(ys) - y + 1)
