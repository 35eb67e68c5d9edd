"""Seats that are lent, by the list alone: who has which, and what the others keep."""

import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay import wire
from netplay.daemon.lending import Lending
from netplay.daemon.visit import Visit
from netplay.errors import LocalError
from netplay.home import Home
from netplay.limits import DOOR_GUESTS, LENT_LOOKS, LENT_SEATS
from netplay.messages import door
from netplay.messages.door import (
    BYSTANDER,
    Done,
    Earlier,
    Play,
    Request,
    Seated,
    StartMatch,
    Status,
    Watch,
)
from netplay.messages.log import What
from netplay.messages.table_questions import (
    Agreeing,
    AnswerOffer,
    GameStatus,
    LendSeat,
    MakeOffer,
    NameSeat,
)
from netplay.peering.identity import open_identity
from netplay.record.archive import finished_in
from rules.game import Resign
from tests.netplay.daemon.test_lending import (
    MAY,
    Guest,
    anything,
    hosted,
    lend,
    node,
    opened,
)
from tests.patience import until

MATCH, OTHER, LATER = (bytes((n,)) * 32 for n in range(3))


def entropy() -> Callable[[int], bytes]:
    """Return a source of bytes of which no two are the same."""
    numbers = count(1)
    return lambda size: next(numbers).to_bytes(size, "big")


@pytest.fixture
def lending(tmp_path: Path) -> Lending:
    return Lending(tmp_path, entropy(), print)


def seated(lending: Lending, window: int, shown: bytes) -> Seated:
    found = lending.knock(window, shown)
    assert found is not None
    return found


class Held:
    """A link, as whoever has lent it and whoever opened it know it."""

    def __init__(self, match: bytes, seat: int, link: bytes) -> None:
        self.match, self.seat, self.link = match, seat, link
        self.token = b""
        self.gone: float | None = None
        """Since when its guest has no page, once it had one."""

    @property
    def looks(self) -> bool:
        return self.seat == BYSTANDER


