"""Hexcolumns in a terminal."""

import pytest
from msgspec.structs import replace

from netplay.text.hexcolumns import board, legend, line
from rules import hexcolumns as game
from rules.game import CHANCE, CLOCK, Resign
from tests.rules.hexcolumns.test_rows import CHAIN, sending
from tests.rules.hexcolumns.wells import alone, cells, draw, hexes, ticks

NAMES = ("Ann", "Bob", "Cy", "Dee")


def test_a_well_is_drawn_with_the_falling_piece_in_capitals() -> None:
    well = {-5: "r# o+", 0: "y- g*", 3: "b@ v"}
    state = alone(well, piece="r g# b", column=-2, height=3, score=120, clock=1785)
    assert board(state).splitlines() == [
        "Player 1: 120",
        "level 0  1:00",
        "piece 1",
        "          ·",
        "        ·   ·",
        "      ·   ·   ·",
        "    ·   ·   ·   ·",
        "  ·   ·   ·   ·   ·",
        "·   ·   ·   ·   ·   ·",
        "  ·   ·   ·   ·   ·",
        "·   ·   ·   ·   ·   ·",
        "  ·   B   ·   ·   ·",
        "·   ·   ·   ·   ·   ·",
        "  ·   G#  ·   ·   ·",
        "·   ·   ·   ·   ·   ·",
        "  ·   R   ·   ·   ·",
        "o+  ·   ·   ·   ·   ·",
        "  ·   ·   ·   ·   ·",
        "r#  ·   ·   ·   v   ·",
        "  ·   ·   ·   ·   ·",
        "    ·   ·   ·   b@",
        "      ·   g*  ·",
        "        ·   ·",
        "          y-",
        "",
        legend(),
    ]


def test_two_wells_stand_side_by_side_and_two_more_below() -> None:
    rows = board(draw(game.start(4, game.Options()), "r g b")).splitlines()
    assert [row.split() for row in rows if "Player" in row] == [
        ["Player", "1:", "0", "Player", "2:", "0"],
        ["Player", "3:", "0", "Player", "4:", "0"],
    ]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"paused": True}, "paused"),
        ({"over": True, "piece": b""}, "full"),
        ({"over": True, "resigned": True, "piece": b""}, "resigned"),
        ({"clock": 61}, "level 0  0:03"),
        ({"level": 7, "clock": 11 * 1800}, "level 7  11:00"),
        ({"pieces": 31}, "piece 31"),
    ],
)
def test_what_is_to_be_known_of_a_well_stands_above_it(
    more: dict[str, object], words: str
) -> None:
    assert words in board(alone(**more)).splitlines()[1:3]


def test_the_next_piece_is_shown_from_the_top_when_the_radar_is_on() -> None:
    state = game.play(alone(), 0, game.Radar(on=True))
    assert "level 0  1:00  radar" in board(state)
    assert "level 0  1:00  next o  v  y+" in board(draw(state, "y+ v o"))


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (game.Shift(-1), "moves left"),
        (game.Shift(1), "moves right"),
        (game.Slant(-1), "moves down to the left"),
        (game.Slant(1), "moves down to the right"),
        (game.Rotate(), "rotates the piece"),
        (game.Lower(), "lowers the piece"),
        (game.Drop(), "drops the piece: +5"),
        (game.Radar(on=True), "switches the radar on"),
        (game.Faster(), "goes up a level"),
        (game.Pause(), "pauses"),
        (Resign(), "resigns"),
    ],
)
def test_each_input_is_told_in_a_line(move: game.Move, text: str) -> None:
    assert line(alone(height=4), 0, move, NAMES) == f"Ann {text}"


def test_the_other_switches_are_told_too() -> None:
    off = line(alone(radar=True), 0, game.Radar(on=False), NAMES)
    assert off == "Ann switches the radar off"
    assert line(alone(paused=True), 0, game.Resume(), NAMES) == "Ann resumes"


def test_a_landing_is_told_with_what_it_brought() -> None:
    spec = {0: "r r", 1: "g#", 2: "y"}
    state = alone(spec, piece="r b# y", score=10)
    told = line(state, 0, game.Drop(), NAMES)
    assert told == "Ann drops the piece: +75 for 5 hexes (squares, alignments)"


def test_every_cause_is_told_in_its_order() -> None:
    state = alone({0: "r", 3: "y+"}, piece="g* b o", score=2500)
    told = line(state, 0, game.Drop(), NAMES)
    assert told == "Ann drops the piece: +45 for 4 hexes (a star, all +)"


def test_a_well_that_fills_up_is_told() -> None:
    state = alone({0: "r b r b r b"}, piece="g v y")
    assert line(state, 0, game.Drop(), NAMES).endswith(": +5; the well is full")


def test_the_clock_and_chance_are_told() -> None:
    two = draw(game.start(2, game.Options(size=6)), "r g b")
    waiting = game.start(1, game.Options())
    assert line(two, CLOCK, game.Tick(1), NAMES) == "Bob's clock ticks"
    star = game.Gem(game.cell(2, game.Motif.STAR))
    assert line(waiting, CHANCE, star, NAMES) == "chance draws yellow star"


def test_a_piece_that_lands_by_itself_is_told() -> None:
    state = ticks(alone(height=0), 29)
    assert line(state, CLOCK, game.Tick(0), NAMES) == "Ann's clock ticks: +5"


def test_a_piece_that_is_followed_at_once_is_told_as_landed() -> None:
    state = draw(game.start(2, game.Options(size=6)), "r g b")
    state = draw(game.play(state, 1, game.Drop()), "b v g")
    assert line(state, 0, game.Drop(), NAMES) == "Ann drops the piece: +5"


def test_names_that_are_known_stand_above_the_wells() -> None:
    shown = board(draw(game.start(2, game.Options()), "r g b"), ("Al", "Bea"))
    assert shown.splitlines()[0].split() == ["Al:", "0", "Bea:", "0"]


def test_rows_are_told_when_they_are_sent_are_coming_and_rise() -> None:
    state = sending(0, 2)
    assert "piece 1  2 rows are coming" in board(state)
    told = line(state, 0, game.Rise(2), NAMES)
    assert told == "2 rows from the others in Ann's well"
    full = replace(state.wells[0], cells=cells(6, {5: "r b r b r b"}))
    state = replace(state, wells=(full, state.wells[1]))
    assert line(state, 0, game.Rise(1), NAMES).endswith("well; the well is full")
    chain = replace(full, cells=cells(6, CHAIN), piece=hexes("r g v"))
    state = replace(state, wells=(chain, state.wells[1]))
    assert line(state, 0, game.Drop(), NAMES).endswith("; 1 row for the others")
