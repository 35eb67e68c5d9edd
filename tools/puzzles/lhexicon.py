"""Puzzles of Lhexicon: which word scores most, traps included?"""

import random
from collections.abc import Iterator
from time import perf_counter
from typing import Final

from netplay.players.lhexicon import choose
from netplay.players.lhexicon.board import Ground
from netplay.players.lhexicon.evaluation import Found
from netplay.players.lhexicon.search import Seeker
from netplay.puzzles import Puzzle
from netplay.table.chosen_options import chosen_options
from rules import GAMES, lhexicon
from rules.lhexicon import BLANK, EMPTY, Lay, Placed, State
from tools.puzzles.logged import Logged

MARGIN: Final = 4
"""Points by which the best play scores more than any other, at least; the search does
not look for what is further below the best."""

TURNS: Final = range(2, 11)

SECONDS: Final = 12.0
"""What the search for all plays may take; where it takes longer, there is no puzzle."""


def makings(seed: int) -> Iterator[Puzzle]:
    """Yield puzzles, one a match at most."""
    rng = random.Random(seed)  # noqa: S311 (no secret)
    options = chosen_options(GAMES["lhexicon"], [])
    while True:
        match = Logged("lhexicon", 2, options, str(rng.random()))
        for _ in range(rng.choice(TURNS)):
            seat = min(match.settle())
            view = lhexicon.view(match.state, seat)
            match.play(seat, choose(view, seat, rng.choice((70, 90)), rng, budget=0.4))
        seat = min(match.settle())
        state = lhexicon.view(match.state, seat)
        if BLANK in state.tiles.kinds[seat]:
            continue
        best, margin = ranked(state)
        if best is not None and margin >= MARGIN:
            yield match.puzzle(
                "points", [(seat, _lay(state, best))], best.score, margin
            )


def ranked(state: State) -> tuple[Found | None, int]:
    """Return the play that scores most, and by how much more than the next.

    The same word by the same tiles on another way is the same play.
    """
    end = perf_counter() + SECONDS
    seeker = Seeker(Ground(state), state.options.lexicon, lambda: perf_counter() > end)
    seeker.seek(tuple(sorted(state.tiles.kinds[state.turn])))
    plays = seeker.best()
    if perf_counter() > end or len(plays) < 2:
        return None, 0
    best = plays[0]
    return best, best.score - plays[1].score


def _lay(state: State, play: Found) -> Lay:
    tiles = state.tiles
    rack = list(zip(tiles.kinds[state.turn], tiles.racks[state.turn], strict=True))
    laid: list[Placed] = []
    for cell, (letter, kind) in zip(play.path, play.marks, strict=True):
        if kind != EMPTY:
            held = next(each for each in rack if each[0] == kind)
            rack.remove(held)
            laid.append(Placed(held[1], cell, letter))
    return lhexicon.lay(state, laid, play.path)
