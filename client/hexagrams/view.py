"""The scene of a Hexagrams match: cells, stones, targets, captured stones."""

from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from client.app import motion
from client.app.board import Lying
from client.hexagrams.geometry import HIGH, WIDE, Field, Place, coordinates, spots
from client.hexagrams.input import (
    NOWHERE,
    Choose,
    Local,
    Now,
    barring,
    below,
    ends,
    mine,
    name_of,
    owner,
    targets,
)
from client.ui import tiles, widgets
from client.ui.hand import cursor
from client.ui.layout import ROOT3, box, columns, rows
from client.ui.scene import (
    Align,
    Colour,
    Mark,
    Node,
    Point,
    Rect,
    Role,
    Shape,
    mix,
    shift,
)
from client.ui.texts import _
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from rules import hexagrams
from rules.game import Seat
from rules.hexagrams import BLACK, WHITE, Resign

# The stone that has moved, on its way, and the one it took, on its way off.


SLIDE: Final = 0.34
"""Seconds of the way of a stone."""

FADE: Final = 0.45
"""Seconds until what was taken lies among the captured, from when it is reached."""


class Slide(Struct, frozen=True):
    """A move that is seen moving."""

    origin: Place
    target: Place
    done: float
    """How much of the way is behind the stone, 0 to 1."""
    taken: int | None
    """Whose stone was taken."""
    off: float
    """How much of its way off the taken stone has gone."""


NONE: Final = Slide(NOWHERE, NOWHERE, 1.0, None, 1.0)


def slide(seen: Now, local: Local) -> Slide:
    """Return the last move as it is to be seen now; `NONE` once it is over."""
    seconds = local.motion.seconds(seen)
    step = seen.past[-1] if seen.past else None
    if seconds is None or step is None or isinstance(step.move, Resign):
        return NONE
    origin, target = ends(step.move)
    taken = owner(step.before, target)
    until = SLIDE + (FADE if taken is not None else 0.0)
    if seconds >= until:
        return NONE
    done = motion.part(seconds, 0.0, SLIDE)
    return Slide(origin, target, done, taken, motion.part(seconds, SLIDE, FADE))


def busy(seen: Now, local: Local) -> bool:
    """Tell whether something moves by itself: a stone is on its way."""
    return slide(seen, local) is not NONE


ARMY: Final = {"h": 5, "t": 16}
"""How many stones of a sort each side has at first."""

SHARE: Final = {"h": 0.62, "t": 0.66}
"""How much of its cell a stone fills."""

MARKS: Final = (Mark.RING, Mark.DOT)
"""A sign for White and for Black, so that colour is never alone."""


Corners: TypeAlias = tuple[tuple[float, float], ...]

_HALF: Final = ROOT3 / 2
HEXAGON: Final[Corners] = (
    (-0.5, -_HALF), (0.5, -_HALF), (1.0, 0.0), (0.5, _HALF), (-0.5, _HALF), (-1.0, 0.0),
)  # fmt: skip
TRIANGLE: Final[Corners] = ((0.0, -0.8), (_HALF, 0.7), (-_HALF, 0.7))


class Signs(Struct, frozen=True):
    """Which cells carry which sign."""

    picked: Place
    targets: frozenset[Place]
    forced: frozenset[Place]
    """The triads that can capture, so that one of them must."""
    prey: frozenset[Place]
    """What they can capture."""
    barring: frozenset[Place]
    """The triads in the way of the hexad in question."""
    latest: tuple[Place, ...]
    """Where the last stone came from and went to."""


def signs(seen: Now, local: Local) -> Signs:
    """Return what is to be seen on the cells."""
    pairs = [ends(move) for move in hexagrams.forced(seen.view)]
    chosen = local.picked
    hovered = mine(seen) and owner(seen.view, local.over) == seen.seat
    if chosen == NOWHERE and hovered:
        chosen = local.over
    last = seen.past[-1].move if seen.past else Resign()
    return Signs(
        picked=local.picked,
        targets=targets(seen, chosen),
        forced=frozenset(origin for origin, _target in pairs),
        prey=frozenset(target for _origin, target in pairs),
        barring=barring(seen, chosen),
        latest=() if isinstance(last, Resign) else ends(last),
    )


LYING: Final = Lying(1.2, 68, 320)


