"""What windows are shown of the table is never out of date: each change is told."""

from random import Random

import pytest

from netplay.errors import Code, PeerError
from netplay.limits import LINES_AT_ONCE
from netplay.messages.door import TableStatus
from netplay.messages.table import Decline
from netplay.sentences import Says
from tests.netplay.joined_nodes import Net


class Watch:
    """What the windows of each node were shown last."""

    def __init__(self, net: Net) -> None:
        self._net = net
        self._shown: dict[str, TableStatus | None] = {}

    def look(self) -> None:
        """Show what has been told to have changed; nothing else may have."""
        for name, node in self._net.nodes.items():
            now = node.tables.table_status(self._net.now)
            if node.tables.take_news().changed or name not in self._shown:
                self._shown[name] = now
            assert now == self._shown[name], name


@pytest.mark.parametrize(
    ("game", "guests"),
    [
        ("numlo", ("bob",)),
        ("numlo", ("bob", "cyd")),
        ("hexagrams", ("bob",)),
        ("networdz", ("bob",)),
        ("networdz", ("bob", "cyd")),
    ],
)
def test_every_change_of_the_table_is_told(
    net: Net, game: str, guests: tuple[str, ...]
) -> None:
    net.start(*guests, game=game)
    watch, rng = Watch(net), Random(1)
    for turn in range(60):
        watch.look()
        if not net.think(rng):
            break
        watch.look()
        net.settle()
        watch.look()
        net.wake(0.02)
        watch.look()
        if turn % 20 == 7:
            net.cut("ann", "bob")
            watch.look()
            net.wake(0.02)
    for name in ("ann", *guests):
        shown = net[name].tables.table_status(net.now)
        assert shown is not None
        assert shown.final == shown.entries > 2


@pytest.mark.parametrize("guests", [("bob",), ("bob", "cyd")])
def test_who_leaves_and_comes_back_all_the_time_is_few_lines_and_hung_up_on(
    net: Net, guests: tuple[str, ...]
) -> None:
    net.start(*guests)
    match = net["bob"].match
    ann, key, have = net["ann"], net["bob"].key, match.replica.have()
    nonce = match.fold.terms.nonce
    ann.pushes.clear()
    with pytest.raises(PeerError) as hung_up:
        for _ in range(1000):
            ann.tables.receive(key, Decline(nonce, 0, 15, "x" * 100), net.now)
            ann.tables.receive(key, have, net.now)
            ann.pushes += ann.tables.take_pushes()
    assert hung_up.value.code is Code.TOO_MANY
    assert 0 < len(ann.lines("system")) <= LINES_AT_ONCE
    net.now += 60
    ann.tables.receive(key, Decline(nonce, 0, 15, "again"), net.now)
    ann.pushes += ann.tables.take_pushes()
    assert str(Says.HAS_LEFT(name="bob", why="“again”")) in ann.lines("system")[-1]
