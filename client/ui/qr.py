"""A line as a QR code: rectangles, dark on light in every theme, as cameras need it."""

from functools import lru_cache
from typing import Final

from client.ui.scene import Node, Rect, Role, Shape

QUIET: Final = 4
"""Modules around a code that stay light: cameras need them."""

LIGHT, DARK = (255, 255, 255), (0, 0, 0)


@lru_cache(maxsize=4)
def _runs(line: str) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """Return how many modules a code is wide, and its dark runs: row, first, past."""
    import segno  # noqa: PLC0415 (brings ssl: the first frame waits for none of it)

    rows = [bytes(row) for row in segno.make(line, micro=False).matrix]
    found: list[tuple[int, int, int]] = []
    for y, row in enumerate(rows):
        x = 0
        while (x := row.find(1, x)) >= 0:
            end = row.find(0, x)
            end = len(row) if end < 0 else end
            found.append((y, x, end))
            x = end
    return len(rows), tuple(found)


def wide(line: str) -> int:
    """Return how many modules a code takes from edge to edge."""
    return _runs(line)[0] + 2 * QUIET


def picture(name: str, rect: Rect, line: str, value: str) -> Node:
    """Return a code at the top of a place, in its middle, as large as there is room.

    Args:
        name: The node's.
        rect: The place.
        line: What the code says.
        value: The picture in words.
    """
    runs = _runs(line)[1]
    side = min(rect.w, rect.h)
    module = max(1, side // wide(line))
    whole = module * wide(line)
    x, y = rect.x + (rect.w - whole) // 2, rect.y
    first = QUIET * module
    kids = tuple(
        Node(
            Role.PANEL, "",
            Rect(x + first + a * module, y + first + row * module,
                 (b - a) * module, module),
            shape=Shape.RECT, bg=DARK,
        )
        for row, a, b in runs
    )  # fmt: skip
    place = Rect(x, y, whole, whole)
    return Node(
        Role.LABEL, name, place, kids=kids, shape=Shape.RECT, bg=LIGHT, value=value
    )
