"""Nodes nearby: what a beacon says, and who has been heard.

Theory of operation.  A node to which others may come - a table with free seats, or
somebody waiting to be called - says so every few seconds to everybody on its network,
at once when that changes, and once more when it is over.  A node that starts asks, and
whoever has something to offer answers at once.

A beacon is one UDP datagram of at most 512 bytes: the eight bytes `netplay` and the
version, 1, then the msgpack array of the fields of `Beacon`, in the one encoding that
`netplay.wire` allows.  Nothing in it is proved: it says where to knock, and the key is
checked when the link is made.  What is not exactly this is not heard at all.
"""

from collections import Counter
from ipaddress import ip_address
from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import replace

from netplay.errors import PeerError
from netplay.limits import (
    BEACON_BYTES,
    BEACON_LIFE_SECONDS,
    BEACON_PAUSE_SECONDS,
    BEACON_SECONDS,
    NEIGHBOURS,
    NEIGHBOURS_AN_ADDRESS,
)
from netplay.messages.types import NAME_CHARACTERS, SEATS, Key, Message, Name, Word
from netplay.peering.address import Address
from netplay.sanitize import clean
from netplay.wire import pack, unpack
from rules import GAMES

MAGIC: Final = b"netplay\x01"

WORD_CHARACTERS: Final = 32
"""Of a game or version, after sanitising."""

NEVER: Final = float("inf")


class Beacon(Message, frozen=True):
    """Here I am."""

    key: Key
    name: Name
    """The player's."""
    port: Annotated[int, Meta(ge=0, le=65535)]
    """Where the sender listens; 0: do not come, or not any more."""
    game: Word
    """Of the open table; empty for one who waits to be called."""
    free: Annotated[int, Meta(ge=0, le=SEATS)]
    """Seats that anybody may take."""
    version: Word
    """Of the program, for people to read."""
    asks: bool
    """Say at once whether you are there."""


def encode(beacon: Beacon) -> bytes:
    """Return the datagram of a beacon."""
    return MAGIC + pack(beacon)


def decode(data: bytes) -> Beacon | None:
    """Return the beacon in a datagram from anywhere, fit to be shown; else None."""
    if len(data) > BEACON_BYTES or not data.startswith(MAGIC):
        return None
    try:
        beacon: Beacon = unpack(data[len(MAGIC) :], Beacon)
    except PeerError:
        return None
    game = beacon.game
    return replace(
        beacon,
        name=clean(beacon.name, NAME_CHARACTERS),
        game=game if game in GAMES else clean(game, WORD_CHARACTERS),
        version=clean(beacon.version, WORD_CHARACTERS),
    )


class Herald:
    """When to say what: the sending side, without a socket."""

    def __init__(self, key: bytes, version: str) -> None:
        """Begin with nothing to offer and one question.

        Args:
            key: This node's.
            version: Of the program.
        """
        self._key: Final = key
        self._version: Final = version
        self._said: Beacon | None = None
        """What others believe of us."""
        self._asks = True
        self._asked = False
        self._last = -NEVER

    def offer(self, name: str, port: int, game: str, free: int) -> Beacon:
        """Return the beacon of a node to which others may come."""
        return Beacon(self._key, name, port, game, free, self._version, asks=False)

    def asked(self) -> None:
        """Note that somebody wants to know at once."""
        self._asked = True

    def due(self, offer: Beacon | None) -> float:
        """Return when `next` has something to say, if the offer stays as it is."""
        if self._asks or offer != self._said or (self._asked and offer is not None):
            return self._last + BEACON_PAUSE_SECONDS
        return NEVER if offer is None else self._last + BEACON_SECONDS

    def next(self, offer: Beacon | None, now: float) -> bytes | None:
        """Return the datagram to send now, if any.

        Args:
            offer: What this node has to offer at present; None for nothing.
            now: Seconds.
        """
        if offer is None:
            self._asked = False
        if now < self.due(offer):
            return None
        beacon = self.offer("", 0, "", 0) if offer is None else offer
        data = encode(replace(beacon, asks=self._asks))
        self._said, self._last = offer, now
        self._asks = self._asked = False
        return data

    def goodbye(self) -> bytes | None:
        """Return the last datagram; None if nobody believes that we are here."""
        if self._said is None:
            return None
        self._said = None
        return encode(self.offer("", 0, "", 0))


class _Heard:
    """A node nearby."""

    def __init__(self, beacon: Beacon, host: str, now: float) -> None:
        self.beacon = beacon
        self.host = host
        self.at_host = now
        """When it was last heard from this host."""
        self.at = now


class Neighbours:
    """The nodes that have been heard lately: the receiving side, without a socket."""

    def __init__(self, key: bytes) -> None:
        """Begin alone.

        Args:
            key: This node's own, which it does not listen to.
        """
        self._key: Final = key
        self._heard: dict[bytes, _Heard] = {}

    def hear(self, beacon: Beacon, host: str, now: float) -> bool:
        """Take a beacon; return whether the list has changed.

        Args:
            beacon: As `decode` gave it.
            host: The address it came from.
            now: Seconds.
        """
        old = self._heard.get(beacon.key)
        if beacon.key == self._key:
            return False
        if not beacon.port:
            # Anybody could say that another has gone; only the same computer may.
            if old is None or old.host != host:
                return False
            del self._heard[beacon.key]
            return True
        if old is None:
            return self._add(beacon, host, now)
        before = old.host, old.beacon
        if old.host == host or _replaces(host, old, now):
            old.host, old.at_host = host, now
        old.beacon, old.at = replace(beacon, asks=False), now
        return (old.host, old.beacon) != before

    def _add(self, beacon: Beacon, host: str, now: float) -> bool:
        """Add a node, if there is room."""
        at_host = Counter(heard.host for heard in self._heard.values())[host]
        if len(self._heard) >= NEIGHBOURS or at_host >= NEIGHBOURS_AN_ADDRESS:
            return False
        self._heard[beacon.key] = _Heard(replace(beacon, asks=False), host, now)
        return True

    def wake(self, now: float) -> bool:
        """Forget who has fallen silent; return whether there was anybody."""
        gone = [
            key
            for key, heard in self._heard.items()
            if heard.at + BEACON_LIFE_SECONDS <= now
        ]
        for key in gone:
            del self._heard[key]
        return bool(gone)

    def deadline(self) -> float:
        """Return when `wake` is due."""
        oldest = min((heard.at for heard in self._heard.values()), default=NEVER)
        return oldest + BEACON_LIFE_SECONDS

    def tables(self) -> tuple[tuple[str, str, str, int, str], ...]:
        """Return who is nearby, tables first: see `Status.nearby`."""
        found = [
            (
                Address(heard.host, heard.beacon.port).text(),
                heard.beacon.name,
                heard.beacon.game,
                heard.beacon.free,
                heard.beacon.version,
            )
            for heard in self._heard.values()
        ]
        return tuple(sorted(found, key=lambda one: (not one[2], one[1], one[0])))


def _replaces(host: str, old: _Heard, now: float) -> bool:
    """Return whether a node is better called at another address than so far.

    One with two interfaces is heard twice; its address should not flicker.
    """
    if old.at_host + BEACON_LIFE_SECONDS / 2 <= now:
        return True
    return _is_narrow(old.host) and not _is_narrow(host)


def _is_narrow(host: str) -> bool:
    """Return whether an address means something on one computer or link only."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_link_local or address.is_loopback
