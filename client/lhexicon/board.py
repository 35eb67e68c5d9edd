"""The board of hexagons with letters, marks, traps and the cursor."""

from collections.abc import Mapping
from functools import lru_cache
from math import hypot
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.app import motion
from client.lhexicon import pieces
from client.lhexicon.keyboard import COMPASS
from client.lhexicon.local import (
    AtCell,
    AtTile,
    Local,
    Now,
    Phase,
    face_of,
    idle,
    letter_at,
    must,
    phase,
    points_of,
    swappable,
    trapped,
)
from client.ui import widgets
from client.ui.hand import cursor
from client.ui.layout import Hexes, box
from client.ui.scene import (
    Align,
    Mark,
    Node,
    Pattern,
    Point,
    Rect,
    Role,
    Shape,
    mix,
    outline,
)
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from rules import hexes, lhexicon
from rules.lhexicon import EMPTY, Lay, State, cells
from rules.lhexicon.judging import TRAP_POINTS as POINTS

# Traps that the last word has closed: they fill ring by ring, away from the word.


STEP: Final = 0.14
"""Seconds from one ring to the next."""

GLOW: Final = 0.5
"""Seconds that a cell stands out after it was closed."""


@lru_cache(maxsize=8)
def _rings(before: State, after: State, cells: tuple[int, ...]) -> dict[int, int]:
    """Return the ring of each cell that has become part of a trap."""
    old = {cell for group in lhexicon.traps(before) for cell in group}
    new = {cell for group in lhexicon.traps(after) for cell in group} - old
    every = hexes.hexagon(after.options.side)
    return {
        cell: min(hexes.distance(every[cell], every[each]) for each in cells)
        for cell in new
    }


def rings(seen: Now) -> Mapping[int, int]:
    """Return the ring of each cell of the traps that the last move closed."""
    step = seen.past[-1] if seen.past else None
    if step is None or not isinstance(step.move, Lay) or not step.move.laid:
        return {}
    laid = tuple(each.cell for each in step.move.laid)
    return _rings(step.before, seen.view, laid)


def glowing(seen: Now, local: Local) -> Mapping[int, float]:
    """Return how much each cell of a closing trap stands out, 1 to 0.

    Cells that the rings have not reached yet are -1: they still look open.
    """
    seconds = local.motion.seconds(seen)
    if seconds is None:
        return {}
    found = rings(seen)
    last = max(found.values(), default=0) * STEP + GLOW
    if seconds >= last:
        return {}
    return {
        cell: -1.0
        if seconds < (ring - 1) * STEP
        else 1 - motion.part(seconds, (ring - 1) * STEP, GLOW)
        for cell, ring in found.items()
    }


def busy(seen: Now, local: Local) -> bool:
    """Tell whether something moves by itself: a trap closes."""
    return bool(glowing(seen, local))


class Signs(Struct, frozen=True):
    """Which cells carry which sign."""

    path: tuple[int, ...]
    must: frozenset[int]
    """Earlier letters that the word has to use."""
    gains: frozenset[int]
    """Cells of the traps that the letters laid close or split."""
    traps: frozenset[int]
    """Cells of the traps there are."""
    latest: frozenset[int]
    """Cells that the last word filled."""
    wrong: tuple[int, ...]
    blanks: frozenset[int]
    """Cells of blanks that can be picked up now."""
    closing: Mapping[int, float]
    """How much the cells of a closing trap stand out; below 0 those still open."""


def signs(seen: Now, local: Local) -> Signs:
    """Return what is to be seen on the cells."""
    gain = trapped(seen, local)
    return Signs(
        path=local.path,
        must=must(seen, local),
        gains=frozenset(c for group in (*gain.closed, *gain.split) for c in group),
        traps=frozenset(c for group in lhexicon.traps(seen.view) for c in group),
        latest=latest(seen),
        wrong=local.wrong,
        closing=glowing(seen, local),
        blanks=frozenset(
            each.cell for each in (swappable(seen) if idle(seen, local) else ())
        ),
    )


def latest(seen: Now) -> frozenset[int]:
    """Return the cells that the last word filled, if its letters still lie there."""
    for step in reversed(seen.past):
        if isinstance(step.move, Lay):
            letters = seen.view.letters
            spots = (each.cell for each in step.move.laid)
            return frozenset(cell for cell in spots if letters[cell] != EMPTY)
    word = seen.view.announced
    return frozenset(each.cell for each in word.laid) if word else frozenset()


