"""A network in memory, and tables that only take notes: nodes without sockets."""
# ruff: noqa: ARG002 (fakes take what the real ones take)

import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from math import inf
from pathlib import Path
from typing import Any

import trio
import trio.testing

from netplay.daemon.carrying import Carrying
from netplay.daemon.door import Door
from netplay.daemon.node import Node
from netplay.daemon.parts import Parts, open_known
from netplay.daemon.presence import Presence
from netplay.errors import Code, LocalError, PeerError
from netplay.faults import Faults
from netplay.finding.appointments import Opens
from netplay.fingerprint import fingerprint
from netplay.home import Home
from netplay.journal import silent
from netplay.messages.door import Done, Failed, FromNode, Notice, Question, Request
from netplay.messages.node_questions import AddCarrier, Befriend, Carry, SetCarry
from netplay.messages.table import Ask
from netplay.messages.types import KEY_BYTES
from netplay.peering.address import Address
from netplay.peering.line import Line
from netplay.peering.links import Links
from netplay.peering.net import Handler, Incoming, Pause, Secured, at_once
from netplay.peering.pipe import Turn
from netplay.record import letter
from netplay.record.log import SecretKey
from netplay.record.store import Copy
from netplay.said import Said
from netplay.sentences import Says
from netplay.steady import Steady
from netplay.table.answers import Answerer
from netplay.table.match_files import Saved
from netplay.table.resources import Shelf
from netplay.table.shared import Means
from netplay.table.state import News, Wants
from netplay.table.tables import Tables
from netplay.wanted import Dial, Outgoing, PeerMessage, Thought
from tests.netplay.memory_archive import MemoryArchive

SEEDS = {SecretKey(seed).key: seed for seed in (bytes([n]) * 32 for n in range(8))}
SECRETS = [SecretKey(SEEDS[key]) for key in sorted(SEEDS)]
KEYS = [secret.key for secret in SECRETS]


class World:
    """Who listens where; cuts are made by hand."""

    def __init__(self) -> None:
        self.listening: dict[int, tuple[bytes, Handler, trio.Nursery]] = {}
        self.streams: list[tuple[trio.abc.Stream, trio.abc.Stream]] = []
        self.peers: dict[trio.abc.Stream, bytes] = {}
        self.dials = 0
        self.hung_up = 0
        """How often still somebody hangs up in the handshake."""

    def cut(self) -> None:
        """Cut every stream there is."""
        for pair in self.streams:
            for stream in pair:
                stream.send_stream.close()  # type: ignore[attr-defined]
        self.streams.clear()

    async def open(self) -> int:
        """Return how many streams neither end has closed."""
        # Who writes at this moment would find the stream busy, and take it for broken.
        await trio.testing.wait_all_tasks_blocked()
        count = 0
        for pair in self.streams:
            try:
                for stream in pair:
                    with suppress(trio.BusyResourceError):  # so it is open
                        await stream.send_all(b"")
            except (trio.ClosedResourceError, trio.BrokenResourceError):
                continue
            count += 1
        return count

    def freeze(self) -> None:
        """Lose everything that is sent from now on, silently."""
        for pair in self.streams:
            self._freeze(pair)

    def freeze_last(self) -> None:
        """Lose everything that is sent over the newest stream, silently."""
        self._freeze(self.streams[-1])

    def _freeze(self, pair: tuple[trio.abc.Stream, trio.abc.Stream]) -> None:
        for stream in pair:
            stream.send_stream.send_all_hook = None  # type: ignore[attr-defined]
            stream.send_stream.close_hook = None  # type: ignore[attr-defined]


