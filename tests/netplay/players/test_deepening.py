"""Searching deeper and deeper within an allowance."""

from collections.abc import Sequence

import pytest

from netplay.players.deepening import CLOCK_EVERY, Allowance, Spent, deepen


def test_an_allowance_ends_with_its_positions() -> None:
    allowance = Allowance(3, lambda: False)
    for _ in range(3):
        allowance.take()
    with pytest.raises(Spent):
        allowance.take()


def test_an_allowance_ends_when_it_is_late_whatever_is_left_of_it() -> None:
    allowance = Allowance(10_000, lambda: True)
    with pytest.raises(Spent):
        for _ in range(CLOCK_EVERY + 1):
            allowance.take()


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


def test_an_only_choice_needs_no_look() -> None:
    def look(_choices: Sequence[str], _depth: int) -> tuple[str, bool]:
        raise AssertionError

    assert deepen("a", look, 9) == ("a", 0)
