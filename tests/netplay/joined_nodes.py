"""Nodes joined in memory, without sockets, for tests of tables and matches."""

import hashlib
from collections import deque
from itertools import islice
from random import Random
from typing import Any

from netplay.errors import Code, NetplayError, PeerError
from netplay.match.match import Match
from netplay.messages.door import (
    Answer,
    Done,
    Failed,
    Hint,
    HostTable,
    Line,
    LookAt,
    Notice,
    Question,
    Request,
    StartMatch,
    TableStatus,
    View,
)
from netplay.messages.letters import LetterReceipt
from netplay.messages.log import Refused
from netplay.messages.table import Decline, Fairness
from netplay.messages.table_questions import GameStatus, StandIn
from netplay.peering.peers import KnownPeers
from netplay.said import Said
from netplay.steady import Steady
from netplay.table.asked import Asked
from netplay.table.chat import ChatRoom
from netplay.table.forming import Forming
from netplay.table.guest import Guest
from netplay.table.host_terms import HostTerms
from netplay.table.hosting import Hosting
from netplay.table.letters import Written
from netplay.table.resources import Kept, Kind, Shelf
from netplay.table.shared import Means
from netplay.table.state import State
from netplay.table.tables import Tables
from netplay.wanted import Thought
from netplay.wire import Frame, decode, encode, pack
from rules import GAMES
from tests.netplay.memory_archive import MemoryArchive
from tests.netplay.party import Dice, Key
from tests.netplay.second_reader import Reader

SMALL = (("size", "8"), ("values", "off"), ("start", "othello"))

GAMES_AT_ONCE = ("networdz", "numlo", "hexagrams")


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
    def match(self) -> Match:
        """The match on the table."""
        match = self.table.match
        assert match is not None
        return match

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
        self.reader: Reader | None = Reader()
        """Looks at what players are told whenever nothing is left to do."""

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
                    node.tables.unreachable(dial, Said(f"({dial.address})"), self.now)

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
                break
        else:
            raise AssertionError("the nodes never stop talking")
        if self.reader is not None:
            self.reader.look(self.nodes, self.links, self.now)

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
                self.at_random(node, thought, rng)
                return True
        return False

    def at_random(self, node: Node, thought: Thought, rng: Random) -> None:
        """Let a computer player move at random."""
        moves = islice(GAMES[thought.game].moves(thought.view, thought.seat), 30)
        node.tables.thought(thought, rng.choice(list(moves)), self.now)

    def play_out(self, rng: Random, most: int = 3000) -> None:
        """Let computer players play until nobody has a turn."""
        self.settle()
        for _ in range(most):
            if not self.think(rng):
                return
            self.settle()
        raise AssertionError("the match does not end")

    # What players do and see.

    def failed(self, name: str, question: Question, on: int = 0) -> Code:
        """Ask for what is refused, with a reason; return the code."""
        answer = self.ask(name, question, on=on)
        assert isinstance(answer, Failed), answer
        assert answer.reason
        return next(code for code in Code if code.number == answer.code)

    def status(self, name: str) -> TableStatus:
        found = self[name].tables.table_status(self.now)
        assert found is not None
        return found

    def games(self, name: str) -> dict[str, GameStatus]:
        """Return the tables of a node, by their games."""
        found = self[name].tables.games(self.now)
        assert len({one.game for one in found}) == len(found)
        return {one.game: one for one in found}

    def status_of(self, name: str, game: str) -> TableStatus:
        """Return a table of a node as the window sees it that looks at it."""
        tables, number = self[name].tables, self.games(name)[game].table
        tables.window_up(77)
        tables.ask(77, Request(0, LookAt(number)), self.now)
        found = tables.table_status(self.now, 77)
        tables.window_down(77)
        assert found is not None
        assert found.number == number
        return found

    def raws(self, name: str, game: str) -> tuple[bytes, ...]:
        """Return the log of a match at a node."""
        place = self[name].tables.places.of_match(self.games(name)[game].match)
        assert place is not None
        assert place.table.match is not None
        return place.table.match.ledger.raws(0)

    def start(self, *guests: str, game: str = "numlo", computers: bool = True) -> None:
        """Let ann host a match, everybody played by a computer if wished."""
        for guest in guests:
            self.done(guest, Answer(on=True))
            if computers:
                self.done(guest, StandIn(40))
        seats = ("computer:40", *(f"remote:{guest}" for guest in guests))
        options = SMALL[: 3 if len(guests) < 2 else 2] if game == "numlo" else ()
        self.done("ann", table(game, *seats, options=options))
        self.settle()
        self.done("ann", StartMatch())
        self.settle()

    def begin_several(
        self, host: str, guest: str, *named: str, computers: bool = True
    ) -> None:
        """Let two begin matches of several games."""
        self.done(guest, Answer(on=True))
        kind = "computer:40" if computers else "person"
        for name in (host, guest) if computers else ():
            self.done(name, StandIn(40))
        for game in named:
            options = SMALL if game == "numlo" else ()
            self.done(host, table(game, kind, f"remote:{guest}", options=options))
            self.settle()
            self.done(host, StartMatch(), on=self.games(host)[game].table)
            self.settle()

    def moves(self, rng: Random, count: int) -> None:
        """Let computers move, whose turn it is at any table."""
        for _ in range(count):
            wanted = [
                (node, thought)
                for node in self.nodes.values()
                for thought in node.tables.wants().thoughts
            ]
            if not wanted:
                return
            self.at_random(*rng.choice(wanted), rng)
            self.settle()

    def close(self) -> None:
        for node in self.nodes.values():
            node.tables.close()


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


def receipt_of(written: Written) -> LetterReceipt:
    """Return what somebody who keeps a letter says of it; the shell checks such."""
    digest = hashlib.sha256(written.parts[-1]).digest()
    place = bytes(32), bytes(32), written.to, written.box, written.about, digest
    return LetterReceipt(*place, 1, 1, 2, bytes(64))
