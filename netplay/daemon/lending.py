"""Seats lent to browsers: who may ask what through the door, and is shown what.

A person's seat at this computer can be lent by a link.  Who opens it first is given a
token for that one seat of that one match, and the link is good no more.  Everything
that such a guest asks passes here, and everything that it is shown: what is not named
is refused.  Only hashes of links and tokens are kept.

Who has a link without a seat looks on: the match knows it as a bystander by a key that
is made of its link (see `Audience.let_look_on`), and it is shown what bystanders see
while all players agree to that.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec
import trio
from msgspec import Struct
from msgspec.structs import replace
from typing_extensions import override

from netplay.daemon.door import Door
from netplay.daemon.parts import Parts
from netplay.errors import Code, LocalError
from netplay.home import write_whole
from netplay.limits import DOOR_GUESTS, LENT_LOOKS, LENT_SEATS
from netplay.messages import door
from netplay.messages.door import (
    BYSTANDER,
    Done,
    FromNode,
    Request,
    Seated,
    TableStatus,
    Tone,
)
from netplay.messages.node_questions import Network
from netplay.messages.table_questions import AnswerOffer, MakeOffer, NameSeat, Seen
from netplay.named_files import OWN_BYTES, read_named
from netplay.said import Said
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.sentences import Says
from netplay.table.shared import Lends

FILE: Final = "lent.json"
"""Within the home, for its owner alone."""

LENDABLE: Final = frozenset({"here", "away", "awaited"})
"""States of a person's seat here that a guest may have."""


