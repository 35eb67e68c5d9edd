"""Puzzles of Hexcolumns: so many points with the pieces that come.

The clock stands still, the radar shows the next piece, and the level is the highest,
so that nothing but where the pieces land decides.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from netplay.puzzles import Puzzle
from rules import hexcolumns as game
from rules.game import CHANCE
from rules.hexcolumns import Drop, Input, Options, Radar, Rotate, Shift, Slant, State
from tools.puzzles.logged import Logged

SIZE: Final = 6

PIECES: Final = (2, 2, 2, 3)
"""Pieces that are to be landed; three take long to be tried in all ways."""

BEFORE: Final = range(9, 17)
"""Pieces that lie there."""

SHARE: Final = 75
"""Per cent of the best that another way to begin brings, at most."""

LEAST: Final = 280
"""What each piece must bring."""


class Ranked(NamedTuple):
    """The best that the pieces can bring."""

    inputs: tuple[tuple[Input, ...], ...]
    """One after the other, for each piece."""
    gained: int
    second: int
    """The best that another first place brings."""


def makings(seed: int) -> Iterator[Puzzle]:
    """Yield puzzles, one a match at most."""
    rng = random.Random(seed)  # noqa: S311 (no secret)
    while True:
        options = Options(size=SIZE, level=game.TOP_LEVEL)
        match = Logged("hexcolumns", 1, options, str(rng.random()))
        match.settle()
        match.play(0, Radar(on=True))
        match.settle()
        for _ in range(rng.choice(BEFORE)):
            if match.state.wells[0].over:
                break
            best = 2 if rng.random() < 0.75 else 40
            ways = sorted(placed(match.state).items(), key=lambda w: _clutter(*w))
            inputs = rng.choice([w[1][0] for w in ways][: best + 1])
            for each in inputs:
                match.play(0, each)
            match.settle()
        if match.state.wells[0].over:
            continue
        later = Logged("hexcolumns", 1, options, str(rng.random()))
        later.state, later.log = match.state, []
        yield from _puzzles(match, later, rng.choice(PIECES))


def _clutter(_key: Any, way: tuple[tuple[Input, ...], State]) -> int:  # noqa: ANN401
    """Return how much lies in the well, and how high: little is wanted."""
    well = way[1].wells[0]
    high = sum(1 for i, cell in enumerate(well.cells) if cell and i % (2 * SIZE) > 6)
    return len(well.cells) - well.cells.count(0) + 2 * high + well.gained // 100


def _puzzles(match: Logged, later: Logged, pieces: int) -> Iterator[Puzzle]:
    """Yield the puzzle of a position, if it has one."""
    # What comes is drawn first: the pieces, and one more that the radar shows.
    gems = _coming(later, pieces)
    found = ranked(match.state, gems, pieces)
    if found is None or found.gained < LEAST * pieces:
        return
    if 100 * found.second > SHARE * found.gained:
        return
    line: list[tuple[int, Any]] = []
    state, drawn = match.state, 0
    for inputs in found.inputs:
        for each in inputs:
            state = game.play(state, 0, each)
            line.append((0, each))
        while CHANCE in game.actors(state) and drawn < len(gems):
            state = game.play(state, CHANCE, gems[drawn])
            line.append((CHANCE, gems[drawn]))
            drawn += 1
    worth = state.wells[0].score
    margin = found.gained - found.second
    yield match.puzzle("target", line, worth, margin)


def _coming(later: Logged, pieces: int) -> list[Any]:
    """Return the hexes of the pieces that will come, the radar's included."""
    for _ in range(pieces - 1):
        if later.state.wells[0].over:
            break
        for each in next(iter(placed(later.state).values()))[0]:
            later.play(0, each)
        later.settle()
    return [move for actor, move in later.log if actor == CHANCE]


def placed(state: State) -> Mapping[Any, tuple[tuple[Input, ...], State]]:
    """Return the ways to land the piece: inputs, and the state right after."""
    found: dict[Any, tuple[tuple[Input, ...], State]] = {}
    for by in (0, -1, 1):
        steered: tuple[Input, ...] = ()
        here: State | None = state
        while here is not None:
            turned, inputs = here, steered
            for _turn in range(3):
                down = game.play(turned, 0, Drop())
                found.setdefault(down.wells[0].cells, ((*inputs, Drop()), down))
                turned = game.play(turned, 0, Rotate())
                inputs = (*inputs, Rotate())
            if not by:
                break
            here, steered = _beside(here, by, steered)
    return found


def _beside(
    state: State, by: int, inputs: tuple[Input, ...]
) -> tuple[State | None, tuple[Input, ...]]:
    """Return the state with the piece one column on, and the inputs so far."""
    for move in (Shift(by), Slant(by)):
        if not game.refusal(state.size, state.wells[0], move):
            return game.play(state, 0, move), (*inputs, move)
    return None, inputs


def ranked(state: State, gems: list[Any], pieces: int) -> Ranked | None:
    """Return the best that can be done with so many pieces; None if all is lost."""
    score = state.wells[0].score
    found: list[tuple[int, tuple[tuple[Input, ...], ...]]] = []
    for inputs, after in placed(state).values():
        best = _best(after, gems, pieces - 1)
        if best is not None:
            found.append((best[0] - score, (inputs, *best[1])))
    found.sort(key=lambda one: -one[0])
    if len(found) < 2:
        return None
    return Ranked(found[0][1], found[0][0], found[1][0])


def _best(
    state: State, gems: list[Any], pieces: int
) -> tuple[int, tuple[tuple[Input, ...], ...]] | None:
    """Return the best score with the pieces left, and how to get it."""
    if not pieces:
        return state.wells[0].score, ()
    rest = gems
    while CHANCE in game.actors(state):
        if not rest:
            return None
        state, rest = game.play(state, CHANCE, rest[0]), rest[1:]
    if state.wells[0].over:
        return state.wells[0].score, ()
    best: tuple[int, tuple[tuple[Input, ...], ...]] | None = None
    for inputs, after in placed(state).values():
        found = _best(after, rest, pieces - 1)
        if found is not None and (best is None or found[0] > best[0]):
            best = (found[0], (inputs, *found[1]))
    return best
