"""Clocks show the same everywhere: after coming back, and to those who watch."""

from collections.abc import Iterator

import pytest

from netplay.messages.door import Answer, Play, StartMatch
from netplay.messages.log import MatchTime
from netplay.wire import pack
from rules.game import Resign
from rules.networdz import Pass
from tests.netplay.joined_nodes import Net, table
from tests.netplay.table.test_bystanders import say, watch

CLOSE = 100
"""Milliseconds by which two clocks may differ that were set by a message."""


@pytest.fixture(params=["timed", "tournament"])
def net(request: pytest.FixtureRequest) -> Iterator[Net]:
    one = Net("ann", "bob", "cyd")
    one.done("bob", Answer(on=True))
    rule = (request.param, "3" if request.param == "timed" else "on")
    one.done("ann", table("networdz", "person", "remote:bob", options=(rule,)))
    one.settle()
    one.done("ann", StartMatch())
    one.settle()
    yield one
    one.close()


def clocks(net: Net, name: str) -> list[tuple[int, bool]]:
    return [(seat.clock, seat.ticking) for seat in net.status(name).seats]


def agree(net: Net, *names: str) -> None:
    first = clocks(net, names[0])
    for name in names[1:]:
        for (mine, on), (theirs, off) in zip(first, clocks(net, name), strict=True):
            assert abs(mine - theirs) <= CLOSE, name
            assert on == off


def alone(net: Net, seconds: float) -> None:
    """Let time pass while ann and bob cannot reach each other."""
    net.cut("ann", "bob")
    net.now += seconds
    for node in net.nodes.values():
        node.tables.wake(net.now)


def test_clocks_are_right_after_a_cut(net: Net) -> None:
    net.wake(50)
    before = clocks(net, "ann")
    assert any(on for _left, on in before)
    agree(net, "ann", "bob")
    alone(net, 30)
    assert not any(on for _left, on in clocks(net, "ann"))
    net.link("bob", "ann")
    net.settle()
    agree(net, "ann", "bob")
    net.wake(10)
    agree(net, "ann", "bob")


def test_clocks_are_right_at_a_node_that_has_started_again(net: Net) -> None:
    net.wake(50)
    net.cut("ann", "bob")
    net["bob"].restart(net.now)
    net.link("bob", "ann")
    net.settle()
    net.wake(5)
    agree(net, "ann", "bob")


def test_clocks_are_right_for_a_bystander_who_comes_late(net: Net) -> None:
    net.wake(50)
    watch(net, "cyd")
    for name in ("ann", "bob"):
        say(net, name, "allow", "cyd")
    net.wake(7)
    agree(net, "ann", "bob", "cyd")
    alone(net, 9)
    net.link("bob", "ann")
    net.settle()
    net.wake(3)
    agree(net, "ann", "bob", "cyd")


def test_clocks_are_right_for_a_bystander_when_nothing_else_has_happened(
    net: Net,
) -> None:
    net.wake(50)
    net.now += 4  # a node that waits for its player is not woken
    watch(net, "cyd")
    net.now += 4
    for name in ("ann", "bob"):
        say(net, name, "allow", "cyd")
    agree(net, "ann", "bob", "cyd")


def test_no_clock_ticks_on_after_the_end(net: Net) -> None:
    net.wake(20)
    net.done("ann", Play(0, pack(Resign()), -1))
    net.settle()
    net.wake(20)
    for name in ("ann", "bob"):
        assert net.status(name).phase == "over"
        first = clocks(net, name)
        assert not any(on for _left, on in first)
        net.wake(20)
        assert clocks(net, name) == first


def test_only_the_host_sets_a_clock_and_never_back_behind_the_log(net: Net) -> None:
    net.wake(50)
    match = net["ann"].match
    (turn,) = match.on_turn()
    net.done(("ann", "bob")[turn], Play(turn, pack(Pass(())), -1))
    net.settle()
    assert match.ledger.log.at >= 50_000
    net.wake(5)
    host, guest = net["ann"], net["bob"]
    before = clocks(net, "ann")
    host.tables.receive(guest.key, MatchTime(match.match, 10**9), net.now)
    assert clocks(net, "ann") == before
    guest.tables.receive(host.key, MatchTime(match.match, 0), net.now)
    agree(net, "ann", "bob")


def test_games_without_clocks_say_nothing_of_time() -> None:
    net = Net("ann", "bob")
    net.done("bob", Answer(on=True))
    net.done("ann", table("networdz", "person", "remote:bob"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    assert not any(isinstance(one, MatchTime) for one in net["bob"].got)
    net.close()
