"""Searching deeper and deeper within an allowance."""

from collections.abc import Sequence

import pytest

from netplay.players.deepening import (
    CLOCK_EVERY,
    Allowance,
    Spent,
    compared,
    deepen,
    doubts,
)


def test_an_allowance_ends_with_its_positions() -> None:
    allowance = Allowance(3, lambda: False)
    for _ in range(3):
        allowance.spend()
    with pytest.raises(Spent):
        allowance.spend()


def test_an_allowance_ends_when_it_is_late_whatever_is_left_of_it() -> None:
    allowance = Allowance(10_000, lambda: True)
    with pytest.raises(Spent):
        for _ in range(CLOCK_EVERY + 1):
            allowance.spend()


def test_the_best_of_the_deepest_look_that_ended_counts() -> None:
    seen: list[tuple[str, ...]] = []

    def look(choices: Sequence[str], depth: int) -> tuple[str, bool]:
        seen.append(tuple(choices))
        if depth == 3:
            raise Spent
        return ("b", "c")[depth - 1], False

    assert deepen("abc", look, 9) == ("c", 2)
    assert seen == [("a", "b", "c"), ("b", "a", "c"), ("c", "b", "a")]


def test_a_settled_look_is_the_last() -> None:
    assert deepen("ab", lambda _choices, _depth: ("b", True), 9) == ("b", 1)


def test_nothing_is_looked_deeper_than_allowed() -> None:
    assert deepen("ab", lambda choices, _depth: (choices[1], False), 3) == ("b", 3)


def test_an_only_choice_is_looked_at_as_deep_as_others() -> None:
    assert deepen("a", lambda _choices, _depth: ("a", False), 9) == ("a", 9)


def test_choices_are_compared_at_the_two_greatest_depths_that_can_be_paid_for() -> None:
    allowance = Allowance(0, lambda: False)

    def value(choice: int, depth: int) -> int:
        for _ in range(10**depth):
            allowance.spend()
        return 100 * depth + choice

    assert compared([1, 2], 4, value, allowance, 2_500) == ([201, 202], [301, 302])
    assert compared([1, 2], 4, value, allowance, 25) == ([], [101, 102])
    with pytest.raises(Spent):
        compared([1, 2], 4, value, allowance, 5)


def test_nobody_is_sure_of_what_only_one_depth_has_shown() -> None:
    assert min(doubts([], [0.9, 0.2])) >= 1
    # The second loses 0.2 at one depth and 0.35 at the next.
    assert doubts([0.5, 0.3], [0.6, 0.25]) == pytest.approx([0.0, 0.3])
