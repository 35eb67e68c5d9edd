"""The network as the node sees it: listen, connect, and prove who is there.

The node is given a `Net`, so that the same node runs on TCP and TLS, and in tests on
streams in memory.
"""

import errno
import os
import socket
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from ipaddress import IPv6Address, ip_address
from math import inf
from typing import (
    Any,
    Final,
    Generic,
    NamedTuple,
    NoReturn,
    Protocol,
    TypeAlias,
    TypeVar,
)

import trio

from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.fingerprint import fingerprint, folded
from netplay.limits import (
    BEACON_PORT,
    DIAL_SECONDS,
    HANDSHAKE_SECONDS,
    INTRODUCED_CALL_SECONDS,
    INTRODUCED_CALLS,
    INTRODUCED_PLACES,
    INTRODUCED_PORTS,
    INTRODUCED_SECONDS,
    MEETING_CALLS,
    MEETING_HANDSHAKE_SECONDS,
    MEETING_SECONDS,
    REDIAL_AGAIN_SECONDS,
    REDIAL_TOGETHER,
)
from netplay.peering import stun
from netplay.peering.address import Address, means_one, parse
from netplay.peering.identity import Identity, peer_key
from netplay.peering.pipe import TlsStream, Turn, first_word, is_question
from netplay.peering.tcp import POSSIBLE, OwnPort, dial, shorten
from netplay.peering.udp import Udp, installed
from netplay.said import Said
from netplay.sentences import Says
from netplay.system.sockets import RESERVED_PORTS, listens_again

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
    udp: bool = False
    """It came over UDP."""


class Secured(NamedTuple):
    """A stream of which we know who is at the other end."""

    stream: trio.abc.Stream
    key: bytes
    udp: bool = False
    """It goes over UDP."""


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
    def udp(self) -> bool:
        """Whether calls can go out over UDP, too."""
        ...

    async def connect_udp(self, address: Address) -> trio.abc.Stream:
        """Return a stream to an address over UDP.

        Raises:
            LocalError: NO_ADDRESS or NO_ANSWER.
        """
        ...

    @property
    def meets(self) -> bool:
        """Whether `meet` can do anything here."""
        ...

    def leads_to(self, address: Address) -> bool:
        """Return whether this computer knows a way to a number."""
        ...

    async def meet(
        self,
        address: Address,
        pause: Pause,
        *,
        server_side: bool,
        seconds: float = MEETING_SECONDS,
    ) -> Secured:
        """Call from the port where we listen until the other has called us, too.

        Args:
            address: The other's number, and where it listens.
            pause: Awaited before each further call.
            server_side: The other begins the handshake.
            seconds: For each call.

        Raises:
            NetplayError: Somebody was met who proved no key, or we cannot call there.
        """
        ...

    async def seen(self, whom: Address, *, udp: bool = False) -> Address:
        """Ask somebody where a call comes from that leaves by the listening port.

        Args:
            whom: Whom.
            udp: Over UDP.

        Raises:
            LocalError: NO_ADDRESS or NO_ANSWER.
        """
        ...

    async def secure(
        self, stream: trio.abc.Stream, *, server_side: bool, turn: Turn = at_once
    ) -> Secured:
        """Prove who we are, learn who the other is.

        Args:
            stream: To the other.
            server_side: It came in.
            turn: Awaited before any work is done for it; of what came in, when the
                other side's first word has come.

        Raises:
            NetplayError: BAD_CERTIFICATE or NO_ANSWER; the stream is closed.
        """
        ...


