"""`netplay puzzle` as a player would use it."""

from pathlib import Path

import pytest

from netplay import puzzles, wire
from netplay.__main__ import main
from netplay.puzzles import Stand
from netplay.sentences import Says
from netplay.text import writer
from rules import GAMES
from tests.said import says


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NETPLAY_HOME", str(tmp_path / "home"))


def said(capsys: pytest.CaptureFixture[str], code: int, *words: str) -> str:
    assert main(["puzzle", *words]) == code
    captured = capsys.readouterr()
    return captured.out or captured.err


def typed(game: str, number: int) -> list[str]:
    """Return the solution of a puzzle as it is typed."""
    puzzle, about = puzzles.find(game, number), GAMES[game].ABOUT
    stand, words = puzzles.position(game, puzzle), list[str]()
    words_of = writer(game)

    for actor, packed in puzzle.line:
        if actor != puzzle.seat:
            continue
        move, view = wire.unpack(packed, about.move), stand.state
        offers = words_of.offers(view, puzzle.seat)
        words.append(
            next(w for w in offers if words_of.read(view, puzzle.seat, w) == move)
        )
        after = GAMES[game].play(stand.state, puzzle.seat, move)
        stand = puzzles.after_answer(game, puzzle, Stand(after, stand.past, stand.at))
    return words


@pytest.mark.parametrize("game", ["numlo", "hexagrams"])
def test_a_puzzle_is_shown_and_solved_by_what_is_typed(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "Puzzle 3" in said(capsys, 0, game, "3")
    right = typed(game, 2)
    assert "Solved." in said(capsys, 0, game, "3", *right)
    if len(right) > 1:
        assert "Right." in said(capsys, 1, game, "3", right[0])


def test_a_wrong_move_and_none_at_all_are_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words_of = writer("numlo")

    state = puzzles.position("numlo", puzzles.find("numlo", 2)).state
    (right,) = typed("numlo", 2)
    wrong = next(w for w in words_of.offers(state, state.turn) if w != right)
    (told,) = said(capsys, 1, "numlo", "3", wrong).splitlines()
    assert told.startswith(f"{wrong}: ")
    assert "A1 to H8" in said(capsys, 1, "numlo", "3", "XX")
    assert said(capsys, 2, "hexcolumns", "3", "drop")  # too fast to be typed


def test_without_a_number_it_is_the_puzzle_of_the_day(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for game in GAMES:
        assert said(capsys, 0, game) == said(capsys, 0, game, "today")


def test_a_number_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    count = puzzles.count("numlo")
    for number in ("0", str(count + 1), "999", "first"):
        why = said(capsys, 2, "numlo", number)
        assert says(why, Says.NO_PUZZLE, game="Numlo", count=count)
    for number in (1, count):
        assert f"Puzzle {number}\n" in said(capsys, 0, "numlo", str(number))
