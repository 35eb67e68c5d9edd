"""Hexcolumns: columns on hexes, in real time, a well for each seat.

Rules: the source document (French, the help of the Falcon program).  Its lists are
lost; what was decided instead is said where it is done.  All in all:

- Each seat has a well; all wells get the same pieces.  An input or a `Tick` touches
  its own seat's well alone, so batches of different seats may be folded in any order
  and come to the same state.
- CHANCE draws the pieces hex by hex, and only when a well must show one that is not
  drawn yet: its next piece, or with the radar on the one after that.  Then nobody
  else may move.  All that is drawn is shown, so there are no secrets here.
- Where that was agreed, long chains send rows; they rise in another well only by an
  input of its own seat, which its node makes (see `rows`).
- CLOCK makes 30 moves a second and well while its seat's match goes on.
- A match ends when all wells have; giving up ends a well with the score it has.
"""

from typing import Any, Final

from rules.game import About, Actor, Resign, Seat
from rules.hexcolumns import abilities
from rules.hexcolumns.abilities import public_well
from rules.hexcolumns.grid import (
    COLOURS,
    EMPTY,
    KINDS,
    SIZES,
    Gem,
    Motif,
    cell,
    colour,
    depth,
    index,
    motif,
    position,
)
from rules.hexcolumns.playing import (
    SEATS,
    Options,
    State,
    actors,
    advance,
    chance_count,
    chance_move,
    gap,
    moves,
    next_piece,
    owed,
    places,
    play,
    raised,
    start,
)
from rules.hexcolumns.well import (
    HZ,
    TOP_LEVEL,
    Cause,
    Drop,
    Faster,
    Gone,
    Input,
    Lower,
    Move,
    Pause,
    Radar,
    Resume,
    Rise,
    Rotate,
    Settled,
    Shift,
    Slant,
    Tick,
    Well,
    act,
    fits,
    period,
    purge_score,
    refusal,
    settle,
    without,
)

__all__ = [
    "ABOUT",
    "COLOURS",
    "EMPTY",
    "HZ",
    "KINDS",
    "SIZES",
    "TOP_LEVEL",
    "Cause",
    "Drop",
    "Faster",
    "Gem",
    "Gone",
    "Input",
    "Lower",
    "Motif",
    "Move",
    "Options",
    "Pause",
    "Radar",
    "Resign",
    "Resume",
    "Rise",
    "Rotate",
    "Settled",
    "Shift",
    "Slant",
    "State",
    "Tick",
    "Well",
    "act",
    "actors",
    "advance",
    "cell",
    "chance_count",
    "chance_move",
    "colour",
    "depth",
    "fits",
    "gap",
    "index",
    "mask",
    "motif",
    "moves",
    "next_piece",
    "owed",
    "period",
    "places",
    "play",
    "position",
    "public",
    "public_well",
    "purge_score",
    "raised",
    "refusal",
    "settle",
    "start",
    "view",
    "without",
]

ABOUT: Final = About(
    title="Hexcolumns",
    seats=SEATS,
    version=2,
    options=Options,
    state=State,
    move=Move,
    hz=HZ,
    scored=abilities,
    real_time=abilities,
    indexed_chance=abilities,
)


def view(state: State, seat: Seat | None) -> State:
    """Return the state itself: all wells are seen by all."""
    return state


def mask(state: State, actor: Actor, move: Move, seat: Seat | None) -> Move:
    """Return the move itself: nothing is hidden."""
    return move


def public(state: State) -> tuple[Any, ...]:
    """Return the public position as plain values; see `Game.public`."""
    return state.size, tuple(map(public_well, state.wells))
