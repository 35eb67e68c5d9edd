"""One run: a table is formed, faults come and go, the match ends, all is judged."""

import hashlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from random import Random

import pytest
from msgspec import Struct

from netplay.messages.door import HostTable, Play, Say, StartMatch
from netplay.record import signing
from netplay.wire import pack
from tests.simulation.world import SimNode, World

OPTIONS = {
    "numlo": (("size", "8"), ("values", "off")),
    "hexagrams": (),
    "networdz": (),
    "lhexicon": (),
    "hexcolumns": (("size", "9"), ("level", "3")),
}
GAMES = ("numlo", "numlo", "hexagrams", "numlo", "networdz")
"""Which seed plays what; the tiles take longest."""

WRITING = ("before write", "after write", "before sync", "after sync")
"""Where a crash loses or tears what a node was about to promise."""

POINTS = (
    "before event",
    "before outgoing",
    "before write",
    "after write",
    "before sync",
    "after sync",
    "before delivery",
    "between deliveries",
    "before cut",
    "after cut",
    "before open",
)
LONGEST = 800.0
"""Virtual seconds after which a match that has not ended never will."""


class Result(Struct, frozen=True):
    """What came of a run."""

    seed: int
    game: str
    members: int
    failures: tuple[str, ...]
    faults: dict[str, int]
    entries: int
    events: int
    seconds: float
    """Virtual."""
    trace: str


@contextmanager
def remembering() -> Generator[None]:
    """Check each signature once, not once at every node.

    The same bytes under the same key hold everywhere; a signature that fails is
    checked by everybody who sees it.
    """
    good: set[tuple[bytes, bytes, bytes]] = set()
    whole = signing.verify

    def verify(key: bytes, signature: bytes, data: bytes) -> None:
        if (key, signature, data) not in good:
            whole(key, signature, data)
            good.add((key, signature, data))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(signing, "verify", verify)
        yield


def simulate(seed: int, game: str = "") -> Result:
    """Play one match; the seed decides everything."""
    with remembering():
        return played(seed, game)


def played(seed: int, game: str) -> Result:
    """Play one match."""
    rng = Random(f"plan {seed}")
    game = game or GAMES[seed % len(GAMES)]
    members = 2 if game == "hexagrams" else rng.choice((2, 2, 3, 3, 4))
    world = World(seed, game, members)
    form(world, rng)
    Faults(world, rng).begin()
    while world.heap and world.now < LONGEST and not world.checks.failures:
        world.step()
        if world.calm and world.events % 16 == 0 and settled(world):
            break
    world.checks.end()
    return Result(
        seed,
        game,
        members,
        tuple(world.checks.failures),
        dict(sorted(world.faults.items())),
        world.checks.entries,
        world.events,
        world.now,
        world.trace.hexdigest(),
    )


def settled(world: World) -> bool:
    """Tell whether nothing more is to be expected."""
    done = world.checks.done()
    still = (done or world.checks.waits_for_the_dead()) and world.checks.talked()
    return world.finished(still, 3.0 if done else 30.0)


def form(world: World, rng: Random) -> None:
    """Let everybody sit down; now and then somebody crashes meanwhile."""
    nodes = list(world.nodes.values())
    if rng.random() < 0.4:
        node = rng.choice(nodes)
        node.fuse = (rng.choice(POINTS), rng.randrange(12))
        world.count("crash of a forming table")
    while any(node.match is None for node in nodes):
        assert world.now < 300, "the table is not agreed on"
        sit_down(world)
        world.step()
    for node in nodes:
        node.fuse = None


def sit_down(world: World) -> None:
    """Let the host offer the table, again if need be, and start when all agree."""
    ann, *guests = world.nodes.values()
    if not ann.up or ann.match is not None:
        return
    forming = ann.desk.sitting.forming
    if forming is None:
        seats = ("computer:40", *(f"remote:{guest.name}" for guest in guests))
        table = HostTable(world.name, seats, OPTIONS[world.name], "", "")
        world.run(ann, "host", lambda: ann.ask(table) and None)
    elif all(guest.key in forming.guests for guest in guests):
        world.run(ann, "start", lambda: ann.ask(StartMatch()) and None)


