"""What a position of Numlo promises each seat, without looking ahead.

Corners can never be flipped and edges rarely, while the squares before them give them
away; tiles beside empty squares are what others flip next.  Points count little while
most of the board is empty and are all that counts in the end.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from rules.numlo.grid import bits, grid
from rules.numlo.tally import points, value_boards

CORNER: Final = 24
EDGE: Final = 3
BESIDE_CORNER: Final = -7
BEFORE_CORNER: Final = -12
BEFORE_EDGE: Final = -1
FRONTIER: Final = -2
"""For each tile that touches an empty square."""

FINAL: Final = 1_000
"""A point at the end of the match, beside which all promises are small."""


class Terrain(NamedTuple):
    """What squares are worth for where they lie, on one size of board."""

    corners: int
    edges: int
    """Edge squares but the corners and their neighbours."""

    beside: int
    """Edge squares next to a corner."""

    before: int
    """The inner square next to each corner."""

    second: int
    """The other squares next to the edge."""

    order: tuple[int, ...]
    """For each square how early it is worth being looked at, 0 first."""


@cache
def terrain(size: int) -> Terrain:
    """Return the terrain of a board."""
    rings: dict[int, int] = dict.fromkeys(range(6), 0)
    for square in range(size * size):
        row, column = (min(n, size - 1 - n) for n in divmod(square, size))
        near, far = sorted((row, column))
        kind = {(0, 0): 0, (0, 1): 2, (1, 1): 3}.get(
            (near, far), 1 if near == 0 else 4 if near == 1 else 5
        )
        rings[kind] |= 1 << square
    order = [0] * (size * size)
    for place, kind in enumerate((0, 1, 5, 4, 2, 3)):
        for square in bits(rings[kind]):
            order[square] = place
    return Terrain(rings[0], rings[1], rings[2], rings[3], rings[4], tuple(order))


def ground(size: int, square: int) -> int:
    """Return what a square is worth to whoever lays there, for where it lies."""
    land, bit = terrain(size), 1 << square
    if bit & land.corners:
        return CORNER
    if bit & land.edges:
        return EDGE
    if bit & land.beside:
        return BESIDE_CORNER
    if bit & land.before:
        return BEFORE_CORNER
    return BEFORE_EDGE if bit & land.second else 0


class Judge:
    """Judges positions of one match."""

    def __init__(self, size: int, values: bytes) -> None:
        """Prepare for a board of a size, with `State.values`."""
        self._grid = grid(size)
        self._land = terrain(size)
        self._worth = value_boards(values)

    def final(self, boards: Sequence[int], seat: int) -> int:
        """Return how far a seat is ahead of each other one at the end, added up."""
        scores = [points(board, self._worth) for board in boards]
        own = scores[seat]
        lead = len(boards) * own - sum(scores)
        beaten = sum((own > other) - (own < other) for other in scores)
        return FINAL * (lead + 10 * beaten)

    def promise(self, boards: Sequence[int], empty: int, seat: int) -> int:
        """Return how far a seat seems to be ahead of each other one, added up."""
        size, inner = self._grid.size, self._grid.inner
        side = empty & inner
        touched = empty << size | empty >> size
        touched |= side << 1 | side >> 1 | side << size + 1 | side >> size + 1
        touched |= side << size - 1 | side >> size - 1
        late = 4 * (self._grid.squares - empty.bit_count()) // self._grid.squares
        total, own = 0, 0
        for number, board in enumerate(boards):
            value = self._stands(board, touched)
            value += (1 + late * late) * points(board, self._worth)
            total += value
            if number == seat:
                own = value
        return len(boards) * own - total

    def _stands(self, board: int, touched: int) -> int:
        """Return what a seat's tiles are worth for where they stand."""
        land = self._land
        return (
            CORNER * (board & land.corners).bit_count()
            + EDGE * (board & land.edges).bit_count()
            + BESIDE_CORNER * (board & land.beside).bit_count()
            + BEFORE_CORNER * (board & land.before).bit_count()
            + BEFORE_EDGE * (board & land.second).bit_count()
            + FRONTIER * (board & touched).bit_count()
        )
