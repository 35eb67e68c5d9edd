"""Bytes on their way to one peer or window: a bounded channel for one writer.

Whoever sends never waits: what does not fit means that the other end is stuck, and its
link is dropped.  The writer takes all that has gathered in one go, so that a busy link
costs one write for many frames.  What is not urgent may wait a moment for company.
"""

from typing import Final

import trio

PATIENCE_SECONDS: Final = 0.01
"""What is not urgent waits so long for something else to go with it: nobody notices,
and a write and a wake at the other end are saved for most of it."""


class Outbox:
    """A queue of frames with room for so many, and so many bytes."""

    def __init__(self, frames: int, size: int) -> None:
        """Start empty.

        Args:
            frames: The most pieces that may wait.
            size: The most bytes that may wait.
        """
        self._frames = frames
        self.size = size
        self._waiting: list[bytes] = []
        self._bytes = 0
        self._closed = False
        self._writing = False
        self._patient: dict[bytes, bytes] = {}
        """What waits for company: the newest of each sort."""
        self._wake = trio.Event()
        self._sleep = trio.CancelScope()

    def put(self, data: bytes) -> bool:
        """Add a piece; return False if there is no room or the box is closed."""
        full = len(self._waiting) >= self._frames or self._bytes >= self.size
        if full or self._closed:
            return False
        self._waiting.append(data)
        self._bytes += len(data)
        self._wake.set()
        return True

    def put_patiently(self, sort: bytes, data: bytes) -> bool:
        """Add a piece that may wait, and makes an older one of its sort needless.

        It goes before all that is put after it, or by itself `PATIENCE_SECONDS` after
        the oldest that waits so.

        Returns:
            False if there is no room or the box is closed.
        """
        if self._waiting or self._closed:
            return self.put(data)
        if not self._patient:
            self._sleep.deadline = trio.current_time() + PATIENCE_SECONDS
        self._patient.pop(sort, None)
        self._patient[sort] = data
        return True

    @property
    def idle(self) -> bool:
        """Whether nothing waits or is being written: a quicker way may be used."""
        waiting = self._waiting or self._patient
        return not (waiting or self._writing or self._closed)

    def close(self) -> None:
        """Take nothing more; what waits can still be written."""
        self._closed = True
        self._wake.set()

    async def get(self) -> bytes:
        """Wait for something and return all there is; nothing once closed."""
        self._writing = False
        while not (self._waiting or self._closed):
            self._wake = trio.Event()
            deadline = self._sleep.deadline if self._patient else float("inf")
            with trio.CancelScope(deadline=deadline) as self._sleep:
                await self._wake.wait()
            if self._sleep.cancelled_caught and self._patient:
                break
        data = b"".join((*self._patient.values(), *self._waiting))
        self._patient.clear()
        self._waiting.clear()
        self._writing = True
        self._bytes = 0
        return data
