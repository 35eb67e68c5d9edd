"""Nodes nearby: what a beacon says, and who has been heard.

Theory of operation.  A node to which others may come - a table with free seats, or
somebody waiting to be called - says so every few seconds to everybody on its network,
at once when that changes, and once more when it is over.  A node that starts asks, and
whoever has something to offer answers at once.

A beacon is one UDP datagram of at most 512 bytes: the eight bytes `netplay` and the
version, 1, then the msgpack array of the fields of `Beacon`, in the one encoding that
`netplay.wire` allows, then its key's signature.  So nobody can speak for another, and
since each beacon of a key has a later time than the one before, nobody can say an old
one again.  It does not prove where the node is: whoever knocks demands the key.  What
is not exactly this is not heard at all.

Who has restarted with a clock that was put back says times that others have heard
already: whoever hears one says the latest of that key again, and its owner goes on from
there.

Anybody can make keys and be many nodes.  So the list is bounded, in all and for each
address; who is on it stays, and known keys take the places of unknown ones.
"""

from collections import Counter
from collections.abc import Callable, Container
from ipaddress import ip_address
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from netplay import limits
from netplay.errors import PeerError
from netplay.messages.table import OFFERS
from netplay.messages.types import (
    SEATS,
    SIGNATURE_BYTES,
    Key,
    Message,
    Name,
    Natural,
    Word,
)
from netplay.peering.address import Address
from netplay.rate import Buckets, network
from netplay.record.chance import tag
from netplay.record.log import check_signature
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.wire import pack, unpack

MAGIC: Final = b"netplay\x01"

WORD_CHARACTERS: Final = 32
"""Of a version, after sanitising."""

NEVER: Final = float("inf")


GameName: TypeAlias = Annotated[str, Meta(pattern="^[a-z0-9_-]{0,16}$")]
"""What a game may be called in a beacon: several have to fit a datagram."""


class Offer(Message, frozen=True):
    """What somebody may come for."""

    game: GameName
    """Of an open table, or of a match that may be watched; empty: the sender waits to
    be called."""
    free: Annotated[int, Meta(ge=0, le=SEATS)]
    """Seats that anybody may take."""


class Beacon(Message, frozen=True):
    """Here I am."""

    key: Key
    name: Name
    """The player's."""
    port: Annotated[int, Meta(ge=0, le=65535)]
    """Where the sender listens; 0: do not come, or not any more."""
    offers: Annotated[tuple[Offer, ...], Meta(max_length=OFFERS)]
    """Open tables first."""
    version: Word
    """Of the program, for people to read."""
    asks: bool
    """Say at once whether you are there."""
    time: Natural
    """Unix time in milliseconds by the sender's clock, later in each beacon."""


Sign: TypeAlias = Callable[[bytes], bytes]
"""Returns the Ed25519 signature of data."""


def unsigned(_data: bytes) -> bytes:
    """Return no signature: nobody will believe it."""
    return bytes(SIGNATURE_BYTES)


def beacon_data(packed: bytes) -> bytes:
    """Return what is signed of a beacon.

    Args:
        packed: Its encoding.
    """
    return tag("beacon") + packed


def encode(beacon: Beacon, sign: Sign) -> bytes:
    """Return the datagram of a beacon."""
    packed = pack(beacon)
    return MAGIC + packed + sign(beacon_data(packed))


class Heard(Struct, frozen=True):
    """A datagram that is a beacon, if its signature holds."""

    beacon: Beacon
    """Fit to be shown."""
    packed: bytes
    signature: bytes

    def holds(self) -> bool:
        """Return whether the node with the beacon's key has said this."""
        try:
            check_signature(self.beacon.key, self.signature, beacon_data(self.packed))
        except PeerError:
            return False
        return True


def decode(data: bytes) -> Heard | None:
    """Return the beacon in a datagram from anywhere; None if it is not exactly one."""
    if len(data) > limits.BEACON_BYTES or not data.startswith(MAGIC):
        return None
    body = data[len(MAGIC) :]
    packed, signature = body[:-SIGNATURE_BYTES], body[-SIGNATURE_BYTES:]
    try:
        beacon: Beacon = unpack(packed, Beacon)
    except PeerError:
        return None
    shown = replace(
        beacon,
        name=clean(beacon.name, NAME_CHARACTERS),
        version=clean(beacon.version, WORD_CHARACTERS),
    )
    return Heard(shown, packed, signature)


