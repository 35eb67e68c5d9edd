"""Hexagrams: triads on triangles, hexads on hexagons, no dice.

Triads only go forward and must capture when they can; hexads go any way the triads
leave open.  Who takes all enemy hexads, or blocks the last of them, wins.  After the
source document (Marv Nelson, 1988) and its two pictures.
"""

from collections.abc import Iterator
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from rules.game import About, Actor, IllegalMoveError, OptionsError, Resign, Seat
from rules.hexagrams import board
from rules.hexagrams.board import (
    BLACK,
    HEXAGONS,
    TRIANGLES,
    WAYS,
    WHITE,
    bits,
    can_step,
    forward,
    hexagon,
    triangle,
)

__all__ = [
    "ABOUT",
    "BLACK",
    "HEXAGONS",
    "NOBODY",
    "OVER",
    "PATIENCE",
    "TRIANGLES",
    "WHITE",
    "Hexad",
    "Move",
    "Options",
    "Resign",
    "State",
    "Triad",
    "actors",
    "bits",
    "forced",
    "hexagon",
    "mask",
    "moves",
    "places",
    "play",
    "public",
    "start",
    "triangle",
    "view",
]

OVER: Final = -3
"""`State.turn` once the match is over."""

NOBODY: Final = -1
"""`State.winner` while nobody has won, and after a draw."""

PATIENCE: Final = 60
"""Plies without a capture or a move of a triad until the triads are counted.  The
source names this third way to win without saying when it applies."""


class Options(Struct, frozen=True, array_like=True):
    """What the table may choose before a match."""

    first: Literal["white", "black"] = "white"
    """Who begins.  Seat 0 is White either way."""


class State(Struct, frozen=True, array_like=True):
    """A position.  Sets of cells are ints, a bit a cell, numbered as on the board."""

    turn: int
    """Whose turn it is: 0 White, 1 Black, or `OVER`."""

    hexads: tuple[int, int]
    """The hexagons that White's and Black's hexads stand on."""

    triads: tuple[int, int]
    """The triangles that White's and Black's triads stand on."""

    quiet: int = 0
    """Plies since the last capture or move of a triad."""

    winner: int = NOBODY
    """The seat that has won, or `NOBODY`."""

    ending: Literal["", "hexads", "blocked", "stuck", "count", "resigned"] = ""
    """How the match ended: all hexads taken, hexads blocked, no legal move left,
    triads counted, or somebody resigned; empty while it goes on."""


class Triad(Struct, frozen=True, array_like=True, tag="triad"):
    """A triad goes from one triangle to another, by number."""

    origin: int
    target: int


class Hexad(Struct, frozen=True, array_like=True, tag="hexad"):
    """A hexad goes from one hexagon to another, by number."""

    origin: int
    target: int


Move: TypeAlias = Triad | Hexad | Resign

ABOUT: Final = About(
    title="Hexagrams",
    seats=range(2, 3),
    version=1,
    options=Options,
    state=State,
    move=Move,
    drawn=board,
)

_TRIAD_MOVES: Final = tuple(
    tuple(
        tuple(Triad(origin, target) for target in bits(forward(seat, 1 << origin)))
        if origin in TRIANGLES
        else ()
        for origin in range(max(TRIANGLES) + 1)
    )
    for seat in (WHITE, BLACK)
)
_HEXAD_MOVES: Final = tuple(
    tuple((Hexad(origin, target), between) for target, between in ways)
    for origin, ways in enumerate(WAYS)
)


def start(seats: int, options: Options) -> State:
    """Return the full board: every cell is taken.

    Args:
        seats: 2; seat 0 is White, seat 1 Black.
        options: Who begins.

    Raises:
        OptionsError: Not two seats, or nobody begins.
    """
    if seats != 2:
        raise OptionsError("Hexagrams is for two players.")
    if options.first not in {"white", "black"}:
        raise OptionsError("first must be white or black.")
    white = sum(1 << hexagon(r, x) for r, x in HEXAGONS if r == 0 or (r == 1 and x < 3))
    upper = sum(1 << number for number, (t, _) in TRIANGLES.items() if t <= 4)
    lower = sum(1 << number for number, (t, _) in TRIANGLES.items() if t > 4)
    return State(
        turn=WHITE if options.first == "white" else BLACK,
        hexads=(white, (1 << len(HEXAGONS)) - 1 - white),
        triads=(upper, lower),
    )


def actors(state: State) -> frozenset[Actor]:
    """Return the seat on turn, or nobody once the match is over."""
    return frozenset() if state.turn == OVER else frozenset((state.turn,))


def moves(state: State, actor: Actor) -> Iterator[Triad | Hexad]:
    """Yield every legal move but `Resign`: triads first, in the order of the cells.

    While any triad can capture only such captures are legal (source document, Turns).
    """
    if actor != state.turn or actor == OVER:
        return
    own, enemy = state.triads[actor], state.triads[1 - actor]
    to = forward(actor, own)
    targets = to & enemy or to & ~own
    listed = _TRIAD_MOVES[actor]
    for origin in bits(own):
        for move in listed[origin]:
            if targets >> move.target & 1:
                yield move
    if targets & enemy:
        return
    hexads, standing = state.hexads[actor], own | enemy
    for origin in bits(hexads):
        for step, between in _HEXAD_MOVES[origin]:
            if not (between & standing or hexads >> step.target & 1):
                yield step


