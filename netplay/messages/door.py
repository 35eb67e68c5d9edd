"""The talk between a node and its own windows and commands, through the door.

A window asks with a `Request` and gets one `Reply` with the same id.  Besides, the
node pushes `Status` whenever anything in it changed (the whole of it: there is one
way to draw), `View` when the watched seat's state changed, and lines as they come.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from netplay.errors import Code, LocalError, NetplayError, by_number
from netplay.messages import node_questions
from netplay.messages.table import COUNTDOWN, Days, Fairness
from netplay.messages.table_questions import (
    Agreeing,
    AskedState,
    GameStatus,
    OpenStatus,
    Phase,
    PreparedLine,
    TableQuestion,
)
from netplay.messages.types import Admission, DoorMessage, Key, Natural
from netplay.said import Said, Words
from rules import GAMES

# What was done at a node and has not come to the others yet, as windows show it.


class Made(DoorMessage, frozen=True):
    """What was done here and is not delivered yet."""

    moves: tuple[int, ...] = ()
    """Seats here whose move is made, and waits for somebody who takes it."""
    back: tuple[int, ...] = ()
    """Those of them whose player may still take the move back."""
    draws: bool = False
    """New tiles come only when the move has been delivered."""
    consents: tuple[tuple[int, str], ...] = ()
    """Seats, and the names of those to whom the player here agrees to hand them."""
    kept: tuple[tuple[str, str], ...] = ()
    """Names of members who are away, and of those who keep it for them."""
    lines: Natural = 0
    """So many of the player's lines of chat are at another node; later ones are not."""
    lines_kept: tuple[tuple[str, Natural], ...] = ()
    """Names of those who keep lines for members who are away, and how many."""
    prepared: tuple[PreparedLine, ...] = ()
    """What is prepared on condition for persons here."""
    prepares: tuple[int, ...] = ()
    """Seats here for which something can be prepared now."""
    unconfirmed: int | None = None
    """Seconds that a turn made here has left, if there are few and nobody whose word
    counts has confirmed it."""


# Days to think, as windows show them.


class Thinking(DoorMessage, frozen=True):
    """How long a turn may take, and how long the one that is on may yet."""

    days: Days = 0
    """0 for as long as one likes."""
    left: int | None = None
    """Seconds, by this node's own record; below 0 once they are over."""
    claim: Literal["", "may", "made"] = ""
    """The player here may claim the turn, or has, and nobody has answered."""
    ends: bool = False
    """That resigns the seat; else the turn passes."""


# Before a match in which time runs, as windows show it.


class Beginning(DoorMessage, frozen=True):
    """Whether all persons have said that they are there."""

    asked: bool = False
    """The player here is to say so: by `Consent`, or as host once more `StartMatch`."""
    lacking: tuple[str, ...] = ()
    """Names of those at other nodes, or in browsers here, who were asked and have not
    answered."""
    seconds: Natural = 0
    """Until the match begins, 0 while nothing is counted down."""


# What calls a player who looks elsewhere, and what the player has clicked there.


Reason: TypeAlias = Literal[
    "turn", "time", "over", "chat", "offer", "agreed", "ready", "live", "resumed"
]
"""It is the player's turn, and a quarter of its days is left; the match is over;
somebody has written; another offers something; all have agreed to the player's table,
who is to begin the match; the host asks whether the player is there; a match has begun
in which time runs, or goes on after it stood still."""


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


# From the window or command to the node.


class Knock(DoorMessage, frozen=True, tag="knock"):
    """The first message: who comes in, and the token where a socket needs one."""

    token: bytes
    version: str
    """The program's version: a window only talks to a node of its own version."""
    pushes: bool
    """Send pushes (a window), or only replies (a command)."""
    guest: bytes = b""
    """Shown instead of the token by a guest: the link to a seat, or `Seated.token`."""
    reads: bool = True
    """The player sees the lines of chat that are pushed."""


class SetName(DoorMessage, frozen=True, tag="name"):
    """Take another player's name; kept in the home."""

    name: str


TRUE: Final = frozenset({"on", "yes", "true", "1"})
"""What is typed for an option that is on."""


