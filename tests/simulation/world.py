"""Nodes, links and time: a world in which everything happens because of a seed.

Events wait in a heap; the next one is taken, time jumps to it, the node concerned is
told, and what it wants to send, show, think and dial goes back into the heap.  Nothing
here reads a clock or a source of randomness but the world's own.
"""

import hashlib
import heapq
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.messages.door import Load
from netplay.messages.log import Carried, Entries
from netplay.messages.table import Fairness
from netplay.messages.table_questions import Vote
from netplay.wanted import Outgoing, Thought
from netplay.wire import Frame, decode, encode, pack
from rules import GAMES
from rules.game import CLOCK, Game
from tests.simulation.bags import Bags
from tests.simulation.book import Book, Page
from tests.simulation.checks import Checks
from tests.simulation.drive import CrashError, Drives
from tests.simulation.links import SILENCE, Link
from tests.simulation.node import SimNode
from tests.simulation.playback import play_back

SHORTEST: Final = 0.25
"""Seconds between two wakes at the least."""

TICK: Final = 0.5
"""Seconds between two attempts to dial."""

LONG_THOUGHT: Final = 75.0
"""Seconds, where turns are timed to a minute."""

EXCHANGES: Final = 0.3
"""How often a pass in an encrypted match puts tiles back, where it may."""

NAMES: Final = ("ann", "bob", "cyd", "dan")
SPARE: Final = "eve"
"""She has no seat: she looks on, is handed one, or means no good."""


