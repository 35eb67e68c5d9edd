"""TCP as links need it: short segments, losses soon made good, all ways at once."""

import errno
import socket
import struct
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import Any, Final, TypeAlias

import trio

from netplay.limits import MEETING_SECONDS, SEGMENT_BYTES
from netplay.system.sockets import resends_soon, shares_port

HEAD_START_SECONDS: Final = 0.25
"""For one address of a name before the next is tried beside it (RFC 8305)."""

_MAXSEG: Final[int | None] = getattr(socket, "TCP_MAXSEG", None)

RESEND_SECONDS: Final = 1.0
"""The most between two attempts to send a packet again; the least that Linux takes.  By
itself it waits twice as long each time: a packet lost three times stands for seven
seconds, and Hexcolumns with it.  (TCP_THIN_LINEAR_TIMEOUTS was tried: no gain.)  A link
is given up when it has been silent for longer than fifteen of them."""

Where: TypeAlias = tuple[socket.AddressFamily, tuple[Any, ...]]
"""A family, and an address of it as sockets take it."""


def shorten(sock: socket.socket | trio.socket.SocketType) -> None:
    """Let no segment be longer than every path carries, ours and those of the other.

    Some paths swallow larger packets and say nothing: then only short messages pass,
    which is worse than a path that does not work at all.
    """
    if _MAXSEG is not None:  # pragma: no branch (Windows has none)
        with suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, _MAXSEG, SEGMENT_BYTES)


def resend_soon(sock: socket.socket) -> None:
    """Send what is lost again soon, where the system lets us choose."""
    resends_soon(sock, int(RESEND_SECONDS * 1000))


async def dial(host: str, port: int) -> trio.SocketStream:
    """Return a stream to a host, at the address of its that answers first.

    Raises:
        OSError: None does; a refusal is told before a silence.
        socket.gaierror: The name is not known.
    """
    found: list[Where] = []
    for each in every_link(host):
        found += await look_up(each, port)
    return await _first(found, HEAD_START_SECONDS if "%" not in str(found) else 0.0)


async def look_up(host: str, port: int) -> list[Where]:
    """Return the addresses of a host.

    Raises:
        socket.gaierror: The name is not known.
    """
    listed = await trio.socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [(family, where) for family, _kind, _protocol, _name, where in listed]


def every_link(host: str) -> tuple[str, ...]:
    """Return the ways to a host: for a link-local IPv6 address every interface.

    Such an address means something on one link only, and which of ours that is cannot
    be known from what another computer calls its own.
    """
    bare = host.partition("%")[0]
    try:
        number = ip_address(bare)
    except ValueError:
        return (host,)
    if number.version == 4 or not number.is_link_local:
        return (host,)
    named = [f"{bare}%{index}" for index, _name in socket.if_nameindex()]
    return tuple(named) or (host,)


async def _first(found: Sequence[Where], head_start: float) -> trio.SocketStream:
    """Return a stream to whoever answers first.

    Raises:
        OSError: Nobody does.
    """
    won: list[trio.SocketStream] = []
    errors: list[OSError] = []

    async def attempt(where: Where, failed: trio.Event) -> None:
        try:
            stream = await _connect(where)
        except OSError as error:
            errors.append(error)
            failed.set()
            return
        if won:
            await trio.aclose_forcefully(stream)
            return
        won.append(stream)
        nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        for where in found:
            failed = trio.Event()
            nursery.start_soon(attempt, where, failed)
            with trio.move_on_after(head_start):
                await failed.wait()
    if won:
        return won[0]
    refused = [error for error in errors if isinstance(error, ConnectionError)]
    raise (refused or errors or [OSError(errno.EHOSTUNREACH, "no way")])[0]


async def _connect(where: Where) -> trio.SocketStream:
    """Return a stream to one address.

    Raises:
        OSError: Nobody answers there.
    """
    family, address = where
    sock = trio.socket.socket(family, socket.SOCK_STREAM)
    try:
        shorten(sock)
        await sock.connect(address)
        return trio.SocketStream(sock)
    except BaseException:
        sock.close()
        raise


# Calls from the port where the node listens: so two routers let two callers through.
#
# Theory of operation. A router that keeps ports lets in whatever answers a call from
# inside. When both sides call each other, each from the port that the other calls, each
# call is the answer that the other's router waits for (RFC 5382 has routers do so). The
# system joins both into one connection; or one side's listener takes the other's call,
# when its own has just failed: that is handed over here, as if our call had succeeded.


POSSIBLE: Final = shares_port()
"""Whether a call can share the port of a listener here."""

_LASTING: Final = 72, 2
"""Linux's IPV6_ADDR_PREFERENCES and IPV6_PREFER_SRC_PUBLIC: call from the address that
others know, and not from one that is another tomorrow."""