class HostTable(DoorMessage, frozen=True, tag="host"):
    """Open a table as host."""

    game: str
    seats: tuple[str, ...]
    """`person[:NAME]`, `computer[:0-100]`, `program:PATH` (`program` alone for one that
    is at the table already), `remote[:ADDRESS [comment]]`."""
    options: tuple[tuple[str, str], ...]
    """KEY, VALUE as on the command line."""
    edition: str
    """Name, digest or path of a file; empty for the game's own."""
    words: str
    """Name, digest or path of a word list; empty for the edition's own."""
    bystanders: Admission = "ask"
    """Who may watch."""
    fairness: Fairness | Literal[""] = ""
    """How tiles are drawn; empty for the usual way (`USUALLY`)."""
    days: Days = 0
    """To think about a turn; 0 for as long as one likes."""

    @property
    def alone(self) -> bool:
        """Whether one person plays, with nobody or against computers only."""
        kinds = [seat.partition(":")[0].strip().lower() for seat in self.seats]
        others = {*kinds} - {"person", "computer", "program"}
        return kinds.count("person") == 1 and not others

    @property
    def with_hints(self) -> tuple[tuple[str, str], ...]:
        """The options, with hints where nobody but the player is hurt by them.

        So it is alone against computers, until the player says otherwise, and not
        under rules that allow none.
        """
        chosen, game = dict(self.options), GAMES.get(self.game)
        hinted = game is not None and game.ABOUT.hinted is not None
        strict = chosen.get("tournament", "").lower() in TRUE
        if not (self.alone and hinted) or strict or "hints" in chosen:
            return self.options
        return (*self.options, ("hints", "on"))


class InviteTo(DoorMessage, frozen=True, tag="invite-to"):
    """The player gives an invitation away: open a table for whoever comes by it.

    Only where no seat is free for them, for some days, and after later starts, too.
    """

    table: HostTable | None
    """None for the one of last time, or a usual one."""


class ChangeTable(DoorMessage, frozen=True, tag="change"):
    """Replace the terms of the open table that has not started."""

    table: HostTable


class Answer(DoorMessage, frozen=True, tag="answer"):
    """Wait for a host's call, or stop waiting."""

    on: bool
    first: bool = False
    """Sit down with the first who calls, whoever it is; later ones are asked about."""
    asks: bool = False
    """Ask the player before a game begins in which time runs; else it is said for the
    player, each time, that all may begin."""


class Call(DoorMessage, frozen=True, tag="call"):
    """As host: call a waiting peer to a free remote seat."""

    address: str
    seat: int = -1


class Join(DoorMessage, frozen=True, tag="join"):
    """Call a waiting host and ask for a seat."""

    address: str
    seat: int = -1


class Consent(DoorMessage, frozen=True, tag="consent"):
    """Accept or decline the proposal on the table."""

    accept: bool
    revision: Natural
    seat: int = -1
    """Of the guest in a browser here who says to be there; the node fills that in."""


class LookAt(DoorMessage, frozen=True, tag="look-at"):
    """Show this window another table in hand from now on, or none with 0."""

    table: Natural


class Choose(DoorMessage, frozen=True, tag="choose"):
    """Choose one of several tables that are open at the host who was called."""

    number: Natural
    """Its place in `Status.open`, from 0."""


class StartMatch(DoorMessage, frozen=True, tag="start"):
    """As host: start, once everybody has accepted, and is there if time runs."""

    count: Annotated[int, Meta(ge=0, le=COUNTDOWN)] = 0
    """Seconds to count down where persons play elsewhere and time runs."""


class LeaveTable(DoorMessage, frozen=True, tag="leave"):
    """Leave the table, stopping the match; it can be resumed from its file."""


class Play(DoorMessage, frozen=True, tag="play"):
    """Make a move at a seat played here."""

    seat: int
    move: bytes
    number: Natural
    """The entry the player was looking at (`View.number`)."""


BYSTANDER: Final = -1
"""In the place of a seat: what somebody sees who plays none."""


class Watch(DoorMessage, frozen=True, tag="watch"):
    """Send the views of this seat from now on: -1 as a bystander."""

    seat: int


class LookBack(DoorMessage, frozen=True, tag="look"):
    """Send the watched seat's view as it was after `number` entries, once."""

    number: Natural


class Earlier(DoorMessage, frozen=True, tag="earlier"):
    """Reply with the `Piece` of the watched seat's history that ends at a place."""

    match: bytes
    seat: int
    place: Natural
    """Moves before it, counted as `Happened.number`."""