def board(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return the board with all that lies on it."""
    side = seen.view.options.side
    all_ = hexes.hexagon(side)
    margin = round(look.small * 1.4)
    room = Rect(area.x + margin, area.y, area.w - 2 * margin, area.h - margin)
    places = Hexes.fitted(room.inset(look.px(2)), all_)
    shown = signs(seen, local)
    theme = look.theme
    rim = [
        Node(Role.LABEL, "", places.cell(q, r, 1.12), shape=Shape.FLAT, bg=theme.board)
        for q, r in all_
    ]
    spots = [places.cell(q, r, 0.93) for q, r in all_]
    kids = [_cell(seen, local, n, spots[n], shown, look) for n in range(len(all_))]
    laid = [_laid(seen, local, each.tile, spots[each.cell], each.cell, shown, look)
            for each in local.laid]  # fmt: skip
    for tile, spot in ((each.tile, spots[each.cell]) for each in local.swaps):
        # It lies on the blank that it is to replace
        paint = pieces.fresh(look, spot.h, chosen=tile == local.chosen)
        letter, points = face_of(seen, tile), points_of(seen, tile)
        face = pieces.piece(f"tile:{tile}", spot, letter, points, look, paint)
        laid.append(replace(face, live=True, drag=True, means=AtTile(tile)))
    if 0 <= local.cursor < len(spots):
        laid.append(_cursor(seen, local, places, look))
    named = _coordinates(side, places, margin, look)
    return widgets.group(area, (*named, *rim, *kids, *laid), name="board")


def _coordinates(side: int, places: Hexes, margin: int, look: Look) -> list[Node]:
    """Return letters below the columns, and numbers at both ends of the rows.

    Every other column stands half a cell higher.  A number stands a quarter above the
    lower cells of its row, so that a level line from it meets the row's cells alone.
    Beside the lower edges, where the letters are, the numbers keep off them.
    """
    size = max(8, min(look.small, places.down // 2))
    found: list[Node] = []

    def named(rect: Rect, text: str) -> None:
        found.append(
            label(rect, text, look, size=size, align=Align.CENTRE, tone=Tone.DIM)
        )

    for q in range(1 - side, side):
        low = places.cell(q, cells.lowest(side, q), 1.12)
        wide = places.across
        spot = Rect(low.centre[0] - wide // 2, low.bottom, wide, margin)
        named(spot, cells.column_name(side, q))
    rows: dict[int, list[Rect]] = {}
    for q, r in hexes.hexagon(side):
        number = cells.row_number(side, q, r)
        rows.setdefault(number, []).append(places.cell(q, r, 1.12))
    ends = rows[side]
    for number, row in rows.items():
        middle = (min(c.centre[1] for c in row) + max(c.centre[1] for c in row)) // 2
        if len(row) == 1:  # the highest cell of all, whose row is half a row
            middle -= places.down // 4
        near = ends if number < side else row
        left, right = min(cell.x for cell in near), max(cell.right for cell in near)
        for x in (left - margin, right):
            named(Rect(x, middle - size, margin, 2 * size), str(number))
    return found


def _cell(
    seen: Now, local: Local, cell: int, rect: Rect, shown: Signs, look: Look
) -> Node:
    """Return one cell: a letter that lies there for good, or the bare hexagon."""
    if seen.view.letters[cell] != EMPTY:
        return _fixed(seen, local, cell, rect, shown, look)
    theme = look.theme
    start = cell == cells.centre(seen.view.options.side)
    face = Node(
        Role.CELL, f"cell:{cell}", rect, shape=Shape.FLAT, bg=theme.cell,
        fg=theme.cell_text, mark=Mark.STAR if start else Mark.NONE, live=True,
        drop=True, means=AtCell(cell),
    )  # fmt: skip
    if cell in shown.gains:
        text = f"+{POINTS}"
        ground = mix(theme.cell, theme.accent, 0.22)
        return replace(
            face, bg=ground, fg=widgets.ink(ground, look), edge=theme.accent,
            border=max(2, rect.h // 12), mark=Mark.NONE, text=text, value="trap",
            size=max(8, round(rect.h * 0.36)), bold=True,
        )  # fmt: skip
    glow = shown.closing.get(cell, 0.0)
    if cell in shown.traps and glow >= 0:
        return replace(
            face, bg=mix(theme.cell, theme.accent, 0.6 * glow), pattern=Pattern.DOTS,
            edge=mix(theme.cell, theme.line, 0.6),
            border=1, value="in a trap",
        )  # fmt: skip
    return face


def _fixed(
    seen: Now, local: Local, cell: int, rect: Rect, shown: Signs, look: Look
) -> Node:
    """Return a letter of an earlier word: perhaps marked, obliged or of the last."""
    theme = look.theme
    letter, points, blank = pieces.at_cell(seen, local, cell)
    paint = pieces.plain(look, rect.h, blank=blank)
    value = f"{letter} blank" if blank else letter
    if cell in shown.path:
        paint, value = pieces.marked(look, rect.h), f"{letter} marked"
    elif cell in shown.must:
        paint = replace(paint, edge=theme.bad, border=max(3, rect.h // 9))
        value = f"{letter} must be used"
    elif cell in shown.blanks:
        paint = replace(paint, edge=theme.accent, border=max(3, rect.h // 9))
        value = f"{letter} blank to pick up"
    elif cell in shown.latest:
        paint = replace(paint, edge=theme.latest, border=max(2, rect.h // 14))
    if cell in shown.wrong:
        paint = replace(paint, edge=theme.bad, border=max(3, rect.h // 7))
    face = pieces.piece(f"cell:{cell}", rect, letter, points, look, paint)
    takes = blank and not local.marking
    return replace(face, value=value, live=True, drop=takes, means=AtCell(cell))


def _laid(
    seen: Now, local: Local, tile: int, rect: Rect, cell: int, shown: Signs, look: Look
) -> Node:
    """Return a letter that is laid but not committed."""
    letter, points, blank = pieces.at_cell(seen, local, cell)
    chosen = tile == local.chosen
    paint = pieces.fresh(look, rect.h, blank=blank, chosen=chosen)
    value = letter
    if cell in shown.path:
        paint, value = pieces.marked(look, rect.h), f"{letter} marked"
    if cell in shown.wrong:
        paint = replace(paint, edge=look.theme.bad, border=max(3, rect.h // 7))
    face = pieces.piece(f"tile:{tile}", rect, letter, points, look, paint)
    return replace(
        face,
        value=value,
        live=True,
        drag=not local.marking,
        selected=chosen,
        means=AtTile(tile),
    )


def _cursor(seen: Now, local: Local, places: Hexes, look: Look) -> Node:
    """Return the sign of the keyboard, with its arrow while letters are typed."""
    q, r = hexes.hexagon(seen.view.options.side)[local.cursor]
    rect = places.cell(q, r, 1.02)
    theme = look.theme
    typed = local.typing and phase(seen, local) is not Phase.MARKING
    empty = letter_at(seen, local, local.cursor) == EMPTY
    kids: list[Node] = []
    if typed:
        corners = _arrow(places, q, r, local.facing, empty=empty)
        kids.append(
            Node(Role.LABEL, "", box(corners), shape=Shape.POLYGON, points=corners,
                 bg=theme.focus)
        )  # fmt: skip
    said = f"typing {COMPASS[local.facing]}" if typed else "steered"
    corners = outline(Node(Role.CELL, "", rect, shape=Shape.FLAT))
    sign = cursor(corners, max(3, rect.h // 12), look, value=said)
    return replace(sign, kids=(*sign.kids, *kids))


def _arrow(
    places: Hexes, q: int, r: int, facing: int, *, empty: bool
) -> tuple[Point, ...]:
    """Return the corners of an arrow head that points to a side of a cell.

    Slender, for a triangle of equal sides would point three ways at once; near the
    edge where it must leave a letter free.
    """
    cx, cy = places.middle(q, r)
    dq, dr = hexes.STEPS[facing]
    tx, ty = places.middle(q + dq, r + dr)
    length = hypot(tx - cx, ty - cy)
    ux, uy = (tx - cx) / length, (ty - cy) / length
    tip, base, half = (0.62, -0.42, 0.34) if empty else (0.8, 0.46, 0.24)

    def at(along: float, aside: float) -> Point:
        x = cx + places.radius * (along * ux - aside * uy)
        y = cy + places.radius * (along * uy + aside * ux)
        return round(x), round(y)

    return at(tip, 0.0), at(base, half), at(base, -half)
