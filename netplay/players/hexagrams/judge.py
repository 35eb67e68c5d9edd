"""What a position of Hexagrams promises each side, without looking ahead."""

from typing import Final

from rules.game import Seat
from rules.hexagrams import NOBODY, TRIANGLES, State, bits
from rules.hexagrams.board import WAYS

WIN: Final = 1_000_000
HEXAD: Final = 60
WAY: Final = 6
"""For each way a hexad can go; a side may lose when there is none left."""

TRIAD: Final = 10
AHEAD: Final = 1
"""For each row a triad still has before it: moves to make while waiting."""

_ROWS: Final = tuple(
    sum(1 << cell for cell, (row, _) in TRIANGLES.items() if row == t)
    for t in range(1, 9)
)


def promise(state: State, seat: Seat) -> int:
    """Return how far a seat seems to be ahead while the match goes on."""
    standing = state.triads[0] | state.triads[1]
    return _side(state, seat, standing) - _side(state, 1 - seat, standing)


def _side(state: State, seat: Seat, standing: int) -> int:
    """Return what a side has: stones, ways for its hexads, rows before its triads."""
    hexads, triads = state.hexads[seat], state.triads[seat]
    ways = 0
    for origin in bits(hexads):
        for target, between in WAYS[origin]:
            if not (between & standing or hexads >> target & 1):
                ways += 1
    ahead = 0
    for number, row in enumerate(_ROWS if seat else reversed(_ROWS)):
        ahead += number * (triads & row).bit_count()
    return (
        HEXAD * hexads.bit_count()
        + WAY * ways
        + TRIAD * triads.bit_count()
        + AHEAD * ahead
    )


def ended(state: State, seat: Seat, sooner: int = 0) -> int:
    """Return what the end of a match is worth to a seat.

    Args:
        state: A position in which nobody moves any more.
        seat: Whose gain it is.
        sooner: The greater, the earlier; so that a win is not put off for ever.
    """
    if state.winner == NOBODY:
        return 0
    return WIN + sooner if state.winner == seat else -WIN - sooner
