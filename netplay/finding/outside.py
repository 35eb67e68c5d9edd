"""What others have seen of this node from outside: at which address, at which port.

Theory of operation.  Whom we have called, or a public server, is asked over a call that
leaves by the port where the node listens; the answer is where a router lets that come
out.  A fact has who said it and when.  Two answers tell what the router does with
ports: keeps them, maps ours to another one, always the same, or takes one at random,
which is of no use to anybody who would call.

Who lies costs a call to where nobody is.  Of two addresses both are believed, the later
first: a router may have got another one, or one of both lies.  A port that is ours, or
that two have seen, stays whatever a third says.  Addresses of the internet only, and of
IPv4, for by IPv6 nothing is written anew.  Friends are asked, no strangers; servers
only if the player has said so.

Some networks let out calls to ports of the web alone.  Where somebody at such a port
has answered, and of those asked elsewhere nobody, that is what this looks like; the
first who answers elsewhere refutes it.
"""

import json
from collections import Counter
from collections.abc import Callable
from enum import Enum
from functools import partial
from ipaddress import IPv4Address
from typing import Any, Final, cast

from msgspec import Struct

from netplay.errors import LocalError, NetplayError
from netplay.journal import Journal
from netplay.peering.address import Address, parse, several
from netplay.peering.net import Net
from netplay.rate import network
from netplay.said import Said
from netplay.sentences import Says

FACTS: Final = 8
"""Kept at most, of so many who have told; the latest."""

VOICE_BITS: Final = 24, 48
"""Of a network, by IPv4 and by IPv6, whose computers all count as one that has seen us:
they may all be one liar's."""

PLACES: Final = 2
"""Of what they have told, in the invitation at most."""

KEPT: Final = "outside"
KEPT_OF_UDP: Final = "outside-udp"
"""The settings in which the facts outlast a restart."""

SERVERS: Final = "stun-servers"
"""The setting with the public servers."""

ASK_SERVERS: Final = "ask-servers"
"""The setting that says whether they are asked."""

WEB_PORTS: Final = frozenset({80, 443})

USUAL_SERVERS: Final = "stun.nextcloud.com:443 stun.sipgate.net:3478"
"""Other people's, that answer over TCP; the player can name others instead."""


class Ports(Enum):
    """What a router does with the port where we listen."""

    UNKNOWN = "unknown"
    KEEPS = "keeps"
    STEADY = "steady"
    RANDOM = "random"
    WEB = "web"
    """Nothing good: only what goes to ports of the web seems to be let out at all."""


class Fact(Struct, frozen=True):
    """What somebody has seen."""

    by: str
    """Who: the host that was asked."""
    place: Address
    at: int
    """When: seconds since 1970."""


