"""All the places a node can be at: one ranked list, and who has found it there.

Theory of operation.  A node knows the addresses of its interfaces, what the router
says of its own outside address and whether it passes the port on, and what friends tell
of the address they dialled.  Friends only are believed, numbers only, and a private
address only if it is one of ours.  What they have told is forgotten when the network
changes.
"""

from collections.abc import Sequence
from enum import Enum
from ipaddress import ip_address
from typing import Final

from msgspec import Struct

from netplay.errors import LocalError
from netplay.messages.types import PLACES
from netplay.peering.address import Address, parse

SEEN: Final = 4
"""Addresses that friends have told, the latest; a node has one or two."""


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


class Found(Struct, frozen=True):
    """A friend's word."""

    name: str
    at: float
    """When it was said."""


class Place(Struct, frozen=True):
    """Where a node may be."""

    address: Address
    scope: Scope
    source: Source
    found: Found | None = None
    """Who has reached the node there, the latest."""


def scope_of(host: str) -> Scope:
    """Return from how far away a number may be reached."""
    number = ip_address(host.partition("%")[0])
    if number.is_link_local:
        return Scope.LINK
    return Scope.INTERNET if number.is_global else Scope.NETWORK


class OwnPlaces:
    """The list."""

    def __init__(self) -> None:
        """Begin with none."""
        self._own: tuple[str, ...] = ()
        self._found: dict[Address, Found] = {}
        self._seen: dict[Address, Found] = {}
        """Places of the internet, reached or not, the latest last."""

    @property
    def own(self) -> tuple[str, ...]:
        """The addresses of the interfaces, the most likely first."""
        return self._own

    def look(self, own: tuple[str, ...]) -> bool:
        """Take the addresses of now; return whether they have changed."""
        if frozenset(own) == frozenset(self._own):
            self._own = own
            return False
        self._own = own
        self._found.clear()
        self._seen.clear()
        return True

    def told(self, text: str, port: int, word: Found, *, reached: bool) -> bool:
        """Take a friend's word of where it has dialled us.

        Args:
            text: The address it dialled.
            port: Where others reach us, as we believe.
            word: Who says so, and when.
            reached: We were there.

        Returns:
            Whether that is news.
        """
        try:
            place = parse(text)
            scope = scope_of(place.host)
        except (LocalError, ValueError):
            return False  # a name, which says nothing to others
        mine = place.host in (own.partition("%")[0] for own in self._own)
        if not mine and (
            scope is not Scope.INTERNET or not (reached or place.port == port)
        ):
            return False  # what another router made of it, or somebody's invention
        if not mine:
            self._seen.pop(place, None)
            self._seen[place] = word
            while len(self._seen) > SEEN:
                del self._seen[next(iter(self._seen))]
        if reached:
            self._found[place] = word
        else:
            self._found.pop(place, None)
        return True

    def all(
        self, port: int, mapped: Sequence[Address], outside: Sequence[str]
    ) -> tuple[Place, ...]:
        """Return the places, the most likely first, not more than are ever told.

        Args:
            port: Where the node listens.
            mapped: What routers pass on to it.
            outside: Addresses that routers have, one for each.
        """
        known: dict[Address, Source] = {}
        for address in mapped:
            known[address] = Source.ROUTER
        for host in self._own:
            known.setdefault(Address(host, port), Source.OWN)
        for address in self._seen:
            known.setdefault(address, Source.SEEN)
        hosts = {address.host for address in known}
        for host in outside:
            if host not in hosts:
                known[Address(host, port)] = Source.OUTSIDE
        found = [
            Place(address, scope_of(address.host), source, self._word(address))
            for address, source in known.items()
        ]
        own = [each for each in found if each.source is Source.OWN]
        return tuple(sorted(found, key=lambda one: _rank(one, own))[:PLACES])

    def _word(self, place: Address) -> Found | None:
        """Return who has reached us there."""
        bare = Address(place.host.partition("%")[0], place.port)
        return self._found.get(place, self._found.get(bare))


def _rank(place: Place, own: Sequence[Place]) -> tuple[int, int]:
    """Return what decides where a place stands in the list.

    First the likeliest of this network, where friends are met the most; then what is
    known to lead here from the internet, so that many interfaces do not crowd it out.
    """
    turn = own.index(place) if place in own else 0
    if place.source is Source.OWN and turn == 0:
        return 0, 0
    if place.scope is Scope.INTERNET and place.found is not None:
        return 1, turn
    order = {Source.ROUTER: 2, Source.OWN: 3, Source.SEEN: 4, Source.OUTSIDE: 4}
    if place.source is Source.OWN and place.scope is not Scope.INTERNET:
        return 5, turn
    return order[place.source], turn
