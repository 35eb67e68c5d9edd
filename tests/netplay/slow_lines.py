"""Nodes joined by lines that are slow, long and lossy, in the time of a test.

A line carries so many bits a second away from a node, whatever the number of its
links; what is lost comes when it has been sent again, and what was sent behind it waits
for it, as TCP has it.
"""

from collections import Counter
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any, Final, NamedTuple

from netplay.messages.door import Answer, StartMatch
from netplay.messages.table_questions import StandIn
from netplay.wire import Frame, decode, encode
from rules.hexcolumns import Rotate, Shift
from tests.netplay.joined_nodes import Net, table

FRAME: Final = 1 / 60

PACKET_BYTES: Final = 1400
"""What goes into one packet."""

AROUND_BYTES: Final = 52 + 22
"""Around it: TCP and IP, and TLS."""

HEARD_BYTES: Final = 52
"""Said by TCP about every second packet that came."""


class Line(NamedTuple):
    """What becomes of packets."""

    bits: float = 128_000
    """A second, away from each node."""
    delay: float = 0.2
    more: float = 0.08
    """By which the delay differs, at most, to either side."""
    loss: float = 0.05


FAST: Final = Line(1e9, 0.001, 0.0, 0.0)


class SlowNet(Net):
    """Nodes whose lines are slow once `line` says so."""

    def __init__(self, *names: str) -> None:
        super().__init__(*names)
        self.line = FAST
        self.bytes: Counter[str] = Counter()
        """Sent by each node, with all that is around them."""
        self.kinds: Counter[tuple[str, str]] = Counter()
        """The same without that, by the kind of message."""
        self._rng: Final = Random(20)
        self._free: Counter[str] = Counter()
        """When each node's line has sent all it had."""
        self._last: dict[tuple[str, str], float] = {}
        self._heard: Counter[str] = Counter()
        self._order: Final = count()
        self._flying: list[tuple[float, int, str, str, bytes]] = []

    def deliver(self) -> bool:
        for name, node in self.nodes.items():
            sent: dict[str, bytearray] = {}
            for out in node.tables.take_outgoing():
                data = encode(out.message)
                for key in out.keys:
                    other = self.name_of(key)
                    if frozenset((name, other)) in self.links:
                        self.kinds[name, type(out.message).__name__] += len(data)
                        sent.setdefault(other, bytearray()).extend(data)
            for other, frames in sent.items():
                self._send(name, other, bytes(frames))
            node.pushes.clear()
        if not self._flying or self._flying[0][0] > self.now:
            return False
        _at, _number, a, b, data = heappop(self._flying)
        while data:
            size = int.from_bytes(data[:4], "big")
            frame, data = data[: 4 + size], data[4 + size :]
            message: Any = decode(Frame(frame[4], frame[5:]))
            if frozenset((a, b)) in self.links:
                self[b].tables.receive(self[a].key, message, self.now)
        return True

    def _send(self, a: str, b: str, data: bytes) -> None:
        packets = -(-len(data) // PACKET_BYTES)
        size = len(data) + packets * AROUND_BYTES
        self._heard[b] += packets
        if self._heard[b] % 2:
            self._occupy(b, HEARD_BYTES)
        at = self._occupy(a, size)
        wait, again = 0.0, 0.6
        for _ in range(packets):
            while self._rng.random() < self.line.loss:
                wait, again = wait + again, 2 * again
                at = max(at, self._occupy(a, size // packets))
        more = self._rng.uniform(-self.line.more, self.line.more)
        at = max(at + wait + self.line.delay + more, self._last.get((a, b), 0.0))
        self._last[a, b] = at
        heappush(self._flying, (at, next(self._order), a, b, data))

    def _occupy(self, name: str, size: int) -> float:
        """Have a node's line carry so many bytes more; return when it has."""
        self.bytes[name] += size
        begin = max(self.now, float(self._free[name]))
        self._free[name] = begin + size * 8 / self.line.bits  # type: ignore[assignment]
        return float(self._free[name])

    def pass_time(self, seconds: float, rng: Random | None = None) -> None:
        """Let time pass in frames; computer players do whatever comes to them."""
        for _ in range(round(seconds / FRAME)):
            self.now += FRAME
            for node in self.nodes.values():
                due = node.tables.wants().due
                if due is not None and due <= self.now:
                    node.tables.wake(self.now)
                if rng is None:
                    continue
                for thought in node.tables.wants().thoughts:
                    moves = [Rotate(), Shift(rng.choice((-1, 1)))]
                    node.tables.thought(thought, rng.choice(moves), self.now)
            self.settle()

    def begin(self) -> None:
        """Have all play Hexcolumns in large wells, the first as host; nobody thinks."""
        host, *guests = self.nodes
        for name in guests:
            self.done(name, Answer(on=True))
        for name in self.nodes:
            self.done(name, StandIn(0))
        seats = ("person", *(f"remote:{name}" for name in guests))
        self.done(host, table("hexcolumns", *seats, options=(("size", "9"),)))
        self.pass_time(1)
        self.done(host, StartMatch())
        self.pass_time(1)

    def behind(self) -> dict[tuple[str, int], float]:
        """Return for how many seconds each node is behind each seat of the others."""
        matches = {name: node.match for name, node in self.nodes.items()}
        found: dict[tuple[str, int], float] = {}
        for owner, match in matches.items():
            assert match.realtime is not None
            for seat in filter(match.seats.is_own, match.fold.actors):
                for name, other in matches.items():
                    if name != owner and seat in match.fold.actors:
                        assert other.realtime is not None
                        shown = other.realtime.state.wells[seat].ticks
                        lag = match.realtime.state.wells[seat].ticks - shown
                        found[name, seat] = lag / match.fold.hz
        return found