class TcpNet:
    """TLS 1.3 over TCP, and over QUIC beside it where the extra is installed."""

    def __init__(self, identity: Identity, interface: str = "") -> None:
        """Prepare.

        Args:
            identity: Our key and certificate.
            interface: The address to listen at, all of them if empty.
        """
        self._identity = identity
        self._interface = interface
        self._own: Final = OwnPort(interface)
        self._udp: Final = Udp()

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
            if self._own.deliver(stream):
                return
            ip = ""  # where the other end has gone already
            with suppress(OSError):
                ip = host_of(stream.socket.getpeername())
            await handler(Incoming(stream, ip))

        async with trio.open_nursery() as nursery:
            await nursery.start(trio.serve_listeners, serve, listeners)
            nursery.start_soon(self._listen_udp, bound, handler)
            task_status.started(bound)

    async def _listen_udp(self, port: int, handler: Handler) -> None:
        """Take connections over UDP at the same port, where that can be."""
        if port == BEACON_PORT or not installed():
            return

        async def came(stream: trio.abc.Stream, ip: str) -> None:
            await handler(Incoming(stream, ip, udp=True))

        await self._udp.serve(came, _interfaces(self._interface), port)

    @property
    def udp(self) -> bool:
        """See `Net`."""
        return self._udp.open

    async def connect_udp(self, address: Address) -> trio.abc.Stream:
        """See `Net`."""
        try:
            with trio.fail_after(DIAL_SECONDS):
                return await self._udp.connect(address.host, address.port)
        except (socket.gaierror, UnicodeError):
            raise LocalError(Code.NO_ADDRESS, address.text()) from None
        except (OSError, trio.TooSlowError) as error:
            raise LocalError(Code.NO_ANSWER, why_not(address.text(), error)) from None

    async def connect(self, address: Address) -> trio.abc.Stream:
        """See `Net`."""
        try:
            with trio.fail_after(DIAL_SECONDS):
                return await dial(address.host, address.port)
        except (socket.gaierror, UnicodeError):
            word = "" if {".", ":"} & {*address.host} else address.host
            none = Says.NEITHER_NAME_NOR_PLACE(word=word)
            detail = none if word else address.text()
            raise LocalError(Code.NO_ADDRESS, detail) from None
        except (OSError, trio.TooSlowError) as error:
            raise LocalError(Code.NO_ANSWER, why_not(address.text(), error)) from None

    @property
    def meets(self) -> bool:
        """See `Net`."""
        return POSSIBLE and self._own.port > 0

    def leads_to(self, address: Address) -> bool:
        """See `Net`."""
        six = ":" in address.host
        family = socket.AF_INET6 if six else socket.AF_INET
        try:  # nothing is sent, the system only picks a route
            with socket.socket(family, socket.SOCK_DGRAM) as sock:
                sock.connect((address.host, address.port))
        except OSError:
            return False
        return True

    async def meet(
        self,
        address: Address,
        pause: Pause,
        *,
        server_side: bool,
        seconds: float = MEETING_SECONDS,
    ) -> Secured:
        """See `Net`."""
        try:
            stream = await self._own.call(address.host, address.port, pause, seconds)
        except OSError as error:
            raise LocalError(Code.NO_ANSWER, why_not(address.text(), error)) from None
        with trio.move_on_after(MEETING_HANDSHAKE_SECONDS):
            return await self.secure(stream, server_side=server_side)
        await trio.aclose_forcefully(stream)
        raise LocalError(Code.NO_ANSWER, Says.PLACE_SILENT(place=address.text()))

    async def seen(self, whom: Address, *, udp: bool = False) -> Address:
        """See `Net`."""
        transaction = os.urandom(stun.TRANSACTION_BYTES)
        said = b""
        try:
            with trio.fail_after(DIAL_SECONDS):
                if udp:
                    return await self._udp.seen(whom.host, whom.port)
                stream = await self._own.once(whom.host, whom.port)
                async with stream:
                    await stream.send_all(stun.request(transaction))
                    while len(said) < stun.wanted(said):
                        some = await stream.receive_some(stun.MOST_BYTES)
                        if not some:
                            break
                        said += bytes(some)
        except (socket.gaierror, UnicodeError):
            raise LocalError(Code.NO_ADDRESS, whom.text()) from None
        except (OSError, trio.TooSlowError) as error:
            raise LocalError(Code.NO_ANSWER, why_not(whom.text(), error)) from None
        except (PeerError, trio.BrokenResourceError):
            raise LocalError(Code.NO_ANSWER, Says.HUNG_UP()) from None
        return stun.address_in(said, transaction)

    async def secure(
        self, stream: trio.abc.Stream, *, server_side: bool, turn: Turn = at_once
    ) -> Secured:
        """See `Net`."""
        said = b""
        try:
            if server_side:
                said = await first_word(stream)
                if is_question(said):
                    await _tell(stream, said)
            await turn()
            context = self._identity.server if server_side else self._identity.client
            tls = TlsStream(stream, context, server_side=server_side, said=said)
            await tls.do_handshake()
            return Secured(tls, peer_key(tls.tls))
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            await trio.aclose_forcefully(stream)
            why = error.__cause__
            if isinstance(why, ssl.SSLError) and not isinstance(why, ssl.SSLEOFError):
                reason = (why.reason or "no TLS").replace("_", " ").lower()
                raise PeerError(Code.BAD_CERTIFICATE, reason) from None
            raise LocalError(Code.NO_ANSWER, Says.HUNG_UP()) from None
        except BaseException:
            # Or the other side would wait for ever.
            await trio.aclose_forcefully(stream)
            raise


