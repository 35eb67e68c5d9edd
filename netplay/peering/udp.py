"""The node's port over UDP: who is told where they come from, and what is QUIC.

One socket for each kind of address, at the number of the port where the node listens,
takes and sends everything: so a call opens the caller's router for whoever calls from
there.  Who asks where its datagrams come from is told (`stun`), and so is learned where
ours do.  What QUIC needs is loaded only when a call goes out, or something comes that
begins one: most nodes stand for days without, and it would be a fifteenth of all that
they hold in memory.
"""

import errno
import importlib
import os
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, Final, Protocol, TypeAlias, cast

import trio

from netplay.errors import LocalError, PeerError
from netplay.peering import stun
from netplay.peering.address import Address

Where: TypeAlias = tuple[Any, ...]
"""An address as sockets take it and give it."""

Came: TypeAlias = Callable[[trio.abc.Stream, str], Awaitable[None]]
"""Takes a stream that has come in, and the number that it comes from."""

FIRST_BYTES: Final = 1200
"""Of the first datagram of a connection at least (RFC 9000, 14.1)."""

_LONG_AND_FIXED: Final = 0xC0
"""Bits of the first byte of what begins a connection."""

_VERSION: Final = (1).to_bytes(4, "big")
"""That of QUIC, as it stands behind the first byte."""

_TOGETHER: Final = 64
"""Datagrams taken in one go: whoever sends more must not hold up the others."""

_BUFFER_BYTES: Final = 2048
"""More than any datagram of ours has."""

_ASK_PAUSES: Final = 0.5, 1.0, 2.0
"""Seconds behind each datagram that asks where ours come out, before the next."""


def installed() -> bool:
    """Return whether there is what calls over UDP need."""
    return find_spec("aioquic") is not None


class Quic(Protocol):
    """What runs connections: `netplay.peering.quic.Quic`."""

    async def call(self, sock: socket.socket, where: Where) -> trio.abc.Stream:
        """Return a stream to somebody, or raise OSError."""
        ...

    def take(self, sock: socket.socket, came: Sequence[tuple[bytes, Where]]) -> None:
        """Take datagrams that came together at a socket, each from somewhere."""


