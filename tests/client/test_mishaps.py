"""One thing that cannot be shown, or done, ends neither the window nor its game."""

from pathlib import Path
from typing import Any

import pygame
import pytest
import trio.testing
from msgspec.structs import replace

from client.app.model import Over, Page
from client.app.settings import Settings
from client.pages import faults, overlays
from client.ui.scene import find
from client.update import Linked
from client.window import loop as window_loop
from client.window.painter import Painter
from netplay.home import Home
from netplay.messages import door
from tests.client.clicking import update
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.test_many_games import GAMES, drawn
from tests.client.worlds import at_match, base, fed, status

Clock = trio.testing.MockClock

pytestmark = needs_dummy


def broken(*_given: Any, **_more: Any) -> Any:
    raise ValueError("gone")


def says_so(script: Scripted) -> bool:
    return script.sees(faults.REPORT) and "gone" in script.reads()


@pytest.mark.parametrize(
    "part", ["scene", "renew", "begin", "status", "sheets", "tell", "busy"]
)
async def test_a_board_that_cannot_be_shown_says_so_and_plays_on_when_it_can(
    tmp_path: Path, autojump_clock: Clock, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    async with window(tmp_path) as script:
        await script.click("play")
        assert script.loop.model.page is Page.MATCH
        with monkeypatch.context() as patch:
            patch.setattr(f"client.networdz.{part}", broken)
            if part == "begin":
                script.loop.model = faults.again(script.loop.model)[0]
            await script.others_move()
            await script.key(pygame.K_F1)
            await script.key(pygame.K_ESCAPE)
            await script.shown()
            assert not script.loop.done
            assert says_so(script), script.reads()
            assert "window.fault" in Home(tmp_path).journal.read_text()
        await script.click(faults.AGAIN)
        await script.shown()
        assert script.loop.model.match is not None
        assert script.sees("done")
        assert not says_so(script)


async def test_a_board_in_the_list_that_cannot_be_drawn_is_written_down_once(
    tmp_path: Path, autojump_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window(tmp_path) as script:
        monkeypatch.setattr("client.networdz.begin", broken)
        for _ in range(3):  # each time the node tells of its games
            script.loop.model = drawn(fed(base(), status(games=GAMES)))
            script.loop.hear(status(games=GAMES))
            assert find(script.loop.root, "in-hand.list") is not None
        assert not script.loop.done
        assert not says_so(script)
        written = Home(tmp_path).journal.read_text()
        assert written.count("thumbnails._now") == 1


async def test_an_input_that_cannot_be_taken_says_so_and_the_menu_goes_on(
    tmp_path: Path, autojump_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window(tmp_path) as script:
        await script.click("play")
        monkeypatch.setattr("client.networdz.handle", broken)
        await script.type("e")
        assert says_so(script)
        await script.click("preferences")
        assert script.loop.model.over is Over.PREFERENCES
        await script.key(pygame.K_ESCAPE)
        assert says_so(script)
        await script.click("leave")
        assert script.loop.model.over is Over.LEAVE


async def test_the_report_is_asked_for_on_the_page_that_went_wrong(
    tmp_path: Path, autojump_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window(tmp_path) as script:
        await script.click("play")
        monkeypatch.setattr("client.networdz.scene", broken)
        await script.others_move()
        await script.click(faults.REPORT)
        assert script.loop.model.over is Over.FILE
        assert script.sees("field.file.name") or "Write a report" in script.reads()


async def test_a_dialog_that_cannot_be_shown_closes_and_the_page_stays(
    tmp_path: Path, autojump_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window(tmp_path) as script:
        await script.click("play")
        monkeypatch.setattr(overlays, "scene", broken)
        await script.key(pygame.K_F1)
        assert script.loop.model.over is Over.NONE
        assert script.loop.model.match is not None
        fault = script.loop.model.fault
        assert fault is not None
        assert "gone" in fault.text
        assert script.sees("done")


async def test_a_sound_that_cannot_be_played_stops_no_move(
    tmp_path: Path, autojump_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window(tmp_path, settings=Settings(sound=True, pause="none")) as script:
        await script.click("play")
        monkeypatch.setattr(script.loop.speaker, "play", broken)
        await script.others_move()
        assert script.loop.model.match is not None
        assert script.sees("done")


async def test_a_page_that_cannot_be_painted_leaves_the_window_open(
    tmp_path: Path, autojump_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window(tmp_path) as script:
        await script.click("play")
        whole, shown = Painter.paint, [0]

        def paint(self: Any, *given: Any) -> None:
            shown[0] += 1
            if shown[0] < 3:
                raise ValueError("gone")
            whole(self, *given)

        monkeypatch.setattr(Painter, "paint", paint)
        script.post(pygame.WINDOWEXPOSED)
        await script.settle()
        assert says_so(script)


async def test_a_step_of_the_loop_that_fails_is_said(
    tmp_path: Path, autojump_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window(tmp_path) as script:
        with monkeypatch.context() as patch:
            patch.setattr(window_loop, "lively", broken)
            await script.settle()
            assert not script.loop.done
        await script.settle()
        assert says_so(script)
        await script.click(faults.AGAIN)
        assert not says_so(script)


def test_after_a_fault_the_window_shows_no_game_until_it_has_said_so() -> None:
    shown = at_match(base())
    fresh = replace(base(), crashed=True, linked=False)
    fresh, effects = update(fresh, Linked())
    assert [effect.request.ask for effect in effects] == [door.LookAt(0)]
    (effect,) = effects
    still = fed(fresh, shown.status)
    assert still.page is Page.START
    done = fed(still, door.Done(effect.request.id), status(table=None))
    assert not done.crashed
    assert fed(done, shown.status).page is Page.MATCH
