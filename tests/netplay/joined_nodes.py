"""Nodes joined in memory, without sockets, for tests of tables and matches."""

from collections import deque
from itertools import islice
from random import Random
from typing import Any

from netplay.errors import NetplayError, PeerError
from netplay.match.match import Match
from netplay.messages.door import (
    Done,
    Failed,
    Hint,
    HostTable,
    Line,
    Notice,
    Question,
    Request,
    View,
)
from netplay.messages.log import Refused
from netplay.messages.table import Decline, Fairness
from netplay.peering.peers import KnownPeers
from netplay.said import Said
from netplay.steady import Steady
from netplay.table.asked import Asked
from netplay.table.chat import ChatRoom
from netplay.table.forming import Forming
from netplay.table.guest import Guest
from netplay.table.host_terms import HostTerms
from netplay.table.hosting import Hosting
from netplay.table.resources import Kept, Kind, Shelf
from netplay.table.shared import Means
from netplay.table.state import State
from netplay.table.tables import Tables
from netplay.wanted import Thought
from netplay.wire import Frame, decode, encode, pack
from rules import GAMES
from tests.netplay.memory_archive import MemoryArchive
from tests.netplay.party import Dice, Key


class Bare(Shelf):
    """A shelf that has only what was fetched, whatever this process has."""

    def __init__(self) -> None:
        super().__init__(None)
        self.kept: set[bytes] = set()

    def has(self, kind: Kind, digest: bytes) -> bool:
        del kind
        return digest in self.kept

    def take_in(self, kind: Kind, digest: bytes, data: bytes, kept: Kept) -> None:
        def told(fault: NetplayError | None) -> None:
            if fault is None:
                self.kept.add(digest)
            kept(fault)

        super().take_in(kind, digest, data, told)


class Node:
    """A node's tables with what a daemon would give them."""

    def __init__(self, name: str, archive: MemoryArchive | None = None) -> None:
        self.name = name
        self.signer = Key(name)
        self.key = self.signer.key
        self.archive = MemoryArchive() if archive is None else archive
        self.shelf = Shelf(None)
        self.known = KnownPeers(None)
        self.kept_asked = Asked()
        self.unix = 1
        self.dice = Dice(name)
        """Goes on after a start: what was drawn before is not drawn again."""
        self.steady: Steady | None = None
        """The time of day that is its own, where it has a computer of its own."""
        self.tables = Tables(self.means(), name)
        self.pushes: list[Any] = []
        self.got: list[Any] = []
        """Every message that came from a peer."""
        self.came: list[tuple[str, type]] = []
        """From whom each came, and of what kind it was."""
        self.errors: list[PeerError] = []
        self.asked = 0

    def means(self) -> Means:
        key = self.signer
        return Means(
            key, self.archive, self.shelf, self.dice, lambda: self.unix, key.unseal,
            self.known, asked=self.kept_asked, steady=self.steady,
        )  # fmt: skip

    def restart(self, now: float) -> None:
        """Come back after a crash: only what was synced is there."""
        for disk in self.archive.disks.values():
            del disk.data[disk.synced :]
        self.tables = Tables(self.means(), self.name)
        self.tables.reopen(now)

    @property
    def table(self) -> State:
        """The table that goes on, or the latest; one with nothing on it for none."""
        place = self.tables.front()
        return State(self.tables.shared) if place is None else place.table

    def hint(self, seat: int) -> Thought:
        """Return the thought that finds a hint."""
        return self.tables.hint(1, Request(0, Hint(seat)), seat)

    @property
    def match(self) -> Match | None:
        """The match on the table."""
        return self.table.match

    @property
    def forming(self) -> Forming:
        """The table that is being formed here."""
        table = self.table
        assert isinstance(table, Hosting)
        return table.forming

    @property
    def seen(self) -> HostTerms:
        """The terms of the host at whose table this node is a guest."""
        table = self.table
        assert isinstance(table, Guest)
        return table.seen

    @property
    def chat(self) -> ChatRoom:
        """The chat of the table."""
        assert self.table.chat is not None
        return self.table.chat

    def lines(self, kind: str) -> list[str]:
        told = [push.message for push in self.pushes]
        if kind == "chat":
            return [line.text for line in told if isinstance(line, Line)]
        notices = [line for line in told if isinstance(line, Notice)]
        return [str(line.said) for line in notices if line.tone == kind]

    def views(self) -> list[View]:
        return [p.message for p in self.pushes if isinstance(p.message, View)]


