"""How others find a node and reach it, as windows show it."""

from typing import Literal, TypeAlias

from netplay.messages.carry_status import CarryStatus
from netplay.messages.types import DoorMessage, Natural
from netplay.said import Words

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


class Network(DoorMessage, frozen=True):
    """How others find this node and reach it."""

    beacon: bool = False
    """Its open table is told to the network, and those of others are heard."""
    map_port: bool = False
    """The router is asked to pass the port on."""
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
    carry: CarryStatus = CarryStatus()
