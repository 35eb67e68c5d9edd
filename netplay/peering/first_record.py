"""The first word of a TLS connection, waited for before any work is done for it.

A connection that says nothing, or half a word, costs a buffer and no handshake.
"""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import trio

from netplay.errors import Code, LocalError, PeerError
from netplay.limits import FIRST_WORD_BYTES, READ_BYTES
from netplay.sentences import Says

HEADER_BYTES: Final = 5
"""Of a TLS record: type, version, length."""

HANDSHAKE: Final = 22
"""The type of the record that begins every connection."""

Turn: TypeAlias = Callable[[], Awaitable[None]]
"""Waits until work on a connection may begin."""


async def first_word(stream: trio.abc.Stream) -> bytes:
    """Wait for the whole first record of a TLS connection, and return what has come.

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
            raise LocalError(Code.NO_ANSWER, Says.HUNG_UP())
        said += bytes(some)
    return said


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
