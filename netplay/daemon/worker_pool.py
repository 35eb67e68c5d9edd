"""Processes that do what takes long, and what each does around its task."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import anyio.to_process
from anyio import CapacityLimiter

from netplay.players.gc_paused import gc_paused
from netplay.players.words.map_file import keep_maps
from netplay.players.words.offensive import allowing
from netplay.table.resources import Shelf
from rules.game import OptionsError

T = TypeVar("T")


class WorkerPool:
    """Workers for one kind of task, so many of them: the node goes on meanwhile."""

    def __init__(self, workers: int) -> None:
        """Prepare; a process starts when it is needed.

        Args:
            workers: How many tasks are done at once; the others wait in line.
        """
        self._workers: Final = workers
        self._limiter: CapacityLimiter | None = None

    async def run(self, do: Callable[..., T], *given: Any) -> T:  # noqa: ANN401 (what `do` takes)
        """Return what a module's function returns in another process.

        Raises:
            BrokenWorkerProcess: The process has died.
            Exception: Whatever the function raises.
        """
        if self._limiter is None:  # it can be made only where the node runs
            self._limiter = CapacityLimiter(self._workers)
        return await anyio.to_process.run_sync(
            do, *given, cancellable=True, limiter=self._limiter
        )


def with_resources(
    words: Path | None, do: Callable[[], T], *, offensive: bool = False
) -> T:
    """Do what may need an edition or a word list; runs in a worker.

    Args:
        words: The folder with those that are not shipped.
        do: Done once more if it misses one.
        offensive: Whether it may lay and offer words that offend.
    """
    keep_maps(words)
    with gc_paused(), allowing(words_that_offend=offensive):
        try:
            return do()
        except (LookupError, OptionsError):
            # A match with its own edition or words has begun after this process.
            Shelf(words)
            return do()
