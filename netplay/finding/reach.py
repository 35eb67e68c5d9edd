"""Can others reach this node?  Without a server only another node can tell.

Theory of operation.  Whoever has called us has reached us where it dialled, which it
tells when it is asked; and it is asked to dial each of our places by itself: the
address that our link comes from, at the port we name, and for a friend those that we
name.  It checks that our own key answers there, and tells of each what came of it.
A node does that for a peer now and then; places that somebody names are dialled only
for those whom the player has called or plays with.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from itertools import count
from typing import Final, NamedTuple

import trio

from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.finding.places import useful
from netplay.journal import Journal
from netplay.limits import (
    ADDRESSES_REMEMBERED,
    HANDSHAKE_SECONDS,
    PROBE_PAUSE_SECONDS,
    PROBE_SECONDS,
    PROBES_AT_ONCE,
)
from netplay.messages.link import DialBack, DialedBack, Tried
from netplay.messages.types import REASON_CHARACTERS, TRIED
from netplay.peering.address import Address, parse
from netplay.peering.connection import Connection, Way
from netplay.peering.link import DIAL_BACK
from netplay.peering.links import Links
from netplay.peering.net import Net
from netplay.rate import Buckets, network
from netplay.said import Said, Words, known
from netplay.sanitize import clean
from netplay.sentences import Says

# What attempts to reach a node tell: which kind of place answers, and what may help.
#
# A friend of the same network proves nothing about the internet: a router may lead a
# call from inside to where none from outside comes. But who fails from so near has met
# this computer's own firewall and no router's.


SHARED: Final = ip_network("100.64.0.0/10")
"""Addresses that a provider shares among its customers (RFC 6598)."""

FACTS: Final = 16
"""Of attempts to reach this node that are remembered."""

NEAR_BITS: Final = {4: 24, 6: 64}
"""What two public addresses of one network have in common; IPv6 says so (RFC 4291)."""

AT_HOME: Final = (".local", ".lan", ".home.arpa", ".internal")
"""How names end that mean something in one network only."""


class Scope(Enum):
    """From how far away a node has been reached, the farthest last."""

    UNKNOWN = "unknown"
    NO = "no"
    COMPUTER = "computer"
    NETWORK = "network"
    INTERNET = "internet"


class Verdict(NamedTuple):
    """Whether others reach this node, as far as is known."""

    scope: Scope
    words: Said


NOBODY: Final = Verdict(Scope.UNKNOWN, Says.REACH_UNKNOWN())
NOWHERE: Final = Verdict(Scope.UNKNOWN, Says.NO_NETWORK())


class Try(NamedTuple):
    """A peer's attempt to reach this node."""

    name: str
    host: str
    """Where it dialled us, or whence it came."""
    error: Words
    """Why it failed, empty if it did not."""
    near: bool = False
    """The peer is in the same network."""
    called: bool = False
    """We have called that peer before: some routers let in only such."""


class Standing(NamedTuple):
    """What a node knows of its own addresses, to tell why it is not reached."""

    own: tuple[str, ...] = ()
    """Those of its interfaces."""
    outside: str = ""
    """The router's."""
    mapped: tuple[str, ...] = ()
    """At which routers say that they pass the port on."""
    random: bool = False
    """Our router takes another port for every call."""
    web: bool = False
    """Only calls to ports of the web seem to be let out."""
    nowhere: bool = False
    """This computer is on no network."""


