"""Hexcolumns: columns on hexes, in real time, a well for each seat.

Rules: the source document (French, the help of the Falcon program).  Its lists are
lost; what was decided instead is said where it is done.  All in all:

- Each seat has a well; all wells get the same pieces.  An input or a `Tick` touches
  its own seat's well alone, so batches of different seats may be folded in any order
  and come to the same state.
- CHANCE draws the pieces hex by hex, and only when a well must show one that is not
  drawn yet: its next piece, or with the radar on the one after that.  Then nobody
  else may move.  All that is drawn is shown, so there are no secrets here.
- CLOCK makes 30 moves a second and well while its seat's match goes on.
- A match ends when all wells have; giving up ends a well with the score it has.
"""

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from rules.game import CHANCE, CLOCK, About, Actor, IllegalMoveError, Resign, Seat
from rules.hexcolumns.destruction import Cause, Gone, Settled, settle, without
from rules.hexcolumns.gems import (
    COLOURS,
    EMPTY,
    KINDS,
    OUTCOMES,
    Gem,
    Motif,
    cell,
    colour,
    motif,
)
from rules.hexcolumns.grid import SIZES, depth, index, position
from rules.hexcolumns.moves import (
    INPUTS,
    Drop,
    Faster,
    Input,
    Lower,
    Move,
    Pause,
    Radar,
    Resume,
    Rotate,
    Shift,
    Slant,
    Tick,
)
from rules.hexcolumns.well import (
    HZ,
    LEVEL_TICKS,
    TOP_LEVEL,
    Well,
    act,
    appear,
    empty,
    fits,
    given_up,
    period,
    purge_score,
    refusal,
    resting,
    run,
    slanted,
    tick,
)

__all__ = [
    "ABOUT",
    "COLOURS",
    "EMPTY",
    "HZ",
    "KINDS",
    "LEVEL_TICKS",
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
    "index",
    "mask",
    "motif",
    "moves",
    "next_piece",
    "period",
    "places",
    "play",
    "position",
    "public",
    "public_well",
    "purge_score",
    "refusal",
    "resting",
    "settle",
    "slanted",
    "start",
    "view",
    "without",
]

_HEXES: Final = 3


class Options(Struct, frozen=True, array_like=True):
    """What is agreed before a match."""

    size: Annotated[int, Meta(ge=SIZES[0], le=SIZES[-1])] = 8
    """Hexes on a side of the wells."""

    level: Annotated[int, Meta(ge=0, le=TOP_LEVEL)] = 0
    """The level to start at; the time of the levels left out is added to it."""


class State(Struct, frozen=True, array_like=True):
    """All wells, and the pieces drawn for them."""

    size: int
    """Hexes on a side of the wells."""

    wells: tuple[Well, ...]
    """One a seat."""

    gems: bytes = b""
    """Every hex drawn so far, three a piece, lowest first."""

    need: int = 1
    """How many pieces must have been drawn; never falls, so order does not matter."""


ABOUT: Final = About(
    title="Hexcolumns",
    seats=range(1, 5),
    version=1,
    options=Options,
    state=State,
    move=Move,
    hz=HZ,
)


def start(seats: int, options: Options) -> State:
    """Return empty wells that wait for their first piece.

    Raises:
        ValueError: It is not played so; the message is for the user.
    """
    if seats not in ABOUT.seats:
        raise ValueError("Hexcolumns is played by 1 to 4.")
    if options.size not in SIZES:
        raise ValueError("size must be from 6 to 9.")
    if not 0 <= options.level <= TOP_LEVEL:
        raise ValueError("level must be from 0 to 25.")
    return State(options.size, (empty(options.size, options.level),) * seats)


def actors(state: State) -> frozenset[Actor]:
    """Return CHANCE alone while a piece is to be drawn, else live seats and CLOCK."""
    live = tuple(not well.over for well in state.wells)
    if any(live) and _pending(state):
        return _CHANCE_ALONE
    return _live_actors(live)


_CHANCE_ALONE: Final = frozenset({CHANCE})


@cache
def _live_actors(live: tuple[bool, ...]) -> frozenset[Actor]:
    """Return the seats that play on, with CLOCK if there are any."""
    seats = frozenset(seat for seat, on in enumerate(live) if on)
    return seats | {CLOCK} if seats else seats


def _pending(state: State) -> bool:
    """Return whether a well needs a piece that is not drawn yet."""
    return len(state.gems) < _HEXES * state.need


def chance_count(state: State) -> int:
    """Return how many equally likely outcomes CHANCE has: 720, or 0 if not its turn.

    With `chance_move` this spares the network from listing them.
    """
    return len(OUTCOMES) if CHANCE in actors(state) else 0


def chance_move(state: State, index: int) -> Gem:
    """Return the outcome at an index below `chance_count`, as `moves` orders them."""
    return OUTCOMES[index]


