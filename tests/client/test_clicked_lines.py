"""Invitations that were clicked in a browser or letter while the window is open."""

from pathlib import Path
from typing import Any

import pygame
import trio.testing
from msgspec.structs import replace

from client.app.model import Model, Over, Page, edit_of
from client.app.settings import Settings
from client.pages import start
from client.window import first_frame, loop
from netplay.messages import door
from netplay.messages.door import Clicked
from netplay.messages.node_questions import Shown
from netplay.messages.table_questions import WatchAt
from tests.client.during import at_table
from tests.client.fakenode import FakeNode
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.worlds import asks, base, fed, in_match, status

LINE = "netplay:192.168.0.12:4770#ABCD-EFGH-IJKL-MNOP-QRST"
CALLS = door.Join | door.Call | WatchAt


class Behind:
    """A window that another one lies over, and that writes down what it is told."""

    def __init__(self, window: Any) -> None:
        self._window, self.focused = window, False
        self.told: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._window, name)

    def focus(self) -> None:
        self.told.append("focus")

    def restore(self) -> None:
        self.told.append("restore")


def called(script: Scripted) -> list[door.Question]:
    """Return what the node was asked that leads to another."""
    return [ask for ask in script.node.asked if isinstance(ask, CALLS)]


@needs_dummy
async def test_a_clicked_line_is_shown_in_front_and_called_only_when_asked_to(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        window_loop, behind = script.loop, Behind(script.loop.window)
        window_loop.window = behind  # type: ignore[assignment]
        script.post(pygame.WINDOWMINIMIZED)
        await script.settle()
        await script.click("field.address")
        window_loop.hear(Clicked(3, LINE))
        await script.settle()
        assert behind.told == ["restore", "focus"]
        assert Shown(3) in script.node.asked
        assert script.node_named("field.address").value == LINE
        assert script.loop.model.notice is not None
        await script.key(pygame.K_RETURN)  # on its way to something else
        assert called(script) == []
        await script.click("join.address")
        assert called(script) == [door.Join(LINE)]


@needs_dummy
async def test_enter_joins_in_a_window_that_was_opened_for_the_line(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    node = FakeNode("Anna")
    own = Model(settings=Settings(sound=False))
    model = start.invited(own, LINE)
    window_loop = loop.WindowLoop(model, tmp_path, first_frame.make_window((1280, 800)))
    pygame.event.clear()
    async with trio.open_nursery() as nursery:
        node.nursery = nursery
        nursery.start_soon(loop.run, window_loop, None, node.open)
        script = Scripted(window_loop, node)
        await script.settle()
        assert called(script) == []
        await script.key(pygame.K_RETURN)
        assert called(script) == [door.Join(LINE)]
        window_loop.done = True
        await script.settle()
        nursery.cancel_scope.cancel()


def test_a_clicked_line_leads_from_a_match_to_the_start_page_and_leaves_nothing() -> (
    None
):
    model = replace(at_table(2), over=Over.PREFERENCES)
    assert asks(model, Clicked(1, LINE)) == [Shown(1), door.LookAt(0)]
    after = fed(model, Clicked(1, LINE), status())
    assert after.page is Page.START
    assert after.over is Over.NONE
    assert edit_of(after, "field.address").text == LINE


def test_a_clicked_line_waits_for_a_name_and_for_the_end_of_a_game_in_real_time() -> (
    None
):
    nameless = fed(base(), status(name=""), Clicked(1, LINE))
    assert nameless.over is Over.NAME
    assert edit_of(nameless, "field.address").text == LINE
    model = in_match(base(), "hexcolumns", 2, 0)
    assert model.page is Page.MATCH
    assert asks(model, Clicked(1, LINE)) == [Shown(1)]
    after = fed(model, Clicked(1, LINE))
    assert after.page is Page.MATCH
    assert after.notice is not None
    assert after.notice.text in texts_of(after)
    assert edit_of(after, "field.address").text == LINE


def texts_of(model: Model) -> str:
    assert model.notice is not None
    return model.notice.text
