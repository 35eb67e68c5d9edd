"""`netplay arena` as a script would use it."""

import json
from math import sqrt
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from netplay import arena
from netplay.__main__ import main
from netplay.home import Home
from rules import editions


def report(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, float]:
    assert main(["arena", *words, "--json"]) == 0
    found: dict[str, float] = json.loads(capsys.readouterr().out)
    return found


def test_a_strong_player_beats_a_random_one(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["networdz", "100", "random", "--games", "2", "--budget", "0.05"]
    found = report(capsys, *words)

    assert (found["games"], found["a_wins"]) == (2, 2)
    assert found["a_points"] > found["b_points"]


def test_a_player_against_itself_is_level_on_equal_draws(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = report(capsys, "networdz", "best", "best", "--games", "4", "--seed", "3")

    assert found["a_wins"] == found["b_wins"]
    assert found["a_points"] == found["b_points"]


def test_the_same_seed_gives_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["numlo", "random", "random", "--games", "6", "--seats", "3"]

    first, second = report(capsys, *words), report(capsys, *words)

    assert first["a_wins"] == second["a_wins"]
    assert first["a_wins"] + first["b_wins"] + first["ties"] == 6 * 2


@pytest.mark.parametrize(("asked", "played"), [("1", 2), ("2", 2), ("3", 4)])
def test_seats_are_swapped_however_few_games_are_asked_for(
    asked: str, played: int, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["hexagrams", "random", "random", "--games", asked]
    assert report(capsys, *words)["games"] == played


def test_after_its_seconds_it_stops_with_whole_pairs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["hexagrams", "random", "random", "--games", "4000"]

    found = report(capsys, *words, "--seconds", "0.001")

    assert 2 <= found["games"] < 4000
    assert found["games"] % 2 == 0


def test_a_budget_is_what_a_player_that_thinks_by_a_clock_gets(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["lhexicon", "100", "best", "--games", "2", "--option", "side=6"]

    found = report(capsys, *words, "--budget", "0.01")

    assert found["slowest"] < 1  # and not the second and a half of its own


def test_the_best_player_thinks_as_much_as_is_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["networdz", "100", "leaves", "--games", "4"]

    # The first is too little to look ahead.
    least, more, again = (
        report(capsys, *words, "--work", w) for w in ("1", "600", "600")
    )

    assert least["a_points"] != more["a_points"]
    for same in ("a_wins", "b_wins", "a_points", "b_points"):
        assert more[same] == again[same], same


def test_what_was_kept_is_not_played_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    words = ["hexagrams", "20", "random", "--seed", "3"]

    fresh = report(capsys, *words, "--games", "6")
    report(capsys, *words, "--games", "2", "--keep", str(kept))
    first = kept.read_text("utf-8")
    report(capsys, *words, "--games", "2", "--keep", str(kept), "--work", "9")
    both = report(capsys, *words, "--games", "6", "--keep", str(kept), "--jobs", "2")
    before = kept.read_text("utf-8")
    less = report(capsys, *words, "--games", "4", "--keep", str(kept))

    for same in ("games", "a_wins", "b_wins", "ties", "share_error"):
        assert both[same] == fresh[same], same
    assert less["games"] == 4
    assert before == kept.read_text("utf-8")
    assert before.startswith(first)
    assert before.count("\n") == 4  # one of them of another measurement


DEEP = '{"more":' + "[" * 20_000
"""Lists in lists in lists: no row, and too deep to be looked at."""


@pytest.mark.parametrize(
    "text", ["what I wrote\n", '{"group":', "[]\n", pytest.param(DEEP, id="deep")]
)
def test_a_file_of_something_else_stays_as_it_is(
    text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    kept.write_text(text, "utf-8")

    words = ["hexagrams", "random", "random", "--games", "2", "--keep"]
    assert main(["arena", *words, str(kept)]) != 0
    assert str(kept) in capsys.readouterr().err
    assert kept.read_text("utf-8") == text

    assert main(["arena", *words, str(tmp_path)]) != 0  # a folder
    assert str(tmp_path) in capsys.readouterr().err


def test_several_processes_play_the_games_that_one_would_have_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    home = Home(tmp_path)
    home.editions.mkdir(parents=True)
    own = replace(editions.load("standard"), name="mine", rack=4)
    (home.editions / "mine.toml").write_text(editions.write(own), "utf-8")
    words = ["networdz", "20", "random", "--games", "4", "--option", "edition=mine"]
    words += ["--home", str(tmp_path)]

    one, two = report(capsys, *words), report(capsys, *words, "--jobs", "2")

    for same in ("games", "a_wins", "b_wins", "a_points", "b_points", "diff", "error"):
        assert one[same] == two[same], same


def test_the_difference_has_the_error_of_its_pairs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    alone = report(capsys, "networdz", "best", "random", "--games", "2")
    assert alone["diff"] == (alone["a_points"] - alone["b_points"]) / 2
    assert alone["error"] is None  # nobody knows how far a single pair is off

    # Whoever plays against itself has each draw from both sides.
    same = report(capsys, "networdz", "best", "best", "--games", "4")
    assert (same["diff"], same["error"], same["share_error"]) == (0, 0, 0)

    tally = arena.Tally(margins=[1.0, 3.0, 8.0])
    assert arena.error(tally.margins) == pytest.approx(sqrt(13 / 3))


def test_it_stops_when_decided(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["numlo", "20", "random", "--option", "size=8"]

    found = report(capsys, *words, "--games", "400", "--decide")

    assert found["decided"]
    assert 2 * arena.FEW <= found["games"] < 100
    none = report(capsys, *words, "--games", "2", "--decide", "60")
    assert not none["decided"]


def test_looking_after_every_pair_seldom_decides_between_equals() -> None:
    rng = Random(5)
    wrong = 0
    for _ in range(300):
        tally = arena.Tally()
        for _ in range(120):
            tally.shares.append(rng.choice((0.0, 0.5, 0.5, 1.0)))
            if tally.decided(0.5):
                wrong += 1
                break
    assert wrong <= 15  # of 300, though each was looked at 109 times

    better = arena.Tally(shares=[rng.choice((0.5, 0.5, 1.0)) for _ in range(120)])
    assert better.decided(0.5)


def test_every_mixed_arrangement_of_seats_is_played() -> None:
    assert arena.arrangements(2) == [(0, 1), (1, 0)]
    assert len(arena.arrangements(3)) == 6


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["networdz", "100", "genius"], "no player 'genius'"),
        (["hexagrams", "1", "2", "--seats", "3"], "not for 3 seats"),
        (["numlo", "1", "2", "--games", "0"], "at least one game"),
    ],
    ids=str,
)
def test_what_cannot_be_played_gets_one_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *words]) == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["networdz", "clever", "best"], "there is no player 'clever'"),
        (["numlo", "20", "10", "--budget", "-1"], "more than 0 seconds"),
        (["numlo", "20", "10", "--decide", "101"], "from 0 to 100 %"),
        (["networdz", "20", "genius", "--jobs", "2"], "no player 'genius'"),
        (
            ["numlo", "20", "best"],
            "0 to 100, beginner, easy, medium, hard, expert, master, random",
        ),
        (["networdz", "20", "best", "--option", "edition=klingon"], "klingon"),
        (["networdz", "20", "best", "--option", "lexicon=klingon"], "klingon"),
        (["numlo", "20", "easy", "--option", "edition=german"], "has no editions"),
        (["numlo", "20", "easy", "--option", "words=german"], "without words"),
        (["numlo", "20", "easy", "--seats", "3", "--option", "start=othello"], "two"),
        (["lhexicon", "20", "best", "--option", "words=russian"], "A to Z"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *words, "--games", "2"]) in {1, 2}
    error = capsys.readouterr().err
    assert why in error
    assert error.count("\n") == 1


def test_editions_and_levels_go_by_their_names(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    home = Home(tmp_path)
    home.editions.mkdir(parents=True)
    own = replace(editions.load("german"), name="mine", rack=5)
    (home.editions / "mine.toml").write_text(editions.write(own), "utf-8")
    words = ["networdz", "20", "random", "--games", "2", "--home", str(tmp_path)]
    for name in ("german", "mine"):
        assert report(capsys, *words, "--option", f"edition={name}")["games"] == 2
    assert report(capsys, "hexagrams", "easy", "random", "--games", "2")["games"] == 2


def test_rows_that_wells_send_each_other_rise_in_the_arena_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["hexcolumns", "100", "100", "--games", "6"]
    words += ["--option", "level=18", "--option", "size=7"]

    quiet = report(capsys, *words)
    pressed = report(capsys, *words, "--option", "attacks=on")
    assert pressed["a_pieces"] < quiet["a_pieces"]
