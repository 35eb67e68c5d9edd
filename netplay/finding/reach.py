"""Can others reach this node?  Without a server only another node can tell.

Theory of operation.  Whoever has called us has reached us: a link that came in is
proof, as far as that peer is away.  A peer that we have called is asked to dial back:
it connects to the address our link comes from and the port we name, checks that our
key answers, and tells.  A node does that for a peer now and then, never for another
address than the peer's own, and only where both speak the feature `dial-back`.
"""

from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from itertools import count
from typing import Final, NamedTuple

import trio

from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.journal import Journal
from netplay.limits import (
    HANDSHAKE_SECONDS,
    PROBE_PAUSE_SECONDS,
    PROBE_SECONDS,
    PROBES_AT_ONCE,
)
from netplay.messages.link import DialBack, DialedBack
from netplay.messages.types import REASON_CHARACTERS
from netplay.peering.address import Address, parse
from netplay.peering.connection import Connection, Way
from netplay.peering.link import DIAL_BACK
from netplay.peering.links import Links
from netplay.peering.net import Net
from netplay.said import Said, Words, known
from netplay.sanitize import clean
from netplay.sentences import Says

SHARED: Final = ip_network("100.64.0.0/10")
"""Addresses that a provider shares among its customers (RFC 6598)."""


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


class Try(NamedTuple):
    """A peer's attempt to reach this node."""

    name: str
    host: str
    """Where it dialled us, or whence it came."""
    error: Words
    """Why it failed, empty if it did not."""


class Standing(NamedTuple):
    """What a node knows of its own addresses, to tell why it is not reached."""

    own: tuple[str, ...] = ()
    """Those of its interfaces."""
    outside: str = ""
    """The router's."""


class Reach:
    """Asks peers to dial back, and dials back for them."""

    def __init__(
        self,
        net: Net,
        links: Links,
        journal: Journal,
        seen: Callable[[bytes, Try], None],
    ) -> None:
        """Prepare.

        Args:
            net: How to dial.
            links: Who is there.
            journal: Where results are noted.
            seen: Told of every attempt, and of whose it was.
        """
        self._seen: Final = seen
        self._net: Final = net
        self._links: Final = links
        self._journal: Final = journal
        self._numbers: Final = count(1)
        self._asked: Final[dict[tuple[bytes, int], trio.Event]] = {}
        self._told: Final[dict[tuple[bytes, int], DialedBack]] = {}
        self._dialled: Final[dict[bytes, float]] = {}
        """When we last dialled for a peer."""
        self._dialling = 0
        """For how many we do so at the moment."""
        self._latest: Final[dict[bytes, tuple[Try, float]]] = {}
        """What came of the last attempt of each peer that is there, and when."""
        self.verdict = NOBODY

    # Asking.

    async def test(self, port: int, standing: Standing) -> Verdict:
        """Return whether others reach this node.

        Args:
            port: Where it believes that they do.
            standing: What it knows of its addresses.
        """
        tries: list[Try] = []
        async with trio.open_nursery() as nursery:
            for key, connection in tuple(self._links.here().items()):
                hello = connection.hello
                assert hello is not None  # every open link has heard one
                if connection.way is Way.CAME:
                    tries.append(Try(hello.name, connection.address, ""))
                elif DIAL_BACK in connection.features:
                    nursery.start_soon(self._ask, key, hello.name, port, tries)
        self.verdict = judge(tries, standing)
        self._journal("reach", scope=self.verdict.scope.value, why=self.verdict.words)
        return self.verdict

    async def _ask(self, key: bytes, name: str, port: int, tries: list[Try]) -> None:
        asked = key, next(self._numbers)
        self._asked[asked] = trio.Event()
        self._links.send((key,), DialBack(asked[1], port))
        with trio.move_on_after(PROBE_SECONDS):
            await self._asked[asked].wait()
        del self._asked[asked]
        told = self._told.pop(asked, None)
        if told is not None and told.address:
            why = clean(told.reason, REASON_CHARACTERS)
            error = "" if told.reached else known(why) or Says.DIAL_FAILED()
            tried = Try(name, clean(told.address, len(told.address)), error)
            self._note(key, tried)
            tries.append(tried)
        elif told is not None and key in self._latest:
            tried, at = self._latest[key]
            if trio.current_time() < at + PROBE_PAUSE_SECONDS:
                tries.append(tried)  # it does not dial again so soon

    async def ask(self, key: bytes, port: int) -> None:
        """Let a peer try, or tell where it has dialled us; `seen` is told."""
        connection = self._links.here().get(key)
        if connection is not None and connection.hello is not None:
            await self._ask(key, connection.hello.name, port, [])

    def _note(self, key: bytes, tried: Try) -> None:
        """Remember an attempt as long as its peer is there, and tell of it."""
        for gone in self._latest.keys() - self._links.here().keys():
            del self._latest[gone]
        self._latest[key] = tried, trio.current_time()
        self._seen(key, tried)

    def told(self, key: bytes, message: DialedBack) -> None:
        """Take a peer's answer; one that nobody waits for is dropped."""
        asked = self._asked.get((key, message.number))
        if asked is not None:
            self._told[key, message.number] = message
            asked.set()

    # Answering.

    async def dial_back(self, connection: Connection, message: DialBack) -> None:
        """Dial a peer back and tell it what came of it."""
        answer = DialedBack(message.number, "", False, str(Says.NOT_NOW()))
        if connection.way is Way.DIALLED:
            answer = DialedBack(message.number, connection.address[:64], True, "")
        elif connection.address and self._may_dial(connection.key):
            host = connection.address
            if connection.way is Way.MET:
                host = parse(host).host
            where = Address(host, message.port)
            self._dialling += 1
            try:
                answer = await self._dial(connection.key, where, message.number)
            finally:
                self._dialling -= 1
        self._links.send((connection.key,), answer)

    def _may_dial(self, key: bytes) -> bool:
        """Return whether a peer may be dialled back now; no more than so often."""
        now = trio.current_time()
        for other, at in tuple(self._dialled.items()):
            if at + PROBE_PAUSE_SECONDS <= now:
                del self._dialled[other]
        if key in self._dialled:
            return False
        if self._dialling >= PROBES_AT_ONCE:
            return False
        self._dialled[key] = now
        return True

    async def _dial(self, key: bytes, where: Address, number: int) -> DialedBack:
        error = ""
        try:
            stream = await self._net.connect(where)
            with trio.fail_after(HANDSHAKE_SECONDS):
                found = await self._net.secure(stream, server_side=False)
            await trio.aclose_forcefully(found.stream)
            if found.key != key:
                raise PeerError(Code.WRONG_KEY)
        except trio.TooSlowError:
            error = LocalError(Code.NO_ANSWER).code.text
        except NetplayError as failed:
            error = failed.code.text
        return DialedBack(number, where.text()[:64], not error, error)


