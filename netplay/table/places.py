"""The tables in hand by their numbers, and which of them a peer's message is of."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.limits import PIECE_BYTES, PIECE_MOVES, TABLES
from netplay.match.match import Match
from netplay.messages import door, table_questions
from netplay.messages.door import BYSTANDER
from netplay.messages.table import (
    Accept,
    Ask,
    Attend,
    Bystanders,
    Chat,
    Decline,
    Heard,
    OpenTable,
    OpenTables,
    PassOn,
    Piece,
    Proposal,
    Ready,
    Ticket,
    Want,
)
from netplay.record.playable import Back
from netplay.record.views import SeatView
from netplay.sentences import Says
from netplay.table.bell import Bell
from netplay.table.forming import time_runs
from netplay.table.guest import Guest
from netplay.table.hosting import Hosting
from netplay.table.in_match import InMatch
from netplay.table.place import Place
from netplay.table.playing import Playing
from netplay.table.shared import Shared
from netplay.table.state import NOTHING, State, Wants
from netplay.table.table_status import called, described, titled
from netplay.table.unopened import UnopenedMatches
from netplay.wanted import EVERY_WINDOW, PeerMessage, Push
from netplay.wire import pack


class Places:
    """The places of a node that have a table."""

    def __init__(self, shared: Shared) -> None:
        """Begin without any.

        Args:
            shared: What all tables of the node have in common.
        """
        self._shared: Final = shared
        self.by_number: Final[dict[int, Place]] = {}
        """Those that have a table, the earliest first; changed here alone."""
        self.unopened: Final = UnopenedMatches()
        """What was in hand when the node ended, and is still to be opened."""
        self._of_matches: dict[bytes, Place] = {}
        """Where matches were found the last time."""
        self._last = 0
        """The number that was given last: none is given twice."""
        self.unsent: Final[dict[int, Place]] = {}
        """Those that may have something to send."""
        self.stale: Final[dict[int, Place]] = {}
        """Those at which something has happened that was not looked at."""
        self.polled: Final[dict[int, Place]] = {}
        """Those that may have something to send though nothing has happened there."""
        self.wants = NOTHING
        """What all of them want together, as far as was looked at."""
        self.bell: Final = Bell(shared)
        """Tells of those that have come to wait for the player."""
        self.gone: dict[int, str] = {}
        """Number and title of those that are gone since somebody looked."""

    def __iter__(self) -> Iterator[Place]:
        """Iterate over all, the earliest first, even if some go meanwhile."""
        return iter(list(self.by_number.values()))

    def __len__(self) -> int:
        """Return how many there are, also of those that are still to be opened."""
        return len(self.by_number) + len(self.unopened)

    def new(self, number: int = 0) -> Place:
        """Return a place for another table; it counts as soon as it has one.

        Args:
            number: Of the table; 0 for one that no other has had.
        """
        if not number or number in self.by_number:
            number = max(self._last, self.unopened.last) + 1
        self._last = max(self._last, number)
        return Place(self._shared, number, self._settled)

    def make_room(self, kept: Collection[int], now: float) -> None:
        """Let the oldest table go that is over, if room is needed for another.

        Args:
            kept: The numbers of those that somebody looks at.
            now: Seconds.

        Raises:
            LocalError: NO_ROOM, all of them go on.
        """
        if len(self.by_number) < TABLES:
            return
        for place in self:
            if not place.table.busy and place.number not in kept:
                with place:
                    _, change = place.table.leave()
                    place.change(change, now)
                return
        raise LocalError(Code.NO_ROOM, Says.TABLES_IN_HAND(count=TABLES))

    def _settled(self, place: Place) -> None:
        """Note that something has happened at a table, or that it is gone.

        It comes at every message: what is looked up for a move is worked out in
        `look_again`, once, and only for tables at which something has happened.
        """
        number, table, place.line = place.number, place.table, None
        if not table.empty:
            self.by_number[number] = self.unsent[number] = self.stale[number] = place
            if table.polled:
                self.polled[number] = place
            elif number in self.polled:
                del self.polled[number]
        elif self.by_number.pop(number, None) is not None:
            for noted in (self.unsent, self.stale, self.polled):
                noted.pop(number, None)
            self._gather()
            self.gone[number] = place.title
            found = self._of_matches.items()
            self._of_matches = {m: p for m, p in found if p is not place}
            self._shared.changed = self._shared.moved = True

    def send(self, now: float) -> None:
        """Let all tables that have something to send put it out.

        Raises:
            LocalError: DISK; the table is given up, and the others are as they were.
        """
        if self.polled:
            self.unsent.update(self.polled)
        while self.unsent:
            number, place = self.unsent.popitem()
            try:
                while place.send(now):
                    pass
            finally:  # it may have been given up
                if place.table.empty:
                    self._settled(place)
                else:
                    self.stale[number] = place

    def look_again(self) -> None:
        """Look at the tables at which something has happened since the last call."""
        others = False
        while self.stale:
            _number, place = self.stale.popitem()
            before = place.wants
            try:
                place.wants = place.table.wants()
                self.bell.look(place)  # it may have come to wait for somebody
            except Exception as error:  # noqa: BLE001 (the table sees to it)
                place.wants = NOTHING
                place.fail(error)
            if place.wants != before:
                others = True
                if place.wants.mark != before.mark:
                    self._shared.moved = True
        if others:
            self._gather()

    def _gather(self) -> None:
        """Put together what all tables want, now that one wants something else."""
        found = [place.wants for place in self.by_number.values()]
        self.wants = Wants(
            min((one.due for one in found if one.due is not None), default=None),
            [thought for one in found for thought in one.thoughts],
            [job for one in found for job in one.jobs],
        )

    def take_gone(self) -> dict[int, str]:
        """Return numbers and titles of those that are gone since the last call."""
        found, self.gone = self.gone, {}
        return found

    def players(self) -> dict[bytes, str]:
        """Return everybody at a table or on a link, and what they are called."""
        found = dict(self._shared.names())
        for place in self:
            found.update(place.look(lambda table: table.names()) or {})
        found.pop(self._shared.me, None)
        return found

    def clear(self) -> None:
        """Forget all."""
        for noted in (self.by_number, self.unsent, self.stale, self.polled):
            noted.clear()
        self.wants = NOTHING

    # Which table is meant.

    def of_match(self, match: bytes) -> Place | None:
        """Return where a match is played, watched, offered or waited for."""
        place = self._of_matches.get(match)
        played = None if place is None else place.table.match
        if played is not None and played.match == match:
            return place
        if match in self.unopened:
            self.unopened.open(match)
        for one in self.by_number.values():
            if one.table.match_name == match:
                self._of_matches[match] = one
                return one
        return None

    def named(self, name: bytes) -> Place | None:
        """Return the table that a peer calls by a nonce, or by a match."""
        for one in self:
            if one.look(lambda table: table.is_called(name)):
                return one
        if not self.unopened:
            return None
        self.unopened.open_all()
        return self.named(name)

    def rematch(self, match: bytes) -> Place | None:
        """Return where this node has proposed to play a match once more."""
        for one in self:
            if isinstance(one.table, Hosting) and one.table.is_rematch(match):
                return one
        return None

    def asked(self, key: bytes) -> Place | None:
        """Return the table at which a peer was asked, and has not named one."""
        return next(
            (one for one in self if bool(one.look(lambda table: table.asked(key)))),
            None,
        )

    def meant(self, key: bytes, message: PeerMessage) -> Place | None:  # noqa: PLR0911 (one a message)
        """Return the table that a message is of, if it is in hand."""
        match message:
            case Proposal(terms=terms, again=again):
                known = self.named(terms.nonce) or self.rematch(again)
                played = self.of_match(again) if again and known is None else None
                return known or played or self.asked(key)
            case Ask(table) | Decline(table):
                return self.named(table) if table else self._unnamed(key, message)
            case Attend(match) | PassOn(match):
                return self.of_match(match) if match else self._unnamed(key, message)
            case Bystanders(match) | Ticket(match):
                return self.of_match(match) or self.asked(key)
            case OpenTables():
                return self.asked(key)
            case Chat() | Heard():
                talks = (one for one in self if one.table.talk(message.table))
                return next(talks, None) or self.named(message.table)
            case Accept() | Ready() | Want() | Piece():
                return self.named(message.table)
            case _:
                return self.of_match(message.match)

    def _unnamed(
        self, key: bytes, message: Ask | Attend | PassOn | Decline
    ) -> Place | None:
        """Return the table that is meant where none is named, if it is but one."""
        if isinstance(message, Decline):
            return self.asked(key)
        kind = Hosting if isinstance(message, Ask) else InMatch
        fits = [place for place in self if isinstance(place.table, kind)]
        free = [place for place in fits if place.look(lambda t: t.open_to(key))]
        sits = [place for place in fits if key in place.table.others]
        busy = [place for place in self if place.table.busy]
        matches = [place for place in busy if isinstance(place.table, InMatch)]
        return next(iter((*free, *sits, *fits, *matches)), None)

    def open_to(self, key: bytes, message: Ask | Attend) -> list[OpenTable]:
        """Return the tables that are open to a peer who asks for a seat or to watch."""
        looked = (place.look(lambda t: t.open_to(key)) for place in self)
        found = [one for one in looked if one is not None]
        seats = isinstance(message, Ask)
        return [one for one in found if bool(one.free) == seats]


# What windows are shown of the match: the view of the seat that each one watches.


class _Mark(Struct, frozen=True):
    """How much a view has told."""

    match: bytes
    number: int
    happened: int
    known: int
    made: tuple[bytes, ...]
    backs: Sequence[Back]


class _Window:
    """What a window watches, and what it has been sent."""

    def __init__(self) -> None:
        self.up = False
        self.looks_at: int | None = None
        """The table it has chosen, 0 for none of them; None before it has chosen."""
        self.recalled = 0
        """The table of which it was told last what had been said."""
        self.seat: int | None = None
        """None before it has asked for any."""
        self.sent: _Mark | None = None
        """What the last view told."""
        self.view: SeatView | None = None
        """Of whom it told."""
        self.state: bytes = b""


class Views:
    """The windows of a node, and what each has been sent."""

    def __init__(self) -> None:
        """Begin without any."""
        self.windows: Final[dict[int, _Window]] = {}

    def up(self, window: int) -> None:
        """Note a new window."""
        self.windows.setdefault(window, _Window()).up = True

    def down(self, window: int) -> None:
        """Forget a window."""
        self.windows.pop(window, None)

    # Which table each looks at.

    def numbers(self) -> list[int]:
        """Return the windows that are there."""
        return [number for number, window in self.windows.items() if window.up]

    def looks_at(self, window: int) -> int | None:
        """Return the table that a window has chosen, 0 for none; None for no choice."""
        one = self.windows.get(window)
        return None if one is None else one.looks_at

    def looked_at(self) -> set[int]:
        """Return all tables that windows have chosen."""
        return {one.looks_at for one in self.windows.values() if one.looks_at}

    def look_at(self, window: int, table: int) -> bool:
        """Let a window look at another table, or at none; tell whether it is there."""
        one = self.windows.get(window)
        if one is None or not one.up:
            return False  # a command: it says each time which table it means
        one.looks_at = table
        return True

    def unwatch(self, window: int, match: Match | None) -> None:
        """Send a window no views but of the one seat that it can ask for now.

        Else it sees a match no sooner than its question has been here, and that is long
        for a game in which time runs, on a computer that has much to do.
        """
        own: list[int] = []
        if match is not None:
            kinds = [seat.kind for seat in match.fold.terms.seats]
            seats = filter(match.seats.by_person, sorted(match.members.seats))
            own = [seat for seat in seats if kinds[seat] != "browser"]
        one = self.windows[window]
        one.seat, one.sent = own[0] if len(own) == 1 else None, None

    def gone(self, tables: Collection[int], *, alone: bool) -> list[int]:
        """Let windows that look at tables that are gone look at none.

        Args:
            tables: Which.
            alone: There is no other: the next that comes will be the one.

        Returns:
            The windows that have chosen no table.
        """
        for one in self.windows.values():
            if one.looks_at in tables:
                one.looks_at = None if alone else 0
        return [n for n in self.numbers() if self.windows[n].looks_at is None]

    def watch(self, window: int, seat: int, match: Match | None) -> None:
        """Send a window the views of a seat from now on.

        Raises:
            LocalError: NOT_A_MEMBER, the seat is played elsewhere.
        """
        if match is not None:
            _allowed(match, seat)
        one = self.windows.setdefault(window, _Window())
        one.seat, one.sent = seat, None

    def back(self, window: int, number: int, match: Match | None) -> Push:
        """Return a window's view as it was after some entries.

        Raises:
            LocalError: USAGE, there is no match, or nothing is watched.
        """
        one = self.windows.get(window)
        if match is None or one is None or one.seat is None:
            raise LocalError(Code.USAGE, Says.NO_MATCH_TO_LOOK_BACK())
        seat = _allowed(match, one.seat)
        state, happened = match.seats.view(seat).back(number)
        # A window that hurries wants the time, not thousands of inputs.
        past = match.seats.view(seat).happened(max(0, happened - 1), happened)
        view = door.View(match.match, one.seat, number, pack(state), past, live=False)
        return Push(window, view)


def _allowed(match: Match, seat: int) -> int | None:
    """Return the seat as views know it.

    Raises:
        LocalError: NOT_A_MEMBER.
    """
    if seat != BYSTANDER and seat not in match.members.seats:
        raise LocalError(Code.NOT_A_MEMBER, Says.PLAYED_ELSEWHERE())
    return None if seat == BYSTANDER else seat


def earlier(asked: door.Earlier, match: Match | None) -> bytes:
    """Return a piece of the history of a match, as a seat knows it, encoded.

    Raises:
        LocalError: USAGE, there is no such match; NOT_A_MEMBER, the seat is played
            elsewhere.
    """
    if match is None or match.match != asked.match:
        raise LocalError(Code.USAGE, Says.NO_MATCH_TO_LOOK_BACK())
    return pack(match.seats.view(_allowed(match, asked.seat)).piece(asked.place))


def glance(match: Match) -> door.View:
    """Return a match's board for a list: as it is, without what happened before."""
    state = pack(match.shown_state(BYSTANDER))
    return door.View(match.match, BYSTANDER, match.fold.number, state, (), live=False)


