"""Where the cells lie: hexagons that share corners, triangles between their sides.

Distances are in sides of a cell, x to the right, y down, as the source document draws
the board: White above.  The hexagons of a row touch at their corners, two sides apart;
rows lie the square root of three apart.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from math import hypot
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from client.ui.layout import ROOT3, box, centred
from client.ui.scene import Align, Node, Point, Rect
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from rules.hexagrams import BLACK, HEXAGONS, TRIANGLES
from rules.hexagrams.board import HEXAGON, column_name, line_number, row_and_x

Place: TypeAlias = tuple[str, int]
"""A cell: "h" and the number of a hexagon, or "t" and the number of a triangle."""

LEFT: Final = -1.5
UPPER: Final = -ROOT3
WIDE: Final = 9.0
HIGH: Final = 4 * ROOT3

COMPASS: Final = {
    "up": (0.0, -1.0), "down": (0.0, 1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0),
    "w": (0.0, -1.0), "s": (0.0, 1.0), "q": (-ROOT3 / 2, -0.5), "e": (ROOT3 / 2, -0.5),
    "a": (-ROOT3 / 2, 0.5), "d": (ROOT3 / 2, 0.5),
}  # fmt: skip
"""Where each key moves the cursor, on the screen."""


class Spot(NamedTuple):
    """A cell's outline and middle."""

    corners: tuple[tuple[float, float], ...]
    middle: tuple[float, float]


@cache
def spots() -> Mapping[Place, Spot]:
    """Return every cell's outline, White above."""
    found: dict[Place, Spot] = {}
    for number, (r, x) in enumerate(HEXAGONS):
        # The outline of H(r, x); corners point left and right
        y, up = r * ROOT3, ROOT3 / 2
        corners = (
            (x - 0.5, y - up), (x + 0.5, y - up), (x + 1.0, y),
            (x + 0.5, y + up), (x - 0.5, y + up), (x - 1.0, y),
        )  # fmt: skip
        found["h", number] = Spot(corners, (float(x), y))
    for number, (t, x) in TRIANGLES.items():
        # Those of odd rows point up.
        upper, lower = (t - 3) * ROOT3 / 2, (t - 2) * ROOT3 / 2
        tip, base = (upper, lower) if t % 2 else (lower, upper)
        ends = (float(x), tip), (x + 0.5, base), (x - 0.5, base)
        found["t", number] = Spot(ends, (float(x), (tip + 2 * base) / 3))
    return MappingProxyType(found)


class Field(Struct, frozen=True):
    """The board in a rectangle, seen from one side."""

    x: float
    y: float
    side: float
    """Pixels of a cell's side."""
    below: int
    """Whose side is the lower one."""

    @staticmethod
    def fitted(area: Rect, below: int) -> "Field":
        """Return the largest board in the middle of an area."""
        side = min(area.w / WIDE, area.h / HIGH)
        box = centred(area, int(side * WIDE), int(side * HIGH))
        return Field(box.x - LEFT * side, box.y - UPPER * side, side, below)

    def point(self, at: tuple[float, float]) -> tuple[float, float]:
        """Return a place on the board in pixels."""
        x, y = at
        if self.below != BLACK:  # the board is turned round
            x, y = 6.0 - x, 2 * ROOT3 - y
        return self.x + x * self.side, self.y + y * self.side

    def outline(self, place: Place, part: float = 1.0) -> tuple[Point, ...]:
        """Return a cell's corners in pixels, drawn at `part` of its size."""
        spot = spots()[place]
        mx, my = self.point(spot.middle)
        found: list[Point] = []
        for corner in spot.corners:
            x, y = self.point(corner)
            found.append((round(mx + (x - mx) * part), round(my + (y - my) * part)))
        return tuple(found)

    def middle(self, place: Place) -> tuple[float, float]:
        """Return a cell's middle in pixels."""
        return self.point(spots()[place].middle)


def neighbour(place: Place, key: str, below: int) -> Place:
    """Return the cell that the cursor comes to from another by a key.

    The nearest whose middle lies within 45 degrees of the key's direction; the same
    cell where there is none.
    """
    field = Field(0.0, 0.0, 1.0, below)
    ux, uy = COMPASS[key]
    cx, cy = field.middle(place)
    best, least = place, 1e9
    for other in spots():
        x, y = field.middle(other)
        dx, dy = x - cx, y - cy
        along, aside = dx * ux + dy * uy, abs(dx * uy - dy * ux)
        if other == place or along <= 0 or aside > along:
            continue
        far = hypot(along, 2 * aside)
        if far < least - 1e-6:
            best, least = other, far
    return best


# What cells are called, along the board, where stones hide their names.


class Line(NamedTuple):
    """Cells beside or above each other, which share a part of their names."""

    text: str
    slanting: bool
    """Its ends are those of triangles."""
    cells: list[Rect]


@lru_cache(maxsize=8)
def coordinates(field: Field, look: Look, *, page: bool) -> tuple[Node, ...]:
    """Return numbers at the left and letters below: C5 is where row 5 meets C.

    Where cells are called as on the game's page, rows of hexagons stand at the right:
    T(4,1) is where T4 meets 1.
    """
    rows, columns = _lines(field, page=page)
    size = max(8, min(look.small, round(field.side * 0.2)))
    wide, high = look.width("H8", size) + 2, round(size * 1.3)
    made: list[tuple[Rect, str]] = []
    for text, slanting, cells in rows:
        y = cells[0].centre[1] - high // 2
        apart = round(field.side * (-0.12 if slanting else 0.1))
        x = min(cell.x for cell in cells) - apart - wide
        if text[0] == "H":
            x = max(cell.right for cell in cells) + apart
        made.append((Rect(x, y, wide, high), text))
    for text, _slanting, cells in columns:
        low = max(cells, key=lambda cell: cell.bottom)
        spot = Rect(low.centre[0] - wide // 2, low.bottom, wide, high)
        made.append((spot, text))
    return tuple(
        label(spot, text, look, name=f"along:{text}", size=size, align=Align.CENTRE,
              tone=Tone.DIM)
        for spot, text in made
    )  # fmt: skip


def _lines(field: Field, *, page: bool) -> tuple[list[Line], list[Line]]:
    """Return the rows of cells and the columns, with what they are called."""
    rows: dict[str, Line] = {}
    columns: dict[str, Line] = {}
    for sort, number in spots():
        row, x = row_and_x(sort, number)
        spot = box(field.outline((sort, number)))
        slanting = sort != HEXAGON
        text = f"{sort.upper()}{row}" if page else str(line_number(sort, row))
        rows.setdefault(text, Line(text, slanting, [])).cells.append(spot)
        if slanting:
            text = str(x) if page else column_name(x)
            columns.setdefault(text, Line(text, slanting, [])).cells.append(spot)
    return [*rows.values()], [*columns.values()]
