"""Tiles as masked pairs, and the decks that they make up (ElGamal 1985).

A masked tile is (a, b) = (rG, T + rY): r nobody's number alone, T the point of its
kind, which equal tiles share, Y the sum of all holders' masks times G.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from netplay.bag.group import Point, base, number, plus, point_of


class Masked(NamedTuple):
    """A tile that nobody can read alone: T = b - sum d, with d = xa of each holder."""

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
