"""Files that peers send, checked and kept by a worker process.

To read a word list of sixteen megabytes through takes seconds; the node must go on
meanwhile.  One is checked at a time: whoever waits for the next has waited for its
bytes already.
"""

from collections.abc import Callable
from typing import Final

from netplay.daemon.worker_pool import WorkerPool
from netplay.errors import Code
from netplay.faults import Nursery
from netplay.table.resources import Outcome, Parcel, keep_parcel

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
            outcome = await self._pool.run(keep_parcel, parcel)
        except Exception:  # noqa: BLE001 (whatever becomes of a worker, the node and its matches go on)
            outcome = Code.BAD_DIGEST.name, "it could not be checked"
        self._settle(lambda: told(outcome))
