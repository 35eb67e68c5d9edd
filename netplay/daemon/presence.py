"""How others find this node and reach it: beacon, invitation, port, self-test."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

import trio

from netplay import VERSION
from netplay.daemon.carrying import Carrying
from netplay.daemon.parts import Parts
from netplay.errors import Code, LocalError
from netplay.finding.beacon import Me, Nearby
from netplay.finding.discovery import Beacon, Circle, Found, Herald, Offer
from netplay.finding.outside import (
    ASK_SERVERS,
    KEPT,
    SERVERS,
    Outside,
    Ports,
    servers_named,
)
from netplay.finding.places import Place, Source
from netplay.finding.places import Scope as From
from netplay.finding.portmap import PortMapper
from netplay.finding.reach import Reach, Standing, Whereabouts
from netplay.home import Home
from netplay.limits import GIVE_BACK_SECONDS
from netplay.messages.letters import LetterMessage
from netplay.messages.link import DialBack, LineMessage, Places, ReachMessage
from netplay.messages.node_questions import Inviting, Network, PlaceStatus, Setting
from netplay.messages.table import OFFERS
from netplay.peering import invitation
from netplay.peering.address import PORT
from netplay.peering.connection import Connection
from netplay.peering.links import Links
from netplay.peering.peers import KnownPeers
from netplay.said import Said, Words
from netplay.sentences import Says

BEACON: Final[Setting] = "beacon"
MAP_PORT: Final[Setting] = "map-port"


class Presence:
    """What this node shows of itself."""

    def __init__(
        self,
        parts: Parts,
        links: Links,
        name: Callable[[], str],
        changed: Callable[[], None],
        known: KnownPeers,
        want: Callable[[], None],
    ) -> None:
        """Prepare.

        Args:
            parts: The node's parts.
            links: Who is there.
            name: Returns the player's name.
            changed: Told when `tables` or `network` have changed.
            known: Whom the player knows, and has blocked.
            want: Looks for the links that are wanted now.
        """
        self._parts: Final = parts
        self._name: Final = name
        self._changed: Final = changed
        home = parts.home
        self._outside: Final = Outside(
            parts.net,
            parts.unix,
            partial(home.set, KEPT),
            parts.journal,
            home.setting(KEPT),
        )
        self._where: Final = Whereabouts(
            parts.addresses,
            links,
            known,
            parts.tables.trusts,
            self._looked,
            parts.journal,
            self._outside,
        )
        self.carrying: Final = Carrying(parts, links, known, want)
        """What is carried, for others and for us."""
        self._where.through = self.carrying.places
        me = Me(parts.key, VERSION, parts.sign, parts.unix)
        circle = Circle(known.is_friend, known.blocked, lambda: self._where.own)
        self._nearby: Final = (
            None
            if parts.air is None
            else Nearby(parts.air, me, circle, self._offer, changed)
        )
        self._mapper: Final = PortMapper(
            parts.router, 4, self._mapped, parts.journal, self._is_called
        )
        self._pinhole: Final = PortMapper(parts.router, 6, self._mapped, parts.journal)
        self._reach: Final = Reach(
            parts.net,
            links,
            parts.journal,
            self._where.seen,
            self._where.is_friend,
            self._standing,
        )
        if self._nearby is not None:
            self._nearby.on = parts.beacon
        self._mapper.on = self._pinhole.on = bool(parts.map_port)
        self._ask_servers()
        self._undecided = parts.map_port is None
        self._called = False
        self._own: tuple[str, ...] | None = None
        self._nursery: trio.Nursery | None = None

    # Life.

    async def run(self) -> None:
        """Show the node until cancelled; `port` is known by now."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._mapper.run, self.port)
            nursery.start_soon(self._pinhole.run, self.port)
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
        if self._called != self._is_called():
            self._called = not self._called
            self._mapper.poke()
        if self._nearby is not None:
            self._nearby.poke()

    async def goodbye(self) -> None:
        """Take back what was told to the network."""
        if self._nearby is not None:
            self._nearby.on = False
            await self._nearby.goodbye()

    async def give_back(self) -> None:
        """Ask the router to pass our port on no more; it may take its time."""
        with trio.move_on_after(GIVE_BACK_SECONDS):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._mapper.give_back, self.port)
                nursery.start_soon(self._pinhole.give_back, self.port)

    def _offer(self, herald: Herald) -> Beacon | None:
        """Return what the beacon says."""
        found = self._parts.tables.offers()
        if not found or not self.port:
            return None
        offers = [Offer(game, free) for game, free in found[:OFFERS]]
        return herald.offer(self._name(), self.port, *offers)

    # Telling.

    def tables(self) -> tuple[Found, ...]:
        """Return who is nearby, tables first."""
        return () if self._nearby is None else self._nearby.tables()

    def network(self) -> Network:
        """Return how the node is found and reached."""
        lease = self._mapper.lease or self._pinhole.lease
        verdict = self._reach.verdict
        return Network(
            beacon=self._nearby is not None and self._nearby.on,
            map_port=self._mapper.on,
            ask_servers=bool(self._where.servers),
            may_ask=self._may_ask(),
            mapping=self._mapping(),
            external="" if lease is None else lease.external.text(),
            reach=verdict.scope.value,
            reached=verdict.words,
            places=tuple(map(_shown, self._where.all())),
            ports=self._ports().value,
            outer=self._where.outer_port,
            inviting=self._inviting(),
            carry=self.carrying.status(),
        )

    def _ports(self) -> Ports:
        """Return what the router does with our port, where that counts."""
        places = self._outside.places(self.port)
        if self._where.mapped or any(p.host in self._where.own for p in places):
            return Ports.UNKNOWN  # nothing is written anew, or not on the way to us
        return self._outside.ports(self.port)

    def _inviting(self) -> Inviting:
        """Return what whoever copies an invitation has to know of it."""
        wide = any(
            place.scope is From.INTERNET and place.source is not Source.OUTSIDE
            for place in self._where.all()
        )
        if wide or self.carrying.places() or not self.port:
            return "fine"
        return "random" if self._ports() is Ports.RANDOM else "near"

    def invitation(self) -> str:
        """Return the line that invites others to this node.

        Raises:
            LocalError: NO_ADDRESS, this computer is on no network.
        """
        return invitation.write(self._where.words(), self._parts.key, self.port)

    def _mapping(self) -> Words:
        """Return how it stands with the router, in words.

        By IPv6 most have none to ask, and miss nothing.
        """
        four, six = self._mapper, self._pinhole
        if six.lease is None:
            return four.words
        return Says.THEN(first=four.words, then=six.words) if four.lease else six.words

    def _is_called(self) -> bool:
        """Return whether others may want to come: then our outside address counts."""
        return bool(self._parts.tables.offers())

    def _may_ask(self) -> bool:
        """Return whether the player should be asked about the router now."""
        return self._undecided and self._called and self._mapper.there

    def _looked(self) -> None:
        """Take that our places have changed; in another network is another router."""
        own = self._where.own
        if own != self._own:
            known, self._own = self._own is not None, own
            if known:
                self._mapper.poke()
                self._pinhole.poke()
        self._changed()

    def _mapped(self) -> None:
        """Take what has become of the port at the router."""
        leases = filter(None, (self._mapper.lease, self._pinhole.lease))
        self._where.mapped = tuple(lease.external for lease in leases)
        self._where.outside = (self._mapper.outside,) if self._mapper.outside else ()
        self._where.poke()
        self._changed()

    # What the user wants.

    def switch(self, setting: Setting, *, on: bool) -> None:
        """Switch beacon or port mapping on or off."""
        if setting == MAP_PORT:
            self._undecided = False
            self._mapper.switch(on=on)
            self._pinhole.switch(on=on)
        elif setting == ASK_SERVERS:
            self._ask_servers()
        elif self._nearby is not None:
            self._nearby.switch(on=on)
        self._changed()

    def name_servers(self, text: str) -> Said:
        """Ask other public servers from now on, where servers are asked.

        Raises:
            LocalError: USAGE, one is no address; DISK, they cannot be kept.
        """
        named = servers_named(text)
        self._parts.home.set(SERVERS, text)
        self._ask_servers()
        return Says.SERVERS_NAMED(servers=" ".join(each.text() for each in named))

    def _ask_servers(self) -> None:
        """Take which servers may be asked where our calls come from."""
        home = self._parts.home
        self._where.servers = ()
        if home.setting(ASK_SERVERS) == "on":
            with suppress(LocalError):  # what was kept by hand is none
                self._where.servers = servers_named(home.setting(SERVERS))
        self._where.poke()

    async def test(self) -> Said:
        """Find out whether others reach this node, and return it in words."""
        verdict = await self._reach.test(self._where.outer_port, self._where.words())
        self._changed()
        return verdict.words

    def _standing(self) -> Standing:
        """Return what is known of our addresses."""
        mapped = tuple(place.host for place in self._where.mapped)
        return Standing(self._where.own, self._mapper.outside, mapped)

    # What peers want.

    def receive(self, connection: Connection, message: ReachMessage) -> None:
        """Take a message about reaching a node.

        Raises:
            PeerError: It breaks the protocol.
        """
        if self._nursery is None:
            return
        if isinstance(message, LineMessage | LetterMessage):
            self.carrying.receive(connection.key, message, trio.current_time())
        elif isinstance(message, Places):
            self._where.take(connection, message)
        elif isinstance(message, DialBack):
            self._nursery.start_soon(self._reach.dial_back, connection, message)
        else:
            self._reach.told(connection.key, message)


def _shown(place: Place) -> PlaceStatus:
    """Return a place as windows show it."""
    tested = place.tested
    return PlaceStatus(
        address=place.address.text(),
        scope=place.scope.value,
        source=place.source.value,
        by="" if tested is None else tested.name,
        ago=0 if tested is None else max(0, int(trio.current_time() - tested.at)),
        failed="" if tested is None else tested.error,
    )


# The port that the user has chosen for the next starts of the node.


NAME: Final = "port"
"""A setting."""


def kept_port(home: Home) -> int:
    """Return where a node listens, unless its command line says otherwise."""
    text = home.setting(NAME)
    return int(text) if _is_port(text) else PORT


def keep_port(home: Home, text: str) -> int:
    """Keep a port for the next starts of the node, and return it.

    Raises:
        LocalError: USAGE, it is none; DISK, it cannot be kept.
    """
    if not _is_port(text):
        raise LocalError(Code.USAGE, Says.PORT_RANGE())
    home.set(NAME, str(int(text)))
    return int(text)


def _is_port(text: str) -> bool:
    """Tell whether a text is a port that others can be told."""
    return text.isascii() and text.isdigit() and len(text) < 6 and 0 < int(text) < 65536
