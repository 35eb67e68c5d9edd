"""`netplay plays` as a script would use it."""

import argparse
import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from netplay.commands import plays
from netplay.errors import LocalError
from netplay.home import Home
from netplay.home_folder import VARIABLE

ROWS = "/".join(["15"] * 15)


def run(*words: str) -> None:
    parser = argparse.ArgumentParser()
    plays.add(parser)
    assert plays.run(parser.parse_args(words)) == 0


def test_across_and_down_are_two_plays_on_an_empty_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("ab\nba\n", encoding="utf-8")

    run("--cgp", f"{ROWS} AB/ 0/0 0", "--words", str(words), "--json")

    # AB or BA, in one of two places, across or down; the start doubles 1 + 3 points.
    report = json.loads(capsys.readouterr().out)
    assert (report["count"], report["sum"], report["best"]) == (8, 64, 8)
    assert {"play": "8G AB", "score": 8} in report["top"]


def test_a_tile_that_makes_two_words_is_one_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("ab\nba\naa\n", encoding="utf-8")
    board = f"{'15/' * 6}7A7/6A8/{'15/' * 6}15"

    run("--cgp", f"{board} B/ 0/0 0", "--words", str(words), "--json")

    found = {play["play"] for play in json.loads(capsys.readouterr().out)["top"]}
    assert "8G (A)B" in found
    assert "H7 (A)B" not in found


def test_of_many_blanks_as_many_are_tried_as_can_be_thought_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("aa\nabababa\n", encoding="utf-8")
    counts = []
    for rack in ("???", "???????"):
        run("--cgp", f"{ROWS} {rack}/ 0/0 0", "--words", str(words), "--json")
        report = json.loads(capsys.readouterr().out)
        counts.append((report["count"], len(report["warnings"])))
    (three, warned), (seven, more) = counts
    assert (three, more) == (seven, warned + 1)


def test_people_get_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    run("--cgp", f"{ROWS} AABDELT/ 0/0 0", "--top", "1")

    assert capsys.readouterr().out.splitlines()[1].split()[0] == "76"


def test_plays_that_offend_are_counted_but_listed_only_on_demand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    words = tmp_path / "words.txt"
    words.write_text("cut\nfuck\n", encoding="utf-8")
    line = ("--cgp", f"{ROWS} FUCKTVV/ 0/0 0", "--words", str(words), "--json")

    def listed(*more: str) -> set[str]:
        run(*line, *more)
        report = json.loads(capsys.readouterr().out)
        # A word of n letters lies in n places, across and down.
        assert report["count"] == 2 * 3 + 2 * 4
        assert report["best"] > report["top"][-1]["score"]
        return {play["play"].split()[1] for play in report["top"]}

    assert listed() == {"CUT"}
    assert listed("--top", "20", "--offensive-words") == {"CUT", "FUCK"}
    Home(tmp_path).set("offensive-words", "on")
    assert listed("--top", "20") == {"CUT", "FUCK"}
    assert listed("--no-offensive-words") == {"CUT"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [("a\na1\n", "line 2: .*'1', which is on no tile"), ("NPWORDS?", "word list")],
)
def test_a_file_that_is_no_word_list_is_refused(
    tmp_path: Path, content: str, reason: str
) -> None:
    words = tmp_path / "words.txt"
    words.write_text(content, encoding="utf-8")

    with pytest.raises(LocalError, match=reason):
        run("--cgp", f"{ROWS} A/ 0/0 0", "--words", str(words))


def test_a_missing_file_and_a_bad_line_are_the_users_errors(tmp_path: Path) -> None:
    with pytest.raises(LocalError, match=os.strerror(errno.ENOENT)):
        run("--cgp", f"{ROWS} A/ 0/0 0", "--words", str(tmp_path / "none"))
    with pytest.raises(LocalError, match="15 rows"):
        run("--cgp", "15 A/ 0/0 0")


def report(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    out: dict[str, Any] = json.loads(capsys.readouterr().out)
    return out


@pytest.mark.parametrize(
    ("more", "edition"),
    [
        ((), "standard"),
        (("ld french;",), "french"),
        (("lex FRA20;",), "french"),
        (("lex CSW21; bdn CrosswordGame; var classic;",), "standard"),
        (("ld networdz;",), "networdz"),
        (("bdn networdz; lex NWL20;",), "networdz"),
        (("", "--edition", "russian"), "russian"),
        (("ld english;", "--edition", "networdz"), "networdz"),
    ],
)
def test_tiles_board_and_words_are_those_that_the_line_names_or_the_user(
    more: tuple[str, ...], edition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rest, *words = more or ("",)
    run("--cgp", f"{ROWS} ?/ 0/0 0 {rest}", *words, "--json")

    assert report(capsys)["edition"] == edition


def test_letters_count_what_the_named_edition_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    best: list[int] = []
    for name in ("english", "french"):
        run("--cgp", f"{ROWS} KIWI?/ 0/0 0 ld {name};", "--json")
        best.append(report(capsys)["best"])

    assert best[0] != best[1]


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("ld polish;", "no edition with the tiles 'polish'"),
        ("lex OSPS49;", "no edition with polish tiles here"),
        ("bdn SuperCrosswordGame;", "no edition with the board 'SuperCrosswordGame'"),
        ("ld networdz; bdn CrosswordGame;", "the tiles of 'networdz' and the board"),
        ("var wordsmog;", "the game is 'wordsmog', which is not played here"),
    ],
)
def test_what_is_not_here_is_said_and_never_taken_for_english(
    rest: str, reason: str
) -> None:
    with pytest.raises(LocalError, match=reason):
        run("--cgp", f"{ROWS} A/ 0/0 0 {rest}")
