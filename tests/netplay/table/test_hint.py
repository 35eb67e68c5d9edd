from random import Random

import pytest

from netplay.errors import Code, LocalError
from netplay.messages.door import (
    Answer,
    ChangeTable,
    Failed,
    HostTable,
    Join,
    StartMatch,
)
from netplay.messages.table_questions import HandSeat
from netplay.sentences import Says
from netplay.wire import unpack
from rules import GAMES
from tests.netplay.joined_nodes import Net
from tests.said import says

HINTS = (("hints", "yes"),)


def started(*seats: str, options: tuple[tuple[str, str], ...] = HINTS) -> Net:
    net = Net("ada")
    net.ask("ada", HostTable("networdz", seats, options, "", ""))
    net.ask("ada", StartMatch())
    net.settle()
    return net


def on_turn(net: Net) -> int:
    match = net["ada"].match
    (seat,) = match.on_turn()
    return seat


def test_a_hint_is_the_best_players_thought_on_the_seats_own_view() -> None:
    net = started("person:A", "person:B")
    seat = on_turn(net)
    thought = net["ada"].hint(seat)
    assert thought.skill == 100
    assert thought.seat == seat
    assert seat in GAMES["networdz"].actors(thought.view)
    assert GAMES["networdz"].view(thought.view, seat) == thought.view


def test_only_the_seat_whose_turn_it_is_gets_a_hint() -> None:
    net = started("person:A", "person:B")
    with pytest.raises(LocalError) as caught:
        net["ada"].hint(1 - on_turn(net))
    assert caught.value.code is Code.NOT_YOUR_TURN


def test_a_table_without_hints_gives_none() -> None:
    net = started("person:A", "person:B", options=())
    with pytest.raises(LocalError) as caught:
        net["ada"].hint(on_turn(net))
    assert says(str(caught.value.detail), Says.NO_HINTS)


def test_whoever_plays_alone_against_computers_has_hints_where_no_rule_says() -> None:
    for other, there in (("computer:20", True), ("person:B", False)):
        net = Net("ada")
        net.ask("ada", HostTable("hexagrams", ("person:A", other), (), "", ""))
        net.ask("ada", StartMatch())
        net.settle()
        if there:
            assert net["ada"].hint(0).skill == 100
            continue
        with pytest.raises(LocalError):
            net["ada"].hint(0)


def test_there_are_none_once_a_seat_is_handed_to_another_computer() -> None:
    net = Net("ada", "ben")
    net.done("ben", Answer(on=True))
    seats = "person:A", "computer:20"
    net.done("ada", HostTable("networdz", seats, HINTS, "", ""))
    net.done("ada", StartMatch())
    net.settle()
    while on_turn(net) != 0:
        net.think(Random(1))
        net.settle()
    assert net["ada"].hint(0).skill == 100
    net.link("ada", "ben")
    net.done("ada", HandSeat(1, "ben"))
    net.settle()
    assert net["ben"].table.match is not None
    with pytest.raises(LocalError) as caught:
        net["ada"].hint(0)
    assert caught.value.detail == Says.NO_HINTS()


def test_there_are_no_hints_without_a_match() -> None:
    with pytest.raises(LocalError):
        Net("ada").nodes["ada"].hint(0)


def test_hints_and_players_at_other_computers_are_refused_together() -> None:
    net = Net("ada", "ben")
    wish = HostTable("networdz", ("person", "remote"), HINTS, "", "")
    answer = net.ask("ada", wish)
    assert isinstance(answer, Failed)
    assert says(answer.reason, Says.HINTS_NOT_ALLOWED)
    net.done("ada", HostTable("networdz", ("person", "remote"), (), "", ""))
    answer = net.ask("ada", ChangeTable(wish))
    assert isinstance(answer, Failed)
    assert says(answer.reason, Says.HINTS_NOT_ALLOWED)
    table = net["ada"].tables.table_status(net.now)
    assert table is not None
    assert not unpack(table.options, GAMES["networdz"].ABOUT.options).hints


def test_a_host_that_allows_them_all_the_same_gets_no_guest_a_hint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net, hinted = Net("ada", "ben"), GAMES["networdz"].ABOUT.hinted
    with monkeypatch.context() as unchecked:
        unchecked.setattr(hinted, "hints", lambda _options: False)
        net.done("ada", HostTable("networdz", ("person", "remote"), HINTS, "", ""))
    net.done("ben", Join("ada", -1))
    net.settle()
    net.done("ada", StartMatch())
    net.settle()
    for name in ("ada", "ben"):
        match = net[name].match
        assert match.fold.playable.options.hints
        with pytest.raises(LocalError) as caught:
            net[name].hint(0)
        assert says(str(caught.value.detail), Says.NO_HINTS)