class Owner:
    """Lends, by what is written of links, and says who has what."""

    def __init__(self, home: Path) -> None:
        self.home, self.entropy, self.again = home, entropy(), list[str]()
        self.held, self.old = list[Held](), list[bytes]()
        self.windows, self.pages = dict[int, Held](), set[int]()
        self.now, self.later = 0.0, count(100)
        self.start()

    def start(self) -> None:
        self.lending = Lending(self.home, self.entropy, self.again.append)
        self.windows.clear()
        self.pages.clear()
        for one in self.held:
            one.gone = None  # nobody knows

    def here(self, held: Held) -> bool:
        return any(self.windows[window] is held for window in self.pages)

    def looking(self, match: bytes) -> list[Held]:
        return [one for one in self.held if one.match == match and one.looks]

    def lend(self, match: bytes, seat: int) -> None:
        before = [one for one in self.held if (one.match, one.seat) == (match, seat)]
        if seat == BYSTANDER:
            before = [one for one in before if not one.token]
        full = len(self.looking(match)) - len(before) >= LENT_LOOKS
        if seat == BYSTANDER and full:
            with pytest.raises(LocalError):
                self.lending.lend(match, seat)
            return
        link = self.lending.lend(match, seat)
        self.old += [one.link for one in before]
        self.held = [one for one in self.held if one not in before]
        self.held = [*self.held, Held(match, seat, link)][-LENT_SEATS:]

    def end(self, gone: list[Held]) -> None:
        self.old += [one.token or one.link for one in gone]
        self.held = [one for one in self.held if one not in gone]

    def take_back(self, match: bytes, seat: int) -> None:
        self.lending.take_back(match, seat)
        self.end([o for o in self.held if (o.match, o.seat) == (match, seat)])

    def look_away(self, match: bytes, number: int) -> None:
        found = [w for w, o in self.windows.items() if o in self.looking(match)]
        if found:
            window = found[number % len(found)]
            self.lending.look_away(match, self.lending.guests[window].key)
            self.end([self.windows[window]])

    def move(self, match: bytes, seat: int, *, ends: bool) -> None:
        """A rematch one place on, without one of the seats."""
        now = b"" if ends else next(self.later).to_bytes(32, "big")
        seats = {n: (n + 1) % SEATS for n in range(SEATS) if n != seat}
        self.lending.moved(match, now, seats)
        mine = [one for one in self.held if one.match == match]
        self.end([o for o in mine if ends or not (o.looks or o.seat in seats)])
        for one in mine:
            one.match, one.seat = now, seats.get(one.seat, one.seat)

    def knock(self, held: Held, *, link: bool) -> None:
        window = next(self.later)
        shown = held.link if link or not held.token else held.token
        others = {w: one for w, one in self.windows.items() if one is not held}
        full = sum(window in self.pages for window in others) >= DOOR_GUESTS
        if held.looks:
            looking = [o for w, o in others.items() if o.looks and w in self.pages]
            full |= len(looking) >= LENT_LOOKS
        used, self.again[:] = shown == held.link and held.token != b"", []
        if full and not used:
            with pytest.raises(LocalError):
                self.lending.knock(window, shown)
            return
        found = self.lending.knock(window, shown)
        assert self.again == [held.match.hex()] * used, "whether the owner is told"
        if used:
            assert found is None
            return
        assert found is not None
        assert (found.match, found.seat) == (held.match, held.seat)
        held.token = found.token
        before = [w for w, one in self.windows.items() if one is held]
        self.windows[window] = held
        assert self.lending.others(window) == before
        for other in before:
            self.close(other)
        self.page(window, here=True)

    def page(self, window: int, *, here: bool) -> None:
        held = self.windows[window]
        (self.pages.add if here else self.pages.discard)(window)
        if self.here(held):
            held.gone = None
        elif held.gone is None:
            held.gone = self.now
        self.lending.seen(window, self.now, here=here)

    def close(self, window: int) -> None:
        self.page(window, here=False)
        del self.windows[window]
        self.lending.left(window)

    def seen(self, seats: tuple[door.SeatStatus, ...]) -> None:
        """Compare what everybody is told with who has which seat."""
        ended = [w for w, one in self.windows.items() if one not in self.held]
        assert sorted(self.lending.ended()) == sorted(ended)
        for window in ended:
            self.close(window)
        assert self.lending.any is bool(self.held)
        for link in self.old[-3:]:
            assert self.lending.knock(-1, link) is None
        for match in {one.match for one in self.held} | {MATCH}:
            mine = {o.seat: o for o in self.held if o.match == match}
            assert self.lending.seats(match) == set(mine)
            away = {n for n, o in mine.items() if n >= 0 and not self.here(o)}
            assert self.lending.missing(match) == away
            there = {w for w, o in self.windows.items() if o in self.looking(match)}
            keys = {self.lending.guests[window].key for window in there}
            assert self.lending.lookers(match) == keys
            self.told(match, mine, seats)

    def told(
        self, match: bytes, mine: dict[int, Held], seats: tuple[door.SeatStatus, ...]
    ) -> None:
        may: tuple[tuple[int, What], ...] = tuple((n, "draw") for n in range(SEATS))
        table = replace(
            TABLE, seats=seats, offers=Agreeing(may=may), asking=(("x", "secret"),),
            made=door.Made(consents=((0, "secret"),)), hosting=True,
        )  # fmt: skip
        whole = Status("ann", "", "", (), 0, "idle", (), table, (), ())
        owner = self.lending.marked(whole, match, self.now).table
        assert owner is not None
        for number, (seat, was) in enumerate(zip(owner.seats, seats, strict=True)):
            held = mine.get(number)
            away = held and held.token and not self.here(held)
            if held is None or not (away and was.state in {"here", "away"}):
                assert seat == replace(was, lent=held is not None)
                continue
            since = -1 if held.gone is None else int(self.now - held.gone)
            assert seat == replace(was, lent=True, state="away", since=since)
        for window, held in self.windows.items():
            there = held.match == match
            for said in (LINE, replace(VIEW, match=match, seat=held.seat)):
                found = self.lending.shown_to_guest(window, said, match)
                shown = there and not (said is LINE and held.looks)
                assert found == (said if shown else None)
            for n in {BYSTANDER, 0, 1} - {held.seat}:
                other = replace(VIEW, match=match, seat=n)
                assert self.lending.shown_to_guest(window, other, match) is None
            found = self.lending.shown_to_guest(window, whole, match)
            assert isinstance(found, Status)
            assert (found.table is not None) is there
            if found.table is not None:
                own = tuple(one for one in may if one[0] == held.seat)
                assert found.table.offers.may == own
                assert (found.table.asking, found.table.made) == ((), door.Made())
                assert not found.table.hosting
                assert found.table.watching is held.looks
                for n, (seat, was) in enumerate(
                    zip(found.table.seats, seats, strict=True)
                ):
                    state = "away" if was.state == "blocked" else was.state
                    bare = replace(was, key="", address="", doubt="", state=state)
                    assert seat == replace(bare, lent=n != held.seat)

    def asks(self, number: int) -> None:
        """Have each guest ask something for a seat of some match."""
        match = self.held[number % len(self.held)].match if self.held else MATCH
        for window, held in self.windows.items():
            own = number % SEATS == held.seat
            plays, named = not held.looks, number % 2 == 0
            names = {held.seat: "Bert"} if named else {}
            for ask, may in (
                (Play(number % SEATS, b"", 0), own), (Watch(number % SEATS), own),
                (MakeOffer(number % SEATS, "draw"), own), (Watch(BYSTANDER), not plays),
                (AnswerOffer(number % SEATS, True), own), (door.LookBack(0), True),
                (Earlier(match, number % SEATS, 1), own and match == held.match),
                (Earlier(match, held.seat, 1), match == held.match),
                (NameSeat(number % SEATS, "Cleo"), own),
                (NameSeat(held.seat if plays else 0, "\u200b"), False),
                (door.Say("hello", "Ann"), plays and named),
                (door.Hint(number % SEATS), own),
                (door.Consent(True, 1), plays), (door.Consent(False, 1), False),
                (OTHERS[number % len(OTHERS)], False),
            ):  # fmt: skip
                lent, request = self.lending.guests[window], Request(1, ask, 5)
                if not may:
                    with pytest.raises(LocalError):
                        self.lending.allowed(lent, request, 7, names)
                    continue
                found = self.lending.allowed(lent, request, 7, names)
                assert found.table == 7
                wanted: door.Question = ask
                if isinstance(ask, door.Say):
                    wanted = replace(ask, guest="Bert")
                elif isinstance(ask, door.Consent):
                    wanted = replace(ask, seat=held.seat)
                assert found.ask == wanted