class MemoryNet:
    """A `Net` in a world of memory."""

    def __init__(self, world: World, key: bytes, ip: str = "10.0.0.9") -> None:
        self.world = world
        self.key = key
        self.ip = ip

    async def listen(
        self,
        port: int,
        handler: Handler,
        *,
        task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        if port in self.world.listening:
            raise LocalError(Code.PORT_IN_USE, str(port))
        async with trio.open_nursery() as nursery:
            self.world.listening[port] = (self.key, handler, nursery)
            task_status.started(port)
            try:
                await trio.sleep_forever()
            finally:
                del self.world.listening[port]

    async def connect(self, address: Address) -> trio.abc.Stream:
        self.world.dials += 1
        await trio.lowlevel.checkpoint()
        if address.host == "nowhere":
            raise LocalError(Code.NO_ADDRESS, address.text())
        found = self.world.listening.get(address.port)
        if found is None:
            raise LocalError(Code.NO_ANSWER, address.text())
        key, handler, nursery = found
        ours, theirs = trio.testing.memory_stream_pair()
        self.world.streams.append((ours, theirs))
        self.world.peers[ours] = key
        self.world.peers[theirs] = self.key
        nursery.start_soon(handler, Incoming(theirs, self.ip))
        return ours

    meets = False
    udp = False

    async def connect_udp(self, address: Address) -> trio.abc.Stream:
        raise LocalError(Code.NO_ANSWER, address.text())

    def leads_to(self, address: Address) -> bool:
        return bool(address.host)

    async def seen(self, whom: Address, *, udp: bool = False) -> Address:
        raise LocalError(Code.NO_ANSWER, whom.text())

    async def meet(
        self, address: Address, pause: Pause, *, server_side: bool, seconds: float = inf
    ) -> Secured:
        raise LocalError(Code.NO_ANSWER, address.text())

    async def secure(
        self, stream: trio.abc.Stream, *, server_side: bool, turn: Turn = at_once
    ) -> Secured:
        await trio.lowlevel.checkpoint()
        if isinstance(stream, Line):
            return await self._proved(stream)
        await turn()
        if self.world.hung_up and not server_side:
            self.world.hung_up -= 1
            await trio.aclose_forcefully(stream)
            raise LocalError(Code.NO_ANSWER, "it hung up")
        return Secured(stream, self.world.peers[stream])

    async def _proved(self, line: Line) -> Secured:
        """Show each other's key over a line, and believe it."""
        key = b""
        with suppress(trio.BrokenResourceError):
            await line.send_all(self.key)
            while len(key) < KEY_BYTES:
                more = await line.receive_some(KEY_BYTES - len(key))
                if not more:
                    break
                key += more
        if len(key) < KEY_BYTES:
            raise LocalError(Code.NO_ANSWER, Says.HUNG_UP())
        return Secured(line, key)


class Notes(Tables):
    """Tables without a table that note what they are told and say what the test wants.

    What is not said here is as tables have it at which nobody sits.
    """

    def __init__(self) -> None:
        usual = Means(SECRETS[0], MemoryArchive(), Shelf(None), bytes, lambda: 1)
        super().__init__(usual, "")
        self.up: dict[bytes, tuple[str, str]] = {}
        self.heard: list[Any] = []
        self.history: list[str] = []
        self.dials: list[Dial] = []
        self.failed: list[tuple[Dial, str]] = []
        self.thoughts: list[Thought] = []
        self.to_come: list[Thought] = []
        self.moves: list[Any] = []
        self.members: set[bytes] = set()
        self.missed: set[bytes] = set()
        """Who is missed at once, though nobody dials beside a link to them."""
        self.windows: list[int] = []
        self.due: float | None = None
        self.hints: Thought | None = None
        self.woken: list[float] = []
        self.refuse: PeerError | None = None
        self.disk: LocalError | None = None
        self.opened_at: list[float] = []
        """When matches of before were opened."""
        self.changed = False
        self.moved = True
        """Whether news say that tables have moved; real ones seldom do."""
        self.closed = 0
        self.offered: tuple[str, int] | None = None

    def peer_up(
        self, key: bytes, name: str, address: str, now: float, *, friend: bool = True
    ) -> None:
        assert key not in self.up
        self.up[key] = (name, address)
        self.history.append("up")
        self.changed = True

    def peer_named(self, key: bytes, name: str) -> None:
        self.up[key] = (name, self.up[key][1])

    def peer_down(self, key: bytes, now: float) -> None:
        del self.up[key]
        self.history.append("down")
        self.changed = True

    def receive(self, key: bytes, message: PeerMessage, now: float) -> None:
        assert key in self.up
        if self.refuse is not None:
            raise self.refuse
        if self.disk is not None:
            raise self.disk
        self.heard.append(message)

    def fail(self, match: bytes, mistake: Exception) -> None:
        self.history.append("failed")
        self.thoughts.clear()

    def window_up(
        self, window: int, match: bytes | None = None, *, reads: bool = True
    ) -> None:
        self.windows.append(window)

    def window_down(self, window: int) -> None:
        self.windows.remove(window)

    @property
    def answers(self) -> Mapping[type[Any], Answerer]:
        return {}

    def ask(self, window: int, request: Request, now: float) -> Done | Failed:
        return Done(request.id, repr(request.ask))

    def ask_table(self, window: int, request: Request, now: float) -> Done | Failed:
        return self.ask(window, request, now)

    def saved(self, window: int, request: Request, path: str, now: float) -> Saved:
        return Saved((), (), Says.SAVED_AS(path=path))

    def load(
        self, window: int, path: str, now: float, found: Copy | None = None
    ) -> Said:
        return Says.WATCHING_KEPT()

    def hint(self, window: int, request: Request, seat: int) -> Thought:
        if self.hints is None:
            raise LocalError(Code.USAGE, "there are no hints at this table")
        return self.hints

    def wants(self) -> Wants:
        return Wants(self.due, self.thoughts)

    def seats_to_come(self) -> Sequence[Thought]:
        to_come, self.to_come = self.to_come, []
        return to_come

    def thought(self, thought: Thought, move: Any, now: float) -> None:
        self.thoughts.remove(thought)
        self.moves.append(move)

    def wake(self, now: float) -> None:
        self.due = None
        self.woken.append(now)

    def take_news(self) -> News:
        changed, self.changed = self.changed, False
        return News(changed, moved=self.moved, summons=[], wants=self.wants())

    def wants_dial(self) -> Sequence[Dial]:
        called = {address for _, address in self.up.values()}
        return [
            dial
            for dial in self.dials
            if (dial.key not in self.up if dial.key else dial.address not in called)
        ]

    def unreachable(self, dial: Dial, reason: Said, now: float) -> None:
        self.failed.append((dial, str(reason)))

    def offers(self) -> tuple[tuple[str, int], ...]:
        return () if self.offered is None else (self.offered,)

    def open_next(self, now: float) -> bool:
        self.opened_at.append(now)
        return super().open_next(now)

    def expects(self, key: bytes) -> bool:
        return key in self.members

    def misses(self, key: bytes) -> bool:
        return key in self.members | self.missed

    def players(self) -> dict[bytes, str]:
        return {key: name for key, (name, _address) in self.up.items()}

    def block(self, key: bytes) -> None:
        self.history.append("block")
        self.changed = True

    def trusts(self, key: bytes) -> bool:
        return key in self.members

    def close(self) -> None:
        self.closed += 1


class Echo:
    """A thinker that takes a second and answers with the seat's number."""

    def __init__(self) -> None:
        self.cancelled = 0
        self.prepared: list[Thought] = []

    async def prepare(self, thought: Thought) -> None:
        self.prepared.append(thought)

    async def think(self, thought: Thought) -> Any:
        try:
            await trio.sleep(1.0)
        except trio.Cancelled:
            self.cancelled += 1
            raise
        return thought.seat


class Player:
    """A node in memory, with its tables."""

    dht: Opens | None = None
    """Joins a DHT, if there is any."""
    inside: str = "10.0.0.1"
    """The address that the computer has."""
    places: Sequence[str] = ()
    address_news: socket.socket | None = None
    """What tells that they have changed."""
    """Others that it has instead."""
    on_letter: Mapping[str, Sequence[str]] = {}
    """Commands for those whose letters it keeps."""

    def __init__(self, world: World, number: int, path: Path, port: int = 0) -> None:
        self.port = port or 4770 + number
        self.signer = SECRETS[number]
        self.key = self.signer.key
        self.notes = Notes()
        self.thinker = Echo()
        self.net = MemoryNet(world, self.key, ip=f"10.0.0.{number}")
        self.home = Home(path / str(number))
        self.home.prepare()
        self.home.set("name", f"player {number}")
        self.noise = number
        self.faults = Faults()
        self.unix = 0
        self.steady: Steady | None = None
        """The time of day that is its own, where its clock is put forward or back."""
        self.known = open_known(self.home)
        self.node = self.restarted()

    @property
    def links(self) -> Links:
        """The links of the node: what it says by them need not be what it ought to."""
        return self.node.links

    @property
    def presence(self) -> Presence:
        """How the node is found."""
        return self.node.rpc.presence

    @property
    def carrying(self) -> Carrying:
        """What the node does for its friends."""
        return self.presence.carrying

    @property
    def door(self) -> Door:
        """The door of the running node."""
        door = self.node._door
        assert door is not None
        return door

    @property
    def line(self) -> str:
        """What others call it by."""
        return f"netplay:{self.inside}:{self.port}#{fingerprint(self.key)}"

    def ask(self, question: Question, on: int = 0) -> Done | Failed:
        """Ask the node what it answers at once, of a table if that is not plain."""
        answers: list[Done | Failed] = []
        self.node.answer(1, Request(1, question, on), answers.append)
        (answer,) = answers
        return answer

    def does(self, question: Question, on: int = 0) -> None:
        answer = self.ask(question, on)
        assert isinstance(answer, Done), answer

    def lines(self) -> list[Notice]:
        """Return the lines that windows are shown from now on."""
        heard: list[Notice] = []

        def push(message: FromNode, number: int | None = None) -> None:
            if isinstance(message, Notice):
                heard.append(message)

        self.door.push = push  # type: ignore[method-assign]
        return heard

    def restarted(self) -> Node:
        """Make a node of this home and these tables."""
        self.known = open_known(self.home)
        self.node = Node(self.parts())
        return self.node

    def parts(self) -> Parts:
        """Return what the node is made of."""
        return Parts(
            home=self.home,
            key=self.key,
            tables=self.core(),
            net=self.net,
            thinker=self.thinker,
            prepare=self.thinker.prepare,
            entropy=self.entropy,
            journal=self.journal,
            addresses=lambda: tuple(self.places) or (self.inside,),
            address_news=lambda: self.address_news,
            saved=lambda: (),
            sign=self.signer.sign,
            pair=self.pair,
            appointed=self.appointed,
            dht=self.dht,
            unix=lambda: self.unix,
            steady=self.steady,
            known=self.known,
            on_letter=self.on_letter,
            faults=self.faults,
        )

    def journal(self, event: str, **fields: object) -> None:
        """Take an event of the node."""
        silent(event, **fields)

    def pair(self, other: bytes) -> bytes:
        """Return what this node and another alone can call the two."""
        return letter.pair(SEEDS[self.key], self.key, other)

    def appointed(self, other: bytes) -> bytes:
        """Return from what only this node and another know where they meet."""
        return letter.appointed(SEEDS[self.key], self.key, other)

    def core(self) -> Tables:
        """Return the tables of a node that starts."""
        return self.notes

    def entropy(self, size: int) -> bytes:
        """Different bytes each time, the same in each run."""
        self.noise = (self.noise + 8) % 65536
        return self.noise.to_bytes(2, "big") * (size // 2)

    def wants(self, other: "Player", *, by_key: bool = False) -> Dial:
        """Let the tables want a link."""
        key = other.key if by_key else None
        dial = Dial(f"10.0.0.1:{other.port}", key)
        self.notes.dials.append(dial)
        self.node.settled()
        return dial

    def says(self, *others: "Player", seat: int = 0) -> None:
        """Let the tables send something."""
        keys = tuple(other.key for other in others)
        self.notes.shared.put([Outgoing(keys, Ask(b"", seat))])
        self.node.settled()


@asynccontextmanager
async def running(*players: Player) -> AsyncIterator[trio.Nursery]:
    """Run nodes for as long as the context lasts."""
    async with trio.open_nursery() as nursery:
        for player in players:
            await nursery.start(player.node.run, player.port)
        yield nursery
        nursery.cancel_scope.cancel()


async def acquainted(carla: Player, *friends: Player, carry: Carry = "known") -> None:
    """Have Carla carry for friends who have chosen that; all are awake."""
    carla.does(SetCarry(carry))
    for friend in friends:
        friend.does(AddCarrier(carla.line))
        await trio.sleep(1.0)
        if carry != "off":
            carla.does(Befriend(fingerprint(friend.key)))
    await trio.sleep(1.0)


@asynccontextmanager
async def met(caller: Player, called: Player) -> AsyncIterator[None]:
    """Run two nodes, of which one has called the other a second ago."""
    async with running(caller, called):
        caller.wants(called)
        await trio.sleep(1)
        yield
