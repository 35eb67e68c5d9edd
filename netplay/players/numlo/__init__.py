"""A computer player for Numlo: Easy, Medium and Hard (source document, Game play).

Easy (skill up to 33) lays where it wins most points at once, as HINT does, with a
first idea that corners are good; now and then it takes the second or third best.
Medium (up to 66) and Hard look ahead, Hard much further.
"""

import time  # noqa: TID251 (a player's budget; the clock is an argument)
from collections.abc import Callable, Sequence
from math import log
from typing import Final

from netplay.players import Abilities, Rng
from netplay.players.deepening import EASY, SECONDS, SHARE, compared, positions
from netplay.players.evaluating import Candidate, Evaluation, logistic
from netplay.players.numlo.search import FINAL, Search, ground
from netplay.said import Said
from netplay.sentences import Says
from rules.game import Seat
from rules.numlo import OVER, Move, Place, State, gain, moves, play
from rules.numlo.state import unpack

POSITIONS: Final = 60, 6_000
"""At the low ends of Medium (about two plies) and Hard: see `deepening.positions`."""

GAINED: Final = 5
"""What a point won at once counts for Easy, in the units of the ground: without any
eye for the ground, Easy wins only two of three matches against chance."""

WORK: Final = 20_000
"""Positions for a turn in a review: some half a second."""

EVEN: Final = 1.5, 0.9
"""Of all points of the board, how much a position must promise for 73 % of the games to
be won: until three quarters are laid, and at the end.  Fitted to 110 games of computer
players, on boards of 8 and of 12."""


def choose(
    view: State,
    seat: Seat,
    skill: int,
    rng: Rng,
    budget: float = SECONDS,
    clock: Callable[[], float] = time.perf_counter,
) -> Place:
    """Return a move for the seat on turn; only the slips of Easy come from chance."""
    if skill <= EASY:
        return _easy(view, seat, skill, rng)
    end = clock() + SHARE * budget
    search = Search(view, seat, positions(skill, *POSITIONS), lambda: clock() >= end)
    return Place(search.run()[0])


def evaluate(
    view: State, seat: Seat, budget: int, rng: Rng, also: Sequence[Place] = ()
) -> Evaluation:
    """Return what the best square is worth, and others; see `evaluating`."""
    search = Search(view, seat, budget, lambda: False)
    best, depth = search.run()
    others = {move.square for move in also} - {best}
    squares = [best, *sorted(others)]
    before, after = compared(
        squares, depth, search.value, search.allowance, 2 * budget * len(squares)
    )
    found: list[Candidate] = []
    for square, shallow, deep in zip(squares, before, after, strict=True):
        chance = _chance(view, deep)
        lost = _chance(view, after[0]) - chance
        earlier = _chance(view, before[0]) - _chance(view, shallow)
        error = 2 * abs(earlier - lost)
        found.append(Candidate(Place(square), _lead(view, deep), chance, error))
    found.sort(key=lambda each: -each.chance)
    return Evaluation(tuple(found), search.allowance.taken)


def _laid(view: State) -> float:
    """Return how much of the board is laid, 0 to 1."""
    laid = sum(board.bit_count() for board in unpack(view))
    return laid / view.options.size**2


def _chance(view: State, value: int) -> float:
    """Return the chance to win where a search says what a position is worth."""
    begin, end = EVEN
    late = max(0.0, 4 * _laid(view) - 3)
    scale = (begin + (end - begin) * late) * (view.options.size**2 + sum(view.values))
    rivals = len(view.tiles) - len(view.gone) - 1
    return logistic(value / scale - log(max(1, rivals)), 1.0)


def _lead(view: State, value: int) -> float:
    """Return how many points ahead a search's value is."""
    if abs(value) > 10 * FINAL:
        return value / FINAL - (10 if value > 0 else -10)
    late = int(4 * _laid(view))
    return value / (1 + late * late)


def reason(view: State, seat: Seat, best: Move, made: Move) -> Said | None:
    """Return whether a corner was missed or given away in Numlo."""
    size = view.options.size
    corners = {0, size - 1, size * (size - 1), size * size - 1}
    if isinstance(best, Place) and isinstance(made, Place):
        if best.square in corners and made.square not in corners:
            return Says.WHY_CORNER_MISSED()

        def open_after(move: Place) -> set[int]:
            after = play(view, seat, move)
            if after.turn in {seat, OVER}:
                return set()
            replies = moves(after, after.turn)
            squares = {m.square for m in replies if isinstance(m, Place)}
            return squares & corners

        if open_after(made) - open_after(best):
            return Says.WHY_CORNER_GIVEN()
    return None


GLANCE: Final = 500
"""Positions for a first look."""

ABILITIES: Final = Abilities(
    timed=True, evaluate=evaluate, work=WORK, glance=GLANCE, reason=reason
)


def _easy(view: State, seat: Seat, skill: int, rng: Rng) -> Place:
    """Return the square that looks best now, or one of the next two by a slip."""
    squares = [move.square for move in moves(view, seat) if isinstance(move, Place)]
    size = view.options.size
    squares.sort(key=lambda at: -GAINED * gain(view, seat, at) - ground(size, at))
    if rng.random() * 100 < 50 - skill:
        return Place(rng.choice(squares[:3]))
    return Place(squares[0])
