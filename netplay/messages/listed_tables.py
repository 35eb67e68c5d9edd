"""Tables as lists show them: those in hand, those open at a host who was called."""

from typing import Literal, TypeAlias

from netplay.messages.finished import Result
from netplay.messages.types import DoorMessage, Natural
from netplay.said import Words

Phase: TypeAlias = Literal[
    "forming", "starting", "playing", "paused", "over", "stopped"
]
"""forming: terms are being agreed; starting: seeds and the bag; paused: a peer that
is needed is away; over: the rules have ended the match; stopped: somebody left."""


AskedState: TypeAlias = Literal["", "undelivered", "left", "unanswered"]
"""How far somebody who is away was asked to a table; left: a friend keeps it."""


class GameStatus(DoorMessage, frozen=True):
    """A table in hand, as the list of games shows it."""

    table: Natural
    """What windows and commands call it by."""
    match: bytes
    """Empty before the start."""
    mode: str
    """hosting, called, calling, fetching, joined or watching."""
    phase: Phase
    """Of one that is called for: forming."""
    game: str
    """Empty while it is not known."""
    players: tuple[str, ...]
    """In turn order; of one that is called for the address."""
    turn: tuple[int, ...]
    """Seats the match waits for."""
    mine: bool
    """It waits for the player here: for a move, or for a yes."""
    since: Natural
    """Seconds since it has waited for this."""
    clock: int
    """Milliseconds left on the clock of who is on turn, -1 without one."""
    unread: Natural
    """Lines of chat that no window has shown."""
    undelivered: bool
    """What was done here last is at no other node yet."""
    away: tuple[str, ...]
    """Players who cannot be reached."""
    waiting: Words = ""
    """As of the table."""
    asked: AskedState = ""
    """Of the seat whose player has heard least of it."""
    entries: Natural = 0
    """How long the match is: what its board looks like changes with it."""
    own: tuple[int, ...] = ()
    """Seats of persons here."""
    muted: bool = False
    """The player is told nothing of it."""
    left: int | None = None
    """Seconds that the turn may yet take, 0 once they are over; None: no limit."""
    off: tuple[tuple[str, int], ...] = ()
    """Names of those who have days off, and for how many more seconds."""
    result: Result = ""
    """Of the seats here, once it is over."""
    audit: Words = ""
    """As of the table."""


class OpenStatus(DoorMessage, frozen=True):
    """A table that is open at a host who was called."""

    game: str
    free: int
    """Seats; 0 for a match that may be watched."""
    players: tuple[str, ...]
