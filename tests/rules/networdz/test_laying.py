"""Laying words: source document, Playing words and Forming words."""

import pytest
from msgspec.structs import replace

from rules import editions, lexicon, networdz
from rules.editions import BLOCKED
from rules.game import CHANCE, CLOCK, IllegalMoveError
from rules.networdz import Laid, Lay, State
from rules.tiles import Shown
from tests.rules.networdz.positions import (
    Word,
    held,
    laid,
    lay,
    options,
    position,
    registered,
    revealed,
    tiles,
    words,
)

CAT: list[Word] = [("across", 7, 6, "CAT")]
"""Covers the middle of the board with its A."""


def refused(state: State, move: Lay, actor: int = 0) -> str:
    with pytest.raises(IllegalMoveError) as caught:
        networdz.play(state, actor, move)
    return str(caught.value)


def test_a_word_is_laid_scored_and_the_rack_refilled() -> None:
    state = position("CATSTOE", "EEEEEEE", bag="XYZ")
    after = laid(state, "across", 7, 6, "CAT")
    field = networdz.ground(state.options)
    assert [field.spell((c - 1,)) for c in after.letters if c] == ["C", "A", "T"]
    assert after.scores == (12, 0)  # C4 + A1 + T1, doubled by the centre
    assert words(after, 0) == [("CAT", 12)]
    assert after.turn == 1
    assert after.tiles.racks[0] == (3, 4, 5, 6, 14, 15, 16)
    assert networdz.actors(after) == {CHANCE}
    after = revealed(after, "ZXY")
    assert held(after, 0) == "STOEZXY"
    assert networdz.actors(after) == {1}
    assert after.last.cells == (111, 112, 113)
    assert (after.last.seat, after.last.points) == (0, 12)


def test_a_word_may_go_down() -> None:
    after = laid(position("CATSTOE", "EE", bag="X"), "down", 5, 7, "CAT")
    assert words(after, 0) == [("CAT", 12)]


@pytest.mark.parametrize(
    ("way", "row", "column", "word", "board", "message"),
    [
        ("across", 7, 6, "TAX", [], "TAX is not in the dictionary"),
        ("across", 7, 7, "A", [], "A is not in the dictionary"),
        ("across", 7, 9, "S", [("across", 7, 6, "CAN")], "CANS is not in the"),
        ("across", 6, 6, "TO", CAT, "TC is not in the dictionary"),
        ("across", 5, 6, "CAT", [], "Word must cover center square"),
        ("down", 8, 7, "AT", [], "Word must cover center square"),
        ("across", 2, 6, "AT", CAT, "Tiles are not connected"),
        ("across", 2, 6, "A", CAT, "Tiles are not connected"),
        ("across", 8, 9, "AT", CAT, "Tiles are not connected"),
    ],
)
def test_an_invalid_play_is_refused_in_the_documents_words(
    way: str, row: int, column: int, word: str, board: list[Word], message: str
) -> None:
    state = position("CATSOXN", "EEE", bag="X", board=board)
    assert refused(state, lay(state, way, row, column, word)).startswith(message)


def test_tiles_must_lie_in_one_row_or_column() -> None:
    state = position("CATS", "E", bag="X")
    bent = (Laid(112, 0, 0), Laid(113, 1, 0), Laid(128, 2, 0))
    move = networdz.lay(state, 0, bent)
    assert refused(state, move) == "Your tiles are not in a line"


def test_tiles_must_be_consecutive() -> None:
    state = position("CATS", "E", bag="X")
    for cells in ((111, 112, 114), (97, 112, 142)):
        gap = tuple(Laid(cell, tile, 0) for tile, cell in enumerate(cells))
        move = networdz.lay(state, 0, gap)
        assert refused(state, move) == "Only one word allowed"


def test_tiles_at_the_ends_of_neighbouring_rows_are_not_consecutive() -> None:
    state = position("AT", "E", bag="X", board=CAT)
    move = networdz.lay(state, 0, (Laid(14, 0, 0), Laid(15, 1, 0)))
    assert refused(state, move) == "Your tiles are not in a line"


def test_no_tiles_are_no_play() -> None:
    assert refused(position("CAT", "E"), Lay((), ())) == "No tiles played"


def test_tiles_may_go_on_both_sides_of_those_there() -> None:
    state = position("CT", "E", bag="X", board=[("across", 7, 7, "A")])
    after = laid(state, "across", 7, 6, "CT")
    assert words(after, 0) == [("CAT", 6)]  # the centre's premium is used up


def test_words_across_count_and_stand_after_the_first_with_a_plus() -> None:
    state = position("SO", "E", bag="XX", board=CAT)
    after = laid(state, "down", 7, 9, "SO")
    assert words(after, 0) == [("SO", 2), ("+CATS", 7)]
    assert after.scores == (9, 0)
    assert after.last.points == 9


