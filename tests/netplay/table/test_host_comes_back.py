"""A host that leaves a match and takes it up again goes on with everybody."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from netplay.messages.door import Answer, LeaveTable, Load, Play, StartMatch
from netplay.messages.table_questions import StandIn, Vote
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.homes import Homes
from tests.netplay.joined_nodes import SMALL, table


@pytest.fixture
def net(tmp_path: Path) -> Iterator[Homes]:
    one = Homes(tmp_path, "ann", "bob", "cyd")
    yield one
    one.close()


def test_members_hear_a_host_again_that_took_the_match_up_on_open_links(
    net: Homes,
) -> None:
    for name in ("bob", "cyd"):
        net.done(name, Answer(on=True))
        net.done(name, StandIn(40))
    seats = ("computer:40", "remote:bob", "remote:cyd")
    net.done("ann", table("numlo", *seats, options=SMALL[:2]))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    rng = Random(2)
    for _ in range(3):
        assert net.think(rng)
        net.settle()
    match = net["ann"].match
    path = str(net["ann"].files.place(match.match))
    net.done("ann", LeaveTable())
    net["ann"].tables.take_outgoing()  # a line that has a hole loses its goodbye
    net.done("ann", Load(path))
    net.settle()
    net.play_out(rng)
    for name in ("ann", "bob", "cyd"):
        assert net.status(name).phase == "over", name
        assert net.status(name).audit == "ok", name


# A host that is there, and is voted out.


def begin(net: Homes, *guests: str) -> None:
    for guest in guests:
        net.done(guest, Answer(on=True))
    net.done("ann", table("networdz", "person", *(f"remote:{one}" for one in guests)))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()


def wake_for(net: Homes, seconds: float) -> None:
    for _ in range(int(seconds * 2)):
        net.wake(0.5)


@pytest.mark.parametrize("resigned", [False, True])
@pytest.mark.parametrize("gap", [0, 0.5, 1.5, 5, 50])
def test_the_others_vote_a_host_out_however_far_apart_their_votes_are(
    net: Homes, gap: float, resigned: bool
) -> None:
    begin(net, "bob", "cyd")
    if resigned:
        net.done("ann", Play(0, pack(Resign()), net["ann"].match.fold.number))
        net.settle()
    for name in ("bob", "cyd"):
        net.done(name, Vote())
        net.settle()
        wake_for(net, gap)
    wake_for(net, 10)
    (host,) = {net.status(name).host for name in ("ann", "bob", "cyd")}
    assert host in {"bob", "cyd"}
    assert {net.status(name).phase for name in ("ann", "bob", "cyd")} == {"playing"}


def test_votes_that_do_not_meet_hold_the_match_up_for_no_more_than_a_moment(
    net: Homes,
) -> None:
    begin(net, "bob", "cyd")
    for name in ("bob", "cyd"):
        net.done(name, Vote())
    net.deliver()
    net.cut("bob", "cyd")  # neither hears of the other's
    net.now += 4
    net.settle()
    wake_for(net, 20)
    assert {net.status(name).phase for name in ("ann", "bob", "cyd")} == {"playing"}


def test_three_votes_of_four_at_one_moment_replace_the_host(tmp_path: Path) -> None:
    net = Homes(tmp_path, "ann", "bob", "cyd", "dan")
    begin(net, "bob", "cyd", "dan")
    for name in ("bob", "cyd", "dan"):
        net.done(name, Vote())
        net.settle()
    wake_for(net, 10)
    (host,) = {net.status(name).host for name in net.nodes}
    assert host != "ann"
    net.close()
