"""A match in which time runs begins when all persons have said that they are there."""

import pytest

from netplay.messages.door import (
    Answer,
    Beginning,
    ChangeTable,
    Consent,
    Done,
    Join,
    LeaveTable,
    Load,
    StartMatch,
    Summons,
)
from netplay.messages.table import COUNTED
from netplay.messages.table_questions import NameSeat
from netplay.sentences import Says
from netplay.table.forming import Readiness
from tests.netplay.joined_nodes import Net, table


def seated(net: Net, *guests: str, game: str = "hexcolumns") -> None:
    """Let guests sit at a table of Ann's, long ago, each asked in their window."""
    options = () if game == "hexcolumns" else (("timed", "3"),)
    for guest in guests:
        net.done(guest, Answer(on=True, asks=True))
    seats = (f"remote:{guest}" for guest in guests)
    net.done("ann", table(game, "person", *seats, options=options))
    net.settle()
    for guest in guests:
        if net.status(guest).called:
            net.done(guest, Consent(accept=True, revision=net.status(guest).revision))
            net.settle()
    net.wake(120)
    net.settle()
    for name in ("ann", *guests):
        net[name].tables.take_news()


def begins(net: Net, count: int = COUNTED) -> Done:
    answer = net.ask("ann", StartMatch(count))
    assert isinstance(answer, Done)
    net.settle()
    return answer


def is_on(net: Net, *names: str) -> bool:
    return all(bool(net.status(name).match) for name in names)


def says_ready(net: Net, name: str) -> None:
    net.done(name, Consent(accept=True, revision=net.status(name).revision))
    net.settle()


@pytest.mark.parametrize("game", ["hexcolumns", "networdz"])
def test_a_game_in_which_time_runs_begins_when_all_have_said_so_lately(
    net: Net, game: str
) -> None:
    seated(net, "bob", "cyd", game=game)
    assert begins(net).text == Says.READY_ASKED(names="bob, cyd")
    assert net.status("ann").beginning == Beginning(lacking=("bob", "cyd"))
    for name in ("bob", "cyd"):
        assert net.status(name).beginning == Beginning(asked=True)
        rung = net[name].tables.take_news().summons
        assert [one.reason for one in rung] == ["ready"]
        assert net[name].tables.waits(1)  # so a command of the user's tells of it
        (listed,) = net[name].tables.games(net.now)
        assert listed.live
        assert listed.mine
    says_ready(net, "bob")
    assert not net["bob"].tables.waits(1)
    assert net.status("ann").beginning == Beginning(lacking=("cyd",))
    assert not is_on(net, "ann")
    says_ready(net, "cyd")
    for name in ("ann", "bob", "cyd"):
        assert net.status(name).beginning == Beginning(seconds=COUNTED)
    net.wake(COUNTED - 1.0)
    net.settle()
    assert not is_on(net, "ann")
    assert net.status("bob").beginning.seconds == 1
    net.wake(1.5)
    net.settle()
    assert is_on(net, "ann", "bob", "cyd")


def test_what_was_said_more_than_a_minute_ago_holds_no_longer(net: Net) -> None:
    seated(net, "bob", "cyd")
    begins(net)
    says_ready(net, "bob")
    net.wake(70)
    says_ready(net, "cyd")
    assert not is_on(net, "ann")
    begins(net, 0)
    assert net.status("bob").beginning.asked
    assert not net.status("cyd").beginning.asked
    says_ready(net, "bob")
    assert is_on(net, "ann", "bob", "cyd")


def test_who_has_just_joined_or_said_yes_is_not_asked_again(net: Net) -> None:
    net.done("ann", table("hexcolumns", "person", "remote"))
    net.done("bob", Join("ann"))
    net.settle()
    assert begins(net).text == Says.BEGINS_IN(count=COUNTED)
    net.wake(COUNTED + 0.5)
    net.settle()
    assert is_on(net, "ann", "bob")


def test_a_guest_says_ready_for_a_player_only_if_the_player_has_said_so(
    net: Net,
) -> None:
    seated(net, "bob")
    begins(net, 0)
    net.cut("ann", "bob")
    net.settle()  # both are back, and the terms are told again
    assert not is_on(net, "ann")
    net.wake(61)
    net.settle()
    assert not is_on(net, "ann")


def test_who_waits_by_a_command_has_said_so_in_advance(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("hexcolumns", "person", "remote:bob"))
    net.settle()
    net.wake(600)
    begins(net, 0)
    assert is_on(net, "ann", "bob")


def test_a_host_that_says_it_again_does_not_put_the_beginning_off(net: Net) -> None:
    seated(net, "bob")
    begins(net)
    says_ready(net, "bob")
    net.wake(COUNTED - 1.0)
    net.settle()
    assert begins(net).text == Says.BEGINS_IN(count=1)
    assert not is_on(net, "ann")
    net.wake(1.5)
    net.settle()
    assert is_on(net, "ann", "bob")


def test_a_guest_who_goes_ends_the_countdown(net: Net) -> None:
    seated(net, "bob")
    begins(net)
    says_ready(net, "bob")
    assert net.status("ann").beginning.seconds == COUNTED
    net.part("ann", "bob")
    assert net.status("ann").beginning.seconds == 0
    net.wake(COUNTED + 1)
    net.settle()
    assert not is_on(net, "ann")


def test_a_game_of_days_or_without_clocks_needs_no_such_thing(net: Net) -> None:
    net.done("bob", Answer(on=True, asks=True))
    net.done("ann", table("numlo", "person", "remote:bob"))
    net.settle()
    net.wake(120)
    net.settle()
    if net.status("bob").called:
        says_ready(net, "bob")
    net.wake(120)
    begins(net)
    assert is_on(net, "ann", "bob")


