"""Moves prepared on condition, as windows show and ask it."""

from typing import Final

from netplay.messages.types import DoorMessage, Natural

MOVES: Final = 8
"""Of all players together, the most in one line."""


class PreparedLine(DoorMessage, frozen=True):
    """What a seat here plays by itself if the others play so."""

    seat: int
    """Whose line."""
    moves: tuple[tuple[int, bytes], ...]
    """(seat, move), from what a window shows on, what was made here counted in."""


class Prepare(DoorMessage, frozen=True, tag="prepare"):
    """Prepare a line for a seat here."""

    seat: Natural
    moves: tuple[bytes, ...]
    """In their order, beginning with another's and ending with the seat's."""
    number: int = -1
    """As in `Play`."""


class DropPrepared(DoorMessage, frozen=True, tag="drop-prepared"):
    """Drop what is prepared for a seat here."""

    seat: Natural
    moves: tuple[bytes, ...] = ()
    """Of the line, as it is shown; empty for all lines."""
