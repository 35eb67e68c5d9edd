"""What a match of Hexagrams can do besides being played: be drawn by agreement."""

from typing import Any, Final

from rules.game import Seat

HEXAD: Final = 4
"""Triads that a hexad is worth: who has none left has lost."""


def lead(state: Any, seat: Seat) -> int:  # noqa: ANN401 (the state is defined above us)
    """Return by how many triads a seat is ahead, a hexad for four; see `Drawn`."""
    worth: list[int] = [
        HEXAD * hexads.bit_count() + triads.bit_count()
        for hexads, triads in zip(state.hexads, state.triads, strict=True)
    ]
    return worth[seat] - worth[1 - seat]
