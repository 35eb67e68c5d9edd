"""What windows and commands ask of the node: whom it knows, how it is reached."""

from typing import Literal, TypeAlias

from netplay.messages.finished import GetFinished
from netplay.messages.types import DoorMessage, Natural
from netplay.said import Said


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


Setting: TypeAlias = Literal["beacon", "map-port", "offensive-words"]
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
