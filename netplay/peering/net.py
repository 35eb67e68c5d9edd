"""The network as the node sees it: listen, connect, and prove who is there.

The node is given a `Net`, so that the same node runs on TCP and TLS, and in tests on
streams in memory.
"""

import errno
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple, NoReturn, Protocol, TypeAlias

import trio

from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.limits import DIAL_SECONDS, MEETING_HANDSHAKE_SECONDS
from netplay.peering.address import Address
from netplay.peering.first_record import Turn, first_word
from netplay.peering.identity import Identity, peer_key
from netplay.peering.own_port import POSSIBLE, OwnPort
from netplay.peering.pipe import TlsStream
from netplay.peering.tcp import dial, shorten
from netplay.said import Said
from netplay.sentences import Says
from netplay.system.sockets import listens_again

BACKLOG: Final = 128
"""Connections the system may hold before we take them."""


NO_WAY: Final = frozenset(
    {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}
)
"""What the system says where no way leads to an address."""


class Incoming(NamedTuple):
    """A connection that has come in, not yet proved."""

    stream: trio.abc.Stream
    ip: str
    through: bytes = b""
    """The key of the node that carries it, if one does."""


class Secured(NamedTuple):
    """A stream of which we know who is at the other end."""

    stream: trio.abc.Stream
    key: bytes


async def at_once() -> None:
    """Let work on a connection begin at once."""


Pause: TypeAlias = Callable[[], Awaitable[None]]
"""Waits before something is tried again."""

Handler: TypeAlias = Callable[[Incoming], Awaitable[None]]