class Net:
    """Nodes, and links between them that tests make and cut."""

    def __init__(self, *names: str) -> None:
        self.nodes = {name: Node(name) for name in names}
        self.now = 100.0
        self.links: set[frozenset[str]] = set()
        self.apart: set[frozenset[str]] = set()
        """Pairs between whom no link can be made."""
        self.wire: deque[tuple[str, str, Any]] = deque()

    def __getitem__(self, name: str) -> Node:
        return self.nodes[name]

    def name_of(self, key: bytes) -> str:
        names = (name for name, node in self.nodes.items() if node.key == key)
        return next(names, "nobody")

    def link(self, a: str, b: str) -> None:
        """Make a link that `a` dialled at the address that is b's name."""
        pair = frozenset((a, b))
        if pair in self.links | self.apart or a == b:
            return
        self.links.add(pair)
        self[a].tables.peer_up(self[b].key, b, b, self.now)
        self[b].tables.peer_up(self[a].key, a, f"{a}:1", self.now)

    def cut(self, a: str, b: str) -> None:
        pair = frozenset((a, b))
        if pair not in self.links:
            return
        self.links.remove(pair)
        self.wire = deque(m for m in self.wire if {m[0], m[1]} != {a, b})
        self[a].tables.peer_down(self[b].key, self.now)
        self[b].tables.peer_down(self[a].key, self.now)

    def part(self, a: str, b: str) -> None:
        """Cut a link, and let there be none before `apart` is cleared."""
        self.apart.add(frozenset((a, b)))
        self.cut(a, b)

    def isolate(self, name: str) -> None:
        for other in self.nodes:
            self.cut(name, other)

    def dial(self) -> None:
        """Make every link that a node wants; addresses are names."""
        for name, node in self.nodes.items():
            for dial in node.tables.wants_dial():
                to = dial.address.split(":")[0]
                if dial.key is not None:
                    to = self.name_of(dial.key)
                if to in self.nodes:
                    self.link(name, to)
                elif dial.key is None:
                    node.tables.unreachable(
                        dial, Said(f"nobody at {dial.address}"), self.now
                    )

    def ask(
        self, name: str, question: Question, window: int = 1, on: int = 0
    ) -> Done | Failed:
        """Ask for something, of a table with a number where that is not plain."""
        node = self[name]
        node.asked += 1
        answer = node.tables.ask(window, Request(node.asked, question, on), self.now)
        assert answer.id == node.asked
        return answer

    def done(self, name: str, question: Question, window: int = 1, on: int = 0) -> None:
        answer = self.ask(name, question, window, on)
        assert isinstance(answer, Done), answer

    def deliver(self) -> bool:
        for name, node in self.nodes.items():
            for out in node.tables.take_outgoing():
                data = encode(out.message)
                for key in out.keys:
                    if frozenset((name, self.name_of(key))) in self.links:
                        self.wire.append((name, self.name_of(key), data))
            node.pushes += node.tables.take_pushes()
        if not self.wire:
            return False
        a, b, data = self.wire.popleft()
        message: Any = decode(Frame(data[4], data[5:]))
        if isinstance(message, Decline | Refused):
            assert message.reason, message  # whoever is refused is told why
        node = self[b]
        node.got.append(message)
        node.came.append((a, type(message)))
        try:
            node.tables.receive(self[a].key, message, self.now)
        except PeerError as error:
            node.errors.append(error)
            self.cut(a, b)
        return True

    def settle(self, most: int = 200_000) -> None:
        """Dial and deliver until nothing is left to do."""
        for _ in range(most):
            self.dial()
            if not self.deliver() and not self.work():
                return
        raise AssertionError("the nodes never stop talking")

    def work(self) -> bool:
        """Do what a match wants done beside the loop; tell whether there was any."""
        for node in self.nodes.values():
            for job in node.tables.wants().jobs[:1]:
                node.tables.done(job.work(), self.now)
                return True
        return False

    def wake(self, seconds: float) -> None:
        self.now += seconds
        for node in self.nodes.values():
            node.tables.wake(self.now)
        self.settle()

    def think(self, rng: Random) -> bool:
        """Let one computer player move at random; return whether one could."""
        for node in self.nodes.values():
            for thought in node.tables.wants().thoughts:
                moves = GAMES[thought.game].moves(thought.view, thought.seat)
                some = list(islice(moves, 30))
                node.tables.thought(thought, rng.choice(some), self.now)
                return True
        return False

    def play_out(self, rng: Random, most: int = 3000) -> None:
        """Let computer players play until nobody has a turn."""
        self.settle()
        for _ in range(most):
            if not self.think(rng):
                return
            self.settle()
        raise AssertionError("the match does not end")

    def close(self) -> None:
        for node in self.nodes.values():
            node.tables.close(self.now)


def table(
    game: str,
    *seats: str,
    options: tuple[tuple[str, str], ...] = (),
    edition: str = "",
    words: str = "",
    fairness: Fairness = "committed",
) -> HostTable:
    """Return a table; nothing here does what an encrypted bag needs done."""
    return HostTable(game, seats, options, edition, words, fairness=fairness)


def encoded(move: Any) -> bytes:
    return pack(move)
