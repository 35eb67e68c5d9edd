"""Bodies of the log by which players agree on something besides the rules."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from netplay.messages.types import Digest, Message, SeatNumber

DAYS_OFF: int = 14
"""Days that a player may be off at once: two weeks of holiday."""

What: TypeAlias = Literal["draw", "stop", "back", "days"]
"""A draw; to stop together, without a winner; to take back the last turn of the seat
that offers; days off for its player."""

DaysOff: TypeAlias = Annotated[int, Meta(ge=0, le=DAYS_OFF)]


class Wish(Message, frozen=True, tag=18):
    """A seat offers the others something, which all of them have to agree to."""

    seat: SeatNumber
    what: What
    """`draw`, `stop` together, take `back` the seat's last turn, or `days` off."""
    days: DaysOff
    """So many days off; 0 for anything else."""
    after: Digest
    """As in a Turn."""
    state: Digest
    """Of the public position it was made in."""


class Response(Message, frozen=True, tag=19):
    """A seat agrees to an offer, declines it, or takes its own back."""

    seat: SeatNumber
    offer: Digest
    """The head of the log right behind the entry with the offer."""
    agrees: bool
