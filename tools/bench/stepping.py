"""A node that times the steps of its loop, as a program: the words are `netplay`'s.

It answers each line on its standard input with a line of JSON: how long the longest
step took since the line before, and how much processor the node has had.
"""

import sys
from functools import partial
from runpy import run_module
from subprocess import PIPE
from threading import Thread
from time import process_time, thread_time
from typing import Any, Final, TextIO

import msgspec
import trio
from typing_extensions import override

from tools.bench.pair import Node


class Steps(msgspec.Struct, frozen=True):
    """What a node has taken."""

    longest: float
    """Milliseconds of processor time, of one step of the loop."""
    processor: float
    """Seconds, of the whole process."""


class SteppingNode(Node):
    """A node process that times its steps."""

    def __init__(self, path: Any) -> None:  # noqa: ANN401 (as `Node`)
        super().__init__(path, "tools.bench.stepping", PIPE)

    def tell(self) -> Steps:
        """Return what it has taken; the longest step since this was asked last.

        Raises:
            LocalError: NO_ANSWER, the process has ended.
        """
        return msgspec.json.decode(self.answer(""), type=Steps)


class Stopwatch(trio.abc.Instrument):
    """Times every step of every task."""

    def __init__(self) -> None:
        self._began = 0.0
        self.longest = 0.0

    @override
    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self._began = thread_time()

    @override
    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        self.longest = max(self.longest, thread_time() - self._began)

    def answer(self, asked: TextIO, said: TextIO) -> None:
        """Tell the longest so far at each line, and begin anew."""
        for _line in asked:
            steps = Steps(self.longest * 1000, process_time())
            self.longest = 0.0
            said.write(msgspec.json.encode(steps).decode() + "\n")
            said.flush()


def main() -> None:
    """Run `netplay`, and time its steps."""
    watch: Final = Stopwatch()
    answers, sys.stdout = sys.stdout, sys.stderr  # nobody reads what the node says
    Thread(target=watch.answer, args=(sys.stdin, answers), daemon=True).start()
    run: Any = partial(trio.run, instruments=[watch])
    trio.run = run
    run_module("netplay", run_name="__main__")


if __name__ == "__main__":
    main()
