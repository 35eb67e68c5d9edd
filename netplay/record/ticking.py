"""A seat's own time in a game that hurries: ticks, and inputs between them.

Every seat has its own clock, run by its own node, and its inputs touch its own part of
the state alone; so stretches of different seats may be folded in any order.  Chance is
public in such games: its n-th move is the same whoever's ticks called for it.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from netplay.errors import Code, PeerError
from netplay.messages.log import Ticks
from netplay.record.playable import chosen
from netplay.wire import unpack
from rules.actors import put_at
from rules.game import CHANCE, Actor, Game, RealTime, Resign

STRETCH_TICKS = 600
"""Of one body: 20 s at 30 Hz, what a node may fall behind before it pauses."""

INPUTS_A_STRETCH = 200
"""That a node writes into one body: people make ten a second."""

INPUTS_A_TICK = 4
"""Of a seat, in the long run: 120 a second at 30 Hz.  A held key that repeats as fast
as it can makes half of that; a log of more was written by no hand."""

INPUTS_AT_ONCE = 60
"""Of a seat, above that: what was pressed while a node was held up for a second."""


class Wells(NamedTuple):
    """A state of a game that hurries, and how far chance has come."""

    state: Any
    drawn: int
    """Moves of chance made."""
    happened: tuple[tuple[Actor, Any], ...] = ()
    """Inputs and moves of chance since this was made of a state; not the ticks."""
    hands: tuple[int, ...] = ()
    """Of each seat, when hands are free again: see `handled`."""


def drawn_on(game: Game[Any, Any], key: bytes, wells: Wells) -> Wells:
    """Return the wells with every move of chance played that they wait for."""
    state, drawn, happened, hands = wells
    while CHANCE in game.actors(state):
        move = chosen(game, state, key, drawn)
        state, drawn = game.play(state, CHANCE, move), drawn + 1
        happened = (*happened, (CHANCE, move))
    return Wells(state, drawn, happened, hands)


def tick_on(
    game: Game[Any, Any], key: bytes, wells: Wells, seat: int, ticks: int
) -> Wells:
    """Return the wells after some ticks of a seat; none count once it is out."""
    real_time = game.ABOUT.real_time
    assert real_time is not None  # only such games tick
    wells = drawn_on(game, key, wells)
    while ticks and seat in game.actors(wells.state):
        state, ticks = real_time.advance(wells.state, seat, ticks)
        wells = drawn_on(game, key, wells._replace(state=state))
    return wells


def handled(
    game: Game[Any, Any],
    wells: Wells,
    seat: int,
    tick: int,
    move: Any,  # noqa: ANN401 (the game's own)
) -> tuple[int, ...]:
    """Return when the hands at each seat are free again after an input.

    It is counted in parts of a tick, `INPUTS_A_TICK` of them: an input takes one, from
    its tick on or from when the hands are free.  What a node takes for its seat by the
    rules no hand makes.

    Raises:
        PeerError: TOO_MANY, more inputs than hands can make.
    """
    real_time = game.ABOUT.real_time
    assert real_time is not None  # only such games tick
    hands = wells.hands or (0,) * len(real_time.pieces(wells.state))
    if real_time.is_taking(move):
        return hands
    free = max(hands[seat], tick * INPUTS_A_TICK) + 1
    if free > tick * INPUTS_A_TICK + INPUTS_AT_ONCE:
        raise PeerError(Code.TOO_MANY, "more inputs than hands can make")
    return put_at(hands, seat, free)


def input_on(
    game: Game[Any, Any],
    key: bytes,
    wells: Wells,
    seat: int,
    tick: int,
    move: Any,  # noqa: ANN401 (the game's own)
) -> Wells:
    """Return the wells after a seat's input at a tick of its clock.

    Raises:
        IllegalMoveError: The rules forbid it.
        PeerError: TOO_MANY, see `handled`.
    """
    hands = handled(game, wells, seat, tick, move)
    state = game.play(wells.state, seat, move)
    happened = (*wells.happened, (seat, move))
    return drawn_on(game, key, Wells(state, wells.drawn, happened, hands))


def stretch(
    game: Game[Any, Any], key: bytes, wells: Wells, since: int, body: Ticks
) -> Wells:
    """Return the wells after a stretch of a seat's own time.

    Args:
        game: The game.
        key: Of public chance.
        wells: The wells before.
        since: Ticks of this seat before.
        body: The stretch; its seat has been checked.

    Raises:
        PeerError: The stretch runs back, or is too long, or its inputs are no moves,
            or more than hands can make.
        IllegalMoveError: The rules forbid an input, or the seat is out.
    """
    at = since
    if not since <= body.until <= since + STRETCH_TICKS:
        raise PeerError(Code.STALE, "ticks that have passed, or too many")
    if body.seat not in game.actors(wells.state):
        raise PeerError(Code.NOT_YOUR_TURN, "this seat is out")
    # The inputs decoded; nobody resigns in passing
    inputs = body.inputs
    kind = game.ABOUT.move
    moves = [(tick, unpack(move, kind)) for tick, move in inputs]
    if any(isinstance(move, Resign) for _, move in moves):
        raise PeerError(Code.UNEXPECTED, "a resignation among inputs")
    for tick, move in moves:
        if not at <= tick <= body.until:
            raise PeerError(Code.UNEXPECTED, "inputs out of order")
        wells = tick_on(game, key, wells, body.seat, tick - at)
        wells = input_on(game, key, wells, body.seat, tick, move)
        at = tick
    return tick_on(game, key, wells, body.seat, body.until - at)


# What seats of a game of ticks owe one another, by the order of the log.
#
# Theory of operation. What a seat's stretch sends to the others stands in its own part
# of the state; nothing of theirs changes until each takes it, by a move of its own. So
# stretches may be entered in any order. But a changed program might never take it. So
# the fold notes, where something is sent, how far the clock of each seat had come by
# then; a stretch that goes on much longer and has not taken it is refused.


class Sent(NamedTuple):
    """Something was sent to a seat."""

    amount: int
    """All that has been sent to it by then."""
    at: int
    """Ticks of its clock in the log."""


Owing: TypeAlias = tuple[Sent, ...]
"""What a seat has not taken yet, in the order in which it came."""

NOTHING_OWED: Final[Owing] = ()

OVERDUE_TICKS: Final = 900
"""After what is sent to a seat comes to the log its stretches may go on so long: 30 s
at 30 Hz, 10 for the node to wait and 20 for a slow line (`STRETCH_TICKS`)."""


def overdue(
    game: Game[Any, Any],
    state: Any,  # noqa: ANN401 (a game's own)
    seat: int,
    owing: Owing,
    before: int,
) -> int:
    """Return how much a seat has not taken yet of what came before a tick of its clock.

    Args:
        game: The game.
        state: The state, with all that the seat has done.
        seat: Which one; it owes nothing once it is out.
        owing: What came to it.
        before: The tick.
    """
    due = max((one.amount for one in owing if one.at < before), default=0)
    if not due:
        return 0
    real_time = _real_time(game)
    sent = min(due, real_time.sent(state, seat))
    return max(0, sent - real_time.taken(state, seat))


def owing_after(
    game: Game[Any, Any],
    owing: tuple[Owing, ...],
    before: Any,  # noqa: ANN401 (a game's own)
    after: Any,  # noqa: ANN401 (a game's own)
    ticks: Sequence[int],
) -> tuple[Owing, ...]:
    """Return what each seat owes after a stretch.

    Args:
        game: The game.
        owing: What each owed before.
        before: The state then.
        after: The state now.
        ticks: How far the clock of each has come.
    """
    real_time, found = _real_time(game), list[Owing]()
    for seat, owed in enumerate(owing):
        sent = real_time.sent(after, seat)
        news = sent > real_time.sent(before, seat)
        now = (*owed, Sent(sent, ticks[seat])) if news else owed
        taken = real_time.taken(after, seat) if now else 0
        found.append(tuple(one for one in now if one.amount > taken))
    return tuple(found)


def _real_time(game: Game[Any, Any]) -> RealTime:
    real_time = game.ABOUT.real_time
    assert real_time is not None  # only such games tick
    return real_time
