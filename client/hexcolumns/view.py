"""The scene of a Hexcolumns match."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from client.app.motion import NEVER
from client.hexcolumns.bindings import called, keys_of, short
from client.hexcolumns.input import Local, Now, Press, own
from client.hexcolumns.wells import Stage, drawn, gauge, hexagon, spots_of, sway, told
from client.ui import typefaces, widgets
from client.ui.layout import columns, grid, rows
from client.ui.scene import Align, Node, Rect, Role, Shape
from client.ui.texts import _, ngettext
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from rules import hexcolumns
from rules.game import Seat
from rules.hexcolumns import HZ, TOP_LEVEL, Well

_BREADTH: Final = 0.9
"""How wide a well is, in its height."""

_KEY: Final = 60
"""Pixels at 100 %: how high keys are on a screen that stands: no thumb looks twice
while pieces fall."""

_LEFT: Final = ("pause", "radar", "rotate", "slant-left", "left")
_RIGHT: Final = ("faster", "lower", "drop", "slant-right", "right")
"""The keys at the edges of a phone that lies, downwards, what is pressed most low."""

_EDGE: Final = 132
"""Pixels at 100 %: how wide they are at most."""

SCORE: Final = "8888"
"""A score for which there is room from the first: nothing moves as points come."""

_SIDE: Final = 0.3
"""The part of the width that the others' wells take."""


