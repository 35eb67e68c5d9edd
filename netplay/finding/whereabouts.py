"""Where this node is, and where its friends are: kept, told and taken.

Theory of operation.  Every few seconds the node looks at its addresses.  Whom the
player knows is told of all its places when a link opens and whenever they change, and
is asked where it has dialled us, and to dial us back at each.  What friends tell of
themselves is remembered beside where they were met: there their keys are tried when a
link is lost.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import trio

from netplay.errors import LocalError
from netplay.finding.places import OwnPlaces, Place, Source, Trial, useful
from netplay.finding.reach import Reach
from netplay.finding.verdict import Try
from netplay.journal import Journal
from netplay.limits import PLACES_A_SECOND, PLACES_AT_ONCE, PROBE_PAUSE_SECONDS
from netplay.messages.link import Places
from netplay.messages.types import PLACES
from netplay.peering.address import Address, parse
from netplay.peering.connection import Connection
from netplay.peering.link import DIAL_BACK
from netplay.peering.links import Links
from netplay.peering.peers import KnownPeers
from netplay.peering.via import Via, is_via, read_via
from netplay.rate import Bucket

LOOK_SECONDS: Final = 5.0
"""Between two looks at the interfaces: less than a cut cable needs to be missed."""


class Whereabouts:
    """The places of this node and of its friends."""

    def __init__(
        self,
        addresses: Callable[[], tuple[str, ...]],
        links: Links,
        known: KnownPeers,
        agreed: Callable[[bytes], bool],
        changed: Callable[[], None],
        journal: Journal,
    ) -> None:
        """Prepare.

        Args:
            addresses: Returns this computer's addresses, the most likely first.
            links: Who is there.
            known: Where places of friends are kept.
            agreed: Tells whether the player plays with a key.
            changed: Told when `all` has changed.
            journal: Where failures are noted.
        """
        self._addresses: Final = addresses
        self._links: Final = links
        self._known: Final = known
        self._agreed: Final = agreed
        self._changed: Final = changed
        self._journal: Final = journal
        self._places: Final = OwnPlaces()
        self._said: Final[dict[Connection, tuple[str, ...]]] = {}
        """What was told on each link."""
        self._asked: Final[dict[Connection, tuple[frozenset[Address], float]]] = {}
        """Which of our own places each peer was asked about last, and when."""
        self._heard: Final[dict[Connection, Bucket]] = {}
        self._poke = trio.Event()
        self.port = 0
        self.mapped: tuple[Address, ...] = ()
        """What routers pass on to this node, the router's port for IPv4 first."""
        self.outside: tuple[str, ...] = ()
        """Addresses that routers have themselves."""
        self.through: Callable[[], tuple[str, ...]] = tuple
        """Returns through whom this node is reached besides."""

    async def run(self, reach: Reach) -> None:
        """Look, tell and ask until cancelled."""
        async with trio.open_nursery() as nursery:
            while True:
                self._poke = trio.Event()
                self._look()
                self._tell()
                for key in self._unasked():
                    nursery.start_soon(reach.ask, key, self.outer_port, self.words())
                with trio.move_on_after(LOOK_SECONDS):
                    await self._poke.wait()

    def poke(self) -> None:
        """Look again: links or mappings may have changed."""
        self._poke.set()

    @property
    def outer_port(self) -> int:
        """Where others reach this node from outside, as far as is known."""
        return self.mapped[0].port if self.mapped else self.port

    @property
    def own(self) -> tuple[str, ...]:
        """This computer's addresses."""
        return self._places.own

    def all(self) -> tuple[Place, ...]:
        """Return all places of this node, the most likely first."""
        if not self._places.own:
            self._look()
        return self._places.all(self.port, self.mapped, self.outside)

    def words(self) -> tuple[str, ...]:
        """Return the same as others are told them: without our interfaces' names."""
        told = (
            Address(place.address.host.partition("%")[0], place.address.port).text()
            for place in self.all()
        )
        through = self.through()
        return (*tuple(dict.fromkeys(told))[: PLACES - len(through)], *through)

    # Our own.

    def _look(self) -> None:
        if self._places.look(self._addresses()):
            self._asked.clear()
            self._changed()

    def _tell(self) -> None:
        """Tell those whom the player knows, if there is news for them."""
        words = self.words()
        self._forget_gone()
        for key, connection in self._links.here().items():
            if self.is_friend(key) and self._said.get(connection, ()) != words:
                self._said[connection] = words
                self._links.send((key,), Places(words))

    def _unasked(self) -> Iterator[bytes]:
        """Yield who has not tried our places of now, to be asked at once."""
        now, ours = trio.current_time(), self._ours()
        for key, connection in tuple(self._links.here().items()):
            before, at = self._asked.get(connection, (None, 0.0))
            due = before is None or now >= at + PROBE_PAUSE_SECONDS
            able = DIAL_BACK in connection.features and self.is_friend(key)
            if due and able and before != ours:
                self._asked[connection] = ours, now
                yield key

    def _ours(self) -> frozenset[Address]:
        """Return the places that we know of by ourselves."""
        told = Source.SEEN
        return frozenset(p.address for p in self.all() if p.source is not told)

    def is_friend(self, key: bytes) -> bool:
        """Return whether the player has called a key, or plays with it."""
        return self._known.is_friend(key) or self._agreed(key)

    def _forget_gone(self) -> None:
        here = set(self._links.here().values())
        noted: tuple[dict[Connection, Any], ...] = self._asked, self._said, self._heard
        for known in noted:
            for connection in known.keys() - here:
                del known[connection]

    def seen(self, key: bytes, tried: Try) -> None:
        """Take a peer's word of where it has dialled us; a friend's only."""
        if not self.is_friend(key):
            return
        word = Trial(tried.name, trio.current_time(), tried.error, tried.near)
        if self._places.told(tried.host, self.outer_port, word):
            self._changed()

    # Theirs.

    def take(self, connection: Connection, message: Places) -> None:
        """Remember where a friend says that it may be found; not too often."""
        key, now = connection.key, trio.current_time()
        bucket = self._heard.setdefault(
            connection, Bucket(PLACES_A_SECOND, PLACES_AT_ONCE, now)
        )
        if not self.is_friend(key) or not bucket.take(now):
            return
        told = filter(None, map(useful_place, message.places))
        try:
            self._known.tells(key, tuple(dict.fromkeys(told)))
        except LocalError as error:
            self._journal("disk.failed", why=error)


def useful_place(text: str) -> str:
    """Return a place that a friend tells, if it may be tried; else nothing.

    That of a node that carries is one, too, if that node may be called there.
    """
    if not is_via(text):
        return useful(text)
    try:
        found = read_via(text)
    except LocalError:
        return ""
    where = useful(found.address.text()) if found.address is not None else ""
    return Via(found.carrier, parse(where)).text() if where else ""
