"""Time the start of the program, and what node and window cost while nothing happens.

The window is that of the program as anybody starts it, on the display there is; without
one it is drawn all the same, for nobody to see.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter, sleep
from typing import Final

from tools.bench.measuring import Row, amount, paired, plain, ratio_row, timed

IDLE_SECONDS: Final = 30

ACCOUNTS: Final = Path("/proc/self/schedstat")
"""Where the system says, to the nanosecond, how long a process has run, if it does."""

SETTLED_SECONDS: Final = 4
"""After the first frame: by then the start is over, and the loop polls at rest."""

BARE_WINDOW: Final = """
import pygame
pygame.display.init()
window = pygame.Window("bare", (1280, 800))
window.get_surface().fill("white")
window.flip()
"""
"""The yardstick of the first frame."""


def rows() -> Iterator[Row]:
    """Measure."""
    yield _against(
        "start: netplay --help",
        ("-m", "netplay", "--help"),
        ("-c", "pass"),
        "python -c pass",
    )
    foreign = "import trio, msgspec, ssl, cryptography.x509"
    yield _against(
        "start: a node's modules",
        ("-c", "import netplay.daemon.starting"),
        ("-c", foreign),
        f"python -c '{foreign}'",
    )
    yield ratio_row(
        "start: first frame",
        "ms",
        "a bare window of pygame, shown once",
        paired(
            lambda: _first_frame() * 1000,
            lambda: timed(lambda: _process("-c", BARE_WINDOW)),
        ),
    )
    if ACCOUNTS.exists():
        yield plain("start: idle node and window", _idle(), "% of a core")


def _against(
    name: str, ours: tuple[str, ...], theirs: tuple[str, ...], versus: str
) -> Row:
    """Return the row of two ways to start Python."""
    rounds = paired(
        lambda: timed(lambda: _process(*ours)), lambda: timed(lambda: _process(*theirs))
    )
    return ratio_row(name, "ms", versus, rounds)


def _process(*words: str) -> None:
    """Run Python with some arguments, its output thrown away."""
    subprocess.run(
        [sys.executable, *words],
        check=True,
        stdout=subprocess.DEVNULL,
        env=_environment(),
    )


def _environment() -> dict[str, str]:
    """Return variables for a window that makes no noise, seen if there is a display.

    Compiled modules are kept, as they are wherever the program is installed.
    """
    found = {**os.environ, "SDL_AUDIODRIVER": "dummy"}
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    if sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & found.keys():
        found["SDL_VIDEODRIVER"] = "dummy"
    return found


@contextmanager
def _shown() -> Generator[Path]:
    """Run the program in a home of its own; the context begins with its first frame.

    The debug port is opened, and told, as soon as that frame is on the screen.
    """
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        words = [sys.executable, "-m", "netplay", "--port", "0", "--debug-port", "0"]
        process = subprocess.Popen(
            words,
            stdout=subprocess.PIPE,
            env={**_environment(), "NETPLAY_HOME": str(home)},
        )
        try:
            assert process.stdout is not None
            if not process.stdout.readline():
                raise AssertionError("no window was shown")
            yield home
        finally:
            process.terminate()
            process.communicate()


def _first_frame() -> float:
    """Return the seconds until the window shows its first frame."""
    began = perf_counter()
    with _shown():
        return perf_counter() - began


def _idle() -> float:
    """Return the percent of a core that node and window take at rest."""
    with _shown() as home:
        sleep(amount(SETTLED_SECONDS, 0))
        before, began = _used(home), perf_counter()
        sleep(amount(IDLE_SECONDS, 1))
        used = _used(home) - before
        return 100 * used / (perf_counter() - began)


def _used(home: Path) -> float:
    """Return the processor's seconds of all processes that were started for a home."""
    total = 0
    for words in ACCOUNTS.parent.parent.glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has gone
            if str(home).encode() in words.read_bytes():
                for thread in words.parent.glob("task/*/schedstat"):
                    total += int(thread.read_text().split()[0])
    return total / 1e9