def judge(tries: list[Try], standing: Standing) -> Verdict:
    """Return what peers' attempts to reach this node tell, of each kind of place."""
    if not tries:
        return NOBODY
    order = list(Scope)
    reached = [one for one in tries if not one.error]
    done = {_kind(one.host) for one in reached if _is_far(one)}
    failed = {_kind(one.host): one for one in reversed(tries) if one.error}
    if reached:
        best = max(reached, key=lambda one: order.index(distance(one.host)))
        scope, words = distance(best.host), _reached(best)
        failed = {kind: one for kind, one in failed.items() if _is_far(one)}
    else:
        scope, words = Scope.NO, None
    for kind, one in failed.items():
        if kind not in done:
            more = Says.NOT_REACHED(
                kind=kind,
                name=one.name,
                host=one.host,
                why=one.error,
                advice=advice(one.host, standing),
            )
            words = more if words is None else Says.THEN(first=words, then=more)
    assert words is not None  # something was reached, or something failed
    return Verdict(scope, words)


def _reached(one: Try) -> Said:
    """Return what one attempt that has succeeded tells."""
    scope = distance(one.host)
    name = one.name or Says.SOMEBODY()
    if scope is Scope.COMPUTER:
        return Says.REACHED_HERE()
    if scope is Scope.INTERNET:
        return Says.REACHED(name=name, kind=_kind(one.host))
    return Says.REACHED_NEAR(name=name)


def advice(host: str, standing: Standing) -> Said:
    """Return what may help where an attempt has failed.

    Args:
        host: Where the node was dialled.
        standing: What it knows of its addresses.
    """
    number = _number(host)
    if number is not None and number.version == 6:
        return Says.ADVICE_SIX()
    if str(number) in standing.own:
        return Says.ADVICE_OWN_FIREWALL()
    shared = [_number(each) for each in (standing.outside, *standing.own)]
    if any(one in SHARED for one in shared if one is not None):
        return Says.ADVICE_SHARED()
    return Says.ADVICE_ROUTER()


def _kind(host: str) -> str:
    number = _number(host)
    return "IPv6" if number is not None and number.version == 6 else "IPv4"


def _is_far(one: Try) -> bool:
    return distance(one.host) is Scope.INTERNET


def _number(where: str) -> IPv4Address | IPv6Address | None:
    """Return the number of a place, with or without a port; None for a name."""
    with suppress(ValueError):
        return ip_address(where.partition("%")[0])
    with suppress(ValueError, LocalError):
        return ip_address(parse(where).host.partition("%")[0])
    return None


def distance(where: str) -> Scope:
    """Return how far away an address is, with or without a port."""
    host = _number(where)
    if host is None:
        return Scope.NETWORK  # a name, which tells nothing
    if host.is_loopback:
        return Scope.COMPUTER
    return Scope.INTERNET if host.is_global else Scope.NETWORK
