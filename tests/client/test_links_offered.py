"""The offer to have clicked invitations shown here: asked once, taken back at will."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pygame
import pytest
import trio
import trio.lowlevel
import trio.testing
from msgspec.structs import replace

from client.app.model import Model, Over
from client.app.settings import Settings, load
from client.desktop import Links
from client.ui.scene import find
from netplay.errors import Code, LocalError
from netplay.messages import door
from netplay.messages.node_questions import GetInvitation
from netplay.said import Said
from netplay.sentences import Says
from tests.client.fakenode import FakeNode
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.worlds import base, fed, in_match

LINE = "netplay:192.168.0.12:4770#ABCD-EFGH-IJKL-MNOP-QRST"


class Desktop:
    """What a desktop is told."""

    def __init__(self, *, able: bool = True, broken: bool = False) -> None:
        self.able, self.broken, self.installed = able, broken, False
        self.command: Sequence[str] = ()

    def install(self, command: Sequence[str]) -> Said:
        if self.broken:
            raise LocalError(Code.USAGE, Says.LINKS_NO_TOOL(tool="osacompile"))
        self.command, self.installed = command, True
        return Says.LINKS_OPENED(where="here")

    def remove(self) -> Said:
        self.installed = False
        return Says.LINKS_REMOVED()


@pytest.fixture(autouse=True)
def no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing run in a thread, which virtual time would not wait for."""

    async def run_sync(do: Any, **_options: Any) -> Any:
        await trio.lowlevel.checkpoint()
        return do()

    monkeypatch.setattr(trio.to_thread, "run_sync", run_sync)


@pytest.fixture(autouse=True)
def inviting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the node have an invitation."""
    answer = FakeNode.answer

    def answered(node: FakeNode, message: door.ToNode) -> list[door.FromNode]:
        found = answer(node, message)
        invites = isinstance(message, door.Request) and isinstance(
            message.ask, GetInvitation
        )
        return [replace(found[0], text=LINE), *found[1:]] if invites else found

    monkeypatch.setattr(FakeNode, "answer", answered)


async def told(script: Scripted, desktop: Desktop) -> None:
    """Let the window learn what the computer can be told."""
    script.loop.links = Links(script.loop.home, desktop)
    script.node.status = replace(script.node.status, addresses=("10.0.0.1",))
    script.loop.hear(script.node.status)
    await trio.sleep(3)


async def paste(script: Scripted, text: str) -> None:
    pygame.scrap.put_text(text)
    await script.key(pygame.K_v, pygame.KMOD_CTRL)


@needs_dummy
async def test_who_copies_an_invitation_is_asked_once_and_says_yes_by_a_click(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    desktop = Desktop()
    async with window(tmp_path) as script:
        await told(script, desktop)
        await script.click("copy")
        assert pygame.scrap.get_text() == LINE
        assert "in a letter or on a page" in script.reads()
        await script.click("links.yes")
        assert desktop.installed
        assert desktop.command[-3:] == ("--home", str(tmp_path), "--open")
        assert "opened in the window now" in script.reads()
        await script.click("copy")
        assert script.loop.model.over is Over.NONE
    assert load(tmp_path)[0].tips == ("netplay:",)


@needs_dummy
async def test_a_second_invitation_takes_the_place_of_the_first(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Also where the text of an invitation came with the end of its line."""
    other = LINE.replace("0.12", "0.13")
    async with window(tmp_path) as script:
        await told(script, Desktop())
        await script.click("field.address")
        await paste(script, LINE)
        await script.click("links.no")
        await script.click("field.address")
        await paste(script, f"{other}\n")
        await script.key(pygame.K_RETURN)
        assert [ask for ask in script.node.asked if isinstance(ask, door.Join)] == [
            door.Join(other)
        ]


@needs_dummy
async def test_who_pastes_one_says_not_now_by_keys_and_joins_by_enter(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    desktop = Desktop()
    async with window(tmp_path) as script:
        await told(script, desktop)
        await script.click("field.address")
        await paste(script, "10.0.0.7")
        assert script.loop.model.over is Over.NONE, "an address is no invitation"
        await script.key(pygame.K_a, pygame.KMOD_CTRL)
        await paste(script, LINE)
        assert script.sees("links.why")
        while script.loop.hand.touch.focus != "links.no":
            await script.key(pygame.K_TAB)
        await script.key(pygame.K_RETURN)
        assert not script.sees("links.why")
        assert not desktop.installed
        assert not [ask for ask in script.node.asked if isinstance(ask, door.Join)]
        await script.key(pygame.K_RETURN)
        assert door.Join(LINE) in script.node.asked
    own = load(tmp_path)[0]
    async with window(tmp_path, settings=replace(own, sound=False)) as script:
        await told(script, desktop)
        await script.click("copy")
        assert not script.sees("links.why"), "not in the next window either"


@needs_dummy
async def test_the_preferences_switch_it_on_and_off(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    desktop = Desktop()
    async with window(tmp_path) as script:
        await told(script, desktop)
        await script.click("preferences")
        for wanted in (True, False):
            room = script.node_named("settings").rect
            at = {"pos": room.centre, "rel": (0, 0), "buttons": (0, 0, 0)}
            script.post(pygame.MOUSEMOTION, **at)
            for _turn in range(40):
                box = find(script.loop.root, "set.links")
                if box is not None and box.rect.bottom <= room.bottom:
                    break
                script.post(pygame.MOUSEWHEEL, x=0, y=-1)
                await script.settle()
            box = script.node_named("set.links")
            assert box.value == ("off" if wanted else "on")
            await script.click("set.links")
            assert desktop.installed is wanted
        await script.key(pygame.K_ESCAPE)
        await script.click("copy")
        assert not script.sees("links.why"), "who has removed it knows of it"


@needs_dummy
async def test_nothing_is_offered_where_the_computer_cannot_be_told(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await told(script, Desktop(able=False))
        await script.click("copy")
        assert not script.sees("links.why")
        await script.click("preferences")
        assert not script.sees("set.links")


@needs_dummy
async def test_a_computer_that_refuses_is_a_sentence(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await told(script, Desktop(broken=True))
        await script.click("copy")
        await script.click("links.yes")
        assert "osacompile could not do it" in script.reads()
        assert script.loop.model.links is False


def test_the_question_never_comes_over_a_match() -> None:
    own = Model(settings=Settings(), links=False)
    model = in_match(replace(base(), links=own.links), "networdz", 2, 0)
    number = model.next_id
    model = replace(model, asked={number: "invitation"})
    after = fed(model, door.Done(number, LINE))
    assert after.over is Over.NONE
