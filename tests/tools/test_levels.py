"""The figures of the levels of computer players, where they are kept and shown."""

import json
from pathlib import Path

import pytest

from client.pages.host_terms import level_items
from client.ui import texts
from netplay import levels
from netplay.__main__ import main
from rules import GAMES
from tools.levels import BOOK, FIGURES, written
from tools.levels import main as measure

ROOT = Path(__file__).parents[2]


def test_the_table_of_the_book_is_made_of_the_figures_that_are_kept() -> None:
    book = (ROOT / BOOK).read_text("utf-8")
    found = {game: dict(levels.measured(game)) for game in GAMES}
    assert written(book, found) == book


def test_every_level_of_every_game_has_its_figures_or_none_has() -> None:
    for game in GAMES:
        assert set(levels.measured(game)) in (set(), set(levels.SKILLS))


def test_the_terminal_lists_the_levels_of_a_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["levels", "networdz"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Networdz"
    typed = [f"computer:{name}" for name in levels.SKILLS]
    assert [line.split()[1] for line in lines[1:]] == typed
    assert main(["levels", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == len(GAMES) * len(levels.SKILLS)


def test_one_step_is_measured_anew_and_all_others_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / BOOK).parent.mkdir()
    (tmp_path / BOOK).write_text((ROOT / BOOK).read_text("utf-8"), "utf-8")
    (tmp_path / FIGURES).parent.mkdir()
    monkeypatch.chdir(tmp_path)
    wanted = ["hexagrams", "--level", "easy", "--games", "2", "--keep", "kept"]
    monkeypatch.setattr("sys.argv", ["levels", *wanted])
    measure()
    kept = Path("kept").read_text("utf-8")
    measure()  # nothing is played again
    assert Path("kept").read_text("utf-8") == kept
    assert kept.count("\n") == 1
    before = set((ROOT / FIGURES).read_text("utf-8").splitlines())
    changed = set((tmp_path / FIGURES).read_text("utf-8").splitlines()) - before
    assert [line.split()[:2] for line in changed] == [["hexagrams", "easy"]]
    assert changed.pop().split()[-1] == "2"


NAMES = {
    "en": ("Beginner", "Easy", "Medium", "Hard", "Expert", "Master"),
    "de": ("Anfänger", "Leicht", "Mittel", "Schwer", "Experte", "Meister"),
    "fr": ("Débutant", "Facile", "Moyen", "Difficile", "Expert", "Maître"),
    "es": ("Principiante", "Fácil", "Medio", "Difícil", "Experto", "Maestro"),
    "ru": ("Новичок", "Лёгкий", "Средний", "Трудный", "Эксперт", "Мастер"),
}


@pytest.mark.parametrize("language", NAMES)
def test_levels_are_called_the_same_in_the_window_and_the_terminal(
    language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.setenv(name, f"{language}_XX.UTF-8")
    try:
        assert main(["levels", "numlo"]) == 0
        lines = capsys.readouterr().out.splitlines()[1:]
        assert tuple(line.split()[0].rstrip(":") for line in lines) == NAMES[language]
        texts.speak(language)
        *shown, _custom = level_items("numlo")
        assert tuple(each.split()[0].rstrip(":") for each in shown) == NAMES[language]
    finally:
        texts.speak("en")
