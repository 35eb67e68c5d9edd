"""The plain search that the best player of Numlo is measured against."""

import random
from collections.abc import Iterator

import pytest

from netplay.commands.plays import settled
from rules import GAMES, numlo
from rules.numlo import OVER, Place, State
from rules.numlo.state import unpack
from tools import othello

EMPTY = 7
"""Squares left where the outcome is found by trying everything."""


def worth(state: State, seat: int) -> int:
    """Return whether a seat wins (1), loses (-1) or neither, by the rules alone."""
    if state.turn == OVER:
        own, other = numlo.places(state)[seat], numlo.places(state)[1 - seat]
        return (own < other) - (own > other)
    values = [
        worth(numlo.play(state, state.turn, move), seat)
        for move in numlo.moves(state, state.turn)
        if isinstance(move, Place)
    ]
    return max(values) if state.turn == seat else min(values)


def deciding() -> Iterator[tuple[State, set[int]]]:
    """Yield positions near the end where some moves win and others do not."""
    game, rng = GAMES["numlo"], random.Random(4)
    while True:
        state = settled(game, numlo.start(2, othello.BOARD))
        while (
            state.turn != OVER and sum(map(int.bit_count, unpack(state))) < 64 - EMPTY
        ):
            listed = [m for m in numlo.moves(state, state.turn) if isinstance(m, Place)]
            state = numlo.play(state, state.turn, rng.choice(listed))
        if state.turn == OVER:
            continue
        seat = state.turn
        found = {
            move.square: worth(numlo.play(state, seat, move), seat)
            for move in numlo.moves(state, seat)
            if isinstance(move, Place)
        }
        good = {square for square, value in found.items() if value == 1}
        if good and len(good) < len(found):
            yield state, good


def test_the_search_takes_a_move_that_wins() -> None:
    positions = deciding()
    for _ in range(4):
        state, good = next(positions)
        boards = unpack(state)
        own, other = boards[state.turn], boards[1 - state.turn]
        assert othello.search(own, other, 1000, random.Random(1)) in good


def test_a_game_is_counted_for_who_is_on_turn_when_it_begins() -> None:
    nobody = random.Random(1)
    full = othello.GRID.full
    assert othello.rollout(full, 0, nobody) == 1
    assert othello.rollout(0, full, nobody) == 0
    half = full & 0xFFFFFFFF
    assert othello.rollout(half, full & ~half, nobody) == 0.5
    # Who is on turn cannot lay, the other takes the last square and wins by it.
    own, other = sum(1 << n for n in range(1, 32)), full & ~0xFFFFFFFF
    assert othello.rollout(own, other, nobody) == 0
    assert othello.rollout(other, own, nobody) == 1


def test_the_best_player_is_measured_in_pairs_of_games(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = othello.main(["--games", "2", "--rollouts", "2", "--budget", "0.02"])
    assert code == 0, "it wins against hardly any thought"
    assert "in 2 games" in capsys.readouterr().out
