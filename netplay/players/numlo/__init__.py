"""A computer player for Numlo: Easy, Medium and Hard (source document, Game play).

Easy (skill up to 33) lays where it wins most points at once, as HINT does, with a
first idea that corners are good; now and then it takes the second or third best.
Medium (up to 66) and Hard look ahead, Hard much further.
"""

import time  # noqa: TID251 (a player's budget; the clock is an argument)
from collections.abc import Callable
from typing import Final

from netplay.players import Abilities, Rng
from netplay.players.deepening import EASY, SECONDS, SHARE, positions
from netplay.players.numlo.judge import ground
from netplay.players.numlo.search import Search
from rules.game import Seat
from rules.numlo import Place, State, gain, moves

POSITIONS: Final = 60, 6_000
"""At the low ends of Medium (about two plies) and Hard: see `deepening.positions`."""

GAINED: Final = 5
"""What a point won at once counts for Easy, in the units of the ground: without any
eye for the ground, Easy wins only two of three matches against chance."""

ABILITIES: Final = Abilities(timed=True)


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


def _easy(view: State, seat: Seat, skill: int, rng: Rng) -> Place:
    """Return the square that looks best now, or one of the next two by a slip."""
    squares = [move.square for move in moves(view, seat) if isinstance(move, Place)]
    size = view.options.size
    squares.sort(key=lambda at: -GAINED * gain(view, seat, at) - ground(size, at))
    if rng.random() * 100 < 50 - skill:
        return Place(rng.choice(squares[:3]))
    return Place(squares[0])
