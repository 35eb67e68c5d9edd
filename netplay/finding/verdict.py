"""What attempts to reach a node tell: which kind of place answers, and what may help.

A friend of the same network proves nothing about the internet: a router may lead a call
from inside to where none from outside comes.  But who fails from so near has met this
computer's own firewall and no router's.
"""

from collections.abc import Sequence
from contextlib import suppress
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, NamedTuple

from netplay.errors import LocalError
from netplay.peering.address import parse
from netplay.said import Said, Words
from netplay.sentences import Says

SHARED: Final = ip_network("100.64.0.0/10")
"""Addresses that a provider shares among its customers (RFC 6598)."""

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


class Try(NamedTuple):
    """A peer's attempt to reach this node."""

    name: str
    host: str
    """Where it dialled us, or whence it came."""
    error: Words
    """Why it failed, empty if it did not."""
    near: bool = False
    """The peer is in the same network."""


class Standing(NamedTuple):
    """What a node knows of its own addresses, to tell why it is not reached."""

    own: tuple[str, ...] = ()
    """Those of its interfaces."""
    outside: str = ""
    """The router's."""
    mapped: tuple[str, ...] = ()
    """At which routers say that they pass the port on."""


def judge(tries: Sequence[Try], standing: Standing) -> Verdict:
    """Return what peers' attempts to reach this node tell, of each kind of place."""
    far = [
        one for one in tries if not one.near and distance(one.host) is Scope.INTERNET
    ]
    done = {kind_of(one.host): one for one in reversed(far) if not one.error}
    failed = {kind_of(one.host): one for one in reversed(far) if one.error}
    near = [one for one in tries if one not in far and _tells(one, standing)]
    inside = [one for one in near if not one.error]
    words = [_reached(one) for _kind, one in sorted(done.items())]
    if inside and not done:
        words.append(_reached_inside(inside, alone=not failed))
    if not (done or inside):
        failed = {**{kind_of(one.host): one for one in near}, **failed}
    for kind, one in sorted(failed.items()):
        if kind not in done:
            words.append(_failed(one, standing, _here(near, kind)))
    if not words:
        return NOBODY
    return Verdict(_scope(done, inside), _joined(words))


def _scope(done: dict[str, Try], inside: Sequence[Try]) -> Scope:
    if done:
        return Scope.INTERNET
    if not inside:
        return Scope.NO
    alone = all(distance(one.host) is Scope.COMPUTER for one in inside)
    return Scope.COMPUTER if alone else Scope.NETWORK


def _joined(words: Sequence[Said]) -> Said:
    whole = words[0]
    for more in words[1:]:
        whole = Says.THEN(first=whole, then=more)
    return whole


def _tells(one: Try, standing: Standing) -> bool:
    """Return whether an attempt from near, or at a place of near, says anything.

    One that came out at the router's far side, to come in again, does not.
    """
    return not one.error or str(number_in(one.host)) in _bare(standing.own)


def _here(near: Sequence[Try], kind: str) -> bool | None:
    """Return whether this computer itself takes calls, None if nobody knows."""
    known = [not one.error for one in near if kind_of(one.host) == kind]
    return any(known) if known else None


def _reached(one: Try) -> Said:
    """Return what an attempt from the internet that has succeeded tells."""
    name = one.name or Says.SOMEBODY()
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


def _failed(one: Try, standing: Standing, here: bool | None) -> Said:
    return Says.NOT_REACHED(
        kind=kind_of(one.host),
        name=one.name,
        host=one.host,
        why=one.error,
        advice=advice(one.host, standing, here=here),
    )


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
        return _advice_six(str(number) in standing.mapped, here=here)
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
    """Return what may help if more than one router is in the way, None if not.

    Args:
        number: Where the node was dialled.
        standing: What it knows of its addresses.
    """
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


def _advice_six(mapped: bool, *, here: bool | None) -> Said:
    """Return what may help by IPv6, where only firewalls are in the way."""
    if here:
        return Says.ADVICE_SIX_ROUTER()
    return Says.ADVICE_BEHIND_MAPPING() if mapped else Says.ADVICE_SIX()


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
