"""`netplay plays` as a script would use it."""

import argparse
import json
from pathlib import Path

import pytest

from netplay.commands import plays
from netplay.errors import LocalError

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


def test_people_get_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    run("--cgp", f"{ROWS} AABDELT/ 0/0 0", "--top", "1")

    assert capsys.readouterr().out.splitlines()[1].split()[0] == "76"


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
    with pytest.raises(LocalError, match="No such file"):
        run("--cgp", f"{ROWS} A/ 0/0 0", "--words", str(tmp_path / "none"))
    with pytest.raises(LocalError, match="15 rows"):
        run("--cgp", "15 A/ 0/0 0")