def moves(state: State, actor: Actor) -> Iterator[Move]:
    """Yield every legal move but `Resign`, as `INPUTS` and `OUTCOMES` order them."""
    if actor not in actors(state):
        return
    if actor == CHANCE:
        yield from OUTCOMES
    elif actor == CLOCK:
        yield from (Tick(i) for i, well in enumerate(state.wells) if not well.over)
    else:
        well = state.wells[actor]
        yield from (move for move in INPUTS if not refusal(state.size, well, move))


def play(state: State, actor: Actor, move: Move) -> State:
    """Return the state after a move.

    Raises:
        IllegalMoveError: Not this actor's move, or the well does not take it.
    """
    match move:
        case Tick(seat):
            if actor != CLOCK:
                raise IllegalMoveError("Only the clock ticks.")
            well = _running(state, seat)
            return _with(state, seat, tick(state.size, well))
        case Gem(cell):
            if actor != CHANCE:
                raise IllegalMoveError("Only chance draws pieces.")
            return _draw(state, cell)
        case Resign():
            return _resign(state, actor)
        case _:
            well = _running(state, actor)
            if why := refusal(state.size, well, move):
                raise IllegalMoveError(why)
            return _with(state, actor, act(state.size, well, move))


def advance(state: State, seat: Seat, ticks: int) -> tuple[State, int]:
    """Play many ticks of a well quickly, as so many `Tick` moves would.

    Args:
        state: The state before.
        seat: Whose well.
        ticks: How many ticks, 0 or more.

    Returns:
        The state after, and how many ticks could not be played yet: some are left
        when CHANCE must move first, or when the well is over.

    Raises:
        IllegalMoveError: Not a single one can be played.
    """
    while ticks:
        well, ticks = run(state.size, _running(state, seat), ticks)
        state = _with(state, seat, well)
        if well.over or _pending(state):
            break
    return state, ticks


def _running(state: State, seat: Seat) -> Well:
    """Return a seat's well that has a piece, or say why there is none."""
    if not 0 <= seat < len(state.wells):
        raise IllegalMoveError("Nobody sits there.")
    well = state.wells[seat]
    if well.over:
        raise IllegalMoveError("This well's match has ended.")
    if _pending(state):
        raise IllegalMoveError("The next piece is still being drawn.")
    return well


def _with(state: State, seat: Seat, well: Well) -> State:
    """Put a seat's well back; its next piece appears if it is drawn already."""
    need = state.need
    if not well.over and (not well.piece or well.radar):
        need = max(need, well.pieces + (not well.piece) + well.radar)
        if not well.piece and len(state.gems) >= _HEXES * (well.pieces + 1):
            well = _appear(state.size, well, state.gems)
    wells = (*state.wells[:seat], well, *state.wells[seat + 1 :])
    return State(state.size, wells, state.gems, need)


def _draw(state: State, cell: int) -> State:
    """Add a hex to the pieces; wells that waited for this piece go on."""
    if CHANCE not in actors(state):
        raise IllegalMoveError("No piece is to be drawn now.")
    if not 1 <= cell <= KINDS:
        raise IllegalMoveError("There is no such hex.")
    gems = state.gems + bytes((cell,))
    wells = tuple(
        _appear(state.size, well, gems)
        if not (well.over or well.piece) and len(gems) >= _HEXES * (well.pieces + 1)
        else well
        for well in state.wells
    )
    return State(state.size, wells, gems, state.need)


def _appear(size: int, well: Well, gems: bytes) -> Well:
    """Show a well's next piece, which is drawn."""
    return appear(size, well, _piece(gems, well.pieces))


def _piece(gems: bytes, number: int) -> bytes:
    """Return a piece of the sequence, from 0; empty if it is not drawn."""
    return gems[_HEXES * number : _HEXES * (number + 1)]


def next_piece(state: State, seat: Seat) -> bytes:
    """Return what a seat's radar shows, lowest hex first; empty while it is off."""
    well = state.wells[seat]
    return _piece(state.gems, well.pieces) if well.radar else b""


def _resign(state: State, seat: Actor) -> State:
    """End a seat's well with the score it has, also while it is paused or over."""
    if not 0 <= seat < len(state.wells):
        raise IllegalMoveError("Nobody sits there.")
    if not actors(state):
        raise IllegalMoveError("The match is over.")
    if state.wells[seat].resigned:
        raise IllegalMoveError("You have given up already.")
    return _with(state, seat, given_up(state.wells[seat]))


def view(state: State, seat: Seat | None) -> State:
    """Return the state itself: all wells are seen by all."""
    return state


def mask(state: State, actor: Actor, move: Move, seat: Seat | None) -> Move:
    """Return the move itself: nothing is hidden."""
    return move


def places(state: State) -> tuple[int, ...]:
    """Return each seat's place: the highest score is first."""
    scores = [well.score for well in state.wells]
    return tuple(1 + sum(other > mine for other in scores) for mine in scores)


def public(state: State) -> tuple[Any, ...]:
    """Return the public position as plain values; see `Game.public`."""
    return state.size, tuple(map(public_well, state.wells))


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
        well.radar,
        well.paused,
        well.over,
        well.resigned,
    )
