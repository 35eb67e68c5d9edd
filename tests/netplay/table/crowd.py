"""Nodes joined in memory over lines that have a speed: a crowd looks on at a match.

Only what happens takes time here: a message leaves when the line of its sender is free,
and arrives a while later.  So two hundred nodes play some minutes in seconds.
"""

import heapq
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import count
from random import Random
from typing import Any, Final

from netplay.errors import PeerError
from netplay.limits import LINKS
from netplay.messages.door import Answer, StartMatch
from netplay.messages.log import Entries
from netplay.messages.table_questions import LetWatch, StandIn, WatchAt
from netplay.said import Said
from netplay.wire import Frame, decode, encode
from tests.netplay.joined_nodes import Net, Node, table

LATENCY: Final = 0.04
"""Seconds from one home to another."""

PACKET: Final = 1220
"""Bytes of a TCP segment."""

AROUND: Final = 52 + 22
"""Bytes of IP, TCP and TLS around each."""

HANDSHAKE: Final = 3000
"""Bytes that each side of a new link sends before its first message."""


class Crowd(Net):
    """Nodes whose messages take as long as their lines need."""

    def __init__(self, *names: str, rates: dict[str, int], rate: int) -> None:
        """Begin without links.

        Args:
            names: Of the nodes.
            rates: Name -> bits a second that a node's line takes upwards.
            rate: Of all others.
        """
        super().__init__(*names)
        self.by_key = {node.key: name for name, node in self.nodes.items()}
        self.rates = Counter(dict.fromkeys(names, rate) | rates)
        self.free = dict.fromkeys(names, 0.0)
        """When each line has sent what waits."""
        self.bytes = Counter[str]()
        """Sent by each so far."""
        self.events: list[tuple[float, int, Callable[[], None], str]] = []
        self.order = count()
        self.dialling: set[tuple[str, str]] = set()
        self.since: dict[str, dict[str, float]] = {name: {} for name in names}
        """Name -> who is on a link to it, and since when."""
        self.down: set[str] = set()
        self.rings: dict[str, float] = {}
        self.come_at: dict[tuple[str, int], float] = {}
        """Name, entries -> when it had so many."""
        self.altered: Callable[[str, str, Any], Any] = lambda _a, _b, message: message
        """What a node sends in the place of a message, None for nothing."""

    # What happens.

    def at(self, when: float, does: Callable[[], None], name: str) -> None:
        heapq.heappush(self.events, (when, next(self.order), does, name))

    def run(self, seconds: float) -> None:
        """Let time pass."""
        until = self.now + seconds
        while self.events and self.events[0][0] <= until:
            when, _, does, name = heapq.heappop(self.events)
            self.now = max(self.now, when)
            does()
            self.touch(name)
        self.now = until

    def touch(self, name: str) -> None:
        """Send what a node has to say, dial whom it wants, and note when it is due."""
        if name in self.down:
            return
        node = self[name]
        for out in node.tables.take_outgoing():
            for key in out.keys:
                self.send(name, self.by_key[key], out.message)
        node.pushes += node.tables.take_pushes()
        for dial in node.tables.wants_dial():
            to = dial.address.split(":")[0]
            if dial.key is not None:
                to = self.by_key[dial.key]
            if (name, to) not in self.dialling:
                self.dialling.add((name, to))
                busy = self.spend(to, HANDSHAKE) + 3 * LATENCY
                self.at(busy, partial(self.dialled, name, to, dial), name)
        due = node.tables.wants().due
        if due is not None and self.rings.get(name) != due:
            self.rings[name] = due
            self.at(max(due, self.now), lambda: self.ring(name), name)

    def ring(self, name: str) -> None:
        self.rings.pop(name, None)
        if name not in self.down:
            self[name].unix = int(self.now)
            self[name].tables.wake(self.now)

    def spend(self, name: str, size: int) -> float:
        """Send bytes; return when they have left."""
        self.bytes[name] += size
        start = max(self.free[name], self.now)
        self.free[name] = start + size * 8 / self.rates[name]
        return self.free[name]

    def send(self, a: str, b: str, message: Any) -> None:
        if frozenset((a, b)) not in self.links:
            return
        message = self.altered(a, b, message)
        if message is None:
            return
        data = encode(message)
        size = len(data) + AROUND * (1 + len(data) // PACKET)
        arrives = self.spend(a, size) + LATENCY
        link = self.since[a][b]
        self.at(arrives, lambda: self.arrive(a, b, data, link), b)

    def arrive(self, a: str, b: str, data: bytes, link: float) -> None:
        if self.since[b].get(a) != link or b in self.down:
            return
        message: Any = decode(Frame(data[4], data[5:]))
        self[b].got.append(message)
        try:
            self[b].tables.receive(self[a].key, message, self.now)
        except PeerError as error:
            self[b].errors.append(error)
            self.cut(a, b)
        if isinstance(message, Entries):
            self.come_at.setdefault((b, self.entries(b)), self.now)

    # Links.

    def dialled(self, name: str, to: str, dial: Any) -> None:
        """Make a link, if there is room; a crowd is sent away as `Links` does it."""
        self.dialling.discard((name, to))
        if frozenset((name, to)) in self.links | self.apart or name in self.down:
            return
        if to in self.down:
            self[name].tables.unreachable(dial, Said("nobody there"), self.now)
            return
        if len(self.since[to]) >= LINKS:
            idle = [
                one for one in self.since[to]
                if not self[to].tables.expects(self[one].key)
            ]  # fmt: skip
            if not idle:
                return
            self.cut(idle[0], to)
        self.since[name][to] = self.since[to][name] = self.now
        self.link(name, to)
        self.touch(to)

    def cut(self, a: str, b: str) -> None:
        self.since[a].pop(b, None)
        self.since[b].pop(a, None)
        super().cut(a, b)
        for name in (a, b):
            self.touch(name)

    def kill(self, name: str) -> None:
        """Let a node be gone at once; the others see the link break."""
        self.down.add(name)
        for other in list(self.since[name]):
            self.cut(name, other)

    # The match.

    def begin(
        self,
        game: str = "numlo",
        *,
        who: str = "anybody",
        options: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Let ann and bob, computers both, begin a match that may be watched."""
        self.done("bob", Answer(on=True))
        self.done("ann", table(game, "person", "remote:bob", options=options))
        self.everybody()
        self.run(5)
        self.done("ann", StartMatch())
        self.everybody()
        self.run(5)
        for name in ("ann", "bob"):
            self.done(name, StandIn(40))
            self.done(name, LetWatch(who))  # type: ignore[arg-type]
        self.everybody()
        self.run(5)

    def everybody(self) -> None:
        for name in self.nodes:
            self.touch(name)

    def come(self, names: list[str], apart: float) -> None:
        """Let some ask ann to be let watch, one after another."""
        for name in names:
            self.done(name, WatchAt("ann"))
            self.touch(name)
            self.run(apart)

    def move(self, rng: Random) -> int:
        """Let whoever is on turn move; return how many entries there are then."""
        for name in ("ann", "bob"):
            node = self[name]
            if node.tables.wants().thoughts:
                super().think(rng)
                self.touch("ann")
                self.touch("bob")
                self.run(0.5)
                break
        return self.entries("ann")

    def entries(self, name: str) -> int:
        match = self[name].table.match
        return 0 if match is None else len(match.ledger.log)

    def watching(self, names: list[str]) -> list[str]:
        return [name for name in names if self[name].tables.mode() == "watching"]


def level(crowd: Crowd, name: str) -> int:
    """Return over how many others a bystander gets the match."""
    steps, at = 0, name
    while steps < len(crowd.nodes):
        node: Node = crowd[at]
        ticket = node.table.at.ticket  # type: ignore[attr-defined]
        if ticket is None:
            return steps
        at, steps = crowd.by_key[ticket.parent], steps + 1
    raise AssertionError("a ring")