class Lent(Struct, frozen=True):
    """A seat that is lent."""

    match: str
    """Its id, in hexadecimal digits; before there is one, the nonce of the terms."""
    seat: int
    """`BYSTANDER` for who only looks on."""
    link: str
    """Hash of what opens it, once."""
    token: str = ""
    """Hash of what its guest shows, once there is one."""

    @property
    def looks(self) -> bool:
        """Whether it is none, and its guest only looks on."""
        return self.seat == BYSTANDER

    @property
    def key(self) -> bytes:
        """As which bystander who looks on is known to the match."""
        return hashlib.sha256(bytes.fromhex(self.link)).digest()


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
        self._away: dict[str, float] = {}
        """Since when those are away who have been here, by what opened their seats."""
        self._pageless: set[int] = set()
        """Windows of guests that wait for their page to come back."""
        self._all: tuple[Lent, ...] = ()
        try:
            found = read_named(self._place, OWN_BYTES)
            self._all = msgspec.json.decode(found, type=tuple[Lent, ...])
        except (OSError, LocalError, ValueError, RecursionError):
            pass
        self.any = bool(self._all)
        """Whether a seat is lent; asked at every status."""

    def lend(self, match: bytes, seat: int) -> bytes:
        """Return what opens a seat once; who had it before has it no more.

        Of those who look on only a link that nobody has opened is replaced.

        Raises:
            LocalError: DISK, that cannot be kept; TABLE_FULL, as many look on as may.
        """
        link = self._entropy(door.TOKEN_BYTES)
        before = match.hex(), seat
        others = [
            one
            for one in self._all
            if (one.match, one.seat) != before or (one.looks and one.token)
        ]
        if seat == BYSTANDER and len(self._looking(match, others)) >= LENT_LOOKS:
            raise LocalError(Code.TABLE_FULL, Says.TOO_MANY_WATCH())
        self._keep((*others[1 - LENT_SEATS :], Lent(match.hex(), seat, _hash(link))))
        return link

    def take_back(self, match: bytes, seat: int) -> None:
        """Lend a seat no more.

        Raises:
            LocalError: DISK, that cannot be kept.
        """
        gone = match.hex(), seat
        self._keep(tuple(one for one in self._all if (one.match, one.seat) != gone))

    @staticmethod
    def _looking(match: bytes, among: Iterable[Lent]) -> list[Lent]:
        return [one for one in among if one.looks and one.match == match.hex()]

    def lookers(self, match: bytes) -> frozenset[bytes]:
        """Return who is there to look on, by their keys."""
        there = [one for one in self.guests.values() if one in self._all]
        return frozenset(one.key for one in self._looking(match, there))

    def look_away(self, match: bytes, key: bytes) -> None:
        """Let somebody look on no more.

        Raises:
            LocalError: DISK, that cannot be kept.
        """
        gone = [one for one in self._looking(match, self._all) if one.key == key]
        self._keep(tuple(one for one in self._all if one not in gone))

    def moved(self, before: bytes, now: bytes, seats: Mapping[int, int]) -> None:
        """Let the seats of a table be those of its match, or of the next table.

        Args:
            before: Nonce or match.
            now: The same; empty for none.
            seats: Numbers before -> now of those that stay lent.

        Raises:
            LocalError: DISK, that cannot be kept.
        """
        if all(one.match != before.hex() for one in self._all):
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
        if not now or not (one.looks or one.seat in seats):
            return None
        return replace(one, match=now.hex(), seat=seats.get(one.seat, one.seat))

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

    def knock(self, window: int, shown: bytes) -> door.Seated | None:
        """Let a guest in that shows a link nobody has used, or the token it was given.

        Raises:
            LocalError: DISK, it cannot be kept who has taken the seat; USAGE,
                there are more guests than have room, at all tables.
        """
        wanted, found = _hash(shown), None
        for one in self._all:  # each for as long, whichever it is
            if hmac.compare_digest(wanted, one.token or one.link):
                found = one
            elif one.token and hmac.compare_digest(wanted, one.link):
                self._told(one.match)
        if found is None:
            return None
        mine = found.link
        others = {n: one for n, one in self.guests.items() if one.link != mine}
        # Who has no page any more makes room: its session ends for who comes now.
        there = others.keys() - self._pageless
        # Who looks on, at whatever tables, leaves the rest to guests with seats.
        looking = sum(others[each].looks for each in there) if found.looks else 0
        if len(there) >= DOOR_GUESTS or looking >= LENT_LOOKS:
            raise LocalError(Code.USAGE, Says.TOO_MANY_GUESTS())
        if not found.token:
            shown = self._entropy(door.TOKEN_BYTES)
            taken = replace(found, token=_hash(shown))
            self._keep(tuple(taken if one is found else one for one in self._all))
            found = taken
        self.guests[window] = found
        return door.Seated(shown, bytes.fromhex(found.match), found.seat)

    def others(self, window: int) -> list[int]:
        """Return other windows of the guest who has just come: it has come again."""
        mine = self.guests[window].link
        return [
            number
            for number, lent in self.guests.items()
            if number != window and lent.link == mine
        ]

    def left(self, window: int) -> None:
        """Forget a guest's window."""
        self.guests.pop(window, None)
        self._pageless.discard(window)
        links = {one.link for one in self._all}
        self._away = {one: at for one, at in self._away.items() if one in links}

    def seen(self, window: int, now: float, *, here: bool) -> None:
        """Note that the page of a guest has gone, or has come back."""
        lent = self.guests.get(window)
        if lent is None:
            return
        (self._pageless.discard if here else self._pageless.add)(window)
        if self.is_here(lent):
            self._away.pop(lent.link, None)
        else:
            self._away.setdefault(lent.link, now)

    def missing(self, match: bytes) -> frozenset[int]:
        """Return the seats of a match whose guests are away, or have yet to come."""
        own = [one for one in self._all if one.match == match.hex()]
        return frozenset(
            one.seat for one in own if not (one.looks or self.is_here(one))
        )

    def is_here(self, lent: Lent) -> bool:
        """Tell whether a page shows a seat to whoever it was lent."""
        return any(
            one.link == lent.link
            for window, one in self.guests.items()
            if window not in self._pageless
        )

    # What guests may ask, and are shown.

    def allowed(
        self, lent: Lent, request: door.Request, table: int, names: Mapping[int, str]
    ) -> door.Request:
        """Return a guest's request as it is to be answered.

        Args:
            lent: What the guest has.
            request: What it asks.
            table: The number of that match's table.
            names: Of its seats.

        Raises:
            LocalError: USAGE, it may not, or the seat is lent no more.
        """
        if lent not in self._all:
            raise LocalError(Code.USAGE, Says.SEAT_LENT_NO_MORE())
        match request.ask:
            case door.Play() | MakeOffer() | AnswerOffer() | door.Say() if lent.looks:
                allowed = False
            case (
                door.Play(seat=seat) | door.Watch(seat=seat) | door.Hint(seat=seat)
                | MakeOffer(seat=seat) | AnswerOffer(seat=seat)
            ):  # fmt: skip
                allowed = seat == lent.seat
            case door.Earlier(match=match, seat=seat):
                allowed = (match.hex(), seat) == (lent.match, lent.seat)
            case NameSeat(seat=seat, name=name):
                # A name of which nothing can be seen would free the seat.
                allowed = seat == lent.seat and clean(name, NAME_CHARACTERS) != ""
            case door.LookBack():
                allowed = True
            case door.Consent(accept=True, revision=revision):
                # That it is there; the table is its host's to leave.
                allowed = not lent.looks
                request = replace(request, ask=door.Consent(True, revision, lent.seat))
            case door.Say(text=text):
                # Without a name, before it sits down, it would speak as the owner.
                name = names.get(lent.seat, "")
                allowed = name != ""
                request = replace(request, ask=door.Say(text, name))
            case _:
                allowed = False
        if not allowed:
            raise LocalError(Code.USAGE, Says.NOT_FOR_GUESTS())
        return replace(request, table=table)

    def shown_to_guest(
        self, window: int, message: door.FromNode, table: bytes
    ) -> door.FromNode | None:
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
            case door.Done() | door.Failed() | door.Seated():
                return message
            case door.Status():
                return _status(message, lent, there=there)
            case door.View(match=match, seat=seat):
                own = (match.hex(), seat) == (lent.match, lent.seat)
                return message if own and there else None
            case door.Line():
                return message if there and not lent.looks else None
            case _:
                return None

    def marked(self, status: door.Status, match: bytes, now: float) -> door.Status:
        """Return the status for the owner: the seats that are lent are not theirs.

        Args:
            status: Of the node.
            match: At the table that it tells of, or the nonce of the terms there.
            now: The time.
        """
        lent = {one.seat: one for one in self._all if one.match == match.hex()}
        table = status.table
        if table is None or not lent:
            return status
        seats = tuple(
            self._marked(seat, lent[number], now) if number in lent else seat
            for number, seat in enumerate(table.seats)
        )
        return replace(status, table=replace(table, seats=seats))

    def _marked(self, seat: door.SeatStatus, lent: Lent, now: float) -> door.SeatStatus:
        """Return a seat that is lent, with whether its guest is there."""
        away = seat.state in {"here", "away"} and lent.token and not self.is_here(lent)
        if not away:
            return replace(seat, lent=True)
        gone = self._away.get(lent.link)
        since = -1 if gone is None else int(now - gone)
        return replace(seat, lent=True, state="away", since=since)


