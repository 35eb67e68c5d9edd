"""What becomes of a table: a state returns one of these, and `Place` makes the next.

So no state has to know the others, and each change is made in one place: the old state
says goodbye and lets its files go, then the new one begins.
"""

from typing import TypeAlias

from msgspec import Struct

from netplay.match.match import Match
from netplay.messages.log import LogMessage
from netplay.messages.table import Proposal
from netplay.record.ledger import Ledger
from netplay.table.forming import Forming
from netplay.table.resources import Kind


class Gone(Struct, frozen=True):
    """Nothing is left of the table; a match stays on the disk."""


class Form(Struct, frozen=True):
    """This node hosts a table, and others may come to it."""

    table: Forming


class Sit(Struct, frozen=True):
    """This node is a guest at another's table, or is called to one."""

    host: bytes
    ask: int | None = None
    """The seat to ask for, -1 for any; None if the host has called."""
    table: bytes = b""
    """The nonce of the table wanted; empty for whichever is open to this node."""
    wanted: bool = True
    """The player wants to; else somebody unknown calls."""
    proposal: Proposal | None = None
    """What the host has proposed, to be looked at."""
    agreed: Proposal | None = None
    """To what the player has said yes already; None if that is the first to come."""
    kept: bool = False
    """A friend asks: that is kept while the friend is away, and so is the answer."""
    handed: bytes = b""
    """The match in which a seat is offered, for one that is being played."""


class TakeUp(Struct, frozen=True):
    """A match is taken up: to play in it, or to watch it on."""

    ledger: Ledger
    key: bytes = b""
    """Who has spoken of it,"""
    message: LogMessage | None = None
    """and what was said; None if it was opened here."""


class PlayOn(Struct, frozen=True):
    """A seat of the match that is watched was handed to this node."""

    match: Match


class CallHost(Struct, frozen=True):
    """This node calls a host, to ask for a seat when it answers."""

    address: str
    seat: int
    """-1 for any."""
    table: bytes = b""
    """As in `Sit`."""


class AskToWatch(Struct, frozen=True):
    """This node asks at an address to be let watch."""

    address: str
    match: bytes = b""
    """Which match; empty for what is played there."""


class WatchOn(Struct, frozen=True):
    """What this node has asked to watch is here, and begins."""

    ledger: Ledger
    key: bytes
    message: LogMessage


class FetchWords(Struct, frozen=True):
    """A match that is kept here waits for its edition or its words."""

    match: bytes
    nonce: bytes
    """Of its terms."""
    members: frozenset[bytes]
    """The others, who have what is missing."""
    missing: tuple[tuple[Kind, bytes], ...]


class GoOn(Struct, frozen=True):
    """A match that is kept here is to go on, if it can."""

    match: bytes


Change: TypeAlias = (
    Gone
    | Form
    | CallHost
    | Sit
    | TakeUp
    | PlayOn
    | AskToWatch
    | WatchOn
    | FetchWords
    | GoOn
)
