"""A host that leaves a match and takes it up again goes on with everybody."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from netplay.messages.door import Answer, LeaveTable, Load, StartMatch
from netplay.messages.table_questions import StandIn
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
