"""Premium squares and the bingo: source document, Scoring."""

import pytest
from msgspec.structs import replace

from rules import editions
from rules.networdz import State
from tests.rules.networdz.positions import laid, options, position, registered, words


def squared(*squares: tuple[int, int, str]) -> str:
    """Return the digest of an edition whose board has these premiums only."""
    rows = [["."] * 15 for _ in range(15)]
    for row, column, square in squares:
        rows[row][column] = square
    board = tuple(map(tuple, rows))
    return registered(replace(editions.load("standard"), name="bare", board=board))


def on(*squares: tuple[int, int, str]) -> State:
    """Return a position with C A T S on the rack and these premiums."""
    return position(
        "CATSO", "E", bag="XXXXXXX", opts=options(edition=squared(*squares))
    )


@pytest.mark.parametrize(
    ("square", "points"),
    [(".", 5), ("L2", 8), ("L3", 11), ("L4", 14), ("W2", 10), ("W3", 15), ("W4", 20)],
)
def test_a_premium_multiplies_the_letter_or_the_word(square: str, points: int) -> None:
    after = laid(on((7, 6, square)), "across", 7, 6, "CAT")  # C3 A1 T1
    assert words(after, 0) == [("CAT", points)]


def test_letters_are_multiplied_before_the_word() -> None:
    after = laid(on((7, 6, "L3"), (7, 7, "W2")), "across", 7, 6, "CAT")
    assert after.scores[0] == (9 + 1 + 1) * 2


def test_two_word_premiums_multiply() -> None:
    after = laid(on((7, 6, "W2"), (7, 8, "W4")), "across", 7, 6, "CAT")
    assert after.scores[0] == 5 * 8


def test_a_premium_counts_in_every_word_made_on_it() -> None:
    state = position(
        "SO",
        "E",
        bag="XX",
        board=[("across", 7, 6, "CAT")],
        opts=options(edition=squared((7, 9, "W2"), (7, 6, "W4"))),
    )
    after = laid(state, "down", 7, 9, "SO")
    assert words(after, 0) == [("SO", 4), ("+CATS", 12)]


def test_a_premium_counts_once_when_the_tile_is_laid() -> None:
    state = laid(on((7, 6, "L4")), "across", 7, 6, "CAT")
    again = position(
        "S", "E", board=[("across", 7, 6, "CAT")], bag="XX", opts=state.options
    )
    assert words(laid(again, "across", 7, 9, "S"), 0) == [("CATS", 6)]


def test_a_blank_on_a_premium_multiplies_the_word_all_the_same() -> None:
    opts = options(edition=squared((7, 6, "W3"), (7, 7, "L4")))
    after = laid(position("??T", "E", bag="XXX", opts=opts), "across", 7, 6, "caT")
    assert after.scores[0] == 3


def test_the_whole_full_rack_at_once_earns_the_bingo() -> None:
    after = laid(position("TRAINED", "E", bag="XXX"), "across", 7, 7, "TRAINED")
    assert words(after, 0) == [("TRAINED", 18), ("++", 50)]  # N on 2x letter, twice
    assert after.scores[0] == 68
    assert after.last.points == 68


def test_the_bingo_stands_after_the_further_words() -> None:
    state = position("TRAINED", "E", bag="XXX", board=[("across", 7, 7, "CAT")])
    again = replace(state, options=options("TRAINED CATD"))
    after = laid(again, "down", 1, 10, "TRAINED")
    assert [word for word, _ in words(after, 0)] == ["TRAINED", "+CATD", "++"]


def test_all_tiles_of_a_rack_that_is_not_full_are_no_bingo() -> None:
    after = laid(position("CATSO", "E", bag="XXX"), "across", 7, 6, "CATS")
    assert words(after, 0) == [("CATS", 14)]
    rest = laid(position("CATS", "EAT", board=[]), "across", 7, 6, "CATS")
    assert words(rest, 0) == [("CATS", 14)]


def test_the_edition_sets_rack_and_bonus() -> None:
    small = replace(editions.load("standard"), name="small", rack=3, bingo=7)
    state = position("CAT", "E", bag="XXXX", opts=options(edition=registered(small)))
    after = laid(state, "across", 7, 6, "CAT")
    assert words(after, 0) == [("CAT", 10), ("++", 7)]
    assert len(after.tiles.racks[0]) == 3


def test_the_pictured_corner_scores_as_it_should() -> None:
    state = position("TO", "E", bag="XX", board=[("down", 0, 1, "A")])
    after = laid(replace(state, options=options("TAO TO AO")), "across", 0, 0, "TO")
    assert words(after, 0) == [("TAO", 9)]  # 3x word in the corner
