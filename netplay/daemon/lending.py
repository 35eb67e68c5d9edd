"""Seats lent to browsers: who may ask what through the door, and is shown what.

A person's seat at this computer can be lent by a link.  Who opens it first is given a
token for that one seat of that one match, and the link is good no more.  Everything
that such a guest asks passes here, and everything that it is shown: what is not named
is refused.  Only hashes of links and tokens are kept.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.home import write_whole
from netplay.limits import DOOR_GUESTS, LENT_SEATS
from netplay.messages.door import (
    TOKEN_BYTES,
    Done,
    Earlier,
    Failed,
    FromNode,
    Hint,
    Line,
    LookBack,
    Made,
    Play,
    Request,
    Say,
    Seated,
    SeatStatus,
    Status,
    TableStatus,
    View,
    Watch,
)
from netplay.messages.node_questions import Network
from netplay.messages.table_questions import NameSeat
from netplay.named_files import OWN_BYTES, read_named
from netplay.sentences import Says

FILE: Final = "lent.json"
"""Within the home, for its owner alone."""


class Lent(Struct, frozen=True):
    """A seat that is lent."""

    match: str
    """Its id, in hexadecimal digits; before there is one, the nonce of the terms."""
    seat: int
    link: str
    """Hash of what opens it, once."""
    token: str = ""
    """Hash of what its guest shows, once there is one."""


def _hash(token: bytes) -> str:
    return hashlib.sha256(token).hexdigest()


class Lending:
    """The seats that are lent, and the guests who are in."""

    def __init__(
        self, home: Path, entropy: Callable[[int], bytes], told: Callable[[str], None]
    ) -> None:
        """Look what was lent before; a file that cannot be read has lent nothing.

        Args:
            home: Where that is kept.
            entropy: Returns so many random bytes.
            told: Told the match whose link somebody has opened a second time.
        """
        self._place: Final = home / FILE
        self._entropy: Final = entropy
        self._told: Final = told
        self.guests: dict[int, Lent] = {}
        """By their windows."""
        self._all: tuple[Lent, ...] = ()
        try:
            found = read_named(self._place, OWN_BYTES)
            self._all = msgspec.json.decode(found, type=tuple[Lent, ...])
        except (OSError, LocalError, msgspec.MsgspecError, RecursionError):
            pass
        self.any = bool(self._all)
        """Whether a seat is lent; asked at every status."""

    def lend(self, match: bytes, seat: int) -> bytes:
        """Return what opens a seat once; who had it before has it no more.

        Raises:
            LocalError: DISK, that cannot be kept.
        """
        link = self._entropy(TOKEN_BYTES)
        before = match.hex(), seat
        others = [one for one in self._all if (one.match, one.seat) != before]
        self._keep((*others[1 - LENT_SEATS :], Lent(match.hex(), seat, _hash(link))))
        return link

    def take_back(self, match: bytes, seat: int) -> None:
        """Lend a seat no more.

        Raises:
            LocalError: DISK, that cannot be kept.
        """
        gone = match.hex(), seat
        self._keep(tuple(one for one in self._all if (one.match, one.seat) != gone))

    def moved(self, before: bytes, now: bytes, seats: Mapping[int, int]) -> None:
        """Let the seats of a table be those of its match, or of the next table.

        Args:
            before: Nonce or match.
            now: The same; empty for none.
            seats: Numbers before -> now of those that stay lent.

        Raises:
            LocalError: DISK, that cannot be kept.
        """
        if not self.seats(before):
            return
        fates = {one: self._fate(one, before, now, seats) for one in self._all}
        self._keep(tuple(fate for fate in fates.values() if fate is not None))
        for window, lent in self.guests.items():
            self.guests[window] = fates.get(lent) or lent

    @staticmethod
    def _fate(
        one: Lent, before: bytes, now: bytes, seats: Mapping[int, int]
    ) -> Lent | None:
        """Return what becomes of a seat that is lent."""
        if one.match != before.hex():
            return one
        if not now or one.seat not in seats:
            return None
        return replace(one, match=now.hex(), seat=seats[one.seat])

    def _keep(self, every: tuple[Lent, ...]) -> None:
        write_whole(self._place, msgspec.json.encode(every))
        self._place.chmod(0o600)
        self._all, self.any = every, bool(every)

    def seats(self, match: bytes) -> frozenset[int]:
        """Return the seats of a match that are lent."""
        return frozenset(one.seat for one in self._all if one.match == match.hex())

    def ended(self) -> Iterator[int]:
        """Yield the windows of guests whose seat is theirs no more."""
        for window, lent in self.guests.items():
            if lent not in self._all:
                yield window

    def knock(self, window: int, shown: bytes) -> Seated | None:
        """Let a guest in that shows a link nobody has used, or the token it was given.

        Raises:
            LocalError: DISK, it cannot be kept who has taken the seat.
        """
        wanted, found = _hash(shown), None
        if len(self.guests) >= DOOR_GUESTS:
            return None
        for one in self._all:  # each for as long, whichever it is
            if hmac.compare_digest(wanted, one.token or one.link):
                found = one
            elif one.token and hmac.compare_digest(wanted, one.link):
                self._told(one.match)
        if found is None:
            return None
        if not found.token:
            shown = self._entropy(TOKEN_BYTES)
            taken = replace(found, token=_hash(shown))
            self._keep(tuple(taken if one is found else one for one in self._all))
            found = taken
        self.guests[window] = found
        return Seated(shown, bytes.fromhex(found.match), found.seat)

    def others(self, window: int) -> list[int]:
        """Return other windows of the guest who has just come: it has come again."""
        mine = self.guests[window]
        same = mine.match, mine.seat
        return [
            number
            for number, lent in self.guests.items()
            if number != window and (lent.match, lent.seat) == same
        ]

    def left(self, window: int) -> None:
        """Forget a guest's window."""
        self.guests.pop(window, None)

    # What guests may ask, and are shown.

    def allowed(
        self, lent: Lent, request: Request, table: int, names: Mapping[int, str]
    ) -> Request:
        """Return a guest's request as it is to be answered.

        Args:
            lent: What the guest has.
            request: What it asks.
            table: The number of that match's table.
            names: Of its seats.

        Raises:
            LocalError: NOT_YOURS, it may not.
        """
        if lent not in self._all:
            raise LocalError(Code.USAGE, Says.SEAT_LENT_NO_MORE())
        match request.ask:
            case Play(seat=seat) | Watch(seat=seat) | Hint(seat=seat):
                allowed = seat == lent.seat
            case Earlier(match=match, seat=seat):
                allowed = (match.hex(), seat) == (lent.match, lent.seat)
            case NameSeat(seat=seat, name=name):
                allowed = seat == lent.seat and bool(name.strip())
            case LookBack():
                allowed = True
            case Say(text=text):
                allowed = True  # all at this computer have one voice: it says whose
                said = Say(f"{names.get(lent.seat, '?')}: {text}")
                request = replace(request, ask=said)
            case _:
                allowed = False
        if not allowed:
            raise LocalError(Code.USAGE, Says.NOT_FOR_GUESTS())
        return replace(request, table=table)

    def shown(self, window: int, message: FromNode, table: bytes) -> FromNode | None:
        """Return what a guest is shown of a message, None for nothing.

        Args:
            window: The guest's.
            message: What windows are told.
            table: The match at the table that the window looks at.
        """
        lent = self.guests.get(window)
        if lent is None:
            return None
        there = table.hex() == lent.match and lent in self._all
        match message:
            case Done() | Failed() | Seated():
                return message
            case Status():
                return _status(message, lent, there=there)
            case View(match=match, seat=seat):
                own = (match.hex(), seat) == (lent.match, lent.seat)
                return message if own and there else None
            case Line():
                return message if there else None
            case _:
                return None

    def marked(self, status: Status) -> Status:
        """Return the status for the owner: the seats that are lent are not theirs."""
        table = status.table
        lent = self.seats(table.match) if table is not None and self._all else ()
        if table is None or not lent:
            return status
        seats = tuple(
            replace(seat, lent=True) if number in lent else seat
            for number, seat in enumerate(table.seats)
        )
        return replace(status, table=replace(table, seats=seats))


def _status(status: Status, lent: Lent, *, there: bool) -> Status:
    """Return all that a guest is shown of a node: its table, less whose it is."""
    table = status.table if there else None
    seats = () if table is None else table.seats
    name = seats[lent.seat].name if lent.seat < len(seats) else "?"
    return Status(
        name=name, key="", version=status.version, addresses=(), port=0,
        mode=status.mode, peers=(), saved=(), nearby=(), network=Network(),
        table=None if table is None else _table(table, lent.seat),
    )  # fmt: skip


def _table(table: TableStatus, own: int) -> TableStatus:
    seats = tuple(_seat(seat, lent=n != own) for n, seat in enumerate(table.seats))
    return replace(table, seats=seats, hosting=False, asking=(), made=Made())


def _seat(seat: SeatStatus, *, lent: bool) -> SeatStatus:
    return replace(seat, key="", address="", doubt="", lent=lent)
