"""*Go on with* lists what can go on: no match that is over, left, watched or a demo."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from netplay.errors import Code
from netplay.limits import TABLES
from netplay.messages.door import (
    Answer,
    HostTable,
    LeaveTable,
    Line,
    Load,
    LookAt,
    Play,
    Say,
    StartMatch,
)
from netplay.messages.table_questions import PlayAgain, StandIn
from netplay.record.archive import Saved
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.homes import Homes
from tests.netplay.joined_nodes import SMALL, table
from tests.netplay.table.test_bystanders import say, watch


@pytest.fixture
def net(tmp_path: Path) -> Iterator[Homes]:
    one = Homes(tmp_path, "ann", "bob", "cyd")
    yield one
    one.close()


def listed(net: Homes, name: str) -> list[str]:
    return [words for _path, words, _days in Saved(net[name].files)()]


def begun(net: Homes) -> None:
    """Let Ann and Bob, persons both, begin a match of Numlo."""
    net.done("bob", Answer(on=True))
    net.done("ann", table("numlo", "person", "remote:bob", options=SMALL))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()


def phases(net: Homes, name: str) -> dict[int, str]:
    return {one.table: one.phase for one in net[name].tables.games(net.now)}


def left(net: Homes, *names: str) -> None:
    for name in names:
        net.done(name, LeaveTable())
        net.settle()


def test_a_match_that_was_left_can_go_on(net: Homes) -> None:
    begun(net)
    left(net, "ann")
    (line,) = listed(net, "ann")
    assert str(line).split() == ["Numlo:", "ann,", "bob"]


def test_of_several_the_one_that_was_stopped_where_one_looks_goes_on(
    net: Homes,
) -> None:
    begun(net)
    begun(net)
    net["ann"].tables.window_up(1)
    net.done("bob", LeaveTable(), on=1)
    net.settle()
    net.done("ann", LookAt(1), 1)
    assert phases(net, "ann") == {1: "stopped", 2: "playing"}
    net.done("ann", Load(""), 1)
    net.settle()
    assert phases(net, "ann") == {1: "playing", 2: "playing"}


def test_a_match_that_is_over_is_not_listed(net: Homes) -> None:
    begun(net)
    for name in ("ann", "bob"):
        net.done(name, StandIn(40))
    net.play_out(Random(1))
    assert net.status("ann").audit == "ok"
    left(net, "ann", "bob")
    assert listed(net, "ann") == listed(net, "bob") == []


def test_a_match_one_has_resigned_from_is_not_listed(net: Homes) -> None:
    net.done("bob", Answer(on=True))
    net.done("cyd", Answer(on=True))
    net.done("ann", table("numlo", "person", "remote:bob", "remote:cyd"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    net.done("bob", Play(1, pack(Resign()), -1))
    net.settle()
    left(net, "bob")
    assert listed(net, "bob") == []
    (line,) = listed(net, "cyd")
    assert str(line).split() == ["Numlo:", "ann,", "bob,", "cyd"]


def test_what_was_only_watched_is_not_listed(net: Homes) -> None:
    begun(net)
    watch(net, "cyd")
    for name in ("ann", "bob"):
        say(net, name, "allow", "cyd")
    assert net.status("cyd").watching
    left(net, "cyd")
    assert listed(net, "cyd") == []


def test_a_demonstration_is_not_listed(net: Homes) -> None:
    net.done("ann", HostTable("numlo", ("computer", "computer"), SMALL, "", ""))
    net.done("ann", StartMatch())
    net.settle()
    left(net, "ann")
    assert listed(net, "ann") == []


def test_a_node_that_starts_again_does_not_open_a_match_that_is_over(
    net: Homes,
) -> None:
    begun(net)
    for name in ("ann", "bob"):
        net.done(name, StandIn(40))
    net.play_out(Random(1))
    net.done("ann", PlayAgain())  # and thought better of
    net.settle()
    net["ann"].restart(net.now)
    assert net["ann"].tables.table_status(net.now) is None


def test_a_match_that_was_left_is_taken_up_beside_another(net: Homes) -> None:
    begun(net)
    left(net, "ann", "bob")
    net.done("bob", HostTable("numlo", ("person", "computer"), SMALL, "", ""))
    net.done("bob", StartMatch())
    net.settle()
    (path, _words, _days), *_ = Saved(net["ann"].files)()
    net.done("ann", Load(path))
    net.settle()
    net.link("ann", "bob")
    net.settle()
    assert net.status("ann").phase == "playing"
    games = [(one.game, one.phase) for one in net["bob"].tables.games(net.now)]
    assert sorted(games) == [("numlo", "playing"), ("numlo", "playing")]


def test_a_match_that_is_taken_up_shows_its_window_what_was_said_there_once(
    net: Homes,
) -> None:
    net["ann"].tables.window_up(1)
    net.done("ann", HostTable("numlo", ("person", "computer"), SMALL, "", ""))
    net.done("ann", StartMatch())
    net.done("ann", Say("six"))
    net.settle()
    left(net, "ann")
    net["ann"].pushes.clear()
    (path, _words, _days), *_ = Saved(net["ann"].files)()
    net.done("ann", Load(path))
    net.settle()
    shown = [push.message for push in net["ann"].pushes if push.window in (1, -1)]
    assert [one.text for one in shown if isinstance(one, Line)] == ["six"]


def test_who_has_no_room_for_a_match_is_named_and_not_called_connected(
    net: Homes,
) -> None:
    begun(net)
    left(net, "ann", "bob")
    for _ in range(TABLES):
        net.done("bob", HostTable("numlo", ("person", "computer"), SMALL, "", ""))
    full = HostTable("numlo", ("person", "computer"), SMALL, "", "")
    assert net.failed("bob", full) is Code.NO_ROOM
    (path, _words, _days), *_ = Saved(net["ann"].files)()
    net.done("ann", Load(path))
    net.settle()
    net.link("ann", "bob")
    net.settle()
    shown = net.status("ann")
    assert shown.phase == "playing"  # whose turn it is can move all the same
    assert shown.waiting == "bob"
    assert shown.seats[1].state == "elsewhere"
