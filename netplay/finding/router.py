"""The router, as one asks it: by datagrams, and in one of several languages."""

import socket
from collections.abc import Callable
from ipaddress import ip_address
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

    async def map(self, port: int, wanted: int, outside: str) -> Lease:
        """Have a port of TCP passed on.

        Args:
            port: Where the node listens.
            wanted: The router's port; it may choose another.
            outside: What `outside` has returned.

        Raises:
            LocalError: NO_ANSWER, it refuses.
        """
        ...

    async def unmap(self, port: int, external: int) -> None:
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
