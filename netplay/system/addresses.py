"""By which addresses others may reach this computer: those of every interface.

Only psutil tells them alike on Linux, macOS and Windows, with what is up and which
cable is in.  Linux says of an IPv6 address whether it will soon be another one; the
other systems do not say so to programs.
"""

import socket
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import Final, NamedTuple

import psutil

EVERYWHERE: Final = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6}  # noqa: S104 (compared, not bound)
"""What stands for all addresses of a family."""

INET_6: Final = Path("/proc/net/if_inet6")
"""Linux's list of IPv6 addresses, with their flags."""

_PASSING: Final = 0x01 | 0x20 | 0x40 | 0x08
"""Flags of addresses for a while, about to go, not in use yet, or in use by another."""

_FAR: Final = {socket.AF_INET: ("192.0.2.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}
"""Documentation's own addresses: nothing is sent, the system only picks a route."""

BRIDGES: Final = ("br-", "docker", "veth", "virbr", "vmnet", "vboxnet")
"""Begin the names of interfaces within a computer: nobody comes to them."""


class Own(NamedTuple):
    """An address of an interface."""

    interface: str
    address: str
    """A link-local IPv6 address with its interface: `fe80::1%eth0`."""
    aside: bool = False
    """The interface is a VPN or the like, or a bridge within this computer."""


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
        return own.aside, own.address not in usual, ":" in own.address

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
            Own(name, host, "pointopoint" in flags or name.startswith(BRIDGES))
            for host in (_host(address, name, passing) for address in addresses)
            if host
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


def _host(address: str, name: str, passing: frozenset[str]) -> str:
    """Return an address as people write it, a link-local IPv6 one with its interface.

    Empty if others cannot use it for long.

    Args:
        address: As psutil has it: an IP number, or that of the hardware.
        name: The interface's.
        passing: IPv6 addresses that do not last.
    """
    try:
        number = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if str(number) in passing:
        return ""
    if number.is_loopback or number.is_unspecified or number.is_multicast:
        return ""
    linked = number.version == 6 and number.is_link_local
    return f"{number}%{name}" if linked else str(number)


def _towards(family: socket.AddressFamily) -> str:
    """Return the address a packet to somewhere far would leave from, or nothing."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.connect(_FAR[family])
            return str(sock.getsockname()[0])
    except OSError:
        return ""
