"""Beacons on the network: the sockets and the clock of `netplay.finding.discovery`.

IPv4 multicast on every interface and one broadcast, for networks that lose the one or
the other; IPv6 multicast for those without IPv4.  A node that listens on the loopback
alone is heard, and hears, there alone.  Whatever a socket refuses is left out: a node
without beacons still plays.
"""

import socket
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Final, NamedTuple, Protocol, TypeAlias

import trio

from netplay.finding import discovery
from netplay.journal import Journal
from netplay.limits import BEACON_BYTES, BEACON_PORT
from netplay.peering.net import host_of
from netplay.system.addresses import own_addresses
from netplay.system.sockets import hears_beside_others

GROUP: Final = "239.255.47.71"
"""For one site only (RFC 2365)."""

GROUP_6: Final = "ff12::4e50"
"""For one link only."""

EVERYBODY: Final = "255.255.255.255"
LOOP: Final = "127.0.0.1"

REJOIN_SECONDS: Final = 30.0
"""Between looks for interfaces that have come up since."""

DEAF_SECONDS: Final = 1.0
"""After a socket failed, before it is listened to again."""

Heard: TypeAlias = Callable[[bytes, str], None]
"""Told of a datagram, and of the host it came from."""


class Air(Protocol):
    """What carries beacons."""

    async def listen(self, heard: Heard) -> None:
        """Tell of every datagram, for ever."""

    async def say(self, data: bytes) -> None:
        """Send a datagram to everybody."""

    def close(self) -> None:
        """Let go of what `say` needed."""


class Me(NamedTuple):
    """Whose beacon it is."""

    key: bytes
    version: str
    """Of the program."""
    sign: discovery.Sign
    unix: Callable[[], int]
    """Returns the time of day in seconds."""


