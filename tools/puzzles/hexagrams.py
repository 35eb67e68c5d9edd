"""Puzzles of Hexagrams: the one way to win by force."""

import random
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from netplay.players.hexagrams import choose
from netplay.puzzles import Puzzle
from rules import hexagrams
from rules.hexagrams import OVER, Options, State
from tools.puzzles.logged import Logged

Seen: TypeAlias = dict[tuple[Any, ...], bool]

LATEST: Final = 80
"""Plies of a match that are looked at."""

LONGEST: Final = 3
"""Own moves of a solution, at most."""

BEYOND: Final = 1
"""So many own moves more are granted to other first moves, and must not win."""

NODES: Final = 60_000


class TooManyError(Exception):
    """This cannot be read out."""


class Solver:
    """Finds out who wins by force within some moves."""

    def __init__(self, nodes: int = NODES) -> None:
        """Begin with all the positions that may be looked at."""
        self._left = nodes
        self._known: Seen = {}

    def wins(self, state: State, seat: int, own: int) -> bool:
        """Tell whether a seat wins within so many own moves, whatever comes.

        Raises:
            TooManyError: There is too much to be read out.
        """
        if state.turn == OVER:
            return state.winner == seat
        if own == 0 and state.turn == seat:
            return False
        key = (state.turn, state.hexads, state.triads, seat, own)
        if key not in self._known:
            self._left -= 1
            if self._left < 0:
                raise TooManyError
            self._known[key] = self._look(state, seat, own)
        return self._known[key]

    def _look(self, state: State, seat: int, own: int) -> bool:
        mine = state.turn == seat
        results = (
            self.wins(hexagrams.play(state, state.turn, move), seat, own - mine)
            for move in hexagrams.moves(state, state.turn)
        )
        return any(results) if mine else all(results)

    def winning(self, state: State, own: int) -> list[Any]:
        """Return the moves that win within so many own moves, this one included."""
        seat = state.turn
        return [
            move
            for move in hexagrams.moves(state, seat)
            if self.wins(hexagrams.play(state, seat, move), seat, own - 1)
        ]

    def length(self, state: State, seat: int, most: int) -> int:
        """Return within how many own moves a seat wins; one more than most if not."""
        return next((n for n in range(most + 1) if self.wins(state, seat, n)), most + 1)


def makings(seed: int) -> Iterator[Puzzle]:
    """Yield puzzles, one a match at most."""
    rng = random.Random(seed)  # noqa: S311 (no secret)
    while True:
        match = Logged("hexagrams", 2, Options(), str(rng.random()))
        for ply in range(LATEST):
            if match.state.turn == OVER:
                break
            if ply > 12 and (line := _solution(match.state)):
                yield match.puzzle("win", line, 0, 0)
                break
            skill = rng.choice((10, 33, 45))
            match.play(
                match.state.turn, choose(match.state, match.state.turn, skill, rng)
            )


def _solution(state: State) -> list[tuple[int, Any]]:
    """Return the moves of a forced win with one way to begin; nothing if there is none.

    A win by the first move alone, or by the only legal move, is no puzzle.
    """
    if len(list(hexagrams.moves(state, state.turn))) < 3:
        return []
    try:
        return _line(state, Solver())
    except TooManyError:
        return []


def _line(state: State, solver: Solver) -> list[tuple[int, Any]]:
    seat = state.turn
    own = solver.length(state, seat, LONGEST)
    if not 2 <= own <= LONGEST or len(solver.winning(state, own + BEYOND)) != 1:
        return []
    line: list[tuple[int, Any]] = []
    while True:
        winning = solver.winning(state, own)
        if len(winning) != 1 and own > 1:
            return line[:-1] if len(line) > 1 else []
        line.append((seat, winning[0]))
        state = hexagrams.play(state, seat, winning[0])
        own -= 1
        if state.turn == OVER:
            return line
        reply = max(
            hexagrams.moves(state, state.turn),
            key=lambda m: solver.length(_after(state, m), seat, own),
        )
        line.append((state.turn, reply))
        state = hexagrams.play(state, state.turn, reply)
        own = solver.length(state, seat, own)


def _after(state: State, move: Any) -> State:  # noqa: ANN401 (a move)
    return hexagrams.play(state, state.turn, move)
