"""A guest in a browser whose page is closed is away for everybody at the table."""

from collections.abc import Iterator

import pytest

from netplay.errors import Code, PeerError
from netplay.messages.door import Answer, LeaveTable, Load, Play, StartMatch
from netplay.messages.log import Vacant
from netplay.messages.table_questions import (
    AnswerOffer,
    GameStatus,
    LetWatch,
    MakeOffer,
)
from netplay.table.shared import Lends
from netplay.wire import pack
from rules.game import Resign
from rules.networdz import Pass
from tests.netplay.joined_nodes import Net, table
from tests.netplay.match.test_hurry import run
from tests.netplay.table.test_bystanders import say, watch

NAMES = ("ann", "bob")


class Lent(Lends):
    """What a node has lent: seats whose guests are away or here."""

    def __init__(self) -> None:
        self.away = frozenset[int]()

        self.all = frozenset[int]()

    def seats(self, _match: bytes) -> frozenset[int]:
        return self.all

    def missing(self, _match: bytes) -> frozenset[int]:
        return self.away


def begun(net: Net, *options: tuple[str, str]) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("networdz", "person", "remote:bob", options=options))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()


@pytest.fixture
def net() -> Iterator[Net]:
    one = Net("ann", "bob", "cyd")
    begun(one, ("timed", "3"))
    yield one
    one.close()


def lent(net: Net, name: str) -> Lent:
    found = Lent()
    net[name].tables.lend_by(found)
    return found


def gone(net: Net, name: str, seat: int, *, away: bool = True) -> None:
    """Let the page of a guest at somebody's computer close, or come back."""
    lending = net[name].tables.shared.lending
    assert isinstance(lending, Lent)
    lending.away = frozenset({seat}) if away else frozenset()
    match = net[name].match
    net[name].tables.guest_seen(match.match, seat, here=not away)
    net.settle()


def on_turn(net: Net, wanted: int) -> None:
    """Let it be the turn of a seat."""
    [seat] = net.status("ann").turn
    if seat != wanted:
        name = (*NAMES, "cyd")[seat]
        match = net[name].match
        net.done(name, Play(seat, pack(Pass(())), match.fold.number))
        net.settle()


def clocks(net: Net, name: str) -> list[tuple[int, bool]]:
    return [(seat.clock, seat.ticking) for seat in net.status(name).seats]


@pytest.mark.parametrize("seat", [0, 1], ids=["at the host", "at the other"])
def test_no_time_runs_for_a_guest_whose_page_is_closed(net: Net, seat: int) -> None:
    lent(net, NAMES[seat])
    on_turn(net, seat)
    net.wake(20)
    gone(net, NAMES[seat], seat)
    before = clocks(net, "ann")
    net.wake(500)  # longer than the turn has
    for name in NAMES:
        told = net.status(name)
        assert (told.seats[seat].state, told.seats[seat].vacant) == ("away", True)
        assert told.waiting == told.seats[seat].name
        assert told.turn == (seat,)
        assert told.phase == "paused"
        assert clocks(net, name)[seat] == (before[seat][0], False)
    gone(net, NAMES[seat], seat, away=False)
    net.wake(10)
    for name in NAMES:
        assert net.status(name).seats[seat].state != "away"
        assert clocks(net, name)[seat][1]
    assert clocks(net, "ann")[seat][0] < before[seat][0]


def test_time_runs_for_others_while_a_guest_is_away(net: Net) -> None:
    lent(net, "bob")
    on_turn(net, 0)
    gone(net, "bob", 1)
    before = clocks(net, "ann")[0]
    assert before[1]
    net.wake(30)
    after = clocks(net, "ann")[0]
    assert after[1]
    assert before[0] - after[0] >= 29_000


def row(net: Net, name: str) -> GameStatus:
    """Return the match as the list of games shows it."""
    [found] = net[name].tables.games(net.now)
    return found


@pytest.mark.parametrize("away", [False, True], ids=["here", "away"])
@pytest.mark.parametrize("seat", [0, 1], ids=["at the host", "at the other"])
def test_a_guests_turn_is_not_the_players_whose_node_it_is_at(
    net: Net, seat: int, away: bool
) -> None:
    name = NAMES[seat]
    lent(net, name).all = frozenset({seat})
    on_turn(net, 1 - seat)
    gone(net, name, seat, away=away)
    net[name].tables.take_news()
    on_turn(net, seat)
    assert net[name].tables.take_news().summons == []
    assert not row(net, name).mine
    assert row(net, name).own == ()
    lent(net, name)  # it is taken back
    net[name].tables.guest_seen(row(net, name).match, seat, here=False)
    assert row(net, name).mine
    assert row(net, name).own == (seat,)


