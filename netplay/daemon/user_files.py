"""Files that the user names, read and written beside the node.

They may lie on a network drive that has gone: whoever asks it waits for minutes, and
nobody can be called back.  So each is asked in a thread of its own, which is left alone
when its time is over, and the node goes on.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final, NoReturn, TypeVar

import trio

from netplay.errors import Code, LocalError
from netplay.sentences import Says

DRIVE_SECONDS: Final = 10.0
"""A disk that sleeps wakes within this time; whoever waits at a window longer than
that believes that the program hangs."""

T = TypeVar("T")


async def beside(job: Callable[[], T], path: Path | str) -> T:
    """Return what a job on a file of the user's returns or raises.

    Args:
        job: Reads or writes the file.
        path: Where it lies, for whom it is told to.

    Raises:
        LocalError: DISK, the drive does not answer.
    """
    work = partial(_within, job, str(path), DRIVE_SECONDS)
    return await trio.to_thread.run_sync(work, abandon_on_cancel=True)


def _within(job: Callable[[], T], path: str, limit: float) -> T:
    """Do a job in a thread that nobody has to wait for."""
    ended: SimpleQueue[Callable[[], T]] = SimpleQueue()
    Thread(target=lambda: ended.put(_outcome(job)), daemon=True).start()
    try:
        outcome = ended.get(timeout=limit)
    except Empty:
        detail = Says.DRIVE_SILENT(path=path, seconds=round(limit))
        raise LocalError(Code.DISK, detail) from None
    return outcome()


def _outcome(job: Callable[[], T]) -> Callable[[], T]:
    """Do a job; return what tells what came of it."""
    try:
        done = job()
    except Exception as error:  # noqa: BLE001 (it is raised where it is waited for)
        return partial(_again, error)
    return lambda: done


def _again(error: Exception) -> NoReturn:
    raise error
