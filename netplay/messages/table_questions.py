"""What windows and commands ask of a table besides play: seats, bystanders, rematch."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from netplay.messages.log import DaysOff, What
from netplay.messages.types import (
    SEATS,
    Admission,
    Digest,
    DoorMessage,
    Name,
    Natural,
    Word,
)
from netplay.said import Said, Words
from rules import title_of

# Moves prepared on condition, as windows show and ask it.


MOVES: Final = 8
"""Of all players together, the most in one line."""


class PreparedLine(DoorMessage, frozen=True):
    """What a seat here plays by itself if the others play so."""

    seat: int
    """Whose line."""
    moves: tuple[tuple[int, bytes], ...]
    """(seat, move), from what a window shows on, what was made here counted in."""


class Prepare(DoorMessage, frozen=True, tag="prepare"):
    """Prepare a line for a seat here."""

    seat: Natural
    moves: tuple[bytes, ...]
    """In their order, beginning with another's and ending with the seat's."""
    number: int = -1
    """As in `Play`."""


class DropPrepared(DoorMessage, frozen=True, tag="drop-prepared"):
    """Drop what is prepared for a seat here."""

    seat: Natural
    moves: tuple[bytes, ...] = ()
    """Of the line, as it is shown; empty for all lines."""


# What players offer one another and have agreed on, as windows show and ask it.


class OfferStatus(DoorMessage, frozen=True):
    """An offer that stands."""

    seat: int
    """Who offers."""
    what: What
    days: int
    """Off, if it asks for these."""
    head: bytes
    """What an answer names it by."""
    asked: tuple[int, ...]
    """Seats that have yet to answer."""


class Agreeing(DoorMessage, frozen=True):
    """What stands between the players of a match, and how they have ended it."""

    standing: tuple[OfferStatus, ...] = ()
    may: tuple[tuple[int, What], ...] = ()
    """(seat, what): what persons here may offer now."""
    ended: Literal["", "draw", "stop"] = ""
    """The players have agreed to that."""
    off: tuple[tuple[int, int], ...] = ()
    """(seat, seconds): whose days stand still, and for how long."""


class MakeOffer(DoorMessage, frozen=True, tag="offer"):
    """Offer the others something for a seat here."""

    seat: Natural
    what: What
    days: DaysOff = 0


class AnswerOffer(DoorMessage, frozen=True, tag="answer-offer"):
    """Agree to an offer for a seat here, or decline it; decline one's own, too."""

    seat: Natural
    agrees: bool
    head: bytes = b""
    """Which; empty for the only one."""


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

    seat: Annotated[int, Meta(ge=-1)]
    """-1 for none: who has such a link looks on, as a bystander does."""
    on: bool = True
    """False to lend it no more."""
    served: bool = False
    """Serve pages, if none are, and reply with the whole link: the player has agreed
    that others on the local network come to them."""


class NameSeat(DoorMessage, frozen=True, tag="name-seat"):
    """Sit down at a browser's seat of a table that is being formed."""

    seat: Natural
    name: str


class Seen(DoorMessage, frozen=True, tag="seen"):
    """Say that the page of a guest in a browser has gone, or has come back."""

    here: bool


class Glance(DoorMessage, frozen=True, tag="glance"):
    """Reply with the board of a table in hand as a bystander sees it: a `View`."""

    table: Natural


class Appraise(DoorMessage, frozen=True, tag="appraise"):
    """Reply with a turn of a match that is over beside the best plays there were."""

    number: Natural
    """Of the move in the history."""

    at_sight: bool = False
    """For a first look, which takes a moment; ask once more for what is thought out."""


class ClaimTime(DoorMessage, frozen=True, tag="claim-time"):
    """Say that whoever keeps the player waiting has had all days to think."""


class Mute(DoorMessage, frozen=True, tag="mute"):
    """Tell the player nothing more of a table, or of what somebody writes."""

    on: bool
    whom: str = ""
    """A key or a name; empty for the table."""
    guest: str = ""
    """Who plays in a browser there, of whom alone nothing is told."""


class SetQuiet(DoorMessage, frozen=True, tag="quiet"):
    """Tell the player nothing in some hours of every day."""

    hours: str
    """As they were typed; empty for none."""