Pair: TypeAlias = tuple[str, int]
"""The number and port of the other end."""


class OwnPort:
    """The port, and the calls that go out from it."""

    def __init__(self, interface: str) -> None:
        """Prepare.

        Args:
            interface: The address where the node listens, all of them if empty.
        """
        self._interface: Final = interface
        self._awaited: Final[dict[Pair, trio.MemorySendChannel[trio.SocketStream]]] = {}
        self.port = 0
        """Where the node listens, 0 before it does."""

    def share(self, listener: trio.SocketListener) -> None:
        """Let calls go out from a listener's port.

        Only now, when it is bound: else another node could listen there as well.
        """
        if POSSIBLE:  # pragma: no branch (the tests run on Linux)
            listener.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            self.port = listener.socket.getsockname()[1]

    def deliver(self, stream: trio.SocketStream) -> bool:
        """Hand a connection that has come in to the call that it answers, if any."""
        with suppress(OSError):
            found = self._awaited.get(_pair(stream.socket.getpeername()))
            if found is not None:
                # The listener closes what it has given us when we return.
                kept = trio.SocketStream(stream.socket.dup())
                try:
                    found.send_nowait(kept)
                except (trio.WouldBlock, trio.BrokenResourceError):
                    kept.socket.close()
                else:
                    return True
        return False

    async def call(
        self,
        host: str,
        port: int,
        pause: Callable[[], Awaitable[None]],
        seconds: float = MEETING_SECONDS,
    ) -> trio.SocketStream:
        """Return a stream to a number, both of whose ends have called.

        Calls again and again, until cancelled.

        Args:
            host: The number.
            port: The other's port.
            pause: Awaited before each further call.
            seconds: For each.

        Raises:
            OSError: The number cannot be called, or is called already.
        """
        (where, *_others) = await look_up(host, port)
        won: list[trio.SocketStream] = []
        with self._awaiting(_pair(where[1])) as came:
            try:
                async with trio.open_nursery() as nursery:

                    async def handed() -> None:
                        won.append(await came.receive())
                        nursery.cancel_scope.cancel()

                    nursery.start_soon(handed)
                    won.append(await self._keep_calling(where, pause, seconds))
                    nursery.cancel_scope.cancel()
            finally:
                for lost in won[1:]:
                    lost.socket.close()
        _without_wait(won[0])
        return won[0]

    async def once(self, host: str, port: int) -> trio.SocketStream:
        """Return a stream from our port to a host's, by IPv4.

        Raises:
            OSError: It cannot be called, or is called already.
        """
        found = await look_up(host, port)
        four = [where for where in found if where[0] == socket.AF_INET]
        if not four:
            raise OSError(errno.EAFNOSUPPORT, "no IPv4")
        stream = await self._connect(four[0])
        _without_wait(stream)
        return stream

    async def _keep_calling(
        self, where: Where, pause: Callable[[], Awaitable[None]], seconds: float
    ) -> trio.SocketStream:
        while True:
            with suppress(OSError), trio.move_on_after(seconds):
                return await self._connect(where)
            await pause()

    @contextmanager
    def _awaiting(
        self, pair: Pair
    ) -> Generator[trio.MemoryReceiveChannel[trio.SocketStream]]:
        """Have connections from an end handed over for as long as the context lasts."""
        if pair in self._awaited:
            raise OSError(errno.EALREADY, "this is called already")
        send, receive = trio.open_memory_channel[trio.SocketStream](1)
        self._awaited[pair] = send
        try:
            yield receive
        finally:
            del self._awaited[pair]
            send.close()
            with suppress(trio.WouldBlock, trio.EndOfChannel):
                receive.receive_nowait().socket.close()  # it came too late
            receive.close()

    async def _connect(self, where: Where) -> trio.SocketStream:
        """Return a stream from our port.

        Raises:
            OSError: The other refuses, or the pair of ports is in use.
        """
        family, address = where
        six = family == socket.AF_INET6
        sock = trio.socket.socket(family, socket.SOCK_STREAM)
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            if six:
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                with suppress(OSError):
                    sock.setsockopt(socket.IPPROTO_IPV6, *_LASTING)
            shorten(sock)
            here = self._interface or ("::" if six else "0.0.0.0")  # noqa: S104 (where the listener is)
            await sock.bind((here, self.port))
            await sock.connect(address)
            return trio.SocketStream(sock)
        except BaseException:
            sock.close()
            raise


def _pair(name: tuple[object, ...]) -> Pair:
    """Return the number and port in a socket's name."""
    return str(name[0]).partition("%")[0], int(str(name[1]))


def _without_wait(stream: trio.SocketStream) -> None:
    """Let the end of a stream free its pair of ports: the next call needs the same."""
    with suppress(OSError):
        linger = struct.pack("ii", 1, 0)
        stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