SEATS = 4
TABLE = anything(door.TableStatus)
SEAT = replace(
    anything(door.SeatStatus), key="secret", address="secret", doubt="secret"
)
STATES = ("here", "away", "awaited", "resigned", "late", "blocked")
MATCHES = [bytes((n,)) * 32 for n in range(12)]
OTHERS = [anything(each) for each in get_args(door.Question) if each not in MAY]
LINE, VIEW = anything(door.Line), anything(door.View)
KINDS = ("lend", "knock", "used", "page", "close", "wait", "move", "end", "back")
ACTS = st.tuples(
    st.sampled_from((*KINDS, "lend", "knock", "knock", "again", "start", "look away")),
    st.integers(0, 3) | st.integers(0, 99),
    st.integers(BYSTANDER, SEATS - 1),
)
NINE = [
    act for n in range(9) for act in (("lend", n, n // 12), ("knock", 0, 0))
]  # the ninth finds no room
TWO = [("lend", 0, 1), ("knock", 0, 0), ("lend", 0, BYSTANDER), ("knock", 0, 0)]
FIVE = [act for n in range(5) for act in (("lend", n, BYSTANDER), ("knock", 0, 0))]


@given(acts=st.lists(ACTS, max_size=50))
@example(acts=[*TWO, ("move", 0, 0), ("lend", 12, 2), ("start", 0, 0)])
@example(acts=[*TWO, ("page", 0, 0), ("wait", 9, 0), ("close", 0, 0), ("wait", 5, 0)])
@example(acts=[("lend", n % 12, n // 12) for n in range(LENT_SEATS + 9)])
@example(acts=[*NINE, ("knock", 3, 0), *(("page", n, 0) for n in range(8)), NINE[-1]])
@example(acts=[*FIVE, ("knock", 2, 0), ("close", 1, 0), FIVE[-1]])
@example(acts=[*FIVE, *(("page", n, 0) for n in range(4)), FIVE[-1]])
@example(acts=[(what, 0, seat) for what, _, seat in FIVE])
@example(acts=[FIVE[0], FIVE[0], ("knock", 0, 0), FIVE[0], FIVE[0]])
def test_whatever_happens_to_links_each_opens_one_seat_to_one_guest(
    acts: list[tuple[str, int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    owner = Owner(tmp_path_factory.mktemp("lent"))
    for what, number, seat in acts:
        matches = list(dict.fromkeys((*MATCHES, *(o.match for o in owner.held))))
        match = matches[number % len(matches)]
        owner.now += number
        held = owner.held[-1 - number % len(owner.held)] if owner.held else None
        windows = list(owner.windows)
        window = windows[number % len(windows)] if windows else None
        match what:
            case "lend":
                owner.lend(match, seat)
            case "back":
                owner.take_back(match, seat)
            case "move" | "end":
                owner.move(match, seat, ends=what == "end")
            case "look away":
                owner.look_away(match, number)
            case "start":
                owner.start()
            case "knock" | "again" | "used" if held is not None:
                owner.knock(held, link=what == "used")
            case "page" if window is not None:
                owner.page(window, here=window not in owner.pages)
            case "close" if window is not None:
                owner.close(window)
            case _:
                pass
        states = [STATES[(number + n) % len(STATES)] for n in range(SEATS)]
        owner.seen(tuple(replace(SEAT, state=state) for state in states))
    for number in range(2 * SEATS):
        owner.asks(number)


def test_a_guest_is_shown_nothing_that_concerns_its_owner_alone(
    lending: Lending,
) -> None:
    secret = ("secret", "secret")
    seated(lending, 7, lending.lend(MATCH, 1))
    seat = replace(anything(door.SeatStatus), key="secret", address="secret")
    shown_table = replace(
        anything(door.TableStatus),
        seats=(replace(seat, doubt="secret"),) * 2,
        made=door.Made(consents=((0, "secret"),), kept=(secret,)),
        asking=(secret,),
        beginning=door.Beginning(lacking=secret),
    )
    told = replace(
        anything(door.Status),
        key="secret",
        addresses=secret,
        editions=secret,
        friends=(secret,),
        table=shown_table,
    )
    shown = lending.shown_to_guest(7, told, MATCH)
    assert isinstance(shown, Status)
    assert shown.table is not None
    assert "secret" not in repr(shown)


@pytest.mark.processes
def test_the_turn_of_a_seat_that_is_lent_is_not_the_owners(tmp_path: Path) -> None:
    def row(place: Home) -> GameStatus:
        with Visit(place) as visit:
            return visit.status().games[-1]

    with node(tmp_path) as place:
        table = hosted(place, "person:Anna", "person:Bert")
        assert (row(place).own, row(place).mine) == ((0, 1), True)
        [turn] = row(place).turn
        assert isinstance(Guest(tmp_path, lend(place, turn, table)).next(), Seated)
        assert (row(place).own, row(place).mine) == ((1 - turn,), False)
    with node(tmp_path) as place:
        until(lambda: row(place).turn == (turn,))
        assert (row(place).own, row(place).mine) == ((1 - turn,), False)
        lend(place, turn, row(place).table, on=False)
        assert (row(place).own, row(place).mine) == ((0, 1), True)


@pytest.mark.processes
@pytest.mark.parametrize("on", [True, False], ids=["to the end", "taken back"])
def test_a_result_is_whose_seat_it_was_at_the_end_though_the_link_has_gone(
    tmp_path: Path, on: bool
) -> None:
    def own(place: Home) -> tuple[int, ...]:
        with Visit(place) as visit:
            return visit.status().games[-1].own

    with node(tmp_path) as place:
        table = hosted(place, "person:Anna", "person:Bert")
        assert isinstance(Guest(tmp_path, lend(place, 1, table)).next(), Seated)
        if not on:
            lend(place, 1, table, on=False)
        with Visit(place, table=table) as visit:
            at = visit.status().table
            assert at is not None
            visit.ask(Play(0, wire.pack(Resign()), at.entries))
            until(lambda: visit.status().games[-1].phase == "over")
        if on:
            lend(place, 1, table, on=False)
        mine = (0,) if on else (0, 1)
        assert own(place) == mine
    [path] = Home(tmp_path).matches.glob("*.netplay")
    found = finished_in(path, open_identity(Home(tmp_path)).key, bytes.hex)
    assert found is not None
    assert (found.own, found.result) == (mine, "lost" if on else "")


@pytest.mark.processes
@pytest.mark.parametrize("lent", [0, 1])
def test_the_terminal_plays_the_owners_seat_and_no_guests(
    tmp_path: Path, lent: int
) -> None:
    def played(*words: str) -> int:
        line = [sys.executable, "-m", "netplay", "play", "--home", str(tmp_path)]
        return subprocess.run(
            [*line, *words], capture_output=True, check=False
        ).returncode

    with node(tmp_path) as place:
        table = hosted(place, "person:Anna", "person:Bert")
        lend(place, lent, table)
        assert played(str(table), "resign", "--seat", str(lent + 1)) != 0
        assert played(str(table), "resign") == 0
        with Visit(place, table=table) as visit:
            now = visit.status().table
        assert now is not None
        assert [seat.state == "resigned" for seat in now.seats] == [
            lent == 1,
            lent == 0,
        ]


@pytest.mark.processes
def test_an_owner_alone_agrees_to_nothing_for_a_guest_whose_play_has_ended(
    tmp_path: Path,
) -> None:
    """Neither to what the owner offers, nor to what the guest has offered before."""
    with node(tmp_path) as place:
        with Visit(place) as visit:
            visit.ask(opened("person:Anna", "browser"))
            number = visit.status().games[-1].table
        guest = Guest(tmp_path, lend(place, 1, number))
        assert isinstance(guest.next(), Seated)
        assert isinstance(guest.ask(NameSeat(1, "Bert")), Done)
        with Visit(place, table=number) as visit:
            visit.ask(StartMatch())
            assert isinstance(guest.ask(MakeOffer(1, "stop")), Done)
            assert {seat for seat, _what in offered(visit).may} == {0, 1}
            visit.ask(MakeOffer(0, "draw"))
            draw, stop = sorted(offered(visit).standing, key=lambda one: one.what)
            visit.ask(LendSeat(1, on=False))
            assert offered(visit) == Agreeing()
            for seat, one in ((1, draw), (0, stop)):
                with pytest.raises(LocalError):
                    visit.ask(AnswerOffer(seat, True, one.head))
            visit.ask(LendSeat(1))  # and with a link for another guest there is one
            assert {seat for seat, _what in offered(visit).may} == {0, 1}


def offered(visit: Visit) -> Agreeing:
    """Return what the players of a table offer one another."""
    found = visit.status().table
    assert found is not None
    return found.offers
