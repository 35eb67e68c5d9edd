"""Several tables in each node, and nodes that are seldom awake: every promise holds."""

from functools import lru_cache

import pytest

from tests.simulation.several import PLAYED, plan, simulate_several

evening = lru_cache(simulate_several)
"""Played once, for all tests that look at it."""


# Two hundred evenings more are played each night, by `.ci/night`.
@pytest.mark.parametrize("seed", [2, pytest.param(14, marks=pytest.mark.slow)])
def test_several_matches_of_nodes_that_sleep_keep_every_promise(seed: int) -> None:
    result = evening(seed)
    assert not result.failures, result
    assert result.entries
    assert {"closed", "sleep", "restart"} <= result.faults.keys()


@pytest.mark.slow
@pytest.mark.parametrize("block", range(1, 5))
def test_a_hundred_evenings_keep_every_promise(block: int) -> None:
    seeds = range(block * 25, block * 25 + 25)
    results = [simulate_several(seed) for seed in seeds]
    assert not [result for result in results if result.failures]


def test_the_same_seed_gives_the_same_evening() -> None:
    assert evening(2) == simulate_several(2)


def test_every_game_is_played_and_the_one_that_hurries_once_at_a_time() -> None:
    evenings = [plan(seed) for seed in range(60)]
    games = [[wish.game for wish in evening.wishes] for evening in evenings]
    assert {game for some in games for game in some} == {game for game, _ in PLAYED}
    assert max(some.count("hexcolumns") for some in games) == 1
    assert {evening.nodes for evening in evenings} == {2, 3, 4}
    assert {len(some) for some in games} == {2, 3, 4, 5, 6}
    players = {len(wish.players) for each in evenings for wish in each.wishes}
    assert players == {1, 2, 3, 4}
