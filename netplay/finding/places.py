"""All the places a node can be at: one ranked list, and who has found it there.

Theory of operation.  A node knows the addresses of its interfaces, what the router
says of its own outside address and whether it passes the port on, and what friends tell
of the address they dialled.  Friends only are believed, numbers only, and a private
address only if it is one of ours; one of the internet only of whom has come from there.
What they have told is forgotten when the network changes.
"""

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

from msgspec import Struct

from netplay.errors import LocalError
from netplay.messages.types import PLACES
from netplay.peering.address import Address, means_one, parse
from netplay.said import Words

SEEN: Final = 4
"""Addresses that friends have told, the latest; a node has one or two."""

TESTED: Final = 2 * PLACES
"""Places of which is kept what came of trying them."""


class Scope(Enum):
    """From how far away a place may be reached."""

    NETWORK = "network"
    LINK = "link"
    """Without a router in between."""
    INTERNET = "internet"


class Source(Enum):
    """How a node knows of a place."""

    OWN = "own"
    """An interface has the address."""
    ROUTER = "router"
    """The router passes the port on."""
    OUTSIDE = "outside"
    """The router's own address; nobody has said that it passes the port on."""
    SEEN = "seen"
    """A friend's node has seen us there."""


class Trial(Struct, frozen=True):
    """A friend's word of a place."""

    name: str
    at: float
    """When it was said."""
    error: Words = ""
    """Why we were not there, empty if we were."""
    near: bool = False
    """The friend is in this network, which proves nothing about the internet."""


class Place(Struct, frozen=True):
    """Where a node may be."""

    address: Address
    scope: Scope
    source: Source
    tested: Trial | None = None
    """Who has tried it, the latest."""

    @property
    def works(self) -> bool:
        """Whether somebody has reached the node there."""
        return self.tested is not None and not self.tested.error


@lru_cache(maxsize=4 * PLACES)
def scope_of(host: str) -> Scope:
    """Return from how far away a number may be reached."""
    number = ip_address(host.partition("%")[0])
    if number.is_link_local:
        return Scope.LINK
    return Scope.INTERNET if number.is_global else Scope.NETWORK


class OwnPlaces:
    """The list."""

    def __init__(self) -> None:
        self.own: tuple[str, ...] = ()
        """The addresses of the interfaces, the most likely first."""
        self._tested: dict[Address, Trial] = {}
        self._seen: dict[Address, Trial] = {}
        """Places of the internet, reached or not, the latest last."""

    def on_addresses(self, own: tuple[str, ...]) -> bool:
        """Take the addresses of now; return whether they have changed."""
        if frozenset(own) == frozenset(self.own):
            self.own = own
            return False
        self.own = own
        self._tested.clear()
        self._seen.clear()
        return True

    def on_word(self, text: str, port: int, word: Trial) -> bool:
        """Take a friend's word of where it has dialled us.

        Args:
            text: The address it dialled.
            port: Where others reach us, as we believe.
            word: Who says so, when, and what came of it.

        Returns:
            Whether that is news.
        """
        try:
            place = parse(text)
            scope = scope_of(place.host)
        except (LocalError, ValueError):
            return False  # a name, which says nothing to others
        if word.near and scope is Scope.INTERNET:
            return False
        mine = place.host in (own.partition("%")[0] for own in self.own)
        if not mine and (
            scope is not Scope.INTERNET or (word.error and place.port != port)
        ):
            return False  # what another router made of it, or somebody's invention
        if not mine:
            self._seen.pop(place, None)
            self._seen[place] = word
            while len(self._seen) > SEEN:
                del self._seen[next(iter(self._seen))]
        self._tested[place] = word
        for other in self._tested.keys() - {place}:
            if len(self._tested) > TESTED:
                del self._tested[other]
        return True

    def all(
        self,
        port: int,
        mapped: Sequence[Address],
        outside: Sequence[str],
        seen: Sequence[Address] = (),
    ) -> tuple[Place, ...]:
        """Return the places, the most likely first, not more than are ever told.

        Args:
            port: Where the node listens.
            mapped: What routers pass on to it.
            outside: Addresses that routers have, one for each.
            seen: Where calls from our port come out, as others have told.
        """
        known: dict[Address, Source] = {}
        for address in mapped:
            known[address] = Source.ROUTER
        for host in self.own:
            known.setdefault(Address(host, port), Source.OWN)
        for address in (*seen, *self._seen):
            known.setdefault(address, Source.SEEN)
        hosts = {address.host for address in known}
        for host in outside:
            if host not in hosts:
                known[Address(host, port)] = Source.OUTSIDE
        found: list[Place] = []
        for address, source in known.items():
            bare = Address(address.host.partition("%")[0], address.port)
            word = self._tested.get(address, self._tested.get(bare))
            found.append(Place(address, scope_of(address.host), source, word))
        own = [each for each in found if each.source is Source.OWN]
        return tuple(sorted(found, key=lambda one: _rank(one, own))[:PLACES])


def _rank(place: Place, own: Sequence[Place]) -> tuple[int, int]:
    """Return what decides where a place stands in the list.

    First the likeliest of this network, where friends are met the most; then what is
    known to lead here from the internet, so that many interfaces do not crowd it out.
    """
    turn = own.index(place) if place in own else 0
    if place.source is Source.OWN and turn == 0:
        return 0, 0
    if place.scope is Scope.INTERNET and place.works:
        return 1, turn
    order = {Source.ROUTER: 2, Source.OWN: 3, Source.SEEN: 4, Source.OUTSIDE: 4}
    if place.source is Source.OWN and place.scope is not Scope.INTERNET:
        return 5, turn
    return order[place.source], turn


def useful(text: str, *, inside: bool = False) -> str:
    """Return a place that a peer has told, if it may be tried; else nothing.

    Numbers only, so that no name is looked up for a peer, and none that lead back to
    this computer or to many.

    Args:
        text: The place.
        inside: This node listens for this computer alone, and so does whoever it met.
    """
    try:
        place = parse(text)
        number = ip_address(place.host.partition("%")[0])
    except (LocalError, ValueError):
        return ""
    mapped = (isinstance(number, IPv6Address) and number.ipv4_mapped) or number
    wrong = (mapped.is_loopback and not inside) or not means_one(text)
    return "" if wrong else Address(str(number), place.port).text()
