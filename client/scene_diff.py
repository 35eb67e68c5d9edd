"""Where two scenes differ, so that only that much is drawn anew."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from client.scene import Node, Rect, Touch, around, find, top, walk

MARGIN: Final = 8
"""Pixels around a node that its focus ring may take."""

NEAR: Final = 2
"""Pixels around decoration, which has no ring: its neighbours are told with it."""


def changes(old: Node, new: Node) -> tuple[Rect, ...]:
    """Return rectangles that together hold all in which two scenes differ.

    Rings, ghosts and veils are drawn round or over nodes, hence the margin; a scene
    with a dialog is told to differ everywhere.  What differs in places far apart is
    not told as all that lies between.
    """
    if old is new:
        return ()
    if top(old) is not old or top(new) is not new:
        return () if old == new else (new.rect,)
    return apart(_differs(old, new))


def _differs(old: Node, new: Node) -> Iterator[Rect]:
    """Yield where two nodes differ, going down while they are alike."""
    if old is new:
        return
    if not (old.kids or new.kids):
        if old != new:
            yield from {_room(old), _room(new)}
        return
    if replace(old, kids=()) != replace(new, kids=()):
        yield from (_span(old), _span(new))
        return
    pairs, single = _matched(old.kids, new.kids)
    places = [rect for one, other in pairs for rect in _differs(one, other)]
    places += map(_span, single)
    strip = around(*places)
    if strip and new.clip and not any(kid.kids for kid in new.kids):
        yield strip  # a column of a well: its hexes lie close together
    else:
        yield from places


def _matched(
    old: tuple[Node, ...], new: tuple[Node, ...]
) -> tuple[Iterable[tuple[Node, Node]], Sequence[Node]]:
    """Return nodes in pairs, and those of either side that have no counterpart.

    Where something came or went, what stands before it and after it is matched.
    """
    few = min(len(old), len(new))
    if len(old) == len(new):
        return zip(old, new, strict=True), ()
    first = 0
    while first < few and _kin(old[first], new[first]):
        first += 1
    last = 0
    while last < few - first and _kin(old[-1 - last], new[-1 - last]):
        last += 1
    ends = len(old) - last, len(new) - last
    pairs = [
        *zip(old[:first], new[:first], strict=True),
        *zip(old[ends[0] :], new[ends[1] :], strict=True),
    ]
    return pairs, (*old[first : ends[0]], *new[first : ends[1]])


def _kin(one: Node, other: Node) -> bool:
    """Tell whether two nodes may be the same thing at two moments."""
    return one.name == other.name and one.role is other.role


PARTS: Final = 12
"""More places that differ are told together: each costs a walk through the scene."""

WALK: Final = 1000
"""So many pixels are drawn needlessly before another walk is the cheaper way."""

MANY: Final = 24
"""More than these are told as one: to find out which lie near would cost too much."""


def apart(rects: Iterable[Rect]) -> tuple[Rect, ...]:
    """Return rectangles that hold the same, at most `PARTS`.

    They may meet: to draw some pixels twice is cheaper than all that lies round them.
    """
    found: list[Rect] = []
    coming = iter(rects)
    for rect in coming:
        found = _with(found, rect)
        if len(found) > MANY:
            return (around(*found, *coming) or rect,)
    return tuple(_fewer(found))


def _fewer(found: list[Rect]) -> list[Rect]:
    """Return at most `PARTS` rectangles that hold the same, with little besides."""
    lost = {pair: _between(pair) for pair in combinations(set(found), 2)}
    rest = set(found)
    while len(rest) > PARTS:
        one, other = min(lost, key=lost.__getitem__)
        both = around(one, other) or one
        rest -= {one, other, both}
        lost = {pair: pixels for pair, pixels in lost.items() if rest.issuperset(pair)}
        lost.update({(each, both): _between((each, both)) for each in rest})
        rest.add(both)
    return sorted(rest)


def _with(found: list[Rect], rect: Rect) -> list[Rect]:
    """Return the rectangles with one more, made one with those it lies close to."""
    while near := [other for other in found if _between((rect, other)) <= WALK]:
        found = [other for other in found if other not in near]
        rect = around(rect, *near) or rect
    return [*found, rect]


def _between(pair: tuple[Rect, Rect]) -> int:
    """Return how many pixels would be told needlessly, were two told as one."""
    (x, y, w, h), (left, upper, wide, high) = pair  # written out: asked for often
    across = max(x + w, left + wide) - min(x, left)
    down = max(y + h, upper + high) - min(y, upper)
    return across * down - w * h - wide * high


def _room(node: Node) -> Rect:
    """Return a rectangle that holds a node, with what is drawn round it."""
    bare = not (node.name or node.text or node.corner or node.points)
    return node.rect.inset(-NEAR if bare else -MARGIN)


def _span(node: Node) -> Rect:
    return around(*map(_room, walk(node))) or node.rect


def touched(root: Node, old: Touch, new: Touch) -> Rect | None:
    """Return a rectangle that holds all in which two touches of a scene differ."""
    if old == new:
        return None
    if old.lift or new.lift:
        return root.rect
    names = {old.focus, old.hover, old.pressed, old.over} ^ {
        new.focus, new.hover, new.pressed, new.over,
    }  # fmt: skip
    names |= {old.pressed, new.pressed}
    found = [node for name in names if (node := find(root, name)) is not None]
    return around(*map(_span, found))
