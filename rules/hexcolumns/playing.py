"""A match of Hexcolumns: options and wells, pieces drawn, inputs, ticks, the end."""

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from rules.game import CHANCE, CLOCK, Actor, IllegalMoveError, Resign, Seat
from rules.hexcolumns.grid import (
    COLOURS,
    KINDS,
    OUTCOMES,
    SIZES,
    Gem,
    cell,
    depth,
    grid,
    index,
)
from rules.hexcolumns.well import (
    INPUTS,
    TOP_LEVEL,
    Gone,
    Move,
    Rise,
    Tick,
    Well,
    act,
    appear,
    empty,
    fits,
    given_up,
    hurry,
    refusal,
    tick,
)


class Options(Struct, frozen=True, array_like=True):
    """What is agreed before a match."""

    size: Annotated[int, Meta(ge=SIZES[0], le=SIZES[-1])] = 8
    """Hexes on a side of the wells."""

    level: Annotated[int, Meta(ge=0, le=TOP_LEVEL)] = 0
    """The level to start at; the time of the levels left out is added to it."""

    attacks: bool = False
    """Whether long chains send rows into the others' wells."""


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

    attacks: bool = False
    """Whether wells send rows to one another; never with a single one."""


# Rows that wells send one another, where that was agreed: how they look and rise.
#
# A piece whose destruction goes on for more than one round sends a row for each further
# one into every other well. Rows wait until the other seat's own input lets them rise:
# so nobody's well changes by what another seat does, and the order in which stretches
# of different seats are folded does not matter.


MOST_ROWS: Final = 4
"""Rows that rise at once at most."""

_GAP_STEP: Final = 7
"""From the gap of a row to that of the next: every column has its turn."""


def earned(gone: tuple[Gone, ...]) -> int:
    """Return how many rows a landed piece sends by what it destroyed."""
    return max((step.round for step in gone), default=1) - 1


def come(state: State, seat: int) -> int:
    """Return how many rows the others have sent to a seat in all."""
    if not state.attacks:
        return 0
    return sum(well.sent for other, well in enumerate(state.wells) if other != seat)


def owed(state: State, seat: int) -> int:
    """Return how many rows are still to rise in a seat's well."""
    return come(state, seat) - state.wells[seat].taken


def gap(size: int, number: int) -> int:
    """Return the column that a row leaves out; rows are counted from 0."""
    return _GAP_STEP * number % (2 * size - 1) - (size - 1)


def raised(size: int, cells: bytes, number: int, rows: int) -> tuple[bytes, bool]:
    """Push rows in from below.

    A row has a plain hex for every column but its gap, and its colours are such that
    rows make up no alignment by themselves.

    Args:
        size: Hexes on a side.
        cells: The well's bytes.
        number: Of the first row: how many have risen in this well.
        rows: How many.

    Returns:
        The well's bytes, and whether anything was pushed out at the top.
    """
    left, lost = bytearray(cells), False
    for row in range(number, number + rows):
        for column, (start, stop) in zip(
            range(1 - size, size), grid(size).columns, strict=True
        ):
            if column != gap(size, row):
                lost = lost or bool(left[stop - 1])
                left[start + 1 : stop] = left[start : stop - 1]
                left[start] = cell((2 * column - row) % len(COLOURS))
    return bytes(left), lost


def risen(size: int, well: Well, rows: int) -> Well:
    """Return a well with a piece after rows have risen in it.

    The piece is lifted as far as it must be.  Where it then has no room, or a hex is
    pushed out, the well is over.
    """
    cells, lost = raised(size, well.cells, well.taken, rows)
    later = replace(well, cells=cells, taken=well.taken + rows)
    deep, start = depth(size, well.column), index(size, well.column, 0)
    filled = deep - cells.count(0, start, start + deep)
    height = max(well.height, filled)
    if lost or not fits(size, cells, well.column, height):
        return replace(later, piece=b"", paused=False, over=True)
    return replace(later, height=height)


SEATS: Final = range(1, 5)

_HEXES: Final = 3


def start(seats: int, options: Options) -> State:
    """Return empty wells that wait for their first piece.

    Raises:
        ValueError: It is not played so; the message is for the user.
    """
    if seats not in SEATS:
        raise ValueError("Hexcolumns is played by 1 to 4.")
    if options.size not in SIZES:
        raise ValueError("size must be from 6 to 9.")
    if not 0 <= options.level <= TOP_LEVEL:
        raise ValueError("level must be from 0 to 25.")
    wells = (empty(options.size, options.level),) * seats
    return State(options.size, wells, attacks=options.attacks and seats > 1)


def actors(state: State) -> frozenset[Actor]:
    """Return CHANCE alone while a piece is to be drawn, else live seats and CLOCK."""
    live = tuple(not well.over for well in state.wells)
    if any(live) and _pending(state):
        return _CHANCE_ALONE
    return _live_actors(live)


_CHANCE_ALONE: Final = frozenset({CHANCE})


@cache
def _live_actors(live: tuple[bool, ...]) -> frozenset[Actor]:
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
    """Yield every legal move but `Resign`, as `INPUTS` and `OUTCOMES` order them.

    Rows that may rise come last, fewer first.
    """
    if actor not in actors(state):
        return
    if actor == CHANCE:
        yield from OUTCOMES
    elif actor == CLOCK:
        yield from (Tick(i) for i, well in enumerate(state.wells) if not well.over)
    else:
        well = state.wells[actor]
        yield from (move for move in INPUTS if not refusal(state.size, well, move))
        yield from map(Rise, range(1, 1 + min(owed(state, actor), MOST_ROWS)))


def play(state: State, actor: Actor, move: Move) -> State:
    """Return the state after the move; see `Game.play`."""
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
        case Rise(rows):
            well = _running(state, actor)
            if not 1 <= rows <= min(owed(state, actor), MOST_ROWS):
                raise IllegalMoveError("So many rows are not to rise in this well now.")
            return _with(state, actor, risen(state.size, well, rows))
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
        well, ticks = hurry(state.size, _running(state, seat), ticks)
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
        raise IllegalMoveError("This well's game has ended.")
    if _pending(state):
        raise IllegalMoveError("The next piece is still being drawn.")
    return well


def _with(state: State, seat: Seat, well: Well) -> State:
    """Put a seat's well back; its next piece appears if it is drawn already."""
    need, before = state.need, state.wells[seat]
    if state.attacks and well.score > before.score:  # a piece has landed
        well = replace(well, sent=well.sent + earned(well.gone))
    if not well.over and (not well.piece or well.radar):
        need = max(need, well.pieces + (not well.piece) + well.radar)
        if not well.piece and len(state.gems) >= _HEXES * (well.pieces + 1):
            well = _appear(state.size, well, state.gems)
    wells = (*state.wells[:seat], well, *state.wells[seat + 1 :])
    return State(state.size, wells, state.gems, need, state.attacks)


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
    return State(state.size, wells, gems, state.need, state.attacks)


def _appear(size: int, well: Well, gems: bytes) -> Well:
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
        raise IllegalMoveError("The game is over.")
    if state.wells[seat].resigned:
        raise IllegalMoveError("You have resigned already.")
    return _with(state, seat, given_up(state.wells[seat]))


def places(state: State) -> tuple[int, ...]:
    """Return each seat's place: the highest score is first."""
    scores = [well.score for well in state.wells]
    return tuple(1 + sum(other > mine for other in scores) for mine in scores)
