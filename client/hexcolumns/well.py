"""The picture of one well: what lies in it, what goes, what has come, what falls."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from client import widgets
from client.hexcolumns.bursts import Stage
from client.hexcolumns.falling import Way
from client.layout import Hexes
from client.scene import (
    Colour,
    Mark,
    Node,
    Pattern,
    Rect,
    Role,
    Shape,
    around,
    contrast,
    mix,
)
from client.theme import Look
from rules import hexcolumns
from rules.game import Seat
from rules.hexcolumns import EMPTY, Motif, State, Well

PATTERNS: Final = (
    Pattern.WEDGE,
    Pattern.GEM,
    Pattern.FUNNEL,
    Pattern.PILL,
    Pattern.DISC,
    Pattern.BOX,
)
"""A bold sign for each colour, so that colour is never alone.

Colours that are hard to tell apart have those signs that differ most.
"""

MARKS: Final = {
    Motif.PLAIN: Mark.NONE,
    Motif.SQUARE: Mark.SQUARE,
    Motif.PLUS: Mark.PLUS,
    Motif.MINUS: Mark.BAR,
    Motif.STAR: Mark.STAR,
    Motif.BOMB: Mark.BOMB,
}

PART: Final = 0.94
"""The part of its place that a hex fills."""

RIM: Final = 0.1
"""The part of a hex by which the well's body stands out around it."""


class Spots(NamedTuple):
    """Where the cells of a well are, in pixels."""

    rect: Rect
    """Round all of them."""
    columns: tuple[tuple[tuple[int, Rect], ...], ...]
    """Of each column the cells from below: their index in the well, and their place."""
    cells: Mapping[tuple[int, int], Rect]
    """By column and height."""
    places: Mapping[int, Rect]
    """By index in the well."""
    across: int
    """From column to column."""


@lru_cache(maxsize=64)
def spots_of(size: int, room: Rect) -> Spots:
    """Return the places of a well's cells in the middle of a room."""
    cells = {
        (column, height): (column, -height - max(0, column))
        for column in range(1 - size, size)
        for height in range(hexcolumns.depth(size, column))
    }
    frame = room.inset(max(1, round(room.h / (2 * size) * RIM)))
    layout = Hexes.fitted(frame, cells.values())
    spots = {cell: layout.cell(*at, PART) for cell, at in cells.items()}
    found = tuple(
        tuple(
            (hexcolumns.index(size, column, height), spots[column, height])
            for height in range(hexcolumns.depth(size, column))
        )
        for column in range(1 - size, size)
    )
    rect = around(*spots.values())
    assert rect is not None  # a well has cells
    places = dict(pair for column in found for pair in column)
    return Spots(rect, found, spots, places, layout.across)


def drawn(
    state: State, seat: Seat, room: Rect, look: Look, stage: Stage | None, *,
    shadow: bool = False, way: Way | None = None,
) -> Node:  # fmt: skip
    """Return the hexes of a well and its falling piece over them."""
    well, size = state.wells[seat], state.size
    spots = spots_of(size, room)
    piece = [
        hexagon(spots.cells[well.column, well.height + up], cell, look)
        for up, cell in enumerate(well.piece)
    ]
    kids = [
        _rim(size, room, look),
        _ground(size, room, well.cells if stage is None else stage.cells, look),
        _outlined(size, room, stage.going if stage else (), look, going=True),
        _outlined(size, room, stage.row if stage else (), look, going=False),
        _trail(way, room, spots, look),
        _shadow(well, size, room, spots, look, shown=shadow and stage is None),
        _layer(piece, room),
    ]
    return widgets.group(room, kids, clip=True)


def _layer(kids: Sequence[Node], room: Rect) -> Node:
    """Return a part of a well's picture, clipped to what is drawn in it.

    A group even where nothing is: else the whole well would be drawn anew.
    """
    rect = around(*(kid.rect for kid in kids)) or Rect(*room[:2], 0, 0)
    return widgets.group(rect, kids, clip=True)


def _trail(way: Way | None, room: Rect, spots: Spots, look: Look) -> Node:
    """Return the cells that a dropped piece has passed, fading."""
    kids: list[Node] = []
    if way is not None and way[1]:
        passed, part = way
        bg = mix(look.theme.cell, look.theme.accent, 0.4 * part)
        kids = [
            Node(
                Role.LABEL, "", spots.cells[passed.column, height], shape=Shape.FLAT,
                bg=bg, value="dropped",
            )
            for height in range(passed.low, passed.high + 1)
        ]  # fmt: skip
    return _layer(kids, room)


