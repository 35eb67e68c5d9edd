"""Time the rules: random moves, each with the list of legal ones, and whole matches.

A game whose lists are long by nature (the discards of a word game) is asked for the
first moves only, as a player who looks at a few would.
"""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from netplay.arena import Chance
from rules import GAMES
from rules.game import CHANCE
from tools.bench.measuring import TURNS, Row, per_second, row, spin

LISTED: Final = 200
"""Moves listed at most."""

LONGEST: Final = 2_000
"""Moves after which a match is given up: some games may go round in circles."""


def rows() -> Iterator[Row]:
    """Measure."""
    for name, game in GAMES.items():
        rng = random.Random(1)  # noqa: S311 (no secret)
        found = [0, 0]

        def match(game: Any = game, rng: Any = rng, found: Any = found) -> int:  # noqa: ANN401 (any game's)
            moves = _match(game, rng)
            found[0] += moves
            found[1] += 1
            return moves

        rate = per_second(match, 1.0)
        turns = TURNS / spin()
        versus = "a thousand turns of an empty loop"
        yield row(f"games: {name}, apply and list", rate, "/s", versus, turns)
        playouts = rate * found[1] / found[0]
        yield row(f"games: {name}, playouts", playouts, "/s", versus, turns)


def _match(game: Any, rng: random.Random) -> int:  # noqa: ANN401 (any game's)
    """Play a random match; return how many moves it took, chance's among them."""
    state = game.start(max(2, game.ABOUT.seats[0]), game.ABOUT.options())
    chance = Chance(game, rng.randrange(1 << 30))
    moves = 0
    while moves < LONGEST and (actors := game.actors(state)):
        moves += 1
        if CHANCE in actors:
            state = game.play(state, CHANCE, chance.choose(state))
            continue
        actor = rng.choice(sorted(actors))
        listed: list[Any] = list(islice(game.moves(state, actor), LISTED))
        state = game.play(state, actor, rng.choice(listed))
    return moves
