"""The simulation finds every bug that was planted for it to find."""

import pytest

from tests.simulation.crossed import CROSSED
from tests.simulation.planted import BUGS
from tests.simulation.planting import Planted, UnfitError, hunt, planted, slipped
from tests.simulation.run import simulate
from tests.simulation.slips import GIVEN, OURS, slip

ALL = (*BUGS, *GIVEN, *OURS, *CROSSED)


def test_there_are_enough_planted_bugs() -> None:
    assert len({bug.name for bug in BUGS}) >= 12
    assert len({bug.name for bug in GIVEN}) == 10
    assert len({bug.name for bug in OURS}) >= 20
    assert len({bug.name for bug in CROSSED}) == 6
    assert len({bug.name for bug in ALL}) == len(ALL)


@pytest.mark.parametrize("bug", ALL, ids=lambda bug: bug.name)
def test_a_planted_bug_fits_the_program_as_it_is(bug: Planted) -> None:
    with planted(bug):
        pass


def test_a_slip_that_fits_nowhere_is_said_to() -> None:
    with pytest.raises(UnfitError), slipped(slip("no such line stands there", "")):
        pass


def test_a_bug_is_pulled_out_again() -> None:
    before = simulate(2)
    with planted(GIVEN[4]):
        pass
    assert simulate(2) == before
    assert not before.failures


@pytest.mark.slow
@pytest.mark.parametrize("bug", ALL, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found(bug: Planted) -> None:
    found = next(hunt(bug), None)
    assert found is not None
    _, _, failures = found
    assert failures
