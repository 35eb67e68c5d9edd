"""Notifications by the desktop: a window that is not in front, and a fake service."""

from pathlib import Path
from typing import Any

import pygame
import pytest
import trio
import trio.lowlevel
import trio.testing
from msgspec.structs import replace

from client import desktop
from client.app.model import Flash, Over, Play
from client.desktop import Notices, safe
from client.pages import person, screen
from client.ui.intents import Click
from client.ui.scene import find
from client.ui.sound import Sound
from netplay.messages import door
from netplay.messages.door import Summons
from netplay.messages.table_questions import Mute, SetQuiet
from tests.client.clicking import update
from tests.client.during import at_table
from tests.client.listed import game
from tests.client.scripted import needs_dummy, window
from tests.client.worlds import asks, base, fed, status, texts

TURN = Summons(2, "turn", "networdz", ("Bert <b>",))


class Service:
    """What shows notifications; a desktop may have none."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, str]] = []
        self.lacking = False

    def send(self, title: str, message: str) -> None:
        if self.lacking:
            raise OSError("there is no bus")
        self.shown.append((title, message))


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Service:
    made = Service()
    in_thread = trio.to_thread.run_sync

    async def run_sync(do: Any, **_options: Any) -> None:
        await trio.lowlevel.checkpoint()
        do()

    del in_thread
    monkeypatch.setattr(trio.to_thread, "run_sync", run_sync)  # no thread: time is fake
    return made


async def tell(script: Any, *summons: Summons) -> None:
    for each in summons:
        script.loop.hear(each)
        await script.settle()


class Unfocused:
    """A window that another one lies over."""

    def __init__(self, window: Any, *, focused: bool) -> None:
        self._window, self.focused = window, focused

    def __getattr__(self, name: str) -> Any:
        return getattr(self._window, name)


@needs_dummy
async def test_a_window_behind_another_has_the_desktop_tell_of_a_turn(
    tmp_path: Path, service: Service, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        script.loop.notices = Notices(lambda: service)
        script.loop.window = Unfocused(script.loop.window, focused=True)
        await tell(script, TURN)
        assert service.shown == []  # it is in front
        script.loop.window.focused = False
        chat = replace(TURN, reason="chat")
        await tell(script, TURN, chat, chat, replace(TURN, reason="over"))
        await tell(script, replace(TURN, reason="agreed"))
        told = [text for _title, text in service.shown]
        assert {title for title, _text in service.shown} == {"Networdz"}
        assert told[0] == safe("It is your turn: Bert <b>")
        assert told[1] == safe("Bert <b> has written to you")
        assert told[2] == safe("The game is over: Bert <b>")
        assert told[3] == safe("The game can begin: Bert <b>")
        assert len(told) == 4  # one of so many lines is enough
        own = script.loop.model
        script.loop.model = replace(own, settings=replace(own.settings, notify=False))
        await tell(script, TURN)
        assert len(service.shown) == 4


@needs_dummy
async def test_who_has_looked_at_the_window_is_told_of_the_next_line_again(
    tmp_path: Path, service: Service, autojump_clock: trio.testing.MockClock
) -> None:
    chat = replace(TURN, reason="chat")
    async with window(tmp_path) as script:
        script.loop.notices = Notices(lambda: service)
        script.loop.window = Unfocused(script.loop.window, focused=False)
        await tell(script, chat, chat)
        assert len(service.shown) == 1
        pygame.event.post(pygame.event.Event(pygame.WINDOWFOCUSGAINED))
        await script.settle()
        await tell(script, chat, chat)
        assert len(service.shown) == 2


@needs_dummy
async def test_without_a_service_the_window_goes_on(
    tmp_path: Path, service: Service, autojump_clock: trio.testing.MockClock
) -> None:
    service.lacking = True
    async with window(tmp_path) as script:
        script.loop.notices = Notices(lambda: service)
        script.loop.window = Unfocused(script.loop.window, focused=False)
        await tell(script, TURN, TURN)
        service.lacking = False
        await tell(script, TURN)
        assert service.shown == []  # it is asked no more
        assert script.sees("play")


async def test_the_library_is_there_and_without_it_nothing_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(_name: str) -> Any:
        raise ImportError

    monkeypatch.setattr(desktop, "import_module", missing)
    notices = Notices()
    await notices.show("a", "b")
    assert not notices.wants("turn:1")


def test_marks_mean_nothing_where_the_service_would_read_them() -> None:
    assert safe("<b>&amp;", "linux") == "&lt;b&gt;&amp;amp;"
    assert safe("<b>&amp;", "darwin") == "<b>&amp;"


def test_a_muted_table_neither_sounds_nor_flashes() -> None:
    model = at_table(2)
    assert model.table is not None
    away = replace(model.table, turn=(1,))
    own = replace(away, turn=(0,))
    for muted in (False, True):
        games = (game(2, "networdz", muted=muted),)
        before = fed(model, status(table=away, games=games))
        _model, effects = update(before, status(table=own, games=games))
        assert (Play(Sound.TURN) in effects) is not muted
        assert (Flash() in effects) is not muted
    assert "muted" in texts(screen.scene(fed(base(), status(games=games))))


def test_of_a_muted_player_nothing_is_told_but_the_line_is_there() -> None:
    line = door.Line("Bert", "psst", 0, muted=True)
    model, effects = update(base(), line)
    assert effects == ()
    assert model.notice is None
    assert model.chat.unread == 0
    assert model.chat.lines == (line,)


def test_the_preferences_have_quiet_hours_and_whether_a_game_is_told_of() -> None:
    model = replace(at_table(2), over=Over.PREFERENCES)
    assert asks(model, Click("set.quiet"), Click("set.quiet:3")) == [
        SetQuiet("22:00-07:00")
    ]
    assert asks(model, Click("set.told")) == [Mute(on=True)]
    assert fed(model, Click("set.quiet")).open == "set.quiet"
    assert not fed(model, Click("set.notify")).settings.notify
    own = replace(status(games=(game(2, "networdz", muted=True),)), quiet="01:30-02:00")
    assert model.status is not None
    muted = fed(model, replace(own, table=model.status.table))
    assert asks(muted, Click("set.told")) == [Mute(on=False)]
    assert asks(muted, Click("set.quiet"), Click("set.quiet:8")) == [
        SetQuiet("01:30-02:00")
    ]


def test_the_dialog_about_a_player_mutes_and_unmutes() -> None:
    model = fed(at_table(2), Click("who1", means=person.About(1)))
    assert model.who is not None
    key = model.who.key
    assert asks(model, Click("person.mute")) == [Mute(on=True, whom=key)]
    assert model.status is not None
    model = fed(model, replace(model.status, muted=(key,)))
    node = find(screen.scene(model), "person.mute")
    assert node is not None
    assert node.text == "Unmute"
    assert asks(model, Click("person.mute")) == [Mute(on=False, whom=key)]
