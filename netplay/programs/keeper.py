"""Keep one program of the user's: start it, and end it with all that it has started.

A script of its own, run beside the node: it ends the program when the node closes the
program's standard input, or has gone itself, however that happened.  A bare
environment is what this script was given.  Nothing of the project is imported.
"""

import ctypes
import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic  # noqa: TID251 (a process of its own)
from typing import Final

GRACE_SECONDS: Final = 1.0
"""For a program to end by itself once its input has ended."""

LAST_WORDS: Final = 2000
"""Bytes at the end of what it said on its standard error."""

NOT_STARTED: Final = 126
"""Exit code where the program cannot be run, as shells have it."""

_ADOPT: Final = 36
"""PR_SET_CHILD_SUBREAPER: whoever's parent has ended becomes a child of ours."""


def _noted(_number: int, _frame: object) -> None:
    """Let a signal wake whoever polls."""


def _told_to_end(_number: int, _frame: object) -> None:
    """End, and the program with it."""
    sys.exit(1)


class _Keeper:
    """One program and its family."""

    def __init__(self, path: str) -> None:
        self.lifeline: Final = os.dup(0)
        """The program's input: it ends with the node."""
        self._woken, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGCHLD, _noted)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, _told_to_end)
        self._said = b""
        self._status: int | None = None
        self._program: Final = subprocess.Popen(  # noqa: S603 (the user's own, by its path)
            [path], stderr=subprocess.PIPE, start_new_session=True
        )
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)

    def keep(self) -> int:
        """Wait until the program or the node has ended; return the exit code."""
        assert self._program.stderr is not None
        errors = self._program.stderr.fileno()
        poller = select.poll()
        until: float | None = None
        poller.register(self.lifeline, 0)  # only that it ends
        poller.register(self._woken, select.POLLIN)
        poller.register(errors, select.POLLIN)
        while self._status is None and (until is None or monotonic() < until):
            rest = None if until is None else 1000 * (until - monotonic()) + 1
            for file, _event in poller.poll(rest):
                if file == self.lifeline:
                    poller.unregister(file)
                    until = monotonic() + GRACE_SECONDS
                elif file == errors and not self._hear(errors):
                    poller.unregister(file)
                elif file == self._woken:
                    os.read(file, 4096)
                    self._reap(os.WNOHANG)
        self.end()
        os.set_blocking(errors, False)
        with suppress(BlockingIOError):
            while self._hear(errors):
                pass
        with suppress(OSError):
            os.write(2, self._said[-LAST_WORDS:])
        return os.waitstatus_to_exitcode(self._status or 0)

    def _hear(self, errors: int) -> bool:
        """Take what the program says of errors; tell whether there may be more."""
        data = os.read(errors, 65536)
        self._said = (self._said + data)[-LAST_WORDS:]
        return bool(data)

    def _reap(self, how: int) -> None:
        """Note who has ended, the program or what it started.

        Raises:
            ChildProcessError: There is nobody left.
        """
        while True:
            pid, status = os.waitpid(-1, how)
            if pid == self._program.pid:
                self._status = self._program.returncode = status
                return
            if not pid or not how:
                return

    def end(self) -> None:
        """End the program, its group, and who has left the group."""
        with suppress(ChildProcessError):
            while True:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._program.pid, signal.SIGKILL)
                for pid in _children(os.getpid()):
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)
                self._reap(0)


def _children(parent: int) -> list[int]:
    """Return the processes whose parent this is, where the system shows them."""
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            after_name = (folder / "stat").read_bytes().rpartition(b")")[2].split()
            if int(after_name[1]) == parent:
                found.append(int(folder.name))
    return found


def main(path: str) -> int:
    """Run a program, and return its exit code."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_ADOPT, 1, 0, 0, 0)
    try:
        keeper = _Keeper(path)
    except OSError as error:
        os.write(2, str(error.strerror).encode())
        return NOT_STARTED
    try:
        return keeper.keep()
    finally:
        keeper.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) & 0xFF)