def test_a_single_tile_may_make_two_words() -> None:
    board = [*CAT, ("across", 8, 9, "OX")]
    after = laid(position("S", "E", bag="X", board=board), "across", 7, 9, "S")
    assert words(after, 0) == [("CATS", 7), ("+SO", 2)]


def test_a_single_tile_below_a_word_makes_one_word_down() -> None:
    after = laid(position("T", "E", bag="X", board=CAT), "across", 8, 7, "T")
    assert words(after, 0) == [("AT", 2)]


def test_a_blank_stands_for_the_letter_chosen_and_scores_nothing() -> None:
    state = position("C?T", "E", bag="XXX")
    after = laid(state, "across", 7, 6, "CaT")
    assert words(after, 0) == [("CAT", 10)]
    assert after.blanks == ((112, 1),)
    blank = networdz.ground(state.options).blank
    assert (after.letters[112], after.kinds[112]) == (1, blank + 1)
    assert after.tiles.counts[blank] == 0


def test_a_blank_keeps_its_letter_and_stays_worthless() -> None:
    state = position("TS", "E", bag="XX", board=[("across", 7, 6, "CaT")])
    after = laid(state, "across", 7, 9, "S")
    assert words(after, 0) == [("CATS", 6)]
    assert refused(state, lay(state, "down", 6, 7, "S")).startswith("SA is not")


@pytest.mark.parametrize("letter", [-1, 26, 99])
def test_a_blank_needs_a_letter(letter: int) -> None:
    state = position("C?T", "E", bag="XXX")
    move = networdz.lay(state, 0, (Laid(111, 0, 0), Laid(112, 1, letter)))
    assert refused(state, move) == "The blank needs a letter"


def test_a_letter_stands_for_itself_only() -> None:
    state = position("CAT", "E", bag="XXX")
    good = lay(state, "across", 7, 6, "CAT")
    wrong = replace(good, laid=(Laid(111, 0, 5), *good.laid[1:]))
    assert refused(state, wrong) == "That tile has another letter"


def test_tiles_not_held_are_refused_whatever_is_claimed() -> None:
    state = position("CAT", "ATS", bag="XXX")
    good = lay(state, "across", 7, 6, "CAT")
    others = tiles(state, 1, "across", 7, 7, "AT")
    stolen = networdz.lay(state, 1, (*others,))
    assert refused(state, stolen) == "That tile is not on the rack"
    shown = (replace(good.shown[0], kind=0), *good.shown[1:])
    laid_as = (Laid(111, 0, 0), *good.laid[1:])
    state = replace(state, options=options("AAT"))
    lied = Lay(laid_as, shown)
    assert refused(state, lied) == "That tile has another letter"
    with pytest.raises(IllegalMoveError, match="not on the rack"):
        networdz.lay(state, 0, others)


def test_what_is_shown_must_be_what_is_laid() -> None:
    state = position("CAT", "E", bag="XXX")
    good = lay(state, "across", 7, 6, "CAT")
    for shown in ((), good.shown[:2], good.shown[::-1], (*good.shown, Shown(3, 0))):
        message = refused(state, replace(good, shown=shown))
        assert message == "The tiles shown are not the tiles laid"


def test_a_tile_is_laid_once() -> None:
    state = position("TOT", "E", bag="XXX", opts=options("TOT"))
    good = lay(state, "across", 7, 6, "TOT")
    twice = Lay(
        (*good.laid[:2], replace(good.laid[2], tile=good.laid[0].tile)),
        (*good.shown[:2], good.shown[0]),
    )
    assert refused(state, twice) == "A tile is shown twice"


@pytest.mark.parametrize("cells", [(-1, 0), (224, 225), (112, 112), (113, 112)])
def test_squares_are_on_the_board_and_named_in_order(cells: tuple[int, int]) -> None:
    state = position("AT", "E", bag="XX")
    laid_on = tuple(Laid(cell, tile, (0, 19)[tile]) for tile, cell in enumerate(cells))
    move = Lay(laid_on, (Shown(0, 0), Shown(1, 19)))
    assert refused(state, move).startswith("Tiles are laid on squares of the board")


def test_a_square_holds_one_tile() -> None:
    state = position("AT", "E", bag="XX", board=CAT)
    move = networdz.lay(state, 0, (Laid(113, 0, 0), Laid(114, 1, 19)))
    assert refused(state, move) == "There is a tile on that square already"


def blocked_board() -> str:
    edition = editions.load("standard")
    rows = [list(row) for row in edition.board]
    rows[7][8] = BLOCKED
    return registered(replace(edition, name="wall", board=tuple(map(tuple, rows))))


