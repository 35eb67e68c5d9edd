"""A stranger calls somebody who waits at a real terminal: the player is asked first."""

import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.table import Accept, Decline
from tests.hostile.nodes import Victim, needs_proc
from tests.hostile.peer import Line, Peer
from tests.hostile.stranger import offer
from tests.patience import PATIENCE

pytestmark = [pytest.mark.processes, needs_proc]


TAKES = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Makes this its terminal, so that Ctrl-C comes, and runs a command."""


class Terminal:
    """What is shown on a terminal, and who types there."""

    def __init__(self, main: int, process: trio.Process) -> None:
        self.shown = ""
        self.process = process
        self._main = main

    async def until(self, words: str) -> None:
        """Read on until some words are shown; forget what is before their end."""
        while words not in self.shown:
            await trio.lowlevel.wait_readable(self._main)
            self.shown += os.read(self._main, 4096).decode("utf-8", "replace")
        self.shown = self.shown.split(words, 1)[1]

    def type(self, keys: str) -> None:
        os.write(self._main, keys.encode())


@asynccontextmanager
async def answering(near: Victim) -> AsyncGenerator[Terminal]:
    """Run `netplay answer` on a terminal of its own."""
    main, other = os.openpty()
    netplay = sys.executable, "-m", "netplay", "--home", str(near.home.path), "answer"
    words = sys.executable, "-c", TAKES, *netplay
    environment = {**os.environ, "LANGUAGE": "en", "LC_ALL": "C.UTF-8"}
    process = await trio.lowlevel.open_process(
        words,
        stdin=other,
        stdout=other,
        stderr=subprocess.STDOUT,
        env=environment,
        start_new_session=True,
    )
    os.close(other)
    terminal = Terminal(main, process)
    try:
        yield terminal
    finally:
        print("last on the terminal:", repr(terminal.shown))  # shown of a failure
        if process.poll() is None:
            process.terminate()
        with trio.CancelScope(shield=True):
            await process.wait()
        os.close(main)


async def quiet(line: Line) -> None:
    await trio.sleep(0.5)
    assert not any(isinstance(one, Accept | Decline) for one in line.heard)


async def test_a_no_at_the_terminal_declines_and_a_yes_to_the_next_sits_down(
    tmp_path: Path,
) -> None:
    near, eve, fred = (
        Victim(tmp_path),
        Peer(tmp_path / "eve", "Eve"),
        Peer(tmp_path / "fred", "Fred"),
    )
    with trio.fail_after(PATIENCE):
        async with living(near), answering(near) as terminal:
            await terminal.until("Ctrl-C")
            async with eve.call(near.port) as line:
                await line.say(offer(eve, line.key))
                await terminal.until("would like")
                await terminal.until(": ")
                await quiet(line)
                terminal.type("maybe\n")
                await line.until(Decline)
            async with fred.call(near.port) as line:
                await line.say(offer(fred, line.key))
                await terminal.until("would like")
                await terminal.until(": ")
                await quiet(line)
                terminal.type("y\n")
                await line.until(Accept)
                assert await terminal.process.wait() == 0


async def test_who_called_before_the_command_was_there_is_asked_of(
    tmp_path: Path,
) -> None:
    near, eve = Victim(tmp_path), Peer(tmp_path / "eve", "Eve")
    with trio.fail_after(PATIENCE):
        async with living(near):
            await near.wait_to_be_called()
            async with eve.call(near.port) as line:
                await line.say(offer(eve, line.key))
                await near.until(lambda x: any(t.mode == "called" for t in x.games))
                async with answering(near) as terminal:
                    await terminal.until("would like")
                    await terminal.until(": ")
                    terminal.type("y\n")
                    await line.until(Accept)
                    assert await terminal.process.wait() == 0


@pytest.mark.parametrize("keys", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
async def test_keys_that_end_the_question_sit_down_with_nobody(
    tmp_path: Path, keys: str
) -> None:
    near, eve = Victim(tmp_path), Peer(tmp_path / "eve", "Eve")
    with trio.fail_after(PATIENCE):
        async with living(near), answering(near) as terminal:
            await terminal.until("Ctrl-C")
            async with eve.call(near.port) as line:
                await line.say(offer(eve, line.key))
                await terminal.until("would like")
                await terminal.until(": ")
                # Python prints what it asks and reads then: Ctrl-C between the two is
                # heard with the next key only. Whoever sees nothing happen presses
                # again.
                while terminal.process.poll() is None:
                    terminal.type(keys)
                    with trio.move_on_after(5):
                        await terminal.process.wait()
                assert terminal.process.returncode == 0
                await quiet(line)
