"""How often something may happen: a token bucket, told the time; one for each key."""

from collections.abc import Hashable
from ipaddress import IPv6Address, ip_address
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


class Bucket:
    """Allow a sustained rate and a burst above it."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        """Start full.

        Args:
            rate: Tokens that come back a second.
            burst: Tokens the bucket holds.
            now: Seconds on the clock that `take` will be told.
        """
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._at = now

    def take(self, now: float, tokens: float = 1) -> bool:
        """Take a token, or several; return whether there were so many."""
        gained = (now - self._at) * self._rate
        self._tokens = min(self._burst, self._tokens + gained)
        self._at = now
        if self._tokens < tokens:
            return False
        self._tokens -= tokens
        return True

    def wait(self, now: float, tokens: float = 1) -> float:
        """Return the seconds until there are so many, if nobody takes one before.

        A millisecond at the least: clocks are rounded, and who comes a moment early
        would ask again and again.
        """
        missing = tokens - self._tokens - (now - self._at) * self._rate
        return max(0.001, missing / self._rate)

    def full(self, now: float) -> bool:
        """Return whether the bucket has nothing left to remember."""
        return self._tokens + (now - self._at) * self._rate >= self._burst


class Buckets(Generic[Key]):
    """A bucket for each of many, all alike, the one that was used last at the end."""

    def __init__(self, rate: float, burst: float, most: int | None = None) -> None:
        """Remember nobody.

        Args:
            rate: Tokens that come back a second, to each.
            burst: Tokens that each holds.
            most: How many are remembered: the one used longest ago is forgotten first.
                None for all, where there cannot be many, or where `forget` is called.
        """
        self._rate, self._burst, self._most = rate, burst, most
        self._each: dict[Key, Bucket] = {}

    def __len__(self) -> int:
        """Return how many are remembered."""
        return len(self._each)

    def take(self, key: Key, now: float, tokens: float = 1) -> bool:
        """Take a token of one's, or several; return whether there were so many."""
        return self.of(key, now).take(now, tokens)

    def of(self, key: Key, now: float) -> Bucket:
        """Return the bucket of one, to wait at."""
        bucket = self._each.pop(key, None)
        if bucket is None:
            bucket = Bucket(self._rate, self._burst, now)
            if len(self._each) == self._most:
                del self._each[next(iter(self._each))]
        self._each[key] = bucket
        return bucket

    def forget(self, now: float) -> None:
        """Forget all whose bucket is full: a new one is the same."""
        self._each = {k: each for k, each in self._each.items() if not each.full(now)}


def network(ip: str, narrow: int = 32, wide: int = 64) -> str:
    """Return what counts as one address: an IPv4 one, or an IPv6 /64 network.

    Whoever has one IPv6 address has all those of its network, too.

    Args:
        ip: An address; what is none stands for itself.
        narrow: Bits of an IPv4 network, in whole bytes.
        wide: Bits of an IPv6 network, in whole groups of sixteen.
    """
    try:
        address = ip_address(ip.partition("%")[0])
    except ValueError:
        return ip
    if isinstance(address, IPv6Address):
        if not address.ipv4_mapped:
            return ":".join(address.exploded.split(":")[: wide // 16])
        address = address.ipv4_mapped
    return ".".join(str(address).split(".")[: narrow // 8])
