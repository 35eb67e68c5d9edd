"""The keyboard's cursor on a board: strokes in the corners of a cell.

A ring would look like the mark of the last move; corners alone are the cursor's.
"""

from collections.abc import Sequence

from client.layout import box
from client.scene import Node, Point, Role, Shape
from client.theme import Look

SHARE = 0.28
"""Of a side: how long a stroke is."""


def cursor(corners: Sequence[Point], wide: int, look: Look, *, value: str = "") -> Node:
    """Return the cursor on a cell.

    Args:
        corners: Of the cell, in order round it, in pixels.
        wide: Thickness of the strokes in pixels.
        look: The theme.
        value: What it says to scripts.

    Returns:
        A node called "cursor"; under each stroke lies a wider one in the colour of
        cards, so that it shows on pieces of any colour.
    """
    around = list(zip((corners[-1], *corners), corners, (*corners[1:], corners[0]),
                      strict=False))  # fmt: skip
    strokes = [(_toward(at, one), at, _toward(at, other)) for one, at, other in around]
    halo = max(2, wide // 3)
    kids = [_stroke(each, wide + 2 * halo, look.theme.panel) for each in strokes]
    kids += [_stroke(each, wide, look.theme.focus) for each in strokes]
    return Node(
        Role.LABEL, "cursor", box(corners), kids=tuple(kids), value=value,
        edge=look.theme.focus,
    )  # fmt: skip


def _toward(start: Point, end: Point) -> Point:
    """Return the point a stroke's length from a corner toward the next one."""
    return (
        round(start[0] + (end[0] - start[0]) * SHARE),
        round(start[1] + (end[1] - start[1]) * SHARE),
    )


def _stroke(points: tuple[Point, ...], wide: int, colour: tuple[int, int, int]) -> Node:
    return Node(
        Role.LABEL, "", box(points), shape=Shape.LINE, points=points, edge=colour,
        border=wide,
    )  # fmt: skip
