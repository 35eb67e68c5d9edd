"""All that a window knows, a struct a page, and what it may want done in the world."""

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from math import inf
from typing import Any, ClassVar, Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from client.app.board import AnySeen, AnyStep, Seen
from client.app.browsing import Chooser
from client.app.drafts import Draft, TablePage
from client.app.lessons import Learning
from client.app.motion import Counting
from client.app.settings import Settings
from client.app.thumbnails import Glimpse
from client.ui import hand
from client.ui.hand import Edit
from client.ui.sound import Sound
from client.ui.texts import _, spoken
from client.ui.theme import Look, grown, largest, lies, stands, upright
from netplay.messages import door
from netplay.messages.node_questions import Correspondent, KnownNode, Talked
from netplay.messages.table_questions import Appraisal, Finished, FinishedMatches
from netplay.said import Said, Words
from rules import GAMES, editions, lexicon
from rules.editions import PLAIN, Edition
from rules.game import CHANCE, Resource


class PastGames(Struct, frozen=True):
    """What the page of finished games remembers."""

    found: tuple[Finished, ...] = ()
    """The latest first."""
    reading: bool = False
    """There may be others, which are being read."""
    whole: bool = False
    """All were read once: who is in none has not been played with before."""
    tab: int = 0
    """The games are shown; results against each friend; how well one plays."""
    skilled: str = ""
    """The game of which the last tells; empty for the one reviewed last."""
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
        whole = self.whole or not page.more
        return replace(self, found=tuple(latest), reading=page.more, whole=whole)

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
    middle: int = -1
    """The place of the turn in the middle of the page's list, until it is scrolled."""
    leads: bool = False
    """The page goes to what has lost most so far; not once somebody has chosen."""


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
    if name == "Computer":
        return _("Computer")
    return _numbered(name, "Computer", _("Computer {n}"))


def _numbered(name: str, head: str, words: str) -> str:
    """Return words with a name's number, if it has that head and a number."""
    first, _space, number = name.partition(" ")
    return words.format(n=number) if first == head and number.isdecimal() else name


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
    drill: str = ""
    """The missed word that is asked for."""
    opened: bool = False
    """It was looked at before, and what was chosen then stays."""


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


class EditorPage(Struct, frozen=True):
    """What the editor of editions remembers."""

    draft: EditionDraft | None = None
    """The edition being edited, kept while the editor is closed."""
    others: Mapping[str, EditionDraft] = field(default_factory=dict[str, EditionDraft])
    """Others that were begun, by the editions that they began with."""


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
    CONNECTION = "connection"
    """Addresses, keys and ports."""
    INVITE = "invite"
    """One's own invitation as a picture."""
    HELP = "help"
    LEAVE = "leave"
    """Really leave this match?"""
    RESIGN = "resign"
    """Really give it up?"""
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
    COPY = "copy"
    """Shall a copy of everything be kept on another disk?"""
    BRING = "bring"
    """What opens the copy of everything from another computer?"""
    NEW_KEY = "new-key"
    """A friend who has lost the key: what is the new one?"""
    NEWS = "news"
    """Where are notices of security releases to be looked for?"""
    LEND = "lend"
    """A guest's seat here, for a browser."""
    DEVICES = "devices"
    """The browsers of the owner's, and how another one is let in."""
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
    WRITING = "writing"
    """What a friend and the player write to each other without a table."""
    FINISHED = "finished"
    """Games that are over, and results against each friend."""
    ROUTER = "router"
    """May the router be asked to let others in?"""
    SERVERS = "servers"
    """May public servers be asked where our calls come from?"""
    DHT = "dht"
    """Shall missing friends be looked for in public?  By a click."""
    MEET = "meet"
    """The same, asked by itself."""
    MAY_LOOK = "may-look"
    """May the window look whether an invitation is on the clipboard?"""
    CLIPBOARD = "clipboard"
    """There is one: is it wanted?"""
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
    sent: Mapping[int, str] = field(default_factory=dict[int, str])
    """What one says oneself and the node has not taken yet: request -> line."""


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
    keyed: bool = False
    """The key is shown, to be compared."""
    blocked: bool = False
    """By the player here, and may be heard again."""
    forgets: bool = False
    """It is asked whether to forget them."""
    listed: bool = False
    """It was asked from the page Connection, which comes again."""


class Lend(Struct, frozen=True):
    """A seat for a guest in a browser that is being looked at."""

    seat: int
    name: str
    """Of the guest; empty while nobody sits there."""
    link: str = ""
    """What opens it, once it was asked for."""