def _shadow(
    well: Well, size: int, room: Rect, spots: Spots, look: Look, *, shown: bool
) -> Node:
    """Return where the falling piece will land: the outlines of its hexes."""
    places = landing_places(well, size) if shown else ()
    kids = [
        Node(
            Role.LABEL, "", spots.cells[well.column, height], shape=Shape.FLAT,
            edge=look.theme.pieces[hexcolumns.colour(cell)], value="lands here",
            border=max(2, spots.across // 12),
        )
        for height, cell in zip(places, well.piece, strict=False)
    ]  # fmt: skip
    return _layer(kids, room)


def landing_places(well: Well, size: int) -> tuple[int, ...]:
    """Return the heights at which a well's falling piece will come to lie."""
    if not well.piece or well.over:
        return ()
    deep = hexcolumns.depth(size, well.column)
    start = hexcolumns.index(size, well.column, 0)
    column = well.cells[start : start + deep]
    free = column.find(EMPTY)
    if free < 0 or free + len(well.piece) > well.height:
        return ()  # the piece is there already, or covers part of it
    return tuple(range(free, free + len(well.piece)))


@lru_cache(maxsize=32)
def _outlined(
    size: int, room: Rect, cells: tuple[int, ...], look: Look, *, going: bool
) -> Node:
    """Return the outlines of hexes that go, or of a row that has come from below."""
    theme, spots = look.theme, spots_of(size, room).places
    kids = [
        Node(
            Role.LABEL, "going" if going else "", spots[index], shape=Shape.FLAT,
            bg=theme.text if going else None, border=max(2, spots[index].w // 8),
            edge=theme.accent if going else theme.latest,
            value="" if going else "risen",
        )
        for index in cells
    ]  # fmt: skip
    return _layer(kids, room)


@lru_cache(maxsize=16)
def _rim(size: int, room: Rect, look: Look) -> Node:
    """Return the body of a well: what shows between its hexes and around them.

    A group a column, like the hexes: a bar, and a wider hex behind each at the edge.
    """
    spots = spots_of(size, room)
    made: list[Node] = []
    for i, column in enumerate(spots.columns):
        cells = [spot for _index, spot in column]
        low, top = cells[0], cells[-1]
        outer = i in (0, len(spots.columns) - 1)
        wide = low.w // 2 if outer else spots.across
        bar = Rect(
            low.centre[0] - wide // 2, top.centre[1], wide,
            low.centre[1] - top.centre[1],
        )  # fmt: skip
        kids = [Node(Role.LABEL, "", bar, shape=Shape.RECT, bg=look.theme.board)]
        kids += [_wider(spot, look) for spot in (cells if outer else (low, top))]
        rect = around(*(kid.rect for kid in kids)) or room
        made.append(widgets.group(rect, kids, clip=True))
    return widgets.group(room, made)


def _wider(spot: Rect, look: Look) -> Node:
    """Return what stands out around a hex at the edge."""
    wide, high = (-max(1, round(part * RIM)) for part in (spot.w, spot.h))
    rect = spot.inset(wide, high)
    return Node(Role.LABEL, "", rect, shape=Shape.FLAT, bg=look.theme.board)


@lru_cache(maxsize=16)
def _ground(size: int, room: Rect, cells: bytes, look: Look) -> Node:
    """Return what lies in a well; it changes only when a piece lands."""
    filled = [
        bytes(cells[index] for index, _spot in column)
        for column in spots_of(size, room).columns
    ]
    return widgets.group(
        room, [_column(size, room, i, each, look) for i, each in enumerate(filled)]
    )


@lru_cache(maxsize=512)
def _column(size: int, room: Rect, column: int, cells: bytes, look: Look) -> Node:
    """Return what lies in a column, from below; the same until that changes.

    It is clipped, so that where a piece falls little is looked at.
    """
    spots = [spot for _index, spot in spots_of(size, room).columns[column]]
    kids = [hexagon(*each, look) for each in zip(spots, cells, strict=True)]
    return widgets.group(around(*spots) or room, kids, clip=True)


@lru_cache(maxsize=4096)
def hexagon(rect: Rect, cell: int, look: Look) -> Node:
    """Return a hex of a well, empty or not."""
    theme = look.theme
    if cell == EMPTY:
        return Node(Role.CELL, "", rect, shape=Shape.FLAT, bg=theme.cell)
    colour = hexcolumns.colour(cell)
    face = theme.pieces[colour]
    sign = mix(face, max(INKS, key=lambda each: contrast(each, face)), 0.82)
    return Node(
        Role.TILE, "", rect, shape=Shape.FLAT, bg=face, fg=face, edge=sign,
        border=1 if rect.w >= FRAMED else 0, pattern=PATTERNS[colour],
        mark=MARKS[hexcolumns.motif(cell)],
    )  # fmt: skip


INKS: Final[tuple[Colour, Colour]] = (0, 0, 0), (255, 255, 255)
FRAMED: Final = 12
"""Pixels of width from which on a hex has a frame."""