def scene(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return the board, and the captured stones below and above it."""
    strip = look.px(30)
    low = Rect(area.x, area.bottom - strip, area.w, strip)
    room = Rect(area.x, area.y, area.w, area.h - strip - look.gap)
    if look.apart:
        room, _upper, low = LYING.cut(area, look)
    halves = (rows if look.apart else columns)(low, [1.0, 1.0], look.gap)
    kids = [
        _board(seen, local, room, look),
        *tuple(
            _prisoners(seen, seat, half, look)
            for seat, half in zip((WHITE, BLACK), halves, strict=True)
        ),
    ]
    return widgets.group(area, kids, name="game")


def standing(_seen: Now, wide: int, look: Look) -> int:
    """Return how high all is on a phone held upright whose width the board fills."""
    board = (wide - 2 * look.px(16)) * HIGH / WIDE + 2 * look.px(13)
    return round(board) + look.px(30) + look.gap


def _board(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    field = Field.fitted(area.inset(look.px(16), look.px(13)), below(seen))
    shown = signs(seen, local)
    dark = mix(look.theme.board, look.theme.line, 0.5)  # shows between the cells
    parts = {"h": 1.03, "t": 1.06}
    under = [
        replace(
            _polygon("", field.outline(place, parts[place[0]]), dark), role=Role.LABEL
        )
        for place in spots()
    ]
    faces = [_cell(seen, local, field, place, shown, look) for place in spots()]
    moving = slide(seen, local)
    stones = [
        _stone(seen, field, place, shown, look)
        for place in spots()
        if owner(seen.view, place) is not None and place != moving.target
    ]
    if owner(seen.view, moving.target) is not None:
        stones += _on_its_way(seen, field, moving, shown, look)
    dots = [_dot(seen, field, place, look) for place in shown.targets]
    named = coordinates(field, look, page=tiles.as_on_page())
    kids = [*named, *under, *faces, *stones, *dots]
    if local.at != NOWHERE:
        wide, corners = max(3, round(field.side / 20)), field.outline(local.at, 0.96)
        kids.append(cursor(corners, wide, look, value=name_of(local.at)))
    return widgets.group(area, kids, name="board")


def _polygon(name: str, points: tuple[Point, ...], bg: Colour | None) -> Node:
    return Node(Role.CELL, name, box(points), shape=Shape.POLYGON, points=points, bg=bg)


def _cell(
    seen: Now, local: Local, field: Field, place: Place, shown: Signs, look: Look
) -> Node:
    """Return a cell, with its name small while nothing stands on it."""
    theme = look.theme
    bg = theme.cell if place[0] == "h" else mix(theme.cell, theme.board, 0.55)
    edge, border = None, 0
    wide = max(2, round(field.side / 26))
    if place in shown.latest:
        bg = mix(bg, theme.latest, 0.28)
    if place in shown.targets:
        bg = mix(bg, theme.accent, 0.3)
        edge, border = theme.accent, wide
    elif place in shown.prey and mine(seen):
        edge, border = theme.bad, wide
    face = _polygon(f"cell:{place[0]}{place[1]}", field.outline(place, 0.96), bg)
    holder = owner(seen.view, place)
    who = "" if holder is None else ("white", "black")[holder]
    value = " ".join(filter(None, (name_of(place), who)))
    kids: tuple[Node, ...] = ()
    if holder is None and place not in shown.targets and field.side > 40:
        kids = (_caption(field, place, bg, look),)
    return replace(
        face, edge=edge, border=border, value=value, live=True, drop=True,
        means=Choose(place),
        fg=widgets.ink(bg, look), kids=kids,
    )  # fmt: skip


def _caption(field: Field, place: Place, bg: Colour, look: Look) -> Node:
    """Return a cell's name in its middle; of the page's only the numbers."""
    text = name_of(place)
    if tiles.as_on_page():
        text = text[1:].strip("()")
    size = max(8, round(field.side * (0.17 if place[0] == "h" else 0.15)))
    x, y = field.middle(place)
    wide, high = look.width(text, size) + 4, round(size * 1.4)
    spot = Rect(round(x) - wide // 2, round(y) - high // 2, wide, high)
    ink = widgets.ink(bg, look)
    quiet = mix(ink, bg, 0.1)
    return label(spot, text, look, size=size, align=Align.CENTRE, colour=quiet)


def paint(seat: Seat, look: Look) -> tuple[Colour, Colour]:
    """Return a seat's colour and that of its stones' edge."""
    theme = look.theme
    white, black = theme.players[2], theme.tile_text
    return (white, black) if seat == WHITE else (black, white)


def _stone(seen: Now, field: Field, place: Place, shown: Signs, look: Look) -> Node:
    """Return a stone: the shape of its cell, smaller, with its side's sign."""
    holder = owner(seen.view, place)
    assert holder is not None  # callers pass only cells with a stone
    theme = look.theme
    bg, edge = paint(holder, look)
    wide = max(2, round(field.side / 30))
    own = holder == seen.seat
    if place == shown.picked:
        edge, wide = theme.focus, max(4, wide * 2)
    elif place in shown.forced and own and mine(seen):
        edge, wide = theme.bad, max(4, wide * 2)
    elif place in shown.barring:
        edge, wide = theme.latest, max(4, wide * 2)
    points = field.outline(place, SHARE[place[0]])
    x, y = field.middle(place)
    side = max(6, round(field.side * (0.34 if place[0] == "h" else 0.17)))
    spot = Rect(round(x) - side // 2, round(y) - side // 2, side, side)
    sign = Node(Role.LABEL, "", spot, mark=MARKS[holder], fg=paint(holder, look)[1])
    sort = "hexad" if place[0] == "h" else "triad"
    words = [("white", "black")[holder], sort]
    if place in shown.forced:
        words.append("must capture")
    if place in shown.barring:
        words.append("in the way")
    return Node(
        Role.TILE, f"tile:{place[0]}{place[1]}", box(points), shape=Shape.POLYGON,
        points=points, bg=bg, fg=paint(holder, look)[1], edge=edge, border=wide,
        kids=(sign,), value=" ".join(words), live=True, drag=own, drop=not own,
        means=Choose(place),
        selected=place == shown.picked,
    )  # fmt: skip


def _on_its_way(
    seen: Now, field: Field, moving: Slide, shown: Signs, look: Look
) -> list[Node]:
    """Return a stone between two cells, and the one it took, fading as it leaves."""
    (x, y), (fx, fy) = field.middle(moving.target), field.middle(moving.origin)
    back = 1 - moving.done
    stone = _stone(seen, field, moving.target, shown, look)
    found = [shift(stone, round((fx - x) * back), round((fy - y) * back))]
    if moving.taken is None:
        return found
    bg, edge = paint(moving.taken, look)
    points = field.outline(moving.target, SHARE[moving.target[0]])
    taken = Node(
        Role.LABEL, "", box(points), shape=Shape.POLYGON, points=points, bg=bg,
        edge=edge, border=max(2, round(field.side / 30)), value="taken",
        ghost=moving.done >= 1,
    )  # fmt: skip
    away = round(field.side * moving.off)
    return [shift(taken, 0, away), *found]


def _dot(seen: Now, field: Field, place: Place, look: Look) -> Node:
    """Return the sign of a legal target: a dot, or a cross on what would be taken."""
    x, y = field.middle(place)
    taken = owner(seen.view, place) is not None
    side = max(10, round(field.side * (0.26 if taken else 0.2)))
    spot = Rect(round(x) - side // 2, round(y) - side // 2, side, side)
    theme = look.theme
    return Node(
        Role.LABEL, f"target:{place[0]}{place[1]}", spot, shape=Shape.CIRCLE,
        bg=theme.bad if taken else theme.accent, fg=theme.panel,
        mark=Mark.CROSS if taken else Mark.NONE, value="capture" if taken else "move",
        edge=theme.panel if taken else None, border=1 if taken else 0,
    )  # fmt: skip


def lost(seen: Now, seat: Seat) -> tuple[int, int]:
    """Return how many hexads and triads a side has lost."""
    view = seen.view
    hexads = ARMY["h"] - view.hexads[seat].bit_count()
    return hexads, ARMY["t"] - view.triads[seat].bit_count()


def _prisoners(seen: Now, seat: Seat, area: Rect, look: Look) -> Node:
    """Return the stones that a side has lost, small and in a row."""
    hexads, triads = lost(seen, seat)
    text = (_("White lost:"), _("Black lost:"))[seat]
    wide = look.width(text, look.small) + look.gap
    head, room = columns(area, [max(2, wide), 1.0])
    kids = [label(head, text, look, size=look.small, tone=Tone.DIM)]
    bg, edge = paint(seat, look)
    step = min(area.h * 0.8, (room.w - 3) / max(1, hexads + triads))
    for i in range(hexads + triads):
        radius = step * (0.48 if i < hexads else 0.55)
        middle = (room.x + (i + 0.5) * step, area.y + area.h / 2)
        corners = HEXAGON if i < hexads else TRIANGLE
        cx, cy = middle
        points = tuple(
            (round(cx + x * radius), round(cy + y * radius)) for x, y in corners
        )
        kids.append(
            Node(
                Role.LABEL, "", box(points), shape=Shape.POLYGON, points=points,
                bg=bg, edge=edge, border=look.px(1),
            )
        )  # fmt: skip
    return Node(
        Role.PANEL, f"captured:{seat}", area, kids=tuple(kids),
        value=f"{hexads} hexads, {triads} triads",
    )  # fmt: skip
