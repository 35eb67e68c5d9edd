"""The router, as one asks it: by datagrams, and in one of several languages."""

import re
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import trio
from typing_extensions import override

from netplay.errors import Code, LocalError
from netplay.limits import LEASE_SECONDS, ROUTER_SECONDS, ROUTER_TRIES
from netplay.peering.address import Address
from netplay.said import Words
from netplay.sentences import Says

PORT: Final = 5351
"""Where a router listens for NAT-PMP and PCP."""

ANSWER_BYTES: Final = 1100
"""Asked of a socket; the longest that PCP allows."""


class Lease(NamedTuple):
    """What a router has promised."""

    external: Address
    """Where others reach this node."""
    seconds: int = LEASE_SECONDS
    """For how long."""

    @property
    def public(self) -> bool:
        """Whether that is an address of the internet."""
        return ip_address(self.external.host).is_global


class SilentError(LocalError):
    """The router does not answer in a language."""


class Language(Protocol):
    """A way to ask the router of the moment."""

    name: str
    """What people call it."""

    async def outside(self) -> str:
        """Return the router's own address, empty if it does not tell it so.

        Raises:
            LocalError: NO_ANSWER, it does not know the language, or refuses.
        """
        ...

    async def map(
        self, port: int, wanted: int, outside: str, *, udp: bool = False
    ) -> Lease:
        """Have a port passed on, of TCP or UDP.

        Args:
            port: Where the node listens.
            wanted: The router's port; it may choose another.
            outside: What `outside` has returned.
            udp: It is that of UDP.

        Raises:
            LocalError: NO_ANSWER, it refuses.
        """
        ...

    async def unmap(self, port: int, external: int, *, udp: bool = False) -> None:
        """Take the mapping back.

        Raises:
            LocalError: NO_ANSWER.
        """

    def close(self) -> None:
        """Stop asking."""


class Router(Protocol):
    """The router, as far as one can send it datagrams."""

    async def ask(self, question: bytes, seconds: float) -> bytes | None:
        """Return the next datagram from it, None if none comes in time."""
        ...

    async def own(self) -> str:
        """Return the address from which it is asked.

        Raises:
            LocalError: NO_ANSWER, there is no way to it.
        """
        ...

    def close(self) -> None:
        """Stop asking."""


class Datagrams(Language):
    """A language in which each question and each answer is a datagram."""

    def __init__(self, router: Router) -> None:
        self._router: Final = router

    @override
    def close(self) -> None:
        self._router.close()

    async def _ask(self, question: bytes, fits: Callable[[bytes], bool]) -> bytes:
        """Return the answer to a question, asked again and again.

        Args:
            question: The datagram.
            fits: Whether a datagram answers it, and not something else.

        Raises:
            SilentError: NO_ANSWER, there was none.
        """
        for number in range(ROUTER_TRIES):
            due = trio.current_time() + ROUTER_SECONDS * 2**number
            send = question
            while (left := due - trio.current_time()) > 0:
                data = await self._router.ask(send, left)
                if data is None:
                    break
                if fits(data):
                    return data
                send = b""  # only listen on: that was the answer to something else
        raise SilentError(Code.NO_ANSWER, Says.ROUTER_SILENT(language=self.name))


def senseless() -> LocalError:
    """Return what to raise for an answer that is none."""
    return LocalError(Code.NO_ANSWER, Says.ROUTER_BABBLES())


def refusal(why: Words) -> LocalError:
    """Return what to raise where the router says no."""
    return LocalError(Code.NO_ANSWER, Says.ROUTER_REFUSED(why=why))


def usable(host: str, port: int) -> Address:
    """Return where a router says that it passes a port on.

    Raises:
        LocalError: NO_ANSWER, that cannot be.
    """
    number = ip_address(host)
    if number.is_unspecified:
        raise refusal(Says.ROUTER_OFFLINE())
    if number.is_loopback or number.is_multicast or not 0 < port < 65536:
        raise senseless()
    return Address(str(number), port)


