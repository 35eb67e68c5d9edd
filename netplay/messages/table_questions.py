"""What windows and commands ask of a table besides play: seats, bystanders, rematch."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from netplay.messages.agreeing import AnswerOffer, MakeOffer
from netplay.messages.preparing import DropPrepared, Prepare
from netplay.messages.types import Admission, DoorMessage, Natural


class WatchAt(DoorMessage, frozen=True, tag="watch-at"):
    """Ask a player to be let watch."""

    address: str
    """As for `Join`."""


class StandIn(DoorMessage, frozen=True, tag="stand-in"):
    """Let a computer player play for the persons here, or for none of them."""

    skill: Annotated[int, Meta(ge=0, le=100)] | None = None


class Kick(DoorMessage, frozen=True, tag="kick"):
    """As host, free the seat of a player, who cannot take it again."""

    whom: str
    """A key or a name."""


class TakeBack(DoorMessage, frozen=True, tag="take-back"):
    """Take back the last move that was made at a seat here, and has not left."""

    seat: Natural


class HandSeat(DoorMessage, frozen=True, tag="hand"):
    """Agree that a seat passes to another player."""

    seat: Natural
    whom: str
    """A key or a name."""


class Vote(DoorMessage, frozen=True, tag="vote"):
    """Agree to go on with another host at once."""


class LetWatch(DoorMessage, frozen=True, tag="let-watch"):
    """Say who may watch."""

    who: Admission


class AnswerWatcher(DoorMessage, frozen=True, tag="answer-watcher"):
    """Say whether somebody may watch."""

    allow: bool
    whom: str = ""
    """A key or a name; empty where only one asks."""


class PlayAgain(DoorMessage, frozen=True, tag="play-again"):
    """Say yes to a rematch, or ask for one."""


class LendSeat(DoorMessage, frozen=True, tag="lend"):
    """Lend a person's seat here to a browser; reply with what opens it, once."""

    seat: Natural
    on: bool = True
    """False to lend it no more."""


class Glance(DoorMessage, frozen=True, tag="glance"):
    """Reply with the board of a table in hand as a bystander sees it: a `View`."""

    table: Natural


class Appraise(DoorMessage, frozen=True, tag="appraise"):
    """Reply with a turn of a match that is over beside the best plays there were."""

    number: Natural
    """Of the move in the history."""


class ClaimTime(DoorMessage, frozen=True, tag="claim-time"):
    """Say that whoever keeps the player waiting has had all days to think."""


class Mute(DoorMessage, frozen=True, tag="mute"):
    """Tell the player nothing more of a table, or of what somebody writes."""

    on: bool
    whom: str = ""
    """A key or a name; empty for the table."""


class SetQuiet(DoorMessage, frozen=True, tag="quiet"):
    """Tell the player nothing in some hours of every day."""

    hours: str
    """As they were typed; empty for none."""


TableQuestion: TypeAlias = (
    LendSeat
    | WatchAt
    | StandIn
    | Kick
    | TakeBack
    | HandSeat
    | Vote
    | LetWatch
    | AnswerWatcher
    | PlayAgain
    | Glance
    | Appraise
    | ClaimTime
    | Mute
    | SetQuiet
    | MakeOffer
    | AnswerOffer
    | Prepare
    | DropPrepared
)
