"""Where this node is: its own addresses, and what others say of them.

Theory of operation. The node looks at its addresses when the system says that they
have changed, every few seconds where it says nothing, and after a sleep of the computer
once a timer or a window wakes it. Whom the player knows is told of all its places (see
`telling`), and is asked where it has dialled us, and to dial us back at each.
"""

import socket
from collections.abc import Callable, Iterator
from itertools import product
from math import inf
from typing import Final, NamedTuple, TypeVar

import trio

from netplay.finding.outside import Outside
from netplay.finding.places import OwnPlaces, Place, Source, Trial
from netplay.finding.reach import Reach, Standing, Try, called_by_tcp, is_near
from netplay.finding.telling import Telling
from netplay.limits import PROBE_PAUSE_SECONDS, PROBE_SECONDS
from netplay.messages.types import PLACES
from netplay.peering.address import Address, parse
from netplay.peering.connection import Connection, Way
from netplay.peering.link import DIAL_BACK, SEEN
from netplay.peering.links import Links

ALONE_SECONDS: Final = 60.0
"""Between looks at our own addresses where the system says that they change."""

SETTLING_SECONDS: Final = 0.5
"""Of one change the system says several things, one after the other."""

LOOK_SECONDS: Final = 5.0
"""Between two looks at the interfaces: less than a cut cable needs to be missed."""

SEEN_HOSTS: Final = 2
"""Numbers that others have seen, in what is told to friends at most."""

SLEPT_SECONDS: Final = 10.0
"""By so much the time of day is ahead where a computer has slept."""

SILENT_MOST_SECONDS: Final = 300.0
"""The longest pause before somebody is asked again who has not said where we are."""


class LastAsked(NamedTuple):
    """Somebody was asked where this node is."""

    standing: object
    """How this node stood then: it is asked anew once that changes."""
    at: float
    pause: float
    """Before the next time, if there is no answer."""
    again: float
    """When that is; never once there was an answer."""


class Kind(NamedTuple):
    """What others have seen of us over TCP, or over UDP, and who was asked."""

    seen: Outside
    friends: dict[Connection, LastAsked]
    servers: dict[Address, LastAsked]


class Whom(NamedTuple):
    """Somebody who can say where calls of ours come out."""

    address: Address
    seen: Outside
    answered: Callable[[bool], None]
    """To be told whether there was an answer."""
    by_tcp: bool = True
    """TCP gets there, as far as is known."""


class Sleep:
    """Tells when this computer was asleep: the time of day goes on meanwhile.

    A clock that is put forward looks alike; then others are called once too often.
    """

    def __init__(self, unix: Callable[[], int]) -> None:
        """Begin awake.

        Args:
            unix: The time of day in seconds.
        """
        self._unix: Final = unix
        self._ahead = inf
        """The time of day, less the node's own."""
        self.count = 0
        """How often it has slept."""

    def look(self) -> bool:
        """Tell whether it has slept since the last look."""
        before, self._ahead = self._ahead, self._unix() - trio.current_time()
        slept = self._ahead > before + SLEPT_SECONDS
        self.count += slept
        return slept