def _status(status: door.Status, lent: Lent, *, there: bool) -> door.Status:
    """Return all that a guest is shown of a node: its table, less whose it is."""
    table = status.table if there else None
    seats = () if table is None else table.seats
    name = seats[lent.seat].name if 0 <= lent.seat < len(seats) else "?"
    return door.Status(
        name=name, key="", version=status.version, addresses=(), port=0,
        mode=status.mode, peers=(), saved=(), nearby=(), network=Network(),
        table=None if table is None else _table(table, lent.seat),
    )  # fmt: skip


def _table(table: door.TableStatus, own: int) -> door.TableStatus:
    seats = tuple(
        replace(
            seat, key="", address="", doubt="", lent=n != own,
            state="away" if seat.state == "blocked" else seat.state,
        )
        for n, seat in enumerate(table.seats)
    )  # fmt: skip
    may = tuple(each for each in table.offers.may if each[0] == own)
    lacks = own != BYSTANDER and seats[own].name in table.beginning.lacking
    begins = door.Beginning(asked=lacks, seconds=table.beginning.seconds)
    return replace(
        table, seats=seats, hosting=False, asking=(), made=door.Made(),
        watching=own == BYSTANDER, beginning=begins,
        offers=replace(table.offers, may=may),
    )  # fmt: skip


