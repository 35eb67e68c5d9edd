"""Nodes, links and time: a world in which everything happens because of a seed.

Events wait in a heap; the next one is taken, time jumps to it, the desk concerned is
told, and what it wants to send, show, think and dial goes back into the heap.  Nothing
here reads a clock or a source of randomness but the world's own.
"""

import hashlib
import heapq
from collections import Counter, deque
from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

from netplay.desk import Thought
from netplay.errors import NetplayError, PeerError
from netplay.match.match import Match
from netplay.messages.door import Answer, Question, Request, Tool, Watch
from netplay.messages.log import Carried, Entries
from netplay.table.desk import LocalDesk
from netplay.table.resources import Shelf
from netplay.table.sitting import Means
from netplay.wire import Frame, decode, encode
from rules import GAMES
from tests.netplay.party import Dice, Key
from tests.simulation.checks import Checks
from tests.simulation.disk import CrashError, FailingDiskError, SimArchive

SILENCE = 12.0
"""Seconds after which a link that says nothing is given up."""

SHORTEST = 0.25
"""Seconds between two wakes at the least."""

TICK = 0.5
"""Seconds between two attempts to dial."""


class Link:
    """A stream each way between two nodes."""

    def __init__(self, a: str, b: str) -> None:
        self.open = {a: True, b: True}
        """Which side believes in it."""
        self.arrives = {a: 0.0, b: 0.0}
        """When the last message to a side arrives."""
        self.queue: dict[str, deque[bytes]] = {a: deque(), b: deque()}
        """What is under way to a side: streams keep their order."""

    def other(self, name: str) -> str:
        return next(end for end in self.open if end != name)


class SimNode:
    """A desk with what a shell would give it."""

    def __init__(self, world: "World", name: str) -> None:
        self.world = world
        self.name = name
        self.signer = Key(name)
        self.key = self.signer.key
        self.archive = SimArchive(self.touch)
        self.fuse: tuple[str, int] | None = None
        """Crash at this point, after passing it so many times."""
        self.runs = 0
        self.up = False
        self.dead = False
        """It will never come back."""
        self.lag = 1.0
        self.failing = 0
        """In which of its runs its disk has failed."""
        self.stranded = False
        """It is to be cut off when it has entered something that nobody has."""
        self.desk: LocalDesk
        self.links: dict[str, Link] = {}
        self.thinking: set[tuple[int, int]] = set()
        self.waking = float("inf")
        self.asked = 0

    @property
    def match(self) -> Match | None:
        return self.desk.sitting.match if self.up else None

    def touch(self, point: str) -> None:
        """Pass a point where a crash may strike."""
        if self.fuse is None or self.fuse[0] != point:
            return
        left = self.fuse[1]
        self.fuse = (point, left - 1)
        if left <= 0:
            self.fuse = None
            self.world.count(f"crash {point}")
            raise CrashError

    def start(self) -> None:
        """Begin, or come back with what the disk has."""
        self.runs += 1
        self.up = True
        dice = Dice(f"{self.world.seed} {self.name} {self.runs}")
        clock = self.world.unix
        means = Means(
            self.signer, self.archive, Shelf(None), dice, clock, self.signer.unseal
        )
        self.desk = LocalDesk(means, self.name)
        self.links, self.thinking, self.waking = {}, set(), float("inf")
        self.ask(Answer(on=True))
        self.ask(Tool("autoplay", ("40",)))
        self.desk.window_up(1)
        self.desk.window_up(2)
        self.ask(Watch(-1), window=2)
        self.desk.reopen(self.world.now)

    def ask(self, question: Question, window: int = 1) -> Any:
        self.asked += 1
        return self.desk.ask(window, Request(self.asked, question), self.world.now)


