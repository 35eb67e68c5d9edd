"""A game that hurries over slow lines and beside stalled nodes: nobody is held up."""

from collections.abc import Iterator
from typing import Any

import pytest
from typing_extensions import override

from netplay.messages.door import Answer, Play, StartMatch, Watch
from netplay.record.verify import replay
from netplay.wire import Frame, decode, encode, pack, unpack
from rules import GAMES
from rules.hexcolumns import Rotate
from tests.netplay.joined_nodes import Net, table

GAME: Any = GAMES["hexcolumns"]
FRAME = 1 / 60
HZ = 30
NAMES = ("ann", "bob", "cat")


class SlowNet(Net):
    """A net whose lines take time, and whose nodes may stand still with links up."""

    def __init__(self, *names: str) -> None:
        super().__init__(*names)
        self.latency = 0.0
        """Seconds from one node to another."""
        self.stalled: set[str] = set()
        """Nodes that do nothing for now, as under a debugger or a frozen disk."""
        self.way: list[tuple[float, str, str, bytes]] = []

    @override
    def deliver(self) -> bool:
        for name in self.nodes.keys() - self.stalled:
            for out in self[name].tables.take_outgoing():
                data, late = encode(out.message), self.now + self.latency
                self.way += [(late, name, self.name_of(key), data) for key in out.keys]
            self[name].pushes += self[name].tables.take_pushes()
        for parcel in self.way:
            late, a, b, data = parcel
            if late <= self.now and b not in self.stalled:
                self.way.remove(parcel)
                message: Any = decode(Frame(data[4], data[5:]))
                self[b].tables.receive(self[a].key, message, self.now)
                return True
        return False

    def run(self, seconds: float) -> None:
        """Let time pass in frames."""
        for _ in range(round(seconds / FRAME)):
            self.now += FRAME
            for name in self.nodes.keys() - self.stalled:
                due = self[name].tables.wants().due
                if due is not None and due <= self.now:
                    self[name].tables.wake(self.now)
            self.settle()


@pytest.fixture
def net() -> Iterator[SlowNet]:
    """Return three nodes in the first half second of a match."""
    one = SlowNet(*NAMES)
    for name in ("bob", "cat"):
        one.done(name, Answer(on=True))
    seats = ("person", "remote:bob", "remote:cat")
    one.done("ann", table("hexcolumns", *seats, options=(("size", "6"),)))
    one.settle()
    one.done("ann", StartMatch())
    one.settle()
    for seat, name in enumerate(NAMES):
        one.done(name, Watch(seat))
    one.run(0.5)
    yield one
    one.close()


def match_of(net: SlowNet, name: str) -> Any:
    return net[name].match


def ticks(net: SlowNet, at: str, of: str) -> int:
    """Return how far a node knows somebody's well to have come."""
    wells = match_of(net, at).realtime.state.wells
    return int(wells[NAMES.index(of)].ticks)


def shown(net: SlowNet, name: str) -> Any:
    """Return the newest state that a node has given its window."""
    return unpack(net[name].views()[-1].state, GAME.ABOUT.state)


def assert_an_input_counts_at_once(net: SlowNet, name: str) -> None:
    """Turn a seat's piece, and see it turned before any time has passed."""
    seat = NAMES.index(name)
    piece = shown(net, name).wells[seat].piece
    net.done(name, Play(seat, pack(Rotate()), 0))
    net.settle()
    assert shown(net, name).wells[seat].piece == piece[1:] + piece[:1]


def assert_all_agree(net: SlowNet) -> None:
    """Let the nodes talk, then compare their logs and what comes of them."""
    net.run(2)
    logs = [match_of(net, name).ledger.raws(0) for name in NAMES]
    size = min(map(len, logs))
    assert size > 50
    assert logs[0][:size] == logs[1][:size] == logs[2][:size]
    assert replay(logs[0]).state == match_of(net, "ann").fold.state
    for name in NAMES:
        for other in NAMES:
            assert abs(ticks(net, name, other) - ticks(net, other, other)) < HZ


@pytest.mark.parametrize("still", NAMES)
def test_a_node_that_stalls_holds_up_no_well_but_its_own(
    net: SlowNet, still: str
) -> None:
    others = [name for name in NAMES if name != still]
    before = {name: ticks(net, name, name) for name in NAMES}
    net.stalled.add(still)
    for _ in range(10):
        net.run(0.5)
        for name in others:
            assert_an_input_counts_at_once(net, name)
    for name in others:
        assert abs(ticks(net, name, name) - before[name] - 5 * HZ) <= 2
    if still != "ann":  # the host is there, so the others see each other live
        one, two = others
        assert ticks(net, one, two) >= before[two] + 5 * HZ - 6
        assert ticks(net, two, one) >= before[one] + 5 * HZ - 6
    net.stalled.clear()
    net.run(1)
    assert ticks(net, still, still) < before[still] + 2 * HZ
    assert_all_agree(net)


def test_a_delay_of_200_ms_holds_up_no_well(net: SlowNet) -> None:
    net.latency = 0.2
    before = {name: ticks(net, name, name) for name in NAMES}
    for count in range(1, 21):
        net.run(0.5)
        for name in NAMES:
            assert abs(ticks(net, name, name) - before[name] - count * HZ / 2) <= 2
            assert_an_input_counts_at_once(net, name)
    for name in NAMES:
        for other in NAMES:  # guest to guest is two lines, and a stretch is 0.1 s
            lag = ticks(net, other, other) - ticks(net, name, other)
            assert 0 <= lag <= 0.6 * HZ
    assert_all_agree(net)