class Nearby:
    """A node's beacon, and the nodes it hears."""

    def __init__(
        self,
        air: Air,
        me: Me,
        circle: discovery.Circle,
        offer: Callable[[discovery.Herald], discovery.Beacon | None],
        changed: Callable[[], None],
    ) -> None:
        """Prepare; `run` begins.

        Args:
            air: What carries the beacons.
            me: Whose beacon it is.
            circle: Whom its player knows.
            offer: Returns what this node offers at present.
            changed: Told when the nodes nearby have changed.
        """
        self._air: Final = air
        self._me: Final = me
        self._herald: Final = discovery.Herald(me.key, me.version, me.sign)
        self._neighbours: Final = discovery.Neighbours(me.key, circle)
        self._offer: Final = offer
        self._changed: Final = changed
        self._poke = trio.Event()
        self.on = True

    def switch(self, *, on: bool) -> None:
        """Begin to say and hear beacons, or stop it."""
        if on and not self.on:
            self._herald.restart()
        self._neighbours.clear()
        self.on = on
        self._changed()
        self.poke()

    def tables(self) -> tuple[discovery.Found, ...]:
        """Return who is nearby, tables first."""
        return self._neighbours.tables()

    def poke(self) -> None:
        """Look at the offer again: it may have changed."""
        self._poke.set()

    async def run(self) -> None:
        """Say and hear beacons until cancelled."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._air.listen, self._hear)
                while True:
                    self._poke = trio.Event()
                    due = await self._say(trio.current_time())
                    with trio.move_on_at(due):
                        await self._poke.wait()
        finally:
            self._air.close()

    async def _say(self, now: float) -> float:
        """Do what is due, and return when something is again."""
        if not self.on:
            await self.goodbye()
            return discovery.NEVER
        if self._neighbours.forget_silent(now):
            self._changed()
        if (again := self._neighbours.remind(now)) is not None:
            await self._air.say(again)
        data = self._herald.next(self._offer(self._herald), now, self._me.unix())
        if data is not None:
            await self._air.say(data)
        due = self._herald.due(self._offer(self._herald))
        return min(due, self._neighbours.deadline())

    async def goodbye(self) -> None:
        """Tell everybody that this node has gone, if it was there for anybody."""
        data = self._herald.goodbye(self._me.unix())
        if data is not None:
            await self._air.say(data)

    def _hear(self, data: bytes, host: str) -> None:
        heard = discovery.decode(data) if self.on else None
        if heard is None:
            return
        now = trio.current_time()
        beacon = self._neighbours.hear(heard, host, now, self._me.unix())
        if beacon is None:
            if self._neighbours.reminds:
                self.poke()
            return
        if beacon.key == self._me.key:
            self._herald.recall(beacon.time)
            return
        if beacon.asks:
            self._herald.asked()
            self.poke()
        if self._neighbours.enter(beacon, host, now):
            self.poke()
            self._changed()


class _Way(NamedTuple):
    """An interface for IPv4 multicast, as the system names it."""

    join: bytes
    leave_by: bytes
    """What `IP_MULTICAST_IF` takes."""


class UdpAir:
    """UDP."""

    def __init__(
        self, journal: Journal, interface: str = "", port: int = BEACON_PORT
    ) -> None:
        """Prepare; sockets are opened when they are needed.

        Args:
            journal: Where failures are noted.
            interface: The address the node listens at, all of them if empty.
            port: Where beacons are sent and heard.
        """
        self._journal: Final = journal
        self._interface: Final = interface
        self._port: Final = port
        self._mouths: Final[dict[int, trio.socket.SocketType]] = {}

    async def listen(self, heard: Heard) -> None:
        """See `Air`."""
        async with trio.open_nursery() as nursery:
            for family in self._families():
                ear = self._open(family, self._port)
                if ear is not None:
                    nursery.start_soon(self._keep_joined, family, ear)
                    nursery.start_soon(self._hear, ear, heard)

    async def say(self, data: bytes) -> None:
        """See `Air`."""
        for family in self._families():
            mouth = self._mouths.get(family)
            if mouth is None:
                mouth = self._open(family, 0)
                if mouth is None:
                    continue
                self._mouths[family] = mouth
            if family == socket.AF_INET6:
                for index, _name in socket.if_nameindex():
                    await _send(mouth, data, (GROUP_6, self._port, 0, index))
                continue
            for way in _ways(self._interface):
                with suppress(OSError):
                    mouth.setsockopt(
                        socket.IPPROTO_IP, socket.IP_MULTICAST_IF, way.leave_by
                    )
                    await _send(mouth, data, (GROUP, self._port))
            if not self._interface:
                await _send(mouth, data, (EVERYBODY, self._port))

    def close(self) -> None:
        """See `Air`."""
        for mouth in self._mouths.values():
            mouth.close()
        self._mouths.clear()

    def _families(self) -> Sequence[socket.AddressFamily]:
        if not self._interface:
            return (socket.AF_INET, socket.AF_INET6)
        return () if ":" in self._interface else (socket.AF_INET,)

    def _open(
        self, family: socket.AddressFamily, port: int
    ) -> trio.socket.SocketType | None:
        """Return a socket, or None where there can be none."""
        try:
            sock = socket.socket(family, socket.SOCK_DGRAM)
        except OSError as error:
            self._journal("beacon.failed", family=family.name, why=error)
            return None
        try:
            # Several nodes of one computer hear, and their words stay on its network.
            hears_beside_others(sock)
            if family == socket.AF_INET6:
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 1)
            else:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
                sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
            sock.bind(("::" if family == socket.AF_INET6 else "", port))
        except OSError as error:
            sock.close()
            self._journal("beacon.failed", family=family.name, port=port, why=error)
            return None
        return trio.socket.from_stdlib_socket(sock)

    # Hearing.

    async def _keep_joined(
        self, family: socket.AddressFamily, ear: trio.socket.SocketType
    ) -> None:
        """Hear on every interface, also those that come up later."""
        while True:
            for level, option, value in self._joins(family):
                with suppress(OSError):  # joined already, or no multicast there
                    ear.setsockopt(level, option, value)
            await trio.sleep(REJOIN_SECONDS)

    def _joins(self, family: socket.AddressFamily) -> Iterator[tuple[int, int, bytes]]:
        if family == socket.AF_INET:
            for way in _ways(self._interface):
                yield socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, way.join
            return
        group = socket.inet_pton(socket.AF_INET6, GROUP_6)
        for index, _name in socket.if_nameindex():
            value = group + struct.pack("@I", index)
            yield socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, value

    async def _hear(self, ear: trio.socket.SocketType, heard: Heard) -> None:
        local = is_loopback(self._interface)
        with ear:
            while True:
                try:
                    # One byte more than is allowed, so that too much is seen.
                    data, address = await ear.recvfrom(BEACON_BYTES + 1)
                except OSError:
                    await trio.sleep(DEAF_SECONDS)
                    continue
                host = host_of(address)
                if not local or is_loopback(host):
                    heard(data, host)


async def _send(
    mouth: trio.socket.SocketType,
    data: bytes,
    where: tuple[str, int] | tuple[str, int, int, int],
) -> None:
    """Send a datagram; an interface that is down is no error."""
    with suppress(OSError):
        await mouth.sendto(data, where)


def _ways(interface: str) -> list[_Way]:
    """Return the interfaces for IPv4.

    Args:
        interface: The address the node listens at, all of them if empty.
    """
    if interface:
        return [_by_address(LOOP if is_loopback(interface) else interface)]
    if sys.platform == "linux":
        indexes = [index for index, name in socket.if_nameindex() if name != "lo"]
        return [_by_address(LOOP), *map(_by_index, indexes)]
    # Elsewhere (untested here) an interface is named by its address.
    own = [address for address in own_addresses() if ":" not in address]
    return [_by_address(LOOP), *map(_by_address, own)]


def _by_address(address: str) -> _Way:
    try:
        raw = socket.inet_aton(address)
    except OSError:  # a name: the system chooses
        raw = bytes(4)
    return _Way(socket.inet_aton(GROUP) + raw, raw)


def _by_index(index: int) -> _Way:
    raw = struct.pack("@4si", bytes(4), index)
    group = socket.inet_aton(GROUP)
    return _Way(group + raw, bytes(4) + raw)


def is_loopback(host: str) -> bool:
    """Return whether an address is this computer's own, for itself alone."""
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"
