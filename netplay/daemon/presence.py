"""How others find this node and reach it: beacon, invitation, port, self-test."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from ipaddress import IPv4Address
from typing import Final

import trio

from netplay import VERSION
from netplay.daemon.carrying import Carrying
from netplay.daemon.parts import Parts
from netplay.errors import Code, LocalError
from netplay.faults import Nursery
from netplay.finding import outside
from netplay.finding.appointments import (
    DHT,
    ENTRIES,
    HANDED_OUT,
    Appointments,
    Seeker,
    entries_named,
)
from netplay.finding.beacon import Me, Nearby
from netplay.finding.discovery import Beacon, Circle, Found, Herald, Offer
from netplay.finding.places import Place, Source
from netplay.finding.places import Scope as From
from netplay.finding.portmap import PortMapper
from netplay.finding.reach import Reach, Standing
from netplay.finding.telling import Asking, Greeting, Owner, Telling
from netplay.finding.whereabouts import Whereabouts
from netplay.home import Home
from netplay.limits import GIVE_BACK_SECONDS
from netplay.messages.letters import LetterMessage
from netplay.messages.link import DialBack, LineMessage, Places, ReachMessage
from netplay.messages.node_questions import Inviting, Network, PlaceStatus, Setting
from netplay.messages.table import OFFERS
from netplay.peering import invitation
from netplay.peering.address import PORT, Address
from netplay.peering.connection import Connection
from netplay.peering.links import Links
from netplay.peering.net import wide
from netplay.peering.peers import KnownPeers
from netplay.said import Said
from netplay.sentences import Says
from netplay.wanted import Dial

BEACON: Final[Setting] = "beacon"
GREET: Final[Setting] = "greet"
MAP_PORT: Final[Setting] = "map-port"

ROUTER_PAUSE: Final = 10.0
"""Seconds between two times that a router is asked because of links."""

ROUTER_SECONDS: Final = 3.0
"""For the router to be found and asked, before anybody farther away may be."""


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
        self._outside: Final = self._seen(outside.KEPT, udp=False)
        self._known: Final = known
        me = Owner(parts.key, parts.sign, parts.pair, parts.unix)
        self.telling: Final = Telling(me, links, known, self._is_friend, parts.journal)
        """Where friends are, and where we are to them."""
        self._asking: Final = Asking(links, known, want)
        self._greeting: Final = Greeting(parts.key, links, known, parts.unix, want)
        self._greeting.on, self.telling.greet = parts.greet, self._greeting.heard
        known.changed = known.blocked.changed = self._greeting.poke
        self._where: Final = Whereabouts(
            parts.addresses, links, self._is_friend, self.telling, self._looked,
            self._outside, self._seen(outside.KEPT_OF_UDP, udp=True),
        )  # fmt: skip
        self._want: Final = want
        self.carrying: Final = Carrying(parts, links, known, want)
        """What is carried, for others and for us."""
        self._where.news, self._where.through = parts.address_news, self.carrying.places
        self.carrying.alone = self._is_alone
        self._appointments: Final = self._appointing()
        self._dht_host = ""  # our address, as the DHT sees it
        self._nearby: Final = self._listener()
        self._mapper, self._pinhole = self._mappers()
        self._reach: Final = Reach(
            parts.net, links, parts.journal, self._where.seen, self._where.is_friend,
            self._standing,
        )  # fmt: skip
        self._ask_servers()
        self._use_dht()
        self._undecided = self._still_open()
        """What the player has said neither yes nor no to."""
        self._router_at = float("-inf")
        """When the router is asked because of a link: the last time, or the next."""
        self._pasted = self._called = self._missed = False
        """A line that is called says that the DHT may help; somebody waits or calls;
        if so, the router had its time."""
        self._stood: tuple[object, ...] | None = None
        self.nursery: Nursery | None = None
        """The node's, which no mistake in `run` closes."""

    def _is_friend(self, key: bytes) -> bool:
        tables = self._parts.tables
        friend = self._known.is_friend(key) or tables.trusts(key)
        return friend and not tables.spares(key)

    def _seen(self, kept: str, *, udp: bool) -> outside.Outside:
        """Return what finds out where our calls come out; a setting keeps it."""
        parts, keep = self._parts, partial(self._parts.home.set, kept)
        before = parts.home.setting(kept)
        return outside.Outside(
            parts.net, parts.unix, keep, parts.journal, before, udp=udp
        )

    def _still_open(self) -> set[str]:
        home, wishes = self._parts.home, (DHT, outside.ASK_SERVERS)
        found = {wish for wish in wishes if home.setting(wish) not in {"on", "off"}}
        return found | ({MAP_PORT} if self._parts.map_port is None else set())

    def _appointing(self) -> Appointments:
        """Return what looks for missing friends in the public DHT."""
        parts = self._parts
        seeker = Seeker(
            parts.key, parts.appointed, parts.unix, parts.entropy, self._where.words,
            parts.sign, lambda key: key in self._known.blocked, parts.counted,
        )  # fmt: skip
        made = Appointments(
            seeker, self.telling, parts.dht, parts.journal, self._changed
        )
        made.outside, made.want = self._seen_by_dht, self._want
        made.take_back(parts.home.setting(HANDED_OUT))
        return made

    def _mappers(self) -> tuple[PortMapper, PortMapper]:
        """Return what asks the router: to pass a port on, and to let IPv6 in."""
        parts = self._parts
        told = self._mapped, parts.journal

        def udp() -> bool:
            return parts.net.udp

        four = PortMapper(parts.router, 4, *told, self._is_called, udp)
        six = PortMapper(parts.router, 6, *told, udp=udp)
        four.on = six.on = bool(parts.map_port)
        return four, six

    def _listener(self) -> Nearby | None:
        """Return what tells this network of us and hears of others, if we may."""
        parts, known, air = self._parts, self._known, self._parts.air
        if air is None:
            return None
        beacon = Me(parts.key, VERSION, parts.sign, parts.unix)
        circle = Circle(known.is_friend, known.blocked, lambda: self._where.own)
        nearby = Nearby(air, beacon, circle, self._offer, self._heard)
        nearby.on = parts.beacon
        return nearby

    # Life.

    async def run(self) -> None:
        """Show the node until cancelled; `port` is known by now."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._mapper.run, self.port)
            nursery.start_soon(self._pinhole.run, self.port)
            nursery.start_soon(self._where.run, self._reach)
            nursery.start_soon(self._asking.run)
            nursery.start_soon(self._greeting.run)
            nursery.start_soon(self._appointments.run)
            if self._nearby is not None:
                nursery.start_soon(self._nearby.run)

    @property
    def port(self) -> int:
        """Where the node listens, 0 before it does."""
        return self._where.port

    @port.setter
    def port(self, port: int) -> None:
        self._where.port = port

    def retell(self) -> None:
        """See whom to tell where we are: who is a friend, or carries, may be others."""
        self._where.poke()

    def woke(self) -> None:
        """See whether the computer has slept; not at each move, which it would slow."""
        self._where.woke()

    def poke(self) -> None:
        """Look again at what the node offers: it may have changed."""
        self._where.poke()
        if self._called != self._is_called():
            self._called = not self._called
            self._mapper.poke()
            if self._called:
                self.miss()
        if self._nearby is not None:
            self._nearby.poke()

    def link(self, key: bytes, *, up: bool) -> None:
        """Take that a link came or went: a router may have been restarted.

        What it has promised is asked again when a link was lost, and what it could
        not promise when one is there again.
        """
        self._greeting.poke()
        self._asking.poke()
        if up and self._where.is_friend(key):
            self._where.poke()
        if bool(self._mapper.lease or self._pinhole.lease) is not up:
            # What is lost just after it was asked is no reason to wait for the next
            # renewal: the router may have been restarted since.
            now = trio.current_time()
            if self.nursery is not None and self._router_at <= now:
                self._router_at = max(now, self._router_at + ROUTER_PAUSE)
                self.nursery.start_soon(self._poke_router, self._router_at)

    async def _poke_router(self, at: float) -> None:
        await trio.sleep_until(at)
        self._mapper.poke()
        self._pinhole.poke()

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

    def _heard(self) -> None:
        """Take that others nearby are there: a friend among them is called."""
        for one in self.tables():
            if self._known.is_friend(one.beacon.key):
                self._greeting.heard(one.beacon.key, trio.current_time())
        self._changed()

    def _offer(self, herald: Herald) -> Beacon | None:
        """Return what the beacon says."""
        greets = self._greeting.on and bool(self._known.friends())
        herald.port = self.port if greets else 0
        found = self._parts.tables.offers()
        if not found or not self.port:
            return None
        offers = [Offer(game, free) for game, free in found[:OFFERS]]
        return herald.offer(self._name(), self.port, *offers)

    # Telling.

    def tables(self) -> tuple[Found, ...]:
        """Return who is nearby, tables first."""
        return () if self._nearby is None else self._nearby.tables()

    def heard(self, key: bytes) -> tuple[str, ...]:
        """Return where somebody has been heard in this network just now."""
        return tuple(each.address for each in self.tables() if each.beacon.key == key)

    def asked(self, wanted: Sequence[Dial]) -> Iterator[Dial]:
        """Yield whom to call besides: strangers who call by the same invitation.

        And friends who may know where one is who is missing, or be awake.

        Args:
            wanted: The links that tables miss.
        """
        spares = self._parts.tables.spares
        missing = {d.key for d in wanted if d.key and not (d.calm or spares(d.key))}
        lines = self._pasted_lines(wanted)
        self._pasted = bool(lines)
        self._appointments.miss(missing, lines)
        yield from self._appointments.dials()
        now = trio.current_time()
        asked = tuple(self._asking.friends(missing, now))
        called = missing | {dial.key for dial in (*wanted, *asked)}
        greeted = (d for d in self._greeting.friends(now) if d.key not in called)
        yield from (d for d in (*asked, *greeted) if not spares(d.key or b""))

    def _pasted_lines(self, wanted: Sequence[Dial]) -> set[invitation.Invitation]:
        """Return the invitations that are called, and have to do with the DHT."""
        found: set[invitation.Invitation] = set()
        for dial in wanted:
            if dial.key is None and invitation.is_invitation(dial.address):
                with suppress(LocalError):
                    found.add(invitation.read(dial.address))
        return {
            line for line in found if line.secret and not line.fits(self._parts.key)
        }

    def looks_for(self, line: str) -> bool:
        """Tell whether whoever has given us this line is looked for in the DHT.

        Or would be, if the player says yes now.
        """
        found = self._appointments
        maybe = found.here and (found.on or DHT in self._undecided)
        return maybe and bool(self._pasted_lines([Dial(line, None)]))

    def met_by_dht(self, line: str) -> bool | None:
        """Tell whether the DHT is used for a line; None if that would not help."""
        lines = self._pasted_lines([Dial(line, None)])
        return self._appointments.on and self._appointments.here if lines else None

    def is_stranger(self, key: bytes) -> bool:
        """Tell whether somebody is called who has come by our own invitation."""
        return self._appointments.has_come(key)

    def network(self) -> Network:
        """Return how the node is found and reached."""
        lease = self._mapper.lease or self._pinhole.lease
        verdict = self._reach.verdict
        # Whether the player should be asked about public servers now. Once the router
        # has been asked or may not be, and only where nothing is known that leads
        # here from outside.
        mapper = self._mapper
        waits = mapper.on and mapper.lease is None and not mapper.words
        first = waits or self._may_ask()
        open_ = outside.ASK_SERVERS in self._undecided and self._missed
        inviting = self._inviting()
        servers = open_ and not first and inviting == "near"
        # And about the DHT: where somebody is called in vain whose line says that it
        # may help, or may want to come where nothing leads here from outside.
        useful = self._pasted or (self._called and inviting in {"near", "random"})
        here = self._appointments.here and DHT in self._undecided
        # By IPv6 most have no router to ask, and miss nothing.
        mapping, six = mapper.words, self._pinhole
        if six.lease is not None:
            both = Says.THEN(first=mapping, then=six.words)
            mapping = both if mapper.lease else six.words
        return Network(
            beacon=self._nearby is not None and self._nearby.on,
            map_port=self._mapper.on,
            ask_servers=bool(self._where.servers),
            may_ask=self._may_ask(),
            mapping=mapping,
            servers=tuple(each.text() for each in self._servers),
            may_ask_servers=servers,
            dht=self._appointments.on,
            may_ask_dht=not first and not servers and here and self._missed and useful,
            dht_nodes=tuple(each.text() for each in self._appointments.entries),
            dht_stands=self._appointments.stands,
            dht_missing=self._appointments.missing,
            external="" if lease is None else lease.external.text(),
            reach=verdict.scope.value,
            reached=verdict.words,
            places=tuple(map(_shown, self._where.all())),
            ports=self._ports().value,
            outer=self._where.outer_port,
            inviting=inviting,
            carry=self.carrying.status(),
            greet=self._greeting.on,
        )

    def _ports(self) -> outside.Ports:
        """Return what the router does with our port, where that counts."""
        places = self._outside.places(self.port)
        if self._where.mapped or any(p.host in self._where.own for p in places):
            # Nothing is written anew, or not on the way to us.
            return outside.Ports.UNKNOWN
        return self._outside.ports(self.port)

    def _inviting(self) -> Inviting:
        """Return what whoever copies an invitation has to know of it."""
        if self.carrying.places() or not self.port:
            return "fine"
        if not self._where.own:
            return "nowhere"
        if self._ports() is outside.Ports.WEB:
            return "web"
        if self._is_wide():
            return "fine"
        met = self._appointments.on and self._appointments.here
        if self._ports() is outside.Ports.RANDOM:
            return "calls" if met else "random"
        return "meets" if met else "near"

    def _is_alone(self) -> bool:
        """Return whether nothing leads here from outside, and nothing else can."""
        return self.hindered() is not None

    def hindered(self, called: str = "") -> Said | None:
        """Return why calling at the same time does not help here, and what does.

        Args:
            called: The line or place that is called; empty for anybody's.
        """
        kind = self._ports()
        if kind is outside.Ports.WEB:
            return Says.PORTS_WEB()
        alone = kind is outside.Ports.RANDOM and not self._is_wide(called)
        return Says.PORTS_RANDOM() if alone else None

    def _is_wide(self, called: str = "") -> bool:
        """Return whether a place of the internet is known that leads here.

        Also for those who have no path over UDP, and, where somebody is called, by a
        kind of number that they have.
        """
        known = (p for p in self._where.all() if p.source is not Source.OUTSIDE)
        leads = {place.address for place in known if place.scope is From.INTERNET}
        theirs = [p.text() for p in invitation.places(called)] if called else []
        if kinds := {":" in place.host for place in wide(theirs)}:
            leads = {place for place in leads if (":" in place.host) in kinds}
        return not leads <= self._where.of_datagrams

    def invitation(self, *, shown: bool) -> str:
        """Return the line that invites others to this node.

        Args:
            shown: It is given to nobody now, so nobody is looked for because of it.

        Raises:
            LocalError: NO_ADDRESS, this computer is on no network; DISK.
        """
        words, found = self._where.words(), self._appointments
        secret = found.handed_out() if shown else ""
        if words and not shown and (secret := found.hand_out()):
            self._parts.home.set(HANDED_OUT, found.kept)
            self._changed()
        return invitation.write(words, self._parts.key, self.port, secret)

    def _is_called(self) -> bool:
        """Return whether others may want to come: then our outside address counts."""
        return bool(self._parts.tables.offers())

    def _may_ask(self) -> bool:
        """Return whether the player should be asked about the router now."""
        undecided = MAP_PORT in self._undecided
        return undecided and self._called and self._mapper.there

    def miss(self) -> None:
        """Take that others may want to come here, or that a call waits for theirs."""
        if self.nursery is not None and not self._missed:
            self.nursery.start_soon(self._miss_soon)

    async def _miss_soon(self) -> None:
        await trio.sleep(ROUTER_SECONDS)
        self._missed = True
        self._changed()

    def _looked(self) -> None:
        """Take that our places have changed; in another network is another router."""
        before, self._stood = self._stood, self._where.standing
        if before not in {None, self._stood}:
            self._mapper.poke()
            self._pinhole.poke()
            self._reach.forget(lambda _number: True)
            self._appointments.again()
            self._greeting.again()
            self.telling.moved(None)
        self.carrying.choose_one()
        self._changed()

    def _mapped(self) -> None:
        """Take what has become of the port at the router."""
        asked = self._mapper, self._pinhole
        leases = filter(None, (each.lease for each in asked))
        self._where.mapped_udp = tuple(e.datagrams for e in asked if e.datagrams)
        before = {place.host for place in self._where.mapped}
        self._where.mapped = tuple(lease.external for lease in leases)
        gone = before - {place.host for place in self._where.mapped}
        self._reach.forget(gone.__contains__)
        self._note_outside()
        self._changed()

    def _seen_by_dht(self, host: str) -> None:
        """Take from where the DHT sees us ask; strangers may lie, so it is a guess."""
        self._dht_host = ""
        with suppress(ValueError):  # nothing, or nonsense
            number = IPv4Address(host)
            if number.is_global and not number.is_multicast:
                self._dht_host = host
        self._note_outside()

    def _note_outside(self) -> None:
        """Take which numbers our routers have, as far as is known."""
        found = dict.fromkeys((self._mapper.outside, self._dht_host))
        self._where.outside = tuple(filter(None, found))
        self._where.poke()

    # What the user wants.

    def switch(self, setting: Setting, *, on: bool) -> None:
        """Switch on or off by what friends and strangers find this node."""
        self._undecided.discard(setting)
        if setting == MAP_PORT:
            self._mapper.switch(on=on)
            self._pinhole.switch(on=on)
        elif setting == outside.ASK_SERVERS:
            self._ask_servers()
        elif setting == DHT:
            self._use_dht()
            self._want()
        elif setting == GREET:
            self._greeting.on = on
            self._greeting.again()
        elif self._nearby is not None:
            self._nearby.switch(on=on)
        self._changed()

    def name_servers(self, text: str) -> Said:
        """Ask other public servers from now on, where servers are asked.

        Raises:
            LocalError: USAGE, one is no address; DISK, they cannot be kept.
        """
        named = outside.servers_named(text)
        self._parts.home.set(outside.SERVERS, text)
        self._ask_servers()
        return Says.SERVERS_NAMED(servers=" ".join(each.text() for each in named))

    def name_entries(self, text: str) -> Said:
        """Enter the DHT by other nodes from now on, where it is used.

        Raises:
            LocalError: USAGE, one is no address; DISK, they cannot be kept.
        """
        named = entries_named(text)
        self._parts.home.set(ENTRIES, text)
        self._use_dht()
        self._changed()
        return Says.SERVERS_NAMED(servers=" ".join(each.text() for each in named))

    def _use_dht(self) -> None:
        """Take whether the DHT is used, and by which nodes it is entered."""
        home, named = self._parts.home, tuple[Address, ...]()
        with suppress(LocalError):  # what was kept by hand is none
            named = entries_named(home.setting(ENTRIES))
        self._appointments.switch(named, on=home.setting(DHT) == "on")

    def _ask_servers(self) -> None:
        """Take which servers may be asked where our calls come from."""
        home = self._parts.home
        self._servers: tuple[Address, ...] = ()
        """The public servers that are asked, or would be."""
        with suppress(LocalError):  # what was kept by hand is none
            self._servers = outside.servers_named(home.setting(outside.SERVERS))
        asks = home.setting(outside.ASK_SERVERS) == "on"
        self._where.servers = self._servers if asks else ()
        self._where.poke()

    async def test(self) -> Said:
        """Find out whether others reach this node, and return it in words."""
        verdict = await self._reach.test(self._where.outer_port, self._where.words())
        self._changed()
        return verdict.words

    def _standing(self) -> Standing:
        """Return what is known of our addresses."""
        mapped = tuple(place.host for place in self._where.mapped)
        ports = self._ports()
        random, web = ports is outside.Ports.RANDOM, ports is outside.Ports.WEB
        own = self._where.own
        return Standing(own, self._mapper.outside, mapped, random, web, not own)

    # What peers want.

    def receive(self, connection: Connection, message: ReachMessage) -> None:
        """Take a message about reaching a node.

        Raises:
            PeerError: It breaks the protocol.
        """
        if self.nursery is None:
            return
        if isinstance(message, LineMessage | LetterMessage):
            self.carrying.receive(connection.key, message, trio.current_time())
        elif isinstance(message, Places):
            if self.telling.on_places(connection, message):
                self._where.poke()
        elif isinstance(message, DialBack):
            self.nursery.start_soon(self._reach.dial_back, connection, message)
        else:
            self._reach.on_answer(connection.key, message)


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