def news(match: Match, window: _Window) -> door.View | None:
    """Return a window's view if it has changed, with what has happened since."""
    assert window.seat is not None
    seen = match.seats.view(None if window.seat == BYSTANDER else window.seat)
    fold, old = match.ledger.fold, window.sent
    made = match.seats.made(window.seat) if match.submitting.early else ()
    mark = _Mark(
        match.match, fold.number, seen.count, len(seen.known), made, fold.backs
    )
    if old == mark and window.view is seen and match.parts.realtime is None:
        return None
    shown = (
        seen.state if match.parts.realtime is None else match.shown_state(window.seat)
    )
    state = pack(shown)
    if old == mark and window.view is seen and window.state == state:
        return None
    window.sent, window.state = mark, state
    place = match.match, window.seat, fold.number
    again = old is None or window.view is not seen  # or the log was made anew
    whole = not again and old is not None and old.backs is not fold.backs
    window.view = seen
    told = () if old is None or again else seen.happened(old.happened, seen.count)
    # What a window is told together; one move is never too much.
    much = len(told) > 1 and (
        len(told) > PIECE_MOVES or sum(len(one.move) for one in told) > PIECE_BYTES
    )
    if old is None or again or whole or much:
        piece = seen.piece(seen.count)
        return door.View(
            *place, state, piece.happened, live=True, made=made, whole=whole,
            before=piece.before, known=piece.known,
        )  # fmt: skip
    learnt = seen.learnt(old.known) if mark.known > old.known else ()
    return door.View(*place, state, told, live=True, made=made, known=learnt)


