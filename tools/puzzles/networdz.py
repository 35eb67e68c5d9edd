"""Puzzles of Networdz: which play scores most?"""

import random
from collections.abc import Iterator
from typing import Final

from netplay.players.networdz import choose
from netplay.players.words.plays import Finder, Play
from netplay.players.words.squares import board_of, lay_of, rack_of, words_of
from netplay.puzzles import Puzzle
from netplay.table.chosen_options import chosen_options
from rules import GAMES, networdz
from tools.puzzles.logged import Logged

MARGIN: Final = 12
"""Points by which the best play scores more than any other, at least."""

TURNS: Final = range(3, 14)


def makings(seed: int) -> Iterator[Puzzle]:
    """Yield puzzles, one a match at most."""
    rng = random.Random(seed)  # noqa: S311 (no secret)
    while True:
        match = Logged(
            "networdz", 2, chosen_options(GAMES["networdz"], []), str(rng.random())
        )
        for _ in range(rng.choice(TURNS)):
            seat = min(match.settle())
            view = networdz.view(match.state, seat)
            match.play(seat, choose(view, seat, rng.choice((55, 75, 95)), rng))
        seat = min(match.settle())
        state = networdz.view(match.state, seat)
        if networdz.ground(state.options).blank in state.tiles.kinds[seat]:
            continue
        finder = Finder(board_of(state), rack_of(state, seat), words_of(state))
        best, margin = ranked(finder)
        if best is not None and margin >= MARGIN:
            move = lay_of(state, seat, finder, best)
            yield match.puzzle("points", [(seat, move)], best.score, margin)


def ranked(finder: Finder) -> tuple[Play | None, int]:
    """Return the play that scores most, and by how much more than the next."""
    plays = sorted(finder.plays(), key=lambda play: -play.score)
    if len(plays) < 2:
        return None, 0
    return plays[0], plays[0].score - plays[1].score