async def _tell(stream: trio.abc.Stream, asked: bytes) -> NoReturn:
    """Tell the caller where the call comes from; with that it is over.

    Raises:
        NetplayError: Always: there is no handshake.
    """
    if isinstance(stream, trio.SocketStream):  # what another node carries has no place
        with suppress(OSError):
            name = stream.socket.getpeername()
            await stream.send_all(stun.answer(asked, name[0], name[1]))
    raise LocalError(Code.NO_ANSWER, Says.HUNG_UP())


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
    if error.errno == errno.EACCES and port in RESERVED_PORTS:
        detail = Says.PORT_NEEDS_RIGHTS(port=port)
        raise LocalError(Code.PORT_IN_USE, detail) from None
    if error.errno in {errno.EADDRINUSE, errno.EACCES}:
        detail = Says.PORT_TAKEN(port=port)
        raise LocalError(Code.PORT_IN_USE, detail) from None
    raise LocalError(Code.NO_ADDRESS, interface or error.strerror or "") from None


# Several addresses of one node tried together: whoever answers first is taken.
#
# The first address has a head start, then the next begins, and so on; a failure lets
# the next begin at once. So an address that swallows packets costs half a second and
# not eight (RFC 8305 does the same for the addresses of one name).
#
# An attempt that has had no answer for a while is joined by another at the same
# address: where a line has been dead and is mended, the new one is through at once, and
# the old one only when the system sends again what was lost.


HEAD_START_SECONDS: Final = 0.5
"""Most handshakes are over by then, round the globe too."""

Place = TypeVar("Place")


class LostError(Exception):
    """Nobody answered."""

    def __init__(self, errors: Sequence[NetplayError]) -> None:
        super().__init__("nobody answered")
        self.errors = errors or [LocalError(Code.NO_ADDRESS, Says.NO_ADDRESS_KNOWN())]


class Race(Generic[Place]):
    """One race."""

    def __init__(
        self, places: Sequence[Place], attempt: Callable[[Place], Awaitable[Secured]]
    ) -> None:
        """Prepare.

        Args:
            places: Where to try, the most likely first.
            attempt: Connects and proves who is there; raises a NetplayError.
        """
        self._places: Final = places
        self._attempt: Final = attempt
        self._errors: Final[dict[int, NetplayError]] = {}
        self._won: tuple[Place, Secured] | None = None

    async def winner(self) -> tuple[Place, Secured]:
        """Return the place that won, and the stream there.

        Raises:
            LostError: The first attempt at every place failed.
        """
        if not self._places:
            raise LostError([])
        try:
            async with trio.open_nursery() as nursery:
                await self._begin(nursery)
                for _ in range(REDIAL_TOGETHER - 1):
                    await trio.sleep(REDIAL_AGAIN_SECONDS)
                    for number in range(len(self._places)):
                        if number not in self._errors:
                            nursery.start_soon(
                                self._another, number, nursery.cancel_scope
                            )
        except BaseException:
            if self._won is not None:
                await trio.aclose_forcefully(self._won[1].stream)
            raise
        if self._won is None:
            raise LostError([self._errors[n] for n in sorted(self._errors)])
        return self._won

    async def _begin(self, nursery: trio.Nursery) -> None:
        """Try every place, each with a head start before the next."""
        failed = trio.Event()
        for number in range(len(self._places)):
            if number:
                with trio.move_on_after(HEAD_START_SECONDS):
                    await failed.wait()
            failed = trio.Event()
            nursery.start_soon(self._first, number, failed, nursery.cancel_scope)

    async def _first(
        self, number: int, failed: trio.Event, scope: trio.CancelScope
    ) -> None:
        """Try a place; the race is lost once every place has failed."""
        try:
            await self._try(number, scope)
        except NetplayError as error:
            self._errors[number] = error
            failed.set()
            if len(self._errors) == len(self._places):
                scope.cancel()

    async def _another(self, number: int, scope: trio.CancelScope) -> None:
        """Try a place beside the first attempt, which says why if all fail."""
        with suppress(NetplayError):
            await self._try(number, scope)

    async def _try(self, number: int, scope: trio.CancelScope) -> None:
        """Try a place; the first to succeed ends the race.

        Raises:
            NetplayError: It failed.
        """
        secured = await self._attempt(self._places[number])
        if self._won is not None:
            await trio.aclose_forcefully(secured.stream)
            return
        self._won = self._places[number], secured
        scope.cancel()


