"""What a window shows of lines: those carried for others, and who carries for us."""

from typing import Literal

from netplay.messages.node_questions import Carry
from netplay.messages.types import DoorMessage, Natural


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