TableQuestion: TypeAlias = (
    LendSeat
    | NameSeat
    | Seen
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


# Matches that are over, as windows and commands are told of them.


Result: TypeAlias = Literal[
    "won", "lost", "tied", "won on time", "lost on time", "contested", "unanswered", ""
]
"""Of the seats here; contested: won on time, with an objection; unanswered: claimed to
be won so; nothing where nobody else played, in dispute, and where all have agreed to
stop."""


class Friend(DoorMessage, frozen=True):
    """Somebody who played at another node."""

    key: Word
    """Fingerprint."""
    name: Name
    seats: Annotated[tuple[int, ...], Meta(max_length=SEATS)] = ()
    """Those that were the friend's at the end."""


class Finished(DoorMessage, frozen=True):
    """A match that is over."""

    match: Digest
    path: str
    game: Word
    players: Annotated[tuple[Name, ...], Meta(max_length=SEATS)]
    """In turn order."""
    places: Annotated[tuple[int, ...], Meta(max_length=SEATS)]
    scores: Annotated[tuple[int, ...], Meta(max_length=SEATS)]
    """In turn order; empty where the game counts no points."""
    own: Annotated[tuple[int, ...], Meta(max_length=SEATS)]
    """Seats that were played here by persons at the end."""
    friends: Annotated[tuple[Friend, ...], Meta(max_length=SEATS)]
    result: Result
    at: int
    """When its last entry was written, in Unix time."""

    @property
    def title(self) -> str:
        """What the game is called."""
        return title_of(self.game)


class Record(DoorMessage, frozen=True):
    """Results against a friend."""

    key: str
    name: str
    """As the friend was called the last time."""
    won: int = 0
    lost: int = 0
    tied: int = 0


class GetFinished(DoorMessage, frozen=True, tag="finished"):
    """Reply with some of the matches that are over, the latest first."""

    start: Natural = 0
    """How many files of matches have been looked at for it before."""


class FinishedMatches(DoorMessage, frozen=True):
    """Some of the matches that are over."""

    found: tuple[Finished, ...]
    next: Natural
    """The next `start`."""
    more: bool
    """There may be others."""


def told_apart(one: Record, every: Iterable[Record]) -> str:
    """Return a friend's name, with the key if another has the same name."""
    alike = sum(each.name == one.name for each in every)
    return f"{one.name} ({one.key})" if alike > 1 else one.name


def has_words(text: str, words: str) -> bool:
    """Tell whether every word that is looked for is in a text, in any case."""
    folded = text.casefold()
    return all(word in folded for word in words.casefold().split())


def records(found: Iterable[Finished]) -> list[Record]:
    """Return the results against each friend, the one played with most first.

    A friend is a key: two of the same name are two.

    Args:
        found: The matches, the latest first.
    """
    names: dict[str, str] = {}
    made: dict[str, Counter[str]] = {}
    for one in found:
        if one.result in ("", "contested"):
            continue
        for friend in one.friends:
            names.setdefault(friend.key, friend.name)
            made.setdefault(friend.key, Counter())[_against(one, friend)] += 1
    often = sorted(made.items(), key=lambda each: -each[1].total())
    return [Record(key, names[key], c["won"], c["lost"], c["tied"]) for key, c in often]


def _against(one: Finished, friend: Friend) -> str:
    """Return how a match ended between the players here and a friend.

    Who came second of three has won against who came third, though it lost the match.
    """
    if not (one.places and one.own and friend.seats):
        return one.result.removesuffix(" on time")
    mine = min(one.places[seat] for seat in one.own)
    theirs = min(one.places[seat] for seat in friend.seats)
    return "tied" if mine == theirs else "won" if mine < theirs else "lost"


# Tables as lists show them: those in hand, those open at a host who was called.


Phase: TypeAlias = Literal[
    "forming", "starting", "playing", "paused", "over", "stopped"
]
"""forming: terms are being agreed; starting: seeds and the bag; paused: a peer that
is needed is away; over: the rules have ended the match; stopped: somebody left."""


AskedState: TypeAlias = Literal[
    "", "undelivered", "left", "unanswered", "declined", "full"
]
"""How far somebody for whom a seat is kept was asked; left: a friend keeps it."""


FREE: Final = "?"
"""Who has a seat that is kept for nobody, or for somebody of whom no name is known."""


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
    blocked: tuple[str, ...] = ()
    """Players whom the player here has blocked."""
    left: int | None = None
    """Seconds that the turn may yet take, 0 once they are over; None: no limit."""
    off: tuple[tuple[str, int], ...] = ()
    """Names of those who have days off, and for how many more seconds."""
    result: Result = ""
    """Of the seats here, once it is over."""
    audit: Words = ""
    """As of the table."""
    live: bool = False
    """It goes on now, and time runs: in real time, or by clocks with all there."""
    keys: tuple[str, ...] = ()
    """Fingerprints of those who play at other nodes: names prove nothing."""
    host: int = -1
    """Which of these is of the node that orders a match; -1 where none is."""
    rematch: tuple[int, ...] = ()
    """Seats of the others who would like to play again."""


class OpenStatus(DoorMessage, frozen=True):
    """A table that is open at a host who was called."""

    game: str
    free: int
    """Seats; 0 for a match that may be watched."""
    players: tuple[str, ...]


# What the node finds out about a turn of a match that is over.
#
# The answer to the verb `appraise` with a number: which of the moves in the history
# (`Happened.number`).


TOTAL: Final = 10_000
"""Ten-thousandths of a sure win."""

Grade: TypeAlias = Literal["none", "inaccuracy", "mistake", "blunder"]
"""How much a turn lost of the chance to win."""


class Offer(DoorMessage, frozen=True):
    """A play, made or possible."""

    text: str
    """As other programs write it: `8H WORD`; empty for a turn without a play."""
    points: int
    sums: tuple[str, ...]
    """How the points come about, a line a word: `WORD: (4 + 1×2 + 1 + 2) × 2 = 18`."""
    laid: tuple[tuple[int, int, int], ...]
    """(square, letter, kind of tile) of each tile laid."""
    move: bytes = b""
    """The move itself, in games that are judged by their computer player."""
    value: int = 0
    """Hundredths of a point: what it scores, and what it leaves; 0 in games without."""
    chance: int = 0
    """To win after it, in ten-thousandths."""


class Appraisal(DoorMessage, frozen=True):
    """A turn, beside what could have been played."""

    number: Natural
    """The move's place in the history."""
    seat: int
    rack: tuple[int, ...]
    """Kinds of the tiles held; -1 for one that nobody wrote down."""
    played: Offer
    best: tuple[Offer, ...]
    """The plays that are worth most, the best first; empty if there was none."""
    most: int = 0
    """Points of the play that scores most."""
    equity_lost: int = 0
    """Hundredths of a point that the best play was worth more than the one made."""
    chance_lost: int = 0
    """To win, in ten-thousandths."""
    grade: Grade = "none"
    """Only for losses greater than the judging may err."""
    why: Said | None = None
    """What was better about the best play, where that is sure."""
    work: int = 0
    """How much was thought: positions, plays, or looks at what was found."""
    at_sight: bool = False
    """Only looked at: thinking it out may tell otherwise."""
    back: str = ""
    """The play that was laid and taken back, or did not stand: it cost the turn."""
    lapsed: bool = False
    """Nobody chose anything: the turn ran out of time."""

    @property
    def loss(self) -> int:
        """How many points more the play that scores most has than the one made."""
        most = max([self.most, *(each.points for each in self.best)])
        return max(0, most - self.played.points)


TELLING: Final = 5
"""Turns from which on it says something how well a player has played."""


def accuracy(turns: Iterable[Appraisal]) -> float | None:
    """Return how well a player has played, 0 to 100; None of only a few turns.

    It is the mean over the turns of the curve that Lichess uses.  A turn out of time
    is no move, good or bad: in a game that is lost already it would count as perfect.
    """
    lost = [each.chance_lost / 100 for each in turns if not each.lapsed]
    if len(lost) < TELLING:
        return None
    shares = [103.1668 * exp(-0.04354 * each) - 3.1669 for each in lost]
    return round(sum(min(100.0, max(0.0, each)) for each in shares) / len(shares), 1)


HOPE: Final = 50
"""A chance to win, in ten-thousandths, that is more than 0 % as it is written."""


def is_hopeless(turns: Sequence[Appraisal]) -> bool:
    """Return whether nothing could have been done: no move in any turn had a chance.

    Args:
        turns: All of one player's, in order. The first must have been thought out: a
            glance takes much for lost.
    """
    offers = (offer for each in turns for offer in (each.played, *each.best))
    known = bool(turns) and not turns[0].at_sight
    return known and all(offer.chance < HOPE for offer in offers)
