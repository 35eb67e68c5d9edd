"""The node processes of a demonstration, each in a home of its own."""

import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import trio

from netplay.demo.caller import call
from netplay.demo.puppet import Puppet
from netplay.errors import Code, LocalError
from netplay.home import Home

START_SECONDS: Final = 30.0
"""For a node to open its door."""

STOP_SECONDS: Final = 10.0
"""For a node to end when told to."""

LOOP: Final = "127.0.0.1"
LOG: Final = "node.log"
NAMES: Final = ("Ada", "Blaise", "Chen", "Dorothy")


class Actor:
    """One node process, and a window on it."""

    def __init__(self, home: Home, name: str, puppet: Puppet) -> None:
        """Name the parts; `run` starts the process."""
        self.home: Final = home
        self.name: Final = name
        self.puppet: Final = puppet

    @property
    def address(self) -> str:
        """Where the node listens."""
        assert self.puppet.status is not None
        return f"{LOOP}:{self.puppet.status.port}"

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
    cast = [_actor(folder, name, game) for name in NAMES[:count]]
    async with trio.open_nursery() as nursery:
        processes: list[trio.Process] = []
        try:
            for number, actor in enumerate(cast):
                own = None if seed is None else seed + number
                processes.append(await _start(actor, own))
            for actor, process in zip(cast, processes, strict=True):
                await _meet(actor, process, nursery)
            yield cast
        finally:
            with trio.CancelScope(shield=True):
                await _stop(processes)
            nursery.cancel_scope.cancel()


def _actor(folder: Path, name: str, game: str) -> Actor:
    """Return an actor with a home of its own."""
    home = Home(folder / name.lower())
    home.prepare()
    return Actor(home, name, Puppet(game))


async def _start(actor: Actor, seed: int | None) -> trio.Process:
    """Start a node."""
    words = [sys.executable, "-m", "netplay", "node", "--home", str(actor.home.path)]
    words += ["--port", "0", "--listen", LOOP, "--name", actor.name]
    if seed is not None:
        words += ["--seed", str(seed)]
    with (actor.home.path / LOG).open("wb") as log:
        return await trio.lowlevel.open_process(
            words, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )


async def _meet(actor: Actor, process: trio.Process, nursery: trio.Nursery) -> None:
    """Come in through a node's door as soon as it is there."""
    with trio.move_on_after(START_SECONDS):
        while process.poll() is None:
            try:
                actor.puppet.caller = await call(actor.home, actor.puppet.hear)
            except (OSError, ValueError):
                await trio.sleep(0.02)
                continue
            nursery.start_soon(actor.puppet.caller.run)
            while actor.puppet.status is None:
                await actor.puppet.news()
            return
    raise LocalError(Code.NO_ANSWER, f"a node did not start: {actor.last_words()}")


async def _stop(processes: Sequence[trio.Process]) -> None:
    """End the processes, politely at first."""
    for process in processes:
        process.terminate()
    with trio.move_on_after(STOP_SECONDS):
        for process in processes:
            await process.wait()
    for process in processes:
        process.kill()
        await process.wait()
