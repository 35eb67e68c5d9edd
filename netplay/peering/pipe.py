"""Both ways of a stream, for a link or a window: what can be done at once is.

`Pipe`: what the system takes is written where it arises, without a turn of the loop;
the rest waits for a task, which alone awaits: whoever sends never does.  What comes is
read from the socket as soon as there is something.  trio's streams do both in a more
general way, which takes twice as long.

`TlsStream` is TLS told apart from its transport, so that a pipe can do the same with
what is encrypted.  trio's own `SSLStream` encrypts and sends in one go: every frame
waits for a turn of the loop and for a task that writes.  Tickets are not sent and
sessions not resumed (see `identity`), so a handshake and a plain exchange of records
is all there is.
"""

import socket
import ssl
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeAlias

import trio
from typing_extensions import override

from netplay.errors import Code, LocalError, PeerError
from netplay.limits import FIRST_WORD_BYTES, READ_BYTES
from netplay.peering import stun
from netplay.peering.tcp import resend_soon
from netplay.sentences import Says

# Bytes on their way to one peer or window: a bounded channel for one writer.
#
# Whoever sends never waits: what does not fit means that the other end is stuck, and
# its link is dropped. The writer takes all that has gathered in one go, so that a busy
# link costs one write for many frames.


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

    def feed(self, data: bytes) -> None:
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
            # Its traceback holds this stream: with it the buffers of every link that
            # was cut would stay until the collector looks, which is seldom.
            self._broken = error.with_traceback(None)
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
        goodbye = b""
        if not self._closed:
            # The other side has not said goodbye yet, or there was no beginning.
            with suppress(ssl.SSLError):
                self.tls.unwrap()
            goodbye = self._outgoing.read()
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
        self.feed(bytes(await self.transport.receive_some(READ_BYTES)))


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
            tls.feed(data)
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


async def hung_up(stream: trio.abc.Stream, seconds: float) -> bool:
    """Wait; return whether the other side hangs up, or speaks before it may."""
    with trio.move_on_after(seconds):
        if isinstance(stream, trio.SocketStream):
            await trio.lowlevel.wait_readable(stream.socket)
            return True
        await trio.sleep_forever()
    return False


# The first word of a TLS connection, waited for before any work is done for it.
#
# A connection that says nothing, or half a word, costs a buffer and no handshake.


HEADER_BYTES: Final = 5
"""Of a TLS record: type, version, length."""

HANDSHAKE: Final = 22
"""The type of the record that begins every connection."""

Turn: TypeAlias = Callable[[], Awaitable[None]]
"""Waits until work on a connection may begin."""


def first_part(came: deque[bytes], most: int | None) -> bytes:
    """Take the first of what has come, no more of it than so many bytes."""
    data = came.popleft()
    if most is not None and len(data) > most:
        came.appendleft(data[most:])
        data = data[:most]
    return data


async def first_word(stream: trio.abc.Stream) -> bytes:
    """Wait for the whole first record of a TLS connection, and return what has come.

    Or for a whole question of STUN, which begins otherwise: see `is_question`.

    Raises:
        PeerError: BAD_CERTIFICATE, this is neither.
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


def is_question(said: bytes) -> bool:
    """Return whether somebody asks where their call comes from, instead of TLS."""
    return said[:1] == b"\0"


def _wanted(said: bytes) -> int:
    """Return how many bytes the first record has, as far as is known.

    Raises:
        PeerError: BAD_CERTIFICATE, it is none.
    """
    if is_question(said):
        return stun.wanted(said)
    if said and said[0] != HANDSHAKE:
        raise PeerError(Code.BAD_CERTIFICATE, "no TLS")
    if len(said) < HEADER_BYTES:
        return HEADER_BYTES
    length = int.from_bytes(said[3:HEADER_BYTES], "big")
    if length > FIRST_WORD_BYTES:
        raise PeerError(Code.BAD_CERTIFICATE, "its first word is too long")
    return HEADER_BYTES + length
