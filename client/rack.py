"""A rack in a window: the order that its owner gave it, whatever happens."""

from collections.abc import Sequence
from typing import Final

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