def judge(tries: Sequence[Try], standing: Standing) -> Verdict:
    """Return what peers' attempts to reach this node tell, of each kind of place."""
    own = _bare(standing.own)
    far = [
        one for one in tries if not one.near and distance(one.host) is Scope.INTERNET
    ]
    # A router may have let in who was called from here.  Where none is in between, or
    # it has promised to pass the port on, that is as good as anybody's success.
    passed = {*own, *standing.mapped}
    sure = [
        one
        for one in far
        if not one.error and not (one.called and str(number_in(one.host)) not in passed)
    ]
    done = {kind_of(one.host): one for one in reversed(sure)}
    weak = {kind_of(one.host): one for one in reversed(far) if not one.error}
    failed = {
        kind_of(one.host): one
        for one in reversed(far)
        if one.error and not (one.called and kind_of(one.host) in weak)
    }
    # A failure at the router's far side, from near, to come in again, tells nothing.
    near = [
        one
        for one in tries
        if one not in far and (not one.error or str(number_in(one.host)) in own)
    ]
    inside = [one for one in near if not one.error]
    words = [_reached(one) for _kind, one in sorted(done.items())]
    words += [
        _reached(one, weak=True)
        for kind, one in sorted(weak.items())
        if kind not in done
    ]
    if inside and not done:
        words.append(_reached_inside(inside, alone=not failed))
    if not (done or inside):
        failed = {**{kind_of(one.host): one for one in near}, **failed}
    for kind, one in sorted(failed.items()):
        if kind not in done:
            # Where nothing here was tried, nobody knows whether calls come this far.
            known = [not one.error for one in near if kind_of(one.host) == kind]
            here = any(known) if known else None
            failure = Says.NOT_REACHED(
                kind=kind, name=one.name, host=one.host, why=one.error,
                advice=advice(one.host, standing, here=here),
            )  # fmt: skip
            words.append(failure)
    if not words:
        return NOWHERE if standing.nowhere else NOBODY
    if weak and not (done or inside or failed):
        return Verdict(Scope.UNKNOWN, _joined(words))
    if done:
        return Verdict(Scope.INTERNET, _joined(words))
    if not inside:
        return Verdict(Scope.NO, _joined(words))
    alone = all(distance(one.host) is Scope.COMPUTER for one in inside)
    return Verdict(Scope.COMPUTER if alone else Scope.NETWORK, _joined(words))


def _joined(words: Sequence[Said]) -> Said:
    whole = words[0]
    for more in words[1:]:
        whole = Says.THEN(first=whole, then=more)
    return whole


def _reached(one: Try, *, weak: bool = False) -> Said:
    """Return what an attempt from the internet that has succeeded tells."""
    name = one.name or Says.SOMEBODY()
    if weak:
        return Says.REACHED_CALLED(name=name, kind=kind_of(one.host))
    return Says.REACHED(name=name, kind=kind_of(one.host))


def _reached_inside(inside: Sequence[Try], *, alone: bool) -> Said:
    """Return what those tell that have come from near.

    Args:
        inside: They.
        alone: Nobody has tried from the internet.
    """
    others = [one for one in inside if distance(one.host) is not Scope.COMPUTER]
    if not others:
        return Says.REACHED_HERE()
    name = others[0].name or Says.SOMEBODY()
    return Says.REACHED_NEAR(name=name) if alone else Says.REACHED_INSIDE(name=name)


def advice(host: str, standing: Standing, *, here: bool | None = None) -> Said:
    """Return what may help where an attempt has failed.

    Args:
        host: Where the node was dialled.
        standing: What it knows of its addresses.
        here: Whether this computer takes calls from its own network, None if nobody
            has tried.
    """
    number = number_in(host)
    if here is False:
        return Says.ADVICE_OWN_FIREWALL()
    if number is not None and number.version == 6:
        # Only firewalls are in the way.
        mapped = str(number) in standing.mapped
        other = Says.ADVICE_BEHIND_MAPPING() if mapped else Says.ADVICE_SIX()
        return Says.ADVICE_SIX_ROUTER() if here else other
    if str(number) in _bare(standing.own):
        return Says.ADVICE_OWN_FIREWALL()
    between = _between(number, standing)
    if between is not None:
        return between
    if here is None and str(number) in standing.mapped:
        return Says.ADVICE_BEHIND_MAPPING()
    return Says.ADVICE_ROUTER()


