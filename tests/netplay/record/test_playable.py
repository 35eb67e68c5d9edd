"""What still stands of a history from which turns were taken back."""

import pytest

from netplay.record.playable import Back, kept

BACKS = (Back(7, 5), Back(9, 3), Back(12, 4))


@pytest.mark.parametrize(
    ("heeded", "at", "stands"),
    [(0, 10, 3), (1, 10, 3), (2, 10, 4), (3, 10, 10), (0, 2, 2)],
)
def test_of_turns_taken_back_between_two_looks_the_earliest_place_counts(
    heeded: int, at: int, stands: int
) -> None:
    assert kept(BACKS, heeded, at) == stands
