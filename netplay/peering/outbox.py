"""Bytes on their way to one peer or window: a bounded channel for one writer.

Whoever sends never waits: what does not fit means that the other end is stuck, and its
link is dropped.  The writer takes all that has gathered in one go, so that a busy link
costs one write for many frames.
"""

import trio


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
        self.idle = True
        """Nothing waits or is being written: a quicker way may be used."""
        self._wake = trio.Event()

    def put(self, data: bytes) -> bool:
        """Add a piece; return False if there is no room or the box is closed."""
        full = len(self._waiting) >= self._frames or self._bytes >= self.size
        if full or self._closed:
            return False
        self.idle = False
        self._waiting.append(data)
        self._bytes += len(data)
        self._wake.set()
        return True

    def close(self) -> None:
        """Take nothing more; what waits can still be written."""
        self._closed, self.idle = True, False
        self._wake.set()

    async def get(self) -> bytes:
        """Wait for something and return all there is; nothing once closed."""
        self.idle = not (self._waiting or self._closed)
        while not (self._waiting or self._closed):
            self._wake = trio.Event()
            await self._wake.wait()
        data = b"".join(self._waiting)
        self._waiting.clear()
        self.idle = False
        self._bytes = 0
        return data