class Faults:
    """What goes wrong, when, and until when."""

    def __init__(self, world: World, rng: Random) -> None:
        self._world = world
        self._rng = rng
        self._left = rng.randrange(8, 24)
        self._dead = len(world.nodes) > 2 and rng.random() < 0.15

    def begin(self) -> None:
        self._world.calm = False
        if len(self._world.nodes) > 2 and self._rng.random() < 0.4:
            self._world.part(*self._pair())
        self._next()

    def _next(self) -> None:
        self._world.later(self._rng.expovariate(1.0), self._strike)

    def _strike(self) -> None:
        """Let one thing go wrong."""
        self._talk()
        if self._left == 0:
            self._last()
            return
        self._left -= 1
        kinds = (
            (self._blow, 5),
            (self._crash, 1),
            (self._reset, 2),
            (self._one_way, 2),
            (self._black_hole, 2),
            (self._slow, 1),
            (self._isolate, 1),
            (self._stale, 3),
            (self._vote, 1),
            (self._coup, 2),
            (self._strand, 2),
            (self._spoil, 1),
        )
        acts, weights = zip(*kinds, strict=True)
        self._rng.choices(acts, weights)[0]()
        self._next()

    def _last(self) -> None:
        """End the faults: everything heals, or one node is gone for good."""
        world = self._world
        world.holes.clear()
        for node in world.nodes.values():
            node.fuse, node.lag, node.stranded = None, 1.0, False
            node.archive.failing = None
        world.calm = True
        if self._dead:
            victim = self._any()
            if len(world.nodes) == 3:
                world.apart.clear()
            victim.dead = True
            world.count("gone for good")
            if victim.up:
                world.crash(victim)

    def _any(self) -> SimNode:
        return self._rng.choice(list(self._world.nodes.values()))

    def _pair(self) -> tuple[str, str]:
        a, b = self._rng.sample(list(self._world.nodes), 2)
        return a, b

    def _blow(self) -> None:
        """Crash a node where it hurts: near the disk or the network."""
        node, rng = self._any(), self._rng
        node.fuse = (rng.choice(rng.choice((WRITING, POINTS))), rng.randrange(4))

    def _strand(self) -> None:
        """Cut the host off the moment it has entered something."""
        hosts = [n for n in self._world.nodes.values() if n.match and n.match.hosting]
        if len(self._world.nodes) > 2 and hosts:
            self._rng.choice(hosts).stranded = True

    def _spoil(self) -> None:
        """Let a disk fail at one of its next calls."""
        call = self._rng.choice(("write", "sync", "sync", "cut"))
        self._any().archive.failing = (call, self._rng.randrange(4))

    def _crash(self) -> None:
        node = self._any()
        if node.up:
            self._world.count("crash at rest")
            self._world.crash(node)

    def _reset(self) -> None:
        self._world.count("reset")
        self._world.cut(*self._pair())

    def _seconds(self) -> float:
        return self._rng.choice((0.3, 2.0, 8.0, 15.0, 30.0)) * self._rng.random()

    def _one_way(self) -> None:
        self._world.count("one-way cut")
        self._world.hole(*self._pair(), self._seconds())

    def _black_hole(self) -> None:
        self._world.count("black hole")
        a, b = self._pair()
        seconds = self._seconds()
        self._world.hole(a, b, seconds)
        self._world.hole(b, a, seconds)

    def _isolate(self) -> None:
        self._world.count("isolation")
        node, seconds = self._any(), self._rng.choice((3.0, 20.0, 80.0))
        for other in self._world.nodes:
            if other != node.name:
                self._world.hole(node.name, other, seconds)
                self._world.hole(other, node.name, seconds)

    def _slow(self) -> None:
        self._world.count("slow peer")
        self._any().lag = self._rng.choice((1.0, 5.0, 20.0))

    def _vote(self) -> None:
        """Let everybody vote for another host."""
        self._world.count("vote")
        for node in self._world.nodes.values():
            self._world.vote(node)

    def _coup(self) -> None:
        """Cut the host off and let the others vote; one of them may crash over it."""
        world, rng = self._world, self._rng
        hosts = [n for n in world.nodes.values() if n.match and n.match.hosting]
        if len(world.nodes) < 3 or not hosts:
            return
        world.count("coup")
        host, seconds = rng.choice(hosts), rng.choice((3.0, 10.0, 25.0))
        others = [node for node in world.nodes.values() if node is not host]
        for node in others:
            world.hole(host.name, node.name, seconds)
            if rng.random() < 0.8:
                world.hole(node.name, host.name, seconds)
        if rng.random() < 0.5:
            points = ("after sync", "before delivery", "between deliveries")
            rng.choice(others).fuse = (rng.choice(points), rng.randrange(3))
        world.later(rng.random() * 2, self._vote)

    def _talk(self) -> None:
        """Let somebody say something; no two lines are the same."""
        node = self._any()
        if node.up and node.match is not None:
            text = f"{node.name} at {self._world.now:.3f}"
            self._world.run(node, "say", lambda: node.ask(Say(text)) and None)

    def _stale(self) -> None:
        """Let somebody click on a board that is out of date."""
        world, node = self._world, self._any()
        match = node.match
        if match is None or match.fold.over:
            return
        seats = [s for s in match.on_turn() if match.seats.is_own(s)]
        for seat in seats[:1]:
            view = match.seats.view(seat)
            if view.up_to_date and not match.seats.is_moving(seat):
                move = pack(world.choose(view.state, seat))
                ask = Play(seat, move, max(0, len(match.ledger.log) - 4))
                world.count("stale click")
                world.run(node, "click", lambda ask=ask: node.ask(ask) and None)


def digest_of(results: Iterator[Result]) -> str:
    """Return the digest of many traces."""
    whole = hashlib.sha256()
    for result in results:
        whole.update(result.trace.encode())
    return whole.hexdigest()
