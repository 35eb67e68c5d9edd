"""The commands about watching and playing again, over real nodes."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
import trio

from netplay.__main__ import main
from netplay.home_folder import VARIABLE
from netplay.sentences import Says
from tests.patience import PATIENCE
from tests.said import says

pytestmark = pytest.mark.processes

ROOT = Path(__file__).resolve().parents[3]


class Node:
    """A node process, and commands for it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.port = "0"
        self.start()

    def start(self) -> None:
        """Begin, or begin again."""
        words = [*self._words("node"), "--name", self.home.name]
        self.process = subprocess.Popen(
            [*words, "--port", self.port, "--no-beacon", "--listen", "127.0.0.1"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT,
        )  # fmt: skip

    def kill(self) -> None:
        """End it as a crash would."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def _words(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "netplay", "--home", str(self.home), *words]

    async def run(self, *words: str) -> tuple[int, str]:
        done = await trio.run_process(
            self._words(*words), capture_stdout=True, capture_stderr=True,
            check=False, cwd=ROOT, env=dict(os.environ),
        )  # fmt: skip
        return done.returncode, (done.stdout + done.stderr).decode()

    def ask(self, *words: str) -> tuple[int, str]:
        """Run a command in this process: one of its own costs a fifth of a second.

        That is for what is asked again and again; `run` goes the user's way.
        """
        with (
            pytest.MonkeyPatch.context() as patch,
            redirect_stdout(StringIO()) as told,
            redirect_stderr(told),
        ):
            patch.setenv(VARIABLE, str(self.home))
            code = main(("--home", str(self.home), *words))
        return code, told.getvalue()

    async def until(self, words: tuple[str, ...], said: str) -> str:
        """Repeat a command until its answer has what is awaited."""
        text = ""
        with trio.move_on_after(PATIENCE):
            while said not in (text := self.ask(*words)[1]):  # noqa: ASYNC110 (polls)
                await trio.sleep(0.05)
            return text
        raise AssertionError(f"{self.home.name}: no {said!r} in {text!r}")


async def test_a_match_is_watched_played_again_and_left_by_command(
    nodes: Callable[[str], Node],
) -> None:
    ann, bob, cyd = every = [nodes(name) for name in ("ann", "bob", "cyd")]
    for node in every:
        await node.until(("status",), "listening on port")
    port = (await ann.run("status"))[1].split("port ")[1].split()[0]
    place = f"127.0.0.1:{port}"
    await ann.run("host", "hexagrams", "--seat", "person", "--seat", "remote")
    await bob.run("join", place)
    await ann.until(("status",), "2 bob")
    await ann.until(("start",), "the game begins")

    code, text = await cyd.run("join", place)
    assert code == 1
    assert says(text, Says.MATCH_THERE_WATCH)
    code, text = await cyd.run("watch", place)
    assert code == 0, text
    assert says(text, Says.ASKED_TO_WATCH)
    assert "cyd" in (await bob.until(("watchers",), "asks to watch"))
    assert (await ann.run("watchers", "allow")) == (
        0,
        f"{Says.MAY_WATCH(name='cyd')}\n",
    )
    assert (await bob.run("watchers", "allow", "cyd")) == (
        0,
        f"{Says.MAY_WATCH(name='cyd')}\n",
    )
    await cyd.until(("status",), "cyd, watching")
    for node in (ann, bob):
        await node.until(("status",), "watching: cyd\n")
        assert says((await node.run("watchers"))[1], Says.WATCHES, name="cyd")
    assert (await cyd.run("say", "hello"))[0] == 1
    assert (await ann.run("rematch"))[0] == 2  # not over yet
    code, text = await ann.run("watchers", "nobody")
    assert (code, says(text, Says.BYSTANDERS, wish="nobody")) == (0, True)

    assert (await cyd.run("leave"))[0] == 0
    (kept,) = (cyd.home / "matches").glob("*.netplay")
    code, text = await cyd.run("verify", str(kept))
    assert code == 4, text  # it holds, and is not finished
