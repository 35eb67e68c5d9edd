"""Tiles as masked pairs, and the decks that they make up.

A masked tile is (a, b) = (rG, T + rY): r nobody's number alone, T the point of its
kind, Y the sum of all holders' masks.  Equal tiles have equal points, so that a tile
laid shows its kind and nothing about which of its kind it was.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from netplay.bag.group import (
    BagError,
    Point,
    base,
    is_point,
    minus,
    number,
    plus,
    point_of,
    split,
    times,
    total,
)

MOST_TILES: Final = 140
"""In a deck: a shuffle with its proof has to fit a body of the log."""


class Masked(NamedTuple):
    """A tile that nobody can read alone."""

    a: Point
    b: Point


Deck = tuple[Masked, ...]


@lru_cache(maxsize=1024)
def kind_point(match: bytes, kind: int) -> Point:
    """Return T_k, the point that stands for a kind of tile in a match."""
    return point_of("tile", match, number(kind))


@lru_cache(maxsize=16)
def kinds_by_point(match: bytes, kinds: int) -> Mapping[Point, int]:
    """Return which kind each point stands for, of so many kinds."""
    return {kind_point(match, kind): kind for kind in range(kinds)}


def first_deck(match: bytes, kinds: Sequence[int], common: Point) -> Deck:
    """Return the deck before anybody has mixed: (G, T + Y), open to all.

    Args:
        match: The match.
        kinds: Of the tiles, ascending.
        common: Y, the sum of all holders' masks times G.
    """
    generator = base(1)
    return tuple(
        Masked(generator, plus(kind_point(match, kind), common)) for kind in kinds
    )


def joined(deck: Deck) -> bytes:
    """Return a deck as it is hashed and sent: a and b of each tile, 64 bytes."""
    return b"".join(a + b for a, b in deck)


def read_deck(data: bytes) -> Deck:
    """Return the deck that bytes are.

    Raises:
        BagError: Too many tiles or none, or something in it is no point.
    """
    words = split(data)
    if not words or len(words) % 2 or len(words) > 2 * MOST_TILES:
        raise BagError("a deck has from 1 to 140 tiles, two points each")
    if not all(map(is_point, words)):
        raise BagError("a masked tile is none")
    return tuple(Masked(*pair) for pair in zip(words[::2], words[1::2], strict=True))


def lifted(tile: Masked, mask: int) -> Point:
    """Return d = xa: what a holder takes off a tile for its owner."""
    return times(tile.a, mask)


def unmasked(tile: Masked, lifts: Sequence[Point]) -> Point:
    """Return b - sum d: the tile's point once every holder's part is off."""
    return minus(tile.b, total(lifts))


def kind_of(match: bytes, kinds: int, point: Point) -> int:
    """Return the kind that an unmasked tile is.

    Raises:
        BagError: It is none: a part that was taken off was wrong.
    """
    found = kinds_by_point(match, kinds).get(point)
    if found is None:
        raise BagError("a tile without its masks is of no kind")
    return found
