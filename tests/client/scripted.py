"""A window with a fake node behind it, driven by what hands do, in virtual time."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame
import pytest
import trio

from client.app import browsing
from client.app.browsing import Listing, Looked
from client.app.model import Model
from client.app.settings import Settings
from client.ui.scene import Node, find, walk
from client.window import first_frame, loop
from tests.client.fakenode import FakeNode

DRIVER = os.environ["SDL_VIDEODRIVER"]


class Scripted:
    """A window with a fake node behind it, driven by posted events."""

    def __init__(self, window_loop: loop.WindowLoop, node: FakeNode) -> None:
        self.loop, self.node = window_loop, node

    def sees(self, name: str) -> bool:
        return find(self.loop.root, name) is not None

    def reads(self) -> str:
        """Return every text in the window."""
        return "\n".join(node.text for node in walk(self.loop.root) if node.text)

    async def settle(self) -> None:
        await trio.sleep(0.06)

    async def calm(self) -> None:
        """Let the hands lie still until what waits for that may be asked."""
        await trio.sleep(2)

    def node_named(self, name: str) -> Node:
        found = find(self.loop.root, name)
        assert found is not None, name
        return found

    def post(self, kind: int, **fields: Any) -> None:
        pygame.event.post(pygame.event.Event(kind, **fields))

    def press(self, at: tuple[int, int], button: int = 1) -> None:
        self.post(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0))
        self.post(pygame.MOUSEBUTTONDOWN, pos=at, button=button)

    async def click(self, name: str) -> None:
        at = self.node_named(name).rect.centre
        self.press(at)
        self.post(pygame.MOUSEBUTTONUP, pos=at, button=1)
        await self.settle()

    async def drag(self, name: str, onto: str) -> None:
        start, end = (self.node_named(n).rect.centre for n in (name, onto))
        self.press(start)
        for i in (1, 2, 3):
            pos = tuple(a + (b - a) * i // 3 for a, b in zip(start, end, strict=True))
            self.post(pygame.MOUSEMOTION, pos=pos, rel=(1, 1), buttons=(1, 0, 0))
        await self.settle()
        assert self.loop.hand.touch.lift == name
        self.post(pygame.MOUSEBUTTONUP, pos=end, button=1)
        await self.settle()

    async def shown(self) -> None:
        """Let the node tell how its match stands."""
        self.loop.hear(self.node.status)
        self.loop.hear(self.node.view())
        await self.settle()

    async def others_move(self) -> None:
        """Let a computer make a move, and the node tell of it."""
        self.node.moves = 1
        self.node.go_on()
        await self.shown()

    async def type(self, text: str) -> None:
        for letter in text:
            self.post(pygame.TEXTINPUT, text=letter)
        await self.settle()

    async def key(self, key: int, mod: int = 0) -> None:
        self.post(pygame.KEYDOWN, key=key, mod=mod, unicode="")
        self.post(pygame.KEYUP, key=key, mod=mod, unicode="")
        await self.settle()


async def at_once(job: browsing.Job) -> Listing | Looked:
    """Read the disk without a thread, which virtual time would not wait for."""
    return job()


@asynccontextmanager
async def window(
    home: Path,
    name: str = "Anna",
    settings: Settings | None = None,
    disk: browsing.Disk = at_once,
) -> AsyncIterator[Scripted]:
    node = FakeNode(name)
    shown = first_frame.make_window((1280, 800))
    own = settings or Settings(sound=False, pause="none")
    window_loop = loop.WindowLoop(Model(settings=own), home, shown, disk)
    pygame.event.clear()
    async with trio.open_nursery() as nursery:
        node.nursery = nursery
        nursery.start_soon(loop.run, window_loop, None, node.open)
        script = Scripted(window_loop, node)
        await script.settle()
        yield script
        window_loop.done = True
        await script.settle()
        nursery.cancel_scope.cancel()


needs_dummy = pytest.mark.skipif(
    DRIVER != "dummy", reason="posts events where a real driver has its own"
)
