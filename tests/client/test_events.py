"""What SDL tells of hands, keys and sounds, and what becomes of it in the window."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest
from msgspec.structs import replace

from client.app.model import Play, ToFront
from client.ui import intents
from client.ui.intents import Button
from client.ui.sound import Sound
from client.window import first_frame
from client.window.loop import Speaker, WindowLoop, plain
from tests.client.listed import FEW
from tests.client.worlds import base, fed, in_match, status


def event(kind: int, **what: Any) -> pygame.event.Event:
    return pygame.event.Event(kind, **what)


def pressed(key: int, mod: int = 0, kind: int = pygame.KEYDOWN) -> pygame.event.Event:
    return event(kind, key=key, mod=mod)


def key(name: str, **held: bool) -> intents.Key:
    return intents.Key(name, **held)


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        (event(pygame.MOUSEBUTTONDOWN, button=1, pos=(3, 7)), (3, 7, Button.LEFT)),
        (event(pygame.MOUSEBUTTONDOWN, button=3, pos=(3, 7)), (3, 7, Button.RIGHT)),
        (event(pygame.MOUSEBUTTONDOWN, button=2, pos=(3, 7)), None),
        (event(pygame.MOUSEBUTTONDOWN, button=4, pos=(3, 7)), None),
        (event(pygame.MOUSEBUTTONUP, button=1, pos=(3, 7)), intents.Released((3, 7))),
        (event(pygame.MOUSEBUTTONUP, button=3, pos=(3, 7)), None),
        (event(pygame.MOUSEBUTTONUP, button=5, pos=(3, 7)), None),
        (event(pygame.MOUSEMOTION, pos=(8, 9)), intents.Moved((8, 9))),
        (event(pygame.MOUSEWHEEL, y=2), intents.Wheeled(2)),
        (event(pygame.MOUSEWHEEL, y=-1), intents.Wheeled(-1)),
        (event(pygame.TEXTINPUT, text="Ё"), intents.Text("Ё")),
        (event(pygame.TEXTEDITING, text="にほ"), intents.Compose("にほ")),
        (event(pygame.WINDOWLEAVE), intents.Left()),
        (event(pygame.WINDOWFOCUSLOST), intents.Blur()),
        (event(pygame.WINDOWMOVED), None),
        (pressed(pygame.K_RETURN), key("enter")),
        (pressed(pygame.K_KP_ENTER), key("enter")),
        (pressed(pygame.K_DELETE), key("delete")),
        (pressed(pygame.K_PAGEDOWN), key("page down")),
        (pressed(pygame.K_PAGEUP), key("page up")),
        (pressed(pygame.K_a), key("a")),
        (pressed(pygame.K_a, kind=pygame.KEYUP), key("a", down=False)),
        (pressed(pygame.K_TAB, pygame.KMOD_LSHIFT), key("tab", shift=True)),
        (pressed(pygame.K_c, pygame.KMOD_RCTRL), key("c", ctrl=True)),
        (pressed(pygame.K_c, pygame.KMOD_LMETA), key("c", ctrl=True)),
        (pressed(pygame.K_F4, pygame.KMOD_LALT), key("f4", alt=True)),
        (pressed(pygame.K_LSHIFT), None),
        (pressed(pygame.K_RCTRL), None),
        (pressed(pygame.K_CAPSLOCK), None),
    ],
)
def test_what_hands_do_is_told_in_plain_words(
    told: pygame.event.Event, wanted: Any
) -> None:
    if isinstance(wanted, tuple):
        wanted = intents.Pressed(wanted[:2], wanted[2])
    assert plain(told) == wanted


@pytest.mark.parametrize("volume", [1, 40, 100])
def test_a_sound_is_as_loud_as_the_player_wants_it(volume: int) -> None:
    Speaker().play(Sound.FLIP, volume)
    playing = [pygame.mixer.Channel(n).get_sound() for n in range(8)]
    pygame.mixer.stop()
    assert [round(100 * each.get_volume()) for each in playing if each] == [volume]


def test_a_sound_without_loudness_is_not_played() -> None:
    Speaker().play(Sound.FLIP, 0)
    assert not pygame.mixer.get_init() or not pygame.mixer.get_busy()


class Desktop:
    """A window of which a desktop says whether it is in front."""

    size = (1280, 800)

    def __init__(self) -> None:
        self.surface = pygame.Surface(self.size)
        self.title, self.focused = "", True
        self.calls: list[str] = []

    def get_surface(self) -> pygame.Surface:
        return self.surface

    def restore(self) -> None:
        self.calls.append("restore")

    def focus(self) -> None:
        self.calls.append("focus")

    def flash(self, kind: int) -> None:
        self.calls.append(f"flash {kind == pygame.FLASH_UNTIL_FOCUSED}")

    def flip(self) -> None:
        self.calls.append("flip")

    def destroy(self) -> None:
        self.calls.append("destroy")


@pytest.fixture
def window(tmp_path: Path) -> Iterator[WindowLoop]:
    desktop: Any = Desktop()
    shown = WindowLoop(fed(base(), status()), tmp_path, desktop)
    pygame.display.init()
    pygame.event.clear()
    shown.step(1.0)
    desktop.calls.clear()
    yield shown
    shown.close()


def after(window: WindowLoop, now: float, *events: pygame.event.Event) -> list[str]:
    """Return what a step of the loop does to the window."""
    desktop: Any = window.window
    desktop.calls.clear()
    for each in events:
        pygame.event.post(each)
    window.step(now)
    return list(desktop.calls)


def test_a_window_that_was_covered_is_drawn_again_and_an_idle_one_is_not(
    window: WindowLoop,
) -> None:
    assert after(window, 2.0) == []
    for kind in (pygame.WINDOWEXPOSED, pygame.WINDOWSHOWN, pygame.WINDOWRESTORED):
        assert after(window, 3.0, event(kind)) == ["flip"]
        assert after(window, 4.0) == []


def test_the_title_says_what_is_shown_each_time_that_it_changes(
    window: WindowLoop,
) -> None:
    titles = [window.window.title]
    waiting = sum(one.mine for one in FEW)
    for games in (FEW, (), FEW):
        window.model = fed(window.model, status(games=games))
        after(window, 5.0, event(pygame.WINDOWEXPOSED))
        titles.append(window.window.title)
    assert waiting
    assert titles == ["Netplay", f"({waiting}) Netplay"] * 2


def test_a_window_in_front_is_looked_at_often_and_another_seldom(
    window: WindowLoop,
) -> None:
    desktop: Any = window.window
    after(window, 10.0, event(pygame.MOUSEMOTION, pos=(5, 5)))
    just_now = window.pause(10.1)
    usual, resting = window.pause(14.0), window.pause(60.0)
    desktop.focused = False
    behind = window.pause(60.0)
    assert 0 < just_now < usual < resting < behind
    assert (just_now, behind) == (0.004, 0.1)


@pytest.mark.parametrize("small", [False, True])
def test_a_click_elsewhere_brings_the_window_to_the_front(
    window: WindowLoop, *, small: bool
) -> None:
    desktop: Any = window.window
    if small:
        after(window, 6.0, event(pygame.WINDOWMINIMIZED))
    desktop.calls.clear()
    desktop.focused = False
    window.on_screen(ToFront())
    assert desktop.calls == [*(["restore"] if small else []), "focus", "flash True"]
    desktop.calls.clear()
    desktop.focused = True
    after(window, 7.0, event(pygame.WINDOWRESTORED))
    desktop.calls.clear()
    window.on_screen(ToFront())
    assert desktop.calls == ["focus"], "it is in front: nothing need flash"


def test_closing_ends_the_loop(window: WindowLoop) -> None:
    assert not window.done
    after(window, 8.0, event(pygame.WINDOWCLOSE))
    assert window.done


@pytest.mark.parametrize(
    ("screen", "scale", "size"),
    [
        ((1366, 768), 100, (1280, 648)),
        ((3840, 2160), 200, (2560, 1600)),
        ((1000, 2000), 100, (960, 800)),
    ],
)
def test_the_first_start_fills_no_more_of_a_screen_than_there_is(
    monkeypatch: pytest.MonkeyPatch,
    screen: tuple[int, int],
    scale: int,
    size: tuple[int, int],
) -> None:
    monkeypatch.setattr(first_frame, "display", lambda: screen)
    own = first_frame.at_first(base().settings)
    assert own.scale == scale
    assert first_frame.fitting(own.size) == size


def test_who_has_switched_sounds_off_hears_none(window: WindowLoop) -> None:
    own = replace(window.model.settings, sound=False, volume=80)
    window.model = replace(window.model, settings=own)
    window.on_screen(Play(Sound.FLIP))
    assert not pygame.mixer.get_init() or not pygame.mixer.get_busy()
    window.model = replace(window.model, settings=replace(own, sound=True))
    window.on_screen(Play(Sound.FLIP))
    assert pygame.mixer.get_busy()
    pygame.mixer.stop()


def test_keys_repeat_in_a_live_game_as_the_player_wishes_and_else_as_usual(
    window: WindowLoop,
) -> None:
    own = replace(window.model.settings, delay=330, repeat=70)
    window.model = replace(window.model, settings=own)
    at_start = window.model
    window.model = in_match(at_start, "hexcolumns", 1, 0)
    after(window, 20.0)
    assert pygame.key.get_repeat() == (330, 70)
    window.model = at_start
    after(window, 21.0)
    assert pygame.key.get_repeat() == (400, 35)


def test_who_listens_hears_all_again_by_one_key_and_where_a_cursor_stays(
    window: WindowLoop,
) -> None:
    said: list[str] = []
    window.model = in_match(window.model, "numlo", 2, 6)
    window.voice = said.append
    after(window, 20.0, event(pygame.WINDOWEXPOSED))
    first = [*said]
    assert first
    said.clear()
    after(window, 21.0)
    assert said == []
    after(window, 22.0, pressed(pygame.K_F5))
    assert {*first} <= {*said}
    for step in range(24):  # beyond the edge of the board
        said.clear()
        after(window, 23.0 + step, pressed(pygame.K_UP))
    assert said, "an arrow at the edge says where the cursor still is"


def test_a_window_that_comes_to_the_front_counts_as_touched(window: WindowLoop) -> None:
    after(window, 30.0)
    before = window.model.touched
    after(window, 31.0, event(pygame.WINDOWFOCUSGAINED))
    assert window.model.touched > before
    assert window.model.touched >= 30.0
