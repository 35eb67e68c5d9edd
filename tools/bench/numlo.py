"""Time Numlo as Othello: a random move and the list of legal ones, a second."""

import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

from netplay.commands.plays import perft, settled
from rules import GAMES, numlo
from tools.bench.measuring import Row, paired, per_second, plain, ratio_row

PERFT_5: Final = 1396
"""Positions of Othello after five plies, as published."""


def rows() -> Iterator[Row]:
    """Measure."""
    game = GAMES["numlo"]
    options = numlo.Options(size=8, start="othello", values=False)
    state = settled(game, game.start(2, options))
    if perft(game, state, 5) != PERFT_5:
        raise AssertionError("Numlo is not Othello")
    name = "numlo: apply and list"
    rng = random.Random(1)  # noqa: S311 (no secret)

    def ours() -> float:
        return per_second(lambda: _match(state, rng))

    spiel = _openspiel()
    if spiel is None:
        yield plain(name, ours(), "/s")
        return
    rounds = paired(ours, lambda: per_second(lambda: _spiel_match(spiel, rng)))
    yield ratio_row(name, "/s", "OpenSpiel's othello, driven from Python", rounds)


def _match(state: numlo.State, rng: random.Random) -> int:
    """Play a random match; return how many moves it took."""
    moves, listed = 0, list(numlo.moves(state, state.turn))
    while listed:
        state = numlo.play(state, state.turn, rng.choice(listed))
        listed = list(numlo.moves(state, state.turn))
        moves += 1
    return moves


def _openspiel() -> Any:  # noqa: ANN401 (a foreign module's)
    """Return OpenSpiel's othello, None if it is not installed."""
    try:
        return import_module("pyspiel").load_game("othello")
    except ImportError:
        return None


def _spiel_match(game: Any, rng: random.Random) -> int:  # noqa: ANN401 (foreign)
    """Play a random match there; return how many moves it took."""
    state, moves = game.new_initial_state(), 0
    listed = state.legal_actions()
    while listed:
        state.apply_action(rng.choice(listed))
        listed = state.legal_actions()
        moves += 1
    return moves