# The windows of a node: which table each looks at, and what it is shown of it.
#
# A window that has chosen no table looks at the only one there is. A command chooses
# none: it says each time which one it means, or means the only one that goes on.


NAMED: Final = 12
"""Tables named to who has to say which is meant."""


_ASKED_OF: Final[Mapping[type, type[State]]] = {
    door.Consent: Guest,
    door.StartMatch: Hosting,
    door.ChangeTable: Hosting,
    door.Call: Hosting,
    table_questions.Kick: Hosting,
    door.Play: InMatch,
    table_questions.TakeBack: InMatch,
    table_questions.Prepare: InMatch,
    table_questions.DropPrepared: InMatch,
    table_questions.ClaimTime: InMatch,
    table_questions.Vote: InMatch,
    table_questions.HandSeat: InMatch,
    table_questions.AnswerWatcher: Playing,
    table_questions.LetWatch: Playing,
    table_questions.PlayAgain: Playing,
}
"""What only tables of a kind can be asked: no other is meant while there is one."""


class Windows:
    """All windows of a node."""

    def __init__(self, shared: Shared, places: Places) -> None:
        """Begin without any.

        Args:
            shared: What all tables of the node have in common.
            places: The tables.
        """
        self._shared: Final = shared
        self._places: Final = places
        self.views: Final = Views()
        self._unseeing: Final[set[int]] = set()
        """In which the player sees no chat: of guests, and commands that show none."""

    def up(self, window: int, number: int | None = None, *, reads: bool = True) -> None:
        """Note a new window, and tell it what was said before it came.

        Args:
            window: Which.
            number: Of the table that it looks at, 0 for none; None if it may choose.
            reads: The player here sees there what is said.
        """
        self.views.up(window)
        if not reads:
            self._unseeing.add(window)
        if number is not None:
            self.views.look_at(window, number)
        self._recall(window)

    def _recall(self, *windows: int, again: bool = True) -> None:
        """Tell windows what was said at the table that each looks at.

        Args:
            windows: Which.
            again: Also those that were told of this table last.
        """
        for window in windows:
            place, told = self.seen_by(window), self.views.windows[window]
            if place is None or (told.recalled == place.number and not again):
                continue
            told.recalled = place.number
            if place.table.chat is not None:
                with place:
                    place.table.chat.recall(window)
                if window not in self._unseeing:
                    place.seen()

    def came(self, number: int) -> None:
        """Tell windows that have chosen no table what was said at one that has come.

        It may be the only one, which they look at; whoever chooses it is told then.
        Who looks at the one that was the only one until now goes on doing so.
        """
        others = [one for one in self._places.by_number if one != number]
        for window in self.views.numbers():
            if self.views.looks_at(window) is not None:
                continue
            place = self.seen_by(window)
            if place and place.number == number:
                self._recall(window)
            elif len(others) == 1 and not self._places.unopened:
                self.views.look_at(window, others[0])

    def down(self, window: int) -> None:
        """Forget a window."""
        self.views.down(window)
        self._unseeing.discard(window)

    def seen_by(self, window: int) -> Place | None:
        """Return the table that a window looks at: its choice, or the only one."""
        number = self.views.looks_at(window)
        if number is not None:
            return self._places.by_number.get(number)
        return self._alone()

    def _alone(self) -> Place | None:
        """Return the only table in hand."""
        places = self._places.by_number
        if self._places.unopened:
            return None
        return next(iter(places.values())) if len(places) == 1 else None

    def look_at(self, window: int, number: int) -> None:
        """Let a window look at a table from now on, or at none."""
        before = self.seen_by(window)
        if self.views.look_at(window, number):
            self._shared.changed = True
            if (seen := self.seen_by(window)) is not before:
                self.views.unwatch(window, None if seen is None else seen.table.match)
                self._recall(window)

    def follow(self, before: int, number: int) -> None:
        """Let windows that look at a table look at another from now on."""
        for window in self.views.numbers():
            if self.views.looks_at(window) == before:
                self.look_at(window, number)

    def show_at_once(self, number: int, *, called: bool) -> None:
        """Let windows look at a table that has just come, if they look at none.

        Args:
            number: Of the table.
            called: Somebody else would like to play.  Only where time runs it is shown
                then: else it waits in the list of games, and nobody is taken from what
                they are about to do there.
        """
        place = self._places.by_number.get(number)
        terms = None if place is None else place.table.terms
        if called and (terms is None or not time_runs(terms)):
            return
        for window in self.views.numbers():
            if self.seen_by(window) is None:
                self.look_at(window, number)

    def keep_away(self) -> None:
        """Let windows that look at no table go on doing so, whatever comes."""
        for window in self.views.numbers():
            if self.seen_by(window) is None:
                self.views.look_at(window, 0)

    def find(self, window: int, request: door.Request) -> Place | None:
        """Return the table that a request is about, None while none is in hand.

        Raises:
            LocalError: NO_TABLE, there is none with its number; USAGE, there are
                several.
        """
        if request.table:
            return self.numbered(request.table)
        return self.seen_by(window) or self._only(request.ask)

    def numbered(self, number: int) -> Place:
        """Return the table with a number.

        Raises:
            LocalError: NO_TABLE, there is none.
        """
        place = self._places.by_number.get(number)
        if place is None:
            raise LocalError(Code.NO_TABLE, Says.NO_SUCH_TABLE(number=number))
        return place

    def _only(self, ask: door.Question | None = None) -> Place | None:
        """Return the only table that may be meant, or the only one that goes on.

        Raises:
            LocalError: USAGE, there are several.
        """
        self._places.unopened.open_all()
        found = list(self._places)
        kind = _ASKED_OF.get(type(ask))
        if kind is not None:
            found = [one for one in found if isinstance(one.table, kind)] or found
        if len(found) > 1:
            found = [one for one in found if one.table.busy] or found[-1:]
        if len(found) > 1:
            names = [described(one.number, one.table) for one in found[:NAMED]]
            raise LocalError(Code.USAGE, Says.WHICH_TABLE(tables=", ".join(names)))
        return found[0] if found else None

    def front(self, window: int | None = None) -> Place | None:
        """Return what a window looks at; of all the one that goes on, or the latest."""
        if window is not None:
            return self.seen_by(window)
        found = list(self._places)
        busy = [place for place in found if place.table.busy]
        return next(iter((*reversed(busy), *reversed(found))), None)

    # What they are shown.

    def take_pushes(self) -> list[Push]:
        """Return pushes for windows, in order."""
        gone: Mapping[int, str] = {}
        if self._places.gone:  # called at every move
            gone = self._places.take_gone()
            free = self.views.gone(gone, alone=len(self._places) == 0)
            self._recall(*free, again=False)  # they see the one that is left
        views: list[Push] = []
        # By hand, as this is done at every move: each that watches a match is shown
        # what has changed of it since the last time.
        found = self._places.by_number
        for number, window in self.views.windows.items():
            seat, choice = window.seat, window.looks_at
            one = found[choice] if choice in found else None  # noqa: SIM401 (no call)
            place = self._alone() if choice is None else one
            match = None if place is None else place.table.match
            if place is None or match is None or seat is None:
                continue
            if seat != BYSTANDER and seat not in match.members.seats:
                continue
            try:
                view = news(match, window)
            except Exception as error:  # noqa: BLE001 (the table sees to it)
                place.fail(error)
                continue
            if view is not None:
                views.append(Push(number, view))
        if not self._shared.pushes:
            return views
        pushes, self._shared.pushes = self._shared.pushes, []
        shown = [one for push in pushes for one in self._shown(push, gone)]
        return [*shown, *views]

    def _shown(self, push: Push, gone: Mapping[int, str]) -> list[Push]:
        """Return what is to be shown of a table, for those who look at it.

        A notice is for all where nobody looks at the table, and says which is meant; a
        line of chat waits.
        """
        windows = self.views.numbers()
        place = self._places.by_number.get(push.table)
        if push.window != EVERY_WINDOW or not windows:
            return [push]
        if place is None:
            return [self._named(push, gone.get(push.table, ""))]
        notice, match = push.message, place.table.match
        if isinstance(notice, door.Notice) and match is not None:
            own_name = self._shared.means.known.own_name
            said = called(match.fold, own_name, notice.said)
            push = replace(push, message=replace(notice, said=said))
        looking = [number for number in windows if self.seen_by(number) is place]
        if isinstance(notice, door.Line) and not self._unseeing.issuperset(looking):
            place.seen()
        if len(looking) == len(windows):
            return [push]
        if looking:
            return [replace(push, window=number) for number in looking]
        if isinstance(push.message, door.Line):
            return []
        return [self._named(push, titled(place.table))]

    def _named(self, push: Push, title: str) -> Push:
        """Return a notice with what the table is called, where it is not plain."""
        notice = push.message
        others = any(number != push.table for number in self._places.by_number)
        if not title or not others or not isinstance(notice, door.Notice):
            return push
        said = Says.AT(place=title, why=notice.said)
        return replace(push, message=replace(notice, said=said))

    def looked_at(self) -> Collection[int]:
        """Return the tables that windows have chosen."""
        return self.views.looked_at()