def test_an_offer_to_a_guest_does_not_wait_for_the_player_there(net: Net) -> None:
    lent(net, "bob").all = frozenset({1})
    on_turn(net, 0)
    gone(net, "bob", 1, away=False)
    net["bob"].tables.take_news()
    net.done("ann", MakeOffer(0, "stop"))
    net.settle()
    assert net["bob"].tables.take_news().summons == []
    assert not row(net, "bob").mine
    net.done("bob", AnswerOffer(1, agrees=True))
    net.settle()
    assert net.status("ann").phase == "over"


@pytest.mark.parametrize("seat", [0, 1], ids=["at the host", "at the other"])
def test_who_comes_later_hears_that_a_guest_is_away(net: Net, seat: int) -> None:
    name, other = NAMES[seat], NAMES[1 - seat]
    lent(net, name)
    on_turn(net, seat)
    gone(net, name, seat)
    net.cut("ann", "bob")
    net.settle()
    net.link("bob", "ann")
    net.settle()
    assert net.status(other).seats[seat].state == "away"
    gone(net, name, seat, away=False)
    assert net.status(other).seats[seat].state == "connected"


@pytest.mark.parametrize("seat", [0, 1], ids=["at the host", "at the other"])
@pytest.mark.parametrize("turn", [0, 1], ids=["first on turn", "second on turn"])
def test_a_bystander_sees_that_a_guest_is_away_as_members_do(
    net: Net, seat: int, turn: int
) -> None:
    lent(net, NAMES[seat])
    watch(net, "cyd")
    for name in NAMES:
        say(net, name, "allow", "cyd")
    on_turn(net, turn)
    gone(net, NAMES[seat], seat)
    wanted = ["connected", "connected"]
    wanted[seat] = "away"
    told = net.status("cyd")
    assert [one.state for one in told.seats] == wanted
    assert told.phase == ("paused" if turn == seat else "playing")
    assert told.seats[turn].ticking is (turn != seat)
    gone(net, NAMES[seat], seat, away=False)
    told = net.status("cyd")
    assert [one.state for one in told.seats] == ["connected", "connected"]
    assert told.phase == "playing"
    assert told.seats[turn].ticking


def test_a_bystander_tells_a_member_who_is_away_from_its_guest(net: Net) -> None:
    lent(net, "bob")
    watch(net, "cyd")
    for name in NAMES:
        say(net, name, "allow", "cyd")
    on_turn(net, 0)
    gone(net, "bob", 1)
    net.part("ann", "bob")
    net.settle()
    told = net.status("cyd")
    assert told.phase == "paused"
    assert told.waiting == "bob"
    net.apart.clear()
    net.link("bob", "ann")
    net.settle()
    told = net.status("cyd")
    assert (told.seats[1].state, told.phase) == ("away", "playing")


def test_nobody_can_say_of_anothers_seat_that_its_guest_is_away(net: Net) -> None:
    on_turn(net, 0)
    match = net["ann"].match
    net["ann"].tables.receive(net["bob"].key, Vacant(match.match, (0, 3)), net.now)
    told = net.status("ann")
    assert [seat.state for seat in told.seats] == ["here", "connected"]
    assert told.phase == "playing"


def test_a_member_whose_guests_come_and_go_without_end_is_hung_up_on(net: Net) -> None:
    """All others are told each time, and would hang up on who tells them."""
    on_turn(net, 1)
    match, key = net["ann"].match, net["bob"].key
    assert match is not None

    def come_and_go(times: int) -> None:
        for _ in range(times):
            for seats in ((1,), ()):
                net["ann"].tables.receive(key, Vacant(match.match, seats), net.now)

    come_and_go(10)
    with pytest.raises(PeerError) as caught:
        come_and_go(5000)
    assert caught.value.code is Code.TOO_MANY
    net.now += 60
    come_and_go(10)


def test_where_no_time_runs_a_guest_is_seen_away_as_well() -> None:
    net = Net("ann", "bob")
    begun(net)
    lent(net, "bob")
    gone(net, "bob", 1)
    assert net.status("ann").seats[1].state == "away"
    net.close()


def ticks(net: Net, name: str) -> list[int]:
    """Return how far each well is that is played at a node."""
    match = net[name].match
    assert match.realtime is not None
    own = [n for n, key in enumerate(match.fold.holders) if key == match.me]
    return [match.realtime.state.wells[seat].ticks for seat in own]


@pytest.mark.parametrize("others", [1, 2])
def test_of_two_wells_both_stand_while_a_guest_is_away_of_three_one(
    others: int,
) -> None:
    net = Net("ann", "bob", "cyd")
    names = ("bob", "cyd")[:others]
    for name in names:
        net.done(name, Answer(on=True))
    seats = ("person", *(f"remote:{name}" for name in names))
    net.done("ann", table("hexcolumns", *seats))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    run(net, 2)
    lent(net, "bob")
    gone(net, "bob", 1)
    run(net, 1)  # what was on its way is entered
    before = {name: ticks(net, name) for name in ("ann", *names)}
    assert min(before["bob"]) > 0
    run(net, 5)
    now = {name: ticks(net, name) for name in ("ann", *names)}
    assert now["bob"] == before["bob"]
    assert (now["ann"] == before["ann"]) is (others == 1)
    assert (net.status("ann").phase == "paused") is (others == 1)
    gone(net, "bob", 1, away=False)
    run(net, 2)
    assert ticks(net, "bob")[0] > before["bob"][0]
    assert ticks(net, "bob")[0] - before["bob"][0] < 3 * 30  # it went on, not ahead
    net.close()


