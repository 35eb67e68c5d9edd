"""The port on the page of the connection, as a player sets it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pygame
import trio.testing
from msgspec.structs import replace

from netplay.messages import door
from netplay.messages.node_questions import SetPort
from rules.game import IllegalMoveError
from tests.client.fakenode import FakeNode
from tests.client.scripted import Scripted, needs_dummy, window

pytestmark = needs_dummy
FIELD = "field.port"


@asynccontextmanager
async def connection(home: Path) -> AsyncIterator[Scripted]:
    """Open the page of the connection and scroll to the port."""
    async with window(home) as script:
        script.node.status = replace(script.node.status, next_port=4770)
        script.loop.hear(script.node.status)
        await shown(script)
        yield script


async def shown(script: Scripted) -> None:
    await script.click("connection")
    at = script.node_named("connection.list").rect.centre
    script.post(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0))
    for _ in range(20):
        low = script.node_named("connection.list").rect.bottom
        if script.sees(FIELD) and script.node_named(FIELD).rect.bottom < low:
            break
        script.post(pygame.MOUSEWHEEL, x=0, y=-1)
        await script.settle()


def wished(script: Scripted) -> list[str]:
    return [ask.port for ask in script.node.asked if isinstance(ask, SetPort)]


async def test_the_port_is_typed_and_taken_with_enter_or_by_going_on(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with connection(tmp_path) as script:
        assert script.node_named(FIELD).value == "4770"
        await script.click(FIELD)
        await script.key(pygame.K_a, pygame.KMOD_CTRL)
        await script.type("4771")
        await script.key(pygame.K_RETURN)
        assert wished(script) == ["4771"]
        assert script.node_named(FIELD).value == "4771"
        await script.click(FIELD)
        await script.key(pygame.K_BACKSPACE)
        await script.type("2")
        await script.click("close")
        assert wished(script) == ["4771", "4772"]


async def test_what_is_not_changed_or_called_off_is_not_asked_for(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with connection(tmp_path) as script:
        await script.click(FIELD)
        await script.key(pygame.K_RETURN)
        await script.type("9")
        await script.key(pygame.K_ESCAPE)
        assert wished(script) == []
        await shown(script)
        assert script.node_named(FIELD).value == "4770"


class Strict(FakeNode):
    """A node that takes no port."""

    def do(self, ask: door.Question) -> list[door.FromNode]:
        if isinstance(ask, SetPort):
            raise IllegalMoveError("PORT")
        return super().do(ask)


async def test_a_port_that_is_refused_stays_in_sight(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with connection(tmp_path) as script:
        script.node.__class__ = Strict
        await script.click(FIELD)
        await script.key(pygame.K_a, pygame.KMOD_CTRL)
        await script.type("99999")
        await script.key(pygame.K_RETURN)
        assert "PORT" in script.reads()
        low = script.node_named("connection.list").rect.bottom
        assert script.node_named(FIELD).rect.bottom <= low


async def test_why_a_port_was_refused_goes_once_another_is_typed(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with connection(tmp_path) as script:
        script.node.__class__ = Strict
        await script.click(FIELD)
        await script.key(pygame.K_a, pygame.KMOD_CTRL)
        await script.type("99999")
        await script.key(pygame.K_RETURN)
        assert "PORT" in script.reads()
        await script.click(FIELD)
        await script.key(pygame.K_BACKSPACE)
        assert "PORT" not in script.reads()
        script.node.__class__ = FakeNode
        await script.key(pygame.K_a, pygame.KMOD_CTRL)
        await script.type("9999")
        await script.key(pygame.K_RETURN)
        assert wished(script)[-1] == "9999"
        assert "PORT" not in script.reads()
