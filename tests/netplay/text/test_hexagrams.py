"""Hexagrams in a terminal."""

from random import Random

from netplay.text.hexagrams import board, line
from rules import hexagrams
from rules.game import Resign
from rules.hexagrams import BLACK, WHITE, Options
from tests.rules.hexagrams.positions import ply, position
from tests.rules.matches import begin, finish

NAMES = ("Ann", "Bob")
EXAMPLE = position(
    "H(1,0) T(3,0) T(3,2) T(4,1)",
    "H(1,6) H(2,3) T(5,-1) T(5,3) T(7,2) T(8,1)",
    turn=BLACK,
)


def test_the_board_of_the_source_is_drawn_as_its_picture() -> None:
    assert board(EXAMPLE).splitlines() == [
        "x   -1  0  1  2  3  4  5  6  7",
        "T1         ·     ·     ·         1",
        "T2      ·     ·     ·     ·      2",
        "H0        [·]   [·]   [·]        3",
        "T3      w     w     ·     ·      4",
        "T4   ·     w     ·     ·     ·   5",
        "H1     [W]   [·]   [·]   [B]     6",
        "T5   b     ·     b     ·     ·   7",
        "T6      ·     ·     ·     ·      8",
        "H2        [·]   [B]   [·]        9",
        "T7      ·     b     ·     ·     10",
        "T8         b     ·     ·        11",
        "     A  B  C  D  E  F  G  H  I",
        "",
        "White 1 hexad 3 triads   Black 2 hexads 4 triads",
        "Black to move.",
    ]


def test_a_board_tells_forced_captures_and_the_end() -> None:
    assert "White to move and must capture." in board(hexagrams.start(2, Options()))
    over = hexagrams.play(EXAMPLE, WHITE, Resign())
    assert board(over).endswith("Black wins: the other side resigns.")
    draw = position("H(0,3) T(8,1)", "H(2,3) T(1,1)", quiet=59)
    draw = hexagrams.play(draw, WHITE, ply("H(0,3)-H(0,5)"))
    assert "Nobody wins: triads are counted" in board(draw)


def test_a_line_is_in_the_notation_of_the_move_list() -> None:
    start = hexagrams.start(2, Options())
    assert line(start, WHITE, ply("T(4,-1)xT(5,-1)"), NAMES) == "Ann A5xA7"
    assert line(EXAMPLE, BLACK, ply("H(2,3)-H(2,5)"), NAMES) == "Bob E9-G9"
    assert line(EXAMPLE, BLACK, Resign(), NAMES) == "Bob resigns"
    last = position("H(1,2) T(8,1)", "H(1,4) T(1,1)")
    assert line(last, WHITE, ply("H(1,2)xH(1,4)"), NAMES) == (
        "Ann D6xF6; all enemy hexads are taken"
    )


def test_every_position_and_move_of_a_match_has_a_text() -> None:
    match = finish(begin("hexagrams", 2, Options()), Random(5))
    for (actor, move), state in zip(match.log, match.states, strict=False):
        assert len(board(state).splitlines()) == 16
        assert "\n" not in line(state, actor, move, NAMES)


def test_names_that_are_known_stand_beside_the_colours() -> None:
    shown = board(hexagrams.start(2, Options()), ("Al", "Bea"))
    assert "White (Al) 5 hexads" in shown
    assert "Black (Bea) 5 hexads" in shown
