"""Matches through cuts, crashes and holes keep every promise, seed by seed."""

from collections import Counter
from functools import lru_cache

import pytest

from tests.simulation.run import simulate
from tests.simulation.themes import OFFERS, PREPARED, THEMES, WORDY, Plan

# Of most laws one seed is played here, 67 by `.ci/run` besides, and a thousand a night:
# so what is `slow` below is another seed of what is played in one of them.

LIARS = ("lying guest", "lying host", "stranger")

SLOW = pytest.mark.slow

played = lru_cache(simulate)
"""Played once, for all tests that look at it."""


@pytest.mark.parametrize("seed", [0, 2])
def test_a_match_through_cuts_and_crashes_keeps_every_promise(seed: int) -> None:
    """Two of the 67 that CI plays besides."""
    result = played(seed)
    assert not result.failures, result
    assert result.entries


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_match_that_hurries_keeps_every_promise(seed: int) -> None:
    result = simulate(seed, "hexcolumns", ())
    assert not result.failures, result
    assert result.entries > 200


@pytest.mark.slow
@pytest.mark.parametrize("block", range(1, 10))
def test_hundreds_of_matches_keep_every_promise(block: int) -> None:
    results = [simulate(seed) for seed in range(block * 100, block * 100 + 100)]
    assert not [result for result in results if result.failures]


@pytest.mark.parametrize("seed", [2, pytest.param(6, marks=pytest.mark.slow)])
def test_the_same_seed_gives_the_same_trace(seed: int) -> None:
    first, second = played(seed), simulate(seed)
    assert first == second
    assert first.faults
    assert first.trace != played(0).trace


def test_a_match_whose_disk_failed_as_it_was_read_is_not_opened_by_a_peer() -> None:
    result = simulate(265, "numlo", ("leave",))
    assert not result.failures, result


def test_a_match_in_which_a_seat_is_agreed_on_that_cannot_pass_goes_on() -> None:
    result = simulate(109, "", ("hand",))
    assert not result.failures, result


def test_a_seat_whose_hand_over_an_older_home_has_forgotten_is_nobodys() -> None:
    result = simulate(2087)
    assert {"hand-over", "old home", "replaced entries"} <= {*result.faults}
    assert not result.failures


# The 67 seeds that CI plays besides have each theme four times at least; what is
# played here is looked at by another test, too.
@pytest.mark.parametrize(
    "theme",
    [each if each in LIARS else pytest.param(each, marks=SLOW) for each in THEMES],
)
@pytest.mark.parametrize("seed", [pytest.param(1, marks=SLOW), 2])
def test_whatever_people_and_computers_do_no_promise_is_broken(
    theme: str, seed: int
) -> None:
    game = "networdz" if theme in WORDY else ""
    result = played(seed, game, (theme,))
    assert not result.failures, result


def test_moves_on_condition_are_made_where_they_were_named_for_and_nowhere_else() -> (
    None
):
    faults = Counter[str]()
    for seed in range(6):
        game = ("numlo", "hexagrams")[seed % 2]
        result = simulate(seed, game, (PREPARED, OFFERS))
        assert not result.failures, result
        faults.update(result.faults)
    assert faults["line prepared"] > 40
    assert faults["prepared move"] > 3


def test_every_theme_and_every_lie_comes_up() -> None:
    themes, faults = set[str](), set[str]()
    for seed in range(60):
        plan = Plan(seed, "", None)
        themes.update(plan.themes)
    for seed in (0, 2):
        for theme in LIARS:
            faults.update(played(seed, "", (theme,)).faults)
    assert themes == {*THEMES, OFFERS, PREPARED}
    assert len([fault for fault in faults if fault.startswith("lie: ")]) > 15


def test_members_apart_have_what_they_say_carried() -> None:
    found = (simulate(seed) for seed in range(100))
    faults = next(each.faults for each in found if "pair apart" in each.faults)
    assert faults["carried messages"] > 10