class Whereabouts:
    """The places of this node."""

    def __init__(
        self,
        addresses: Callable[[], tuple[str, ...]],
        links: Links,
        is_friend: Callable[[bytes], bool],
        telling: Telling,
        changed: Callable[[], None],
        seen_outside: Outside,
        seen_of_udp: Outside,
    ) -> None:
        """Prepare.

        Args:
            addresses: Returns this computer's addresses, the most likely first.
            links: Who is there.
            is_friend: Tells whether the player has called somebody, or plays with them.
            telling: Tells friends of our places.
            changed: Told when `all` or `standing` has changed.
            seen_outside: What others have seen of this node.
            seen_of_udp: The same of its datagrams.
        """
        self._sleep: Final = Sleep(telling.unix)
        self._seen_outside: Final = seen_outside
        self._kinds: Final = [Kind(s, {}, {}) for s in (seen_outside, seen_of_udp)]
        self.servers: tuple[Address, ...] = ()
        """Public ones, that may be asked the same."""
        self._addresses: Final = addresses
        self._links: Final = links
        self.is_friend: Final = is_friend
        self._telling: Final = telling
        self._changed: Final = changed
        self._places: Final = OwnPlaces()
        self._asked: Final[dict[Connection, LastAsked]] = {}
        """Which friends were asked to try our own places."""
        self._woken = 0
        """How many sleeps the last look knew of."""
        self._poke = trio.Event()
        self.news: Callable[[], socket.socket | None] = lambda: None
        """As `netplay.system.sockets.address_news`."""
        self._due = -inf
        """When to look at the interfaces again."""
        self.port = 0
        self.mapped: tuple[Address, ...] = ()
        """What routers pass on to this node, the router's port for IPv4 first."""
        self.mapped_udp: tuple[Address, ...] = ()
        """What they pass on of datagrams."""
        self.outside: tuple[str, ...] = ()
        """Addresses that routers have themselves."""
        self.through: Callable[[], tuple[str, ...]] = tuple
        """Returns through whom this node is reached besides."""

    async def run(self, reach: Reach) -> None:
        """Look, tell and ask until cancelled."""
        sock, pause = self.news(), LOOK_SECONDS
        async with trio.open_nursery() as nursery:
            if sock is not None:
                nursery.start_soon(self._hear, sock)
            while True:
                self._poke = trio.Event()
                self._look(ALONE_SECONDS if sock is not None else 0.0)
                noted = [kind.friends for kind in self._kinds]
                self._links.forget_gone(self._asked, *noted)
                self._telling.tell(self.words())
                for whom in self._unlearned():
                    nursery.start_soon(self._learn, whom)
                for key, answered in self._unasked():
                    nursery.start_soon(self._have_tried, reach, key, answered)
                # It looks again in a while, or when somebody is to be asked again. The
                # pause grows where the system says what changes, and nothing has.
                now = trio.current_time()
                asked = [*self._asked.values()]
                for kind in self._kinds:
                    asked += [*kind.friends.values(), *kind.servers.values()]
                times = [
                    at for e in asked for at in (e.at + PROBE_PAUSE_SECONDS, e.again)
                ]
                due = min((now + pause, *filter(now.__lt__, (self._due, *times))))
                with trio.move_on_at(due) as waiting:
                    await self._poke.wait()
                late = waiting.cancelled_caught and sock is not None
                pause = min(2 * pause, ALONE_SECONDS) if late else LOOK_SECONDS

    async def _hear(self, sock: socket.socket) -> None:
        """Look again whenever the system says that addresses have changed."""
        with sock:
            while True:
                await trio.lowlevel.wait_readable(sock)
                await trio.sleep(SETTLING_SECONDS)
                while _more(sock):
                    pass
                self._due = -inf
                self.poke()

    def poke(self) -> None:
        """Look again: links or mappings may have changed."""
        self._poke.set()

    def woke(self) -> None:
        """Look again if this computer has slept: asked when a timer or window comes."""
        if self._sleep.look():
            self.poke()

    @property
    def outer_port(self) -> int:
        """Where others reach this node from outside, as far as is known."""
        places = self.mapped or self._seen_outside.places(self.port)
        return places[0].port if places else self.port

    @property
    def own(self) -> tuple[str, ...]:
        """This computer's addresses."""
        return self._places.own

    @property
    def standing(self) -> tuple[object, ...]:
        """What is another where this computer may be in another network."""
        return self._places.own, self._sleep.count

    def all(self) -> tuple[Place, ...]:
        """Return all places of this node, the most likely first."""
        if not self._places.own:
            self._look()
        found = [place for kind in self._kinds for place in kind.seen.places(self.port)]
        hosts = list(dict.fromkeys(place.host for place in found))[:SEEN_HOSTS]
        seen = tuple(dict.fromkeys(each for each in found if each.host in hosts))
        # Nobody is called at a number alone; but a router that lets in whom we have
        # called is opened for us by who calls that.
        outside = tuple(dict.fromkeys((*self.outside, *self._seen_outside.hosts())))
        mapped = (*self.mapped, *self.mapped_udp)
        return self._places.all(self.port, mapped, outside, seen)

    @property
    def of_datagrams(self) -> frozenset[Address]:
        """Where datagrams alone come out: calls over TCP get nowhere there."""
        calls, datagrams = (kind.seen.places(self.port) for kind in self._kinds)
        return frozenset((*self.mapped_udp, *datagrams)).difference(calls, self.mapped)

    def words(self) -> tuple[str, ...]:
        """Return the same as others are told them: without our interfaces' names."""
        told = (
            Address(place.address.host.partition("%")[0], place.address.port).text()
            for place in self.all()
        )
        through = self.through()
        return (*tuple(dict.fromkeys(told))[: PLACES - len(through)], *through)

    # Our own.

    def _look(self, pause: float = 0.0) -> None:
        self._sleep.look()
        now, slept = trio.current_time(), self._sleep.count != self._woken
        self._woken = self._sleep.count
        if slept or self._due <= now:
            self._due = now + pause
            if self._places.on_addresses(self._addresses()) or slept:
                self._asked.clear()
                self._changed()
        for kind in self._kinds:
            kind.seen.on_addresses(self._places.own)

    def _unasked(self) -> Iterator[tuple[bytes, Callable[[bool], None]]]:
        """Yield who has not tried our places of now, to be asked at once.

        With each what to tell whether there was an answer.
        """
        told, apart = Source.SEEN, PROBE_PAUSE_SECONDS
        ours = frozenset(p.address for p in self.all() if p.source is not told)
        for key, connection in tuple(self._links.here().items()):
            if DIAL_BACK in connection.features and self.is_friend(key):
                answered = _due(self._asked, connection, ours, apart)
                if answered is not None:
                    yield key, answered

    async def _have_tried(
        self, reach: Reach, key: bytes, answered: Callable[[bool], None]
    ) -> None:
        answered(await reach.ask(key, self.outer_port, self.words()))

    def _unlearned(self) -> Iterator[Whom]:
        """Yield who has not told in this network where our calls come from.

        Friends outside whom we have called, and servers that may be asked.  Whom a call
        over UDP has reached first TCP reaches as a rule.
        """
        own = frozenset(self._places.own)
        for key, connection in tuple(self._links.here().items()):
            called = connection.way is Way.DIALLED and not connection.through
            if not called or SEEN not in connection.features or not self.is_friend(key):
                continue
            if is_near(connection.address, Standing(self._places.own)):
                continue
            whom, by_tcp = parse(connection.address), called_by_tcp(connection)
            if by_tcp:
                self._seen_outside.reached(whom.port)
            for kind in self._kinds:
                answered = _due(kind.friends, connection, own)
                if answered is not None:
                    yield Whom(whom, kind.seen, answered, by_tcp)
        stands = own, self.mapped, self.outside
        for server, kind in product(self.servers, self._kinds):
            answered = _due(kind.servers, server, stands)
            if answered is not None:
                yield Whom(server, kind.seen, answered)

    async def _learn(self, whom: Whom) -> None:
        news = await whom.seen.ask(whom.address, by_tcp=whom.by_tcp)
        whom.answered(news is not None)
        if news:
            self._telling.tell(self.words())
            self._changed()

    def seen(self, key: bytes, tried: Try) -> None:
        """Take a peer's word of where it has dialled us; a friend's only."""
        if not self.is_friend(key):
            return
        word = Trial(tried.name, trio.current_time(), tried.error, tried.near)
        if self._places.on_word(tried.host, self.outer_port, word):
            self._changed()