class World:
    """Everything there is."""

    def __init__(self, seed: int, game: str, members: int) -> None:
        self.seed = seed
        self.name = game
        self.game = GAMES[game]
        self.rng = Random(f"simulation {seed} {game} {members}")
        self.now = 100.0
        self.heap: list[tuple[float, int, Callable[[], None]]] = []
        self.serial = 0
        self.trace = hashlib.sha256()
        self.faults: Counter[str] = Counter()
        self.events = 0
        self.holes: dict[tuple[str, str], float] = {}
        """(from, to) -> until when nothing arrives."""
        self.apart: set[frozenset[str]] = set()
        """Pairs that never have a link."""
        self.nodes = {
            n: SimNode(self, n) for n in ("ann", "bob", "cyd", "dan")[:members]
        }
        self.by_key = {node.key: node for node in self.nodes.values()}
        self.checks = Checks(self)
        self.since: float | None = None
        """Since when nothing more seems to be expected."""
        self.calm = True
        """No faults yet, or no more."""
        for node in self.nodes.values():
            node.start()
            self.later(self.rng.random() * TICK, self._ticker(node))

    def unix(self) -> int:
        return int(self.now)

    def count(self, fault: str) -> None:
        self.faults[fault] += 1

    def note(self, *what: Any) -> None:
        """Write an event into the trace."""
        self.trace.update(f"{self.now!r} {what!r}\n".encode())

    def finished(self, seems: bool, seconds: float) -> bool:
        """Tell whether something has held for so long."""
        if not seems:
            self.since = None
            return False
        if self.since is None:
            self.since = self.now
        return self.now - self.since >= seconds

    # Time.

    def later(self, delay: float, action: Callable[[], None]) -> None:
        self.serial += 1
        heapq.heappush(self.heap, (self.now + delay, self.serial, action))

    def step(self) -> None:
        """Let the next thing happen."""
        at, _, action = heapq.heappop(self.heap)
        self.now = max(self.now, at)
        self.events += 1
        action()

    def latency(self, a: SimNode, b: SimNode) -> float:
        base = 0.005 + self.rng.random() ** 3 * 0.15
        if self.rng.random() < 0.01:
            base *= 20
        return base * a.lag * b.lag

    # Nodes.

    def run(self, node: SimNode, what: str, act: Callable[[], None]) -> None:
        """Let something happen at a node, and what comes of it."""
        if not node.up:
            return
        try:
            node.touch("before event")
            act()
            self._drain(node)
            self.checks.after(node)
        except CrashError:
            self.note("crash in", what, node.name)
            self.crash(node)
        except FailingDiskError:
            pass
        except NetplayError as error:
            self.checks.fail(f"{node.name}: {what}: {error!r}")
        if node.up and node.archive.failed and node.failing != node.runs:
            node.failing = node.runs
            self._disk_failed(node)

    def _disk_failed(self, node: SimNode) -> None:
        """See that a node says so and plays on no more; its user starts it anew."""
        self.note("disk failed", node.name)
        self.count("disk error")
        self.checks.disk_failed(node)
        self.run(node, "disk", lambda: None)
        runs = node.runs
        self.later(
            5 + self.rng.random() * 20,
            lambda: self.crash(node) if node.up and node.runs == runs else None,
        )

    def _drain(self, node: SimNode) -> None:
        """Take what a desk wants sent, shown, thought and timed."""
        node.touch("before outgoing")
        outgoing = node.desk.take_outgoing()
        node.touch("before delivery")
        if node.stranded and any(isinstance(o.message, Entries) for o in outgoing):
            self.strand(node)
        for out in outgoing:
            data = encode(out.message)
            for key in out.keys:
                self.checks.tells(node, self.by_key[key], out.message, data)
                self._send(node, self.by_key[key], data)
                self.checks.sent(node, out.message)
                self._look_into(node, out.message)
                node.touch("between deliveries")
        self.checks.pushed(node, node.desk.take_pushes())
        for thought in node.desk.seats_to_think():
            self._think(node, thought)
        self._time(node)

    def _look_into(self, node: SimNode, message: Any) -> None:
        """Check what is in a letter that a node has another carry."""
        if isinstance(message, Carried) and message.author == node.key:
            to = self.by_key[message.to]
            text = to.signer.unseal(message.letter)
            inner: Any = decode(Frame(text[0], text[1:]))
            self.count("carried messages")
            self.checks.tells(node, to, inner, text)
            self.checks.sent(node, inner)

    def _time(self, node: SimNode) -> None:
        """Wake a node when it wants to be woken."""
        deadline = node.desk.deadline()
        due = None if deadline is None else max(deadline, self.now + SHORTEST)
        if due is None or due >= node.waking:
            return
        desk, node.waking = node.desk, due

        def wake() -> None:
            if node.up and node.desk is desk:
                node.waking = float("inf")
                self.run(node, "wake", lambda: desk.wake(self.now))

        self.later(node.waking - self.now, wake)

    def _think(self, node: SimNode, thought: Thought) -> None:
        """Let a computer player choose, in its own time."""
        mark = (thought.seat, thought.number)
        if mark in node.thinking:
            return
        node.thinking.add(mark)
        desk = node.desk

        def chosen() -> None:
            if not node.up or node.desk is not desk:
                return
            node.thinking.discard(mark)
            move = self.choose(thought.view, thought.seat)
            self.note("move", node.name, thought.seat, thought.number)
            self.run(node, "move", lambda: desk.thought(thought, move, self.now))

        self.later(0.02 + self.rng.random() ** 2, chosen)

    def choose(self, view: Any, seat: int) -> Any:
        """Return a cheap legal move."""
        moves = list(islice(self.game.moves(view, seat), 12))
        passes = [move for move in moves if type(move).__name__ == "Pass"]
        if passes and self.rng.random() < 0.4:
            return passes[0]
        return self.rng.choice(moves)

    def crash(self, node: SimNode) -> None:
        """Let a node's power or process fail."""
        node.up, node.fuse = False, None
        node.archive.mend()
        torn = node.archive.power_fails(self.rng)
        self.count("torn files" if torn else "clean losses")
        links, node.links = node.links, {}
        for link in links.values():
            link.open[node.name] = False
            quiet = self.rng.random() < 0.3
            delay = SILENCE if quiet else 0.001 + self.rng.random() * 0.3
            self.later(delay, self._closer(link, link.other(node.name)))
        self.note("crash", node.name)
        if not node.dead:
            long = self.rng.random() < 0.1 and not self.calm
            away = 62 + self.rng.random() * 30 if long else self.rng.random() * 4
            if long:
                self.count("long absence")
            self.later(away, lambda: self.restart(node))

    def restart(self, node: SimNode) -> None:
        """Bring a node back; it may crash on its way up."""
        if node.up or node.dead:
            return
        self.note("restart", node.name)
        self.count("restart")
        try:
            node.start()
            self.checks.came_back(node)
        except CrashError:
            self.crash(node)
            return
        self.run(node, "restart", lambda: None)

    # Links.

    def _ticker(self, node: SimNode) -> Callable[[], None]:
        """Return what dials, again and again."""

        def tick() -> None:
            if node.up:
                self._dial(node)
            if not node.dead:
                self.later(TICK * (0.75 + self.rng.random() / 2), tick)

        return tick

    def _dial(self, node: SimNode) -> None:
        for dial in node.desk.wants_dial():
            name = dial.address.split(":")[0]
            to = self.by_key[dial.key] if dial.key else self.nodes[name]
            if to.name not in node.links:
                runs = (node.runs, to.runs)
                delay = 2 * self.latency(node, to)
                self.later(delay, lambda a=node, b=to, r=runs: self._meet(a, b, r))
            elif dial.key is None:
                self._call_again(node, to)

    def _call_again(self, node: SimNode, to: SimNode) -> None:
        """Dial an address where somebody answers to whom there is a link already."""
        up = lambda: node.desk.peer_up(to.key, to.name, to.name, self.now)  # noqa: E731 (one line)
        self.run(node, "up", up)

    def blocked(self, a: str, b: str) -> bool:
        hole = self.holes.get((a, b), 0.0) > self.now
        return hole or frozenset((a, b)) in self.apart

    def _meet(self, a: SimNode, b: SimNode, runs: tuple[int, int]) -> None:
        """Finish a handshake, if both are still there and hear each other."""
        both = a.up and b.up and runs == (a.runs, b.runs)
        deaf = self.blocked(a.name, b.name) or self.blocked(b.name, a.name)
        if not both or deaf or b.name in a.links:
            return
        link = Link(a.name, b.name)
        for node, peer in ((a, b), (b, a)):
            old = node.links.get(peer.name)
            if old is not None:
                old.open[node.name] = False
            node.links[peer.name] = link
        self.note("link", a.name, b.name)
        self.run(a, "up", lambda: a.desk.peer_up(b.key, b.name, b.name, self.now))
        self.run(
            b, "up", lambda: b.desk.peer_up(a.key, a.name, f"{a.name}:1", self.now)
        )

    def _closer(self, link: Link, name: str) -> Callable[[], None]:
        return lambda: self.close(link, name)

    def close(self, link: Link, name: str) -> None:
        """Let one side give a link up; the other hears of it."""
        if not link.open[name]:
            return
        link.open[name] = False
        node, other = self.nodes[name], self.nodes[link.other(name)]
        if node.links.get(other.name) is link:
            del node.links[other.name]
            self.note("down", name, other.name)
            down = lambda: node.desk.peer_down(other.key, self.now)  # noqa: E731 (one line)
            self.run(node, "down", down)
        delay = self.latency(node, other)
        if self.blocked(name, other.name):
            delay = SILENCE
        self.later(delay, self._closer(link, other.name))

    def _send(self, a: SimNode, b: SimNode, data: bytes) -> None:
        """Put a message on its way."""
        link = a.links.get(b.name)
        if link is None:
            return
        held = max(self.now, self.holes.get((a.name, b.name), 0.0))
        at = max(held + self.latency(a, b), link.arrives[b.name] + 1e-6)
        link.arrives[b.name] = at
        link.queue[b.name].append(data)
        self.later(at - self.now, lambda: self._arrive(link, a, b))

    def _arrive(self, link: Link, a: SimNode, b: SimNode) -> None:
        """Hand the oldest message of a stream on, as bytes."""
        if not link.open[b.name] or not b.up:
            return
        wait = self.holes.get((a.name, b.name), 0.0) - self.now
        if wait > 0:  # the hole opened while it was under way
            self.later(wait + 1e-6, lambda: self._arrive(link, a, b))
            return
        data = link.queue[b.name].popleft()
        message: Any = decode(Frame(data[4], data[5:]))
        self.note("got", a.name, b.name, hashlib.sha256(data).hexdigest())

        def take() -> None:
            try:
                b.desk.receive(a.key, message, self.now)
            except PeerError as error:
                self.checks.broke(a, b, message, error)
                self.later(0.0, self._closer(link, b.name))

        self.run(b, type(message).__name__, take)

    # Faults.

    def cut(self, a: str, b: str) -> None:
        """Reset a link."""
        link = self.nodes[a].links.get(b)
        if link is not None:
            self.close(link, a)

    def part(self, a: str, b: str) -> None:
        """Let two nodes never have a link again: what is between them forbids it."""
        self.count("pair apart")
        self.cut(a, b)
        self.apart.add(frozenset((a, b)))

    def strand(self, node: SimNode) -> None:
        """Cut a node off with what it is about to send; the others will vote."""
        node.stranded = False
        self.count("stranded host")
        for other in self.nodes.values():
            if other is not node:
                self.hole(node.name, other.name, 30.0)
                self.hole(other.name, node.name, 30.0)
                for delay in (SILENCE + 1, SILENCE + 3, SILENCE + 6):
                    self.later(delay, lambda one=other: self.vote(one))

    def vote(self, node: SimNode) -> None:
        """Let a node's player vote for another host."""
        self.run(node, "vote", lambda: node.ask(Tool("vote", ())) and None)

    def hole(self, a: str, b: str, seconds: float) -> None:
        """Let nothing arrive from `a` at `b` for a while."""
        self.holes[a, b] = max(self.holes.get((a, b), 0.0), self.now + seconds)
        link = self.nodes[a].links.get(b)
        if link is not None and seconds > SILENCE:
            self.later(SILENCE, self._closer(link, b))
