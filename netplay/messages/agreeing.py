"""What players offer one another and have agreed on, as windows show and ask it."""

from typing import Literal

from netplay.messages.offers import DaysOff, What
from netplay.messages.types import DoorMessage, Natural


class OfferStatus(DoorMessage, frozen=True):
    """An offer that stands."""

    seat: int
    """Who offers."""
    what: What
    days: int
    """Off, if it asks for these."""
    head: bytes
    """What an answer names it by."""
    asked: tuple[int, ...]
    """Seats that have yet to answer."""


class Agreeing(DoorMessage, frozen=True):
    """What stands between the players of a match, and how they have ended it."""

    standing: tuple[OfferStatus, ...] = ()
    may: tuple[tuple[int, What], ...] = ()
    """(seat, what): what persons here may offer now."""
    ended: Literal["", "draw", "stop"] = ""
    """The players have agreed to that."""
    off: tuple[tuple[int, int], ...] = ()
    """(seat, seconds): whose days stand still, and for how long."""


class MakeOffer(DoorMessage, frozen=True, tag="offer"):
    """Offer the others something for a seat here."""

    seat: Natural
    what: What
    days: DaysOff = 0


class AnswerOffer(DoorMessage, frozen=True, tag="answer-offer"):
    """Agree to an offer for a seat here, or decline it; decline one's own, too."""

    seat: Natural
    agrees: bool
    head: bytes = b""
    """Which; empty for the only one."""
