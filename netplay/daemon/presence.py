"""How others find this node and reach it: beacon, invitation, port, self-test."""

from collections.abc import Callable
from typing import Final

import trio

from netplay import VERSION
from netplay.daemon.parts import Parts
from netplay.errors import Code, LocalError
from netplay.finding.beacon import Me, Nearby
from netplay.finding.discovery import Beacon, Circle, Found, Herald
from netplay.finding.places import Place
from netplay.finding.portmap import PortMapper
from netplay.finding.reach import Reach
from netplay.finding.whereabouts import Whereabouts
from netplay.messages.door import Network, PlaceStatus
from netplay.messages.link import DialBack, Places, ReachMessage
from netplay.peering import invitation
from netplay.peering.connection import Connection
from netplay.peering.links import Links
from netplay.peering.peers import KnownPeers
from netplay.said import Said
from netplay.sentences import Says

BEACON: Final = "beacon"
MAP_PORT: Final = "map-port"
"""Settings, `on` or `off`, and the verbs that set them."""


class Presence:
    """What this node shows of itself."""

    def __init__(
        self,
        parts: Parts,
        links: Links,
        name: Callable[[], str],
        changed: Callable[[], None],
        known: KnownPeers,
    ) -> None:
        """Prepare.

        Args:
            parts: The node's parts.
            links: Who is there.
            name: Returns the player's name.
            changed: Told when `tables` or `network` have changed.
            known: Whom the player knows, and has blocked.
        """
        self._parts: Final = parts
        self._name: Final = name
        self._changed: Final = changed
        self._where: Final = Whereabouts(
            parts.addresses, links, known, parts.tables.trusts, changed, parts.journal
        )
        me = Me(parts.key, VERSION, parts.sign, parts.unix)
        circle = Circle(known.is_friend, known.blocked, lambda: self._where.own)
        self._nearby: Final = (
            None
            if parts.air is None
            else Nearby(parts.air, me, circle, self._offer, changed)
        )
        self._mapper: Final = PortMapper(parts.router, self._mapped, parts.journal)
        self._reach: Final = Reach(parts.net, links, parts.journal, self._where.seen)
        if self._nearby is not None:
            self._nearby.on = parts.beacon
        self._mapper.on = parts.map_port
        self._nursery: trio.Nursery | None = None

    # Life.

    async def run(self) -> None:
        """Show the node until cancelled; `port` is known by now."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._mapper.run, self.port)
            nursery.start_soon(self._where.run, self._reach)
            if self._nearby is not None:
                nursery.start_soon(self._nearby.run)

    @property
    def port(self) -> int:
        """Where the node listens, 0 before it does."""
        return self._where.port

    @port.setter
    def port(self, port: int) -> None:
        self._where.port = port

    def poke(self) -> None:
        """Look again at what the node offers: it may have changed."""
        self._where.poke()
        if self._nearby is not None:
            self._nearby.poke()

    async def goodbye(self) -> None:
        """Take back what was told to the network and the router."""
        self._mapper.on = False
        if self._nearby is not None:
            self._nearby.on = False
            await self._nearby.goodbye()
        await self._mapper.release(self.port)

    def _offer(self, herald: Herald) -> Beacon | None:
        """Return what the beacon says."""
        offer = self._parts.tables.offer()
        if offer is None or not self.port:
            return None
        game, free = offer
        return herald.offer(self._name(), self.port, game, free)

    # Telling.

    def tables(self) -> tuple[Found, ...]:
        """Return who is nearby, tables first."""
        return () if self._nearby is None else self._nearby.tables()

    def network(self) -> Network:
        """Return how the node is found and reached."""
        lease, verdict = self._mapper.lease, self._reach.verdict
        return Network(
            beacon=self._nearby is not None and self._nearby.on,
            map_port=self._mapper.on,
            mapping=self._mapper.words,
            external="" if lease is None else lease.external.text(),
            reach=verdict.scope.value,
            reached=verdict.words,
            places=tuple(map(_shown, self._where.all())),
        )

    def invitation(self) -> str:
        """Return the line that invites others to this node.

        Raises:
            LocalError: NO_ADDRESS, this computer is on no network.
        """
        return invitation.write(self._where.words(), self._parts.key, self.port)

    def _mapped(self) -> None:
        """Take what has become of the port at the router."""
        lease = self._mapper.lease
        self._where.mapped = () if lease is None else (lease.external,)
        self._where.poke()
        self._changed()

    # What the user wants.

    def switch(self, verb: str, wish: str) -> Said:
        """Switch beacon or port mapping on or off, for later starts too.

        Raises:
            LocalError: USAGE, or DISK if it cannot be kept.
        """
        if wish not in {"on", "off"}:
            raise LocalError(Code.USAGE, Says.ON_OR_OFF(name=verb, wish=wish))
        on = wish == "on"
        self._parts.home.set(verb, wish)
        if verb == MAP_PORT:
            self._mapper.switch(on=on)
        elif self._nearby is not None:
            self._nearby.switch(on=on)
        self._changed()
        return Says.SWITCHED(name=verb, wish=wish)

    async def test(self) -> Said:
        """Find out whether others reach this node, and return it in words."""
        verdict = await self._reach.test(self._where.outer_port)
        self._changed()
        return verdict.words

    # What peers want.

    def receive(self, connection: Connection, message: ReachMessage) -> None:
        """Take a message about reaching a node."""
        if self._nursery is None:
            return
        if isinstance(message, Places):
            self._where.take(connection, message)
        elif isinstance(message, DialBack):
            self._nursery.start_soon(self._reach.dial_back, connection, message)
        else:
            self._reach.told(connection.key, message)


def _shown(place: Place) -> PlaceStatus:
    """Return a place as windows show it."""
    found = place.found
    return PlaceStatus(
        address=place.address.text(),
        scope=place.scope.value,
        source=place.source.value,
        by="" if found is None else found.name,
        ago=0 if found is None else max(0, int(trio.current_time() - found.at)),
    )
