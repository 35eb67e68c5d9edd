"""How fast the window of Hexcolumns is, with four wells at the last level.

    python -m tests.client.hexcolumns_speed [--seconds 60] [--window 1280x800] [--json]

Under Xvfb, a node with three computer players and a real window on a real match at
level 25 (size 9, the largest): matches are played one after another until the time is
up, by a hand that presses keys through the X server.  Told are

- ticks: how many of its 30 a second each well gets, from the match's own log;
- frames: how long it is from one frame to the next (a frame is a beat of the loop's
  60 Hz clock after which the screen shows the newest state) while all wells live, and
  how many flips there were: what has not changed is not shown again;
- input: from handing a key to the X server until the flip after which the own well
  shows what it did.

The window runs in this process, so that it can note its flips; node, computer players
and the X server are processes of their own.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Final

import msgspec
import trio

from client.__main__ import hints
from tests.client.test_window import desktop
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from tests.client.watched_window import Figures

HZ: Final = 30

FRAME_MS: Final = 25.0
INPUT_MS: Final = 35.0
"""What is wanted: 99 of 100 are faster."""


def part(found: Sequence[float], share: float) -> float:
    """Return the value below which a share of them lies."""
    return sorted(found)[min(len(found) - 1, int(len(found) * share))]


def told(figures: "Figures") -> dict[str, float]:
    """Return the figures as they are compared with what is wanted."""
    ms = 1000.0
    return {
        "matches": figures.matches,
        "frames": len(figures.frames),
        "frames a second": 1 / (sum(figures.frames) / len(figures.frames)),
        "flips a second": figures.flips / sum(figures.frames),
        "frame median ms": part(figures.frames, 0.5) * ms,
        "frame p99 ms": part(figures.frames, 0.99) * ms,
        "frame worst ms": max(figures.frames) * ms,
        "inputs": len(figures.inputs),
        "input median ms": part(figures.inputs, 0.5) * ms,
        "input p99 ms": part(figures.inputs, 0.99) * ms,
        "input worst ms": max(figures.inputs) * ms,
        "keys without effect": figures.lost,
        "seconds": figures.seconds,
        "ticks a second, least": min(figures.ticks) / figures.seconds,
        "ticks a second, most": max(figures.ticks) / figures.seconds,
        "load": os.getloadavg()[0],
    }


@contextmanager
def display() -> Iterator[None]:
    """Start an X server with a window manager, and make it this process's."""
    started: list[subprocess.Popen[bytes]] = []
    try:
        os.environ |= desktop(started)
        yield
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(PATIENCE)


@contextmanager
def node(home: Path) -> Iterator[None]:
    """Start a node in a home."""
    words = [sys.executable, "-m", "netplay", "node", "--any-port", "--home", str(home)]
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    try:
        while not (home / "door").exists():
            if process.poll() is not None:
                raise RuntimeError("the node does not start")
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def measured(home: Path, size: tuple[int, int], seconds: float) -> "Figures":
    """Run the window, play in it until the time is up, and return what was noted."""
    hints()
    from client.app import settings  # noqa: PLC0415 (pygame, after the display)
    from client.app.model import Model  # noqa: PLC0415 (likewise)
    from client.window import first_frame, loop  # noqa: PLC0415 (likewise)
    from tests.client.watched_window import Figures, Player, Watched  # noqa: PLC0415 (likewise)

    model = Model(settings=settings.Settings(size=size))
    window_loop = Watched(Figures(), model, home, first_frame.make_window(size))
    player = Player(window_loop, perf_counter() + seconds)

    async def both() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(player.run)
            await loop.run(window_loop)
            nursery.cancel_scope.cancel()

    trio.run(both)
    return window_loop.figures


def main() -> int:
    """Measure, and tell."""
    parser = argparse.ArgumentParser("hexcolumns_speed", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--window", default="1280x800")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    wide, high = map(int, given.window.split("x"))
    with TemporaryDirectory() as home, display(), node(Path(home)):
        figures = measured(Path(home), (wide, high), given.seconds)
    found = told(figures)
    if given.json:
        print(msgspec.json.encode(found).decode())
    else:
        for name, value in found.items():
            print(f"{name:24} {value:10.1f}")
    good = (
        found["frame p99 ms"] < FRAME_MS
        and found["input p99 ms"] < INPUT_MS
        and found["ticks a second, least"] > HZ * 0.99
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