def test_of_three_wells_the_last_stands_whose_others_are_all_away() -> None:
    """One has left the game, and of another the guest is away."""
    net = Net("ann", "bob", "cyd")
    for name in ("bob", "cyd"):
        net.done(name, Answer(on=True))
    net.done("ann", table("hexcolumns", "person", "remote:bob", "remote:cyd"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    lent(net, "bob")
    run(net, 1)
    net.part("ann", "cyd")
    net.part("bob", "cyd")
    run(net, 1)
    before = ticks(net, "ann")
    run(net, 2)
    assert ticks(net, "ann") > before, "of three one may be away"
    assert net.status("ann").phase == "playing"
    gone(net, "bob", 1)
    run(net, 1)
    before = ticks(net, "ann")
    run(net, 2)
    assert ticks(net, "ann") == before
    assert net.status("ann").phase == "paused"
    net.close()


@pytest.mark.parametrize(
    ("how", "since"), [("cut", True), ("cut", False), ("left", False)]
)
def test_a_bystander_sees_no_time_run_for_who_is_away_or_has_left(
    how: str, *, since: bool
) -> None:
    """Whether that was so before it came, or since."""
    net, names = Net("ann", "bob", "cyd", "dan"), ("ann", "bob", "cyd")
    for name in names[1:]:
        net.done(name, Answer(on=True))
    seats = ("person", "remote:bob", "remote:cyd")
    net.done("ann", table("networdz", *seats, options=(("timed", "3"),)))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    for name in names:
        net.done(name, Answer(on=False))
        net.done(name, LetWatch("anybody"))
    watch(net, "dan")  # all have agreed
    while net.status("ann").turn != (1,):
        on_turn(net, 1)
    if not since:
        net.done("dan", LeaveTable())
    if how == "cut":
        net.apart |= {frozenset(("bob", name)) for name in ("ann", "cyd", "dan")}
        net.isolate("bob")
        net.settle()
    else:
        net.done("bob", LeaveTable())
        net.settle()
        for name in ("ann", "cyd"):
            net.done(name, Load(""))
            net.settle()
    if not since:
        watch(net, "dan")
    before = clocks(net, "dan")
    for _ in range(3):
        net.wake(10)
    told = net.status("dan")
    assert (told.phase, told.seats[1].state, told.waiting) == ("paused", "away", "bob")
    assert clocks(net, "dan") == before == clocks(net, "ann")
    net.close()


@pytest.mark.parametrize("seat", [0, 1], ids=["at the host", "at the other"])
def test_a_guest_who_is_back_after_the_end_is_not_called_away(
    net: Net, seat: int
) -> None:
    lent(net, NAMES[seat])
    on_turn(net, 1 - seat)
    gone(net, NAMES[seat], seat)
    net.done(NAMES[1 - seat], Play(1 - seat, pack(Resign()), -1))
    net.settle()
    assert {net.status(name).phase for name in NAMES} == {"over"}
    gone(net, NAMES[seat], seat, away=False)
    for name in NAMES:
        assert net.status(name).seats[seat].state in {"here", "connected"}
    gone(net, NAMES[seat], seat)
    for name in NAMES:
        assert net.status(name).seats[seat].state == "away"


def test_a_seat_that_is_played_elsewhere_by_now_is_nobodys_guests(net: Net) -> None:
    """The link to it is still there when it was handed to another computer."""
    lent(net, "bob")
    on_turn(net, 0)
    gone(net, "bob", 0)
    for name in NAMES:
        told = net.status(name)
        assert told.phase == "playing"
        assert told.seats[0].state != "away"
        assert told.seats[0].ticking


def test_nobody_waits_for_a_guest_who_has_given_up() -> None:
    net = Net("ann", "bob", "cyd", "dan")
    for name in ("bob", "cyd"):
        net.done(name, Answer(on=True))
    net.done("ann", table("networdz", "person", "remote:bob", "remote:cyd"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    lent(net, "bob")
    watch(net, "dan")
    for name in ("ann", "bob", "cyd"):
        say(net, name, "allow", "dan")
    net.done("bob", Play(1, pack(Resign()), -1))
    net.settle()
    gone(net, "bob", 1)
    for name in ("ann", "bob", "cyd", "dan"):
        told = net.status(name)
        assert told.phase == "playing"
        assert told.seats[1].state == "resigned"
        assert told.waiting == ""
    net.close()
