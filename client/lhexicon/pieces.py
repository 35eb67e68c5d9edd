"""Letters as hexagons: on the board, in the bank, in the word."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.lhexicon.local import (
    AtRack,
    AtTile,
    Local,
    Now,
    face,
    face_of,
    kind,
    points_of,
    valued,
)
from client.ui import typefaces, widgets
from client.ui.layout import ROOT3
from client.ui.scene import Colour, Node, Rect, Role, Shape, mix
from client.ui.theme import Look
from client.ui.typefaces import Cut
from rules.lhexicon import BLANK, EMPTY, POINTS

ROOMY: Final = 34
"""Pixels of a letter's height from which on its value stands in a small hexagon."""


NOTHING: Final = "0"
"""The value of a blank (source document, chapter 2, VII)."""


class Paint(Struct, frozen=True):
    """How a letter is coloured."""

    bg: Colour
    fg: Colour
    edge: Colour
    border: int = 1


def plain(look: Look, side: int, *, blank: bool = False) -> Paint:
    """Return the colours of a letter without a mark, committed or in the rack."""
    theme = look.theme
    ink = theme.blank if blank else theme.tile_text
    return Paint(theme.tile, ink, theme.tile_edge, max(1, side // 24))


def fresh(look: Look, side: int, *, blank: bool = False, chosen: bool = False) -> Paint:
    """Return the colours of a letter that is laid but not committed."""
    theme = look.theme
    ink = theme.blank if blank else theme.tile_text
    edge = theme.focus if chosen else theme.accent
    return Paint(theme.fresh, ink, edge, max(3 if chosen else 2, side // 14))


def marked(look: Look, side: int) -> Paint:
    """Return the colours of a letter marked as part of the word."""
    theme = look.theme
    return Paint(theme.accent, theme.on_accent, theme.text, max(1, side // 20))


def step(height: int) -> float:
    """Return the distance of two letters in a row, each of that height."""
    return height * 2 / ROOT3 + max(2, height // 14)


def piece(
    name: str, rect: Rect, letter: str, points: str, look: Look, paint: Paint
) -> Node:
    """Return a letter; its value stands in a small hexagon beneath it.

    So it is in the source document, chapter 2, II.
    """
    theme = look.theme
    w, h = rect.w, rect.h
    large = 0.64 if look.large else 0.54
    size = max(9, round(h * large * (1 if points else 1.1)))
    if len(letter) > 1:
        size = typefaces.fitting((letter,), size, 1, w * 0.72, bold=Cut.TILE)
    low = round(h * (0.30 if h >= ROOMY else 0.26)) if points else 0
    room = Rect(rect.x, rect.y + h // 20, w, h - low - h // 20)
    kids = [Node(Role.TILE, "", room, text=letter, size=size, fg=paint.fg)]
    if points:
        kids.append(_value(rect, points, low, look, paint))
    return Node(
        Role.TILE, name, rect, value=letter, shape=Shape.FLAT, bg=paint.bg,
        fg=paint.fg, edge=paint.edge or theme.tile_edge, border=paint.border,
        kids=tuple(kids),
    )  # fmt: skip


def _value(rect: Rect, points: str, high: int, look: Look, paint: Paint) -> Node:
    gap = max(1, paint.border)
    wide = round(high * 2 / ROOT3 * 1.25)
    spot = Rect(rect.x + (rect.w - wide) // 2, rect.bottom - high - gap, wide, high)
    size = max(7, round(high * (0.92 if look.large else 0.8)))
    roomy = rect.h >= ROOMY
    return Node(
        Role.LABEL, "", spot, text=points, fg=paint.fg, size=size, bold=True,
        shape=Shape.FLAT if roomy else Shape.NONE, bg=paint.bg if roomy else None,
        edge=mix(paint.bg, paint.fg, 0.5) if roomy else None, border=1 if roomy else 0,
    )  # fmt: skip


def at_cell(seen: Now, local: Local, cell: int) -> tuple[str, str, bool]:
    """Return (letter, value, whether it is a blank) on a cell that has a letter."""
    each = next((e for e in local.laid if e.cell == cell), None)
    if each is not None:
        points = points_of(seen, each.tile) or NOTHING
        return face(each.letter), points, not valued(seen, each.tile)
    letter = seen.view.letters[cell]
    assert letter != EMPTY  # callers pass only cells with a letter
    known = seen.view.kind(cell)
    blank = known == BLANK
    return face(letter), str(POINTS[known]), blank


def rack(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return the word bank: places that take a drop, and the letters in them."""
    slots = max(7, len(local.order))
    inner = area.inset(look.px(8), look.px(5))
    high = inner.h
    while high > 12 and step(high) * slots > inner.w:
        high -= 1
    wide = round(high * 2 / ROOT3)
    left = inner.x + round((inner.w - step(high) * slots) / 2)
    top = inner.y + (inner.h - high) // 2
    spots = [Rect(left + round(i * step(high)), top, wide, high) for i in range(slots)]
    theme = look.theme
    kids = [
        Node(
            Role.CELL, f"rack:{i}", spot, shape=Shape.FLAT,
            bg=mix(theme.board, theme.line, 0.18), live=local.chosen >= 0, drop=True,
            means=AtRack(i),
        )
        for i, spot in enumerate(spots)
    ]  # fmt: skip
    for tile, spot in zip(local.order, spots, strict=False):
        if tile not in local.away:
            kids.append(held(seen, local, tile, spot, look))
    return widgets.tray("rack", area, kids, look)


def held(seen: Now, local: Local, tile: int, rect: Rect, look: Look) -> Node:
    """Return a letter in the bank."""
    known = kind(seen, tile)
    name = face_of(seen, tile)
    chosen = tile == local.chosen
    paint = fresh(look, rect.h, chosen=True) if chosen else plain(look, rect.h)
    body = piece(f"tile:{tile}", rect, name, points_of(seen, tile), look, paint)
    usable = not local.marking
    body = replace(body, value=name or "?")
    if known < 0:
        body = widgets.on_its_way(body, look)
    return replace(
        body, live=usable, drag=usable, focusable=usable, selected=chosen,
        means=AtTile(tile),
    )  # fmt: skip
