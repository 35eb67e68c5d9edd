"""Weeks of friends with days to think, one of whom lies: every promise holds."""

import pytest

from tests.simulation.days import simulate_days
from tests.simulation.withheld import simulate_withheld


# Two hundred weeks are played each night, by `.ci/night`.
@pytest.mark.parametrize("seed", range(6))
def test_no_honest_player_loses_time_that_it_had(seed: int) -> None:
    result = simulate_days(seed)
    assert not result.failures, result
    assert result.entries


def test_the_same_seed_gives_the_same_weeks() -> None:
    assert simulate_days(3) == simulate_days(3)


@pytest.mark.parametrize("seed", [1, 2, 5])
def test_who_withholds_tiles_puts_nobody_out_but_itself(seed: int) -> None:
    result = simulate_withheld(seed)
    assert not result.failures, result
    assert result.faults["withholds"]


@pytest.mark.slow
@pytest.mark.parametrize("block", range(1, 5))
def test_a_hundred_who_withhold_put_nobody_out_but_themselves(block: int) -> None:
    seeds = range(block * 25, block * 25 + 25)
    results = [simulate_withheld(seed) for seed in seeds]
    assert not [result for result in results if result.failures]
    assert sum(result.faults.get("on time", 0) > 0 for result in results) > 3


@pytest.mark.slow
@pytest.mark.parametrize("block", range(1, 5))
def test_four_hundred_weeks_keep_every_promise(block: int) -> None:
    results = [simulate_days(seed) for seed in range(block * 100, block * 100 + 100)]
    assert not [result for result in results if result.failures]
    happened = {what for result in results for what in result.faults}
    assert {"on time", "claim falsely", "hold back", "ignore", "post"} <= happened
    assert "whisper" in happened