def test_the_question_comes_to_the_front_once(net: Net) -> None:
    seated(net, "bob")
    begins(net)
    called = Summons(1, "ready", "hexcolumns", ("ann",))
    assert net["bob"].tables.take_news().summons == [called]
    begins(net)
    assert net["bob"].tables.take_news().summons == []


def test_nothing_is_counted_on_under_other_rules_than_were_wanted() -> None:
    ready = Readiness()
    ready.want(3, 5, 100.0)
    ready.go(100.0)
    ready.stop(3)
    assert ready.due() == 105.0
    ready.stop(4)
    assert ready.due() is None
    assert not ready.wanted(4, 101.0)


@pytest.mark.parametrize("leaves", ["ann", "bob"])
def test_who_leaves_while_pieces_fall_is_not_brought_back_by_what_is_under_way(
    net: Net, leaves: str
) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("hexcolumns", "person", "remote:bob"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    other = "bob" if leaves == "ann" else "ann"
    net.wake(1)
    net.now += 1
    for name in ("ann", "bob"):  # what they say of that second is under way
        net[name].tables.wake(net.now)
    net.deliver()
    net.done(leaves, LeaveTable())
    net.settle()
    assert net[leaves].tables.games(net.now) == ()
    (listed,) = net[other].tables.games(net.now)
    assert listed.phase == "stopped"
    for _ in range(10):
        net.wake(1)
    assert net[leaves].tables.games(net.now) == ()

    net.done(leaves, Load(""))  # who has left may think better of it
    net.settle()
    net.wake(1)
    assert [one.phase for one in net[leaves].tables.games(net.now)] == ["playing"]
    assert [one.phase for one in net[other].tables.games(net.now)] == ["playing"]


@pytest.mark.parametrize("game", ["hexcolumns", "networdz"])
def test_a_host_that_begins_unasked_waits_for_the_player_all_the_same(
    net: Net, game: str
) -> None:
    seated(net, "bob", game=game)
    net["bob"].tables.take_news()
    hosting = net["ann"].tables.places.by_number[1]
    with hosting:  # a changed program
        hosting.change(hosting.table._start_by_itself(), net.now)
    net.settle()
    assert is_on(net, "ann")
    rung = net["bob"].tables.take_news().summons
    assert [one.reason for one in rung] == ["ready"]
    net.wake(600)
    net.settle()
    assert not is_on(net, "bob")
    assert net.status("bob").beginning.asked
    match = net["ann"].match
    assert len(match.ledger.log) == 1, "nothing is entered, so no time has passed"
    says_ready(net, "bob")
    assert is_on(net, "ann", "bob")
    assert len(match.ledger.log) > 1


def sits(net: Net, seat: int = 1, name: str = "Dora") -> None:
    net.done("ann", NameSeat(seat, name))
    net.settle()


def guest_is_ready(net: Net, seat: int = 1) -> None:
    revision = net.status("ann").revision
    net.done("ann", Consent(accept=True, revision=revision, seat=seat))
    net.settle()


@pytest.mark.parametrize("game", ["hexcolumns", "networdz"])
def test_a_guest_in_a_browser_is_asked_like_anybody(net: Net, game: str) -> None:
    options = () if game == "hexcolumns" else (("timed", "3"),)
    net.done("ann", table(game, "person", "browser", options=options))
    sits(net)
    net.wake(70)
    assert begins(net).text == Says.READY_ASKED(names="Dora")
    assert net.status("ann").beginning == Beginning(lacking=("Dora",))
    net.wake(30)
    net.settle()
    assert not is_on(net, "ann")
    guest_is_ready(net)
    assert net.status("ann").beginning == Beginning(seconds=COUNTED)
    net.wake(COUNTED + 0.5)
    net.settle()
    assert is_on(net, "ann")


def test_who_has_just_sat_down_in_a_browser_is_not_asked_again(net: Net) -> None:
    net.done("ann", table("hexcolumns", "person", "browser", "remote"))
    sits(net)
    net.done("bob", Join("ann"))
    net.settle()
    assert begins(net, 0).text == Says.MATCH_BEGINS()
    assert is_on(net, "ann", "bob")


def test_neither_the_host_nor_another_guest_says_it_for_a_guest(net: Net) -> None:
    net.done("ann", table("hexcolumns", "person", "browser", "browser"))
    sits(net)
    sits(net, 2, "Emil")
    net.wake(70)
    begins(net, 0)
    guest_is_ready(net, 2)
    assert net.status("ann").beginning == Beginning(lacking=("Dora",))
    assert begins(net, 0).text == Says.READY_ASKED(names="Dora")
    assert not is_on(net, "ann")


def test_a_guest_who_goes_or_reads_other_rules_is_asked_anew(net: Net) -> None:
    seats = ("person", "browser:Dora")
    net.done("ann", table("networdz", *seats, options=(("timed", "3"),)))
    sits(net, 1, "")
    sits(net)
    net.done("ann", ChangeTable(table("networdz", *seats, options=(("timed", "1"),))))
    net.settle()
    assert begins(net).text == Says.READY_ASKED(names="Dora")
    guest_is_ready(net)
    assert net.status("ann").beginning.seconds
    net["ann"].tables.guest_seen(net["ann"].tables.name_of(1), 1, here=False)
    net.wake(COUNTED + 0.5)
    net.settle()
    assert not is_on(net, "ann")


def test_a_game_of_days_begins_without_its_guest(net: Net) -> None:
    days = ("person", "browser:Dora")
    net.done("ann", table("networdz", *days, options=(("timed", "0"),)))
    assert begins(net).text == Says.MATCH_BEGINS()
