"""The games that are over, as far as the window has been told of them."""

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from math import inf
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from client.app.board import AnySeen, AnyStep, Seen
from client.app.browsing import Chooser
from client.app.lessons import Learning
from client.app.motion import Counting
from client.app.settings import Settings
from client.app.thumbnails import Glimpse
from client.ui import hand
from client.ui.hand import Edit
from client.ui.sound import Sound
from client.ui.texts import _, spoken
from client.ui.theme import Look, grown, largest
from netplay.messages import door
from netplay.messages.node_questions import KnownNode
from netplay.messages.table import Days, Fairness
from netplay.messages.table_questions import Appraisal, Finished, FinishedMatches
from netplay.messages.types import Admission
from netplay.said import Said, Words
from rules import GAMES, LISTED, editions, lexicon
from rules.editions import PLAIN, Edition
from rules.game import CHANCE, Resource


class PastGames(Struct, frozen=True):
    """What the page of finished games remembers."""

    found: tuple[Finished, ...] = ()
    """The latest first."""
    reading: bool = False
    """There may be others, which are being read."""
    friends: bool = False
    """Results against each friend are shown, not the games."""
    whom: str = ""
    """The friend, by fingerprint, of whose games alone is told; empty for all."""
    opened: bytes = b""
    """The match that was opened from the page to be looked at, and from nowhere else:
    who goes back from it comes here."""

    def with_more(self, page: FinishedMatches) -> "PastGames":
        """Return what is known with some more matches, each of them once."""
        every = {one.match: one for one in self.found}
        every.update((one.match, one) for one in page.found)
        latest = sorted(every.values(), key=lambda one: -one.at)
        return replace(self, found=tuple(latest), reading=page.more)

    def chosen(self) -> Sequence[Finished]:
        """Return the matches with the friend that was chosen, or all."""
        if not self.whom:
            return self.found
        return [
            one
            for one in self.found
            if any(friend.key == self.whom for friend in one.friends)
        ]


# What a window knows of the turns of a match that is over.


class Review(Struct, frozen=True):
    """What is known of the turns of a match that is over."""

    match: bytes = b""
    known: Mapping[int, Appraisal | Said] = field(
        default_factory=dict[int, Appraisal | Said]
    )
    """By the move's place in the history: the plays, or why there are none."""
    chosen: int = -1
    """The play that lies on the board."""
    whole: bool = False
    """The turns of all players are wanted, not one's own alone."""
    shown: frozenset[int] = frozenset()
    """Turns of one's own whose better move has been shown or found."""
    again: int = -1
    """The place of the turn for which a better move is tried."""


# Names of computers and programs at a table, in the language of the user.


def named(table: door.TableStatus) -> door.TableStatus:
    """Return a table with its computers' names in the language that is spoken."""
    if not any(seat.kind == "computer" or seat.program for seat in table.seats):
        return table
    return replace(table, seats=tuple(map(_in_language, table.seats)))


def _in_language(seat: door.SeatStatus) -> door.SeatStatus:
    """Return a seat; a computer that bears the node's name for it, in the language."""
    if seat.program:
        return replace(seat, name=_numbered(seat.name, "Program", _("Program {n}")))
    if seat.kind != "computer":
        return seat
    return replace(seat, name=computer(seat.name))


def computer(name: str) -> str:
    """Return what the node calls a computer, in the language; else the name."""
    return _numbered(name, "Computer", _("Computer {n}"))


def _numbered(name: str, head: str, words: str) -> str:
    """Return words with a name's number, if it has that head and a number."""
    first, _space, number = name.partition(" ")
    return words.format(n=number) if first == head and number.isdecimal() else name


# A table as its host is setting it up, before the node hears of it.


class Kind(Enum):
    """Who plays at a position (source document, Players)."""

    NONE = "none"
    PERSON = "person"
    COMPUTER = "computer"
    REMOTE = "remote"
    BROWSER = "browser"
    """A guest at this computer, who comes by a link."""


class SeatDraft(Struct, frozen=True):
    """A position as the host is setting it up."""

    kind: Kind = Kind.NONE
    name: str = ""
    skill: int = 50
    address: str = ""
    """With an optional comment after a space."""
    program: bool = False
    """Of the table there is: a computer player is a program that a command named."""


SEATS: Final = (
    SeatDraft(Kind.PERSON),
    SeatDraft(Kind.COMPUTER),
    SeatDraft(),
    SeatDraft(),
)