class Outside:
    """The facts."""

    def __init__(
        self,
        net: Net,
        unix: Callable[[], int],
        keep: Callable[[str], None],
        journal: Journal,
        kept: str = "",
        *,
        udp: bool = False,
    ) -> None:
        """Begin with what was known.

        Args:
            net: How to ask.
            unix: The time.
            keep: Keeps a text for later starts; raises a LocalError if it cannot.
            journal: Where answers are noted.
            kept: What it has kept last.
            udp: It is about datagrams, of which a router may make something else.
        """
        self._net: Final = net
        self._udp: Final = udp
        self._unix: Final = unix
        self._keep: Final = keep
        self._journal: Final = journal
        self._own, self.facts = _read(kept)
        """Our addresses, and what is known, the latest last."""
        self._answered: Final[set[int]] = set()
        """Ports of others where calls of ours were answered, in this network."""
        self._silent: Final[set[int]] = set()
        """Those where one was not."""

    def on_addresses(self, own: tuple[str, ...]) -> None:
        """Take our addresses of now: in another network nothing is known."""
        if frozenset(own) != frozenset(self._own):
            self._own = own
            self._answered.clear()
            self._silent.clear()
            self._note(())

    def restart(self) -> None:
        """Know nothing any more: the router's promises have changed."""
        self._note(())

    async def ask(self, whom: Address, *, by_tcp: bool = True) -> bool | None:
        """Ask somebody where our calls come from.

        Args:
            whom: Where it listens.
            by_tcp: TCP gets there, as far as is known: silence is the network's.

        Returns:
            Whether that is news; None if there was no answer.
        """
        if not (self._net.udp if self._udp else self._net.meets):
            return None if self._udp else False  # it begins a little later
        before, own = self.facts, self._own
        try:
            asks = partial(self._net.seen, udp=True) if self._udp else self._net.seen
            place = await asks(whom)
        except NetplayError as error:
            if self._udp:
                return None  # as of most: not all have that path
            self._journal("outside.silent", address=whom.text(), why=error)
            # Only a call that was made is one that the network may have kept back.
            what = error.detail.code if isinstance(error.detail, Said) else ""
            kept_back = what in {Says.PLACE_SILENT.name, Says.PLACE_REFUSES.name}
            if by_tcp and own == self._own and kept_back:
                self._silent.add(whom.port)
            return None
        if own == self._own:  # else it was the network before
            self.reached(whom.port)
            self.learn(whom.host, place)
        return [f.place for f in before] != [f.place for f in self.facts]

    def reached(self, port: int) -> None:
        """Take that a call of ours to a port elsewhere was answered."""
        self._answered.add(port)

    def learn(self, by: str, place: Address) -> None:
        """Take what somebody has seen, unless it cannot be."""
        try:
            number = IPv4Address(place.host)
        except ValueError:
            return
        if not number.is_global or number.is_multicast or not 0 < place.port < 65536:
            return
        voice = network(by, *VOICE_BITS)
        kept = [f for f in self.facts if network(f.by, *VOICE_BITS) != voice]
        over = "udp" if self._udp else "tcp"
        self._journal("outside.seen", place=place.text(), by=by, over=over)
        self._note((*kept, Fact(by, place, self._unix()))[-FACTS:])

    def ports(self, own: int) -> Ports:
        """Return what becomes of the port where we listen.

        Args:
            own: It.
        """
        web_alone = bool(self._answered) and self._answered <= WEB_PORTS
        if web_alone and not self._silent <= WEB_PORTS:
            return Ports.WEB
        seen = Counter(fact.place.port for fact in self.facts)
        if seen[own] and seen[own] == max(seen.values()):
            return Ports.KEEPS
        if len(self.facts) < 2:
            return Ports.UNKNOWN
        return Ports.STEADY if max(seen.values()) > 1 else Ports.RANDOM

    def places(self, own: int) -> tuple[Address, ...]:
        """Return where we may be called: what most have seen first, then the latest.

        Nothing where every call has another port; of datagrams, which open a way for
        few, only what is sure.

        Args:
            own: The port where we listen.
        """
        told = [fact.place for fact in reversed(self.facts)]
        found: list[Address] = []
        voices = Counter(place.host for place in told)  # the latest first among equals
        for host, _count in voices.most_common():
            seen = Counter(place.port for place in told if place.host == host)
            port, times = seen.most_common(1)[0]
            # Our own is likelier than any other: it is named, whoever says it, but not
            # alone where more have seen another.
            if times > seen[own]:
                least = 2 if self._udp or len(seen) > 1 else 1
                found += [Address(host, port)] if times >= least else []
            found += [Address(host, own)] if seen[own] else []
        return tuple(found[:PLACES])

    def hosts(self) -> tuple[str, ...]:
        """Return the numbers from which our calls have come, the latest first."""
        found = dict.fromkeys(fact.place.host for fact in reversed(self.facts))
        return tuple(found)[:PLACES]

    def _note(self, facts: tuple[Fact, ...]) -> None:
        if facts == self.facts:
            return
        self.facts = facts
        told = [[fact.by, fact.place.text(), fact.at] for fact in facts]
        try:
            self._keep(json.dumps([list(self._own), told]))
        except LocalError as error:
            self._journal("disk.failed", why=error)


def servers_named(text: str) -> tuple[Address, ...]:
    """Return the servers in a text, the usual ones for an empty one.

    Raises:
        LocalError: USAGE, one is no address.
    """
    return several(text, USUAL_SERVERS, FACTS)


def _read(kept: str) -> tuple[tuple[str, ...], tuple[Fact, ...]]:
    """Return our addresses and the facts as they were kept; none if that is damaged."""
    try:
        own, told = cast("list[list[Any]]", json.loads(kept or "[[],[]]"))
        facts = [Fact(str(by), parse(str(at)), int(when)) for by, at, when in told]
        return tuple(map(str, own)), tuple(facts[-FACTS:])
    except (ValueError, TypeError, OverflowError, RecursionError, LocalError):
        return (), ()