def test_no_tile_goes_on_a_blocked_square_and_no_word_over_one() -> None:
    state = position("AT", "E", bag="XX", opts=options(edition=blocked_board()))
    move = networdz.lay(state, 0, (Laid(112, 0, 0), Laid(113, 1, 0)))
    message = "You cannot play tiles on the blocked squares"
    assert refused(state, move) == message
    over = networdz.lay(state, 0, (Laid(112, 0, 0), Laid(114, 1, 0)))
    assert refused(state, over) == "Only one word allowed"


def test_a_word_longer_than_the_edition_allows_is_in_no_dictionary() -> None:
    edition = replace(editions.load("standard"), name="short", longest=3)
    state = position("CATS", "E", bag="X", opts=options(edition=registered(edition)))
    assert laid(state, "across", 7, 6, "CAT").scores[0] > 0
    message = refused(state, lay(state, "across", 7, 6, "CATS"))
    assert message == "CATS is not in the dictionary"


def test_a_spanish_digraph_is_one_tile_and_one_letter_with_its_own_points() -> None:
    alphabet = editions.load("spanish").alphabet
    ch, a, o, c = (alphabet.index(letters) for letters in ("CH", "A", "O", "C"))
    made = lexicon.read(lexicon.build(alphabet, [(ch, o, c, o)]))
    lexicon.register(made)
    opts = replace(options("A", "spanish"), lexicon=made.digest)
    state = position("AOCO", "E", bag="EEEE", opts=opts)
    tiles_now = replace(
        state.tiles,
        kinds=((ch, o, c, o), state.tiles.kinds[1]),
        counts=tuple(
            count + (kind == ch) - (kind == a)
            for kind, count in enumerate(state.tiles.counts)
        ),
    )
    state = replace(state, tiles=tiles_now)
    move = next(networdz.lays(state, 0))
    after = networdz.play(state, 0, move)
    assert words(after, 0) == [("CHOCO", (5 + 1 + 3 + 1) * 2)]
    assert len(after.last.cells) == 4


def test_the_russian_yo_counts_as_ye_in_words_but_has_its_own_points() -> None:
    state = position("ЁТ?", "Т", bag="ААА", opts=options("ЕТ", "russian"))
    after = laid(state, "across", 7, 7, "ЁТ")
    assert words(after, 0) == [("ЁТ", 8)]  # 3 + 1, doubled
    yo = networdz.ground(state.options).alphabet.index("Ё")
    blank = networdz.lay(state, 0, (Laid(112, 2, yo), Laid(113, 1, 0)))
    assert refused(state, blank) == "The blank needs a letter"


@pytest.mark.parametrize("actor", [1, 2, CHANCE, CLOCK, -3, 99])
def test_only_the_seat_whose_turn_it_is_lays(actor: int) -> None:
    state = position("CAT", "CAT", bag="X")
    move = lay(state, "across", 7, 6, "CAT")
    assert refused(state, move, actor) == "It is not your turn"


def test_chance_and_clock_make_no_players_moves() -> None:
    state = laid(position("CATS", "CAT", bag="XXX"), "across", 7, 6, "CAT")
    move = Lay((Laid(114, 3, 18),), (Shown(3, 18),))
    assert refused(state, move, CHANCE) == "That move is not yours to make"


def test_the_tentative_score_is_told_before_anything_is_played() -> None:
    state = position("CATS", "E", bag="X")
    view = networdz.view(state, 0)
    verdict = networdz.judge(view, 0, tiles(state, 0, "across", 7, 6, "CAT"))
    assert ([(line.word, line.points) for line in verdict.lines], verdict.points) == (
        [("CAT", 12)],
        12,
    )
    assert verdict.error == ""
    assert verdict.cells == (111, 112, 113)


def test_the_reason_for_refusal_is_told_with_the_words() -> None:
    state = position("CATS", "E", bag="X")
    verdict = networdz.judge(state, 0, tiles(state, 0, "across", 7, 6, "CTA"))
    assert verdict.error == "CTA is not in the dictionary"
    assert [line.word for line in verdict.lines] == ["CTA"]
    assert networdz.judge(state, 0, ()).error == "No tiles played"
    taken = networdz.judge(state, 0, (Laid(-5, 0, 0),))
    assert taken.error.startswith("Tiles are laid on squares")
    alien = networdz.judge(state, 0, (Laid(112, 4, 0),))
    assert alien.error == "That tile is not on the rack"


def test_tiles_for_a_move_may_come_in_any_order() -> None:
    state = position("CATS", "E", bag="X")
    forward = tiles(state, 0, "across", 7, 6, "CAT")
    assert networdz.lay(state, 0, forward[::-1]) == networdz.lay(state, 0, forward)