class Herald:
    """When to say what: the sending side, without a socket."""

    def __init__(self, key: bytes, version: str, sign: Sign) -> None:
        """Begin with nothing to offer and one question.

        Args:
            key: This node's.
            version: Of the program.
            sign: Signs with that key.
        """
        self._key: Final = key
        self._version: Final = version
        self._sign: Final = sign
        self._said: Beacon | None = None
        """What others believe of us."""
        self._asks = True
        self._asked = False
        self._last = -NEVER
        self._time = 0
        self.port = 0
        """Where friends may call who hear the question; 0 for nobody."""

    def offer(self, name: str, port: int, *offers: Offer) -> Beacon:
        """Return the beacon of a node to which others may come, its time left out."""
        version = self._version
        return Beacon(self._key, name, port, offers, version, asks=False, time=0)

    def restart(self) -> None:
        """Begin anew: nobody believes that we are here, and we want to know who is."""
        self._said, self._asks, self._last = None, True, -NEVER

    def asked(self) -> None:
        """Note that somebody wants to know at once."""
        self._asked = True

    def recall(self, time: int) -> None:
        """Take when we have spoken before, by another clock: we go on from there."""
        self._time = max(self._time, time)

    def due(self, offer: Beacon | None) -> float:
        """Return when `next` has something to say, if the offer stays as it is."""
        if self._asks or offer != self._said or (self._asked and offer is not None):
            return self._last + limits.BEACON_PAUSE_SECONDS
        return NEVER if offer is None else self._last + limits.BEACON_SECONDS

    def next(self, offer: Beacon | None, now: float, unix: int) -> bytes | None:
        """Return the datagram to send now, if any.

        Args:
            offer: What this node has to offer at present; None for nothing.
            now: Seconds.
            unix: The time of day, in seconds.
        """
        if offer is None:
            self._asked = False
        if now < self.due(offer):
            return None
        port = self.port if self._asks else 0
        beacon = self.offer("", port) if offer is None else offer
        data = self._signed(replace(beacon, asks=self._asks), unix)
        self._said, self._last = offer, now
        self._asks = self._asked = False
        return data

    def goodbye(self, unix: int) -> bytes | None:
        """Return the last datagram; None if nobody believes that we are here."""
        if self._said is None:
            return None
        self._said = None
        return self._signed(self.offer("", 0), unix)

    def _signed(self, beacon: Beacon, unix: int) -> bytes:
        """Return the datagram of a beacon, with a later time than any before."""
        self._time = max(self._time + 1, 1000 * unix)
        return encode(replace(beacon, time=self._time), self._sign)


class _Node:
    def __init__(self, beacon: Beacon, host: str, now: float) -> None:
        self.beacon = beacon
        self.host = host
        self.at_host = now
        """When it was last heard from this host."""
        self.at = now


class Found(Struct, frozen=True):
    """A node nearby, and where it is said to be."""

    beacon: Beacon
    address: str


class Circle(Struct, frozen=True):
    """Whom a node's player knows."""

    knows: Callable[[bytes], bool] = lambda _key: False
    """Tells whether a key was met."""
    blocked: Container[bytes] = frozenset[bytes]()
    """Keys that are not to be heard."""
    own: Callable[[], Container[str]] = tuple[str, ...]
    """Returns this computer's addresses."""


