"""What a window keeps of its settings: nothing is lost, and nothing odd breaks it."""

import gc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict, replace
from typing_extensions import override

from client.__main__ import main
from client.app.model import Effect, tell
from client.app.settings import (
    FILE,
    LISTS,
    Mistake,
    Reviewed,
    Rules,
    Settings,
    load,
    merged,
    store,
)
from client.session import Session
from client.ui import texts
from netplay.drill import Missed
from netplay.sentences import Says
from tests.client.worlds import base
from tests.netplay.small_disks import room_for
from tests.said import says

CHANGES: Final[list[dict[str, Any]]] = [
    {"theme": "dark"}, {"theme": "light"}, {"volume": 7}, {"language": "fr"},
    {"tips": ("one",)}, {"tips": ("two",)}, {"sound": False},
]  # fmt: skip


class Window(Session):
    """A window of a home, without a screen."""

    def __init__(self, home: Path, **given: Any) -> None:
        own, _damaged = load(home)
        own = replace(own, **given)
        super().__init__(replace(base(), settings=own), home, given=given)

    @override
    def on_screen(self, effect: Effect) -> None:
        """Nothing is shown."""

    def set(self, **changed: Any) -> None:
        """Change what is set, as a page does: what was there of a list stays."""
        own = self.model.settings
        if "tips" in changed:
            changed["tips"] = tuple(dict.fromkeys((*own.tips, *changed["tips"])))
        self.model = replace(self.model, settings=replace(own, **changed))
        self.store()


@pytest.fixture(autouse=True)
def spoken() -> Iterator[None]:
    yield
    texts.speak("en")


def test_each_damaged_file_of_settings_is_kept(tmp_path: Path) -> None:
    """Somebody may want to mend them; a second one must not go over the first."""
    texts = [f"{{damaged, {n}" for n in range(4)]
    names = []
    for text in texts:
        (tmp_path / FILE).write_text(text)
        own, name = load(tmp_path)
        assert own == Settings()
        names.append(name)
        store(tmp_path, Settings(volume=7))
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


# A disk that takes nothing.


def test_what_is_set_on_a_full_disk_holds_for_now_and_the_player_is_told(
    tmp_path: Path,
) -> None:
    store(tmp_path, Settings(theme="light"))
    window = Window(tmp_path)
    with room_for(0):
        for each in ({"theme": "dark"}, {"volume": 7}):
            window.set(**each)
            assert window.model.fault is not None
            assert says(window.model.fault.text, Says.FILE_AT_LIMIT)
        window.reread()  # as after a link that was lost
    shown = window.model.settings
    assert (shown.theme, shown.volume) == ("dark", 7)
    assert load(tmp_path)[0].theme == "light"
    window.set(sound=False)  # there is room again: what was set before comes along
    assert window.model.fault is None
    found, _damaged = load(tmp_path)
    assert (found.theme, found.volume, found.sound) == ("dark", 7, False)


def test_settings_that_are_not_kept_are_told_once_until_they_are(
    tmp_path: Path,
) -> None:
    window = Window(tmp_path)
    with room_for(0):
        window.store()  # nothing was changed: nothing is lost
        assert window.model.fault is None
        other = tell(window.model, "something", bad=True).fault
        window.model = replace(window.model, fault=other)
        window.set(volume=7)
        assert window.model.fault is other
        window.model = replace(window.model, fault=None)
        window.set(volume=8)
        assert window.model.fault is not None
        window.model = replace(window.model, fault=None)  # put away by the player
        window.set(volume=9)
        assert window.model.fault is None
    window.set(volume=10)
    with room_for(0):
        window.set(volume=11)
        assert window.model.fault is not None


# Two windows of a home.


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(CHANGES)), max_size=8))
@settings(max_examples=60)
def test_what_is_set_in_one_window_is_never_undone_by_another(
    changes: list[tuple[bool, dict[str, Any]]],
) -> None:
    with TemporaryDirectory() as home:
        begun = Settings(tips=("there",))
        store(Path(home), begun)
        windows, wanted = [Window(Path(home)), Window(Path(home))], begun
        for first, changed in changes:
            shown = asdict(windows[first].model.settings)
            if all(shown[name] == to for name, to in changed.items()):
                continue  # nobody sets what a window shows already
            windows[first].set(**changed)
            tips = {*wanted.tips, *changed.get("tips", ())}
            wanted = replace(wanted, **{**changed, "tips": tuple(sorted(tips))})
        found, _damaged = load(Path(home))
        assert replace(found, tips=tuple(sorted(found.tips))) == wanted
        windows[0].reread()
        windows[1].reread()
        assert windows[0].model.settings == windows[1].model.settings == found