# Two nodes behind routers call each other at the same time, and meet.
#
# Neither has been called by the other, so what decides who begins the handshake is the
# fingerprint: the smaller is TLS client. A node that meets nobody so calls again: at
# once where it was refused, for a router that refuses leaves the hole open a moment
# only.


SOON_MILLISECONDS: Final = 5, 30
"""The random pause behind a refusal where the player waits, at first."""

SOON_CALLS: Final = 250
"""So many refusals are followed by short pauses: four seconds, or five."""

LATER_MILLISECONDS: Final = 200, 600
"""From then on, and where nobody has asked."""

Judge = Callable[[str, Secured], Awaitable[None]]
"""Raises a NetplayError for whoever is not the one, and hangs up."""


def leads(own: bytes, other: str) -> bool:
    """Return whether we begin the handshake.

    Args:
        own: Our key.
        other: The other's fingerprint, folded.
    """
    return folded(fingerprint(own)) < other


def wide(places: Sequence[str]) -> list[Address]:
    """Return those of places that are numbers of the internet: only there it helps."""
    found: list[Address] = []
    for text in places:
        with suppress(LocalError, ValueError):
            place = parse(text)
            number = ip_address(place.host)
            inner = number.ipv4_mapped if isinstance(number, IPv6Address) else None
            meant = inner or number
            if meant.is_global and not meant.is_multicast:
                found.append(place)
    return list(dict.fromkeys(found))


def to_be_called(places: Sequence[str]) -> list[Address]:
    """Return which places are called that anybody may have named: a few of `wide`.

    So nobody has others called who are many, or near, or one of them often.
    """
    found: dict[str, list[Address]] = {}
    for place in wide(places)[:INTRODUCED_PLACES]:
        found.setdefault(place.host, []).append(place)
    return [p for each in found.values() for p in each[:INTRODUCED_PORTS]]


def few(places: Sequence[str]) -> list[str]:
    """Return the places of an invitation that are called.

    Anybody may have made it: so few outside the home, and none that mean many or none.
    """
    kept, hosts = list[str](), Counter[str]()
    for place in filter(means_one, places):
        host = host_outside(place)
        if host:
            if hosts.total() >= INTRODUCED_PLACES or hosts[host] >= INTRODUCED_PORTS:
                continue
            hosts[host] += 1
        kept.append(place)
    return kept


def host_outside(place: str) -> str:
    """Return what names a host of a place, empty for one in a network at home."""
    with suppress(LocalError):  # through whom somebody is reached counts as it stands
        place = parse(place).host
    with suppress(ValueError):
        return place if ip_address(place.partition("%")[0]).is_global else ""
    return place


