"""The simulation finds every bug that was planted for it to find."""

import pytest

from tests.simulation.planted import BUGS, Planted, hunt


def test_there_are_enough_planted_bugs() -> None:
    assert len({bug.name for bug in BUGS}) >= 12


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found(bug: Planted) -> None:
    found = next(hunt(bug), None)
    assert found is not None
    _, _, failures = found
    assert failures
