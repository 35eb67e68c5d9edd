"""Seats that are lent, by the list alone: who has which, and what the others keep."""

import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from netplay import wire
from netplay.daemon.lending import Lending
from netplay.daemon.visit import Visit
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.limits import DOOR_GUESTS, LENT_LOOKS, LENT_SEATS
from netplay.messages import door
from netplay.messages.door import BYSTANDER, Done, Play, Seated, StartMatch, Status
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
    Guest,
    anything,
    hosted,
    lend,
    node,
    opened,
)
from tests.netplay.joined_nodes import Net, table
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


def test_a_new_link_to_a_seat_ends_its_guest_and_nobody_elses(lending: Lending) -> None:
    links = {seat: lending.lend(MATCH, seat) for seat in (0, 1)}
    seated(lending, 1, links[0])
    seated(lending, 2, links[1])
    seated(lending, 3, lending.lend(OTHER, 0))
    again = lending.lend(MATCH, 0)
    assert list(lending.ended()) == [1]
    assert lending.knock(4, links[0]) is None
    assert seated(lending, 4, again).seat == 0
    lending.take_back(MATCH, 1)
    assert sorted(lending.ended()) == [1, 2]
    assert lending.seats(OTHER) == {0}


def test_the_next_link_for_onlookers_leaves_those_who_look_on(lending: Lending) -> None:
    unused = lending.lend(MATCH, BYSTANDER)
    for window in range(LENT_LOOKS):
        seated(lending, window, lending.lend(MATCH, BYSTANDER))
    assert lending.knock(9, unused) is None, "another has taken its place"
    assert list(lending.ended()) == []
    keys = lending.lookers(MATCH)
    assert len(keys) == LENT_LOOKS
    with pytest.raises(LocalError) as caught:
        lending.lend(MATCH, BYSTANDER)
    assert caught.value.code is Code.TABLE_FULL
    lending.lend(OTHER, BYSTANDER)  # of another match they are counted anew
    gone = lending.guests[2].key
    lending.look_away(MATCH, gone)
    assert list(lending.ended()) == [2]
    assert lending.lookers(MATCH) == keys - {gone}


def test_of_more_seats_than_are_kept_the_oldest_are_lent_no_more(
    lending: Lending, tmp_path: Path
) -> None:
    links = [lending.lend(number.to_bytes(32, "big"), 0) for number in range(40)]
    fresh = Lending(tmp_path, entropy(), print)
    opened = list[bool]()
    for number, link in enumerate(links):
        opened.append(fresh.knock(number, link) is not None)
        fresh.left(number)
    gone = len(links) - LENT_SEATS
    assert opened == [False] * gone + [True] * LENT_SEATS


def test_a_guest_is_shown_what_its_own_seat_may_offer_and_no_other(
    lending: Lending,
) -> None:
    net = Net("ann")
    net.done("ann", table("numlo", "person", "person"))
    net.done("ann", StartMatch())
    net.settle()
    found = net.status("ann")
    assert {seat for seat, _what in found.offers.may} == {0, 1}
    seated(lending, 1, lending.lend(found.match, 1))
    whole = Status("ann", "", "", (), 0, "idle", (), found, (), ())
    told = lending.shown_to_guest(1, whole, found.match)
    assert isinstance(told, Status)
    assert told.table is not None
    assert {seat for seat, _what in told.table.offers.may} == {1}
    net.close()


def test_a_guest_goes_along_to_the_next_match_and_another_tables_stays(
    lending: Lending, tmp_path: Path
) -> None:
    tokens = {
        window: seated(lending, window, lending.lend(match, seat)).token
        for window, (match, seat) in enumerate(
            [(MATCH, 0), (MATCH, 1), (MATCH, BYSTANDER), (OTHER, 1)]
        )
    }
    lending.moved(MATCH, LATER, {0: 2})  # seat 1 is no more, the others sit elsewhere
    assert list(lending.ended()) == [1]
    places = {w: (lent.match, lent.seat) for w, lent in lending.guests.items()}
    assert places[0] == (LATER.hex(), 2)
    assert places[2] == (LATER.hex(), BYSTANDER)
    assert places[3] == (OTHER.hex(), 1)
    fresh = Lending(tmp_path, entropy(), print)
    assert fresh.knock(7, tokens[1]) is None
    back = seated(fresh, 8, tokens[0])
    assert (back.match, back.seat) == (LATER, 2)
    fresh.moved(LATER, b"", {2: 2})
    assert list(fresh.ended()) == [8]


def test_who_comes_again_finds_room_where_nobody_else_does(lending: Lending) -> None:
    tokens = [
        seated(lending, n, lending.lend(MATCH, n)).token for n in range(DOOR_GUESTS)
    ]
    late = lending.lend(OTHER, 0)
    with pytest.raises(LocalError):
        lending.knock(20, late)
    assert seated(lending, 21, tokens[3]).seat == 3  # its page was loaded again
    assert lending.others(21) == [3]
    lending.left(3)
    lending.left(21)
    assert seated(lending, 22, late).seat == 0


def test_the_owner_is_told_that_a_guests_page_is_away(lending: Lending) -> None:
    net = Net("ann")
    net.done("ann", table("numlo", "person", "person"))
    net.done("ann", StartMatch())
    net.settle()
    found = net.status("ann")
    whole = Status("ann", "", "", (), 0, "idle", (), found, (), ())

    def shown(now: float) -> tuple[str, int]:
        told = lending.marked(whole, found.match, now).table
        assert told is not None
        assert told.seats[1].lent
        assert told.seats[0].state == "here"
        return told.seats[1].state, told.seats[1].since

    link = lending.lend(found.match, 1)
    assert shown(0)[0] == "here", "nobody has opened the link yet"
    token = seated(lending, 1, link).token
    assert shown(10)[0] == "here"
    lending.seen(1, 10.0, here=False)
    assert shown(190) == ("away", 180)
    lending.seen(1, 200.0, here=True)
    assert shown(210)[0] == "here"
    lending.seen(1, 300.0, here=False)
    lending.left(1)
    assert shown(360) == ("away", 60)
    seated(lending, 2, token)
    assert shown(400)[0] == "here"
    net.close()


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