class World:
    """Everything there is."""

    def __init__(self, seed: int, game: str, members: int, folder: Path) -> None:
        self.seed = seed
        self.name = game
        self.game = GAMES[game]
        self.folder = folder
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
        self.timed = False
        self.several = False
        """A node may be at more tables than one, and has a window for each."""
        self.fairness: Fairness = "committed"
        self.themes: tuple[str, ...] = ()
        self.stuck = ""
        """Why the match need not go on, if it need not."""
        self.played_back = False
        """Whoever carries says everything twice."""
        self.drives = Drives(folder)
        self.book = Book()
        self.checks = Checks(self)
        self.bags = Bags(self)
        names = (*NAMES[:members], SPARE)
        self.nodes = {name: SimNode(self, name) for name in names}
        self.members = [self.nodes[name] for name in names[:-1]]
        self.spare = self.nodes[SPARE]
        self.since: float | None = None
        """Since when nothing more seems to be expected."""
        self.calm = True
        """No faults yet, or no more."""

    def begin(self) -> None:
        """Let the members begin; the spare node comes when it is wanted."""
        for node in self.members:
            self.comes(node)

    def comes(self, node: SimNode) -> None:
        """Let a node begin for the first time."""
        node.start()
        self.later(self.rng.random() * TICK, self._ticker(node))

    def with_key(self, key: bytes) -> list[SimNode]:
        """Return the nodes that have a key: two, where a home was copied."""
        return [node for node in self.nodes.values() if node.key == key]

    def name_of(self, key: bytes) -> str:
        return next((node.name for node in self.with_key(key)), "somebody")

    def tally(self, fault: str) -> None:
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

    def run(self, node: SimNode, what: str, act: Callable[[], Any]) -> None:
        """Let something happen at a node, and what comes of it."""
        if not node.up:
            return
        if node.asleep > self.now:
            runs = node.runs
            self.later(
                node.asleep - self.now,
                lambda: self.run(node, what, act) if node.runs == runs else None,
            )
            return
        try:
            node.touch("before event")
            act()
            self._drain(node)
            self.checks.after(node)
        except CrashError:
            self.note("crash in", what, node.name)
            self.crash(node)
        except LocalError as error:
            if error.code is not Code.DISK or not node.drive.broken:
                self.checks.fail(f"{node.name}: {what}: {error!r}")
        except NetplayError as error:
            self.checks.fail(f"{node.name}: {what}: {error!r}")
        if _disk_is_news(node):
            node.told_of_disk = node.runs
            self._disk_failed(node)

    def _disk_failed(self, node: SimNode) -> None:
        """See that a node says so and plays on no more; its user starts it anew."""
        self.note("disk failed", node.name)
        self.tally("disk error")
        self.run(node, "disk", lambda: None)
        if not node.up:
            return
        self.checks.disk_failed(node)
        runs = node.runs
        self.later(
            5 + self.rng.random() * 20,
            lambda: self.crash(node) if node.up and node.runs == runs else None,
        )

    def _outgoing(self, node: SimNode) -> list[Outgoing]:
        """Return what is to be sent; a disk that fails one table stops no other."""
        while True:
            try:
                return node.node_tables.take_outgoing()
            except LocalError as error:  # that table was given up
                if error.code is not Code.DISK or not node.drive.broken:
                    raise

    def _drain(self, node: SimNode) -> None:
        """Take what the tables want sent, shown, thought and timed."""
        node.touch("before outgoing")
        outgoing = self._outgoing(node)
        node.touch("before delivery")
        if node.stranded and any(isinstance(o.message, Entries) for o in outgoing):
            self.strand(node)
        for out in outgoing:
            data = encode(out.message)
            for key in out.keys:
                self._say(node, key, out.message, data)
                node.touch("between deliveries")
        if self.several:
            node.look()
        self.checks.windows.pushed(node, node.node_tables.take_pushes())
        if self.several and node.look_everywhere():
            self.checks.windows.pushed(node, node.node_tables.take_pushes())
        if node.node_tables.take_news().changed or node.status is None:
            node.look()
        for thought in node.node_tables.wants().thoughts:
            self._think(node, thought)
        self.bags.work(node)
        self._time(node)

    def _say(self, node: SimNode, key: bytes, message: Any, data: bytes) -> None:
        """Send a message, once the checks have seen it, and what is in it."""
        self.checks.sent(node, key, message, data)
        if isinstance(message, Carried) and message.author == node.key:
            (to, *_) = self.with_key(message.to)
            text = to.signer.unseal(message.letter)
            self.tally("carried messages")
            if text in message.letter:
                self.checks.fail(f"{self.name_of(key)} can read what it carries")
            inner: Any = decode(Frame(text[0], text[1:]))
            self.checks.sent(node, message.to, inner, text)
        link = node.link_to(key)
        if link is not None:
            self.send(node, self.nodes[link.other(node.name)], data)

    def _time(self, node: SimNode) -> None:
        """Wake a node when it wants to be woken."""
        deadline = node.node_tables.wants().due
        if deadline is None:
            return
        wait = (deadline - node.now) / node.rate if node.rate else 1.0
        due = self.now + max(wait, SHORTEST)
        if due >= node.waking:
            return
        node_tables, node.waking = node.node_tables, due

        def wake() -> None:
            if node.up and node.node_tables is node_tables:
                node.waking = float("inf")
                self.run(node, "wake", lambda: node_tables.wake(node.now))

        self.later(node.waking - self.now, wake)

    def _think(self, node: SimNode, thought: Thought) -> None:
        """Let a computer player choose, in its own time."""
        mark = (thought.match, thought.seat, thought.number)
        if mark in node.thinking:
            return
        node.thinking.add(mark)
        node_tables = node.node_tables

        def chosen() -> None:
            if not node.up or node.node_tables is not node_tables:
                return
            node.thinking.discard(mark)
            move = self.choose(thought.view, thought.seat, GAMES[thought.game])
            self.note("move", node.name, thought.seat, thought.number)
            number = thought.number
            self.checks.moves.made(thought.match, thought.seat, pack(move), number)
            self.run(node, "move", lambda: node_tables.thought(thought, move, node.now))

        long = self.timed and self.rng.random() < 0.04
        self.later(LONG_THOUGHT if long else 0.02 + self.rng.random() ** 2, chosen)

    def choose(self, view: Any, seat: int, game: Game[Any, Any]) -> Any:
        """Return a cheap legal move."""
        moves = list(islice(game.moves(view, seat), 12))
        passes = [move for move in moves if type(move).__name__ == "Pass"]
        if self.fairness == "encrypted" and self.rng.random() < EXCHANGES:
            passes = [*self.bags.exchanges(view, seat, game), *passes]
        if passes and self.rng.random() < 0.4:
            return passes[0]
        return self.rng.choice(moves)

    def clock_moves(self, page: Page) -> list[Any]:
        """Return what the clock might do in a match, were it up."""
        state = self.book.fold(page).state
        return list(self.game.moves(state, CLOCK)) if self.timed else []

    def close_down(self, node: SimNode, seconds: float) -> None:
        """Let a user close a node for a while."""
        if not node.drive.broken:
            node.told_of_disk = node.runs  # there is nobody any more to be told
        self.run(node, "close", node.close)
        if node.up:
            self.tally("closed")
            self.crash(node, power=False, away=seconds)

    def crash(
        self, node: SimNode, *, power: bool | None = None, away: float | None = None
    ) -> None:
        """Let a node's power or process fail; it is there again after a while."""
        node.goes_down()
        power = self.rng.random() < 0.7 if power is None else power
        node.drive.ends()
        if power or node.drive.spoiled():
            torn = node.drive.power_fails()
            self.checks.moves.lost_power(node)
            self.tally("torn files" if torn else "clean losses")
        else:
            self.tally("killed")
        node.drive.mend()
        links, node.links = node.links, {}
        for link in links.values():
            link.open[node.name] = False
            quiet = power and self.rng.random() < 0.4
            delay = SILENCE if quiet else 0.001 + self.rng.random() * 0.3
            self.later(delay, self._closer(link, link.other(node.name)))
        self.note("crash", node.name)
        if not node.dead:
            wait = self._absence() if away is None else away
            self.later(wait, lambda: self.restart(node))

    def _absence(self) -> float:
        """Return for how many seconds somebody stays away."""
        if self.rng.random() >= 0.1 or self.calm:
            return self.rng.random() * 4
        self.tally("long absence")
        return 62 + self.rng.random() * 30

    def restart(self, node: SimNode) -> None:
        """Bring a node back; it may crash on its way up."""
        if node.up or node.dead:
            return
        self.note("restart", node.name)
        self.tally("restart")
        try:
            node.start()
        except CrashError:
            self.crash(node)
            return
        except LocalError as error:
            if not node.drive.broken:
                self.checks.fail(f"{node.name} does not begin: {error!r}")
            self.crash(node)
            return
        self.run(node, "restart", lambda: None)
        if node.up:
            for match in self.checks.came_back(node):
                self.later(1.0, partial(self._load, node, match))

    def _load(self, node: SimNode, match: bytes) -> None:
        """Let a player load a match that was left alone, until it is in hand."""
        if match in node.matches_in_hand():
            return
        self.later(1.0, partial(self._load, node, match))
        if node.up and node.asleep <= self.now:
            self.tally("left alone")
            self.run(node, "load", node.does(Load(node.path(match))))

    # Links.

    def _ticker(self, node: SimNode) -> Callable[[], None]:
        """Return what dials, again and again."""

        def tick() -> None:
            if node.up and node.asleep <= self.now:
                self._dial(node)
            if not node.dead:
                self.later(TICK * (0.75 + self.rng.random() / 2), tick)

        return tick

    def _dial(self, node: SimNode) -> None:
        for dial in node.node_tables.wants_dial():
            name = dial.address.split(":")[0]
            there = self.with_key(dial.key) if dial.key else [self.nodes[name]]
            to = self.rng.choice(there) if len(there) > 1 else there[0]
            if to.name not in node.links:
                runs = (node.runs, to.runs)
                delay = 2 * self.latency(node, to)
                self.later(delay, partial(self.meet, node, to, runs))
            elif dial.key is None:
                # The newer link is kept; what was under way on the older one is lost.
                self.meet(node, to, (node.runs, to.runs), again=True)

    def blocked(self, a: str, b: str) -> bool:
        hole = self.holes.get((a, b), 0.0) > self.now
        return hole or frozenset((a, b)) in self.apart

    def meet(
        self, a: SimNode, b: SimNode, runs: tuple[int, int], *, again: bool = False
    ) -> None:
        """Finish a handshake, if both are still there and hear each other."""
        both = a.up and b.up and runs == (a.runs, b.runs) and a.key != b.key
        awake = max(a.asleep, b.asleep) <= self.now
        deaf = self.blocked(a.name, b.name) or self.blocked(b.name, a.name)
        if not both or deaf or not awake or (b.name in a.links and not again):
            return
        link = Link(a.name, b.name)
        for node, peer in ((a, b), (b, a)):
            old = node.link_to(peer.key) or node.links.get(peer.name)
            if old is not None:
                self._replaced(node, old)
            node.links[peer.name] = link
        self.note("link", a.name, b.name)
        self.run(a, "up", lambda: a.node_tables.peer_up(b.key, b.name, b.name, a.now))
        at = f"{a.name}:1"
        self.run(b, "up", lambda: b.node_tables.peer_up(a.key, a.name, at, b.now))

    def _replaced(self, node: SimNode, old: Link) -> None:
        """Let a newer link take the place of one to the same key."""
        old.open[node.name] = False
        other = self.nodes[old.other(node.name)]
        node.links.pop(other.name, None)
        self.later(self.latency(node, other), self._closer(old, other.name))

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
            self.run(
                node, "down", lambda: node.node_tables.peer_down(other.key, node.now)
            )
        delay = self.latency(node, other)
        if self.blocked(name, other.name):
            delay = SILENCE
        self.later(delay, self._closer(link, other.name))

    def send(self, a: SimNode, b: SimNode, data: bytes, lie: str = "") -> None:
        """Put a message on its way."""
        link = a.links.get(b.name)
        if link is None:
            return
        held = max(self.now, self.holes.get((a.name, b.name), 0.0))
        at = max(held + self.latency(a, b), link.arrives[b.name] + 1e-6)
        link.arrives[b.name] = at
        link.queue[b.name].append((data, lie))
        self.later(at - self.now, lambda: self._arrive(link, a, b))

    def _arrive(self, link: Link, a: SimNode, b: SimNode) -> None:
        """Hand the oldest message of a stream on, as bytes."""
        if not link.open[b.name] or not b.up:
            return
        wait = self.holes.get((a.name, b.name), 0.0) - self.now
        if wait > 0:  # the hole opened while it was under way
            self.later(wait + 1e-6, lambda: self._arrive(link, a, b))
            return
        data, lie = link.queue[b.name].popleft()
        message: Any = decode(Frame(data[4], data[5:]))
        refused: set[Code] = set()
        self.note("got", a.name, b.name, hashlib.sha256(data).hexdigest())

        def take() -> None:
            if not link.open[b.name]:
                return  # it was asleep, and has lost the link meanwhile
            self.checks.got(a, b, message)
            try:
                b.node_tables.receive(a.key, message, b.now)
            except PeerError as error:
                refused.add(error.code)
                self.checks.broke(a, b, message, error, lie)
                self.later(0.0, self._closer(link, b.name))
            else:
                self.checks.took(a, b, lie)

        self.run(b, type(message).__name__, take)
        if isinstance(message, Carried) and message.to == b.key and self.played_back:
            play_back(self, a, b, message, refused)

    # Faults.

    def cut(self, a: str, b: str) -> None:
        """Reset a link."""
        link = self.nodes[a].links.get(b)
        if link is not None:
            self.close(link, a)

    def part(self, a: str, b: str) -> None:
        """Let two nodes never have a link again: what is between them forbids it."""
        self.tally("pair apart")
        self.cut(a, b)
        self.apart.add(frozenset((a, b)))

    def strand(self, node: SimNode) -> None:
        """Cut a node off with what it is about to send; the others will vote."""
        node.stranded = False
        self.tally("stranded host")
        for other in self.members:
            if other is not node:
                self.hole(node.name, other.name, 30.0)
                self.hole(other.name, node.name, 30.0)
                for delay in (SILENCE + 1, SILENCE + 3, SILENCE + 6):
                    self.later(delay, partial(self.vote, other))

    def vote(self, node: SimNode) -> None:
        """Let a node's player vote for another host."""
        self.run(node, "vote", node.does(Vote()))

    def hole(self, a: str, b: str, seconds: float) -> None:
        """Let nothing arrive from `a` at `b` for a while."""
        self.holes[a, b] = max(self.holes.get((a, b), 0.0), self.now + seconds)
        link = self.nodes[a].links.get(b)
        if link is not None and seconds > SILENCE:
            self.later(SILENCE, self._closer(link, b))

    def sleep(self, node: SimNode, seconds: float, *, stands: bool) -> None:
        """Let a computer sleep; its clock stands meanwhile, or has gone on after."""
        if not node.up:
            return
        self.tally("sleep")
        node.asleep = self.now + seconds
        if stands:
            rate = node.rate
            node.set_clock(0.0)
            self.later(seconds, lambda: node.set_clock(rate))
        for link in list(node.links.values()):
            if seconds > SILENCE:
                self.later(SILENCE, self._closer(link, link.other(node.name)))
                self.later(seconds, self._closer(link, node.name))


def _disk_is_news(node: SimNode) -> bool:
    """Tell whether a node runs on with a disk that has failed since its start."""
    return node.up and node.drive.broken and node.told_of_disk != node.runs