def forced(state: State) -> tuple[Triad, ...]:
    """Return the captures of which the seat on turn must play one; usually none."""
    if state.turn == OVER:
        return ()
    enemy = state.triads[1 - state.turn]
    return tuple(
        move
        for move in moves(state, state.turn)
        if isinstance(move, Triad) and enemy >> move.target & 1
    )


def play(state: State, actor: Actor, move: Move) -> State:
    """Return the state after the move; see `Game.play`."""
    if isinstance(move, Resign):
        if state.turn == OVER:
            raise IllegalMoveError("The game is over.")
        if actor not in {WHITE, BLACK}:
            raise IllegalMoveError("Nobody sits there.")
        return replace(state, turn=OVER, winner=1 - actor, ending="resigned")
    if actor != state.turn or actor == OVER:
        raise IllegalMoveError(
            "The game is over." if state.turn == OVER else "It is not your turn."
        )
    if isinstance(move, Triad):
        return _move_triad(state, actor, move)
    return _move_hexad(state, actor, move)


def view(state: State, seat: Seat | None) -> State:
    """Return the state itself: nothing in Hexagrams is hidden."""
    return state


def mask(state: State, actor: Actor, move: Move, seat: Seat | None) -> Move:
    """Return the move itself: nothing in Hexagrams is hidden."""
    return move


def places(state: State) -> tuple[int, int]:
    """Return each seat's place; both are first in a draw and until somebody wins."""
    if state.winner == NOBODY:
        return 1, 1
    return (1, 2) if state.winner == WHITE else (2, 1)


def public(state: State) -> tuple[Any, ...]:
    """Return the public position as plain values; see `Game.public`."""
    hexads, triads, end = state.hexads, state.triads, state.ending
    return state.turn, hexads, triads, state.quiet, state.winner, end


def _move_triad(state: State, seat: Seat, move: Triad) -> State:
    own, enemy = state.triads[seat], state.triads[1 - seat]
    if not (move.origin in TRIANGLES and own >> move.origin & 1):
        raise IllegalMoveError("None of your triads stands there.")
    if move not in _TRIAD_MOVES[seat][move.origin]:
        raise IllegalMoveError("A triad goes to a touching triangle forward.")
    target = 1 << move.target
    if own & target:
        raise IllegalMoveError("Another triad of yours stands there.")
    if not enemy & target and forward(seat, own) & enemy:
        raise IllegalMoveError("A triad can capture, so one must.")
    own = own ^ 1 << move.origin | target
    return _judge(state, seat, state.hexads, _pair(seat, own, enemy & ~target), 0)


def _move_hexad(state: State, seat: Seat, move: Hexad) -> State:
    """Move a hexad between triangles that are empty, over an enemy hexad if any."""
    own, enemy = state.hexads[seat], state.hexads[1 - seat]
    if not (0 <= move.origin < len(HEXAGONS) and own >> move.origin & 1):
        raise IllegalMoveError("None of your hexads stands there.")
    between = dict(WAYS[move.origin]).get(move.target)
    if between is None:
        raise IllegalMoveError("A hexad goes to a neighbouring hexagon.")
    target = 1 << move.target
    if own & target:
        raise IllegalMoveError("Another hexad of yours stands there.")
    if forward(seat, state.triads[seat]) & state.triads[1 - seat]:
        raise IllegalMoveError("A triad can capture, so one must.")
    if between & (state.triads[0] | state.triads[1]):
        raise IllegalMoveError("A triad stands between these hexagons.")
    own = own ^ 1 << move.origin | target
    quiet = 0 if enemy & target else state.quiet + 1
    return _judge(state, seat, _pair(seat, own, enemy & ~target), state.triads, quiet)


def _pair(seat: Seat, own: int, enemy: int) -> tuple[int, int]:
    """Return a seat's cells and the other's as (White's, Black's)."""
    return (own, enemy) if seat == WHITE else (enemy, own)


def _judge(
    state: State,
    seat: Seat,
    hexads: tuple[int, int],
    triads: tuple[int, int],
    quiet: int,
) -> State:
    """Return the position after a seat's move: the other's turn, or the end.

    Hexads that could not move before either are not blocked by this move: at the
    start nobody's can, and in the source's own example play goes on with a hexad
    that cannot.
    """
    other = 1 - seat
    standing = triads[0] | triads[1]
    if not hexads[other]:
        return State(OVER, hexads, triads, quiet, seat, "hexads")
    if not can_step(hexads[other], standing):
        if can_step(state.hexads[other], state.triads[0] | state.triads[1]):
            return State(OVER, hexads, triads, quiet, seat, "blocked")
        if not forward(other, triads[other]) & ~triads[other]:
            return State(OVER, hexads, triads, quiet, seat, "stuck")
    if quiet >= PATIENCE:
        lead = triads[seat].bit_count() - triads[other].bit_count()
        winner = NOBODY if lead == 0 else seat if lead > 0 else other
        return State(OVER, hexads, triads, quiet, winner, "count")
    return State(other, hexads, triads, quiet)
