"""Who may knock: limits on strangers, before they have proved anything.

Each address may connect so often, and only so many connections may stand in the door
at once.  When there are more, the one that has stood there longest goes: whoever means
well is through the handshake in a second, whoever is idle makes room.
"""

from collections.abc import Hashable
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

from netplay.limits import (
    ADDRESSES_REMEMBERED,
    DIALS_A_MINUTE,
    DIALS_AT_ONCE,
    HALF_OPEN,
    HALF_OPEN_AN_ADDRESS,
)
from netplay.rate import Bucket


class Verdict(NamedTuple):
    """What to do about a new connection."""

    admit: bool
    evict: Hashable | None
    """The visitor to send away for it, if any."""


class Gate:
    """The connections that are in their handshake, and how often each address came."""

    def __init__(self) -> None:
        """Start with nobody at the door."""
        self._standing: dict[Hashable, str] = {}
        self._buckets: dict[str, Bucket] = {}

    def knock(self, ip: str, visitor: Hashable, now: float) -> Verdict:
        """Judge a new connection; if admitted, it stands at the door until `leave`.

        Args:
            ip: The address it comes from.
            visitor: What names it.
            now: Seconds.
        """
        net = network(ip)
        if not self._may_come(net, now):
            return Verdict(admit=False, evict=None)
        evict = self._in_the_way(net)
        self._standing.pop(evict, None)
        self._standing[visitor] = net
        return Verdict(admit=True, evict=evict)

    def leave(self, visitor: Hashable) -> None:
        """Note that a visitor is through or gone."""
        self._standing.pop(visitor, None)

    def _in_the_way(self, net: str) -> Hashable | None:
        """Return who must go if one more from this network comes."""
        mine = [v for v, other in self._standing.items() if other == net]
        if len(mine) >= HALF_OPEN_AN_ADDRESS:
            return mine[0]
        if len(self._standing) >= HALF_OPEN:
            return next(iter(self._standing))
        return None

    def _may_come(self, net: str, now: float) -> bool:
        """Return whether an address does not come too often."""
        bucket = self._buckets.pop(net, None)
        if bucket is None:
            bucket = Bucket(DIALS_A_MINUTE / 60, DIALS_AT_ONCE, now)
            while len(self._buckets) >= ADDRESSES_REMEMBERED:
                del self._buckets[next(iter(self._buckets))]
        self._buckets[net] = bucket
        return bucket.take(now)


def network(ip: str) -> str:
    """Return what counts as one address: an IPv4 one, or an IPv6 /64 network."""
    try:
        address = ip_address(ip.partition("%")[0])
    except ValueError:
        return ip
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return address.exploded[:19]
    return str(address)
