"""A node that counts the calls it makes, as a program: the words are `netplay`'s.

It reads commands on its standard input, and answers each with a line of JSON: what was
called until then in the thread that the node runs in, by `sys.setprofile`.  That a
coroutine goes on where it waited counts as a call of each function it goes through, as
CPython has it.  STOP stops the node's clock, so that nothing is done meanwhile because
it is time: no ping, and no status, which comes ten times a second at most; GO lets it
go on.
"""

import sys
from collections import Counter
from importlib import import_module
from math import inf
from runpy import run_module
from threading import Thread
from time import perf_counter
from types import FrameType
from typing import Any, Final, TextIO, TypeAlias

import msgspec
import trio
from typing_extensions import override

COUNT: Final = "count"
STOP: Final = "stop"
GO: Final = "go"

Function: TypeAlias = tuple[str, str]
"""File, and name with the names of what it is defined in."""


class Counts(msgspec.Struct, frozen=True):
    """What was called since the program began."""

    python: list[tuple[str, str, int]]
    """File, function, and how often it was entered."""
    c: int
    """Calls of functions written in C."""


class Tally:
    """Counts calls as they are made."""

    def __init__(self) -> None:
        self._python: Final = Counter[Function]()
        self._c = 0

    def note(self, frame: FrameType, event: str, _function: Any) -> None:  # noqa: ANN401 (of any kind)
        """Count one event of a profile."""
        if event == "call":
            code = frame.f_code
            self._python[code.co_filename, code.co_qualname] += 1
        elif event == "c_call":
            self._c += 1

    def counts(self) -> Counts:
        """Return what was counted so far."""
        found = self._python.copy()
        return Counts([(*name, times) for name, times in found.items()], self._c)


class StopClock(trio.abc.Clock):
    """A clock that can be stopped, and goes on where it stood."""

    def __init__(self) -> None:
        self._late = perf_counter()
        self._stopped_at: float | None = None

    def tell(self, command: str) -> None:
        """Stop or go on; nothing for any other command."""
        if command == STOP:
            self._stopped_at = self.current_time()
        elif command == GO and self._stopped_at is not None:
            self._late = perf_counter() - self._stopped_at
            self._stopped_at = None

    @override
    def start_clock(self) -> None:
        """Do nothing: this clock needs no start."""

    @override
    def current_time(self) -> float:
        """Return the seconds it has gone, at the cost of one call as trio's own."""
        now = perf_counter() - self._late
        return now if self._stopped_at is None else self._stopped_at

    @override
    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Return the seconds until it shows a time."""
        left = deadline - self.current_time()
        return inf if left > 0 and self._stopped_at is not None else left


def draw_no_lots() -> None:
    """Let trio take tasks that are ready in one order, not now and then in reverse.

    Which of them comes first decides what goes out in one write, and so how often the
    other node reads.  What stands in for the lot is written in C, as the lot is.
    """
    scheduler: Any = import_module("trio._core._run")
    scheduler._r.random = (1.0).conjugate  # noqa: SLF001 (trio offers no other way)


def answer(tally: Tally, clock: StopClock, asked: TextIO, said: TextIO) -> None:
    """Obey each command, and answer with what was counted so far."""
    for line in asked:
        clock.tell(line.strip())
        said.write(msgspec.json.encode(tally.counts()).decode() + "\n")
        said.flush()


def count() -> None:
    """Run `netplay`, and count what it calls."""
    tally, clock = Tally(), StopClock()
    answers, sys.stdout = sys.stdout, sys.stderr  # nobody reads what the node says
    Thread(target=answer, args=(tally, clock, sys.stdin, answers), daemon=True).start()
    draw_no_lots()
    run: Any = trio.run

    def stopping(serve: Any, **_clock: Any) -> None:  # noqa: ANN401 (as trio.run's)
        run(serve, clock=clock)

    trio.run = stopping  # type: ignore[assignment]
    sys.setprofile(tally.note)
    run_module("netplay", run_name="__main__")


if __name__ == "__main__":
    count()
