"""Networdz as text: the board, and a move in one line."""

from typing import Any

import pytest
from msgspec.structs import replace

from netplay.text import networdz as text
from rules import editions, networdz
from rules.game import CHANCE, CLOCK, Actor, Resign
from rules.networdz import (
    Accept,
    Challenge,
    Draw,
    Expire,
    Laid,
    Move,
    Overtime,
    Pass,
    Renew,
    State,
    Trade,
)
from rules.tiles import Reveal, Show, Shown
from tests.rules.networdz.positions import (
    laid,
    lay,
    options,
    position,
    registered,
    revealed,
)

NAMES = ("Able", "Baker")
CAT = [("across", 7, 6, "CaT")]


def told(state: State, actor: Actor, move: Move) -> str:
    """Return the line of a move that the rules allow."""
    assert networdz.play(state, actor, move) != state
    return text.line(state, actor, move, NAMES)


def opened(**chosen: Any) -> State:
    return position(
        "SOATEEE", "EATTTTX", bag="UVWXYZZ", board=CAT, opts=options(**chosen)
    )


def test_a_word_is_told_with_its_first_square_its_words_and_points() -> None:
    state = opened()
    across = lay(state, "across", 7, 9, "S")
    assert told(state, 0, across) == "Able lays 8G CATS 6 = 6"
    down = lay(state, "down", 7, 9, "SO")
    assert told(state, 0, down) == "Able lays J8 SO 2, +CATS 6 = 8"
    single = lay(state, "across", 8, 7, "T")
    assert told(state, 0, single) == "Able lays H8 AT 1 = 1"


def test_a_lost_turn_is_told_with_its_reason() -> None:
    state = opened(tournament=True)
    wrong = lay(state, "across", 7, 9, "E")
    expected = "Able loses the turn: CATE is not in the dictionary"
    assert told(state, 0, wrong) == expected
    assert told(state, CLOCK, Overtime(0)) == "Able is over time: -10"
    timed = opened(timed=1)
    assert told(timed, CLOCK, Expire()) == "Able loses the turn: the time is over"


@pytest.mark.parametrize(
    ("move", "line"),
    [
        (Pass(), "Able passes"),
        (Pass((3,)), "Able exchanges 1 tile"),
        (Pass((0, 1, 2)), "Able exchanges 3 tiles"),
        (Resign(), "Able resigns"),
        (Trade(112, (Shown(2, 0),)), "Able trades A for the blank at 8H"),
    ],
)
def test_other_turns_are_told(move: Move, line: str) -> None:
    assert told(opened(trade_blanks=True), 0, move) == line


def test_four_of_a_kind_are_told() -> None:
    state = replace(opened(four_of_a_kind=True), turn=1)
    four = Renew(tuple(Shown(tile, 19) for tile in (9, 10, 11, 12)))
    assert told(state, 1, four) == "Baker shows four T and exchanges the whole rack"


def test_what_chance_turns_up_is_told_as_far_as_it_is_known() -> None:
    start = networdz.start(2, options())
    assert told(start, CHANCE, Draw(0, 26)) == "Able draws ? for the start"
    state = laid(opened(), "across", 7, 9, "S")
    assert told(state, CHANCE, Reveal(14, 21)) == "Able draws V"
    masked = networdz.mask(state, CHANCE, Reveal(14, 21), 1)
    assert told(networdz.view(state, 1), CHANCE, masked) == "Able draws ▯"
    open_ = opened(show_racks=True)
    assert told(open_, CHANCE, Show(0, 18)) == "Able shows S"


def test_the_board_shows_squares_tiles_racks_words_and_pool() -> None:
    state = revealed(laid(opened(), "down", 7, 9, "SO"), "VU")
    lines = text.board(networdz.view(state, 0)).splitlines()
    assert lines[0].split() == list("ABCDEFGHIJKLMNO")
    assert lines[1] == " 1  = · · · ' · · = · · ' · · · ="
    assert lines[8] == " 8  = · · ' · · C a T S · ' · · ="
    assert lines[9] == ' 9  · " · · · · " · " O · · · " ·'
    assert lines[18:] == [
        "  Player 1:    8   A T E E E V U",
        "      SO 2, +CATS 6",
        "> Player 2:    0   ▯ ▯ ▯ ▯ ▯ ▯ ▯",
        "Tiles left in the pool: 5",
    ]


