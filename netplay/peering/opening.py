"""The first word of a TLS connection, read whole before any work is done for it.

A connection that says nothing, or half a word, costs a buffer and no handshake.
"""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import trio
from typing_extensions import override

from netplay.errors import Code, LocalError, PeerError
from netplay.limits import FIRST_WORD_BYTES, READ_BYTES

HEADER_BYTES: Final = 5
"""Of a TLS record: type, version, length."""

HANDSHAKE: Final = 22
"""The type of the record that begins every connection."""

Turn: TypeAlias = Callable[[], Awaitable[None]]
"""Waits until a connection may be worked for."""


class Begun(trio.abc.Stream):
    """A stream of which something has been read already, which is read again."""

    def __init__(self, stream: trio.abc.Stream, said: bytes) -> None:
        """Put back what was said."""
        self._stream: Final = stream
        self._said = said

    @override
    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        """Return what was put back, then what comes."""
        if not self._said:
            return await self._stream.receive_some(max_bytes)
        await trio.lowlevel.checkpoint()
        end = len(self._said) if max_bytes is None else max_bytes
        some, self._said = self._said[:end], self._said[end:]
        return some

    @override
    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send on the stream."""
        await self._stream.send_all(data)

    @override
    async def wait_send_all_might_not_block(self) -> None:
        """Wait as the stream does."""
        await self._stream.wait_send_all_might_not_block()

    @override
    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()


async def first_word(stream: trio.abc.Stream) -> Begun:
    """Wait for the whole first record of a TLS connection.

    Raises:
        PeerError: BAD_CERTIFICATE, this is no TLS.
        LocalError: NO_ANSWER, it hung up.
    """
    said = b""
    while len(said) < _wanted(said):
        try:
            some = await stream.receive_some(READ_BYTES)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            some = b""
        if not some:
            raise LocalError(Code.NO_ANSWER, "it hung up")
        said += bytes(some)
    return Begun(stream, said)


def _wanted(said: bytes) -> int:
    """Return how many bytes the first record has, as far as is known.

    Raises:
        PeerError: BAD_CERTIFICATE, it is none.
    """
    if said and said[0] != HANDSHAKE:
        raise PeerError(Code.BAD_CERTIFICATE, "no TLS")
    if len(said) < HEADER_BYTES:
        return HEADER_BYTES
    length = int.from_bytes(said[3:HEADER_BYTES], "big")
    if length > FIRST_WORD_BYTES:
        raise PeerError(Code.BAD_CERTIFICATE, "its first word is too long")
    return HEADER_BYTES + length
