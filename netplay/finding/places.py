"""All the places a node can be at: one ranked list, and who has found it there.

Theory of operation.  A node knows the addresses of its interfaces, what the router
says of its own outside address and whether it passes the port on, and what friends tell
of the address they dialled.  Friends only are believed, numbers only, and a private
address only if it is one of ours; one of the internet only of whom has come from there.
What they have told is forgotten when the network changes.
"""

import socket
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import Final, NamedTuple

import psutil
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
        self._own: tuple[str, ...] = ()
        self._tested: dict[Address, Trial] = {}
        self._seen: dict[Address, Trial] = {}
        """Places of the internet, reached or not, the latest last."""

    @property
    def own(self) -> tuple[str, ...]:
        """The addresses of the interfaces, the most likely first."""
        return self._own

    def on_addresses(self, own: tuple[str, ...]) -> bool:
        """Take the addresses of now; return whether they have changed."""
        if frozenset(own) == frozenset(self._own):
            self._own = own
            return False
        self._own = own
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
        mine = place.host in (own.partition("%")[0] for own in self._own)
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
        for host in self._own:
            known.setdefault(Address(host, port), Source.OWN)
        for address in (*seen, *self._seen):
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

    def _word(self, place: Address) -> Trial | None:
        """Return who has tried it, the latest."""
        bare = Address(place.host.partition("%")[0], place.port)
        return self._tested.get(place, self._tested.get(bare))


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


def useful(text: str) -> str:
    """Return a place that a peer has told, if it may be tried; else nothing.

    Numbers only, so that no name is looked up for a peer, and none that lead back to
    this computer or to many.
    """
    try:
        place = parse(text)
        number = ip_address(place.host.partition("%")[0])
    except (LocalError, ValueError):
        return ""
    mapped = (isinstance(number, IPv6Address) and number.ipv4_mapped) or number
    wrong = mapped.is_loopback or not means_one(text)
    return "" if wrong else Address(str(number), place.port).text()


# The addresses at which others may reach this computer: those of every interface.
#
# Only psutil tells them alike on Linux, macOS and Windows, with what is up and which
# cable is in. Linux says of an IPv6 address whether it will soon be another one; the
# other systems do not say so to programs.


EVERYWHERE: Final = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6}  # noqa: S104 (compared, not bound)
"""What stands for all addresses of a family."""

INET_6: Final = Path("/proc/net/if_inet6")
"""Linux's list of IPv6 addresses, with their flags."""

_PASSING: Final = 0x01 | 0x20 | 0x40 | 0x08
"""Flags of addresses for a while, about to go, not in use yet, or in use by another."""

_FAR: Final = {socket.AF_INET: ("192.0.2.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}
"""Documentation's own addresses: nothing is sent, the system only picks a route."""


class Own(NamedTuple):
    """An address of an interface."""

    interface: str
    address: str
    """A link-local IPv6 address with its interface: `fe80::1%eth0`."""
    tunnel: bool = False
    """The interface is a VPN or the like."""


def own_addresses(listen: str = "") -> tuple[str, ...]:
    """Return the addresses at which a node may be reached, the most likely first.

    Args:
        listen: The one address at which the node listens; empty if at all.
    """
    if listen and listen not in EVERYWHERE:
        return (listen,)
    families = [EVERYWHERE[listen]] if listen else list(_FAR)
    found = [
        own
        for own in interfaces()
        if (socket.AF_INET6 if ":" in own.address else socket.AF_INET) in families
    ]
    usual = [_towards(family) for family in families]
    return ranked(found, usual)


def ranked(found: Iterable[Own], usual: Sequence[str]) -> tuple[str, ...]:
    """Return addresses, the most likely first; link-local ones if there are no others.

    Args:
        found: Those of the interfaces.
        usual: From which this computer would reach others far away.
    """

    def rank(own: Own) -> tuple[bool, bool, bool]:
        return own.tunnel, own.address not in usual, ":" in own.address

    everything = sorted(found, key=rank)
    wide = [own for own in everything if not is_link_local(own.address)]
    return tuple(dict.fromkeys(own.address for own in wide or everything))


def interfaces() -> tuple[Own, ...]:
    """Return the lasting addresses of all interfaces that are up, loopback apart."""
    listed = INET_6.read_text("ascii") if INET_6.exists() else ""
    states = {n: (s.isup, s.flags) for n, s in psutil.net_if_stats().items()}
    addresses = psutil.net_if_addrs().items()
    return _lasting(
        tuple(
            (name, *states.get(name, (False, "")), tuple(one.address for one in found))
            for name, found in addresses
        ),
        listed,
    )


@lru_cache(maxsize=1)
def _lasting(
    cards: tuple[tuple[str, bool, str, tuple[str, ...]], ...], listed: str
) -> tuple[Own, ...]:
    """Return the lasting addresses: looked at every few seconds, and seldom news.

    Args:
        cards: Of each interface its name, whether it is up, its flags and addresses.
        listed: Linux's list of IPv6 addresses.
    """
    passing = passing_addresses(listed)
    found: list[Own] = []
    for name, up, words, addresses in cards:
        flags = words.split(",")
        # Windows has no flags; elsewhere `running` means that the cable is in.
        if not up or not {"", "running"} & set(flags):
            continue
        found.extend(
            Own(name, host, tunnel="pointopoint" in flags)
            for host in (_host(address, name) for address in addresses)
            if _lasts(host, passing)
        )
    return tuple(found)


def passing_addresses(listed: str) -> frozenset[str]:
    """Return the IPv6 addresses that will soon be others, or are not in use yet.

    Args:
        listed: Linux's list of IPv6 addresses.
    """
    fields = (line.split() for line in listed.splitlines())
    return frozenset(
        str(IPv6Address(bytes.fromhex(each[0])))
        for each in fields
        if len(each) == 6 and int(each[4], 16) & _PASSING
    )


def is_link_local(address: str) -> bool:
    """Return whether an address means something on one cable only."""
    return ip_address(address.partition("%")[0]).is_link_local


def _host(address: str, name: str) -> str:
    """Return an address as people write it, a link-local IPv6 one with its interface.

    Args:
        address: As psutil has it: an IP number, or that of the hardware.
        name: The interface's.
    """
    try:
        number = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    linked = number.version == 6 and number.is_link_local
    return f"{number}%{name}" if linked else str(number)


def _lasts(host: str, passing: frozenset[str]) -> bool:
    """Return whether others can use an address for long."""
    bare = host.partition("%")[0]
    if not bare or bare in passing:
        return False
    number = ip_address(bare)
    return not (number.is_loopback or number.is_unspecified or number.is_multicast)


def _towards(family: socket.AddressFamily) -> str:
    """Return the address a packet to somewhere far would leave from, or nothing."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.connect(_FAR[family])
            return str(sock.getsockname()[0])
    except OSError:
        return ""
