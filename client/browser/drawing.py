"""Scenes as a page is told of them: what to paint, where, and what has changed.

Where each text stands is worked out here, with the same measures as everywhere, so the
page needs to know nothing of wrapping or of what fits.  Keys are short: a board has
hundreds of nodes.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import ceil
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from client import speech
from client.ui import hand, tiles, typefaces
from client.ui.scene import (
    Align,
    Colour,
    Mark,
    Node,
    Pattern,
    Role,
    Shape,
    is_sign,
    walk,
)
from client.ui.theme import Look
from client.ui.typefaces import Cut

Told: TypeAlias = dict[str, Any]
"""As JSON has it."""

PADDING: Final = 10
"""Pixels at 100 % between a field's edge and its text."""

ELSEWHERE: Final = 4
"""The number of a font that the browser has to find; those before are `typefaces.Cut`
and, 3, the bundled one with many more characters."""

TINY: Final = 1e-9
"""What a sum of fractions may be too large."""

_HANDLED: Final = frozenset(
    {Role.BUTTON, Role.CHOICE, Role.CHECK, Role.SLIDER, Role.TAB, Role.ITEM, Role.CELL}
    | {Role.TILE, Role.ENTRY}
)


@lru_cache(maxsize=256)
def _rise(cut: int, size: int) -> tuple[int, int]:
    """Return how far a line's base is below its top, and how high it is, in pixels.

    As the library of fonts rounds them: what stands in the middle must stand there.
    """
    face = typefaces.own(cut)
    high = ceil((face.ascent - face.descent) * size - TINY)
    return ceil(face.ascent * size - TINY), high


def _pieces(
    text: str, size: int, cut: int, x: int, base: int
) -> Iterator[list[str | int]]:
    """Yield the parts of a line: text, place of its base, size, font, width."""
    for part, face in typefaces.runs(text, bold=cut):
        wide = typefaces.width(part, size, bold=cut)
        if face is typefaces.own(cut):
            font = cut
        else:
            font = 3 if face is typefaces.more() else ELSEWHERE
        yield [part, x, base, size, font, wide]
        x += wide


