"""Other nodes as windows show them: on a link, met before, found nearby."""

from netplay.messages.types import DoorMessage
from netplay.said import Words


class PeerStatus(DoorMessage, frozen=True):
    """A node this one knows of."""

    name: str
    key: str
    address: str
    connected: bool
    since: int
    doubt: Words = ""
    """As of a seat."""
    through: str = ""
    """Who carries the link, by name; empty where nobody does."""


class KnownNode(DoorMessage, frozen=True):
    """A node that was met before: what the verb `peers` tells."""

    name: str
    key: str
    """Its fingerprint."""
    addresses: tuple[str, ...]
    """Where it was last, the latest first."""
    trusted: tuple[str, ...]
    """Addresses at which only its key will do."""
    blocked: bool = False
    """Nothing is heard from it."""
    doubt: Words = ""
    """As of a seat."""


class Neighbour(DoorMessage, frozen=True):
    """A node found on the network."""

    address: str
    name: str
    """Of the host's player, or of the one who waits to be called."""
    game: str
    """Empty for one who waits."""
    free: int
    """Seats, 0 for a match that may be watched."""
    version: str
    key: str = ""
    """Its fingerprint."""
    doubt: Words = ""
    """As of a seat."""
    invitation: str = ""
    """How to call it, so that no other node will do."""
