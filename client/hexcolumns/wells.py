"""What a landed piece destroys, one step after the other, as the rules have it.

And how the rows of others rise after it, one by one.

The state has only the quiet well that is left.  What led to it is found again by the
rules themselves: the piece is landed in every place until the same well comes of it.
The game goes on meanwhile; only what lies in the well is shown a moment later.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import sin
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct

from client.app.board import Seen
from client.ui import widgets
from client.ui.layout import Hexes
from client.ui.scene import (
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
from client.ui.sound import CHAINS, Sound
from client.ui.texts import ngettext
from client.ui.theme import Look
from client.ui.widgets import badge
from rules import hexcolumns
from rules.game import Seat
from rules.hexcolumns import EMPTY, Motif, State, Well, depth, index

STEP_SECONDS: Final = 0.26
"""How long a step is shown: what goes lights up, then it is gone."""

LONGEST: Final = 1.4
"""Seconds that all steps of one piece take at most."""


class Landing(Struct, frozen=True):
    """What has to be known of a well to tell what its next piece does."""

    landed: int
    """Pieces that have."""
    cells: bytes
    piece: bytes
    """The one that falls, in the first of its three orders; nothing between two."""
    gone: tuple[hexcolumns.Gone, ...]
    """What the last one destroyed."""
    taken: int = 0
    """Rows of others that have risen."""


class Stage(Struct, frozen=True):
    """A well as it is before a step, and what goes in it."""

    cells: bytes
    going: tuple[int, ...]
    """Indices into the well's bytes."""
    round: int
    """From 1: which link of the chain it is; 0 where a row has risen."""
    row: tuple[int, ...] = ()
    """The lowest hexes, if they have just come."""


class Burst(Struct, frozen=True):
    """The steps that a piece has set off, and when each is shown."""

    stages: tuple[Stage, ...]
    since: float
    each: float
    """Seconds that a step is shown."""

    @property
    def until(self) -> float:
        """When all of them have been shown."""
        return self.since + self.each * len(self.stages)

    def at(self, now: float) -> Stage | None:
        """Return the step shown at a time, None before and after all of them."""
        if not self.since <= now < self.until:
            return None
        return self.stages[
            min(len(self.stages) - 1, int((now - self.since) / self.each))
        ]


def landing(well: Well) -> Landing:
    """Return what to keep of a well; the same as long as no piece lands or appears."""
    turned = max((well.piece[n:] + well.piece[:n] for n in range(3)), default=b"")
    landed = well.pieces - bool(well.piece)
    return Landing(landed, well.cells, turned, well.gone, well.taken)


def burst(size: int, before: Landing, after: Landing, now: float) -> Burst | None:
    """Return what the last piece has set off, and which rows have risen since.

    None for nothing, or if it is unknown.

    Several pieces may have landed since the last look: no picture then.

    Args:
        size: Hexes on a side.
        before: The well with the piece that was to land.
        after: The well it has become.
        now: Seconds.
    """
    stages = _found(size, before, after)
    if not stages:
        return None
    return Burst(stages, now, min(STEP_SECONDS, LONGEST / len(stages)))


def _found(size: int, before: Landing, after: Landing) -> tuple[Stage, ...]:
    """Return the steps that lead from one well to another, nothing if none do."""
    rows = after.taken - before.taken
    if after.landed == before.landed:
        risen = _risen(size, before.cells, before.taken, rows)
        return risen if risen and risen[-1].cells == after.cells else ()
    if len(before.piece) != 3 or not (after.gone or rows):
        return ()
    for cells in _landed(size, before):
        for purge in (False, True):
            settled = hexcolumns.settle(size, cells, purge=purge)
            risen = _risen(size, settled.cells, before.taken, rows)
            left = risen[-1].cells if risen else settled.cells
            if (left, settled.gone) == (after.cells, after.gone):
                stages, well = list[Stage](), cells
                for step in settled.gone:
                    stages.append(Stage(well, step.cells, step.round))
                    well = hexcolumns.without(size, well, step.cells)
                return (*stages, *risen)
    return ()