class Say(DoorMessage, frozen=True, tag="say"):
    """Say a line to the table."""

    text: str
    guest: str = ""
    """Who says it in a browser here; the node itself fills that in."""


class Hint(DoorMessage, frozen=True, tag="hint"):
    """Ask for the best move the node finds, if the rules of the table allow it."""

    seat: int


class Save(DoorMessage, frozen=True, tag="save"):
    """Write the match to a file of the user's."""

    path: str
    over: bool = False
    """What lies there may go."""
    kept: str = ""
    """The path of a match kept here, to write that one; empty for the table's."""


class Load(DoorMessage, frozen=True, tag="load"):
    """Open a match file and wait for its players.

    Empty path: of the match that was stopped at the table one looks at, else the last.
    """

    path: str


class Retry(DoorMessage, frozen=True, tag="retry"):
    """Dial everybody who is away, now."""


class GetStatus(DoorMessage, frozen=True, tag="status"):
    """Reply with the `Status` once."""


class StopNode(DoorMessage, frozen=True, tag="stop"):
    """Say goodbye to the peers and end the node."""


Question: TypeAlias = (
    SetName
    | HostTable
    | InviteTo
    | ChangeTable
    | Answer
    | Call
    | Join
    | Consent
    | LookAt
    | Choose
    | StartMatch
    | LeaveTable
    | Play
    | Watch
    | LookBack
    | Earlier
    | Say
    | Hint
    | Save
    | Load
    | Retry
    | GetStatus
    | StopNode
    | node_questions.NodeQuestion
    | TableQuestion
    | node_questions.WordQuestion
)


class Request(DoorMessage, frozen=True, tag="request"):
    """A question with an id that its reply repeats."""

    id: Natural
    ask: Question
    table: Natural = 0
    """The number of the table it is about; 0 for the one that the window looks at, or
    the only one in hand."""


# From the node to the window or command.

SeatState: TypeAlias = Literal[
    "here", "connected", "elsewhere", "away", "blocked", "awaited", "resigned", "late"
]


class SeatStatus(DoorMessage, frozen=True):
    """A seat as the players' panels show it."""

    kind: str
    """person, computer or remote (played at another node)."""
    name: str
    key: str
    """Fingerprint of the node that plays it, empty while nobody does."""
    state: SeatState
    since: int
    """Seconds since the state began; -1 where nobody knows."""
    accepted: bool
    """Its node has accepted the present terms; of the player here: nothing is left to
    be said."""
    address: str
    """Where it was called or came from, with the user's comment."""
    skill: int
    clock: int
    """Milliseconds left on its clock, -1 without one."""
    ticking: bool
    doubt: Words = ""
    """What is to be said of its player's name: that another key is known by it."""
    program: bool = False
    """A program of its node's user plays there."""
    asked: AskedState = ""
    lent: bool = False
    """Whoever is shown this does not play it: it is lent to a browser, or a guest's
    window is told of another's."""
    browser: str = ""
    """The name of the player at whose computer it is played in a browser, by the
    terms; empty for any other seat."""
    vacant: bool = False
    """It is away only because its guest's page is: nobody can be called for it."""


class TableStatus(DoorMessage, frozen=True):
    """The table and its match."""

    match: bytes
    """Empty before the start."""
    phase: Phase
    game: str
    options: bytes
    """The game's options struct, encoded."""
    edition: str
    """Name of the edition, empty for games without one."""
    lexicon: str
    """Name of the word list."""
    host: str
    """Name of the host's player."""
    hosting: bool
    """This node is host."""
    revision: Natural
    seats: tuple[SeatStatus, ...]
    turn: tuple[int, ...]
    """Seats the match waits for."""
    entries: Natural
    final: Natural
    """Entries that a quorum has on disk."""
    places: tuple[int, ...]
    """Empty until the match is over."""
    audit: Words
    """Empty until checked, then `ok` or why not."""
    waiting: Words
    """What the table waits for; empty if for nothing but a move."""
    watchers: tuple[Words, ...]
    """Names of bystanders; of a crowd a few, and how many more there are."""
    watched: int = 0
    """By how many bystanders."""
    asking: tuple[tuple[str, Words], ...] = ()
    """Those who would like to watch and wait for the players here: (key, name)."""
    bystanders: Admission = "ask"
    """Who may watch, as far as the players here have a say."""
    watching: bool = False
    """This node is itself a bystander."""
    rematch: tuple[str, ...] = ()
    """Names of those who would like to play again."""
    wished: bool = False
    """The player here is one of them; somebody else may have the same name."""
    called: bool = False
    """Somebody unknown calls to this table: it waits for the player's yes."""
    changes: tuple[tuple[str, str, str], ...] = ()
    """What the host has changed since the player said yes, to be agreed to again:
    `game`, `players`, `edition`, `words`, `bystanders` or an option; before; now."""
    apart: tuple[Said, ...] = ()
    """Whose programs see another position."""
    lost: tuple[Said, ...] = ()
    """Entries that members had signed for, and that are gone."""
    disputed: bool = False
    """Too few see the same: the match has no places."""
    held_up: Words = ""
    """Why a match that is over is not audited; empty if it is."""
    again: int = 0
    """How often a draw has begun again."""
    doubt: Words = ""
    """Why this node does not confirm what the host's clock did."""
    fairness: Fairness = "committed"
    """How tiles are drawn."""
    why_fairness: Words = ""
    """Why not in the usual way, though the host has wished for no other."""
    tiled: bool = False
    """Whether there are tiles to be drawn at all."""
    number: Natural = 0
    """What windows and commands call the table by."""
    thinking: Thinking = Thinking()
    """How long a turn may take."""
    made: Made = Made()
    """What was done here and is not delivered yet."""
    offers: Agreeing = Agreeing()
    """What players offer one another."""
    claims: tuple[Said, ...] = ()
    """That somebody had had all its time, and what came of that: the latest."""
    face_down: tuple[int, ...] = ()
    """Seats here on turn that cannot move yet: others owe them their tiles."""
    contested: bool = False
    """The match has ended by such a claim, and its seat's player objects."""
    beginning: Beginning = Beginning()
    """Before a match in which time runs."""

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats that persons play at this computer."""
        return tuple(
            number
            for number, seat in enumerate(self.seats)
            if seat.kind == "person"
            and seat.state in ("here", "resigned", "late")
            and not seat.lent
        )

    @property
    def shared(self) -> bool:
        """Whether several persons sit at this computer, who may not see all of it.

        A seat whose guest's play has ended is nobody else's: its owner plays on there.
        In games without tiles there is nothing that one may not see.
        """
        here = sum(not self.seats[number].browser for number in self.persons)
        return here > 1 and GAMES[self.game].ABOUT.tiled is not None


class Status(DoorMessage, frozen=True, tag="status"):
    """All a window shows of the node besides the match itself."""

    name: str
    """Empty until the user has chosen one."""
    key: str
    """This node's fingerprint."""
    version: str
    addresses: tuple[str, ...]
    port: int
    mode: str
    """idle, answering, hosting, calling, joined or watching."""
    peers: tuple[node_questions.PeerStatus, ...]
    table: TableStatus | None
    """The one that the window looks at, or the only one for a command."""
    saved: tuple[tuple[str, Words, int], ...]
    """Matches that can go on: (path, description, days since)."""
    nearby: tuple[node_questions.Neighbour, ...]
    """Tables found; those who only wait to be called come last."""
    network: node_questions.Network = node_questions.Network()
    copy: node_questions.CopyStatus = node_questions.CopyStatus()
    news: str = ""
    """Where notices of security releases are looked for; empty: nowhere."""
    editions: tuple[str, ...] = ()
    """Names of the user's own editions, besides those of the program."""
    dictionaries: tuple[str, ...] = ()
    """Names of the user's own word lists."""
    offensive: bool = False
    """Computer players, hints and analysis use words that offend."""
    paced: bool = False
    """Computer players take their time, as people do."""
    passes_on: bool = True
    """What is watched here is passed on to others who watch."""
    next_port: int = 0
    """Where the node will listen when it starts again."""
    faults: tuple[Said, ...] = ()
    """What was damaged or missing in the home."""
    games: tuple[GameStatus, ...] = ()
    """All tables in hand: those that wait for the player here come first."""
    friends: tuple[tuple[str, str], ...] = ()
    """Name and fingerprint of those the player has played with, the latest first; the
    name is the player's own for them, where there is one."""
    seen: tuple[tuple[str, int], ...] = ()
    """By fingerprint, for how many seconds friends have not been here: also those who
    were here before the node was started."""
    personal: tuple[tuple[str, node_questions.Personal], ...] = ()
    """By fingerprint, what the player has noted of friends."""
    written: tuple[node_questions.Correspondent, ...] = ()
    """With whom something was written without a table."""
    open: tuple[OpenStatus, ...] = ()
    """Tables at the host who was called, of which the player is to choose one."""
    muted: tuple[str, ...] = ()
    """Keys of players of whose chat nothing tells."""
    quiet: str = ""
    """The hours in which the player is told nothing, as `22:00-07:00`; empty: none."""
    browsers: bool = False
    """The player has let browsers on the local network come to the seats lent here."""
    blocked: tuple[tuple[str, str], ...] = ()
    """Name and fingerprint of those the player does not hear, the latest first."""
    unopened: int = 0
    """How many games of before are still to be read from the disk."""