class Udp:
    """The sockets, and what is said over them beside QUIC."""

    def __init__(self) -> None:
        self._sockets: Final[dict[int, socket.socket]] = {}
        self._asked: Final[dict[bytes, tuple[Where, trio.Event, list[Address]]]] = {}
        """Questions where our datagrams come out, by transaction: to whom, and what was
        answered."""
        self._nursery: trio.Nursery | None = None
        self._came: Came | None = None
        self._quic: Quic | None = None
        self._loading: Final = trio.Lock()

    async def serve(
        self,
        came: Came,
        places: Sequence[tuple[socket.AddressFamily, str]],
        port: int,
        *,
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Take connections for ever, and let calls go out.

        Args:
            came: Takes what comes in; awaited in a task of its own.
            places: Where to listen.
            port: The same for all; where another program has it, there is no UDP.
            task_status: Told when calls can go out.
        """
        self._came = came
        for family, host in places:
            with suppress(OSError):
                self._sockets[family] = _socket(family, host, port)
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                for sock in self._sockets.values():
                    nursery.start_soon(self._listen, sock)
                task_status.started()
                try:
                    await trio.sleep_forever()
                finally:
                    # While those in it end, it takes nobody new.
                    self._nursery = None
        finally:
            for sock in self._sockets.values():
                sock.close()

    @property
    def open(self) -> bool:
        """Whether calls can go out."""
        return self._nursery is not None and bool(self._sockets)

    async def connect(self, host: str, port: int) -> trio.abc.Stream:
        """Return a stream to a host whose QUIC answers; proved is nothing with that.

        Raises:
            OSError: None does.
            socket.gaierror: The name is not known.
        """
        listed = await trio.socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
        usable = [(kind, at) for kind, *_more, at in listed if kind in self._sockets]
        if not usable or self._nursery is None:
            raise OSError(errno.EAFNOSUPPORT, "no UDP")
        quic, (family, where) = await self._loaded(), usable[0]
        return await quic.call(self._sockets[family], where)

    async def seen(self, host: str, port: int) -> Address:
        """Return where our datagrams come out, as somebody sees it, by IPv4.

        Raises:
            OSError: There is no answer.
            socket.gaierror: The name is not known.
        """
        listed = await trio.socket.getaddrinfo(host, port, socket.AF_INET)
        sock, where = self._sockets.get(socket.AF_INET), listed[0][4]
        if sock is None:
            raise OSError(errno.EAFNOSUPPORT, "no UDP")
        transaction = os.urandom(stun.TRANSACTION_BYTES)
        came, found = trio.Event(), list[Address]()
        self._asked[transaction] = where, came, found
        try:
            for pause in _ASK_PAUSES:
                with suppress(OSError):  # what does not go is lost, as if on its way
                    sock.sendto(stun.filled(transaction), where)
                with trio.move_on_after(pause):
                    await came.wait()
                    return found[0]
        finally:
            del self._asked[transaction]
        raise OSError(errno.ETIMEDOUT, "no answer")

    def _tell(self, sock: socket.socket, datagram: bytes, where: Where) -> None:
        """Answer who asks where it comes from, or take an answer."""
        asked = self._asked.get(datagram[8 : stun.HEAD_BYTES])
        if asked is not None and asked[0] == where:
            with suppress(LocalError):
                asked[2].append(
                    stun.address_in(datagram, datagram[8 : stun.HEAD_BYTES])
                )
                asked[1].set()
        elif len(datagram) >= stun.ANSWER_BYTES and where[1]:
            with suppress(OSError, PeerError):
                sock.sendto(stun.answer(datagram, str(where[0]), where[1]), where)

    async def _listen(self, sock: socket.socket) -> None:
        while True:
            await trio.lowlevel.wait_readable(sock)
            found: list[tuple[bytes, Where]] = []
            for _ in range(_TOGETHER):
                try:
                    datagram, where = sock.recvfrom(_BUFFER_BYTES)
                except BlockingIOError:
                    break
                except OSError:  # Windows tells so of what somebody did not take
                    continue
                with suppress(Exception):  # it is one datagram, whatever is in it
                    if stun.is_message(datagram):
                        self._tell(sock, datagram, where)
                    elif self._quic is not None or _begins(datagram):
                        found.append((datagram, where))
            if found:
                with suppress(OSError):
                    (await self._loaded()).take(sock, found)

    async def _loaded(self) -> Quic:
        """Return what runs connections, loaded beside what is going on.

        It takes a tenth of a second; what comes meanwhile waits in the socket.

        Raises:
            OSError: It cannot be loaded: there is no UDP from now on.
        """
        async with self._loading:
            library: Any = None
            if self._quic is None:
                try:
                    library = await trio.to_thread.run_sync(
                        importlib.import_module, "netplay.peering.quic"
                    )
                except ImportError as error:
                    if self._nursery is not None:
                        self._nursery.cancel_scope.cancel()
                    raise OSError(errno.ENOSYS, "no QUIC") from error
            # Asked behind the thread: the node may have stopped while it loaded.
            if self._nursery is None or self._came is None:
                raise OSError(errno.EBADF, "no UDP any more")
            if self._quic is None:
                self._quic = cast("Quic", library.Quic(self._came, self._nursery))
            return self._quic


def _begins(datagram: bytes) -> bool:
    """Return whether a datagram may begin a connection."""
    return (
        len(datagram) >= FIRST_BYTES
        and datagram[0] & _LONG_AND_FIXED == _LONG_AND_FIXED
        and datagram[1:5] == _VERSION
    )


def _socket(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    """Return a socket at a port, or raise OSError."""
    sock = socket.socket(family, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind((host, port))
    except OSError:
        sock.close()
        raise
    return sock