class Meeting:
    """One attempt to meet somebody."""

    def __init__(
        self,
        net: Net,
        judge: Judge,
        entropy: Callable[[int], bytes],
        *,
        leads: bool,
        spent: Counter[Address] | None,
    ) -> None:
        """Prepare.

        Args:
            net: Calls from our own port.
            judge: Knows who is wanted.
            entropy: For the pauses.
            leads: We begin the handshake.
            spent: How often the places were called for whom the player waits: pause
                but shortly at first, and call no more in the end.  None for others.
        """
        self._net: Final = net
        self._judge: Final = judge
        self._entropy: Final = entropy
        self._leads: Final = leads
        self._spent: Final = spent

    async def meet(self, places: Sequence[Address]) -> tuple[str, Secured]:
        """Return where the other was met, and the stream; call until cancelled."""
        won: list[tuple[str, Secured]] = []

        async def call(place: Address) -> None:
            won.append((place.text(), await self._call(place)))
            nursery.cancel_scope.cancel()

        try:
            async with trio.open_nursery() as nursery:
                for place in places:
                    nursery.start_soon(call, place)
        except BaseException:
            for _place, secured in won:
                await trio.aclose_forcefully(secured.stream)
            raise
        for _place, secured in won[1:]:
            await trio.aclose_forcefully(secured.stream)
        return won[0]

    async def _call(self, place: Address) -> Secured:
        """Return a stream to the one who is wanted, met at a place."""
        pause = partial(self._pause, place)
        while True:
            with suppress(NetplayError):
                secured = await self._net.meet(
                    place, pause, server_side=not self._leads
                )
                await self._judge(place.text(), secured)
                return secured
            await pause()

    async def _pause(self, place: Address) -> None:
        """Wait a little, by chance: two that wait alike would miss each other.

        The place may be anybody's, whoever has made the invitation: it is called so
        often and no more, and the other may still call us.
        """
        least, most = LATER_MILLISECONDS
        if self._spent is not None:
            self._spent[place] += 1
            if self._spent[place] >= MEETING_CALLS:
                await trio.sleep_forever()
            if self._spent[place] < SOON_CALLS:
                least, most = SOON_MILLISECONDS
        part = int.from_bytes(self._entropy(2), "big") / 65535
        await trio.sleep((least + (most - least) * part) / 1000)


class Few:
    """A few calls to somebody whose places a stranger has named.

    They may be anybody's, so each gets `INTRODUCED_CALLS` packets, one of UDP, and who
    answers the beginning of one handshake.  That is enough where the other calls, too.
    """

    def __init__(self, net: Net, judge: Judge, *, leads: bool) -> None:
        """Prepare.

        Args:
            net: Calls.
            judge: Knows who is wanted.
            leads: We begin the handshake with whom we meet.
        """
        self._net: Final = net
        self._judge: Final = judge
        self._leads: Final = leads

    async def answer(self, place: Address) -> tuple[Secured, bool]:
        """Call until cancelled, or somebody answers; return whether both had called.

        Raises:
            NetplayError: It is not the one, or nothing more can come of it.
        """
        stream: trio.abc.Stream | None = None
        with suppress(LocalError), trio.move_on_after(INTRODUCED_CALL_SECONDS):
            stream = await self._net.connect(place)
        if stream is None:
            found = await self._met(place)
        else:
            try:
                with trio.fail_after(HANDSHAKE_SECONDS):
                    found = await self._net.secure(stream, server_side=False)
            except trio.TooSlowError:
                raise LocalError(Code.NO_ANSWER) from None
        await self._judge(place.text(), found)
        return found, stream is None

    async def open_up(self, place: Address) -> None:
        """Let our router take in what the other sends over UDP: by one datagram."""
        if self._net.udp:
            with (
                suppress(NetplayError),
                trio.move_on_after(INTRODUCED_CALL_SECONDS / 2),
            ):
                await self._net.seen(place, udp=True)

    async def _met(self, place: Address) -> Secured:
        left = INTRODUCED_CALLS - 1

        async def pause() -> None:
            nonlocal left
            left -= 1
            await trio.sleep(INTRODUCED_SECONDS / INTRODUCED_CALLS if left else inf)

        return await self._net.meet(
            place, pause, server_side=not self._leads, seconds=INTRODUCED_CALL_SECONDS
        )