class UdpRouter:
    """A router on the network."""

    def __init__(self, host: str, port: int = PORT, own: str = "") -> None:
        """Name it; the socket is opened at the first question.

        Args:
            host: Its address.
            port: Where it listens.
            own: The address to ask from; the system's choice if empty.
        """
        self._where: Final = (host, port)
        self._own: Final = own
        self._socket: trio.socket.SocketType | None = None

    async def _open(self) -> trio.socket.SocketType:
        """Return the socket, connected: what others send is not heard.

        Raises:
            OSError: There is no way.
        """
        if self._socket is None:
            six = ":" in self._where[0]
            family = socket.AF_INET6 if six else socket.AF_INET
            self._socket = trio.socket.socket(family, socket.SOCK_DGRAM)
            if self._own:
                await self._socket.bind((self._own, 0))
            await self._socket.connect(self._where)
        return self._socket

    async def ask(self, question: bytes, seconds: float) -> bytes | None:
        """See `Router`; no bytes ask nothing."""
        try:
            with trio.move_on_after(seconds):
                opened = await self._open()
                if question:
                    await opened.send(question)
                return await opened.recv(ANSWER_BYTES)
        except OSError:  # nothing listens there, or there is no way
            await trio.sleep(seconds)
        return None

    async def own(self) -> str:
        """See `Router`."""
        try:
            return str((await self._open()).getsockname()[0])
        except OSError:
            raise LocalError(Code.NO_ANSWER, Says.NO_ROUTER()) from None

    def close(self) -> None:
        """See `Router`."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


# The default gateway: the one computer that is asked to let players in.


ROUTES: Final = {4: Path("/proc/net/route"), 6: Path("/proc/net/ipv6_route")}
"""Linux's tables."""

_ASK: Final = {
    ("darwin", 4): ["route", "-n", "get", "-inet", "default"],
    ("darwin", 6): ["route", "-n", "get", "-inet6", "default"],
    ("win32", 4): ["route", "print", "-4", "0.0.0.0"],  # noqa: S104 (a destination)
    ("win32", 6): ["route", "print", "-6", "::/0"],
}
"""What tells on other systems, to everybody and in every language alike."""

_LINES: Final = (
    r"^\s*gateway:\s+(\S+)",
    r"^\s*0\.0\.0\.0\s+0\.0\.0\.0\s+(\d+\.\d+\.\d+\.\d+)\s",
    r"^\s*\d+\s+\d+\s+::/0\s+(\S+)",
)
"""Where the gateway stands in what those programs print."""

ASK_SECONDS: Final = 5.0


async def find_gateway(version: int) -> str | None:
    """Return the gateway of the default route, None if there is none.

    Args:
        version: Of the Internet Protocol: 4 or 6.
    """
    if sys.platform == "linux":
        table = ROUTES[version]
        text = table.read_text("ascii") if table.exists() else ""
        return gateway_4(text) if version == 4 else gateway_6(text)
    question = _ASK.get((sys.platform, version))
    if question is None:
        return None
    with suppress(OSError), trio.move_on_after(ASK_SECONDS):
        done = await trio.run_process(
            question, check=False, capture_stdout=True, stderr=subprocess.DEVNULL
        )
        return printed(done.stdout.decode("ascii", "replace"), version)
    return None


def gateway_4(routes: str) -> str | None:
    """Return the gateway of the best default route that has one.

    A VPN's has none, and is no router of this household.

    Args:
        routes: Linux's table of IPv4 routes.
    """
    found: list[tuple[int, str]] = []
    for line in routes.splitlines()[1:]:
        fields = line.split()
        if len(fields) > 6 and fields[1] == "00000000" and fields[2] != "00000000":
            # The kernel writes the four bytes as one number of its own order.
            number = int(fields[2], 16)
            host = str(IPv4Address(number.to_bytes(4, sys.byteorder)))
            found.append((int(fields[6]), host))
    return min(found)[1] if found else None


def gateway_6(routes: str) -> str | None:
    """Return the same for IPv6, a link-local one with its interface.

    Args:
        routes: Linux's table of IPv6 routes.
    """
    found: list[tuple[int, str]] = []
    for line in routes.splitlines():
        fields = line.split()
        if len(fields) < 10 or set(fields[0] + fields[1]) != {"0"}:
            continue
        host = IPv6Address(bytes.fromhex(fields[4]))
        if not host.is_unspecified:
            scope = f"%{fields[9]}" if host.is_link_local else ""
            found.append((int(fields[5], 16), f"{host}{scope}"))
    return min(found)[1] if found else None