def _risen(size: int, cells: bytes, taken: int, rows: int) -> tuple[Stage, ...]:
    """Return the well after each row that rises."""
    stages: list[Stage] = []
    for row in range(taken, taken + rows):
        cells, _lost = hexcolumns.raised(size, cells, row, 1)
        low = tuple(
            hexcolumns.index(size, column, 0)
            for column in range(1 - size, size)
            if column != hexcolumns.gap(size, row)
        )
        stages.append(Stage(cells, (), 0, low))
    return tuple(stages)


def _landed(size: int, before: Landing) -> Iterator[bytes]:
    """Yield the well with the piece landed in every column and order."""
    for column in range(1 - size, size):
        start = hexcolumns.index(size, column, 0)
        free = before.cells.find(0, start)
        if free < 0 or free + 3 > start + hexcolumns.depth(size, column):
            continue
        for turns in range(3):
            piece = before.piece[turns:] + before.piece[:turns]
            yield before.cells[:free] + piece + before.cells[free + 3 :]


def heard(bursts: tuple[Burst | None, ...], seat: int) -> tuple[float, Sound | None]:
    """Return since when something goes on in a seat's well, and its sound.

    The longer a chain, the higher it rises; rows alone sound otherwise.
    """
    found = bursts[seat] if 0 <= seat < len(bursts) else None
    if found is None:
        return 0.0, None
    links = max(stage.round for stage in found.stages)
    sound = CHAINS[min(links, len(CHAINS)) - 1] if links else Sound.CAPTURE
    return found.since, sound


# What is seen of a drop and of a well that overflows, from the time alone.


TRAIL_SECONDS: Final = 0.25
"""How long the way of a dropped piece is seen."""

SHAKE_SECONDS: Final = 0.5

SWINGS: Final = 55.0
"""Of a shake, in radians a second."""


class Trail(Struct, frozen=True):
    """The way that a piece was dropped."""

    column: int
    low: int
    """The lowest height that it has passed."""
    high: int
    since: float

    def part(self, now: float) -> float:
        """Return how much of it is still to be seen, from 1 to 0."""
        return max(0.0, 1 - (now - self.since) / TRAIL_SECONDS)


Way: TypeAlias = tuple[Trail, float]
"""The way of a dropped piece, and how much of it is still to be seen."""


def trail(size: int, well: Well, now: float) -> Trail | None:
    """Return the way that a well's piece takes when it is dropped; None for none."""
    if not well.piece or well.over:
        return None
    deep = depth(size, well.column)
    start = index(size, well.column, 0)
    low = well.cells[start : start + deep].find(0) + len(well.piece)
    high = min(deep - 1, well.height + len(well.piece) - 1)
    return Trail(well.column, low, high, now) if low <= high else None


PIECE: Final = 3
"""Hexes of a piece."""


def overflowed(well: Well) -> bool:
    """Tell whether a well is over because nothing fits in any more."""
    return well.over and not well.resigned


def pushed_out(view: hexcolumns.State, seat: int) -> bool:
    """Tell whether rows of others have ended a well, at its side or its top.

    A piece that lands ends it only where the next one appears: if there is room for
    that, it was a row that rose.
    """
    well, top = view.wells[seat], depth(view.size, 0) - PIECE
    room = hexcolumns.fits(view.size, well.cells, 0, top)
    return overflowed(well) and bool(well.taken) and room


def sway(since: float, now: float, most: int) -> int:
    """Return by how many pixels a well that has overflowed is off its place.

    Args:
        since: When it did; below 0 for never.
        now: Seconds.
        most: Pixels at first.
    """
    if since < 0 or not since <= now < since + SHAKE_SECONDS:
        return 0
    return round(
        most * (1 - (now - since) / SHAKE_SECONDS) * sin((now - since) * SWINGS)
    )


# The picture of one well: what lies in it, what goes, what has come, what falls.


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


