"""The tables in hand by their numbers, and which of them a peer's message is of."""

from collections.abc import Collection, Iterator
from functools import partial
from typing import Final

from netplay.errors import Code, LocalError
from netplay.limits import TABLES
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
    Piece,
    Proposal,
    Want,
)
from netplay.sentences import Says
from netplay.table.bell import Bell
from netplay.table.hosting import Hosting
from netplay.table.in_match import InMatch
from netplay.table.place import Place
from netplay.table.shared import Shared
from netplay.table.state import NOTHING, State, Wants
from netplay.table.unopened_matches import UnopenedMatches
from netplay.wanted import PeerMessage


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
            if table.polled or number in self.polled:
                self._note_polled(place)
        elif self.by_number.pop(number, None) is not None:
            for noted in (self.unsent, self.stale, self.polled):
                noted.pop(number, None)
            self._gather()
            self.gone[number] = place.title
            found = self._of_matches.items()
            self._of_matches = {m: p for m, p in found if p is not place}
            self._shared.changed = self._shared.moved = True

    def _note_polled(self, place: Place) -> None:
        """Note whether a table has to be asked even if nothing happens there."""
        if place.table.polled:
            self.polled[place.number] = place
        else:
            del self.polled[place.number]

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
            place.wants = place.look(partial(self._wanted, place)) or NOTHING
            if place.wants != before:
                others = True
                if place.wants.mark != before.mark:
                    self._shared.moved = True
        if others:
            self._gather()

    def _wanted(self, place: Place, table: State) -> Wants:
        """Return what a table wants, and ring if it waits for somebody."""
        wants = table.wants()
        self.bell.look(place)
        return wants

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

    def _asked(self, key: bytes) -> Place | None:
        """Return the table at which a peer was asked, and has not named one."""
        return next((one for one in self if self._was_asked(one, key)), None)

    def _was_asked(self, place: Place, key: bytes) -> bool:
        return bool(place.look(lambda table: table.asked(key)))

    def meant(self, key: bytes, message: PeerMessage) -> Place | None:  # noqa: PLR0911 (one a message)
        """Return the table that a message is of, if it is in hand."""
        match message:
            case Proposal(terms=terms, again=again):
                known = self.named(terms.nonce)
                played = self.of_match(again) if again and known is None else None
                return known or played or self._asked(key)
            case Ask(table) | Decline(table):
                return self.named(table) if table else self._unnamed(key, message)
            case Attend(match):
                return self.of_match(match) if match else self._unnamed(key, message)
            case Bystanders(match):
                return self.of_match(match) or self._asked(key)
            case OpenTables():
                return self._asked(key)
            case Accept() | Want() | Piece() | Chat() | Heard():
                return self.named(message.table)
            case _:
                return self.of_match(message.match)

    def _unnamed(self, key: bytes, message: Ask | Attend | Decline) -> Place | None:
        """Return the table that is meant where none is named, if it is but one."""
        if isinstance(message, Decline):
            return self._asked(key)
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