class Happened(DoorMessage, frozen=True):
    """A move of the watched match, as the watched seat may see it."""

    number: Natural
    """Position in the history of moves, from 0; chance moves count."""
    actor: int
    move: bytes
    at: Natural
    """Milliseconds since the match began."""


class Piece(DoorMessage, frozen=True):
    """Moves in a row, and the position before them: each between is built from these.

    A history goes to windows by such pieces, the newest first: it may be of any length.
    """

    before: bytes
    """As everybody saw it, encoded; empty in a game that hurries."""
    happened: tuple[Happened, ...]
    known: tuple[tuple[int, int], ...] = ()
    """Number and kind of tiles in `before` that the seat knows."""


class View(DoorMessage, frozen=True, tag="view"):
    """The watched seat's view, and what happened since the last one sent."""

    match: bytes
    seat: int
    """-1 for a bystander."""
    number: Natural
    """Entries folded in."""
    state: bytes
    """The game's state struct, encoded."""
    happened: tuple[Happened, ...]
    live: bool
    """False for a look back."""
    made: tuple[bytes, ...] = ()
    """Moves of the seat that are not delivered yet, and not in `state`."""
    whole: bool = False
    """The history is told anew, from its newest piece on: a turn was taken back."""
    before: bytes = b""
    """As everybody saw it before the first of `happened`, where that is the newest
    piece of a history of which the window has nothing; else empty."""
    known: tuple[tuple[int, int], ...] = ()
    """Number and kind of tiles that the seat has drawn and come to know since."""


Tone: TypeAlias = Literal["system", "warning", "error"]
"""How loud a notice is."""


class Notice(DoorMessage, frozen=True, tag="notice"):
    """What the node tells its players without being asked."""

    tone: Tone
    said: Said
    at: int
    """Unix time in seconds."""


class Line(DoorMessage, frozen=True, tag="line"):
    """A line of chat."""

    author: Words
    text: str
    at: int
    """Unix time in seconds."""
    number: int = -1
    """Of a line of the player here: see `Made.lines`."""
    muted: bool = False
    """Nothing tells of it: its author was muted."""
    table: Natural = 0
    """The number of the table at which it was said."""


class Done(DoorMessage, frozen=True, tag="done"):
    """A request succeeded."""

    id: Natural
    text: Words = ""
    """What was done; or the line that was asked for."""
    data: bytes = b""
    """For questions that ask for something: encoded, as the question says."""


class Failed(DoorMessage, frozen=True, tag="failed"):
    """A request did not succeed."""

    id: Natural
    code: Natural
    detail: Words = ""

    @property
    def error(self) -> LocalError:
        """The error, whose `said` is why."""
        return LocalError(by_number(self.code) or Code.USAGE, self.detail)

    @property
    def reason(self) -> str:
        """Why in English, for logs."""
        return str(self.error)


def failed(number: int, error: NetplayError) -> Failed:
    """Return the answer to a request that went wrong."""
    return Failed(number, error.code.number, error.detail)


ToNode: TypeAlias = Knock | Request


TOKEN_BYTES: Final = 16
"""Of links and tokens of guests: 128 bits by chance."""


class Seated(DoorMessage, frozen=True, tag="seated"):
    """The answer to a guest's knock: what it shows from now on, and where it sits."""

    token: Annotated[bytes, Meta(max_length=TOKEN_BYTES)]
    match: Key
    seat: int


Push: TypeAlias = Status | View | Notice | Line | Summons | Clicked
FromNode: TypeAlias = Push | Done | Failed | Seated