class Draft(Struct, frozen=True):
    """The terms of a table as the host is setting them up."""

    game: str = next(iter(LISTED))
    seats: tuple[SeatDraft, ...] = SEATS
    options: tuple[tuple[str, str], ...] = ()
    """Only those changed from the game's own defaults."""
    edition: str = ""
    words: str = ""
    bystanders: Admission = "ask"
    fairness: Fairness | Literal[""] = ""
    """How tiles are drawn; empty for the usual way."""
    days: Days = 0

    @property
    def taken(self) -> tuple[SeatDraft, ...]:
        """Return the positions at which somebody is to play."""
        return tuple(seat for seat in self.seats if seat.kind is not Kind.NONE)

    def seat_of(self, place: int) -> int:
        """Return which seat of the table a position is, both from 0."""
        return sum(seat.kind is not Kind.NONE for seat in self.seats[:place])

    @property
    def terms(self) -> door.HostTable:
        """Return the draft as the node wants to hear it of another table."""
        seats = tuple(map(_seat, self.taken))
        files = self.edition, self.words
        others = any(s.kind is Kind.REMOTE for s in self.seats)
        tiled = others and GAMES[self.game].ABOUT.tiled is not None
        return door.HostTable(
            self.game,
            seats,
            self.options,
            *files,
            self.bystanders,
            self.fairness if tiled else "",
            self.days if others and not GAMES[self.game].ABOUT.hz else 0,
        )

    @property
    def changes(self) -> door.HostTable:
        """Return it as the node wants to hear it of the table there is."""
        seats = zip(self.taken, self.terms.seats, strict=True)
        stay = tuple("program" if s.program else words for s, words in seats)
        return replace(self.terms, seats=stay)


def _seat(seat: SeatDraft) -> str:
    match seat.kind:
        case Kind.COMPUTER:
            return f"computer:{seat.skill}"
        case Kind.BROWSER:
            return "browser"
        case Kind.REMOTE:
            return f"remote:{seat.address}" if seat.address else "remote"
        case _:
            return f"person:{seat.name}" if seat.name else "person"


# What the dictionary's dialog and the editor of editions remember between events.


START: Final = "start"
"""The brush that puts the start square somewhere."""


class Book(Struct, frozen=True):
    """The dictionary's dialog."""

    edition: str = "networdz"
    """Whose letters the words have."""
    words: str = "english"
    """The list looked at."""
    said: str = ""
    """What came of the last thing asked for."""
    bad: bool = False
    """It was refused."""


class EditionDraft(Struct, frozen=True):
    """An edition being edited."""

    edition: Edition
    origin: str = ""
    """The edition that it began with."""
    tab: int = 0
    tile: int = 0
    """The kind of tile chosen, from 0."""
    brush: str = PLAIN
    """What a click makes of a square, or `START`."""
    mirrored: bool = True
    """All four corners are changed alike."""
    row: int = 0
    """Where the keyboard is on the board."""
    column: int = 0
    warned: str = ""
    """What was to be done when it was seen that some colours are much alike."""
    taken: str = ""
    """What was to be done when it was seen that another edition has this name."""
    saved: str = ""
    """The name that it was saved by."""
    said: str = ""
    bad: bool = False


# All that a window knows, as one frozen value; `update` makes the next one.


NOTICE_SECONDS: Final = 6.0
"""How long a passing notice stays."""


def game_with(resource: Resource) -> str:
    """Return the first game that is played with editions, or with word lists."""
    return next(name for name in GAMES if resource in GAMES[name].ABOUT.resources)


class Page(Enum):
    """What fills the window."""

    START = "start"
    TABLE = "table"
    MATCH = "match"


class Over(Enum):
    """What lies over the page."""

    NONE = ""
    NAME = "name"
    PREFERENCES = "preferences"
    HELP = "help"
    LEAVE = "leave"
    """Really leave this match?"""
    FILE = "file"
    """The file chooser."""
    DICTIONARY = "dictionary"
    EDITION = "edition"
    """The editor of editions."""
    REFUSED = "refused"
    """No table can be opened on these terms: what now?"""
    WATCHERS = "watchers"
    """Who watches."""
    PERSON = "person"
    """A player at another computer."""
    LEND = "lend"
    """A guest's seat here, for a browser."""
    LEARN = "learn"
    """How to play."""
    REVIEW = "review"
    """How the chance to win went, turn by turn."""
    RESULT = "result"
    """How the match has ended."""
    KEYLESS = "keyless"
    """The home has lost its key: what now?"""
    MOVED = "moved"
    """What was here has moved to another computer: what now?"""
    FINISHED = "finished"
    """Games that are over, and results against each friend."""
    ROUTER = "router"
    """May the router be asked to let others in?"""
    LINKS = "links"
    """May clicked invitations come to this program?"""
    AGREE = "agree"
    """What shall the others be offered?"""


