"""Files that somebody has named: what they may be, and how much of one is read.

Whoever names a file names a pipe, a device, a folder or three gigabytes of nothing as
easily, and what lies under a name may be another thing a moment later.  So size and
kind are asked first, and again of what was opened; nothing waits for what never comes,
and no more is read than was asked for.
"""

import os
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from netplay.errors import Code, LocalError
from netplay.sentences import Says

if sys.platform != "win32":
    import resource

STATUS: Final = Path("/proc/self/statm")
"""Where Linux tells what a process has taken."""

WORD_TEXT_BYTES: Final = 64 << 20
"""Of a word list in text: as many words as it may have, and longer than most."""

EDITION_BYTES: Final = 1 << 20
"""Of an edition: the longest that is shipped has two thousand."""

RECORD_BYTES: Final = 4 << 20
"""Of another program's record: a long game has ten thousand."""

OWN_BYTES: Final = 16 << 20
"""Of a file of the node's own: thousands of players have one."""

PRIVATE_FILE: Final = 0o600

_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NONBLOCK", 0)  # or a pipe is waited for that nobody writes to
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


FILE_MEMORY_BYTES: Final = 1 << 30
"""More than a process has before it reads and builds a file of the user's: a list of
four million words takes two thirds of it."""


COMMAND_MEMORY_BYTES: Final = 2 << 30
"""The same for a command that replays a match: the longest that there may be takes a
third of it."""


@contextmanager
def memory_capped(more: int) -> Generator[None]:
    """Let this process take so many bytes more and then fail, where a system can.

    Raises:
        MemoryError: It would have taken more.
    """
    if sys.platform == "win32" or not STATUS.exists():  # what is read is bounded
        yield
        return
    pages = int(STATUS.read_text("ascii").split()[5])  # data and stack
    old = resource.getrlimit(resource.RLIMIT_DATA)
    most = pages * resource.getpagesize() + more
    least = most if old[0] == resource.RLIM_INFINITY else min(most, old[0])
    resource.setrlimit(resource.RLIMIT_DATA, (least, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, old)


@contextmanager
def command_memory(path: Path, more: int = COMMAND_MEMORY_BYTES) -> Generator[None]:
    """Let a command take so much memory for a file, where a system can.

    Raises:
        LocalError: FILE, the file takes more.
    """
    try:
        with memory_capped(more):
            yield
    except MemoryError:
        raise LocalError(Code.FILE, Says.MEMORY_LIMIT(path=path)) from None


def place_of(text: str | Path) -> Path:
    """Return where a file lies that somebody named; `~` is the user's folder."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 (pathlib's raises where there is no such user)


def read_named(path: Path, most: int, code: Code = Code.FILE) -> bytes:
    """Return what is in a plain file.

    Args:
        path: As it was named; `~` is whoever's it is.
        most: Bytes that it may have.
        code: What an error is.

    Raises:
        OSError: It is not there, or cannot be opened or read.
        LocalError: It is no plain file, or too large.
    """
    check(path, path.stat(), most, code)  # first: to open a device may do something
    with os.fdopen(os.open(path, _FLAGS), "rb") as file:
        status = os.fstat(file.fileno())
        check(path, status, most, code)
        return file.read(status.st_size + 1)[
            : status.st_size
        ]  # what grows is as it was


def open_to_append(path: Path) -> int:
    """Return a file of our own to which lines are added; make it if need be.

    Raises:
        OSError: It cannot be, or is a pipe that nobody reads.
    """
    flags = _FLAGS | os.O_WRONLY | os.O_APPEND | os.O_CREAT
    return os.open(path, flags, PRIVATE_FILE)


def read_head(path: Path, most: int) -> bytes:
    """Return the beginning of a plain file of any size.

    Raises:
        OSError: It is not there, or cannot be opened or read.
        LocalError: It is no plain file.
    """
    check(path, path.stat(), sys.maxsize, Code.FILE)
    with os.fdopen(os.open(path, _FLAGS), "rb") as file:
        check(path, os.fstat(file.fileno()), sys.maxsize, Code.FILE)
        return file.read(most)


def check(path: Path, status: os.stat_result, most: int, code: Code) -> None:
    """Refuse what is no plain file, or too large.

    Raises:
        LocalError: It is.
    """
    if stat.S_ISDIR(status.st_mode):
        raise LocalError(code, Says.A_FOLDER(path=path))
    if not stat.S_ISREG(status.st_mode):
        raise LocalError(code, Says.NO_PLAIN_FILE(path=path))
    if status.st_size > most:
        raise LocalError(code, Says.FILE_TOO_LARGE(path=path, count=most))
