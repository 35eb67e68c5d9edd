"""Frames on their way to one peer or window: they leave at once, or wait in a box.

What the system takes at once is written where it arises, without a turn of the loop.
The rest waits for a task, which alone awaits; whoever sends never does.
"""

import socket

import trio

from netplay.peering.outbox import Outbox
from netplay.peering.tls import TlsStream


class Sender:
    """The writing side of a stream."""

    def __init__(self, stream: trio.abc.Stream, frames: int, size: int) -> None:
        """Take over the writing side; `run` must run.

        Args:
            stream: Where to.
            frames: The most pieces that may wait.
            size: The most bytes that may wait.
        """
        self._tls = stream if isinstance(stream, TlsStream) else None
        self._stream = stream if self._tls is None else self._tls.transport
        self._socket = _socket(self._stream)
        self._outbox = Outbox(frames, size)

    def send(self, data: bytes) -> bool:
        """Send; return False if the other end is stuck or gone: drop it then."""
        if self._tls is not None:
            try:
                data = self._tls.encrypt(data)
            except trio.BrokenResourceError:
                return False
        if self._outbox.idle:
            data = self._send_now(data)
        return not data or self._outbox.put(data)

    def _send_now(self, data: bytes) -> bytes:
        """Write what goes at once; return the rest."""
        if self._socket is None:
            return data
        try:
            return data[self._socket.send(data) :]
        except OSError:  # it is full or broken: the writer waits, or finds out
            return data

    def widen(self, size: int) -> None:
        """Let so many bytes wait."""
        self._outbox.size = size

    def close(self) -> None:
        """Take nothing more; what waits is still written."""
        self._outbox.close()

    async def run(self) -> None:
        """Write what waits, until closed and empty.

        Raises:
            trio.BrokenResourceError: The other end has gone.
            trio.ClosedResourceError: The stream was closed.
        """
        while data := await self._outbox.get():
            await self._stream.send_all(data)

    def detach(self) -> None:
        """Leave the socket to its stream, which is about to be closed."""
        self._outbox.close()
        if self._socket is not None:
            self._socket.detach()
            self._socket = None


def _socket(stream: trio.abc.Stream) -> socket.socket | None:
    """Return the non-blocking socket under a stream, None if it has none."""
    if not isinstance(stream, trio.SocketStream):
        return None
    return socket.socket(fileno=stream.socket.fileno())
