"""A table in one of its states: what all states have in common.

Theory of operation.  A table is one thing in one state: nothing, called for, fetching
words, being formed here (hosting) or by another (guest), played, asked to be watched,
or watched.  Whoever holds it (`Place`) calls a method when something of this table
happened.  A method that ends the state returns the `Change`; what is to be sent and
shown goes to `shared`.  What is about no table in hand never comes here.

The answers here are those of a place with nothing on it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import Any, Final, TypeAlias

from msgspec import Struct, field
from typing_extensions import override

from netplay.errors import Code, LocalError, PeerError
from netplay.limits import PIECES_A_SECOND, PIECES_AT_ONCE
from netplay.match.masks import Job
from netplay.match.match import Match
from netplay.messages import door, table_questions
from netplay.messages.log import LogMessage
from netplay.messages.table import (
    Accept,
    Admit,
    Ask,
    Attend,
    Beat,
    Beyond,
    Bystanders,
    Chat,
    Decline,
    Heard,
    OpenTable,
    OpenTables,
    Passed,
    PassOn,
    Piece,
    Proposal,
    Ready,
    Terms,
    Ticket,
    Want,
)
from netplay.messages.types import Admission
from netplay.rate import Buckets
from netplay.record.ledger import Ledger
from netplay.review.grading import Judged
from netplay.said import Said, Words
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.table.chat import ChatRoom
from netplay.table.forming import Forming
from netplay.table.resources import Kind
from netplay.table.shared import Shared
from netplay.wanted import Dial, PeerMessage, Thought

# What becomes of a table: a state returns one of these, and `Place` makes the next.
#
# So no state has to know the others, and each change is made in one place: the old
# state says goodbye and lets its files go, then the new one begins.


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
    said: float = -inf
    """When the player has said to be there; `inf`: that is said for the player."""
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
    terms: Terms
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


Reply: TypeAlias = tuple[Words, Change | None]
"""Words for the user, and what becomes of the table."""


class Wants(Struct, frozen=True):
    """What a table wants of whoever drives it."""

    due: float | None = None
    """When `wake` is wanted next."""
    thoughts: Sequence[Thought] = ()
    """The turns of local computer seats."""
    jobs: Sequence[Job] = ()
    """What is to be done beside the loop."""
    mark: object = field(default_factory=object)
    """Another when `dials`, `offer` or `expects` may be others: of a match that goes
    on seldom, of all else whenever it was asked."""


NOTHING: Final = Wants()


class News(Struct, frozen=True):
    """What has come of what happened, besides messages and pushes."""

    changed: bool
    """The status is another."""
    moved: bool
    """Links may be wanted or not, or tables offered, as they were not.

    While this is no, `wants_dial`, `offers`, `expects`, `trusts` and `take_friends`
    answer as they did before, and `seats_to_come` nothing.
    """
    summons: list[door.Summons]
    """What has come to wait for the player here."""
    wants: Wants
    """What all tables want together."""


class State:
    """A table; nothing is on it."""

    polled = False
    """Whether it may have something to send though nothing has happened at it: files
    are checked by another process."""
    survives = False
    """Whether it stays when the disk refuses something: nothing of it is there."""
    match: Match | None = None
    """The match that is played or watched."""
    empty = True
    """Whether nothing is left of it: no state that derives from this one."""
    stopped: Words = ""
    """Why a match was stopped, empty if it was not."""

    @override
    def __init_subclass__(cls) -> None:
        """Note that there is something on a table in a state of its own."""
        cls.empty = False

    def __init__(self, shared: Shared) -> None:
        """Begin.

        Args:
            shared: What all tables of the node have in common.
        """
        self.shared: Final = shared
        self.answers = defaultdict[type[Any], Callable[[Any, float], Reply]](
            lambda: self.refused,
            {
                door.Say: self._answer_say,
                door.LeaveTable: lambda _ask, _now: self.leave(),
            },
        )
        """What answers each kind of question about this table; see `ask`."""
        self.chat: ChatRoom | None = None
        self.beside: ChatRoom | None = None
        """The talk of the match before, or of the rematch that is proposed: not all go
        on at once, and each shows what the others say."""
        self._pieces = Buckets[bytes](PIECES_A_SECOND, PIECES_AT_ONCE)
        """How much of its files each at the table may still ask for."""

    # What there is.

    @property
    def mode(self) -> str:
        """What the node is doing at this table, in a word; empty for nothing."""
        return ""

    @property
    def busy(self) -> bool:
        """Whether it is not to be let go because room is needed for another."""
        return False

    @property
    def undelivered(self) -> bool:
        """Whether what was done here last is at no other node yet, besides a match."""
        return False

    @property
    def ready(self) -> bool:
        """Whether others have agreed to it, and the player here may begin it."""
        return False

    @property
    def waits_for_ready(self) -> bool:
        """Whether the player here is to say that a match may begin."""
        return False

    @property
    def nonce(self) -> bytes:
        """What peers call the table by: the nonce of its terms; empty if unknown."""
        return b"" if self.terms is None else self.terms.nonce

    @property
    def match_name(self) -> bytes:
        """The match that is played, watched, offered or waited for; empty for none."""
        return b"" if self.match is None else self.match.match

    def is_called(self, name: bytes) -> bool:
        """Tell whether peers call this table by a name."""
        return name in (self.nonce, self.match_name)

    def talk(self, name: bytes) -> ChatRoom | None:
        """Return the talk here that has a name, if any has."""
        rooms = self.chat, self.beside
        return next((one for one in rooms if one and one.nonce == name), None)

    def open_to(self, key: bytes) -> OpenTable | None:
        """Return how a peer is shown this table, if it may come and names none."""
        del key
        return None

    def asked(self, key: bytes) -> bool:
        """Tell whether a peer was asked for a table of its and has named none yet."""
        del key
        return False

    def repeats(self, call: "CallHost | AskToWatch") -> bool:
        """Tell whether this table is what a call asks for, and waits for an answer."""
        del call
        return False

    @property
    def address(self) -> str:
        """Whom this node calls, empty for nobody."""
        return ""

    @property
    def terms(self) -> Terms | None:
        """The terms, once they are known."""
        return None

    @property
    def others(self) -> Sequence[bytes]:
        """The keys of the others at the table; of who only calls to one, none."""
        return ()

    @property
    def admission(self) -> Admission | None:
        """Who may watch the match that is agreed on now, None if there is none."""
        return None

    def names(self) -> Mapping[bytes, str]:
        """Return everybody at the table, and what they are called."""
        members = () if self.terms is None else self.terms.members
        return {member.key: shown_name(member.name) for member in members}

    def expects(self, key: bytes) -> bool:
        """Tell whether a link from a peer matters here."""
        return key in self.others

    def spares(self, key: bytes, now: float) -> bool:
        """Tell whether somebody is not to be asked here what can wait."""
        del key, now
        return False

    def dials(self) -> Iterable[Dial]:
        """Return the links that would be good to have, those there are among them."""
        return ()

    def offer(self) -> tuple[str, int] | None:
        """Return game and free seats of a table to which others may come."""
        return None

    def status(self, now: float) -> door.TableStatus | None:
        """Return the table as windows show it, None if there is nothing to show."""
        del now
        return None

    # Life.

    def enter(self, now: float) -> Change | None:
        """Do what is to be done first."""

    def close(self) -> None:
        """Say goodbye to whoever is only here because of this state."""

    def give_up(self) -> None:
        """Let go of what the disk refuses to keep."""

    def peer_up(self, key: bytes, address: str, now: float) -> Change | None:
        """Take a link into account."""

    def peer_named(self, key: bytes) -> None:
        """Show a peer by the name that it has from now on."""

    def peer_quiet(self, key: bytes, now: float) -> None:
        """Note that nothing is heard on a link, though an answer is due."""

    def peer_down(self, key: bytes, now: float) -> Change | None:
        """Take into account that a peer is away."""

    def blocked(self, key: bytes) -> Change | None:
        """Have nothing to do with a peer any more."""

    def unreachable(self, dial: Dial) -> Change | None:
        """Take into account that nobody answers at an address."""

    def wake(self, now: float) -> None:
        """Do what is due."""

    def wants(self) -> Wants:
        """Return what is wanted now; it is asked after all that happens here."""
        return Wants()

    def send(self, now: float) -> Change | None:
        """Let go to the peers what has become ready to be sent."""

    # Computer players.

    def thoughts_to_come(self) -> Sequence[Thought]:
        """Return turns that computer seats here will have, once for each match."""
        return ()

    def hint(self, seat: int) -> Thought:
        """Return the thought that finds a hint.

        Raises:
            LocalError: There is none to give.
        """
        del seat
        raise LocalError(Code.USAGE, Says.NO_MATCH_FOR_HINTS())

    def turn(self, number: int) -> Judged:
        """Return a turn of a match that is over.

        Args:
            number: Its move's place in the history (`Happened.number`).

        Raises:
            LocalError: There is no such turn.
        """
        del number
        raise LocalError(Code.USAGE, Says.NOTHING_TO_ANALYSE())

    # Messages.

    def receive(self, key: bytes, message: PeerMessage, now: float) -> Change | None:
        """Take a message from a peer.

        Raises:
            PeerError: It broke the protocol.
            LocalError: DISK.
        """
        match message:
            case Chat():
                self.on_chat(message, now)
            case Heard():
                if (talk := self.talk(message.table)) is not None:
                    talk.heard(key, message)
            case Want():
                self._on_want(key, message)
            case Ask():
                self.shared.decline(key, message.table, Code.NO_TABLE)
            case Attend():
                why = Says.NO_MATCH_HERE()
                self.shared.decline(key, message.match, Code.NO_TABLE, why)
            case Proposal():
                why = Says.BUSY_HERE()
                self.shared.decline(
                    key, message.terms.nonce, Code.BUSY, why, message.revision
                )
            case (
                Decline() | Accept() | Ready() | Piece() | OpenTables() | Bystanders()
                | Admit() | PassOn() | Ticket() | Beat() | Passed() | Beyond()
            ):  # fmt: skip
                pass  # of what this table was, and is no more
            case _:
                return self.on_log(key, message, now)
        return None

    def on_chat(self, line: Chat, now: float) -> bool:
        """Take a line of chat; return whether it was new."""
        talk = self.talk(line.table)
        return talk is not None and talk.on_chat(line, now)

    def on_log(self, key: bytes, message: LogMessage, now: float) -> Change | None:
        """Take what is about the match of this table.

        Raises:
            PeerError: It broke the protocol, or is no member.
            LocalError: DISK.
        """

    def let_look_on(self, keys: frozenset[bytes]) -> None:
        """Let those look on, and no others, who are there in browsers."""

    def await_guests(self) -> None:
        """Let no time run before guests in browsers are back, whose node was away."""

    def guest_seen(self, _seat: int, *, here: bool) -> None:
        """Note that the guest in a browser who has a seat has come, or has gone."""
        del here
        self.shared.changed = True

    def looks(self, _key: bytes) -> bool:
        """Tell whether somebody may look on."""
        return False

    def serves(self, key: bytes) -> bool:
        """Tell whether a peer may have the files of this table."""
        return key in self.others

    def show_open(self, key: bytes, tables: Sequence[OpenTable]) -> None:
        """Let the player choose which of a host's tables is meant."""
        name = self.shared.known_as(key)
        self.shared.tell(Says.SEVERAL_OPEN(name=name, count=len(tables)))
        self.shared.changed = True

    def _on_want(self, key: bytes, want: Want) -> None:
        """Send a piece of a file that the table plays with.

        It is for those at the table, and for those who watch; of whom asks else, and of
        a file that the terms do not name any more, nothing is said.

        Raises:
            PeerError: TOO_MANY, it has had more than all of it; BAD_DIGEST, the file
                does not reach so far.
        """
        terms, shared = self.terms, self.shared
        if terms is None or not self.serves(key):
            return
        if want.digest not in (terms.edition, terms.lexicon):
            return
        if not self._pieces.take(key, shared.now):
            raise PeerError(Code.TOO_MANY, "pieces of files")
        shared.say((key,), shared.means.shelf.piece(want))

    # Windows.

    def ask(self, question: door.Question, now: float) -> Reply:
        """Do what a window asks of the table.

        Raises:
            LocalError: The user asked for what cannot be.
            IllegalMoveError: The rules forbid the move.
        """
        return self.answers[type(question)](question, now)

    def _answer_say(self, ask: door.Say, now: float) -> Reply:
        if self.chat is None:
            return self.refused(ask, now)
        heard = self.chat.say(ask.text, now, ask.guest)
        return "" if heard else Says.LINE_KEPT(), None

    def refused(self, question: door.Question, _now: float) -> Reply:
        """Say why a question has no place in this state.

        Raises:
            LocalError: Always.
        """
        raise LocalError(*_WANTING.get(type(question), (Code.USAGE, "")))

    def leave(self) -> Reply:
        """Leave the table; a match can be loaded again."""
        return Says.WAS_NO_TABLE(), None


