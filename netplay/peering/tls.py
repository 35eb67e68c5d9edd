"""TLS on a stream, told apart from its transport: what is encrypted can leave at once.

trio's own `SSLStream` encrypts and sends in one go, so that every frame waits for a
turn of the loop and for a task that writes.  Here `encrypt` only returns bytes, for
whoever writes them; a round trip takes less than half the time.  Tickets are not sent
and sessions not resumed (see `identity`), so a handshake and a plain exchange of
records is all there is.
"""

import ssl
from contextlib import suppress
from typing import Final

import trio
from typing_extensions import override

from netplay.limits import READ_BYTES

_RECORDS: Final = 128
"""Read together at most: whoever sends a byte in each must not hold up the others."""


class TlsStream(trio.abc.Stream):
    """An encrypted stream; one task at a time may read, one may write."""

    def __init__(
        self,
        transport: trio.abc.Stream,
        context: ssl.SSLContext,
        *,
        server_side: bool,
        said: bytes = b"",
    ) -> None:
        """Prepare; nothing is sent before the handshake.

        Args:
            transport: Where the encrypted bytes go; it is closed with this stream.
            context: Says what is demanded of the other side.
            server_side: It was the other side that called.
            said: What has been read of the transport already.
        """
        self.transport: Final = transport
        self._incoming: Final = ssl.MemoryBIO()
        self._outgoing: Final = ssl.MemoryBIO()
        self.tls: Final = context.wrap_bio(
            self._incoming, self._outgoing, server_side=server_side
        )
        """To ask who is at the other end."""
        self._incoming.write(said)
        self._closed = False
        self._ended = False
        """The other side has said goodbye."""
        self._full = False
        """As much was read as was wanted: the record may have more."""
        self.more = True
        """Whether `decrypted` may have something before more is taken."""
        self._broken: ssl.SSLError | None = None
        """What the other side did wrong, after the last text that was good."""

    async def do_handshake(self) -> None:
        """Agree on keys, and prove each other's.

        Raises:
            trio.BrokenResourceError: It failed: from an `ssl.SSLError` where this side
                refused; the transport is still open.
        """
        done = False
        while not done:
            try:
                self.tls.do_handshake()
                done = True
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLError as error:
                raise trio.BrokenResourceError from error
            if said := self._outgoing.read():
                await self.transport.send_all(said)
            if not done:
                await self._feed()

    def encrypt(self, data: bytes | bytearray | memoryview) -> bytes:
        """Return what to write to the transport, in this order and all of it.

        Raises:
            trio.BrokenResourceError: The other side has broken TLS.
        """
        try:
            self.tls.write(data)
        except ssl.SSLError as error:
            raise trio.BrokenResourceError from error
        return self._outgoing.read()

    def take(self, data: bytes) -> None:
        """Take what has come over the transport, nothing at its end."""
        if data:
            self._incoming.write(data)
        else:
            self._incoming.write_eof()

    def decrypted(self, wanted: int = READ_BYTES) -> bytes | None:
        """Return the text of what was taken, nothing at the end, None if more is due.

        A record is read in one piece; those that are there are read together.

        Args:
            wanted: So many bytes at most.

        Raises:
            trio.BrokenResourceError: It ended without a goodbye, or broke TLS.
        """
        parts: list[bytes] = []
        incoming, self.more = self._incoming, True
        try:
            for _ in range(_RECORDS):
                some = self._full or incoming.pending or incoming.eof
                if not (wanted and some):  # to try and fail takes longer
                    self.more = not wanted
                    break
                part = self.tls.read(wanted)
                if not part:
                    self._ended = True
                    break
                parts.append(part)
                wanted -= len(part)
        except ssl.SSLWantReadError:
            self.more = False  # the rest of a record is still to come
        except ssl.SSLError as error:
            self._broken = error
        self._full = not wanted
        self.more = self.more or self._ended or self._broken is not None
        if self._broken is not None and not parts:
            raise trio.BrokenResourceError from self._broken
        return b"".join(parts) if parts or self._ended else None

    @override
    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Encrypt and send; not to be mixed with another who writes what is encrypted.

        Raises:
            trio.BrokenResourceError: The stream is broken.
            trio.ClosedResourceError: It is closed.
        """
        self._check_open()
        await self.transport.send_all(self.encrypt(data) if data else b"")

    @override
    async def wait_send_all_might_not_block(self) -> None:
        """Wait as the transport does."""
        await self.transport.wait_send_all_might_not_block()

    @override
    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return what has come, nothing at the end.

        Raises:
            trio.BrokenResourceError: It ended without a goodbye, or broke TLS.
            trio.ClosedResourceError: It is closed.
        """
        self._check_open()
        if max_bytes is not None and max_bytes < 1:
            raise ValueError(max_bytes)
        wanted = READ_BYTES if max_bytes is None else max_bytes
        found = self.decrypted(wanted)
        if found is not None:
            await trio.lowlevel.checkpoint()
        while found is None:
            await self._feed()
            found = self.decrypted(wanted)
        return found

    @override
    async def aclose(self) -> None:
        """Say goodbye and close the transport; by force, close it at once."""
        goodbye = b"" if self._closed else self._goodbye()
        self._closed = True
        try:
            await self.transport.send_all(goodbye)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        finally:
            await self.transport.aclose()

    def _check_open(self) -> None:
        if self._closed:
            raise trio.ClosedResourceError

    async def _feed(self) -> None:
        self.take(bytes(await self.transport.receive_some(READ_BYTES)))

    def _goodbye(self) -> bytes:
        """Return what ends TLS, as far as it has begun."""
        # The other side has not said goodbye yet, or there was no beginning.
        with suppress(ssl.SSLError):
            self.tls.unwrap()
        return self._outgoing.read()
