"""Matches played at tables of nodes that are joined in memory."""

from random import Random
from typing import Any

import pytest

from netplay.errors import Code
from netplay.messages.door import (
    Answer,
    Done,
    Failed,
    GetStatus,
    Join,
    LeaveTable,
    LookBack,
    Play,
    Say,
    StartMatch,
    Watch,
)
from netplay.messages.table_questions import StandIn
from netplay.wire import pack, unpack
from rules import GAMES
from rules.game import Resign
from tests.netplay.joined_nodes import SMALL, Net, table


@pytest.mark.parametrize("guests", [("bob",), ("bob", "cyd"), ("bob", "cyd", "dan")])
def test_a_match_among_nodes_is_played_to_its_end(
    net: Net, guests: tuple[str, ...]
) -> None:
    net.start(*guests)
    net.play_out(Random(1))
    everybody = ("ann", *guests)
    shown = [net.status(name) for name in everybody]
    assert {one.phase for one in shown} == {"over"}
    assert {one.audit for one in shown} == {"ok"}
    assert len({one.places for one in shown}) == 1
    assert len({(one.entries, one.final) for one in shown}) == 1
    assert not any(net[name].errors for name in everybody)


def test_peers_of_a_host_find_each_other(net: Net) -> None:
    net.start("bob", "cyd")
    assert frozenset(("bob", "cyd")) in net.links


def test_views_tell_all_that_happened_once_and_only_to_who_watches(net: Net) -> None:
    net.start("bob", game="networdz")
    for window, seat in ((1, 0), (2, -1)):
        net.done("ann", Watch(seat), window)
    for _ in range(6):
        net.think(Random(1))
        net.settle()
    views = {1: list[Any](), 2: list[Any]()}
    for push in net["ann"].pushes:
        if push.window in views and type(push.message).__name__ == "View":
            views[push.window].append(push.message)
    for own in views.values():
        numbers = [one.number for view in own for one in view.happened]
        assert numbers == list(range(len(numbers)))
    kinds = GAMES["networdz"].ABOUT
    seat, bystander = (unpack(views[w][-1].state, kinds.state) for w in (1, 2))
    assert seat.tiles.kinds[0][0] >= 0
    assert all(kind == -1 for rack in bystander.tiles.kinds for kind in rack)
    assert net.failed("ann", Watch(1)) is Code.NOT_A_MEMBER
    net["ann"].tables.window_up(1)
    net["ann"].tables.window_down(1)
    net["ann"].tables.window_down(9)


def test_looking_back_shows_an_earlier_view(net: Net) -> None:
    assert net.failed("ann", LookBack(0)) is Code.USAGE
    net.start("bob")
    net.done("ann", Watch(0))
    for _ in range(4):
        net.think(Random(1))
        net.settle()
    net.done("ann", LookBack(0))
    net.settle()
    back = [view for view in net["ann"].views() if not view.live]
    assert len(back) == 1
    assert back[0].happened == ()


def test_a_person_plays_from_a_window(net: Net) -> None:
    net.done("ann", table("numlo", "person", "computer", options=SMALL))
    assert net.failed("ann", Play(0, b"", 0)) is Code.NO_TABLE
    net.done("ann", StartMatch())
    net.done("ann", Watch(0))
    net.settle()
    view = net["ann"].views()[-1]
    state = unpack(view.state, GAMES["numlo"].ABOUT.state)
    move = next(GAMES["numlo"].moves(state, 0))
    assert net.failed("ann", Play(1, pack(move), view.number)) in {
        Code.NOT_YOUR_TURN,
        Code.ILLEGAL_MOVE,
    }
    net.done("ann", Play(0, pack(move), view.number))
    assert net.failed("ann", Play(0, pack(move), view.number)) in {
        Code.NOT_YOUR_TURN,
        Code.STALE,
    }
    net.settle()
    assert net["ann"].views()[-1].happened[-1].move == pack(move)


