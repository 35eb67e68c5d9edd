"""Time the start of the program, and what node and window cost while nothing happens.

The window is that of the program as anybody starts it, on the display there is; without
one it is drawn all the same, for nobody to see.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep  # noqa: TID251 (time is what is measured)
from typing import Final

from netplay.bench.measuring import Row, amount, paired, plain, ratio_row, timed

IDLE_SECONDS: Final = 30

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
    if hasattr(os, "wait4"):
        settled, idle = amount(SETTLED_SECONDS, 0), amount(IDLE_SECONDS, 1)
        used = _busy(settled + idle) - _busy(settled)
        yield plain("start: idle node and window", 100 * used / idle, "% of a core")


def _against(
    name: str, ours: tuple[str, ...], theirs: tuple[str, ...], versus: str
) -> Row:
    """Return the row of two ways to start Python."""
    rounds = paired(
        lambda: timed(lambda: _process(*ours)),
        lambda: timed(lambda: _process(*theirs)),
    )
    return ratio_row(name, "ms", versus, rounds)


def _process(*words: str) -> None:
    """Run Python with some arguments, its output thrown away."""
    subprocess.run(  # noqa: S603 (ourselves)
        [sys.executable, *words],
        check=True,
        stdout=subprocess.DEVNULL,
        env=_environment(),
    )


def _environment() -> dict[str, str]:
    """Return variables for a window that makes no noise, seen if there is a display."""
    found = {**os.environ, "SDL_AUDIODRIVER": "dummy"}
    if sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & found.keys():
        found["SDL_VIDEODRIVER"] = "dummy"
    return found


@contextmanager
def _shown() -> Generator[subprocess.Popen[bytes]]:
    """Run the program in a home of its own; the context begins with its first frame.

    The debug port is opened, and told, as soon as that frame is on the screen.
    """
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "netplay", "--port", "0", "--debug-port", "0"]
        environment = {**_environment(), "NETPLAY_HOME": str(Path(folder) / "home")}
        process = subprocess.Popen(  # noqa: S603 (ourselves)
            words, stdout=subprocess.PIPE, env=environment
        )
        try:
            assert process.stdout is not None
            if not process.stdout.readline():
                raise AssertionError("no window was shown")
            yield process
        finally:
            process.terminate()
            process.communicate()


def _first_frame() -> float:
    """Return the seconds until the window shows its first frame."""
    began = perf_counter()
    with _shown():
        return perf_counter() - began


def _busy(seconds: float) -> float:
    """Return the processor's seconds that node and window take to run for so long."""
    with _shown() as process:
        sleep(seconds)
        process.terminate()
        # The program waits for node and window: what they used is among its own.
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime
