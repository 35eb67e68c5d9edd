"""What a node is made of, put together when it starts."""

import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence

from msgspec import Struct, field

from netplay.daemon.computer_players import Pace, ProgramSeats, Thinker, WordChoice
from netplay.daemon.finished_matches import Reviewer, Reviews
from netplay.daemon.mixing import FileChecks
from netplay.faults import Faults
from netplay.finding.appointments import Opens
from netplay.finding.beacon import Air
from netplay.finding.discovery import Sign, unsigned
from netplay.finding.portmap import Find
from netplay.finding.router import Language
from netplay.home import Home
from netplay.journal import Journal, silent
from netplay.peering.dial_plan import Entropy
from netplay.peering.net import Net
from netplay.peering.peers import Blocked, KnownPeers
from netplay.said import Words
from netplay.steady import Steady
from netplay.table.muted import Muted
from netplay.table.tables import Tables
from netplay.wanted import Thought


def open_known(home: Home) -> KnownPeers:
    """Return whom a home knows, and whom it has blocked.

    Raises:
        LocalError: DISK, the file of the blocked is damaged.
    """
    return KnownPeers(home.peers, Blocked(home.blocked))


async def unprepared(_thought: Thought) -> None:
    """Load nothing before it is needed."""


async def no_router(_version: int) -> Sequence[Language]:
    """Return no way to speak to a gateway."""
    return ()


class Parts(Struct, frozen=True):
    """What a node is made of; the tests put in others."""

    home: Home
    key: bytes
    tables: Tables
    net: Net
    thinker: Thinker
    entropy: Entropy
    journal: Journal
    addresses: Callable[[], tuple[str, ...]]
    """Own addresses, for people to read."""
    saved: Callable[[], tuple[tuple[str, Words, int], ...]]
    """Matches that can go on; see `Status.saved`."""
    address_news: Callable[[], socket.socket | None] = lambda: None
    """Returns what tells of changes of `addresses`; None: they are looked at often."""
    unix: Callable[[], int] = lambda: 0
    """The time of day in seconds, for notices."""
    steady: Steady | None = None
    """The time of day that nobody can put forward, as the tables know it."""
    air: Air | None = None
    """What carries beacons, None for nothing."""
    beacon: bool = True
    """Use it."""
    greet: bool = False
    """Call friends to see who is awake."""
    router: Find = no_router
    """Finds how to speak to the gateway of the moment."""
    map_port: bool | None = None
    """Ask it to pass the port on; None where the player has not said yet."""
    carry: str = ""
    """For whom to carry; empty for what is set."""
    prepare: Callable[[Thought], Awaitable[None]] = unprepared
    """Loads what computer players will need for a match."""
    checking: FileChecks = field(default_factory=FileChecks)
    """Has files that peers send checked in another process."""
    faults: Faults = field(default_factory=Faults)
    """What is damaged in the home."""
    reviewer: Reviewer = field(default_factory=lambda: Reviews(silent))
    """Judges the turns of matches that are over."""
    word_choice: WordChoice = field(default_factory=WordChoice)
    """Which words computer players, hints and analysis use."""
    pace: Pace = field(default_factory=Pace)
    """Whether computer players take their time."""
    known: KnownPeers | None = None
    """Who was met and who is blocked, as the tables know it; None to read the home."""
    programs: ProgramSeats | None = None
    """Ends the users' programs whose seats have ended; `thinker` asks them."""
    sign: Sign = unsigned
    """Signs with the node's key."""
    pair: Callable[[bytes], bytes] = lambda _other: b""
    """Returns what only this node and another can call the two of them."""
    appointed: Callable[[bytes], bytes] = lambda _other: b""
    """Returns from what only this node and another know where they meet."""
    dht: Opens | None = None
    """Joins the public DHT, if the player says so; None where that is not installed."""
    muted: Muted = field(default_factory=Muted)
    """What the player does not want to be told of, as the tables know it."""
    on_turn: Sequence[str] = ()
    """The words of a command for when it is the player's turn; empty for none."""
    on_letter: Mapping[str, Sequence[str]] = field(
        default_factory=dict[str, Sequence[str]]
    )
    """The same for friends whose letters are kept here, by their folded keys."""

    def counted(self) -> int:
        """Return the time by which is counted what lasts, or how long ago it was."""
        return self.unix() if self.steady is None else self.steady.now()