class Neighbours:
    """The nodes that have been heard lately: the receiving side, without a socket."""

    def __init__(self, key: bytes, circle: Circle) -> None:
        """Begin alone.

        Args:
            key: This node's own, which it does not listen to.
            circle: Whom its player knows.
        """
        self._key: Final = key
        self._circle: Final = circle
        self._nodes: dict[bytes, _Node] = {}
        self._last: dict[bytes, Heard] = {}
        """Of each key the latest that was heard, those of long ago first."""
        self._unheard: Heard | None = None
        """What somebody has said by a later clock than it has now."""
        self._reminded = -NEVER
        self._rates: Final = Buckets[str](
            limits.BEACONS_A_SECOND, limits.BEACONS_AT_ONCE, limits.ADDRESSES_REMEMBERED
        )

    def clear(self) -> None:
        """Forget who is nearby, not what they have said."""
        self._nodes.clear()

    def hear(self, heard: Heard, host: str, now: float, unix: int) -> Beacon | None:
        """Take a beacon; return it if it is news, whatever it says; also one of ours.

        Args:
            heard: As `decode` gave it.
            host: The address it came from.
            now: Seconds.
            unix: The time of day, in seconds.
        """
        beacon, key = heard.beacon, heard.beacon.key
        if key in self._circle.blocked:
            return None
        last = self._last.get(key)
        before = -1 if last is None else last.beacon.time
        if abs(beacon.time - 1000 * unix) > 1000 * limits.BEACON_SKEW_SECONDS:
            return None
        # Checking costs time: a host may say only so much.
        if not self._rates.take(network(host), now) or not heard.holds():
            return None
        if beacon.time < before:
            self._unheard = last if key != self._key else None
            return None
        if beacon.time == before:
            # By another way, or said by another. It tells nothing, but on this computer
            # itself, where the way that has an address which others can use is better.
            old = self._nodes.get(key)
            if old is not None and _is_narrow(old.host) and host in self._circle.own():
                old.host = host
            if old is not None and old.host == host:
                old.at_host = now
            return None
        # Strangers are forgotten first.
        self._last.pop(key, None)
        self._last[key] = heard
        if len(self._last) > limits.NEIGHBOURS_REMEMBERED:
            idle = (k for k in self._last if k not in self._nodes and k != key)
            strange = (k for k in idle if not self._circle.knows(k))
            del self._last[next(strange, next(iter(self._last)))]
        return beacon

    @property
    def reminds(self) -> bool:
        """Whether somebody is to be reminded of what it has said."""
        return self._unheard is not None

    def remind(self, now: float) -> bytes | None:
        """Return what is to be said again for whoever has said it, if anything.

        Args:
            now: Seconds.
        """
        last, self._unheard = self._unheard, None
        if last is None or now < self._reminded + limits.BEACON_PAUSE_SECONDS:
            return None
        node = self._nodes.get(last.beacon.key)
        if node is not None and _is_narrow(node.host):
            return None  # a copy from here would seem a better way to it
        self._reminded = now
        return MAGIC + last.packed + last.signature

    def enter(self, beacon: Beacon, host: str, now: float) -> bool:
        """Put news on the list; return whether it has changed.

        Args:
            beacon: As `hear` gave it.
            host: The address it came from.
            now: Seconds.
        """
        if beacon.key == self._key:
            return False
        old = self._nodes.get(beacon.key)
        if not beacon.port:
            return self._nodes.pop(beacon.key, None) is not None
        beacon = replace(beacon, asks=False)
        if old is None:
            return self._add(beacon, host, now)
        before = old.host, replace(old.beacon, time=0)
        # One with two interfaces is heard twice: its address should not flicker.
        late = old.at_host + limits.BEACON_LIFE_SECONDS / 2 <= now
        wider = _is_narrow(old.host) and not _is_narrow(host)
        if old.host == host or late or wider:
            old.host, old.at_host = host, now
        old.beacon, old.at = beacon, now
        return (old.host, replace(beacon, time=0)) != before

    def _add(self, beacon: Beacon, host: str, now: float) -> bool:
        """Add a node, if there is room; a known one takes the place of a stranger."""
        crowds = Counter(network(node.host) for node in self._nodes.values())
        crowd = crowds[network(host)]
        full = len(self._nodes) >= limits.NEIGHBOURS
        if full or crowd >= limits.NEIGHBOURS_AN_ADDRESS:
            # Of the strangers goes who came last, of the largest crowds if there is one
            most = max(crowds.values()) if full else crowd
            strangers = [key for key in self._nodes if not self._circle.knows(key)]
            crowded = [
                key
                for key in strangers
                if crowds[network(self._nodes[key].host)] >= most
            ]
            goes = next(reversed(crowded or strangers), None)
            if not self._circle.knows(beacon.key) or (full and goes is None):
                return False
            self._nodes.pop(goes or b"", None)
        self._nodes[beacon.key] = _Node(beacon, host, now)
        return True

    def forget_silent(self, now: float) -> bool:
        """Forget who has fallen silent; return whether there was anybody."""
        gone = [
            key
            for key, node in self._nodes.items()
            if node.at + limits.BEACON_LIFE_SECONDS <= now
        ]
        for key in gone:
            del self._nodes[key]
        return bool(gone)

    def deadline(self) -> float:
        """Return when `wake` is due."""
        oldest = min((node.at for node in self._nodes.values()), default=NEVER)
        return oldest + limits.BEACON_LIFE_SECONDS

    def tables(self) -> tuple[Found, ...]:
        """Return who is nearby: tables first, and of those the known."""
        found = [
            Found(node.beacon, Address(node.host, node.beacon.port).text())
            for key, node in self._nodes.items()
            if key not in self._circle.blocked
        ]
        return tuple(sorted(found, key=self._place))

    def _place(self, found: Found) -> tuple[bool, bool, str, str]:
        """Return what decides where a node stands in the list."""
        beacon = found.beacon
        stranger = not self._circle.knows(beacon.key)
        waits = not any(offer.game for offer in beacon.offers)
        return (waits, stranger, beacon.name, found.address)


def _is_narrow(host: str) -> bool:
    """Return whether an address means something on one computer or link only."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_link_local or address.is_loopback
