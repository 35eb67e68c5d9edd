"""TCP as links need it: short segments, losses soon made good, all ways at once."""

import errno
import socket
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Any, Final, TypeAlias

import trio

from netplay.limits import SEGMENT_BYTES
from netplay.system.sockets import resends_soon

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