def _between(
    number: IPv4Address | IPv6Address | None, standing: Standing
) -> Said | None:
    """Return what may help if the router is no plain one, or not alone; else None.

    Args:
        number: Where the node was dialled.
        standing: What it knows of its addresses.
    """
    if standing.web or standing.random:
        return Says.PORTS_WEB() if standing.web else Says.ADVICE_RANDOM()
    shared = [number_in(each) for each in (standing.outside, *standing.own)]
    if any(one in SHARED for one in shared if one is not None):
        return Says.ADVICE_SHARED()
    outside = number_in(standing.outside)
    if outside is None:
        return None
    if not outside.is_global:
        return Says.ADVICE_TWO_ROUTERS(outside=str(outside))
    if number not in {None, outside}:
        return Says.ADVICE_OTHER_WAY(host=str(number), outside=str(outside))
    return None


def kind_of(host: str) -> str:
    """Return of which kind a place is."""
    number = number_in(host)
    return "IPv6" if number is not None and number.version == 6 else "IPv4"


def is_near(where: str, standing: Standing) -> bool:
    """Return whether a peer is in our network, by where it was dialled or came from.

    Args:
        where: That, with or without a port.
        standing: What we know of our own addresses.
    """
    number = number_in(where)
    if number is None:
        name = where.partition(":")[0]
        return "." not in name or name.endswith(AT_HOME)
    if not number.is_global or str(number) == standing.outside:
        return True
    network = ip_network((number, NEAR_BITS[number.version]), strict=False)
    return any(number_in(each) in network for each in standing.own)


def _bare(hosts: Sequence[str]) -> frozenset[str]:
    return frozenset(each.partition("%")[0] for each in hosts)


def number_in(where: str) -> IPv4Address | IPv6Address | None:
    """Return the number of a place, with or without a port; None for a name."""
    with suppress(ValueError):
        return ip_address(where.partition("%")[0])
    with suppress(ValueError, LocalError):
        return ip_address(parse(where).host.partition("%")[0])
    return None


def distance(where: str) -> Scope:
    """Return how far away an address is, with or without a port."""
    host = number_in(where)
    if host is None:
        return Scope.NETWORK  # a name, which tells nothing
    if host.is_loopback:
        return Scope.COMPUTER
    return Scope.INTERNET if host.is_global else Scope.NETWORK


PROBES_A_SECOND: Final = 1 / 300
"""Such dials of one address where the peer was never found (sustained)."""

PROBES_TOGETHER: Final = 12.0
"""The burst allowed above that: a few places there, and a few changes of network."""

PLAINLY: Final = {
    Says.PLACE_REFUSES.name: Says.TRIED_REFUSES(),
    Says.PLACE_SILENT.name: Says.TRIED_SILENT(),
    Says.NO_WAY_TO.name: Says.TRIED_NO_WAY(),
}
"""What came of dialling, for others: they know the place."""


