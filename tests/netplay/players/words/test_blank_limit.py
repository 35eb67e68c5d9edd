"""Racks that spell more than there is time for are thought of with fewer blanks."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.players.words.position import Rack
from netplay.players.words.squares import MOST_BLANKS, MOST_SETS, limit_blanks, sets

tiles = st.lists(st.tuples(st.integers(0, 25), st.integers(0, 10)), max_size=12)


@given(tiles, st.integers(0, 12), st.integers(1, 128))
def test_as_many_blanks_stay_as_there_is_time_for(
    some: list[tuple[int, int]], blanks: int, letters: int
) -> None:
    rack = Rack(tuple(some), blanks, len(some) + blanks, 50)

    found = limit_blanks(rack, letters)

    assert replace(found, blanks=blanks) == rack
    assert sets(found, letters) <= MOST_SETS
    more = replace(found, blanks=found.blanks + 1)
    full = found.blanks in {blanks, MOST_BLANKS}
    assert full or sets(more, letters) > MOST_SETS


@given(st.integers(0, 2), st.sampled_from([26, 27, 29, 33]))
def test_no_rack_of_a_shipped_edition_loses_a_blank(blanks: int, letters: int) -> None:
    rack = Rack(((4, 1),) * (7 - blanks), blanks, 7, 50)

    assert limit_blanks(rack, letters) is rack


def test_sets_are_counted_as_they_are_listed() -> None:
    # Of A and B one, both or none, and a blank for each of three letters or for none.
    assert sets(Rack(((0, 1), (1, 1)), 1, 3, 50), 3) == 4 * (1 + 3)
