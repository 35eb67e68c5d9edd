"""A line to another node, carried by a third: a stream, for TLS to go over.

What is sent waits until the other end has given leave, by taking off what was sent
before; so neither end, nor who carries, ever holds more than a window of it.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

import trio
from typing_extensions import override

from netplay.errors import Code, PeerError, by_number
from netplay.limits import LINE_WINDOW_BYTES
from netplay.messages.lines import CloseLine, LineBytes, LineMessage, LineTaken
from netplay.messages.types import LINE_BYTES

_LEAVE_BYTES: Final = LINE_WINDOW_BYTES // 4
"""Taken off before leave is given for as much: a message for each would be one more
for every move."""


class Line(trio.abc.Stream):
    """This node's end of a line."""

    def __init__(self, number: int, say: Callable[[LineMessage], None]) -> None:
        """Begin with leave for a window.

        Args:
            number: The line's on the link to who carries.
            say: Sends on that link.
        """
        self.number: Final = number
        self._say: Final = say
        self._leave = LINE_WINDOW_BYTES
        self._came: deque[bytes] = deque()
        self._waiting = 0
        """Bytes that came and are not taken off."""
        self._taken = 0
        """Bytes that were, and for which no leave has been given."""
        self._news = trio.Event()
        self._closed = False
        """This end has closed it."""
        self.ended: Code | None = None
        """Why it has ended elsewhere."""
        self._over = False
        """It has ended elsewhere."""

    # What is told by who carries.

    def receive(self, message: LineBytes) -> None:
        """Take what has come.

        Raises:
            PeerError: TOO_MANY, more than there was leave for.
        """
        self._waiting += len(message.data)
        if self._waiting + self._taken > LINE_WINDOW_BYTES:
            raise PeerError(Code.TOO_MANY, "bytes on a line")
        self._came.append(message.data)
        self._wake()

    def taken(self, message: LineTaken) -> None:
        """Take leave to send more.

        Raises:
            PeerError: UNEXPECTED, for more than was sent.
        """
        self._leave += message.count
        if self._leave > LINE_WINDOW_BYTES:
            raise PeerError(Code.UNEXPECTED, "more was taken off a line than was sent")
        self._wake()

    def end(self, code: int) -> None:
        """Take that the line has ended; what has come can still be read."""
        self._over, self.ended = True, by_number(code)
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = trio.Event()

    # The stream.

    @override
    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send as leave comes.

        Raises:
            trio.BrokenResourceError: The line has ended.
            trio.ClosedResourceError: It was closed here.
        """
        await trio.lowlevel.checkpoint()
        rest = bytes(data)
        while rest:
            await self.wait_send_all_might_not_block()
            count = min(len(rest), self._leave, LINE_BYTES)
            self._leave -= count
            self._say(LineBytes(self.number, rest[:count]))
            rest = rest[count:]

    @override
    async def wait_send_all_might_not_block(self) -> None:
        """Wait for leave.

        Raises:
            trio.BrokenResourceError: The line has ended.
            trio.ClosedResourceError: It was closed here.
        """
        while self._leave <= 0 and not (self._over or self._closed):
            await self._news.wait()
        self._check_open()
        if self._over:
            raise trio.BrokenResourceError

    @override
    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return what has come, nothing at the end.

        Raises:
            trio.BrokenResourceError: The line ended with an error.
            trio.ClosedResourceError: It was closed here.
        """
        await trio.lowlevel.checkpoint()
        while not (self._came or self._over or self._closed):
            await self._news.wait()
        self._check_open()
        if not self._came:
            if self.ended is not None:
                raise trio.BrokenResourceError
            return b""
        data = self._came.popleft()
        if max_bytes is not None and len(data) > max_bytes:
            self._came.appendleft(data[max_bytes:])
            data = data[:max_bytes]
        self._take_off(len(data))
        return data

    def _take_off(self, count: int) -> None:
        self._waiting -= count
        self._taken += count
        if self._taken >= _LEAVE_BYTES and not self._over:
            self._say(LineTaken(self.number, self._taken))
            self._taken = 0

    def _check_open(self) -> None:
        if self._closed:
            raise trio.ClosedResourceError

    @override
    async def aclose(self) -> None:
        """Tell the other end, and take nothing more."""
        if not self._closed:
            self._closed = True
            self._came.clear()
            if not self._over:
                self._say(CloseLine(self.number, 0, ""))
            self._wake()
        await trio.lowlevel.checkpoint()
