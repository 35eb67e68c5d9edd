"""The tables as the node drives them: a core without sockets.

Theory of operation.  The node owns links, windows, processes and the clock; the tables
own seats, terms, the match, chat and files' content.  The node calls a method when
something happened, and afterwards always drains what came of it:

    tables.receive(key, message, now)  # or peer_up, ask, wake, thought ...
    for out in tables.take_outgoing(): ...   # syncs the disk first
    for push in tables.take_pushes(): ...
    news = tables.take_news()
    if news.changed: push a new Status
    if news.moved: redial tables.wants_dial()
    start news.wants.thoughts and jobs; sleep until news.wants.due

`now` is the node's monotonic clock in seconds.  No method blocks beyond one
fdatasync.  A PeerError out of `receive` means: send Bye with its code, hang up, and
call `peer_down`; the match is intact.  A `LocalError` of code DISK out of any method
is fatal for the table that it came from and has been pushed as a line already.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from netplay.match.masks import Result
from netplay.messages.door import Done, Failed, HostTable, Request, TableStatus, View
from netplay.messages.node_questions import Correspondent
from netplay.messages.table_questions import GameStatus, OpenStatus
from netplay.messages.types import Key
from netplay.record.store import Copy
from netplay.review.grading import Judged
from netplay.said import Said
from netplay.table.answers import Answerer
from netplay.table.letters import Letters
from netplay.table.match_files import Saved
from netplay.table.shared import Lends
from netplay.table.state import News, Wants
from netplay.table.unopened import UnopenedMatches
from netplay.wanted import Dial, Outgoing, PeerMessage, Push, Thought


class Core(Protocol):
    """The tables of a node."""

    def open_next(self, now: float) -> bool:
        """Go on with one more match of before; tell whether there are others."""
        ...

    @property
    def unopened(self) -> UnopenedMatches:
        """Matches of before with which nobody has gone on yet."""
        ...

    @property
    def letters(self) -> Letters:
        """What is written to members who are away, and read of them."""
        ...

    def peer_up(
        self, key: Key, name: str, address: str, now: float, *, friend: bool = True
    ) -> None:
        """Note a link that has been welcomed by both sides.

        Args:
            key: The peer's identity.
            name: Its player's name, sanitised.
            address: What was dialled, as `Dial.address` gave it, or for a link that
                came in "host:port" of its listener as far as known; may be empty.
            now: Seconds.
            friend: The player has called it, or said yes to a table with it, before.
        """
        ...

    def succeed(self, old: Key, new: Key, now: float) -> Said:
        """Let a friend play on under another key wherever the others agree.

        Returns:
            What came of it.
        """
        ...

    def peer_down(self, key: Key, now: float) -> None:
        """Note that the last link to a peer is gone."""
        ...

    def peer_named(self, key: Key, name: str) -> None:
        """Take another name of a peer's player: it is shown, and all else goes on."""
        ...

    def peer_quiet(self, key: Key, now: float) -> None:
        """Note that nothing is heard on a link, though an answer is due."""
        ...

    def receive(self, key: Key, message: PeerMessage, now: float) -> None:
        """Take a message from a peer.

        Raises:
            PeerError: It broke the protocol; hang up with this code.
        """
        ...

    def window_up(
        self, window: int, match: bytes | None = None, *, reads: bool = True
    ) -> None:
        """Note a new window or command that wants pushes, and the one match it sees.

        And whether the player sees there what is said.
        """
        ...

    def pin(self, window: int, match: bytes) -> None:
        """Let a window look at the table of a match, and at no other."""
        ...

    def number_of(self, match: bytes) -> int:
        """Return the number of the table of a match, 0 where it is not in hand."""
        ...

    def match_seen(self, window: int) -> bytes:
        """Return the match at the table that a window looks at, empty for none.

        Before there is one: the nonce of the table's terms.
        """
        ...

    def name_of(self, number: int) -> bytes:
        """Return the match at a table in hand, or the nonce of its terms."""
        ...

    def lend_by(self, lending: Lends) -> None:
        """Tell this of seats that are lent to browsers, and ask it who looks on."""
        ...

    def let_look_on(self, match: bytes, keys: frozenset[bytes]) -> None:
        """Let those look on at a match here who are there in browsers."""
        ...

    def guest_seen(self, name: bytes, seat: int, *, here: bool) -> None:
        """Note that a guest in a browser has come to its table, or has gone."""
        ...

    def looks(self, match: bytes, key: bytes) -> bool:
        """Tell whether all who play a match let somebody look on."""
        ...

    def window_down(self, window: int) -> None:
        """Forget a window."""
        ...

    def ask(self, window: int, request: Request, now: float) -> Done | Failed:
        """Answer a request from the door.

        Answers SetName, HostTable, ChangeTable, Answer, Call, Join, Consent, LookAt,
        Choose, StartMatch, LeaveTable, Play, Watch, LookBack, Say, Save, Load and what
        `table_questions` has; anything else fails with USAGE and is the shell's.
        Call and Join only note who is wanted: see `wants_dial`.
        """
        ...

    @property
    def answers(self) -> Mapping[type[Any], Answerer]:
        """What answers each kind of question; a table itself answers the others."""
        ...

    def ask_table(self, window: int, request: Request, now: float) -> Done | Failed:
        """Have the table that is meant answer a request."""
        ...

    def answer(
        self, answerer: Answerer, window: int, request: Request, now: float
    ) -> Done | Failed:
        """Have one of `answers` answer a request."""
        ...

    def saved(self, window: int, request: Request, path: str, now: float) -> Saved:
        """Return a match in hand as it is to be written to a file of the user's.

        Raises:
            LocalError: NO_TABLE, there is none.
        """
        ...

    def load(
        self, window: int, path: str, now: float, found: Copy | None = None
    ) -> Said:
        """Take a match up from a file of the user's, which may have been read before.

        Raises:
            LocalError: It is no match for this node, or it cannot be read.
        """
        ...

    def hint(self, window: int, request: Request, seat: int) -> Thought:
        """Return the thought that finds a hint for a seat played here.

        Raises:
            LocalError: The rules of the table allow none, or it is not the seat's turn.
        """
        ...

    def turn(self, window: int, request: Request, number: int) -> Judged:
        """Return a turn of a match in hand, by its move's place in the history.

        Raises:
            LocalError: The match is not over, or that move is no turn.
        """
        ...

    def wants(self) -> Wants:
        """Return what is wanted now: to be woken, moves of computers, jobs.

        A move or a job is wanted until it has been given.
        """
        ...

    def seats_to_come(self) -> Sequence[Thought]:
        """Return turns that computer seats here will have, once for each match.

        They are not to be thought about yet; what that needs may be loaded.
        """
        ...

    def called(self, match: bytes, seat: int) -> tuple[str, str]:
        """Return what the table and the player of a seat in a match are called."""
        ...

    def game_of(self, box: bytes, author: bytes, to: bytes) -> str:
        """Return the game that letters in a box are about; empty if not played here."""
        ...

    def seats_in_play(self) -> frozenset[tuple[bytes, int]]:
        """Return match and seat of each seat that is played here and goes on."""
        ...

    def thought(self, thought: Thought, move: Any, now: float) -> None:  # noqa: ANN401 (a game's own move)
        """Take a computer player's move; dropped if its position has passed."""
        ...

    def fail(self, match: bytes, mistake: Exception) -> None:
        """Close the table of a match; its thought or job has failed by our mistake."""
        ...

    def done(self, result: Result, now: float) -> None:
        """Take the result of a job; dropped if its match is in hand no more."""
        ...

    def wake(self, now: float) -> None:
        """Do what is due; call when `wants` says, harmless at any time."""
        ...

    def take_outgoing(self) -> list[Outgoing]:
        """Return messages in order, after everything they promise is on disk.

        Raises:
            LocalError: DISK; a table was given up.  Call again for the others.
        """
        ...

    def take_pushes(self) -> list[Push]:
        """Return pushes for windows, in order."""
        ...

    def take_news(self) -> News:
        """Return what else came of it since the last call."""
        ...

    def waits(self, number: int) -> bool:
        """Tell whether a table waits for the player here to move."""
        ...

    def wants_dial(self) -> Sequence[Dial]:
        """Return the links missing at present; the shell retries with its back-off."""
        ...

    def unreachable(self, dial: Dial, reason: Said, now: float) -> None:
        """Note that an address did not answer; a joiner is told, a host waits."""
        ...

    def mode(self, window: int | None = None) -> str:
        """Return idle, answering, hosting, calling or joined (`Status.mode`)."""
        ...

    def hosts(self) -> bool:
        """Tell whether what was heard last may be of a match that is hosted here."""
        ...

    def pass_on(self, *, on: bool | None = None) -> bool:
        """Tell whether matches that are watched here are passed on to others.

        Args:
            on: What the player wants from now on; None for what was wanted before.
        """
        ...

    def invite_to(
        self, table: HostTable | None, at: int | None = None
    ) -> tuple[HostTable, int]:
        """Open such a table for whoever comes by an invitation and finds no seat.

        Args:
            table: To be opened; None for the one of last time, or a usual one.
            at: When the player gave an invitation away, in Unix seconds; None for now.

        Returns:
            What is to be kept of it.
        """
        ...

    def offers(self) -> tuple[tuple[str, int], ...]:
        """Return game and free seats of the tables to which others may come.

        Of one who waits to be called, no game and no seats.
        """
        ...

    def table_status(
        self, now: float, window: int | None = None, number: int = 0
    ) -> TableStatus | None:
        """Return the table that a window looks at, None while it looks at none.

        Args:
            now: Seconds.
            window: Which.
            number: Of another table that is wanted; 0 for none.

        Raises:
            LocalError: NO_TABLE, there is none with that number.
        """
        ...

    def renamed(self) -> None:
        """Take up what the player calls others from now on."""
        ...

    def games(self, now: float) -> tuple[GameStatus, ...]:
        """Return all tables in hand, first those that wait for the player here."""
        ...

    def glance(self, number: int) -> View:
        """Return the board of a table in hand as a bystander sees it.

        Raises:
            LocalError: NO_TABLE, there is none with its number, or no match at it.
        """
        ...

    def open_tables(self, window: int) -> tuple[OpenStatus, ...]:
        """Return what is open at the host that was called, to choose from."""
        ...

    def expects(self, key: Key) -> bool:
        """Tell whether a link from this peer matters to a table in hand."""
        ...

    def misses(self, key: Key) -> bool:
        """Tell whether somebody sits or looks on here who needs this peer."""
        ...

    def written(self) -> tuple[Correspondent, ...]:
        """Return with whom something was written without a table."""
        ...

    def forget_written(self, key: Key) -> None:
        """Forget what was written with a node that is forgotten.

        Raises:
            LocalError: DISK.
        """
        ...

    def take_friends(self) -> Sequence[Key]:
        """Return those whom the player has said yes to since the last call."""
        ...

    def take_parted(self) -> Sequence[Key]:
        """Return whose links no table needs any more, since the last call."""
        ...

    def spares(self, key: Key) -> bool:
        """Tell whether a peer is not to be asked what can wait: many may be there."""
        ...

    def players(self) -> Mapping[Key, str]:
        """Return everybody at the table or on a link, and what they are called."""
        ...

    def block(self, key: Key) -> None:
        """Leave or free what there is with a peer that was blocked; its link ends."""
        ...

    def trusts(self, key: Key) -> bool:
        """Tell whether a peer may send as much as a match needs.

        A table in hand needs it, and the player has said yes to it.
        """
        ...

    def close(self, now: float) -> None:
        """Sync and close every file; the last call."""
        ...