def test_names_that_are_known_stand_before_the_scores() -> None:
    shown = text.board(position("CAT", "EAT", bag="X"), ("Al", "Beatrix"))
    assert "> Al:         0   C A T" in shown
    assert "  Beatrix:    0   E A T" in shown


def test_who_resigned_is_marked() -> None:
    state = position("CAT", "EAT", "SO", bag="X")
    shown = text.board(networdz.play(state, 1, Resign()))
    assert "Player 2:    0   E A T  (resigned)" in shown


def test_wide_tiles_and_wide_boards_stay_in_their_columns() -> None:
    rows = (("W4", "L4", *["."] * 25, "##"),) * 28
    spanish = editions.load("spanish")
    edition = replace(spanish, name="wide", board=rows, start=(5, 5))
    digest = registered(edition)
    opts = replace(options("TO", "spanish"), edition=digest)
    state = position("A", "B", bag="E", opts=opts)
    placed = bytearray(state.letters)
    placed[2] = spanish.alphabet.index("CH") + 1
    state = replace(state, letters=bytes(placed), kinds=bytes(placed))
    lines = text.board(state).splitlines()
    assert lines[0].split()[24:] == ["Y", "Z", "AA", "AB"]
    assert lines[1].split()[1:5] == ["~", "^", "CH", "·"]
    assert lines[1].endswith("#")
    assert {len(line) for line in lines[:29]} == {3 + 3 * 28}


def test_a_board_is_drawn_the_same_for_a_bystander_but_for_the_racks() -> None:
    state = opened()
    full, seen = text.board(state), text.board(networdz.view(state, None))
    assert full.splitlines()[:17] == seen.splitlines()[:17]
    assert "S O A T E E E" in full
    assert "S O A" not in seen


def test_a_tile_laid_in_the_first_column_is_named_too() -> None:
    state = position("AT", "E", bag="XX", board=[("across", 7, 1, "AT")])
    move = networdz.lay(state, 0, (Laid(8 * 15 + 1, 1, 0),))
    assert text.line(state, 0, move, NAMES) == "Able lays B8 AT 4 = 4"


def test_a_challenge_is_told_with_what_came_of_it() -> None:
    for way, came in (
        ("single", "it is right"),
        ("double", "it is right, Baker loses a turn"),
        ("five", "it is right, Able gets 5 points"),
    ):
        state = opened(challenge=way)
        good = networdz.play(state, 0, lay(state, "across", 7, 9, "S"))
        assert told(good, 1, Challenge()) == f"Baker challenges the word: {came}"
        assert told(good, 1, Accept()) == "Baker accepts the word"
        paid = text.board(networdz.play(good, 1, Challenge()), NAMES)
        assert ("challenged in vain 5" in paid) == (way == "five")
        phony = lay(state, "across", 7, 9, "E")
        assert told(state, 0, phony) == "Able lays 8G CATE 6 = 6"
        wrong = networdz.play(state, 0, phony)
        assert told(wrong, 1, Challenge()) == (
            "Baker challenges the word: CATE is not in the dictionary, Able takes it "
            "back"
        )


def test_behind_the_last_play_a_challenge_in_vain_costs_no_turn() -> None:
    state = position("CAT", "EAT", bag="", opts=options(challenge="double"))
    last = networdz.play(state, 0, lay(state, "across", 7, 6, "CAT"))
    assert told(last, 1, Challenge()) == "Baker challenges the word: it is right"


def test_what_may_be_challenged_is_told_and_typed() -> None:
    state = opened(challenge="five")
    assert text.position(state)["pending"] is None
    assert "challenge" not in list(text.offers(state, 0))
    waits = networdz.play(state, 0, lay(state, "across", 7, 9, "E"))
    laid = {"seat": 1, "laid": ["8J"], "points": 6}
    assert text.position(waits)["pending"] == laid
    assert text.position(waits)["options"]["challenge"] == "five"
    assert "Baker may challenge what Able has laid" in text.board(waits, NAMES)
    assert {"challenge", "accept"} < set(text.offers(waits, 1))
    for move in (Accept(), Challenge()):
        words = text.written(waits, 1, move)
        assert text.read(waits, 1, words) == move