class Match(Struct, frozen=True):
    """The match this window shows, seen from one seat."""

    id: bytes
    game: str
    seat: int
    """The watched one; -1 as a bystander."""
    number: int
    """Entries folded in."""
    state: Any
    """The newest view."""
    past: tuple[AnyStep, ...]
    missed: int
    """Moves made before `past` begins."""
    local: Any
    """The game module's own."""
    sent: int = 0
    """Id of the request that carries our move; 0: none is on its way."""
    back: int = -1
    """The entry looked back to; -1: the live view is shown."""
    looked: Any = None
    """The earlier view that the node sent, in a game in real time."""
    looked_at: int = 0
    """Milliseconds of the match at which it was seen."""
    hint: str = ""
    """The play that the computer has found for this turn, in words."""
    covered: bool = False
    """The curtain is down: nothing of the seat's own may be drawn."""
    made: int = 0
    """Steps at the end of `past` that are not delivered yet."""
    kinds: Mapping[int, int] = field(default_factory=dict[int, int])
    """What the seat knows of the tiles that it has drawn: number -> kind."""
    course: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Of a game in real time: milliseconds, and everybody's points as seen then."""

    @property
    def hurries(self) -> bool:
        """Tell whether it is a game in real time, whose steps are not all kept."""
        return GAMES[self.game].ABOUT.hz > 0


class Chat(Struct, frozen=True):
    """What has been said."""

    lines: tuple[door.Line | door.Notice, ...] = ()
    unread: int = 0
    times: tuple[float, ...] = ()
    """When each line came, on the clock of `Model.now`."""


class Who(Struct, frozen=True):
    """A player at another computer."""

    key: str
    """Fingerprint."""
    name: str
    doubt: Words = ""
    """What the node says of the name."""
    seated: bool = False
    """Has a seat at the table that is open here."""
    guest: str = ""
    """Who plays in a browser at that player's computer, and is meant."""
    friend: bool = False
    """May be forgotten: the player has played with them."""


class Lend(Struct, frozen=True):
    """A seat for a guest in a browser that is being looked at."""

    seat: int
    name: str
    """Of the guest; empty while nobody sits there."""
    link: str = ""
    """What opens it, once it was asked for."""


class Notice(Struct, frozen=True):
    """A sentence shown for a while."""

    text: str
    until: float
    bad: bool = False
    about: str = ""
    """What was asked for, if it was refused."""