class Net(Protocol):
    """Streams to other nodes."""

    async def listen(
        self,
        port: int,
        handler: Handler,
        *,
        task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Take connections for ever; report the port when ready.

        Raises:
            LocalError: PORT_IN_USE.
        """

    async def connect(self, address: Address) -> trio.abc.Stream:
        """Return a stream to an address.

        Raises:
            LocalError: NO_ADDRESS or NO_ANSWER.
        """
        ...

    @property
    def meets(self) -> bool:
        """Whether `meet` can do anything here."""
        ...

    async def meet(
        self, address: Address, pause: Pause, *, server_side: bool
    ) -> Secured:
        """Call from the port where we listen until the other has called us, too.

        Args:
            address: The other's number, and where it listens.
            pause: Awaited before each further call.
            server_side: The other begins the handshake.

        Raises:
            NetplayError: Somebody was met who proved no key, or we cannot call there.
        """
        ...

    async def secure(
        self, stream: trio.abc.Stream, *, server_side: bool, turn: Turn = at_once
    ) -> Secured:
        """Prove who we are, learn who the other is.

        Args:
            stream: To the other.
            server_side: It came in.
            turn: Awaited when the other side's first word has come, before any work
                is done for it; of what came in only.

        Raises:
            NetplayError: BAD_CERTIFICATE or NO_ANSWER; the stream is closed.
        """
        ...


class TcpNet:
    """TCP with TLS 1.3."""

    def __init__(self, identity: Identity, interface: str = "") -> None:
        """Prepare.

        Args:
            identity: Our key and certificate.
            interface: The address to listen at, all of them if empty.
        """
        self._identity = identity
        self._interface = interface
        self._own: Final = OwnPort(interface)

    async def listen(
        self,
        port: int,
        handler: Handler,
        *,
        task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """See `Net`."""
        listeners = open_listeners(port, self._interface)
        bound: int = listeners[0].socket.getsockname()[1]
        for listener in listeners:
            self._own.share(listener)

        async def serve(stream: trio.SocketStream) -> None:
            if self._own.take(stream):
                return
            await handler(Incoming(stream, _remote_ip(stream)))

        async with trio.open_nursery() as nursery:
            await nursery.start(trio.serve_listeners, serve, listeners)
            task_status.started(bound)

    async def connect(self, address: Address) -> trio.abc.Stream:
        """See `Net`."""
        try:
            with trio.fail_after(DIAL_SECONDS):
                return await dial(address.host, address.port)
        except (socket.gaierror, UnicodeError):
            raise LocalError(Code.NO_ADDRESS, address.text()) from None
        except (OSError, trio.TooSlowError) as error:
            raise LocalError(Code.NO_ANSWER, why_not(address.text(), error)) from None

    @property
    def meets(self) -> bool:
        """See `Net`."""
        return POSSIBLE and self._own.port > 0

    async def meet(
        self, address: Address, pause: Pause, *, server_side: bool
    ) -> Secured:
        """See `Net`."""
        try:
            stream = await self._own.call(address.host, address.port, pause)
        except OSError as error:
            raise LocalError(Code.NO_ANSWER, why_not(address.text(), error)) from None
        with trio.move_on_after(MEETING_HANDSHAKE_SECONDS):
            return await self.secure(stream, server_side=server_side)
        await trio.aclose_forcefully(stream)
        raise LocalError(Code.NO_ANSWER, Says.PLACE_SILENT(place=address.text()))

    async def secure(
        self, stream: trio.abc.Stream, *, server_side: bool, turn: Turn = at_once
    ) -> Secured:
        """See `Net`."""
        said = b""
        try:
            if server_side:
                said = await first_word(stream)
                await turn()
            context = self._identity.server if server_side else self._identity.client
            tls = TlsStream(stream, context, server_side=server_side, said=said)
            await tls.do_handshake()
            return Secured(tls, peer_key(tls.tls))
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            await trio.aclose_forcefully(stream)
            raise _refused(error) from None
        except BaseException:
            # Or the other side would wait for ever.
            await trio.aclose_forcefully(stream)
            raise


def why_not(place: str, error: OSError | trio.TooSlowError) -> Said:
    """Return what came of an attempt to connect: each means something else."""
    if isinstance(error, ConnectionError):
        return Says.PLACE_REFUSES(place=place)
    if isinstance(error, OSError) and error.errno in NO_WAY:
        return Says.NO_WAY_TO(place=place)
    return Says.PLACE_SILENT(place=place)


def host_of(name: Sequence[Any]) -> str:
    """Return the host of a socket's name, in words that can be called.

    A link-local IPv6 address means nothing without its interface, which sockets tell
    apart: (address, port, flow, interface).
    """
    host = str(name[0])
    if len(name) == 4 and name[3] and "%" not in host:
        return f"{host}%{name[3]}"
    return host


def open_listeners(port: int, interface: str = "") -> list[trio.SocketListener]:
    """Return listeners on one port, for IPv4 and where there is one for IPv6.

    Args:
        port: Where; 0 for any free port.
        interface: The address to listen at, all of them if empty.

    Raises:
        LocalError: PORT_IN_USE, or NO_ADDRESS for an interface that is none of ours.
    """
    found: list[trio.SocketListener] = []
    for family, host in _interfaces(interface):
        try:
            listener = _listener(family, host, port)
        except OSError as error:
            if not found and (interface or family == socket.AF_INET6):
                _explain(error, port, interface)
            if not found and error.errno == errno.EADDRINUSE:
                _explain(error, port, interface)
            continue
        found.append(listener)
        port = listener.socket.getsockname()[1]
    return found


def _interfaces(interface: str) -> Sequence[tuple[socket.AddressFamily, str]]:
    if not interface:
        return ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::"))  # noqa: S104 (a node is there to be called)
    family = socket.AF_INET6 if ":" in interface else socket.AF_INET
    return ((family, interface),)


def _listener(
    family: socket.AddressFamily, host: str, port: int
) -> trio.SocketListener:
    """Return one listener, or raise OSError."""
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        listens_again(sock)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        shorten(sock)
        sock.bind((host, port))
        sock.listen(BACKLOG)
    except OSError:
        sock.close()
        raise
    return trio.SocketListener(trio.socket.from_stdlib_socket(sock))


def _explain(error: OSError, port: int, interface: str) -> NoReturn:
    """Turn a failed bind into a sentence."""
    if error.errno in {errno.EADDRINUSE, errno.EACCES}:
        detail = Says.PORT_TAKEN(port=port)
        raise LocalError(Code.PORT_IN_USE, detail) from None
    raise LocalError(Code.NO_ADDRESS, interface or error.strerror or "") from None


def _remote_ip(stream: trio.SocketStream) -> str:
    """Return the number of the other end, empty if it has gone already."""
    try:
        return host_of(stream.socket.getpeername())
    except OSError:
        return ""


def _refused(error: Exception) -> NetplayError:
    """Turn a failed handshake into a sentence."""
    cause = error.__cause__
    if isinstance(cause, ssl.SSLError) and not isinstance(cause, ssl.SSLEOFError):
        reason = cause.reason or "no TLS"
        return PeerError(Code.BAD_CERTIFICATE, reason.replace("_", " ").lower())
    return LocalError(Code.NO_ANSWER, Says.HUNG_UP())
