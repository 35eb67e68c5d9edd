"""Options as people type them."""

import pytest

from netplay.errors import LocalError
from netplay.sentences import Says
from netplay.table.chosen_options import read_options
from rules import GAMES, numlo
from tests.said import like


def test_values_become_what_the_field_wants() -> None:
    pairs = [("Size", "8"), ("start", "othello"), ("values", "off")]

    assert read_options(GAMES["numlo"], pairs) == numlo.Options(8, "othello", False)


def test_what_is_not_typed_keeps_its_default_and_later_ones_win() -> None:
    assert read_options(GAMES["numlo"], []) == numlo.Options()
    assert read_options(GAMES["numlo"], [("values", "no"), ("values", "on")]).values


def test_a_dash_is_an_underscore_and_digests_are_given_apart() -> None:
    options = read_options(GAMES["networdz"], [("show-racks", "yes")], edition="ab")

    assert (options.show_racks, options.edition) == (True, "ab")


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        (("sze", "8"), "no option 'sze'; there are size, start, values"),
        (("size", "9"), "size is an even number from 8 to 20, not '9'"),
        (("size", "big"), "size is an even number from 8 to 20, not 'big'"),
        (("start", "chess"), "start is one of .*, not 'chess'"),
        (("values", "maybe"), "values is on or off, not 'maybe'"),
    ],
    ids=str,
)
def test_a_wrong_option_says_what_is_right(pair: tuple[str, str], reason: str) -> None:
    with pytest.raises(LocalError, match=reason):
        read_options(GAMES["numlo"], [pair])


def test_a_number_out_of_its_range_is_told_the_range() -> None:
    with pytest.raises(
        LocalError,
        match=like(
            Says.VALUE_NOT,
            name="size",
            wanted=Says.NUMBER_BETWEEN(whole="a whole", least=6, most=9),
            word="5",
        ),
    ):
        read_options(GAMES["hexcolumns"], [("size", "5")])
