"""Node processes on the loopback, and windows that only measure.

A window here reads what its node shows with as little work as can be: what is measured
is the nodes.
"""

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from time import monotonic, sleep
from typing import Final, Literal, TypeVar

import msgspec

from netplay.daemon.visit import Visit
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.messages.door import FromNode, HostTable, Join, Status, TableStatus, View
from netplay.messages.table import Fairness

START_SECONDS: Final = 30.0
STOP_SECONDS: Final = 5.0
LOOP: Final = "127.0.0.1"

_decoder: Final = msgspec.msgpack.Decoder[FromNode](FromNode)


class Window:
    """A window on a node."""

    def __init__(self, visit: Visit) -> None:
        self.visit: Final = visit
        self._frames = visit.frames(START_SECONDS)

    def next(self) -> FromNode:
        """Return the next thing that the node says.

        Raises:
            LocalError: NO_ANSWER, it says nothing any more.
        """
        for frame in self._frames:
            message: FromNode = _decoder.decode(frame.payload)
            return message
        raise LocalError(Code.NO_ANSWER, "a node has gone")

    def view(self, number: int = 0) -> View:
        """Return the next view that has so many entries at least."""
        while True:
            message = self.next()
            if isinstance(message, View) and message.number >= number:
                return message

    def table(self, wanted: Callable[[TableStatus], bool]) -> TableStatus:
        """Return the table as soon as it is as wanted."""
        while True:
            message = self.next()
            if isinstance(message, Status) and message.table and wanted(message.table):
                return message.table


class Node:
    """A node process in a home of its own."""

    def __init__(
        self, path: Path, program: str = "netplay", pipes: int = DEVNULL
    ) -> None:
        """Start it.

        Args:
            path: Of its home.
            program: A module that understands the words of `netplay`.
            pipes: What its standard input and output are.
        """
        self.home: Final = Home(path)
        self.home.prepare()
        words = [sys.executable, "-m", program, "node", "--home", str(path)]
        words += ["--name", path.name, "--listen", LOOP, "--port", "0", "--no-beacon"]
        self.process: Final = Popen(words, stdin=pipes, stdout=pipes, stderr=DEVNULL)

    def visit(self, *, pushes: bool = False) -> Visit:
        """Knock until the door is open.

        Raises:
            LocalError: NO_ANSWER, it does not open.
        """
        deadline = monotonic() + START_SECONDS
        while True:
            try:
                return Visit(self.home, pushes=pushes)
            except LocalError:
                if self.process.poll() is not None or monotonic() > deadline:
                    raise
                sleep(0.02)

    def answer(self, line: str) -> bytes:
        """Say a line to a program that listens, and return the one it answers.

        Raises:
            LocalError: NO_ANSWER, the process has ended.
        """
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{line}\n".encode())
        process.stdin.flush()
        answer = process.stdout.readline()
        if not answer:
            raise LocalError(Code.NO_ANSWER, "a node has gone")
        return answer

    def stop(self) -> None:
        """End the process, politely at first."""
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except TimeoutExpired:
            self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


AnyNode = TypeVar("AnyNode", bound=Node)


@contextmanager
def nodes(
    folder: Path, count: int, start: Callable[[Path], AnyNode]
) -> Generator[Sequence[AnyNode]]:
    """Run node processes for as long as the context lasts."""
    found: list[AnyNode] = []
    try:
        while len(found) < count:
            found.append(start(folder / f"node{len(found)}"))
        yield found
    finally:
        for node in found:
            node.stop()


@contextmanager
def windows_on(pair: Sequence[Node]) -> Generator[list[Window]]:
    """Open a window on each node for as long as the context lasts."""
    with ExitStack() as open_:
        visits = [open_.enter_context(node.visit(pushes=True)) for node in pair]
        yield [Window(visit) for visit in visits]


def sit(
    windows: Sequence[Window],
    game: str,
    *options: tuple[str, str],
    fairness: Fairness | Literal[""] = "",
) -> None:
    """Let windows agree on a match, one seat each, the first as host."""
    host, *guests = windows
    chairs = ("person", *("remote" for _ in guests))
    host.visit.ask(HostTable(game, chairs, options, "", "", fairness=fairness))
    port = host.visit.status().port
    for number, guest in enumerate(guests, 1):
        guest.visit.ask(Join(f"{LOOP}:{port}", number))
    host.table(lambda table: all(s.name and s.accepted for s in table.seats))