# The seats that are lent, at the node: what guests see and may ask.


class Guests(Lends):
    """Who plays at this node's tables in a browser, by a seat that is lent."""

    def __init__(
        self,
        parts: Parts,
        door: Callable[[], Door | None],
        notice: Callable[[Tone, Said], None],
    ) -> None:
        """Look what is lent.

        Args:
            parts: The node's parts.
            door: Returns the door, once there is one.
            notice: Tells every window something.
        """
        self._tables: Final = parts.tables
        self._door: Final = door
        self._notice: Final = notice
        self.lending: Final = Lending(
            parts.home.path, parts.entropy, self._opened_again
        )
        self._tables.lend_by(self)

    def knock(self, window: int, shown: bytes) -> Seated | None:
        """Let a guest in by what it shows; it was elsewhere before, if anywhere.

        Raises:
            LocalError: DISK, it cannot be kept who has taken the seat.
        """
        seated, door = self.lending.knock(window, shown), self._door()
        if seated is not None and door is not None:
            door.turn_out(self.lending.others(window))
            self._look(seated.match)
            self.seen(window, here=True)
        return seated

    def left(self, window: int) -> None:
        """Forget a guest's window."""
        match = self.match_of(window)
        self.seen(window, here=False)
        self.lending.left(window)
        if match is not None:
            self._look(match)

    def seen(self, window: int, *, here: bool) -> None:
        """Note that the page of a guest has gone, or has come back."""
        lent = self.lending.guests.get(window)
        if lent is None:
            return
        self.lending.seen(window, trio.current_time(), here=here)
        if not lent.looks:
            # Another window of the same guest may have come meanwhile.
            here = self.lending.is_here(lent)
            self._tables.guest_seen(bytes.fromhex(lent.match), lent.seat, here=here)

    def _look(self, match: bytes) -> None:
        """Tell a match who is there to look on."""
        self._tables.let_look_on(match, self.lookers(match))

    @override
    def lookers(self, match: bytes) -> frozenset[bytes]:
        return self.lending.lookers(match)

    @override
    def seats(self, match: bytes) -> frozenset[int]:
        return self.lending.seats(match)

    @override
    def missing(self, match: bytes) -> frozenset[int]:
        return self.lending.missing(match)

    @override
    def look_away(self, match: bytes, key: bytes) -> None:
        try:
            self.lending.look_away(match, key)
        except LocalError as error:
            self._notice("error", error.said)
        self._turn_out()

    def _sees(self, lent: Lent) -> bool:
        """Tell whether a guest may look at its match: of who only looks on all say."""
        match = bytes.fromhex(lent.match)
        return not lent.looks or self._tables.looks(match, lent.key)

    def shown_to_guest(self, window: int, message: FromNode) -> FromNode | None:
        """Return what a guest is shown of what windows are told."""
        lent = self.lending.guests.get(window)
        sees = lent is not None and self._sees(lent)
        table = self._tables.match_seen(window) if sees else b""
        return self.lending.shown_to_guest(window, message, table)

    def marked(self, status: door.Status) -> door.Status:
        """Return the status for the owner: the seats that are lent are not theirs."""
        table = status.table
        if table is None or not self.lending.any:
            return status
        match = self._tables.name_of(table.number)
        return self.lending.marked(status, match, trio.current_time())

    def match_of(self, window: int) -> bytes | None:
        """Return the match of a guest's seat; None for a window of the owner's."""
        lent = self.lending.guests.get(window)
        return None if lent is None else bytes.fromhex(lent.match)

    def pin(self, window: int) -> None:
        """Let a guest look at its own table, and at no other that is in hand."""
        lent = self.lending.guests.get(window)
        # A guest has a window like any other, and may choose no table.
        if lent is not None:
            self._tables.pin(window, bytes.fromhex(lent.match))

    def asked(self, window: int, request: Request) -> Request:
        """Return a guest's request as it is to be answered.

        Raises:
            LocalError: USAGE, it may not; NO_TABLE, its table is not in hand.
        """
        lent = self.lending.guests[window]
        if isinstance(request.ask, Seen):  # of the guest alone, and of no table
            return request
        self.pin(window)
        number = self._tables.number_of(bytes.fromhex(lent.match))
        now = trio.current_time()
        table = self._tables.table_status(now, window, number) if number else None
        # The match may have been let go since the seat was lent.
        if table is None or not self._sees(lent):
            raise LocalError(Code.NO_TABLE)
        names = {n: seat.name for n, seat in enumerate(table.seats)}
        return self.lending.allowed(lent, request, number, names)

    def lend(self, window: int, request: Request, seat: int, *, on: bool) -> Done:
        """Lend a seat, or no more; return what opens it.

        Raises:
            LocalError: USAGE, no person plays it here; DISK, it cannot be kept.
        """
        now = trio.current_time()
        table = self._tables.table_status(now, window, request.table)
        if table is None:
            raise LocalError(Code.USAGE, Says.NO_SEAT_TO_LEND())
        if seat == BYSTANDER:
            return self._lend_look(request, table, on=on)
        own = table.seats[seat] if seat < len(table.seats) else None
        if not table.match and (own is None or not own.browser or not table.hosting):
            raise LocalError(Code.USAGE, Says.NO_SEAT_TO_LEND())
        name = self._tables.name_of(table.number)
        link = b""
        if on:
            ended = table.phase in {"over", "stopped"}
            here = own is not None and own.kind == "person" and own.state in LENDABLE
            if ended or not here:
                raise LocalError(Code.USAGE, Says.NO_SEAT_TO_LEND())
            link = self.lending.lend(name, seat)
        else:
            self.lending.take_back(name, seat)
        if not table.match:  # whoever sat there has to sit down anew
            free = Request(request.id, NameSeat(seat, ""), table.number)
            self._tables.ask(window, free, now)
        self._turn_out()
        self._tables.guest_seen(name, seat, here=False)
        return Done(request.id, data=link)

    def _lend_look(self, request: Request, table: TableStatus, *, on: bool) -> Done:
        """Return what lets somebody look on, or let nobody do so any more.

        Raises:
            LocalError: USAGE, it is no match of a player here, or nobody may watch;
                TABLE_FULL; DISK.
        """
        match, link = self._tables.name_of(table.number), b""
        if on:
            mine = bool(table.match) or table.hosting
            shut = table.watching or table.phase in {"over", "stopped"}
            if not mine or shut or table.bystanders == "nobody":
                raise LocalError(Code.USAGE, Says.NOT_TO_BE_WATCHED())
            link = self.lending.lend(match, BYSTANDER)
        else:
            self.lending.take_back(match, BYSTANDER)
        self._turn_out()
        return Done(request.id, data=link)

    @override
    def moved(self, before: bytes, now: bytes, seats: Mapping[int, int]) -> None:
        try:
            self.lending.moved(before, now, seats)
        except LocalError as error:  # the match goes on without its guests
            self._notice("error", error.said)
        self._turn_out()

    def _turn_out(self) -> None:
        """Show those the door whose seat is theirs no more."""
        door = self._door()
        if door is not None:
            door.turn_out(self.lending.ended())

    def _opened_again(self, _match: str) -> None:
        """Tell the owner that somebody has a link which was used."""
        self._notice("warning", Says.LINK_OPENED_AGAIN())