def test_a_thought_whose_position_has_passed_is_dropped(net: Net) -> None:
    net.start("bob")
    old = next(iter(net["ann"].tables.wants().thoughts), None) or next(
        iter(net["bob"].tables.wants().thoughts)
    )
    name = "ann" if net["ann"].tables.wants().thoughts else "bob"
    net.think(Random(1))
    net.settle()
    entries = net.status(name).entries
    move = next(GAMES["numlo"].moves(old.view, old.seat))
    net[name].tables.thought(old, move, net.now)
    net.settle()
    assert net.status(name).entries == entries
    net["dan"].tables.thought(old, move, net.now)


def test_turns_that_computers_will_have_are_told_once_a_match(net: Net) -> None:
    tables = net["ann"].tables
    assert not tables.seats_to_come()
    net.done("ann", table("numlo", "person", "computer:70", options=SMALL))
    assert not tables.seats_to_come()
    for _ in range(2):
        net.done("ann", StartMatch())
        net.settle()
        [thought] = tables.seats_to_come()
        match = net["ann"].match
        assert thought.match == match.match
        assert (thought.game, thought.seat, thought.skill) == ("numlo", 1, 70)
        assert not tables.seats_to_come()
        net.done("ann", LeaveTable())
        net.done("ann", table("numlo", "person", "computer:70", options=SMALL))


def test_persons_have_nothing_loaded_for_them(net: Net) -> None:
    net.done("ann", table("numlo", "person", "person", options=SMALL))
    net.done("ann", StartMatch())
    net.settle()
    assert not net["ann"].tables.seats_to_come()


def test_a_computer_player_that_errs_is_reported(net: Net) -> None:
    net.start("bob")
    name = "ann" if net["ann"].tables.wants().thoughts else "bob"
    [thought] = net[name].tables.wants().thoughts
    illegal = GAMES["numlo"].ABOUT.move.__args__[0](0)
    net[name].tables.thought(thought, illegal, net.now)
    net.settle()
    assert "erred" in net[name].lines("error")[-1]


def test_a_player_resigns(net: Net) -> None:
    net.start("bob")
    net.done("bob", Play(1, pack(Resign()), 0))
    net.settle()
    assert net.status("ann").phase == "over"
    assert net.status("ann").seats[1].state == "resigned"


def test_chat_crosses_before_and_during_a_match(net: Net) -> None:
    assert net.failed("ann", Say("hello?")) is Code.NO_TABLE
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.done("bob", Say("before"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    net.done("ann", Say("during"))
    net.settle()
    for name in ("ann", "bob"):
        assert net[name].lines("chat") == ["before", "during"]


def test_chat_said_while_a_link_is_down_arrives_later_in_order(net: Net) -> None:
    net.start("bob")
    net.cut("ann", "bob")
    net.done("ann", Say("one"))
    net.done("ann", Say("two"))
    net.done("bob", Say("three"))
    net.settle()
    assert net["bob"].lines("chat") == ["three", "one", "two"]
    assert net["ann"].lines("chat") == ["one", "two", "three"]


def test_chat_survives_a_crash(net: Net) -> None:
    net.start("bob")
    net.done("bob", Say("remember"))
    net.settle()
    for disk in net["bob"].archive.disks.values():
        disk.sync()
    net.isolate("bob")
    net["bob"].restart(net.now)
    net.done("bob", Say("again"))
    net.settle()
    assert net["ann"].lines("chat") == ["remember", "again"]
    assert not net["ann"].errors


def test_what_is_not_the_tables_to_answer_fails(net: Net) -> None:
    assert net.failed("ann", GetStatus()) is Code.USAGE
    net.done("ann", StandIn())
    net.done("ann", Answer(on=False))


def test_done_and_failed_carry_the_requests_id(net: Net) -> None:
    assert isinstance(net.ask("ann", Answer(on=True)), Done)
    assert isinstance(net.ask("ann", StartMatch()), Failed)


def test_peers_that_matter_are_known(net: Net) -> None:
    net.start("bob")
    assert net["ann"].tables.expects(net["bob"].key)
    assert not net["ann"].tables.expects(net["cyd"].key)
    net["ann"].tables.peer_down(net["cyd"].key, net.now)
    assert net["ann"].tables.take_news().changed
    assert not net["ann"].tables.take_news().changed
