"""Matches through cuts, crashes and holes keep every promise, seed by seed."""

import pytest

from tests.simulation.run import simulate


@pytest.mark.parametrize("seed", range(25))
def test_a_match_through_cuts_and_crashes_keeps_every_promise(seed: int) -> None:
    result = simulate(seed)
    assert not result.failures, result
    assert result.entries


@pytest.mark.parametrize("seed", [0, 5, 9])
def test_a_match_that_hurries_keeps_every_promise(seed: int) -> None:
    result = simulate(seed, "hexcolumns")
    assert not result.failures, result
    assert result.entries > 200


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


@pytest.mark.parametrize(
    ("seed", "game"),
    [
        (4, "numlo"),  # members bound by promises in vain, with shorter logs
        (27, "numlo"),  # a guest comes back before its host calls it
        (559, ""),  # a guest crashes while the first bytes of its file are written
        (744, ""),  # a dealer comes back as host no more, and somebody lacks its tiles
        (750, ""),  # a disk fails again while its match is opened
        (63, ""),  # all crash when the match is over, and have put it away
    ],
)
def test_a_seed_that_failed_once_keeps_every_promise(seed: int, game: str) -> None:
    assert not simulate(seed, game).failures


def test_members_apart_have_what_they_say_carried() -> None:
    found = (simulate(seed) for seed in range(100))
    faults = next(each.faults for each in found if "pair apart" in each.faults)
    assert faults["carried messages"] > 10
