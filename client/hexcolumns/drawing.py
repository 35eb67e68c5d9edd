"""The scene of a Hexcolumns match."""

from functools import lru_cache
from typing import Final

from client import widgets
from client.hexcolumns.acting import Local, Now, own
from client.layout import Hexes, rows
from client.scene import Align, Mark, Node, Pattern, Rect, Role, Shape, mix
from client.texts import _
from client.theme import Look
from client.widgets import Tone, label
from rules import hexcolumns
from rules.game import Seat
from rules.hexcolumns import EMPTY, HZ, Motif, State, Well

PATTERNS: Final = (
    Pattern.RIM,
    Pattern.DOTS,
    Pattern.RISING,
    Pattern.FALLING,
    Pattern.LEVEL,
    Pattern.UPRIGHT,
)
"""A texture for each colour, so that colour is never alone."""

MARKS: Final = {
    Motif.PLAIN: Mark.NONE,
    Motif.SQUARE: Mark.SQUARE,
    Motif.PLUS: Mark.PLUS,
    Motif.MINUS: Mark.BAR,
    Motif.STAR: Mark.STAR,
    Motif.BOMB: Mark.BOMB,
}

_SIDE: Final = 0.3
"""Of the width: what the others' wells take."""


def scene(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return one's own well with its buttons, and the others' beside it."""
    wells = range(len(seen.view.wells))
    mine = seen.seat if seen.seat is not None else 0
    others = [seat for seat in wells if seat != mine]
    foot = look.row + look.gap if seen.seat is not None else 0
    side = round(area.w * _SIDE) if others else 0
    main = Rect(area.x, area.y, area.w - side - look.gap * bool(side), area.h - foot)
    kids = [_main(seen, local, mine, main, look)]
    if others:
        right = Rect(area.right - side, area.y, side, area.h - foot)
        shares = rows(right, [1.0] * len(others), look.gap)
        kids += [
            _small(seen, seat, rect, look)
            for seat, rect in zip(others, shares, strict=True)
        ]
    if seen.seat is not None:
        row = Rect(area.x, area.bottom - look.row, area.w, look.row)
        kids += _buttons(seen, row, look)
    return widgets.group(area, kids, name="game")


def _main(seen: Now, local: Local, seat: Seat, area: Rect, look: Look) -> Node:
    """Return the well that is played here, with its level and countdown."""
    well = seen.view.wells[seat]
    head = round(look.head * 1.6)
    top = Rect(area.x, area.y, area.w, head)
    low = Rect(area.x, area.bottom - head, area.w, head)
    room = Rect(area.x, top.bottom, area.w, low.y - top.bottom)
    level = _("Level {n}").format(n=well.level)
    seconds = -(-well.clock // HZ)
    countdown = _("{n} s to the next level").format(n=seconds)
    kids = [
        label(top, level, look, name="level", size=look.head, bold=True),
        label(
            top, str(well.score), look, name=f"score:{seat}", size=look.head,
            bold=True, align=Align.RIGHT,
        ),
        _well(seen.view, seat, room, look),
        label(low, countdown, look, name="countdown", align=Align.CENTRE),
    ]  # fmt: skip
    kids += _next(seen, seat, room, look)
    if local.gained:
        kids.append(_gained(local.gained, room, look))
    if well.paused or well.over:
        kids.append(_notice(well, room, look))
    return widgets.group(area, kids, name=f"well:{seat}")


def _small(seen: Now, seat: Seat, area: Rect, look: Look) -> Node:
    """Return somebody else's well."""
    well = seen.view.wells[seat]
    head = round(look.body * 1.5)
    top, room = rows(area, [float(head), 1.0])
    state = _well_state(well)
    text = f"{seen.names[seat]}  {state}" if state else seen.names[seat]
    kids = [
        label(top, text, look, bold=True),
        label(top, str(well.score), look, name=f"score:{seat}", align=Align.RIGHT),
        _well(seen.view, seat, room, look),
    ]
    return widgets.group(area, kids, name=f"well:{seat}")


def _well_state(well: Well) -> str:
    """Return what there is to say of a well besides its score."""
    if well.resigned:
        return _("gave up")
    if well.over:
        return _("full")
    return _("pause") if well.paused else ""


@lru_cache(maxsize=64)
def _spots(size: int, room: Rect) -> tuple[Hexes, dict[tuple[int, int], Rect]]:
    """Return the layout of a well in a room, and the place of each cell."""
    cells = {
        (column, height): (column, -height - max(0, column))
        for column in range(1 - size, size)
        for height in range(hexcolumns.depth(size, column))
    }
    layout = Hexes.fitted(room, cells.values(), flat=True)
    return layout, {cell: layout.cell(*at, 0.94) for cell, at in cells.items()}


def _well(state: State, seat: Seat, room: Rect, look: Look) -> Node:
    """Return the hexes of a well and its falling piece."""
    well, size = state.wells[seat], state.size
    _layout, spots = _spots(size, room)
    falling = {
        (well.column, well.height + up): cell for up, cell in enumerate(well.piece)
    }
    kids = [
        _hex(spot, falling.get(at) or well.cells[hexcolumns.index(size, *at)], look)
        for at, spot in spots.items()
    ]
    return widgets.group(room, kids)


def _hex(rect: Rect, cell: int, look: Look) -> Node:
    """Return a hex of a well, empty or not."""
    theme = look.theme
    if cell == EMPTY:
        return Node(Role.CELL, "", rect, shape=Shape.FLAT, bg=theme.cell)
    colour = hexcolumns.colour(cell)
    face = theme.pieces[colour]
    return Node(
        Role.TILE, "", rect, shape=Shape.FLAT, bg=face, fg=widgets.ink(face, look),
        edge=mix(face, (0, 0, 0), 0.4), border=1, pattern=PATTERNS[colour],
        mark=MARKS[hexcolumns.motif(cell)],
    )  # fmt: skip


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


def _notice(well: Well, room: Rect, look: Look) -> Node:
    """Return the sign over a well that stands still."""
    text = _("The well is full") if well.over else _("Pause - Enter goes on")
    if well.resigned:
        text = _("You gave up")
    wide = look.width(text, look.head, bold=True) + look.px(40)
    high = round(look.head * 2.4)
    (cx, cy), theme = room.centre, look.theme
    return Node(
        Role.LABEL, "notice", Rect(cx - wide // 2, cy - high // 2, wide, high),
        text=text, shape=Shape.ROUND, radius=look.px(10), bg=theme.panel,
        fg=theme.text, edge=theme.accent, border=look.px(2), size=look.head, bold=True,
    )  # fmt: skip


def _buttons(seen: Now, row: Rect, look: Look) -> tuple[Node, ...]:
    """Return the buttons that do by mouse what the keys do."""
    well = own(seen)
    live = well is not None and not well.over
    moving = live and well is not None and not well.paused
    items = [
        ("press:left", "←", Tone.PLAIN, moving),
        ("press:right", "→", Tone.PLAIN, moving),
        ("press:slant-left", "↙", Tone.PLAIN, moving),
        ("press:slant-right", "↘", Tone.PLAIN, moving),
        ("press:rotate", _("Rotate"), Tone.PLAIN, moving),
        ("press:lower", "↓", Tone.PLAIN, moving),
        ("press:drop", _("Drop"), Tone.MAIN, moving),
        ("press:radar", _("Radar"), Tone.PLAIN, live),
        (
            "press:pause",
            _("Go on") if live and not moving else _("Pause"),
            Tone.PLAIN,
            live,
        ),
        ("press:faster", _("Level +"), Tone.PLAIN, live),
    ]
    return widgets.flow(row, look, items, align=Align.CENTRE)