def lines(node: Node, look: Look) -> list[list[str | int]]:
    """Return where a node's texts stand, from its upper left corner."""
    if node.fg is None or not node.size:
        return []
    if node.role is Role.ENTRY:
        # What is seen of a field's text, without an ellipsis.
        pad, size = look.px(PADDING), node.size
        room = node.rect.w - 2 * pad
        text = node.text[hand.view(node.text, max(0, node.caret), size, room) :]
        while text and typefaces.width(text, size) > room:
            text = text[:-1]
        up, high = _rise(Cut.TEXT, size)
        top = (node.rect.h - high) // 2 + up
        return list(_pieces(text, size, Cut.TEXT, pad, top))
    found: list[list[str | int]] = []
    w, h, cut = node.rect.w, node.rect.h, node.cut
    if node.text and node.wrap:
        pitch = round(node.size * typefaces.LINE)
        rows = typefaces.wrap(node.text, node.size, w, bold=cut)[: max(1, h // pitch)]
        for i, row in enumerate(rows):
            slack = w - typefaces.width(row, node.size, bold=cut)
            left = {Align.LEFT: 0, Align.RIGHT: slack}.get(node.align, slack // 2)
            base = i * pitch + _rise(cut, node.size)[0]
            found += _pieces(row, node.size, cut, left, base)
    elif node.text:
        found += _one_line(node, look)
    if node.corner:
        size, edge = tiles.size(node), tiles.edge(node)
        up, high = _rise(cut, size)
        x = w - typefaces.width(node.corner, size, bold=cut) - edge
        base = h - node.depth - high - edge + size // 4 + up
        found += _pieces(node.corner, size, cut, x, base)
    return found


def _one_line(node: Node, look: Look) -> Iterator[list[str | int]]:
    w, h, cut = node.rect.w, node.rect.h - node.depth, node.cut
    pad = look.px(6) if node.role is Role.BUTTON else 0
    line, size = typefaces.fit(node.text, node.size, max(0, w - 2 * pad), bold=cut)
    if not line:
        return
    left = lift = 0
    if node.corner:
        size, left, lift = tiles.face(node)
    else:
        wide = typefaces.width(line, size, bold=cut)
        if node.mark is not Mark.NONE:
            wide -= round(node.size * 1.2)
        slack = {Align.LEFT: pad, Align.RIGHT: w - wide - pad}
        left = slack.get(node.align, (w - wide) // 2)
    up, high = _rise(cut, size)
    yield from _pieces(line, size, cut, left, (h - high) // 2 - lift + up)


def _ink(colour: Colour) -> int:
    return colour[0] << 16 | colour[1] << 8 | colour[2]


def _called(node: Node) -> str:
    """Return what somebody who does not see a node calls it."""
    words = node.text or " ".join(
        each.text for each in walk(node) if each.text and each is not node
    )
    value = node.value if node.value not in ("on", "off", words) else ""
    if value and is_sign(node):
        return value
    beside = node.role in (Role.BUTTON, Role.ITEM, Role.ENTRY)
    found = words or value if beside or not value else f"{words} {value}".strip()
    return found or speech.described(node)


def own(node: Node, look: Look) -> Told:
    """Return all of a node but what lies on it; what is usual is left out."""
    flags = (
        node.live, node.focusable, node.drag, node.drop,
        node.enabled, node.selected, node.ghost, node.clip,
    )  # fmt: skip
    bits = sum(flag << i for i, flag in enumerate(flags))
    told: Told = {"k": node.role.value, "b": node.rect, "i": bits}
    for key, value in (
        ("n", node.name), ("p", node.points), ("r", node.radius), ("d", node.depth),
        ("w", node.border), ("q", node.pattern.value), ("h", node.content),
        ("o", node.offset),
    ):  # fmt: skip
        if value:
            told[key] = value
    if node.shape is not Shape.NONE:
        told["s"] = node.shape.value
    inks = ("g", node.bg), ("f", node.fg), ("e", node.edge)
    told |= {key: _ink(colour) for key, colour in inks if colour is not None}
    if node.mark is not Mark.NONE and node.fg is not None:
        told["m"] = [node.mark.value, *tiles.mark_at(node)[:3]]
    if found := lines(node, look):
        told["l"] = found
    if node.miniature is not None:
        told["z"] = whole(node.miniature, look)
    return told | _meant(node, look)


def _meant(node: Node, look: Look) -> Told:
    """Return what a node is to those who type into it, or do not see it."""
    told: Told = {}
    if node.role is Role.ENTRY:
        told |= {"t": node.value, "c": [node.anchor, node.caret], "y": node.size}
        told["x"] = look.px(PADDING)
    if node.role in _HANDLED and (node.live or node.focusable):
        told["a"] = _called(node)
    elif node.role is Role.DIALOG and node.value:
        told["a"] = node.value
    elif node.text and node.size:
        told["a"] = node.text
    elif node.role is Role.LABEL and node.kids and node.value:  # a picture
        told["a"] = node.value
    if node.role in (Role.CHECK, Role.SLIDER, Role.CHOICE) and node.value:
        told["v"] = node.value
    return told


def whole(node: Node, look: Look) -> Told:
    """Return a node and all that lies on it."""
    told = own(node, look)
    if node.kids:
        told["_"] = [whole(kid, look) for kid in node.kids]
    return told


def change(old: Node, new: Node, look: Look) -> Told | None:
    """Return what has changed from a scene to the next; None for nothing that is told.

    `m` is by how much a node has moved, with all on it, and nothing else has changed;
    `=` has those of the node's own fields that are others, null where one is gone; `u`
    the kids that have changed, each with its place; `_` the kids anew: [place, how
    many] for those that are as they were, [place, change], or a node.
    """
    if old is new or old == new:
        return None
    dx, dy = new.rect.x - old.rect.x, new.rect.y - old.rect.y
    if (dx or dy) and _moved(old, new, dx, dy):
        return {"m": (dx, dy)}
    told: Told = {}
    bare = replace(old, kids=()) == replace(new, kids=())
    if not bare or (new.role in _HANDLED and (new.live or new.focusable)):
        was, now = own(old, look), own(new, look)
        fields = {key: None for key in was if key not in now}
        fields |= {key: value for key, value in now.items() if was.get(key) != value}
        if fields:
            told["="] = fields
    kids = _kids(old.kids, new.kids, look)
    same = len(old.kids) == len(new.kids) and not any(isinstance(k, dict) for k in kids)
    if not same:
        told["_"] = kids
    elif parts := [k for k in kids if isinstance(k, list) and isinstance(k[1], dict)]:
        told["u"] = parts  # all are where they were
    return told or None


def _moved(old: Node, new: Node, dx: int, dy: int) -> bool:
    """Tell whether a node and all on it are what they were, so far away."""
    there = replace(
        old, rect=old.rect.moved(dx, dy), kids=new.kids,
        points=tuple((x + dx, y + dy) for x, y in old.points),
    )  # fmt: skip
    return (
        there == new
        and len(old.kids) == len(new.kids)
        and all(_moved(*pair, dx, dy) for pair in zip(old.kids, new.kids, strict=True))
    )


def _kids(
    old: tuple[Node, ...], new: tuple[Node, ...], look: Look
) -> list[list[Any] | Told]:
    """Return how to make the new kids of the old; those alike are matched by name."""
    few, first, last = min(len(old), len(new)), 0, 0
    if len(old) == len(new):
        first = few
    else:
        while first < few and _kin(old[first], new[first]):
            first += 1
        while last < few - first and _kin(old[-1 - last], new[-1 - last]):
            last += 1
    found: list[list[Any] | Told] = []
    for j, kid in enumerate(new):
        i = j if j < first else j - len(new) + len(old)
        if first <= j < len(new) - last or not _kin(old[i], kid):
            found.append(whole(kid, look))
            continue
        changed = change(old[i], kid, look)
        before = found[-1] if found else None
        if changed is not None:
            found.append([i, changed])
        elif (
            isinstance(before, list)
            and isinstance(before[1], int)
            and before[0] + before[1] == i
        ):
            before[1] += 1
        else:
            found.append([i, 1])
    return found


def _kin(one: Node, other: Node) -> bool:
    """Tell whether two nodes may be the same thing at two moments."""
    return one.name == other.name and one.role is other.role


PATTERNS: Final = tuple(pattern.value for pattern in Pattern if pattern.value)
MARKS: Final = tuple(mark.value for mark in Mark if mark.value)
"""What the page must know to paint."""


def colours(look: Look) -> Told:
    """Return what the page paints by itself: veils, rings, what the pointer is on."""
    theme = look.theme
    return {
        "ground": _ink(theme.ground), "veil": _ink(theme.veil),
        "focus": _ink(theme.focus), "accent": _ink(theme.accent),
        "panel": _ink(theme.panel), "ring": max(2, look.px(2)),
        "over": max(2, look.px(3)), "dark": theme.name != "light",
    }  # fmt: skip
