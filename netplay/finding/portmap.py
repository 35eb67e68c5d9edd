"""Ask the router to pass our port on: NAT-PMP (RFC 6886), as far as a node needs it.

Off unless the user wants it.  The lease is renewed while the node runs and given back
when it ends; a router that was restarted forgets it and is asked again at the next
renewal.  UPnP is left out: it takes HTTP and XML from whatever answers on the network.
"""

import socket
import struct
import sys
from collections.abc import Callable
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import trio

from netplay.errors import Code, LocalError
from netplay.finding.own_addresses import own_addresses
from netplay.journal import Journal
from netplay.limits import LEASE_SECONDS, ROUTER_SECONDS, ROUTER_TRIES
from netplay.peering.address import Address
from netplay.said import Words
from netplay.sentences import Says

PORT: Final = 5351
"""Where a router listens for NAT-PMP."""

ANSWER_BYTES: Final = 64
"""Asked of a socket; an answer has 12 or 16."""

RETRY_SECONDS: Final = 120.0
"""After a router refused, before it is asked again: it may be another one by then."""

ROUTES: Final = Path("/proc/net/route")

_EXTERNAL: Final = 0
_MAP_TCP: Final = 2
_ANSWER: Final = 128
"""Added to the code of a question in its answer."""

_RESULTS: Final = {
    1: Says.NAT_PMP_VERSION(),
    2: Says.NAT_PMP_OFF(),
    3: Says.NAT_PMP_NO_CONNECTION(),
    4: Says.NAT_PMP_FULL(),
    5: Says.NAT_PMP_UNABLE(),
}


class Router(Protocol):
    """Questions to the router and its answers, as datagrams."""

    async def ask(self, question: bytes, seconds: float) -> bytes | None:
        """Return the next datagram from it, None if none comes in time."""
        ...

    def close(self) -> None:
        """Stop asking."""


class Lease(NamedTuple):
    """What a router has promised."""

    external: Address
    """Where others reach this node."""

    @property
    def public(self) -> bool:
        """Whether that is an address of the internet."""
        return ip_address(self.external.host).is_global


# The datagrams.


def external_question() -> bytes:
    """Return the question for the router's own address."""
    return struct.pack("!BB", 0, _EXTERNAL)


def mapping_question(port: int, wanted: int, seconds: int) -> bytes:
    """Return the wish for a mapping of TCP.

    Args:
        port: Where the node listens.
        wanted: The router's port; it may choose another.
        seconds: For how long; 0 takes the mapping away.
    """
    return struct.pack("!BBHHHI", 0, _MAP_TCP, 0, port, wanted, seconds)


def read_external(data: bytes) -> str:
    """Return the router's own address.

    Raises:
        LocalError: NO_ANSWER, it refused, or this is no answer.
    """
    _check(data, _EXTERNAL, 12)
    return str(IPv4Address(data[8:12]))


def read_mapping(data: bytes) -> int:
    """Return the router's port that leads to ours.

    Raises:
        LocalError: NO_ANSWER, it refused, or this is no answer.
    """
    _check(data, _MAP_TCP, 16)
    external: int = struct.unpack("!H", data[10:12])[0]
    return external


def _check(data: bytes, question: int, size: int) -> None:
    """Refuse what is not the good answer to a question."""
    if len(data) < 4 or data[0] != 0:
        raise LocalError(Code.NO_ANSWER, Says.ROUTER_BABBLES())
    result: int = struct.unpack("!H", data[2:4])[0]
    if result:
        why = _RESULTS.get(result, Says.NAT_PMP_ERROR(result=result))
        raise LocalError(Code.NO_ANSWER, Says.ROUTER_REFUSED(why=why))
    if len(data) < size or data[1] != _ANSWER + question:
        raise LocalError(Code.NO_ANSWER, Says.ROUTER_BABBLES())


def answers(question: bytes, data: bytes) -> bool:
    """Return whether a datagram answers this question and not an earlier one."""
    if len(data) < 4 or data[1] != _ANSWER + question[1]:
        return False
    return question[1] != _MAP_TCP or len(data) < 10 or data[8:10] == question[4:6]


# Keeping a port mapped.


