"""Mixing encrypted bags, and checking that others did: in a thread, one at a time.

The library lets the loop go on while it multiplies; a second thread would only get in
the way of the first.
"""

from collections.abc import Callable, Sequence
from typing import Final

import trio

from netplay.daemon.computer_players import WorkerPool
from netplay.errors import Code
from netplay.faults import Nursery
from netplay.match.masks import Job, Result
from netplay.table.resources import Outcome, Parcel, keep_parcel


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
    return job.work()


# Files that peers send, checked and kept by a worker process.
#
# To read a word list of sixteen megabytes through takes seconds; the node must go on
# meanwhile. One is checked at a time: whoever waits for the next has waited for its
# bytes already.


Told = Callable[[Outcome], None]


class FileChecks:
    """Has files kept elsewhere, once the node runs."""

    def __init__(self) -> None:
        """Begin without a node."""
        self._nursery: Nursery | None = None
        self._settle: Callable[[Callable[[], None]], None] = lambda tell: tell()
        self._pool: Final = WorkerPool(1)

    def begin(
        self, nursery: Nursery, settle: Callable[[Callable[[], None]], None]
    ) -> None:
        """Work for a node.

        Args:
            nursery: Where to wait for the worker.
            settle: Does what is given to it, and all that comes of that.
        """
        self._nursery, self._settle = nursery, settle

    def __call__(self, parcel: Parcel, told: Told) -> None:
        """Have a file checked and kept; see `resources.Elsewhere`."""
        if self._nursery is None:
            told(keep_parcel(parcel))
        else:
            self._nursery.start_soon(self._keep, parcel, told)

    async def _keep(self, parcel: Parcel, told: Told) -> None:
        """Wait for the worker, and tell what came of it."""
        try:
            outcome = await self._pool.run_apart(keep_parcel, parcel)
        except Exception:  # noqa: BLE001 (whatever becomes of a worker, the node and its matches go on)
            outcome = Code.BAD_DIGEST.name, "it could not be checked"
        self._settle(lambda: told(outcome))
