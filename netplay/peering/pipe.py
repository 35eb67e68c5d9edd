"""Both ways of a stream, for a link or a window: what can be done at once is.

What the system takes is written where it arises, without a turn of the loop; the rest
waits for a task, which alone awaits: whoever sends never does.  What comes is read from
the socket as soon as there is something.  trio's streams do both in a more general way,
which takes twice as long.
"""

import socket

import trio

from netplay.limits import READ_BYTES
from netplay.peering.outbox import Outbox
from netplay.peering.tcp import resend_soon
from netplay.peering.tls import TlsStream


class Pipe:
    """The bytes of a stream, as they come and go."""

    def __init__(self, stream: trio.abc.Stream, frames: int, size: int) -> None:
        """Take a stream over; `write` must run.

        Args:
            stream: It; its handshake is done.
            frames: The most pieces that may wait to be written.
            size: The most bytes that may wait.
        """
        self._tls = stream if isinstance(stream, TlsStream) else None
        self._stream = stream if self._tls is None else self._tls.transport
        self._socket = _socket(self._stream)
        if self._socket is not None:
            resend_soon(self._socket)
        self._outbox = Outbox(frames, size)

    # What goes.

    def send(self, data: bytes) -> bool:
        """Send; return False if the other end is stuck or gone: drop it then."""
        if self._tls is not None:
            try:
                data = self._tls.encrypt(data)
            except trio.BrokenResourceError:
                return False
        if self._outbox.idle and self._socket is not None:
            try:
                data = data[self._socket.send(data) :]
            except OSError:  # it is full or broken: the writer waits, or finds out
                return self._outbox.put(data)
        return not data or self._outbox.put(data)

    def widen(self, size: int) -> None:
        """Let so many bytes wait."""
        self._outbox.size = size

    async def write(self) -> None:
        """Write what waits, until closed and empty.

        Raises:
            trio.BrokenResourceError: The other end has gone.
            trio.ClosedResourceError: The stream was closed.
        """
        while data := await self._outbox.get():
            await self._stream.send_all(data)

    # What comes.

    async def read(self) -> bytes:
        """Wait for bytes and return them, none at the end.

        Raises:
            trio.BrokenResourceError: It ended without a goodbye, or in another bad way.
            trio.ClosedResourceError: The stream was closed.
        """
        tls = self._tls
        # What came together with what was read before.
        text = tls.decrypted() if tls is not None and tls.more else None
        if text is not None:
            await trio.lowlevel.checkpoint()
        while text is None:
            if self._socket is None:
                data = bytes(await self._stream.receive_some(READ_BYTES))
            else:
                await trio.lowlevel.wait_readable(self._socket)
                try:
                    data = self._socket.recv(READ_BYTES)
                except BlockingIOError:
                    continue
                except OSError as error:
                    raise trio.BrokenResourceError from error
            if tls is None:
                return data
            tls.take(data)
            text = tls.decrypted()
        return text

    # The end.

    def close(self) -> None:
        """Send nothing more; what waits is still written."""
        self._outbox.close()

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
