"""The scene of a Hexcolumns match."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from client import widgets
from client.hexcolumns.bindings import called, keys_of, short
from client.hexcolumns.bursts import Stage
from client.hexcolumns.falling import Way, sway
from client.hexcolumns.input import Local, Now, own
from client.layout import Hexes, columns, grid
from client.motion import NEVER
from client.scene import (
    Align,
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
from client.texts import _
from client.theme import Look
from client.widgets import Tone, label
from rules import hexcolumns
from rules.game import Seat
from rules.hexcolumns import EMPTY, HZ, TOP_LEVEL, Motif, State, Well

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

_BREADTH: Final = 0.9
"""How wide a well is, in its height."""

_SIDE: Final = 0.3
"""The part of the width that the others' wells take."""


def scene(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return one's own well with its buttons, and the others' beside it."""
    wells = range(len(seen.view.wells))
    if seen.seat is None and len(wells) > 1:
        return widgets.group(area, _alike(seen, local, area, look), name="game")
    mine = seen.seat if seen.seat is not None else 0
    others = [seat for seat in wells if seat != mine]
    well = own(seen)
    items = [] if well is None else _buttons(well)
    side = round(area.w * _SIDE) if others else 0
    left = Rect(area.x, area.y, area.w - side - look.gap * bool(side), area.h)
    # The buttons stand below one's own well only, if that costs it no height.
    low = widgets.flow_height(items, area.w, look)
    below = left if widgets.flow_height(items, left.w, look) == low else area
    foot = low + look.gap if items else 0
    main = Rect(left.x, left.y, left.w, area.h - foot)
    kids = [_main(seen, local, mine, main, look)]
    if others:
        high = area.h if below is left else main.h
        shares = _cells(Rect(area.right - side, area.y, side, high), others, look)
        kids += [_small(seen, local, *each, look) for each in shares]
    if well is not None and not well.over:  # else there is nothing to press
        row = Rect(below.x, area.bottom - low, below.w, low)
        kids += widgets.flows(row, look, items, align=Align.CENTRE)
    return widgets.group(area, kids, name="game")


def _alike(seen: Now, local: Local, area: Rect, look: Look) -> list[Node]:
    """Return all wells in one size, for who plays in none of them."""
    seats = list(range(len(seen.view.wells)))
    cells = _cells(area, seats, look)
    return [_small(seen, local, *each, look) for each in cells]


def _cells(area: Rect, seats: list[Seat], look: Look) -> list[tuple[Seat, Rect]]:
    """Return where wells stand in a room: in so many columns that they are largest."""

    def cut(across: int) -> tuple[Rect, ...]:
        return grid(area, across, -(-len(seats) // across), look.gap)

    def size(across: int) -> float:
        room = cut(across)[0]
        return min(room.w / _BREADTH, room.h - round(look.body * 1.5))

    best = max(range(1, len(seats) + 1), key=size)
    return list(zip(seats, cut(best), strict=False))


def _main(seen: Now, local: Local, seat: Seat, area: Rect, look: Look) -> Node:
    """Return the well that is played here, with its level and countdown."""
    well = seen.view.wells[seat]
    head = round(look.head * 1.6)
    top = Rect(area.x, area.y, area.w, head)
    low = Rect(area.x, area.bottom - head, area.w, head)
    room = Rect(area.x, top.bottom, area.w, low.y - top.bottom)
    level, stage = _("Level {n}").format(n=well.level), _stage(seen, local, seat)
    kids = [
        label(top, level, look, name="level", size=look.head, bold=True),
        label(
            top, str(well.score), look, name=f"score:{seat}", size=look.head,
            bold=True, align=Align.RIGHT,
        ),
        _well(
            seen.view, seat, _swayed(seen, local, seat, room, look), look, stage,
            shadow=seat == seen.seat, way=_way(seen, local, seat),
        ),
    ]  # fmt: skip
    if stage is not None and stage.round > 1:
        kids.append(_chain(stage.round, room, look))
    if not well.over:
        text = _countdown(well)
        kids.append(label(low, text, look, name="countdown", align=Align.CENTRE))
    kids += _next(seen, seat, room, look)
    if local.gained:
        kids.append(_gained(local.gained, room, look))
    if well.paused or well.over:
        kids.append(_notice(seen, well, room, look))
    return replace(widgets.group(area, kids, name=f"well:{seat}"), clip=True)


def _countdown(well: Well) -> str:
    """Return how long the level lasts, or that no other comes."""
    if well.clock:
        seconds = -(-well.clock // HZ)
        if well.level == TOP_LEVEL:
            return _("{n} s, the last level").format(n=seconds)
        return _("{n} s to the next level").format(n=seconds)
    if well.level == TOP_LEVEL:
        return _("The last level")
    return _("The next level comes with the next piece")


def _small(seen: Now, local: Local, seat: Seat, area: Rect, look: Look) -> Node:
    """Return somebody else's well, its name close above it."""
    well = seen.view.wells[seat]
    head = round(look.body * 1.5)
    room = Rect(area.x, area.y + head, area.w, area.h - head)
    shape = _spots(seen.view.size, room).rect
    top = Rect(area.x, max(area.y, shape.y - head - look.px(4)), area.w, head)
    state = _well_state(well)
    wide = look.width(str(well.score), look.body) + look.px(4)
    shown = look.width(state, look.small) + look.px(4) if state else 2
    name, told, score = columns(top, [1, shown, wide], look.px(4))
    kids = [
        label(name, seen.names[seat], look, bold=True),
        *([label(told, state, look, size=look.small)] if state else []),
        label(score, str(well.score), look, name=f"score:{seat}", align=Align.RIGHT),
        _well(
            seen.view, seat, _swayed(seen, local, seat, room, look), look,
            _stage(seen, local, seat),
        ),
    ]  # fmt: skip
    return replace(widgets.group(area, kids, name=f"well:{seat}"), clip=True)


def _well_state(well: Well) -> str:
    """Return what there is to say of a well besides its score."""
    if well.resigned:
        return _("gave up")
    if well.over:
        return _("full")
    return _("pause") if well.paused else ""


class Spots(NamedTuple):
    """Where the cells of a well are, in pixels."""

    rect: Rect
    """Round all of them."""
    columns: tuple[tuple[tuple[int, Rect], ...], ...]
    """Of each column the cells from below: their index in the well, and their place."""
    cells: Mapping[tuple[int, int], Rect]
    """By column and height."""
    across: int
    """From column to column."""


@lru_cache(maxsize=64)
def _spots(size: int, room: Rect) -> Spots:
    """Return the places of a well's cells in the middle of a room."""
    cells = {
        (column, height): (column, -height - max(0, column))
        for column in range(1 - size, size)
        for height in range(hexcolumns.depth(size, column))
    }
    frame = room.inset(max(1, round(room.h / (2 * size) * RIM)))
    layout = Hexes.fitted(frame, cells.values(), flat=True)
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
    return Spots(rect, found, spots, layout.across)


def _stage(seen: Now, local: Local, seat: Seat) -> Stage | None:
    """Return what is being destroyed in a well just now."""
    burst = local.bursts[seat] if seat < len(local.bursts) else None
    return None if burst is None else burst.at(seen.now)


def _well(
    state: State, seat: Seat, room: Rect, look: Look, stage: Stage | None, *,
    shadow: bool = False, way: Way | None = None,
) -> Node:  # fmt: skip
    """Return the hexes of a well and its falling piece over them."""
    well, size = state.wells[seat], state.size
    spots = _spots(size, room)
    piece = [
        _hex(spots.cells[well.column, well.height + up], cell, look)
        for up, cell in enumerate(well.piece)
    ]
    # A group even where nothing falls: else the whole well would be drawn anew.
    rect = around(*(hexagon.rect for hexagon in piece)) or Rect(*room[:2], 0, 0)
    kids = [
        _rim(size, room, look),
        _ground(size, room, well.cells if stage is None else stage.cells, look),
        _going(size, room, () if stage is None else stage.going, look),
        _trail(way, room, spots, look),
        _shadow(well, size, room, spots, look, shown=shadow and stage is None),
        replace(widgets.group(rect, piece), clip=True),
    ]
    return replace(widgets.group(room, kids), clip=True)


def _way(seen: Now, local: Local, seat: Seat) -> Way | None:
    """Return the way of the piece dropped last in one's own well, while it is seen."""
    if seat != seen.seat or local.trail is None:
        return None
    return local.trail, local.trail.part(seen.now)


def _swayed(seen: Now, local: Local, seat: Seat, room: Rect, look: Look) -> Rect:
    """Return where a well is drawn: it shakes for a moment when it overflows."""
    since = local.shaken[seat] if seat < len(local.shaken) else NEVER
    return room.moved(sway(since, seen.now, look.px(6)), 0)


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
    rect = around(*(kid.rect for kid in kids)) or Rect(*room[:2], 0, 0)
    return replace(widgets.group(rect, kids), clip=True)


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
    rect = around(*(kid.rect for kid in kids)) or Rect(*room[:2], 0, 0)
    return replace(widgets.group(rect, kids), clip=True)


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


@lru_cache(maxsize=16)
def _going(size: int, room: Rect, going: tuple[int, ...], look: Look) -> Node:
    spots = {i: s for column in _spots(size, room).columns for i, s in column}
    theme = look.theme
    kids = [
        Node(
            Role.LABEL, "going", spots[index], shape=Shape.FLAT, bg=theme.text,
            edge=theme.accent, border=max(2, spots[index].w // 8),
        )
        for index in going
    ]  # fmt: skip
    rect = around(*(kid.rect for kid in kids)) or Rect(*room[:2], 0, 0)
    return replace(widgets.group(rect, kids), clip=True)


@lru_cache(maxsize=16)
def _rim(size: int, room: Rect, look: Look) -> Node:
    """Return the body of a well: what shows between its hexes and around them.

    A group a column, like the hexes: a bar, and a wider hex behind each at the edge.
    """
    spots = _spots(size, room)
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
        made.append(replace(widgets.group(rect, kids), clip=True))
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
        for column in _spots(size, room).columns
    ]
    return widgets.group(
        room, [_column(size, room, i, each, look) for i, each in enumerate(filled)]
    )


@lru_cache(maxsize=512)
def _column(size: int, room: Rect, column: int, cells: bytes, look: Look) -> Node:
    """Return what lies in a column, from below; the same until that changes.

    It is clipped, so that where a piece falls little is looked at.
    """
    spots = [spot for _index, spot in _spots(size, room).columns[column]]
    kids = [_hex(*each, look) for each in zip(spots, cells, strict=True)]
    return replace(widgets.group(around(*spots) or room, kids), clip=True)


@lru_cache(maxsize=4096)
def _hex(rect: Rect, cell: int, look: Look) -> Node:
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


def _next(seen: Now, seat: Seat, room: Rect, look: Look) -> list[Node]:
    """Return the piece that comes next, if the radar of one's own well shows it."""
    piece = hexcolumns.next_piece(seen.view, seat) if seat == seen.seat else b""
    if not piece:
        return []
    side = max(18, room.h // 14)
    x, y = room.x + look.gap, room.y + look.gap
    caption = Rect(x, y, side * 4, round(look.small * 1.5))
    kids = [label(caption, _("next"), look, size=look.small, tone=Tone.DIM)]
    for down, cell in enumerate(reversed(piece)):
        kids.append(_hex(Rect(x, caption.bottom + down * side, side, side), cell, look))
    rect = Rect(x, y, side * 4, caption.h + 3 * side)
    return [widgets.group(rect, kids, name="radar")]


def _chain(links: int, room: Rect, look: Look) -> Node:
    """Return which link of a chain goes just now."""
    text, size = _("Chain {n}").format(n=links), look.title
    wide = look.width(text, size, bold=True) + 2 * look.gap
    high = round(size * 1.5)
    rect = Rect(room.right - wide, room.y + look.gap + round(look.head * 2), wide, high)
    theme = look.theme
    return Node(
        Role.LABEL, "chain", rect, text=text, value=str(links), shape=Shape.ROUND,
        radius=high // 2, bg=theme.panel, fg=theme.latest, size=size, bold=True,
        edge=theme.latest, border=look.px(2),
    )  # fmt: skip


def _gained(points: int, room: Rect, look: Look) -> Node:
    """Return what the last landed piece brought."""
    text = f"+{points}"
    wide = look.width(text, look.head, bold=True) + 2 * look.gap
    rect = Rect(room.right - wide, room.y + look.gap, wide, round(look.head * 1.6))
    theme = look.theme
    return Node(
        Role.LABEL, "gained", rect, text=text, value=text, shape=Shape.ROUND,
        radius=rect.h // 2, bg=theme.accent, fg=theme.on_accent, size=look.head,
        bold=True,
    )  # fmt: skip


def _notice(seen: Now, well: Well, room: Rect, look: Look) -> Node:
    """Return the sign over a well that stands still."""
    keys = keys_of("resume", seen.keys)
    text = _("Pause")
    if keys:
        text = _("Pause - {key} goes on").format(key=called(keys[0]))
    if well.over:
        text = _("The well is full")
    if well.resigned:
        text = _("gave up") if seen.seat is None else _("You gave up")
    size, rim = look.head, look.px(40)
    while size > look.small and look.width(text, size, bold=True) + rim > room.w:
        size -= 1
    wide = look.width(text, size, bold=True) + rim
    high = round(look.head * 2.4)
    (cx, cy), theme = room.centre, look.theme
    return Node(
        Role.LABEL, "notice", Rect(cx - wide // 2, cy - high // 2, wide, high),
        text=text, shape=Shape.ROUND, radius=look.px(10), bg=theme.panel,
        fg=theme.text, edge=theme.accent, border=look.px(2), size=size, bold=True,
    )  # fmt: skip


def _buttons(well: Well) -> list[widgets.Item]:
    moving = not well.paused
    pause = short("pause" if moving else "resume")
    items = [
        (f"press:{name}", short(name), Tone.PLAIN, moving)
        for name in ("left", "right", "slant-left", "slant-right", "rotate", "lower")
    ]
    items += [
        ("press:drop", short("drop"), Tone.MAIN, moving),
        ("press:radar", short("radar"), Tone.PLAIN, True),
        ("press:pause", pause, Tone.PLAIN, True),
        ("press:faster", short("faster"), Tone.PLAIN, well.level < TOP_LEVEL),
    ]
    return items