class Devices(Struct, frozen=True):
    """The browsers of the owner's, as they were asked for."""

    listed: tuple[tuple[str, int], ...] = ()
    """(name, Unix time since when)."""
    link: str = ""
    """What lets another one in."""
    fingerprint: str = ""
    """Of the certificate there; empty for this computer."""


class OwnLine(Struct, frozen=True):
    """One's own invitation, as it was told the last time."""

    line: str = ""
    places: tuple[str, ...] = ()
    """What it was asked for with: others, and it is asked for again."""
    near: float = -inf
    """When it was copied while it led here from this network only."""


class Notice(Struct, frozen=True):
    """A sentence, when it was told, and until when it is shown (as `Model.now` is)."""

    text: str
    until: float
    bad: bool = False
    about: str = ""
    """What was asked for, if it was refused; or what goes on, until more is known."""
    told: float = 0.0


class StartPage(Struct, frozen=True):
    """What the start page remembers: its lists, and how friends come."""

    chosen: str = ""
    """The name of the row chosen in the list of tables nearby."""
    boards: Mapping[bytes, Glimpse] = field(default_factory=dict[bytes, Glimpse])
    """Of matches in hand, for their pictures in the list."""
    held: tuple[tuple[int, int], ...] = ()
    """Table and section of the list of games, while the pointer is over a row of it."""
    counted: int = -1
    """How many games in hand were over when those with friends were counted last."""
    invitation: OwnLine = OwnLine()
    talk: Talked = Talked("", ())
    """What was written with the friend of the dialog."""
    seen: Correspondent = Correspondent("", 0, 0, 0)
    """How that stood when it was asked for last."""
    in_vain: str = ""
    """Why the last call of a friend was in vain, with the places that were tried."""


class MatchPage(Struct, frozen=True):
    """What the page of a match remembers beside the match itself."""

    shelf: Mapping[int, Any] = field(default_factory=dict[int, Any])
    """Local states of the other seats played at this window."""
    watching: int | None = None
    """The seat we have asked to watch."""
    played_at: float = 0.0
    """When the node was last asked to make a move."""
    waiting: tuple[door.Status | door.View, ...] = ()
    """What the node has told and the window shows in a moment, oldest first."""
    seen_at: float = float("-inf")
    """When the last move came to be seen, on the clock of `Model.now`."""
    counting: Counting = Counting()
    """Scores that are on their way to what they have become."""
    celebrated: bytes = b""
    """The match whose result has been shown."""
    ended: bytes = b""
    """The match whose end has been shown and put aside."""
    meant: tuple[tuple[str, str], ...] = ()
    """Words of the match whose result is shown, and what they mean."""


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
    touched: float = -inf
    """When a hand last did something, on the clock of `now`; inf while it presses."""
    typing: str = ""
    """The field that the keyboard was given, until what stands there is sent."""
    edits: Mapping[str, Edit] = field(default_factory=dict[str, Edit])
    scrolls: Mapping[str, int] = field(default_factory=dict[str, int])
    open: str = ""
    """The drop-down that is open."""
    lend: Lend | None = None
    devices: Devices = Devices()
    start: StartPage = StartPage()
    who: Who | None = None
    """The player whom the dialog about one is about."""
    known: tuple[KnownNode, ...] = ()
    """Whom the node has met, as of when the preferences were opened."""
    setup: TablePage = TablePage()
    refusal: str = ""
    """Why the node has refused the terms; where the key is missing, its place."""
    match: Match | None = None
    play: MatchPage = MatchPage()
    chat: Chat = Chat()
    notice: Notice | None = None
    fault: Notice | None = None
    """What went wrong, until it is mended or dismissed."""
    put_away: frozenset[Words] = frozenset()
    """Faults of the node that the player has read."""
    asked: Mapping[int, str] = field(default_factory=dict[int, str])
    """Requests not answered yet: id -> what for."""
    links: bool | None = None
    """Clicked invitations come to this program; None: not known, or they cannot."""
    fronts: bool = False
    """It is told when the window comes to the front."""
    came_back: bool = False
    """It has just come there, and nobody has looked at the clipboard yet."""
    offer: Over = Over.NONE
    """What is asked at the foot of the start page, though nobody has asked for it."""
    put_off: frozenset[Over] = frozenset()
    """The questions that have been put away."""
    report: str = ""
    """Where the report is that was asked for, or why there is none."""
    calling: str = ""
    """The last call that the node was asked for: whether it fails is told later."""
    brought: bool = False
    """Everything has come from another computer: the settings are to be read again."""
    next_id: int = 1
    chooser: Chooser | None = None
    """The file chooser, while it is open."""
    book: Book = Book()
    editor: EditorPage = EditorPage()
    past: PastGames = PastGames()
    learning: Learning | None = None
    """The lesson that is shown, while the page is open."""
    review: Review = Review()
    """The turns of the match that is over, beside the best plays."""
    mishap: str = ""
    """What went wrong with a page, so that it cannot be shown; empty if nothing did."""
    mishap_at: tuple[str, int] = ("", 0)
    """Which page that is, and of which table: see `client.pages.faults`."""
    guest: bool = False
    """It is shown to somebody who was lent a seat, and has nothing else here."""
    looks: bool = False
    """Such a guest has no seat, and only looks on."""
    apart: bool = False
    """A browser shows it: files of the user's are where that is, not at this disk."""
    spoken: bool = False
    """A program puts the window into words."""
    crashed: bool = False
    """The window ended by a fault the last time: it opens no game by itself."""

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
        table, language, told = _Told.last
        if table is not found or language != spoken():
            told = None if found is None else named(found)
            _Told.last = found, spoken(), told
        return told

    @property
    def phase(self) -> str:
        """Return how far the match at the table has come; empty without a table."""
        found = self.status.table if self.status else None
        return "" if found is None else found.phase

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
        table = self.table
        return tuple(s.name for s in table.seats) if table else ()

    @property
    def alone(self) -> bool:
        """Whether one has played alone: there is nobody to win against, but points."""
        return len(self.names) == 1


