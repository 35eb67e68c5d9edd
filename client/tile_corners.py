"""Where a tile's letter stands, and its points in the corner."""

from typing import NamedTuple

from client import metrics
from client.scene import Node, Rect

CAPITAL = 0.73
"""How high capitals and figures are, in text heights."""


class Face(NamedTuple):
    """What stands on a tile, in pixels from its upper left corner."""

    size: int
    """Of the letter's font."""
    left: int
    """Where the letter begins."""
    lift: int
    """How far it stands above the middle of the tile."""


def size(node: Node) -> int:
    """Return the size of the small text in a node's corner."""
    return max(7, round(node.size * 0.44))


def edge(node: Node) -> int:
    """Return how far it stays from the node's edges, in pixels."""
    return node.border + max(1, min(node.rect.w, node.rect.h) // 14)


def points_at(node: Node) -> Rect:
    """Return where the figures of a tile's points are inked."""
    wide = metrics.width(node.corner, size(node), bold=node.cut)
    high = round(size(node) * CAPITAL)
    x = node.rect.w - edge(node) - wide
    return Rect(x, node.rect.h - node.depth - edge(node) - high, wide, high)


def face(node: Node) -> Face:
    """Return how a tile's letter makes room for its points at the lower right.

    It moves to the left, on small tiles up, and where even that is not enough it
    becomes smaller.
    """
    most = max(1, node.size // 2)
    return next(
        (f for n in range(node.size, most, -1) if (f := _tried(node, n)) is not None),
        Face(most, edge(node), 0),
    )


def _tried(node: Node, high: int) -> Face | None:
    """Return where a letter of a height stands; None if it has no room."""
    wide = metrics.width(node.text, high, bold=node.cut)
    points, w, h = points_at(node), node.rect.w, node.rect.h - node.depth
    spare = w // 11  # letters and figures have some room at their sides
    beside = points.x + spare - wide
    middle = (w - wide) // 2 - max(1, spare)
    if beside >= edge(node):
        return Face(high, min(middle, beside), 0)
    capital = round(high * CAPITAL)
    top = (h - capital) // 2
    lift = max(0, top + capital - points.y)
    left = max(0, (w - wide) // 2 - spare)
    return Face(high, left, lift) if lift <= top - 1 else None