def printed(text: str, version: int) -> str | None:
    """Return the gateway in what macOS or Windows print."""
    for line in _LINES:
        for found in re.findall(line, text, re.MULTILINE):
            with suppress(ValueError):
                if ip_address(found.partition("%")[0]).version == version:
                    return str(found)
    return None


# NAT-PMP (RFC 6886), as far as a node needs it.


_EXTERNAL: Final = 0
_MAP_UDP: Final = 1
_MAP_TCP: Final = 2
_NATPMP_ANSWER: Final = 128
"""Added to the code of a question in its answer."""

_NATPMP_RESULTS: Final = {
    1: Says.ROUTER_VERSION(language="NAT-PMP"),
    2: Says.ROUTER_OFF(),
    3: Says.ROUTER_OFFLINE(),
    4: Says.ROUTER_FULL(),
    5: Says.ROUTER_UNABLE(),
}


class NatPmp(Datagrams):
    """See `router.Language`."""

    name = "NAT-PMP"

    @override
    async def outside(self) -> str:
        return read_external(await self._said(external_question()))

    @override
    async def map(
        self, port: int, wanted: int, outside: str, *, udp: bool = False
    ) -> Lease:
        question = mapping_question(port, wanted, LEASE_SECONDS, udp=udp)
        said = await self._said(question)
        external, seconds = read_natpmp_mapping(said, udp=udp)
        return Lease(usable(outside, external), seconds)

    @override
    async def unmap(self, port: int, external: int, *, udp: bool = False) -> None:
        """See `Language`; it takes all ports that lead to ours."""
        await self._said(mapping_question(port, 0, 0, udp=udp))

    async def _said(self, question: bytes) -> bytes:
        return await self._ask(question, partial(answers, question))


# The datagrams.


def external_question() -> bytes:
    """Return the question for the router's own address."""
    return struct.pack("!BB", 0, _EXTERNAL)


def mapping_question(
    port: int, wanted: int, seconds: int, *, udp: bool = False
) -> bytes:
    """Return the wish for a mapping.

    Args:
        port: Where the node listens.
        wanted: The router's port; it may choose another.
        seconds: For how long; 0 takes the mapping away.
        udp: Of UDP, and not of TCP.
    """
    kind = _MAP_UDP if udp else _MAP_TCP
    return struct.pack("!BBHHHI", 0, kind, 0, port, wanted, seconds)


def read_external(data: bytes) -> str:
    """Return the router's own address.

    Raises:
        LocalError: NO_ANSWER, it refused, or this is no answer.
    """
    _check(data, _EXTERNAL, 12)
    return str(IPv4Address(data[8:12]))


def read_natpmp_mapping(data: bytes, *, udp: bool = False) -> tuple[int, int]:
    """Return the router's port that leads to ours, and for how many seconds.

    Raises:
        LocalError: NO_ANSWER, it refused, or this is no answer.
    """
    _check(data, _MAP_UDP if udp else _MAP_TCP, 16)
    external: int
    seconds: int
    external, seconds = struct.unpack("!HI", data[10:16])
    return external, seconds


def _check(data: bytes, question: int, size: int) -> None:
    """Refuse what is not the good answer to a question."""
    if len(data) < 4 or data[0] != 0:
        raise senseless()
    result: int = struct.unpack("!H", data[2:4])[0]
    if result:
        raise refusal(_NATPMP_RESULTS.get(result, Says.ROUTER_ERROR(result=result)))
    if len(data) < size or data[1] != _NATPMP_ANSWER + question:
        raise senseless()


def answers(question: bytes, data: bytes) -> bool:
    """Return whether a datagram answers this question and not an earlier one."""
    if len(data) < 4 or data[1] != _NATPMP_ANSWER + question[1]:
        return False
    return question[1] == _EXTERNAL or len(data) < 10 or data[8:10] == question[4:6]


# PCP (RFC 6887), as far as a node needs it: for IPv4 a mapping, for IPv6 a pinhole.


VERSION: Final = 2
ANNOUNCE: Final = 0
MAP: Final = 1
_TCP: Final = 6
_UDP: Final = 17
_PCP_ANSWER: Final = 128
"""Added to the code of a question in its answer."""

_HEAD: Final = 24
_WHOLE: Final = 60
NONCE_BYTES: Final = 12

