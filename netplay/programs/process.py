"""The process of a program at a seat: started in a bare environment, ended with it."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol, Self, cast

import trio

from netplay.errors import Code, LocalError
from netplay.programs import keeper
from netplay.programs.talk import said
from netplay.sentences import Says
from netplay.system.processes import NEEDED, apart, ender

READ_BYTES: Final = 64 * 1024

LAST_WORDS_SECONDS: Final = 1.0
"""For what a program that has ended said of that."""

KEPT: Final = NEEDED.get(sys.platform, ())


async def _opened(path: str) -> trio.Process:
    """Start a program, in the care of a keeper where there is no job to end it."""
    words, errors = [path], subprocess.DEVNULL
    if sys.platform != "win32":  # pragma: no branch (the tests run on Linux)
        words = [sys.executable, "-I", "-S", keeper.__file__, path]
        errors = subprocess.PIPE
    return await trio.lowlevel.open_process(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=bare(),
        cwd=Path(path).parent,
        **apart(),
    )


def _ender(process: trio.Process) -> Callable[[], None]:
    """Return what is to be done besides closing the program's input."""
    return ender(process.pid) if sys.platform == "win32" else lambda: None


class _Closable(Protocol):
    """A stream to or from a process, as every platform's can be closed at once."""

    def close(self) -> None:
        """Close it."""
        ...


def bare() -> dict[str, str]:
    """Return the environment of a program: nothing in it is the user's."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {"PATH": os.defpath, "LANG": "C.UTF-8", **kept}


def runnable(path: str) -> Path:
    """Return the whole path of a program that the user has named.

    Raises:
        LocalError: USAGE, there is none that can be run.
    """
    with suppress(OSError, RuntimeError, ValueError):  # no such user; a zero byte
        found = Path(path).expanduser().absolute()
        if found.is_file() and os.access(found, os.X_OK):
            return found
    raise LocalError(Code.USAGE, Says.PROGRAM_NOT_RUNNABLE(path=path))


class Running:
    """A program that runs."""

    def __init__(self, process: trio.Process) -> None:
        self._process: Final = process
        self._finish: Final = _ender(process)

    @classmethod
    async def start(cls, path: str) -> Self:
        """Start a program.

        Raises:
            LocalError: It cannot be started.
        """
        try:
            process = await _opened(path)
        except (OSError, ValueError) as error:
            raise LocalError(Code.USAGE, Says.PROGRAM_ENDED(why=error)) from None
        return cls(process)

    async def say(self, line: bytes) -> None:
        """Write to the program's input.

        Raises:
            LocalError: It has ended.
        """
        assert self._process.stdin is not None
        try:
            await self._process.stdin.send_all(line)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise await self._ended() from None

    async def hear(self) -> bytes:
        """Return some of what the program says.

        Raises:
            LocalError: It has ended.
        """
        assert self._process.stdout is not None
        data: bytes | bytearray = b""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            data = await self._process.stdout.receive_some(READ_BYTES)
        if not data:
            raise await self._ended()
        return bytes(data)

    async def _ended(self) -> LocalError:
        """Return the error that says how the program ended: its last words."""
        errors, words = self._process.stderr, b""
        with trio.move_on_after(LAST_WORDS_SECONDS), suppress(trio.BrokenResourceError):
            while errors and (data := await errors.receive_some(READ_BYTES)):
                words = bytes(words + data)[-READ_BYTES:]
        lines = words.strip().splitlines() or [b"-"]
        return LocalError(Code.USAGE, Says.PROGRAM_ENDED(why=said(lines[-1])))

    def end(self) -> None:
        """End the program: its input ends, and its keeper sees to the rest."""
        process = self._process
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                cast("_Closable", stream).close()
        self._finish()

    def gone(self) -> bool:
        """Tell whether nothing of it is left."""
        return self._process.poll() is not None

    async def wait(self) -> None:
        """Wait until nothing of it is left."""
        await self._process.wait()
