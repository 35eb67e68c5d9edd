"""Tiles as masked pairs, and the decks that they make up.

A masked tile is (a, b) = (rG, T + rY): r nobody's number alone, T the point of its
kind, Y the sum of all holders' masks.  Equal tiles have equal points, so that a tile
laid shows its kind and nothing about which of its kind it was.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from netplay.bag.group import Point, base, minus, number, plus, point_of, times, total


class Masked(NamedTuple):
    """A tile that nobody can read alone."""

    a: Point
    b: Point


Deck = tuple[Masked, ...]


@lru_cache(maxsize=1024)
def kind_point(match: bytes, kind: int) -> Point:
    """Return T_k, the point that stands for a kind of tile in a match."""
    return point_of("tile", match, number(kind))


def first_deck(match: bytes, kinds: Sequence[int], common: Point) -> Deck:
    """Return the deck before anybody mixed: (G, T + Y) of ascending kinds, r is 1."""
    one = base(1)
    return tuple(Masked(one, plus(kind_point(match, kind), common)) for kind in kinds)


def joined(deck: Deck) -> bytes:
    """Return a deck as it is hashed and sent: a and b of each tile, 64 bytes."""
    return b"".join(a + b for a, b in deck)


def lifted(tile: Masked, mask: int) -> Point:
    """Return d = xa: what a holder takes off a tile for its owner."""
    return times(tile.a, mask)


def unmasked(tile: Masked, lifts: Sequence[Point]) -> Point:
    """Return b - sum d: the tile's point once every holder's part is off."""
    return minus(tile.b, total(lifts))