class PortMapper:
    """A port that the router passes on, as long as it is wanted."""

    def __init__(
        self,
        find_router: Callable[[], Router | None],
        changed: Callable[[], None],
        journal: Journal,
    ) -> None:
        """Prepare.

        Args:
            find_router: Returns the present one, None if there is none.
            changed: Told when `words` or `lease` have changed.
            journal: Where results are noted.
        """
        self._find_router: Final = find_router
        self._changed: Final = changed
        self._journal: Final = journal
        self._poke = trio.Event()
        self.on = False
        self.lease: Lease | None = None
        self.words: Words = ""
        """How it stands, for people; empty while it is off."""

    def switch(self, *, on: bool) -> None:
        """Begin to map the port, or give it back."""
        self.on = on
        self._poke.set()

    async def run(self, port: int) -> None:
        """Keep the port mapped while it is wanted, until cancelled.

        Args:
            port: Where the node listens.
        """
        while True:
            self._poke = trio.Event()
            wait = await self._step(port) if self.on else await self._stop(port)
            with trio.move_on_after(wait):
                await self._poke.wait()

    async def _step(self, port: int) -> float:
        """Ask for the mapping; return the seconds until it must be asked for again."""
        try:
            lease = await self._renew(port)
        except LocalError as error:
            self._tell(None, error.detail)
            return RETRY_SECONDS
        where = lease.external.text()
        words = Says.MAPPED(where=where)
        if not lease.public:
            words = Says.MAPPED_BEHIND_ROUTER(where=where)
        self._tell(lease, words)
        return LEASE_SECONDS / 2

    async def _stop(self, port: int) -> float:
        """Give the mapping back; return infinity: there is nothing to renew."""
        await self.release(port)
        self._tell(None, "")
        return float("inf")

    async def release(self, port: int) -> None:
        """Give the mapping back, if there is one; a router that is silent keeps it."""
        router = self._find_router() if self.lease is not None else None
        if router is None:
            return
        self.lease = None
        try:
            await self._ask(router, mapping_question(port, 0, 0))
            self._journal("port.unmapped")
        except LocalError as error:
            self._journal("port.failed", why=error.detail)
        finally:
            router.close()

    def _tell(self, lease: Lease | None, words: Words) -> None:
        if (lease, words) == (self.lease, self.words):
            return
        self.lease, self.words = lease, words
        if words:
            self._journal("port.mapped" if lease else "port.failed", why=words)
        self._changed()

    async def _renew(self, port: int) -> Lease:
        """Return what the router promises.

        Raises:
            LocalError: NO_ANSWER, with the reason.
        """
        router = self._find_router()
        if router is None:
            raise LocalError(Code.NO_ANSWER, Says.NO_ROUTER())
        wanted = port if self.lease is None else self.lease.external.port
        try:
            host = read_external(await self._ask(router, external_question()))
            question = mapping_question(port, wanted, LEASE_SECONDS)
            return Lease(Address(host, read_mapping(await self._ask(router, question))))
        finally:
            router.close()

    async def _ask(self, router: Router, question: bytes) -> bytes:
        """Return the answer to a question, asked again and again.

        Raises:
            LocalError: NO_ANSWER, there was none.
        """
        for number in range(ROUTER_TRIES):
            due = trio.current_time() + ROUTER_SECONDS * 2**number
            send = question
            while (left := due - trio.current_time()) > 0:
                data = await router.ask(send, left)
                if data is None:
                    break
                if answers(question, data):
                    return data
                send = b""  # only listen on: that was the answer to something else
        raise LocalError(Code.NO_ANSWER, Says.ROUTER_SILENT())


# The real router.


class UdpRouter:
    """A router on the network."""

    def __init__(self, host: str, port: int = PORT) -> None:
        """Name it; the socket is opened at the first question."""
        self._where: Final = (host, port)
        self._socket: trio.socket.SocketType | None = None

    async def ask(self, question: bytes, seconds: float) -> bytes | None:
        """See `Router`; no bytes ask nothing."""
        try:
            with trio.move_on_after(seconds):
                if self._socket is None:
                    self._socket = trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                    # Connected: what others send is not heard.
                    await self._socket.connect(self._where)
                if question:
                    await self._socket.send(question)
                return await self._socket.recv(ANSWER_BYTES)
        except OSError:  # nothing listens there, or there is no way
            await trio.sleep(seconds)
        return None

    def close(self) -> None:
        """See `Router`."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def find_router() -> UdpRouter | None:
    """Return the router of the default route, as far as it can be told."""
    host = gateway(ROUTES.read_text("ascii") if ROUTES.exists() else "")
    if host is None and sys.platform != "linux":
        # Where there is no table to read, most routers are the first of their network.
        own = [address for address in own_addresses() if ":" not in address]
        host = own[0].rpartition(".")[0] + ".1" if own else None
    return None if host is None else UdpRouter(host)


def gateway(routes: str) -> str | None:
    """Return the gateway of the default route.

    Args:
        routes: Linux's table of IPv4 routes.
    """
    for line in routes.splitlines()[1:]:
        fields = line.split()
        if len(fields) > 2 and fields[1] == "00000000" and fields[2] != "00000000":
            # The kernel writes the four bytes as one number of its own order.
            number = int(fields[2], 16)
            return str(IPv4Address(number.to_bytes(4, sys.byteorder)))
    return None
