"""The tables in hand by their numbers, and which of them a peer's message is of."""

from collections.abc import Collection, Iterator
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
from netplay.table.hosting import Hosting
from netplay.table.in_match import InMatch
from netplay.table.place import Place
from netplay.table.shared import Shared
from netplay.wanted import PeerMessage


class Places:
    """The places of a node that have a table."""

    def __init__(self, shared: Shared) -> None:
        """Begin without any.

        Args:
            shared: What all tables of the node have in common.
        """
        self._shared: Final = shared
        self._places: dict[int, Place] = {}
        self._of_matches: dict[bytes, Place] = {}
        """Where matches were found the last time."""
        self._last = 0
        """The number that was given last: none is given twice."""
        self.unsent: dict[int, Place] = {}
        """Those that may have something to send."""
        self.stale: dict[int, Place] = {}
        """Those at which something has happened that was not looked at."""
        self.gone: list[int] = []
        """The numbers of those that are gone since somebody looked."""

    def __iter__(self) -> Iterator[Place]:
        """Iterate over all, the earliest first, even if some go meanwhile."""
        return iter(list(self._places.values()))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._places)

    def get(self, number: int) -> Place | None:
        """Return the place with a number."""
        return self._places.get(number)

    def new(self, number: int = 0) -> Place:
        """Return a place for another table; it counts as soon as it has one.

        Args:
            number: Of the table; 0 for one that no other has had.
        """
        if not number or number in self._places:
            number = self._last + 1
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
        if len(self._places) < TABLES:
            return
        for place in self:
            if not place.table.busy and place.number not in kept:
                with place:
                    _, change = place.table.leave()
                    place.change(change, now)
                return
        raise LocalError(Code.NO_ROOM, Says.TABLES_IN_HAND(count=TABLES))

    def _settled(self, place: Place) -> None:
        """Note that something has happened at a table, or that it is gone."""
        number = place.number
        if not place.table.empty:
            self._places[number] = self.unsent[number] = self.stale[number] = place
        elif self._places.pop(number, None) is not None:
            self.unsent.pop(number, None)
            self.stale.pop(number, None)
            self.gone.append(number)
            found = self._of_matches.items()
            self._of_matches = {m: p for m, p in found if p is not place}
            self._shared.changed = self._shared.moved = True

    def waiting(self) -> Iterator[Place]:
        """Yield those that may have something to send, each once."""
        for place in self:
            if place.table.polled:
                self.unsent[place.number] = place
        while self.unsent:
            yield self.unsent.pop(next(iter(self.unsent)))

    def looked_over(self, place: Place) -> None:
        """Note that a table has sent what it had; it may be gone by that."""
        self.unsent.pop(place.number, None)
        self._settled(place)
        self.unsent.pop(place.number, None)

    def take_stale(self) -> list[Place]:
        """Return those at which something has happened since the last call."""
        found, self.stale = list(self.stale.values()), {}
        return found

    def take_gone(self) -> list[int]:
        """Return the numbers of those that are gone since the last call."""
        found, self.gone = self.gone, []
        return found

    def clear(self) -> None:
        """Forget all."""
        self._places, self.unsent, self.stale = {}, {}, {}

    # Which table is meant.

    def of_match(self, match: bytes) -> Place | None:
        """Return where a match is played, watched, offered or waited for."""
        place = self._of_matches.get(match)
        if place is not None and place.table.match_name == match:
            return place
        for one in self._places.values():
            if one.table.match_name == match:
                self._of_matches[match] = one
                return one
        return None

    def named(self, name: bytes) -> Place | None:
        """Return the table that a peer calls by a nonce, or by a match."""
        places = self._places.values()
        return next((one for one in places if one.table.is_called(name)), None)

    def _asked(self, key: bytes) -> Place | None:
        """Return the table at which a peer was asked, and has not named one."""
        return next((one for one in self if one.table.asked(key)), None)

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
        free = [place for place in fits if place.table.open_to(key) is not None]
        sits = [place for place in fits if key in place.table.others]
        busy = [place for place in self if place.table.busy]
        matches = [place for place in busy if isinstance(place.table, InMatch)]
        return next(iter((*free, *sits, *fits, *matches)), None)

    def open_to(self, key: bytes, message: Ask | Attend) -> list[OpenTable]:
        """Return the tables that are open to a peer who asks for a seat or to watch."""
        found = [one for place in self if (one := place.table.open_to(key))]
        seats = isinstance(message, Ask)
        return [one for one in found if bool(one.free) == seats]