_PCP_RESULTS: Final = {
    1: Says.ROUTER_VERSION(language="PCP"),
    2: Says.ROUTER_OFF(),
    4: Says.ROUTER_UNABLE(),
    7: Says.ROUTER_OFFLINE(),
    8: Says.ROUTER_FULL(),
    9: Says.ROUTER_UNABLE(),
    12: Says.ROUTER_NOT_NEXT(),
}


class Pcp(Datagrams):
    """See `router.Language`."""

    name = "PCP"

    def __init__(self, router: Router, nonce: bytes) -> None:
        """Speak to a router.

        Args:
            router: It.
            nonce: Names our mappings; who knows it may take them back.
        """
        super().__init__(router)
        self._nonce: Final = nonce

    @override
    async def outside(self) -> str:
        """See `Language`: PCP tells that only of a mapping."""
        head = header(ANNOUNCE, 0, await self._router.own())
        refuse_bad(await self._said(head), ANNOUNCE)
        return ""

    @override
    async def map(
        self, port: int, wanted: int, outside: str, *, udp: bool = False
    ) -> Lease:
        wish = self._nonce, port, wanted, LEASE_SECONDS
        question = mapping(await self._router.own(), *wish, udp=udp)
        return read_pcp_mapping(await self._said(question))

    @override
    async def unmap(self, port: int, external: int, *, udp: bool = False) -> None:
        own = await self._router.own()
        question = mapping(own, self._nonce, port, 0, 0, udp=udp)
        refuse_bad(await self._said(question), MAP)

    async def _said(self, question: bytes) -> bytes:
        return await self._ask(question, fits(question))


def header(code: int, seconds: int, own: str) -> bytes:
    """Return the first 24 bytes of a question.

    Args:
        code: What is asked.
        seconds: For how long.
        own: The address that asks.
    """
    return struct.pack("!BBHI16s", VERSION, code, 0, seconds, _long(own))


def mapping(
    own: str, nonce: bytes, port: int, wanted: int, seconds: int, *, udp: bool = False
) -> bytes:
    """Return the wish for a mapping; see `mapping_question`."""
    head = header(MAP, seconds, own)
    anywhere = _long("::" if ":" in own else "0.0.0.0")  # noqa: S104 (no wish)
    kind = _UDP if udp else _TCP
    body = struct.pack("!12sB3xHH16s", nonce, kind, port, wanted, anywhere)
    return head + body


def fits(question: bytes) -> Callable[[bytes], bool]:
    """Return what tells whether a datagram answers a question.

    A router that knows an older version, or NAT-PMP alone, says so in 4 bytes or more.
    """
    code = question[1]

    def told(data: bytes) -> bool:
        if len(data) < 4 or data[1] & _PCP_ANSWER == 0:
            return False
        if data[0] != VERSION:
            return True
        if data[1] != _PCP_ANSWER + code:
            return False
        # The nonce, the protocol and our port come back.
        short = code != MAP or len(data) < _WHOLE or data[3]
        return bool(short) or data[24:42] == question[24:42]

    return told


def refuse_bad(data: bytes, code: int) -> None:
    """Refuse what is not the good answer to a question.

    Raises:
        LocalError: NO_ANSWER, it refused, or this is no answer.
    """
    if len(data) < 4:
        raise senseless()
    if data[0] != VERSION or data[3]:
        result = data[3] if data[0] == VERSION else 1
        raise refusal(_PCP_RESULTS.get(result, Says.ROUTER_ERROR(result=result)))
    if len(data) < (_WHOLE if code == MAP else _HEAD) or data[1] != _PCP_ANSWER + code:
        raise senseless()


def read_pcp_mapping(data: bytes) -> Lease:
    """Return what the router promises.

    Raises:
        LocalError: NO_ANSWER, it refused, or this is no answer.
    """
    refuse_bad(data, MAP)
    (seconds,) = struct.unpack("!I", data[4:8])
    port, host = struct.unpack("!H16s", data[42:60])
    number = IPv6Address(host)
    return Lease(usable(str(number.ipv4_mapped or number), port), seconds)


def _long(host: str) -> bytes:
    """Return an address in 16 bytes, an IPv4 one as RFC 4291 maps it."""
    number = ip_address(host.partition("%")[0])
    if number.version == 6:
        return number.packed
    return bytes(10) + b"\xff\xff" + number.packed