class Reach:
    """Asks peers to dial back, and dials back for them."""

    def __init__(
        self,
        net: Net,
        links: Links,
        journal: Journal,
        seen: Callable[[bytes, Try], None],
        friend: Callable[[bytes], bool],
        standing: Callable[[], Standing],
    ) -> None:
        """Prepare.

        Args:
            net: How to dial.
            links: Who is there.
            journal: Where results are noted.
            seen: Told of every attempt, and of whose it was.
            friend: Whether the player has called somebody, or plays with them.
            standing: What is known of our addresses.
        """
        self._seen: Final = seen
        self._net: Final = net
        self._links: Final = links
        self._journal: Final = journal
        self._friend: Final = friend
        self._standing: Final = standing
        self._numbers: Final = count(1)
        self._asked: Final[dict[tuple[bytes, int], trio.Event]] = {}
        self._dialled: Final[dict[bytes, dict[Address, float]]] = {}
        """Where we have dialled for peers just before, and when."""
        self._reached: Final[dict[tuple[bytes, Address], None]] = {}
        """Where each peer was found."""
        self._elsewhere: Final = Buckets[tuple[bytes, str]](
            PROBES_A_SECOND, PROBES_TOGETHER, ADDRESSES_REMEMBERED
        )
        """Of other addresses, which may be anybody's."""
        self._dialling = 0
        """For how many we do so at the moment."""
        self._latest: Final[dict[bytes, dict[str, tuple[Try, float]]]] = {}
        """What came of the last attempts of each peer that is there, and when."""
        self._facts: tuple[Try, ...] = ()
        """What is known of our places until it is contradicted, the latest last."""

    # Knowing.

    @property
    def verdict(self) -> Verdict:
        """Whether others reach this node, by what is known now."""
        return judge(self._facts[::-1], self._standing())

    def forget(self, gone: Callable[[str], bool]) -> None:
        """Know nothing any more of the numbers that are gone."""
        kept = (f for f in self._facts if not gone(str(number_in(f.host))))
        self._facts = tuple(kept)

    def _note(self, fact: Try) -> None:
        """Take what came of an attempt, and drop what it contradicts.

        That no way led from them to us is no fact about us.
        """
        if fact.error == Says.TRIED_NO_WAY():
            return
        strong = (not fact.error) != fact.called
        kept = [
            each
            for each in self._facts
            if (each.host, each.near) != (fact.host, fact.near)
            or not (strong or each.called == fact.called)
        ]
        self._facts = (*kept, fact)[-FACTS:]

    # Asking.

    async def test(self, port: int, places: Sequence[str]) -> Verdict:
        """Return whether others reach this node.

        Args:
            port: Where it believes that they do.
            places: All places where it may be.
        """
        self._forget()
        async with trio.open_nursery() as nursery:
            for key, connection in tuple(self._links.here().items()):
                if connection.through:
                    continue  # it says nothing of where we can be called
                if DIAL_BACK in connection.features:
                    nursery.start_soon(self.ask, key, port, places)
                elif connection.way is Way.CAME and not connection.udp:
                    self._note(self._try(connection, connection.address, ""))
        verdict = self.verdict
        self._journal("reach", scope=verdict.scope.value, why=verdict.words)
        return verdict

    async def ask(self, key: bytes, port: int, places: Sequence[str]) -> bool:
        """Let a peer try our places, or tell where it has; `seen` is told.

        Returns:
            Whether it has told of any.
        """
        asked = key, next(self._numbers)
        self._asked[asked] = trio.Event()
        self._links.send((key,), DialBack(asked[1], port, tuple(places)))
        with trio.move_on_after(PROBE_SECONDS):
            for other, answered in tuple(self._asked.items()):
                if other[0] == key:  # where it dials already it does not dial again
                    await answered.wait()
        del self._asked[asked]
        self._forget()
        return bool(self._latest.get(key))

    def on_answer(self, key: bytes, message: DialedBack) -> None:
        """Take a peer's answer; one that nobody waits for is dropped."""
        asked = self._asked.get((key, message.number))
        connection = self._links.here().get(key)
        if asked is None or asked.is_set() or connection is None:
            return
        asked.set()
        self._forget()
        latest = self._latest.setdefault(key, {})
        for told in message.tried:
            why = known(clean(told.reason, REASON_CHARACTERS)) or Says.DIAL_FAILED()
            where = clean(told.address, len(told.address))
            if connection.way is Way.CAME and number_in(where) is None:
                where = connection.address  # it knows us by a name: that tells no kind
            one = self._try(connection, where, "" if told.reached else why)
            latest[one.host] = one, trio.current_time()
            self._note(one)
            self._seen(key, one)

    def _forget(self) -> None:
        """Forget what peers have told that are gone, or that may try again."""
        now = trio.current_time()
        for gone in self._latest.keys() - self._links.here().keys():
            del self._latest[gone]
        for latest in self._latest.values():
            for host, (_one, at) in tuple(latest.items()):
                if at + PROBE_PAUSE_SECONDS <= now:
                    del latest[host]

    def _try(self, connection: Connection, where: str, error: Words) -> Try:
        hello = connection.hello
        assert hello is not None  # every open link has heard one
        near = is_near(connection.address, self._standing())
        called = connection.way is not Way.CAME
        return Try(hello.name, where, error, near, called)

    # Answering.

    async def dial_back(self, connection: Connection, message: DialBack) -> None:
        """Dial a peer back and tell it what came of it."""
        tried: list[Tried] = []
        if called_by_tcp(connection):
            tried.append(Tried(connection.address[:64], reached=True, reason=""))
        key = connection.key
        places = self._free(key, self._places(connection, message))
        if places:
            found: dict[Address, Tried] = {}

            async def dial(where: Address) -> None:
                error = await self._dial(key, where)
                text = where.text()[:64]
                found[where] = Tried(text, reached=not error, reason=str(error))

            self._dialling += 1
            try:
                async with trio.open_nursery() as nursery:
                    for where in places:
                        nursery.start_soon(dial, where)
            finally:
                self._dialling -= 1
            tried += [found[where] for where in places]
        if connection.in_use:  # the peer on another link may be one that has restarted
            answer = DialedBack(message.number, tuple(tried))
            self._links.send((connection.key,), answer)

    def _places(self, connection: Connection, message: DialBack) -> list[Address]:
        """Return where to dial a peer: where it comes from, and a friend where it says.

        Places of some network at home are dialled only for who is in the same one.
        """
        found: list[Address] = []
        if connection.through:
            return found  # nobody knows where it is
        here = connection.address
        if connection.way is not Way.CAME and not called_by_tcp(connection):
            here = parse(here).host
        if here and not called_by_tcp(connection):
            found.append(Address(here, message.port))
        if self._friend(connection.key):
            own = self._standing()
            named = [parse(text) for text in map(useful, message.places) if text]
            # Without its interface such a number leads nowhere.
            named = [one for one in named if not one.host.startswith("fe80:")]
            near = bool(here) and is_near(here, own)
            found += [one for one in named if near or not is_near(one.host, own)]
        reached = connection.address if called_by_tcp(connection) else ""
        return [one for one in dict.fromkeys(found) if one.text() != reached]

    def _free(self, key: bytes, places: Sequence[Address]) -> list[Address]:
        """Return those of a peer's places that may be dialled now; note that they are.

        None twice so soon, and not more than so many; an address where it was never
        found seldom, for it may be somebody else's.
        """
        now = trio.current_time()
        for other, dialled in tuple(self._dialled.items()):
            for place, at in tuple(dialled.items()):
                if at + PROBE_PAUSE_SECONDS <= now:
                    del dialled[place]
            if not dialled:
                del self._dialled[other]
        if self._dialling >= PROBES_AT_ONCE:
            return []
        dialled = self._dialled.setdefault(key, {})
        free = [one for one in places if one not in dialled][: TRIED - len(dialled)]
        free = [
            one
            for one in free
            if (key, one) in self._reached
            or self._elsewhere.take((key, network(one.host)), now)
        ]
        dialled.update((one, now) for one in free)
        return free

    async def _dial(self, key: bytes, where: Address) -> Words:
        """Return why a peer is not reached at a place, nothing if it is."""
        try:
            stream = await self._net.connect(where)
            with trio.fail_after(HANDSHAKE_SECONDS):
                found = await self._net.secure(stream, server_side=False)
            await trio.aclose_forcefully(found.stream)
            if found.key != key:
                raise PeerError(Code.WRONG_KEY)
            self._reached[key, where] = None
            if len(self._reached) > ADDRESSES_REMEMBERED:
                del self._reached[next(iter(self._reached))]
        except trio.TooSlowError:
            return Code.NO_ANSWER.text
        except NetplayError as failed:
            detail = failed.detail
            code = detail.code if isinstance(detail, Said) else ""
            return PLAINLY.get(code, failed.code.text)
        return ""


def called_by_tcp(connection: Connection) -> bool:
    """Return whether we have called a peer, where TCP gets to it."""
    return (
        connection.way is Way.DIALLED and not connection.through and not connection.udp
    )
