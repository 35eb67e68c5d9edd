"""Mixing encrypted bags, and checking that others did: in a thread, one at a time.

The library lets the loop go on while it multiplies; a second thread would only get in
the way of the first.
"""

from collections.abc import Callable, Sequence
from typing import Final

import trio

from netplay.faults import Nursery
from netplay.match.masks import Job, Result


class Mixer:
    """What matches want done beside the loop."""

    def __init__(self) -> None:
        """Begin with nothing to do."""
        self._under_way: Final[set[Job]] = set()
        self._limiter: trio.CapacityLimiter | None = None

    def start(
        self,
        nursery: Nursery,
        jobs: Sequence[Job],
        done: Callable[[Result], None],
        failed: Callable[[bytes, Exception], None],
    ) -> None:
        """Begin what is not under way.

        Args:
            nursery: The node's.
            jobs: What is wanted.
            done: Takes each result.
            failed: Told of what match a job has failed, and why: our mistake.
        """
        for job in jobs:
            if job not in self._under_way:
                self._under_way.add(job)
                nursery.start_soon(self._do, job, done, failed)

    async def _do(
        self,
        job: Job,
        done: Callable[[Result], None],
        failed: Callable[[bytes, Exception], None],
    ) -> None:
        """Do one thing, and hand its result on."""
        if self._limiter is None:  # it can be made only where the node runs
            self._limiter = trio.CapacityLimiter(1)
        try:
            result = await trio.to_thread.run_sync(
                _run, job, abandon_on_cancel=True, limiter=self._limiter
            )
        except Exception as error:  # noqa: BLE001 (it is that match's)
            failed(job.match, error)
            self._under_way.discard(job)
            return
        self._under_way.discard(job)
        done(result)


def _run(job: Job) -> Result:
    """Do one thing; runs in a thread."""
    return job.run()
