"""Numlo in a terminal."""

from random import Random

from netplay.text.numlo import board, line
from rules import numlo
from rules.game import CHANCE, Resign
from rules.numlo import Disc, First, Options, Place, State, Value
from tests.rules.matches import begin, finish
from tests.rules.numlo.positions import board as cells
from tests.rules.numlo.positions import position

NAMES = ("Ann", "Bob", "Cy")


def small(turn: int = 0) -> State:
    values = bytes([0, 4, 2] + [0] * 61)
    return position(cells("BR......", "G......."), turn, values=values)


def test_a_board_shows_tiles_values_legal_squares_scores_and_turn() -> None:
    lines = board(small()).splitlines()
    assert lines[0] == "    A  B  C  D  E  F  G  H"
    assert lines[1] == " 1  B  R4+2  ·  ·  ·  ·  ·"
    assert lines[2] == " 2  G  ·  ·  ·  ·  ·  ·  ·"
    assert lines[8] == " 8  ·  ·  ·  ·  ·  ·  ·  ·"
    assert lines[10:] == ["Blue 1   Red 5   Green 1", "Blue to move."]


def test_a_board_says_who_passed_who_resigned_and_when_it_is_over() -> None:
    assert "being set up" in board(numlo.start(3, Options()))
    passed = numlo.play(
        position(cells("BR......", "........", "B.......", "G.......")), 0, Place(2)
    )
    assert "Red cannot move and passes. Green to move." in board(passed)
    left = numlo.play(passed, 1, Resign())
    assert "Red 0 (resigned)" in board(left)
    assert "The game is over." in board(numlo.play(left, 0, Resign()))


def test_a_line_tells_flips_points_passes_and_the_end() -> None:
    told = line(small(), 0, Place(2), NAMES)
    assert told == (
        "Ann lays at C1, flips 1: +8; Bob cannot move and passes; "
        "Cy cannot move and passes"
    )
    last = position(cells("BR......"))
    told = line(last, 0, Place(2), NAMES)
    assert told == "Ann lays at C1, flips 1: +2; the game is over"
    cut_off = position(cells("BR......", "........", "B.......", "G......."))
    told = line(cut_off, 0, Place(2), NAMES)
    assert told == "Ann lays at C1, flips 1: +2; Bob cannot move and passes"


def test_a_line_tells_what_chance_and_who_resigns_did() -> None:
    state = numlo.start(3, Options())
    assert line(state, CHANCE, Value(13, 6), NAMES) == "B2 is worth 6 more"
    assert line(state, CHANCE, Disc(0, 1), NAMES) == "Red gets A1"
    assert line(state, CHANCE, First(2), NAMES) == "Cy begins"
    assert line(state, 1, Resign(), NAMES) == "Bob resigns"


def test_every_position_and_move_of_a_match_has_a_text() -> None:
    match = finish(begin("numlo", 3, Options(start="scatter")), Random(5), 0.01)
    for (actor, move), state in zip(match.log, match.states, strict=False):
        assert len(board(state).splitlines()) == match.options.size + 4
        assert "\n" not in line(state, actor, move, NAMES)


def test_names_that_are_known_stand_beside_the_colours() -> None:
    assert "Blue (Al) 1   Red (Bea) 5   Green (Cy) 1" in board(
        small(), ("Al", "Bea", "Cy")
    )
