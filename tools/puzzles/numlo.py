"""Puzzles of Numlo: the end of a match, read out to its last square."""

import random
from collections.abc import Iterator
from itertools import count
from typing import Final, NamedTuple

from netplay.players.numlo import choose
from netplay.puzzles import Puzzle
from rules import numlo
from rules.numlo import OVER, Options, Place, State
from tools.puzzles.logged import Logged

MARGIN: Final = 6
"""Points by which the best square leads to more at the end than any other, at least."""

EMPTY: Final = range(6, 10)
"""Squares that are left: few enough to be read out."""

SIZE: Final = 8

NODES: Final = 60_000
"""Positions looked at for one puzzle, at most."""


class TooManyError(Exception):
    """This end cannot be read out."""


class Ranked(NamedTuple):
    """What reading out has found."""

    square: int
    lead: int
    """By how much one is ahead of each other, added up, after it."""
    margin: int


def makings(seed: int) -> Iterator[Puzzle]:
    """Yield puzzles, one a match at most; of two and of three by turns."""
    rng = random.Random(seed)  # noqa: S311 (no secret)
    for number in count():
        seats = 2 + number % 2
        match = Logged("numlo", seats, Options(size=SIZE), str(rng.random()))
        left = rng.choice(EMPTY)
        while match.settle() and empty(match.state) > left:
            seat = match.state.turn
            match.play(seat, choose(match.state, seat, rng.choice((20, 40)), rng))
        if match.state.turn == OVER:
            continue
        try:
            found = ranked(match.state)
        except TooManyError:
            continue
        greedy = numlo.hint(match.state)
        if found.margin < MARGIN or (found.square == greedy and rng.random() < 0.8):
            continue  # what HINT finds at once is no puzzle
        line = [(match.state.turn, Place(found.square))]
        yield match.puzzle("best", line, 0, found.margin)


def empty(state: State) -> int:
    """Return how many squares are empty."""
    full = sum(int.from_bytes(board, "little").bit_count() for board in state.tiles)
    return state.options.size**2 - full


def ranked(state: State) -> Ranked:
    """Return the square that leads to most at the end, all others playing against it.

    Raises:
        TooManyError: There is too much to be read out.
    """
    seat, left = state.turn, [NODES]
    values = []
    for move in numlo.moves(state, seat):
        assert isinstance(move, Place)
        after = numlo.play(state, seat, move)
        values.append((_value(after, seat, -(1 << 30), 1 << 30, left), move.square))
    values.sort(reverse=True)
    if len(values) < 2:
        return Ranked(values[0][1], values[0][0], 0)
    return Ranked(values[0][1], values[0][0], values[0][0] - values[1][0])


def _value(state: State, seat: int, low: int, high: int, left: list[int]) -> int:
    """Return the lead of a seat at the end, within two bounds (alpha-beta)."""
    left[0] -= 1
    if left[0] < 0:
        raise TooManyError
    if state.turn == OVER:
        scores = numlo.scores(state)
        return len(scores) * scores[seat] - sum(scores)
    own = state.turn == seat
    moves = [m for m in numlo.moves(state, state.turn) if isinstance(m, Place)]
    moves.sort(key=lambda move: -numlo.gain(state, state.turn, move.square))
    for move in moves:
        value = _value(numlo.play(state, state.turn, move), seat, low, high, left)
        if own:
            low = max(low, value)
        else:
            high = min(high, value)
        if low >= high:
            break
    return low if own else high
