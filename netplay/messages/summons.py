"""What calls a player who looks elsewhere, and what the player has clicked there."""

from typing import Literal, TypeAlias

from netplay.messages.types import DoorMessage, Natural

Reason: TypeAlias = Literal["turn", "time", "over", "chat", "offer", "agreed"]
"""It is the player's turn, and a quarter of its days is left; the match is over;
somebody has written; another offers something; all have agreed to the player's table,
who is to begin the match."""


class Summons(DoorMessage, frozen=True, tag="summons"):
    """Something has come to wait for the player: nothing of tiles or chat is in it."""

    table: Natural
    """The number of the table."""
    reason: Reason
    game: str
    who: tuple[str, ...]
    """The other players; of chat, who wrote."""


class Clicked(DoorMessage, frozen=True, tag="clicked"):
    """An invitation was clicked elsewhere: show it, call nobody, answer `Shown`."""

    number: Natural
    """For `Shown`."""
    line: str
