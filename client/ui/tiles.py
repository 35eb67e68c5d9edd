"""What the cells of a board are called, where a game knows two ways.

Letter and number are usual; a game's own page may have other names.  Like the language
the choice holds for the whole window, and is looked up where a name is shown.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from client.ui import typefaces
from client.ui.scene import Node, Rect, Shape

LETTERS: Final = "letters"
"""By letter and number."""

PAGE: Final = "page"
"""As the game's page writes them."""


class _Current:
    """What is chosen now."""

    way: str = LETTERS


def call(way: str) -> None:
    """Use other names from now on."""
    _Current.way = way


def as_on_page() -> bool:
    """Tell whether cells are called as the game's page does."""
    return _Current.way == PAGE


# Where a tile's letter stands, and its points in the corner.


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


def mark_at(node: Node) -> Rect:
    """Return where in a node its mark is: left of its text, or in the middle."""
    w, h = node.rect.w, node.rect.h - node.depth
    if node.text:
        side = min(h, max(6, round(node.size * 0.8)))
        wide = typefaces.width(node.text, node.size, bold=node.cut)
        left = max(0, (w - wide - side - side // 2) // 2)
    else:
        side = max(5, min(w, h) * (10 if node.shape is Shape.NONE else 5) // 10)
        left = (w - side) // 2
    return Rect(left, (h - side) // 2, side, side)


def points_at(node: Node) -> Rect:
    """Return where the figures of a tile's points are inked."""
    wide = typefaces.width(node.corner, size(node), bold=node.cut)
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
    wide = typefaces.width(node.text, high, bold=node.cut)
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


# A rack in a window: the order that its owner gave it, whatever happens.


STRIDES: Final = (7, 11, 13, 5, 3)
"""Steps by which a shuffle walks through the rack; see `shuffled`."""


def kept(order: Sequence[int], held: Sequence[int]) -> tuple[int, ...]:
    """Return the tiles held in the order known; new ones come last."""
    known = [tile for tile in order if tile in held]
    return (*known, *(tile for tile in held if tile not in known))


def moved(order: Sequence[int], tile: int, place: int) -> tuple[int, ...]:
    """Return the order with a tile at another place."""
    rest = [each for each in order if each != tile]
    rest.insert(min(place, len(rest)), tile)
    return tuple(rest)


def shuffled(
    order: tuple[int, ...], faces: Sequence[str], shuffles: int
) -> tuple[tuple[int, ...], int]:
    """Return another order; never one that reads the same while two tiles differ.

    Walks through the rack by a step that has no common divisor with its length, and
    tries others until the letters read otherwise; chance is not needed for that.

    Args:
        order: The tiles as they stand.
        faces: What each of them shows.
        shuffles: How often it was done before.

    Returns:
        The new order, and the count to remember.
    """
    size = len(order)
    for at in range(shuffles, shuffles + size * len(STRIDES)):
        stride = STRIDES[at % len(STRIDES)]
        walk = [(at + 1 + i * stride) % size for i in range(size)]
        if len(set(walk)) == size and [faces[i] for i in walk] != list(faces):
            return tuple(order[i] for i in walk), at + 1
    return order[::-1], shuffles
