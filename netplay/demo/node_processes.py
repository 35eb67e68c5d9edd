"""The node processes of a demonstration, each in a home of its own."""

import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import trio

from netplay.demo.player import Player, call
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.language import _

START_SECONDS: Final = 600.0
"""For a node to open its door, as long as its process lives: a computer that has much
else to do takes minutes, and who waits no longer can stop the demo."""

SLOW_SECONDS: Final = 10.0
"""After so long it is said that a node is waited for, and again each time."""

STOP_SECONDS: Final = 10.0
"""For a node to end when told to."""

LOOP: Final = "127.0.0.1"
LOG: Final = "node.log"
NAMES: Final = ("Ada", "Blaise", "Chen", "Dorothy")


class Actor:
    """One node process, and a window on it."""

    def __init__(self, home: Home, name: str, player: Player, seed: int | None) -> None:
        """Name the parts; `start` starts the process."""
        self.home: Final = home
        self.name: Final = name
        self.player: Final = player
        self.port = 0
        """Where the node listens; the same one again after a restart."""
        self._seed: Final = seed
        self._process: trio.Process | None = None

    @property
    def address(self) -> str:
        """Where others can call the node."""
        return f"{LOOP}:{self.port}"

    async def start(self) -> None:
        """Start the node."""
        words = [sys.executable, "-m", "netplay", "node", "--name", self.name]
        words += ["--home", str(self.home.path), "--listen", LOOP]
        words += ["--port", str(self.port)]
        if self._seed is not None:
            words += ["--seed", str(self._seed)]
        with (self.home.path / LOG).open("ab") as log:
            self._process = await trio.lowlevel.open_process(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    async def meet(self, nursery: trio.Nursery) -> None:
        """Come in through the node's door as soon as it is there.

        Raises:
            LocalError: NO_ANSWER, the node did not start.
        """
        player, process = self.player, self._process
        assert process is not None
        player.status = None
        began = told = trio.current_time()
        with trio.move_on_after(START_SECONDS):
            while process.poll() is None:
                if trio.current_time() >= told + SLOW_SECONDS:
                    told = trio.current_time()
                    words = _("{name} is still starting, after {seconds} s")
                    words = words.format(name=self.name, seconds=round(told - began))
                    sys.stderr.write(f"{words}\n")
                try:
                    player.client = await call(self.home, player.hear)
                except (OSError, ValueError):
                    await trio.sleep(0.02)
                    continue
                nursery.start_soon(player.client.run)
                while player.status is None:
                    await player.news()
                self.port = player.status.port
                return
        raise LocalError(Code.NO_ANSWER, f"a node did not start: {self.last_words()}")

    async def stop(self) -> None:
        """End the node, politely at first."""
        if self._process is not None:
            self._process.terminate()
            with trio.move_on_after(STOP_SECONDS):
                await self._process.wait()
            await self.kill()

    async def kill(self) -> None:
        """End the node at once, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            await self._process.wait()

    def last_words(self) -> str:
        """Return the last line that the node wrote."""
        try:
            lines = (self.home.path / LOG).read_text("utf-8", "replace").splitlines()
        except OSError:
            lines = []
        return lines[-1] if lines else "it said nothing"


@asynccontextmanager
async def actors(
    folder: Path, count: int, game: str, seed: int | None
) -> AsyncGenerator[Sequence[Actor]]:
    """Run node processes for as long as the context lasts.

    Args:
        folder: For their homes.
        count: How many.
        game: What is played.
        seed: For the computer players' whims.

    Raises:
        LocalError: A node did not start.
    """
    cast = [_actor(folder, n, game, seed) for n in range(count)]
    async with living(*cast):
        yield cast


@asynccontextmanager
async def living(*cast: Actor) -> AsyncGenerator[trio.Nursery]:
    """Run nodes for as long as the context lasts; give what their visits run in.

    Raises:
        LocalError: A node did not start.
    """
    async with trio.open_nursery() as nursery:
        try:
            for actor in cast:
                await actor.start()
            for actor in cast:
                await actor.meet(nursery)
            yield nursery
        finally:
            with trio.CancelScope(shield=True):
                async with trio.open_nursery() as leaving:
                    for actor in cast:
                        leaving.start_soon(actor.stop)
            nursery.cancel_scope.cancel()


def _actor(folder: Path, number: int, game: str, seed: int | None) -> Actor:
    name = NAMES[number]
    home = Home(folder / name.lower())
    home.prepare()
    own = None if seed is None else seed + number
    return Actor(home, name, Player(game), own)
