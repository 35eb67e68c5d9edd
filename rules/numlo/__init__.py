"""Numlo: Othello for two to four, on squares of different worth.

A tile is laid where it flips at least one straight run of one single other colour;
most squares and values win.  After the source document (William Soleau, 1993).
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from operator import getitem
from typing import Any, Final

from msgspec.structs import replace

from rules.game import CHANCE, About, Actor, IllegalMoveError, Resign, Seat
from rules.numlo import setup
from rules.numlo import state as abilities
from rules.numlo.grid import bits, captures, grid, reach
from rules.numlo.state import (
    OVER,
    Disc,
    First,
    Move,
    Options,
    Place,
    State,
    Value,
    flips,
    gain,
    hint,
    owners,
    pack,
    scores,
    unpack,
)

__all__ = [
    "ABOUT",
    "OVER",
    "Disc",
    "First",
    "Move",
    "Options",
    "Place",
    "Resign",
    "State",
    "Value",
    "actors",
    "flips",
    "gain",
    "hint",
    "mask",
    "moves",
    "owners",
    "places",
    "play",
    "public",
    "scores",
    "start",
    "view",
]

ABOUT: Final = About(
    title="Numlo",
    seats=range(2, 5),
    version=1,
    options=Options,
    state=State,
    move=Move,
    usual=3,
    scored=abilities,
    drawn=abilities,
    advised=lambda state: None if (at := hint(state)) is None else Place(at),
)


def start(seats: int, options: Options) -> State:
    """Return the board before chance and players have done anything.

    Args:
        seats: How many play, 2 to 4, in the order Blue, Red, Green, Yellow.
        options: Size of the board, first tiles, values.

    Raises:
        OptionsError: No board can be set up so; the message is for the user.
    """
    setup.check(seats, options)
    state = State(
        options=options,
        tiles=pack(options.size, setup.first_tiles(seats, options)),
        values=bytes(options.size**2),
        turn=CHANCE,
        open=pack(options.size, [0])[0],
        passed=(),
        gone=(),
    )
    return _begin(state, 0) if setup.is_done(state) else state


def actors(state: State) -> frozenset[Actor]:
    """Return the seat on turn, or chance, or nobody once the match is over."""
    return frozenset() if state.turn == OVER else frozenset((state.turn,))


def moves(state: State, actor: Actor) -> Iterator[Move]:
    """Yield every legal move but `Resign`, in the order of the squares."""
    if actor != state.turn:
        return iter(())
    if actor == CHANCE:
        return setup.outcomes(state)
    return chain.from_iterable(map(getitem, _listing(state.options.size), state.open))


@cache
def _listing(size: int) -> tuple[tuple[tuple[Place, ...], ...], ...]:
    """Return for each byte of `State.open` and each of its values the moves it means.

    Looking eight squares up at once lists moves several times faster than counting
    bits does.
    """
    squares = [Place(square) for square in range(size * size)]
    return tuple(
        tuple(
            tuple(squares[low + bit] for bit in bits(byte))
            for byte in range(1 << min(8, size * size - low))
        )
        for low in range(0, size * size, 8)
    )


def play(state: State, actor: Actor, move: Move) -> State:
    """Return the state after the move; see `Game.play`."""
    if isinstance(move, Place):
        return _place(state, actor, move.square)
    if isinstance(move, Resign):
        return _resign(state, actor)
    if actor != CHANCE or state.turn != CHANCE:
        raise IllegalMoveError("That is for chance to decide, before the first turn.")
    if move not in setup.outcomes(state):
        raise IllegalMoveError("Chance cannot do that here.")
    after = setup.apply(state, move)
    if isinstance(move, First):
        return _begin(after, move.seat)
    return _begin(after, 0) if setup.is_done(after) else after


def view(state: State, seat: Seat | None) -> State:
    """Return the state itself: nothing in Numlo is hidden."""
    return state


def mask(state: State, actor: Actor, move: Move, seat: Seat | None) -> Move:
    """Return the move itself: nothing in Numlo is hidden."""
    return move


def places(state: State) -> tuple[int, ...]:
    """Return each seat's place by score; who resigned comes last, the first of all."""
    keys = [
        (1, -state.gone.index(seat)) if seat in state.gone else (0, -score)
        for seat, score in enumerate(scores(state))
    ]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def public(state: State) -> tuple[Any, ...]:
    """Return the public position as plain values; see `Game.public`."""
    return state.turn, state.tiles, state.values, state.gone


def _place(state: State, actor: Actor, square: int) -> State:
    """Lay a tile, flip what it outflanks and find who is next."""
    if actor != state.turn or actor < 0:
        if state.turn == OVER:
            raise IllegalMoveError("The game is over.")
        if state.turn == CHANCE:
            raise IllegalMoveError("The board is not set up yet.")
        raise IllegalMoveError("It is not your turn.")
    size = state.options.size
    if not 0 <= square < size * size:
        raise IllegalMoveError("There is no such square.")
    if not state.open[square >> 3] >> (square & 7) & 1:
        if owners(state)[square] is not None:
            raise IllegalMoveError("That square is taken.")
        raise IllegalMoveError(
            "Nothing would flip: a run must be of one other colour, without gaps, "
            "and end at your nearest tile."
        )
    boards = unpack(state)
    own = boards[actor]
    boards[actor] = 0
    taken = captures(grid(size), own, boards, square)
    kept = ~taken
    boards = [board & kept for board in boards]
    boards[actor] = own | taken | 1 << square
    return _hand_on(state, boards, _after(len(boards), actor))


def _resign(state: State, actor: Actor) -> State:
    """Take a seat out; its tiles stay on the board for the others to flip."""
    if state.turn == OVER:
        raise IllegalMoveError("The game is over.")
    if not 0 <= actor < len(state.tiles):
        raise IllegalMoveError("Nobody sits there.")
    if actor in state.gone:
        raise IllegalMoveError("You have resigned already.")
    left = replace(state, gone=(*state.gone, actor))
    if len(left.gone) == len(left.tiles) - 1:
        return replace(left, turn=OVER, open=bytes(len(left.open)), passed=())
    if state.turn == actor:
        return _hand_on(left, unpack(left), _after(len(left.tiles), actor))
    return left


def _begin(state: State, seat: Seat) -> State:
    return _hand_on(state, unpack(state), _after(len(state.tiles), seat - 1))


@cache
def _after(seats: int, seat: Seat) -> tuple[Seat, ...]:
    """Return all seats in the order they get the turn after one has had it."""
    return tuple((seat + n) % seats for n in range(1, seats + 1))


def _hand_on(state: State, boards: Sequence[int], order: Sequence[Seat]) -> State:
    """Return the state with the turn at the first seat in order that can move.

    A seat without a move passes by itself; when all do, the match is over
    (source document, Game play).
    """
    table = grid(state.options.size)
    empty = table.full & ~sum(boards)
    passed: tuple[Seat, ...] = ()
    for seat in order:
        if seat in state.gone:
            continue
        others = [*boards[:seat], *boards[seat + 1 :]]
        if squares := reach(table, boards[seat], others, empty):
            break
        passed += (seat,)
    else:
        seat, squares, passed = OVER, 0, ()
    packed = pack(table.size, [*boards, squares])
    return State(
        state.options, packed[:-1], state.values, seat, packed[-1], passed, state.gone
    )