@lru_cache(maxsize=4)
def _look(settings: Settings, size: tuple[int, int]) -> Look:
    look = settings.look
    scale = max(45, min(grown(look.scale, size), largest(size)))
    held = upright(size)
    high = held and size[1] >= 2 * size[0]  # else there is no room for it
    return replace(
        look, scale=scale, thumb=high, lying=lies(size), upright=stands(size), held=held
    )


class _Told:
    """Kept without hashing, which takes longer: a page asks a hundred times."""

    last: ClassVar[tuple[Any, str, door.TableStatus | None]] = (None, "", None)


class Ask(Struct, frozen=True):
    """Send a request to the node."""

    request: door.Request


class Copy(Struct, frozen=True):
    """Put a text on the clipboard."""

    text: str


class Show(Struct, frozen=True):
    """Open a page of our own in the browser of this computer."""

    link: str


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


class LookThere(Struct, frozen=True):
    """Look whether an invitation is on the clipboard, and tell of it if so."""


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
    | Report | Show | ToFront | OpenLinks | LookThere
)  # fmt: skip
OnScreen: TypeAlias = Copy | Paste | Play | FullScreen | Flash | ToFront | LookThere
"""What only a screen can do."""
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
        model = replace(model, play=replace(model.play, played_at=model.now))
    return model, (Ask(door.Request(number, question)),)


def drafted(model: Model, draft: Draft) -> Model:
    """Return the model with other terms of the table that is being set up."""
    return replace(model, setup=replace(model.setup, draft=draft))


def tell(model: Model, text: str, *, bad: bool = False, about: str = "") -> Model:
    """Return the model with a passing notice, or with a fault, which stays."""
    until = inf if bad else model.now + NOTICE_SECONDS
    said = Notice(text, until, bad=bad, about=about, told=model.now)
    return replace(model, fault=said) if bad else replace(model, notice=said)


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


def unscrolled(model: Model, *names: str) -> Model:
    """Return the model with lists that show what they do by themselves."""
    scrolls = {each: at for each, at in model.scrolls.items() if each not in names}
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
    live = match.back < 0 and not match.sent and model.linked and not model.play.waiting
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
    seats = () if table is None else table.seats
    computers = frozenset(i for i, seat in enumerate(seats) if seat.kind == "computer")
    return Seen(
        view, seat, model.names, past, live and playing, model.now, own.pace, own.draw,
        own.keys, computers, table is not None and table.disputed,
        lower_side(table, match.seat), model.phase == "over",
        frozenset(i for i, seat in enumerate(seats) if seat.state == "late"),
    )  # fmt: skip


def lower_side(table: door.TableStatus | None, seat: int) -> int:
    """Return whose side of the board is the lower one; -1 for a bystander's look.

    Where several play at this computer the board does not turn with each move.
    """
    if table is None or seat not in table.persons:
        return seat
    return table.persons[0]
