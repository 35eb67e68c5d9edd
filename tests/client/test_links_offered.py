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

from client.app.model import Over
from client.app.settings import load
from client.desktop import Links
from client.pages import screen
from client.pages.clipboard import ToFront
from client.ui.intents import Click
from client.ui.scene import find
from netplay.errors import Code, LocalError
from netplay.messages import door
from netplay.messages.node_questions import CopyStatus, GetInvitation
from netplay.said import Said
from netplay.sentences import Says
from tests.client.fakenode import FakeNode
from tests.client.listed import game
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.worlds import base, fed, in_match, status, table
from tests.said import says

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


async def plays(script: Scripted) -> None:
    """Join by an invitation, play there, and come back to the start page."""
    await script.click("field.address")
    await paste(script, LINE)
    assert script.loop.model.over is Over.NONE, "nothing lies before the button"
    await script.key(pygame.K_RETURN)
    assert door.Join(LINE) in script.node.asked
    assert script.loop.model.over is Over.NONE, "nor before the table"
    over = game(1, "numlo", phase="over", turn=(), match=b"")
    script.node.status = replace(script.node.status, games=(over,))
    script.loop.hear(script.node.status)
    await script.calm()


@needs_dummy
async def test_who_played_by_an_invitation_is_asked_once_and_says_yes_by_a_click(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    desktop = Desktop()
    async with window(tmp_path) as script:
        await told(script, desktop)
        await plays(script)
        assert script.sees("links.why")
        await script.click("links.yes")
        assert desktop.installed
        assert desktop.command[-3:] == ("--home", str(tmp_path), "--open")
        assert says(script.reads(), Says.LINKS_OPENED)
        script.loop.hear(script.node.status)
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
        await script.click("field.address")
        await paste(script, f"{other}\n")
        await script.key(pygame.K_RETURN)
        assert [ask for ask in script.node.asked if isinstance(ask, door.Join)] == [
            door.Join(other)
        ]


@needs_dummy
async def test_who_says_not_now_by_keys_is_asked_no_more(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    desktop = Desktop()
    async with window(tmp_path) as script:
        await told(script, desktop)
        await plays(script)
        while script.loop.hand.touch.focus != "links.no":
            await script.key(pygame.K_TAB)
        await script.key(pygame.K_RETURN)
        assert not script.sees("links.why")
        assert not desktop.installed
    own = load(tmp_path)[0]
    async with window(tmp_path, settings=replace(own, sound=False)) as script:
        await told(script, desktop)
        await plays(script)
        assert not script.sees("links.why"), "not in the next window either"


@needs_dummy
async def test_the_page_of_the_connection_switches_it_on_and_off(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    desktop = Desktop()
    async with window(tmp_path) as script:
        await told(script, desktop)
        await script.click("connection")
        for wanted in (True, False):
            room = script.node_named("connection.list").rect
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
        await plays(script)
        assert not script.sees("links.why"), "who has removed it knows of it"


@needs_dummy
async def test_nothing_is_offered_where_the_computer_cannot_be_told(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await told(script, Desktop(able=False))
        await script.click("connection")
        assert script.sees("set.beacon")
        assert not script.sees("set.links")
        await script.key(pygame.K_ESCAPE)
        await plays(script)
        assert not script.sees("links.why")


@needs_dummy
async def test_a_computer_that_refuses_is_a_sentence(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await told(script, Desktop(broken=True))
        await plays(script)
        await script.click("links.yes")
        assert says(script.reads(), Says.LINKS_NO_TOOL, tool="osacompile")
        assert script.loop.model.links is False


def test_the_question_never_comes_over_a_match_nor_stays_over_a_table() -> None:
    own = replace(base().settings, recent=(LINE,))
    over = game(1, "numlo", phase="over", turn=(), match=b"")
    model = replace(base(), settings=own, links=False)
    played = replace(in_match(model, "networdz", 2, 0), links=False, settings=own)
    beside = status(table=played.table, games=(over,))
    assert find(screen.scene(fed(played, beside)), "links.yes") is None
    copied = fed(model, status(), Click("copy"))
    copied = fed(copied, door.Done(max(copied.asked), LINE))
    assert copied.offer is Over.NONE, "one's own invitation is for others"
    asked = fed(model, status(games=(over,)))
    assert find(screen.scene(asked), "links.yes") is not None
    at_table = fed(asked, status(games=(over,), table=table()))
    assert find(screen.scene(at_table), "links.yes") is None


def test_one_thing_that_eases_is_asked_while_the_window_is_open() -> None:
    own = replace(base().settings, recent=(LINE,))
    over = game(1, "numlo", phase="over", turn=(), match=b"")
    model = replace(base(), settings=own, links=False)
    both = status(games=(over,), copy=CopyStatus(offers=True))
    first = fed(model, both)
    assert first.offer is Over.COPY
    answered = fed(first, Click("copy.no"), both)
    assert answered.offer is Over.NONE
    assert fed(answered, ToFront(), ToFront(), both).offer is Over.NONE
