"""What holders take off a masked tile, and what is left of it."""

from collections.abc import Sequence

from netplay.bag.group import Masked, Point, minus, times, total


def lifted(tile: Masked, mask: int) -> Point:
    """Return d = xa: what a holder takes off a tile for its owner."""
    return times(tile.a, mask)


def unmasked(tile: Masked, lifts: Sequence[Point]) -> Point:
    """Return b - sum d: the tile's point once every holder's part is off."""
    return minus(tile.b, total(lifts))
