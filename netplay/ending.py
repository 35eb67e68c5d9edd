"""What ends a program of ours from outside: a signal, or the end of whoever started it.

The second goes by a *leash*: the starter keeps the other end of the program's standard
input, and writes there at most what more is to be done.  It is closed to let the
program go, and it closes by itself when the starter is killed, on every platform.
"""

import os
import signal
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

_HANG_UP: Final[Mapping[str, str]] = {"win32": "SIGBREAK"}
"""What comes when a terminal is closed or a user logs out, if not SIGHUP."""

LEASH: Final = "--leash"
"""The option of a program that was started on a leash."""

STDIN: Final = 0

LOOK_AGAIN: Final = 10
"""The exit code of a window without a key whose player has put it back."""

NEW_KEY: Final = 11
"""The same where the player wants to begin with another."""

PLAY_HERE: Final = 12
"""The same of a home that has moved, where the player wants to play there again."""

NO_WINDOW: Final = 13
"""The same where no window can be opened at all."""

WANTED: Final = frozenset({0, LOOK_AGAIN, NEW_KEY, PLAY_HERE})
"""The exit codes of a window that its player has closed."""


def endings(platform: str = sys.platform, names: Any = signal) -> tuple[Any, ...]:  # noqa: ANN401 (the module, or another one)
    """Return the signals that end a program of this system, the politest first."""
    last = _HANG_UP.get(platform, "SIGHUP")
    return tuple(getattr(names, name) for name in ("SIGTERM", "SIGINT", last))


def signals() -> tuple[signal.Signals, ...]:
    """Return the signals that end a program, but for those it was told to ignore.

    `nohup` ignores the hang-up so that a node goes on after the terminal.
    """
    return tuple(
        number
        for number in endings()
        if number is signal.SIGTERM or signal.getsignal(number) != signal.SIG_IGN
    )


@contextmanager
def noted() -> Generator[list[int]]:
    """Keep in mind which signals came while a program is still being loaded.

    It ends in good order then as soon as it can; a second signal ends it at once.

    Yields:
        What has come, for the program to look at once it takes signals itself.
    """
    told: list[int] = []
    before = {number: signal.getsignal(number) for number in signals()}

    def note(number: int, _frame: FrameType | None) -> None:
        told.append(number)
        signal.signal(number, before[signal.Signals(number)])

    for number in before:
        signal.signal(number, note)
    try:
        yield told
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def slipped(
    descriptor: int = STDIN, heard: Callable[[bytes], None] = lambda _word: None
) -> None:
    """Wait until the leash is let go.

    Args:
        descriptor: What is read from.
        heard: Told each line that comes by it; most starters say nothing.
    """
    import trio  # noqa: PLC0415 (a program that only starts others needs none)

    rest = b""
    while more := await trio.to_thread.run_sync(
        _read, descriptor, abandon_on_cancel=True
    ):
        *lines, rest = (rest + more).split(b"\n")
        for line in lines:
            heard(line)


def _read(descriptor: int) -> bytes:
    """Return what came, nothing if there is nobody to say more."""
    try:
        return os.read(descriptor, 1024)
    except OSError:
        return b""
