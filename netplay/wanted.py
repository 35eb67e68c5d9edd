"""What tables and matches want done: values that whoever drives them carries out."""

from typing import Any, Final, TypeAlias

from msgspec import Struct

from netplay.messages.door import Line, Notice, View
from netplay.messages.log import LogMessage
from netplay.messages.table import TableMessage
from netplay.messages.types import Key

EVERY_WINDOW: Final = -1
"""`Push.window` of what is for all of them."""

PeerMessage: TypeAlias = TableMessage | LogMessage
"""What links hand on to the tables; links keep Hello, Welcome, Ping, Pong and Bye."""


class Outgoing(Struct, frozen=True):
    """A message for one peer or several: encode it once, send it to each."""

    keys: tuple[Key, ...]
    """Peers that are up; one that has just gone away is skipped by the shell."""

    message: PeerMessage


class Push(Struct, frozen=True):
    """Something a window is told without having asked."""

    window: int
    """The window's number, or `EVERY_WINDOW`."""

    message: View | Notice | Line

    table: int = 0
    """Of which table it is, 0 for none."""


class Dial(Struct, frozen=True):
    """A link that a table would like to have.

    With an address and no key, whoever answers there is meant (trusted at first use).
    With a key, only that node will do; `address` may then be empty, and the shell
    tries every address it remembers for the key.
    """

    address: str
    key: Key | None
    calm: bool = False
    """Nobody waits for it: the match is over."""
    eager: bool = False
    """The player has called and waits: call at once again where a router refuses."""
    few: bool = False
    """A stranger has named the places, and may mean others: call seldom, see `Few`."""
    patient: bool = False
    """To watch, as many may: call once at a time, with growing waits."""
    once: int = 0
    """The number of a call that is made once, at nothing but the places that are known;
    0: call again and again."""


class Thought(Struct, frozen=True):
    """A computer player's turn, for a worker process."""

    match: bytes
    seat: int
    number: int
    """Give it back with the move: the position the thought was for."""

    game: str
    """Name in `rules.GAMES` and of the module in netplay/players."""

    view: Any
    """The seat's view, a state of the game."""

    skill: int

    program: bool = False
    """A program of the user's has the seat; a computer player stands behind it."""

    left: float | None = None
    """Seconds on the seat's clock, None without one."""

    hint: bool = False
    """For a person who asks: as a review would judge, the same each time."""