class Model(Struct, frozen=True):
    """Everything a window draws from."""

    settings: Settings = Settings()
    size: tuple[int, int] = (1280, 800)
    computer: str = ""
    """This computer's name in its network, if it has one."""
    now: float = 0.0
    day: int = 0
    """Today, counted as `date.toordinal` does."""
    linked: bool = False
    """The node's door is open to us."""
    settled: bool = False
    """The start is over: there is time for pictures."""
    trouble: Words = ""
    """Why it is not, in words."""
    status: door.Status | None = None
    told: float = 0.0
    """When it came, on the clock of `now`."""
    page: Page = Page.START
    over: Over = Over.NONE
    focus: str = ""
    hover: str = ""
    edits: Mapping[str, Edit] = field(default_factory=dict[str, Edit])
    scrolls: Mapping[str, int] = field(default_factory=dict[str, int])
    open: str = ""
    """The drop-down that is open."""
    chosen: int = -1
    """The row chosen in the list of tables nearby."""
    lend: Lend | None = None
    who: Who | None = None
    """The player whom the dialog about one is about."""
    known: tuple[KnownNode, ...] = ()
    """Whom the node has met, as of when the preferences were opened."""
    draft: Draft = Draft()
    wanted: tuple[door.HostTable, str] | None = None
    """The terms last asked for, and what for."""
    refusal: str = ""
    """Why the node has refused them; where the key is missing, its place."""
    agreed: Draft = Draft()
    """The last draft that the node has taken."""
    match: Match | None = None
    boards: Mapping[bytes, Glimpse] = field(default_factory=dict[bytes, Glimpse])
    """Of matches in hand, for their pictures in the list."""
    shelf: Mapping[int, Any] = field(default_factory=dict[int, Any])
    """Local states of the other seats played at this window."""
    chat: Chat = Chat()
    notice: Notice | None = None
    fault: Notice | None = None
    """What went wrong, until it is mended or dismissed."""
    put_away: frozenset[Words] = frozenset()
    """Faults of the node that the player has read."""
    asked: Mapping[int, str] = field(default_factory=dict[int, str])
    """Requests not answered yet: id -> what for."""
    played_at: float = 0.0
    """When the node was last asked to make a move."""
    links: bool | None = None
    """Clicked invitations come to this program; None: not known, or they cannot."""
    put_off: bool = False
    """The question about the router has been put away."""
    report: str = ""
    """Where the report is that was asked for, or why there is none."""
    calling: str = ""
    """The last call that the node was asked for: whether it fails is told later."""
    next_id: int = 1
    watching: int | None = None
    """The seat we have asked to watch."""
    celebrated: bytes = b""
    """The match whose result has been shown."""
    ended: bytes = b""
    """The match whose end has been shown and put aside."""
    chooser: Chooser | None = None
    """The file chooser, while it is open."""
    book: Book = Book()
    edition_draft: EditionDraft | None = None
    """The edition being edited, kept while the editor is closed."""
    edition_drafts: Mapping[str, EditionDraft] = field(
        default_factory=dict[str, EditionDraft]
    )
    """Others that were begun, by the editions that they began with."""
    past: PastGames = PastGames()
    learning: Learning | None = None
    """The lesson that is shown, while the page is open."""
    review: Review = Review()
    """The turns of the match that is over, beside the best plays."""
    mishap: str = ""
    """What went wrong with a page, so that it cannot be shown; empty if nothing did."""
    mishap_at: tuple[str, int] = ("", 0)
    """Which page that is, and of which table: see `client.pages.faults`."""
    counted: int = -1
    """How many games in hand were over when those with friends were counted last."""
    held: tuple[tuple[int, int], ...] = ()
    """Table and section of the list of games, while the pointer is over a row of it."""
    guest: bool = False
    """It is shown to somebody who was lent a seat, and has nothing else here."""
    crashed: bool = False
    """The window ended by a fault the last time: it opens no game by itself."""
    waiting: tuple[door.Status | door.View, ...] = ()
    """What the node has told and the window shows in a moment, oldest first."""
    seen_at: float = float("-inf")
    """When the last move came to be seen, on the clock of `now`."""
    counting: Counting = Counting()
    """Scores that are on their way to what they have become."""

    @property
    def look(self) -> Look:
        """Return the look of the settings, no larger than the window can hold.

        Every page is made for 800x500 at 100 %; a larger scale needs a larger window.
        """
        return _look(self.settings, self.size)

    @property
    def table(self) -> door.TableStatus | None:
        """Return the node's table, if it has one; computers' names in the language."""
        found = self.status.table if self.status else None
        return None if found is None else _told(found, spoken())

    @property
    def phase(self) -> str:
        """Return how far the match at the table has come; empty without a table."""
        return "" if self.table is None else self.table.phase

    @property
    def edition_names(self) -> tuple[str, ...]:
        """Return the names of the program's editions and of the user's own."""
        return (*editions.shipped(), *(self.status.editions if self.status else ()))

    @property
    def list_names(self) -> tuple[str, ...]:
        """Return the names of the program's word lists and of the user's own."""
        own = self.status.dictionaries if self.status else ()
        return (*lexicon.shipped(), *own)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the seats' names."""
        return tuple(s.name for s in self.table.seats) if self.table else ()


@lru_cache(maxsize=4)
def _look(settings: Settings, size: tuple[int, int]) -> Look:
    look = settings.look
    return replace(look, scale=max(60, min(grown(look.scale, size), largest(size))))


@lru_cache(maxsize=4)
def _told(table: door.TableStatus, _language: str) -> door.TableStatus:
    """Return a table with its computers' names in the language that is spoken."""
    return named(table)


class Ask(Struct, frozen=True):
    """Send a request to the node."""

    request: door.Request


class Copy(Struct, frozen=True):
    """Put a text on the clipboard."""

    text: str


class Paste(Struct, frozen=True):
    """Give back what the clipboard holds, as typed text."""


class Play(Struct, frozen=True):
    """Play a sound, if sounds are on."""

    sound: Sound


class Store(Struct, frozen=True):
    """Write the settings to disk."""


class Give(Struct, frozen=True):
    """Give the keyboard to a node."""

    name: str


class FullScreen(Struct, frozen=True):
    """Fill the screen, or go back to the window's size."""


class Flash(Struct, frozen=True):
    """Call for attention if the window is not looked at, by a notification, too."""

    title: str = ""
    text: str = ""
    about: str = ""


