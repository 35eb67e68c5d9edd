"""What a window keeps of its settings: nothing is lost, and nothing odd breaks it."""

from pathlib import Path

import pytest

from client.app.settings import FILE, Settings, load, store


def test_each_damaged_file_of_settings_is_kept(tmp_path: Path) -> None:
    """Somebody may want to mend them; a second one must not go over the first."""
    texts = [f"{{damaged, {n}" for n in range(4)]
    names = []
    for text in texts:
        (tmp_path / FILE).write_text(text)
        own, name = load(tmp_path)
        assert own == Settings()
        names.append(name)
        assert store(tmp_path, Settings(volume=7)) is not None
    assert [(tmp_path / name).read_text() for name in names] == texts
    assert load(tmp_path) == (Settings(volume=7), "")


def test_a_byte_that_is_no_text_is_damage(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b'{"theme": "caf\xe9"}')
    own, aside = load(tmp_path)
    assert own == Settings()
    assert aside


@pytest.mark.parametrize(
    "damaged",
    [
        '{"solitaire": {"day": 5000000}}',
        '{"solitaires": [[-1, 300]]}',
        (
            '{"reviewed": [{"match": "", "game": "", "day": 5000000, "accuracy": 0,'
            ' "turns": 1, "points": 0, "bingos": 0}]}'
        ),
        (
            '{"mistakes": [{"game": "", "match": "", "number": 1, "position": "",'
            ' "judged": "", "due": 5000000}]}'
        ),
    ],
)
def test_a_day_that_no_calendar_has_is_damage(tmp_path: Path, damaged: str) -> None:
    (tmp_path / FILE).write_text(damaged)
    own, aside = load(tmp_path)
    assert own == Settings()
    assert (tmp_path / aside).read_text() == damaged


@pytest.mark.parametrize(
    ("asked", "shown"), [(1, 75), (80, 75), (101, 100), (120, 125), (9999, 250)]
)
def test_a_size_that_is_none_is_shown_as_the_nearest(asked: int, shown: int) -> None:
    assert Settings(scale=asked).look.scale == shown


@pytest.mark.parametrize(
    ("spoken", "language"),
    [("de_DE.UTF-8", "de"), ("fr_CH.UTF-8", "fr"), ("xx_XX", "en"), ("C", "en")],
)
def test_the_first_window_speaks_as_the_computer_does(
    spoken: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", spoken)
    assert load(tmp_path)[0].language == language
    store(tmp_path, Settings(language="ru"))
    assert load(tmp_path)[0].language == "ru"


def test_an_unknown_word_of_a_file_by_hand_is_the_usual_one(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(
        '{"theme": "pink", "animation": "wild", "pause": "long"}'
    )
    own, damaged = load(tmp_path)
    assert not damaged
    assert own.look.theme == Settings().look.theme
    assert (own.pace, own.wait) == (0.0, 0.0)
