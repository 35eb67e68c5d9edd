"""What Hexcolumns can do beside what every game can; the Protocols of rules.game."""

from typing import Any

from rules.game import Seat
from rules.hexcolumns.playing import (
    MOST_ROWS,
    State,
    advance,
    chance_count,
    chance_move,
    come,
)
from rules.hexcolumns.well import Move, Rise, Well

__all__ = [
    "advance",
    "chance_count",
    "chance_move",
    "is_taking",
    "landed",
    "pieces",
    "public_part",
    "public_well",
    "scores",
    "sent",
    "taken",
    "taking",
]


def scores(state: State) -> tuple[int, ...]:
    """Return each seat's points."""
    return tuple(well.score for well in state.wells)


def pieces(state: State) -> tuple[int, ...]:
    """Return how many pieces have appeared in each well."""
    return tuple(well.pieces for well in state.wells)


def landed(state: State) -> int:
    """Return how many pieces have landed in all wells."""
    return sum(well.pieces - bool(well.piece) for well in state.wells)


def sent(state: State, seat: Seat) -> int:
    """Return how many rows the others have sent to a seat, while it is not out."""
    return 0 if state.wells[seat].over else come(state, seat)


def taken(state: State, seat: Seat) -> int:
    """Return how many of them have risen in its well."""
    return state.wells[seat].taken


def taking(owed: int) -> Rise:
    """Return the move by which a seat lets rows rise that it owes, or some of them."""
    return Rise(min(owed, MOST_ROWS))


def is_taking(move: Move) -> bool:
    """Tell whether a move lets rows rise."""
    return isinstance(move, Rise)


def public_part(state: State, seat: Seat) -> tuple[Any, ...]:
    """Return a seat's well as plain values; see `Game.public`."""
    return public_well(state.wells[seat])


def public_well(well: Well) -> tuple[Any, ...]:
    """Return a well as plain values: nothing of it depends on other wells."""
    return (
        well.cells,
        well.level,
        well.clock,
        well.piece,
        well.column,
        well.height,
        well.fall,
        well.ticks,
        well.score,
        well.pieces,
        well.multiples,
        well.sent,
        well.taken,
        well.radar,
        well.paused,
        well.over,
        well.resigned,
    )
