"""Computer players play as they did when their strength was measured."""

import pytest

from tests.netplay.players.measured import MATCHES, PLACE, WELLS, told


@pytest.mark.parametrize("name", [*WELLS, *MATCHES])
def test_a_match_of_computers_goes_as_it_did_when_they_were_measured(name: str) -> None:
    kept = PLACE.read_text("utf-8").split("\n\n")
    [was] = [each for each in kept if each.startswith(f"== {name}\n")]
    assert told(name).splitlines() == was.splitlines(), "see `measured.py` beside"
