"""What windows and commands ask of the node: whom it knows, how it is reached."""

from typing import Literal, TypeAlias

from netplay.messages.table_questions import GetFinished
from netplay.messages.types import DoorMessage, Natural
from netplay.said import Said, Words


class GetKnown(DoorMessage, frozen=True, tag="known"):
    """Reply with every node that was met or blocked, as `KnownNode`s."""


class Forget(DoorMessage, frozen=True, tag="forget"):
    """Trust another key from now on."""

    whom: str
    """A key, a name or an address."""


class Block(DoorMessage, frozen=True, tag="block"):
    """Hear from a player never again."""

    whom: str
    """A key or a name."""


class Unblock(DoorMessage, frozen=True, tag="unblock"):
    """Hear a player again who was blocked."""

    whom: str
    """A key or a name."""


class GetInvitation(DoorMessage, frozen=True, tag="invitation"):
    """Reply with the line that leads a friend to this node."""


Setting: TypeAlias = Literal["beacon", "map-port", "ask-servers", "offensive-words"]
"""What is on or off; the name by which it is kept, too."""


class Switch(DoorMessage, frozen=True, tag="switch"):
    """Switch something on or off, for later starts too."""

    setting: Setting
    on: bool


Carry: TypeAlias = Literal["off", "known", "friends"]
"""For whom a node carries: nobody, those whom its player knows, or also those whom
these want or let in."""


class SetCarry(DoorMessage, frozen=True, tag="carry"):
    """Carry for others, for later starts too."""

    carry: Carry


class AddCarrier(DoorMessage, frozen=True, tag="through"):
    """Be reached through a friend's node."""

    invitation: str


class RemoveCarrier(DoorMessage, frozen=True, tag="not-through"):
    """Be reached so no longer."""

    whom: str
    """An invitation, a key or a name."""


class Befriend(DoorMessage, frozen=True, tag="befriend"):
    """Treat a node that was met as one whom the player has called."""

    whom: str
    """A key or a name."""


class SetPort(DoorMessage, frozen=True, tag="port"):
    """Listen at another port from the next start."""

    port: str
    """As it was typed."""


class NameServers(DoorMessage, frozen=True, tag="servers"):
    """Ask these public servers where our calls come from, instead of the usual ones."""

    servers: str
    """Addresses, as they were typed; nothing for the usual ones."""


class CheckReach(DoorMessage, frozen=True, tag="reach"):
    """Reply whether others reach this node, once they have tried."""


class CountWindows(DoorMessage, frozen=True, tag="windows"):
    """Reply how many windows are open."""


class ShowLine(DoorMessage, frozen=True, tag="show-line"):
    """Show an invitation that was clicked in a window that is open.

    Reply what was done, or nothing where no window has taken it.
    """

    line: str


class Shown(DoorMessage, frozen=True, tag="shown"):
    """This window has taken what was `Clicked`."""

    number: Natural


class PutAway(DoorMessage, frozen=True, tag="put-away"):
    """Tell of a fault no more, in no window, as long as this node lives."""

    fault: Said


NodeQuestion: TypeAlias = (
    GetKnown
    | PutAway
    | Forget
    | Block
    | Unblock
    | GetInvitation
    | Switch
    | SetPort
    | NameServers
    | SetCarry
    | AddCarrier
    | RemoveCarrier
    | Befriend
    | CheckReach
    | CountWindows
    | ShowLine
    | Shown
    | GetFinished
)


# Other nodes as windows show them: on a link, met before, found nearby.


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


# What a window shows of lines: those carried for others, and who carries for us.


class CarrierStatus(DoorMessage, frozen=True):
    """A friend's node through which this one may be reached."""

    name: str
    invitation: str
    state: Literal["away", "carries", "declines"]


class CarryStatus(DoorMessage, frozen=True):
    """What is carried, for others and for us."""

    carry: Carry = "off"
    lines: int = 0
    """Carried for others now."""
    carried: Natural = 0
    """KiB, since the node was started."""
    letters: int = 0
    """Kept for others now."""
    carriers: tuple[CarrierStatus, ...] = ()
    """Through whom this node may be reached."""


# How others find a node and reach it, as windows show it.


Reached: TypeAlias = Literal["unknown", "no", "computer", "network", "internet"]
"""From how far away others have reached this node, as far as is known."""


class PlaceStatus(DoorMessage, frozen=True):
    """A place where this node may be reached."""

    address: str
    """As others must type it."""
    scope: Literal["network", "link", "internet"]
    """From where."""
    source: Literal["own", "router", "outside", "seen"]
    """An interface's address; the router passes the port on; the router's address, and
    nobody says that it does; a friend has seen us there."""
    by: str = ""
    """Who has tried it, empty for nobody yet."""
    ago: Natural = 0
    """Seconds since."""
    failed: Words = ""
    """Why that friend has not reached us there, empty if it has."""


PortsKind: TypeAlias = Literal["unknown", "keeps", "steady", "random"]
"""What a router does with the port where a node listens: see `outside`."""

Inviting: TypeAlias = Literal["fine", "near", "random"]
"""Of an invitation: it names a place of the internet; it does not; it cannot."""


class Network(DoorMessage, frozen=True):
    """How others find this node and reach it."""

    beacon: bool = False
    """Its open table is told to the network, and those of others are heard."""
    map_port: bool = False
    """The router is asked to pass the port on."""
    ask_servers: bool = False
    """Public servers are asked where our calls come from."""
    may_ask: bool = False
    """It might be, others may want to come, and the player has not said yet."""
    mapping: Words = ""
    """What became of that."""
    external: str = ""
    """Where the router passes it on, empty if it does not."""
    reach: Reached = "unknown"
    reached: Words = ""
    """The same as a sentence."""
    places: tuple[PlaceStatus, ...] = ()
    """All the places of this node, the most likely first: what an invitation names."""
    ports: PortsKind = "unknown"
    """What the router does with our port."""
    outer: int = 0
    """What it makes of it, if that is steady."""
    inviting: Inviting = "fine"
    """What is to be known of an invitation that leads here now."""
    carry: CarryStatus = CarryStatus()