class OpenLinks(Struct, frozen=True):
    """Have clicked invitations come to this program, or no more."""

    on: bool


class ToFront(Struct, frozen=True):
    """Bring the window before the others."""


class Browse(Struct, frozen=True):
    """Read a folder, and tell of it by a `Listing`."""

    folder: str
    """Empty for where documents usually go."""


class Peek(Struct, frozen=True):
    """Look what lies at some paths, and tell of it by a `Looked`."""

    paths: tuple[str, ...]


class Report(Struct, frozen=True):
    """Write what to send with a complaint, and tell of it by a `Reported`."""

    path: str
    over: bool
    """What lies there may go."""


class Quit(Struct, frozen=True):
    """Close the window."""

    code: int = 0
    """The exit code, which whoever started the window understands."""


Effect: TypeAlias = (
    Ask | Copy | Paste | Play | Store | Give | FullScreen | Flash | Browse | Peek | Quit
    | Report | ToFront | OpenLinks
)  # fmt: skip
Change: TypeAlias = tuple[Model, tuple[Effect, ...]]
"""The next model and what is to be done in the world."""


def same(model: Model) -> Change:
    """Return no change."""
    return model, ()


def ask(model: Model, question: door.Question, what: str = "") -> Change:
    """Return the change that asks the node something.

    Args:
        model: As it is.
        question: What to ask.
        what: Remembered until the answer comes; `update` reads it then.
    """
    number = model.next_id
    asked = {**model.asked, number: what}
    model = replace(model, next_id=number + 1, asked=asked)
    if what == "play":
        model = replace(model, played_at=model.now)
    return model, (Ask(door.Request(number, question)),)


def tell(model: Model, text: str, *, bad: bool = False, about: str = "") -> Model:
    """Return the model with a passing notice, or with a fault, which stays."""
    if bad:
        return replace(model, fault=Notice(text, inf, bad=True, about=about))
    return replace(model, notice=Notice(text, model.now + NOTICE_SECONDS))


def edit_of(model: Model, name: str, start: str = "") -> Edit:
    """Return the state of a field; `start` is its text until it is touched."""
    return model.edits.get(name, hand.of(start))


def with_edit(model: Model, name: str, now: Edit) -> Model:
    """Return the model with another state of a field."""
    return replace(model, edits={**model.edits, name: now})


def untouched(model: Model, *names: str) -> Model:
    """Return the model with fields as they are before anything is typed."""
    edits = {name: edit for name, edit in model.edits.items() if name not in names}
    return replace(model, edits=edits)


def unscrolled(model: Model, name: str) -> Model:
    """Return the model with a list that shows what it does by itself."""
    scrolls = {each: at for each, at in model.scrolls.items() if each != name}
    return replace(model, scrolls=scrolls)


def toggled(model: Model, name: str) -> Change:
    """Open a drop-down, or close it if it is the one that is open."""
    return replace(model, open="" if model.open == name else name), ()


def turned_up(match: Match) -> int:
    """Return the entry looked back to, with what chance did at once behind it.

    A position right behind a move has tiles drawn that nobody has looked at yet;
    such a rack was never anybody's.
    """
    past, back = match.past, match.back
    while back < len(past) and past[back].actor == CHANCE:
        back += 1
    return back


def seen(model: Model, match: Match) -> AnySeen:
    """Return what the game module may know now."""
    seat = match.seat if match.seat >= 0 else None
    live = match.back < 0 and not match.sent and model.linked and not model.waiting
    table = model.table
    playing = model.phase == "playing"
    if match.back < 0:
        past, view = match.past, match.state
    elif match.hurries:
        past, view = (), match.state if match.looked is None else match.looked
    else:
        back = turned_up(match)
        past = match.past[:back]
        view = match.past[back].before if back < len(match.past) else match.state
    own = model.settings
    return Seen(
        view, seat, model.names, past, live and playing, model.now, own.pace, own.draw,
        own.keys, _computers(table), table is not None and table.disputed,
        lower_side(table, match.seat),
    )  # fmt: skip


def lower_side(table: door.TableStatus | None, seat: int) -> int:
    """Return whose side of the board is the lower one; -1 for a bystander's look.

    Where several play at this computer the board does not turn with each move.
    """
    if table is None or seat not in table.persons:
        return seat
    return table.persons[0]


def _computers(table: door.TableStatus | None) -> frozenset[int]:
    seats = () if table is None else table.seats
    return frozenset(i for i, seat in enumerate(seats) if seat.kind == "computer")