def drawn(  # noqa: PLR0913 (a well has this many properties; most default)
    state: State, seat: Seat, room: Rect, look: Look, stage: Stage | None, *,
    shadow: bool = False, way: Way | None = None, aside: int = 0,
) -> Node:  # fmt: skip
    """Return the hexes of a well and its falling piece over them, so far aside."""
    well, size = state.wells[seat], state.size
    spots = spots_of(size, room)
    piece = [
        hexagon(spots.cells[well.column, well.height + up].moved(aside, 0), cell, look)
        for up, cell in enumerate(well.piece)
    ]
    # The cells that a dropped piece has passed, fading.
    passed, part = way or (None, 0.0)
    bg = mix(look.theme.cell, look.theme.accent, 0.4 * part)
    trail = [
        Node(
            Role.LABEL, "", spots.cells[passed.column, height], shape=Shape.FLAT,
            bg=bg, value="dropped",
        )
        for height in range(passed.low, passed.high + 1)
    ] if passed is not None and part else []  # fmt: skip
    kids = [
        _rim(size, room, look),
        _ground(size, room, well.cells if stage is None else stage.cells, look),
        _outlined(size, room, stage.going if stage else (), look, going=True),
        _outlined(size, room, stage.row if stage else (), look, going=False),
        _layer(trail, room),
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
        for spot in cells if outer else (low, top):
            more = (-max(1, round(part * RIM)) for part in (spot.w, spot.h))
            kids.append(
                Node(
                    Role.LABEL, "", spot.inset(*more), shape=Shape.FLAT,
                    bg=look.theme.board,
                )
            )  # fmt: skip
        rect = around(*(kid.rect for kid in kids)) or room
        made.append(widgets.group(rect, kids, clip=True))
    return widgets.group(room, made)


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


# Rows that wells send one another: how many are coming, and what is said of them.


NOTE_SECONDS: Final = 2.5
"""How long it stays in sight who has sent rows."""


class Rows(Struct, frozen=True):
    """Rows that a seat has sent to all others."""

    count: int
    seat: Seat
    since: float

    def passed(self, now: float) -> bool:
        """Tell whether they have been told of long enough."""
        return now >= self.since + NOTE_SECONDS


def sent(seen: Seen[State, Any]) -> tuple[int, ...]:
    """Return how many rows each seat has sent."""
    return tuple(well.sent for well in seen.view.wells)


def news(seen: Seen[State, Any], before: tuple[int, ...]) -> Rows | None:
    """Return the rows that were sent since a look before; the others' come first."""
    fresh = [
        Rows(now - was, seat, seen.now)
        for seat, (now, was) in enumerate(zip(sent(seen), before, strict=False))
        if now > was
    ]
    return min(fresh, key=lambda each: each.seat == seen.seat, default=None)


def told(seen: Seen[State, Any], rows: Rows | None) -> tuple[str, ...]:
    """Return who has sent rows, in fewer and fewer words; nothing for nobody."""
    if rows is None or seen.seat is None or seen.view.wells[seen.seat].over:
        return ()
    if rows.seat == seen.seat:
        text = ngettext("{n} row sent", "{n} rows sent", rows.count)
        return text.format(n=rows.count), f"{rows.count}↑"
    text = ngettext("{n} row from {name}", "{n} rows from {name}", rows.count)
    full = text.format(n=rows.count, name=seen.names[rows.seat])
    return full, _coming(rows.count), f"↑{rows.count}"


def warning(seen: Seen[State, Any]) -> str:
    """Return how many rows are to rise in one's own well; empty for none."""
    owed = 0 if seen.seat is None else coming(seen.view, seen.seat)
    if not owed:
        return ""
    text = ngettext(
        "{n} row rises in your well with the next piece.",
        "{n} rows rise in your well with the next pieces.",
        owed,
    )
    return text.format(n=owed)


def _coming(rows: int) -> str:
    return ngettext("{n} row is coming", "{n} rows are coming", rows).format(n=rows)


def coming(view: State, seat: Seat) -> int:
    """Return how many rows are to rise in a well that plays on."""
    return 0 if view.wells[seat].over else hexcolumns.owed(view, seat)


def gauge(
    view: State, seat: Seat, well: Rect, left: int, size: int, look: Look
) -> list[Node]:
    """Return the sign beside a well, at its foot: how many rows are coming.

    Args:
        view: All wells.
        seat: Whose well.
        well: Where its cells are.
        left: Where its room begins.
        size: Of the text.
        look: Colours and sizes.
    """
    owed = coming(view, seat)
    if not owed:
        return []
    text, high = f"↑{owed}", round(size * 1.5)
    wide = look.width(text, size, bold=True) + high // 2
    rect = Rect(max(left, well.x - wide), well.bottom - high, wide, high)
    said = _coming(owed)
    return [badge(f"rows:{seat}", rect, text, size, look, value=said, latest=True)]
