"""`netplay perft` as a script would use it."""

import json

import pytest

from netplay.__main__ import main

OTHELLO = ["size=8", "seats=2", "start=othello", "values=off"]


def test_numlo_as_othello_has_othellos_counts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = [word for option in OTHELLO for word in ("--option", option)]

    assert main(["perft", "numlo", "5", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"nodes": 1396}


def test_hexagrams_has_five_first_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "hexagrams", "1"]) == 0
    assert capsys.readouterr().out == "5\n"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["numlo", "3", "--option", "seats=9"], "takes 2 to 4 seats"),
        (["numlo", "-1"], "0 or more"),
        (["numlo", "3", "--option", "size=9"], "from 8 to 20, not '9'"),
        (["numlo", "3", "--option", "seats=3", "--option", "start=othello"], ""),
    ],
    ids=lambda value: str(value)[:24],
)
def test_what_cannot_be_counted_gets_one_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["perft", *words]) == 2

    error = capsys.readouterr().err
    assert reason in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("words", [["chess", "3"], ["numlo", "3", "--option", "size"]])
def test_a_wrong_word_is_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        main(["perft", *words])
