"""Computer players keep to their time, and the node goes on meanwhile."""

import pytest

from tests.netplay.players.budgets import BUDGETS, Report, measure


@pytest.mark.processes
async def test_quick_games_keep_their_budget_and_leave_the_loop_alone() -> None:
    reports = [Report("hexcolumns"), Report("hexagrams")]

    watch, told = await measure(reports, 3)

    assert [report.moves for report in reports] == [3, 3]
    assert not told
    assert 0 < watch.busiest < 0.2  # a busy machine stretches what takes 1 ms


def test_a_move_over_its_budget_and_a_tenth_is_counted() -> None:
    report = Report("numlo")

    for seconds in (0.1, 1.05 * BUDGETS["numlo"], 1.2 * BUDGETS["numlo"]):
        report.add(seconds)

    assert (report.moves, report.over) == (3, 1)
    assert report.longest == 1.2 * BUDGETS["numlo"]
