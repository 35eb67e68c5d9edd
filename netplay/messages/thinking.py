"""Days to think, as windows show them."""

from typing import Literal

from netplay.messages.table import Days
from netplay.messages.types import DoorMessage


class Thinking(DoorMessage, frozen=True):
    """How long a turn may take, and how long the one that is on may yet."""

    days: Days = 0
    """0 for as long as one likes."""
    left: int | None = None
    """Seconds, by this node's own record; below 0 once they are over."""
    claim: Literal["", "may", "made"] = ""
    """The player here may claim the turn, or has, and nobody has answered."""
    ends: bool = False
    """That resigns the seat; else the turn passes."""
