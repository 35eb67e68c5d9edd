"""Real nodes to be attacked, and what an attack has cost them."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
import pytest

from netplay.demo.player import Player
from netplay.messages.door import Answer, Notice, Push
from netplay.record.archive import IN_HAND
from tests.system.nodes import GAME, Resident

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="needs /proc"
)

TICKS: Final = os.sysconf("SC_CLK_TCK")


class Window(Player):
    """A window that keeps every line it is shown."""

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.told: list[Notice] = []

    def hear(self, message: Push) -> None:
        if isinstance(message, Notice):
            self.told.append(message)
        super().hear(message)

    def said(self, words: str) -> bool:
        """Whether a line with these words was shown."""
        return any(words in str(line.said) for line in self.told)


class Cost(msgspec.Struct, frozen=True):
    """What a node has used, or uses more than before."""

    memory: float
    """MiB, of the node's own process."""
    processor: float
    """Seconds, of the node and its workers."""
    descriptors: int
    disk: int
    """Bytes in its home, the log of its lines apart."""
    lines: int
    """Shown in its window."""

    def more_than(self, before: "Cost") -> "Cost":
        pairs = zip(msgspec.structs.astuple(self), msgspec.structs.astuple(before))  # noqa: B905 (of one type)
        return Cost(*(after - was for after, was in pairs))

    def and_at_the_most(self, other: "Cost") -> "Cost":
        """Return the larger of each."""
        return Cost(
            max(self.memory, other.memory),
            max(self.processor, other.processor),
            max(self.descriptors, other.descriptors),
            max(self.disk, other.disk),
            max(self.lines, other.lines),
        )

    def __str__(self) -> str:
        return (
            f"memory {self.memory:+.1f} MiB, processor {self.processor:.2f} s, "
            f"descriptors {self.descriptors:+d}, disk {self.disk:+d} bytes, "
            f"lines {self.lines}"
        )


class Victim(Resident):
    """A node whose window keeps all lines, and whose cost can be told."""

    def __init__(self, folder: Path, number: int = 0, game: str = GAME) -> None:
        self.window: Final = Window(game)
        super().__init__(folder, number, player=self.window)

    async def until_told(self, words: str) -> None:
        """Wait until a line with these words is shown."""
        while not self.window.said(words):
            await self.window.news()

    def cost(self) -> Cost:
        """Return what the node has used until now."""
        own = Path(f"/proc/{self.pid}")
        files = (p for p in self.home.path.rglob("*") if p.is_file())
        sizes = (p.stat().st_size for p in files if p.suffix != ".log")
        family = [self.pid, *children(self.pid)]
        return Cost(
            _resident(self.pid),
            sum(map(_seconds, family)),
            sum(1 for _ in (own / "fd").iterdir()),
            sum(sizes),
            len(self.window.told),
        )

    def files(self) -> set[str]:
        """Return what lies in the node's folders for matches and words.

        The list of matches in hand is there from the first start on.
        """
        folders = (self.home.matches, self.home.words)
        found = {p.name for folder in folders for p in folder.glob("*") if p.is_file()}
        return found - {IN_HAND}

    async def wait_to_be_called(self) -> None:
        await self.window.ask(Answer(True))


def children(pid: int) -> list[int]:
    """Return the processes that a process has started, and theirs."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError):  # a thread, or a child, that has just ended
            for child in (task / "children").read_text("ascii").split():
                found += [int(child), *children(int(child))]
    return found


def _resident(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    (line,) = (x for x in status.splitlines() if x.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def _seconds(pid: int) -> float:
    """Return the processor time of a process, its ended children's included."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS
