"""Features meet in one match: every file is judged alike, and cells are counted."""

import pytest

from netplay.messages.log import Hand, Response, Term, Wish
from tests.simulation.cells import FEATURES, NEAR, Cells, empty, reviewed, told
from tests.simulation.meetings import SETTINGS, simulate_meeting

HEAD = bytes(32)


@pytest.mark.parametrize("seed", [SETTINGS.index(("lhexicon", "committed"))])
def test_whatever_meets_in_a_match_every_file_of_it_is_judged_alike(seed: int) -> None:
    """One of the sixty-seven that CI plays besides, through every setting."""
    result = simulate_meeting(seed)
    assert not result.failures, result
    assert len(result.cells) > len(FEATURES)


def test_the_same_seed_lets_the_same_features_meet() -> None:
    assert simulate_meeting(6) == simulate_meeting(6)


def test_two_features_have_met_in_their_order_and_near_each_other_only() -> None:
    cells = Cells()
    cells.read(HEAD, 3, Hand(0, HEAD, "bob", ()), back=False)
    cells.read(HEAD, 3 + NEAR, Term(0, ()), back=False)
    cells.read(HEAD, 4 + NEAR, Wish(0, "draw", 0, HEAD, HEAD), back=False)
    assert cells.met["hand over", "host lost"] == 1
    assert cells.met["host lost", "offer"] == 1
    assert ("host lost", "hand over") not in cells.met
    assert ("hand over", "offer") not in cells.met


def test_a_turn_is_taken_back_by_the_answer_that_all_have_agreed_with() -> None:
    cells = Cells()
    cells.read(HEAD, 1, Wish(0, "back", 0, HEAD, HEAD), back=False)
    cells.read(HEAD, 2, Response(1, HEAD, agrees=True), back=True)
    assert cells.met == {("offer", "take-back"): 1}


def test_a_rematch_goes_on_counting_from_the_match_before() -> None:
    cells, other = Cells(), bytes([1]) * 32
    cells.read(HEAD, 40, Term(0, ()), back=False)
    cells.read(other, 0, Term(0, ()), back=False)
    cells.read(other, 5, Hand(0, HEAD, "bob", ()), back=False)
    assert cells.met["host lost", "rematch"] == 1
    assert cells.met["rematch", "hand over"] == 1
    assert cells.met["host lost", "hand over"] == 1


def test_an_empty_cell_that_nobody_has_reviewed_is_told() -> None:
    every = {(a, b): 1 for a in FEATURES for b in FEATURES}
    assert not empty(every)
    del every["resign", "rematch"]
    assert empty(every) == [("resign", "rematch")]
    assert "  resign, then rematch" in list(told(every))


def test_each_cell_that_stays_empty_has_a_reason() -> None:
    assert all(len(why) > 5 for why in reviewed().values())
    assert len(reviewed()) < len(FEATURES)