_NOT_FORMING: Final = Code.NO_TABLE, Says.NO_TABLE_FORMING()
_NOT_PLAYING: Final = Code.NO_TABLE, Says.NO_MATCH_HERE()

_WANTING: Final[Mapping[type, tuple[Code, Said]]] = {
    door.ChangeTable: _NOT_FORMING,
    door.Call: _NOT_FORMING,
    door.StartMatch: _NOT_FORMING,
    door.Consent: (Code.NO_TABLE, Says.NOTHING_PROPOSED()),
    door.Play: _NOT_PLAYING,
    door.Say: (Code.NO_TABLE, Says.NOBODY_TO_TALK_TO()),
    table_questions.Kick: _NOT_FORMING,
    table_questions.HandSeat: _NOT_PLAYING,
    table_questions.Vote: _NOT_PLAYING,
    table_questions.TakeBack: _NOT_PLAYING,
    table_questions.Prepare: _NOT_PLAYING,
    table_questions.DropPrepared: _NOT_PLAYING,
    table_questions.ClaimTime: _NOT_PLAYING,
    table_questions.LetWatch: _NOT_PLAYING,
    table_questions.AnswerWatcher: (Code.USAGE, Says.NOBODY_WATCHES()),
    table_questions.PlayAgain: (Code.USAGE, Says.REMATCH_LATER()),
}
"""Why what is asked for cannot be in a state that does not know of it."""