def _more(sock: socket.socket) -> bool:
    """Drop what the system has said; return whether there was something."""
    try:
        sock.recv(1)
    except BlockingIOError:
        return False
    except OSError:  # more than it could keep
        return True
    return True


Asked = TypeVar("Asked", Connection, Address)


def _due(
    asked: dict[Asked, LastAsked], whom: Asked, standing: object, apart: float = 0.0
) -> Callable[[bool], None] | None:
    """Return what to tell of an answer, if somebody is to be asked now; note that.

    Who does not answer is asked again, ever more seldom.  A call that leaves by the
    port where we listen fails easily: a router may still hold the one before, under a
    number that it no longer has.

    Args:
        asked: Who was.
        whom: Who may be.
        standing: How this node stands.
        apart: Seconds from one time to the next, at the least.
    """
    now, before = trio.current_time(), asked.get(whom)
    if before is None or before.standing != standing:
        if before is not None and now < before.at + apart:
            return None
        pause = max(LOOK_SECONDS, apart)
    elif now >= before.again:
        pause = min(2 * before.pause, SILENT_MOST_SECONDS)
    else:
        return None
    asked[whom] = noted = LastAsked(standing, now, pause, now + PROBE_SECONDS + pause)

    def told(answered: bool) -> None:
        if asked.get(whom) is noted:  # else the link has gone, or we stand otherwise
            again = inf if answered else trio.current_time() + pause
            asked[whom] = noted._replace(again=again)

    return told
