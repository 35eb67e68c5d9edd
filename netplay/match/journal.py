"""The files of a match: written in order, synced, and then what waits for it released.

Theory of operation.  All that a match writes is written here, and all that it says
waits here.  What is released promises that everything before it is on the disk: so a
release syncs first, once for all that came together.  Two things need more care, and
have it here alone: a promise (a seed that is committed to, a term that is granted) is
on the disk before anything that rests on it is even written, and what a node stands
for is on the disk before it promises to follow no older term: entries that came again
after a crash would otherwise be taken for entries that it has acknowledged.

This is group commit.  What the host enters is on the host's disk before anybody hears
of it.  What a member has of it may follow a moment later, for many entries at once: it
is acknowledged only then.  Bodies of its own are the same case: a Submit promises
nothing, and may leave before.

The first failed write poisons the journal for good: nobody can tell what is on the
disk then.  Nothing is written and nothing released from then on; `release` says so,
every time, and whoever called for what failed has nothing to remember.
"""

from collections.abc import Iterable
from typing import Final

from netplay.errors import LocalError
from netplay.messages.log import Ack, Carried, Have, Submit
from netplay.record.hidden import (
    Hidden,
    Kept,
    KeptFork,
    KeptGrant,
    KeptKey,
    KeptLapse,
    KeptSeed,
)
from netplay.record.ledger import Ledger
from netplay.wanted import Outgoing

SYNC_SECONDS: Final = 0.01
"""Nobody notices, and one sync and one Ack do for all that comes meanwhile."""

HURRIED_SYNC_SECONDS: Final = 0.2
"""The same in a game of ticks, where something comes forty times a second, and nothing
waits for an Ack: five a second cost a slow line little."""

PROMISES: Final = (KeptSeed, KeptGrant, KeptLapse, KeptFork, KeptKey)
"""What must be safe before anything that rests on it is written elsewhere."""


def sync_seconds(hz: int) -> float:
    """Return for how long what a member has of a match may wait to be synced.

    Args:
        hz: Ticks a second of its game, 0 if it has turns.
    """
    return HURRIED_SYNC_SECONDS if hz else SYNC_SECONDS


class Journal:
    """What one match has written, and what it has to say once that is safe."""

    def __init__(
        self, me: bytes, ledger: Ledger, hidden: Hidden, patience: float = SYNC_SECONDS
    ) -> None:
        """Take the files over.

        Args:
            me: This node's key.
            ledger: The log; its file is written here alone from now on.
            hidden: The secrets, likewise.
            patience: For how long a member's entries may wait to be synced.
        """
        self._patience: Final = patience
        self._me: Final = me
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._waiting: list[Outgoing] = []
        self.failed: LocalError | None = None
        """What the disk said when it first refused."""
        self.due: float | None = None
        """When what was written has to be safe, at a node that may wait."""
        self.kept = 0
        """Records written: what is known at this node alone has changed."""

    # What is written.

    def keep(self, kept: Kept) -> None:
        """Write a record; a promise is safe when this returns."""
        if self.failed is not None:
            return
        self.kept += 1
        try:
            if type(kept) is KeptGrant:
                self._ledger.sync()
            self._hidden.keep(kept)
            if type(kept) in PROMISES:
                self._hidden.sync()
        except LocalError as error:
            self._poison(error)

    def write(self, now: float, *, wait: bool) -> None:
        """Write the entries that are new; the disk may take its time.

        Args:
            now: Seconds.
            wait: They may be synced a moment later, as a member's may.
        """
        ledger = self._ledger
        if ledger.behind and self.failed is None:
            try:
                ledger.write()
            except LocalError as error:
                self._poison(error)
        dirty = ledger.file.dirty or self._hidden.file.dirty
        if wait and dirty and self.due is None:
            self.due = now + self._patience

    def _poison(self, error: LocalError) -> None:
        """Write and release nothing any more."""
        self.failed = error
        self._waiting.clear()

    # What is said.

    def say(self, out: Outgoing) -> None:
        """Have a message wait for all that was written before it."""
        self._waiting.append(out)

    def say_all(self, out: Iterable[Outgoing]) -> None:
        """Have messages wait."""
        self._waiting += out

    def unsay_places(self) -> None:
        """Leave unsaid how much there is: it is about to be cut off, never synced.

        Who follows another host says so again once its branch has been taken.
        """
        self._waiting = [
            out for out in self._waiting if not isinstance(out.message, Have | Ack)
        ]

    def ring(self, now: float) -> None:
        """Wait no longer, if it is time."""
        if self.due is not None and now >= self.due:
            self.due = None

    def may_wait(self) -> bool:
        """Tell whether what is to be sent now may leave before the next sync."""
        if self.due is None or self._hidden.urgent or self.failed is not None:
            return False
        for out in self._waiting:
            match out.message:
                case Submit():
                    pass  # it promises nothing
                case Carried(author=author) if author != self._me:
                    pass  # nor does what is only handed on for another member
                case _:
                    return False
        return True

    def sync(self) -> None:
        """Have everything that was written on the disk.

        Raises:
            LocalError: DISK, now or at any time before.
        """
        if self.failed is None:
            try:
                if self._hidden.urgent or self._hidden.file.dirty:
                    self._hidden.sync()  # a number of chat must never be used twice
                self._ledger.sync()
            except LocalError as error:
                self._poison(error)
        if self.failed is not None:
            self.check()
        self.due = None

    def check(self) -> None:
        """Refuse to go on with what the disk does not keep.

        Raises:
            LocalError: DISK, as it was said first.
        """
        if self.failed is not None:
            raise LocalError(self.failed.code, self.failed.detail)

    def release(self) -> list[Outgoing]:
        """Return what waits, and forget it; whoever must has synced before."""
        out, self._waiting = self._waiting, []
        return out

    def close(self) -> None:
        """Sync and let the files go.

        Raises:
            LocalError: DISK, what was written last may be lost.
        """
        try:
            if self.failed is None:
                self._ledger.write()
            self._ledger.file.close()
        finally:
            self._hidden.close()
