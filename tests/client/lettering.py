"""What of a page's texts is seen: whether they fit, and where the letters stand."""

import re
from collections.abc import Iterator

from client.app.model import Model
from client.ui import typefaces
from client.ui.scene import Align, Node, Rect, Role, walk

OWN = re.compile(
    r"(near:|in-hand\.own:|saved:|fault:|file:|file\.places|file\.taken|move:|notice)"
)
"""Names of nodes with people's own words, which may be longer than any room."""


def shown(root: Node) -> Iterator[tuple[Node, Rect]]:
    """Yield each node with the part of it that no list cuts off, in their order."""
    waiting = [(root, root.rect)]
    while waiting:
        node, window = waiting.pop()
        visible = node.rect.cut(window)
        yield node, visible
        inner = visible if node.clip else window
        waiting.extend((kid, inner) for kid in reversed(node.kids))


def of_the_program(root: Node) -> Iterator[Node]:
    """Yield the nodes with a text that is not a player's own words."""
    spared = {id(n) for each in walk(root) if OWN.match(each.name) for n in walk(each)}
    for node in walk(root):
        if node.text and node.role is not Role.ENTRY and id(node) not in spared:
            yield node


def fits(node: Node, model: Model) -> bool:
    """Tell whether the painter shows all of a node's text."""
    if node.wrap:
        pitch = round(node.size * typefaces.LINE)
        lines = typefaces.wrap(node.text, node.size, node.rect.w, bold=node.cut)
        return len(lines) <= max(1, node.rect.h // pitch)
    pad = model.look.px(6) if node.role is Role.BUTTON else 0
    room = node.rect.w - 2 * pad
    line, _size = typefaces.fit(node.text, node.size, room, bold=node.cut)
    return line == node.text


def broken_words(node: Node) -> list[str]:
    """Return the words of a wrapped text that are wider than its lines."""
    return [
        word
        for word in node.text.split()
        if typefaces.width(word, node.size, bold=node.cut) > node.rect.w
    ]


def inked(root: Node) -> Iterator[tuple[Node, Rect]]:
    """Yield each node with a text, and where its letters stand.

    What lies under a box that stands over the board is not seen, nor meant to be.
    """
    every = list(shown(root))
    boxes = [(i, n.rect) for i, (n, _v) in enumerate(every) if _over(n)]
    for at, (node, visible) in enumerate(every):
        if any(at < i and visible.meets(box) for i, box in boxes):
            continue
        piece = node.role in (Role.TILE, Role.CELL)
        if node.text and node.size and not piece and not node.ghost:
            ink = letters(node).cut(visible)
            if ink.w > 2 and ink.h > 2:
                yield node, ink.inset(1)


def _over(node: Node) -> bool:
    """Tell whether a node is a box over others, raised above them."""
    return node.role is Role.PANEL and node.bg is not None and node.depth > 0


def letters(node: Node) -> Rect:
    """Return where the letters of a node stand, as the painter puts them."""
    x, y, w, h = node.rect
    if node.wrap:
        return Rect(x, y, w, typefaces.height(node.text, node.size, w, bold=node.cut))
    line, size = typefaces.fit(node.text, node.size, w, bold=node.cut)
    wide = typefaces.width(line, size, bold=node.cut)
    left = {Align.LEFT: x, Align.CENTRE: x + (w - wide) // 2, Align.RIGHT: x + w - wide}
    return Rect(left[node.align], y + (h - size) // 2, wide, size)