def scene(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return one's own well with its buttons, and the others' beside it."""
    wells, whole = range(len(seen.view.wells)), area
    if seen.seat is None and len(wells) > 1:
        # All wells in one size, for who plays in none of them
        seats = list(range(len(seen.view.wells)))
        cells = _cells(area, seats, look)
        return widgets.group(area, _others(seen, local, cells, look), name="game")
    mine = seen.seat if seen.seat is not None else 0
    others = [seat for seat in wells if seat != mine]
    well = own(seen)
    items = [] if well is None else _buttons(well, live=seen.live)
    if look.lying and well is not None and not well.over:
        wide = min(look.px(_EDGE), area.w // 5)
        left, area, right = columns(area, [wide, 1, wide], look.px(12))
        keys = (
            *_column(left, _LEFT, items, look),
            *_column(right, _RIGHT, items, look),
        )
        items = []
    else:
        keys = ()
    side = round(area.w * _SIDE) if others else 0
    left = Rect(area.x, area.y, area.w - side - look.gap * bool(side), area.h)
    # The buttons stand below one's own well only, if that costs it no height.
    low = widgets.flow_height(items, area.w, look)
    low = 2 * look.px(_KEY) + look.gap if look.upright and items else low
    below = left if widgets.flow_height(items, left.w, look) == low else area
    foot = low + look.gap if items else 0
    main = Rect(left.x, left.y, left.w, area.h - foot)
    kids = [_main(seen, local, mine, main, look)]
    if others:
        high = area.h if below is left else main.h
        shares = _cells(Rect(area.right - side, area.y, side, high), others, look)
        kids += _others(seen, local, shares, look)
    kids += keys
    over = seen.ended or well is None or well.over
    if items and not over:  # else there is nothing to press
        row = Rect(below.x, area.bottom - low, below.w, low)
        if look.upright:
            kids += _keys(grid(row, -(-len(items) // 2), 2, look.gap), items, look)
        else:
            kids += widgets.flows(row, look, items, align=Align.CENTRE)
    return widgets.group(whole, kids, name="game")


def _column(
    area: Rect, names: Sequence[str], items: Sequence[widgets.Item], look: Look
) -> list[Node]:
    """Return some of the buttons as keys below each other."""
    known = {item[0]: item for item in items}
    wanted = [known[f"press:{name}"] for name in names]
    return _keys(rows(area, [1] * len(names), look.gap), wanted, look)


def _keys(
    spots: Sequence[Rect], items: Sequence[widgets.Item], look: Look
) -> list[Node]:
    """Return buttons that are found without being looked at."""
    made = [
        widgets.button(name, spot, text, look, tone=tone, enabled=on, means=means)
        for spot, (name, text, tone, on, means) in zip(spots, items, strict=False)
    ]
    arrows = look.title
    return [replace(key, size=arrows) if len(key.text) == 1 else key for key in made]


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
    shape = spots_of(seen.view.size, room).rect
    # One's own piece shakes where a key could do nothing.
    aside = (
        0
        if seat != seen.seat or not seen.pace
        else sway(local.refused, seen.now, look.px(6))
    )
    way = (
        None
        if seat != seen.seat or local.trail is None
        else (local.trail, local.trail.part(seen.now))
    )
    # Not at the right end: there it would stand before the name of who is beside.
    score, size = ngettext("{n} point", "{n} points", well.score), look.head
    score = score.format(n=well.score)
    wide = (look.width(text, size, bold=True) + look.gap for text in (level, score))
    _level, spot, right = columns(top, [*wide, 1])
    kids = [
        label(top, level, look, name="level", size=look.head, bold=True),
        label(spot, score, look, name=f"score:{seat}", size=size, bold=True),
        drawn(
            seen.view, seat, _swayed(seen, local, seat, room, look), look, stage,
            shadow=seat == seen.seat, way=way,
            aside=aside,
        ),
        *gauge(seen.view, seat, shape, room.x, look.head, look),
    ]  # fmt: skip
    beside = right.inset(look.gap, 0)  # of level and score: the first text with room
    for text in told(seen, local.rows):
        if look.width(text, look.body, bold=True) <= beside.w:
            kids.append(
                label(beside, text, look, name="sent", bold=True, align=Align.CENTRE)
            )
            break
    if stage is not None and stage.round > 1:
        kids.append(_chain(stage.round, room, look))
    if not well.over:
        text = _countdown(well)
        kids.append(label(low, text, look, name="countdown", align=Align.CENTRE))
    kids += _next(seen, seat, room, look)
    if local.gained:
        text = f"+{local.gained}"
        across = look.width(text, look.head, bold=True) + 2 * look.gap
        rect = Rect(
            room.right - across, room.y + look.gap, across, round(look.head * 1.6)
        )
        kids.append(widgets.badge("gained", rect, text, look.head, look))
    if well.paused or well.over:
        kids.append(_notice(seen, well, room, look))
    return widgets.group(area, kids, name=f"well:{seat}", clip=True)


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


def _others(
    seen: Now, local: Local, cells: Sequence[tuple[Seat, Rect]], look: Look
) -> list[Node]:
    """Return others' wells, all with their names on a line of their own or none."""

    def lacks(seat: Seat, area: Rect) -> bool:
        well, small = seen.view.wells[seat], look.small
        ends = max(str(well.score), SCORE, key=len), _well_state(well)
        beside = sum(look.width(end, look.body) + look.px(8) for end in ends if end)
        return look.width(seen.names[seat], small, bold=True) > area.w - beside

    apart = any(lacks(*each) for each in cells)
    return [_small(seen, local, *each, look, apart=apart) for each in cells]


def _small(
    seen: Now, local: Local, seat: Seat, area: Rect, look: Look, *, apart: bool
) -> Node:
    """Return somebody else's well, its name close above it.

    Names that have no room beside how the wells stand are on a line of their own.
    """
    well = seen.view.wells[seat]
    line = round(look.body * 1.5)
    head = 2 * line if apart else line
    room = Rect(area.x, area.y + head, area.w, area.h - head)
    shape = spots_of(seen.view.size, room).rect
    top = Rect(area.x, max(area.y, shape.y - head - look.px(4)), area.w, head)
    state = _well_state(well)
    wide = look.width(str(well.score), look.body) + look.px(4)
    shown = look.width(state, look.small) + look.px(4) if state else 2
    last = Rect(top.x, top.bottom - line, top.w, line)
    name, told, score = columns(last, [1, shown, wide], look.px(4))
    if apart:
        name = Rect(top.x, top.y, top.w, line)
    kids = [
        label(name, seen.names[seat], look, name=f"who:{seat}", bold=True),
        *([label(told, state, look, size=look.small)] if state else []),
        label(score, str(well.score), look, name=f"score:{seat}", align=Align.RIGHT),
        drawn(
            seen.view, seat, _swayed(seen, local, seat, room, look), look,
            _stage(seen, local, seat),
        ),
        *gauge(seen.view, seat, shape, room.x, look.small, look),
    ]  # fmt: skip
    return widgets.group(area, kids, name=f"well:{seat}", clip=True)


def _well_state(well: Well) -> str:
    """Return what a well waits for; empty where pieces fall."""
    if well.resigned:
        return _("resigned")
    if well.over:
        return _("full")
    return _("pause") if well.paused else ""


def _stage(seen: Now, local: Local, seat: Seat) -> Stage | None:
    """Return what is being destroyed in a well just now."""
    burst = local.bursts[seat] if seat < len(local.bursts) else None
    return None if burst is None else burst.at(seen.now)


def _swayed(seen: Now, local: Local, seat: Seat, room: Rect, look: Look) -> Rect:
    """Return where a well is drawn: it shakes for a moment when it overflows."""
    since = local.shaken[seat] if seat < len(local.shaken) else NEVER
    if seat == seen.seat and seen.pace and not seen.view.wells[seat].piece:
        since = max(since, local.refused)  # there is no piece that could shake
    return room.moved(sway(since, seen.now, look.px(6)), 0)


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
        kids.append(
            hexagon(Rect(x, caption.bottom + down * side, side, side), cell, look)
        )
    rect = Rect(x, y, side * 4, caption.h + 3 * side)
    return [widgets.group(rect, kids, name="radar")]


def _chain(links: int, room: Rect, look: Look) -> Node:
    """Return which link of a chain goes just now."""
    text, size = _("Chain {n}").format(n=links), look.title
    wide = look.width(text, size, bold=True) + 2 * look.gap
    high = round(size * 1.5)
    rect = Rect(room.right - wide, room.y + look.gap + round(look.head * 2), wide, high)
    return widgets.badge("chain", rect, text, size, look, value=str(links), latest=True)


def _notice(seen: Now, well: Well, room: Rect, look: Look) -> Node:
    """Return the sign over a well that stands still."""
    keys = keys_of("resume", seen.keys)
    text = _("Pause")
    if keys:
        text = _("Pause – {key} goes on").format(key=called(keys[0]))
    if well.over:
        text = _("The well is full")
    if well.resigned:
        text = _("resigned") if seen.seat is None else _("You resigned")
    rim = look.px(40)
    size = typefaces.fitting((text,), look.head, look.small, room.w - rim, bold=True)
    wide = look.width(text, size, bold=True) + rim
    high = round(look.head * 2.4)
    (cx, cy), theme = room.centre, look.theme
    return Node(
        Role.LABEL, "notice", Rect(cx - wide // 2, cy - high // 2, wide, high),
        text=text, shape=Shape.ROUND, radius=look.px(10), bg=theme.panel,
        fg=theme.text, edge=theme.accent, border=look.px(2), size=size, bold=True,
    )  # fmt: skip


def _buttons(well: Well, *, live: bool) -> list[widgets.Item]:
    pause = short("resume" if well.paused else "pause")
    moving, below = live and not well.paused, live and well.level < TOP_LEVEL
    items: list[widgets.Item] = [
        (f"press:{name}", short(name), Tone.PLAIN, moving, Press(name))
        for name in ("left", "right", "slant-left", "slant-right", "rotate", "lower")
    ]
    items += [
        ("press:drop", short("drop"), Tone.MAIN, moving, Press("drop")),
        ("press:radar", short("radar"), Tone.PLAIN, live, Press("radar")),
        ("press:pause", pause, Tone.PLAIN, live, Press("pause")),
        ("press:faster", short("faster"), Tone.PLAIN, below, Press("faster")),
    ]
    return items
