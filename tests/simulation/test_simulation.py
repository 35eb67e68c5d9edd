"""Matches through cuts, crashes and holes keep every promise, seed by seed."""

import pytest

from tests.simulation.run import simulate


@pytest.mark.parametrize("seed", range(25))
def test_a_match_through_cuts_and_crashes_keeps_every_promise(seed: int) -> None:
    result = simulate(seed)
    assert not result.failures, result
    assert result.entries


@pytest.mark.slow
@pytest.mark.parametrize("block", range(1, 10))
def test_hundreds_of_matches_keep_every_promise(block: int) -> None:
    results = [simulate(seed) for seed in range(block * 100, block * 100 + 100)]
    assert not [result for result in results if result.failures]


@pytest.mark.parametrize("seed", [2, 4])
def test_the_same_seed_gives_the_same_trace(seed: int) -> None:
    first, second = simulate(seed), simulate(seed)
    assert first == second
    assert first.faults
    assert first.trace != simulate(seed + 1).trace


@pytest.mark.slow
@pytest.mark.xfail(reason="who has granted a claim in vain takes no older entries")
def test_members_bound_by_promises_with_shorter_logs_catch_up() -> None:
    assert not simulate(4, "numlo").failures