PARTS: Final[dict[str, Callable[[int, int], Any]]] = {
    "keys": lambda n, to: (f"button {n}", f"key {to}"),
    "recent": lambda n, _to: f"place {n}",
    "rules": lambda n, to: (f"friend {n}", Rules(game=f"game {to}")),
    "places": lambda n, _to: f"folder {n}",
    "tips": lambda n, _to: f"tip {n}",
    "lessons": lambda n, to: (f"game {n}", to),
    "solved": lambda n, to: (f"game {n}", (to,)),
    "solitaires": lambda n, to: (n, to),
    "mistakes": lambda n, to: Mistake("numlo", f"{n % 2}", n, "", "", to),
    "missed": lambda n, to: Missed(f"{n % 2}", f"word {n}", to),
    "reviewed": lambda n, to: Reviewed(f"{n}", "numlo", to, 900, 9, 60, 0),
    "best": lambda n, to: (f"terms {n}", (to,)),
}
"""A part of each list, by what it is of and what is kept of that."""

listed = st.dictionaries(st.integers(0, 4), st.integers(1, 2), max_size=5)


@pytest.mark.parametrize("name", PARTS)
@given(was=listed, there=listed, now=listed)
@settings(max_examples=25)
def test_what_two_windows_put_into_a_list_and_take_out_of_it_is_so(
    name: str, was: dict[int, int], there: dict[int, int], now: dict[int, int]
) -> None:
    assert PARTS.keys() == LISTS.keys()
    made = [{n: PARTS[name](n, to) for n, to in e.items()} for e in (was, there, now)]
    before, other, own = (
        replace(Settings(), **{name: tuple(each.values())}) for each in made
    )
    found = getattr(merged(other, before, own), name)
    here = {n for n in range(5) if made[2].get(n) != made[0].get(n)}
    wanted = [made[2 if n in here else 1].get(n) for n in range(5)]
    assert sorted(map(str, found)) == sorted(str(each) for each in wanted if each)


def test_another_window_learns_of_all_that_has_come_from_elsewhere(
    tmp_path: Path,
) -> None:
    store(tmp_path, Settings(theme="dark", language="en"))
    other = Window(tmp_path)
    reviewed = tuple(Reviewed(match, "numlo", 1, 900, 9, 60, 0) for match in "ab")
    store(tmp_path, Settings(sound=False, language="de", reviewed=reviewed))
    other.set(volume=7, reviewed=(Reviewed("c", "numlo", 2, 800, 9, 60, 0),))
    found, _damaged = load(tmp_path)
    assert (found.sound, found.language, found.volume) == (False, "de", 7)
    assert [each.match for each in found.reviewed] == ["a", "b", "c"]
    assert texts.spoken() == "de"


def test_what_a_window_was_started_with_is_that_window_s_alone(tmp_path: Path) -> None:
    """Until it is changed there: then it is kept, as whatever is set is."""
    store(tmp_path, Settings(theme="light", scale=100))
    started = Window(tmp_path, theme="dark", scale=150)
    other = Window(tmp_path)
    started.set(volume=7)
    other.reread()
    found, _damaged = load(tmp_path)
    assert (found.theme, found.scale, found.volume) == ("light", 100, 7)
    assert other.model.settings == found
    other.set(theme="contrast", volume=8)
    started.reread()
    shown = started.model.settings
    assert (shown.theme, shown.scale, shown.volume) == ("dark", 150, 8)
    started.set(theme="light")
    other.reread()
    assert other.model.settings == load(tmp_path)[0]
    assert (other.model.settings.theme, other.model.settings.scale) == ("light", 100)
    started.set(theme="dark")
    assert load(tmp_path)[0].theme == "dark"


def test_a_window_keeps_nothing_of_its_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(tmp_path, Settings(theme="light", scale=100, size=(900, 600)))
    shown: list[Settings] = []

    def run(show: partial[Any]) -> None:
        window = show.args[0]
        shown.append(window.model.settings)
        window.close()

    monkeypatch.setattr(trio, "run", run)
    words = ["--theme", "dark", "--scale", "150", "--size", "1000x700"]
    try:
        main(["--home", str(tmp_path), *words])
    finally:
        gc.enable()
    own, found = shown[0], load(tmp_path)[0]
    assert (own.theme, own.scale) == ("dark", 150)
    assert (found.theme, found.scale, found.size) == ("light", 100, (900, 600))
