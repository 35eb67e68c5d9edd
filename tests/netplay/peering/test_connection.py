import gc
import socket

import trio
import trio.testing

from netplay.errors import Code
from netplay.messages.link import Welcome
from netplay.messages.log import Entries
from netplay.messages.table import Heard
from netplay.peering.connection import Connection, Way
from netplay.peering.link import Opened, Seldom
from netplay.wanted import PeerMessage
from netplay.wire import encode
from tests.netplay.pair import anybody, hello


class Deaf:
    """Keeps a connection, and heeds nothing of it."""

    def happened(self, connection: Connection, event: Seldom) -> None:
        """Heed nothing."""

    def hang_up(self, connection: Connection, code: Code | None, why: str) -> None:
        """Do nothing."""

    def trust(self, connection: Connection) -> None:
        """Trust nobody."""

    def set_due(self) -> None:
        """Wake nobody."""

    def got(self, key: bytes, message: PeerMessage, now: float) -> None:
        """Heed nothing."""

    def settled(self) -> None:
        """Do nothing."""


class Eager(Deaf):
    """Takes what comes, and counts what came before it could act on it."""

    def __init__(self, answer: bytes = b"") -> None:
        self.answer = answer
        self.connection: Connection | None = None
        self.came = self.waiting = self.most = 0

    def happened(self, connection: Connection, event: Seldom) -> None:
        connection.in_use = isinstance(event, Opened)
        self.connection = connection

    def got(self, key: bytes, message: PeerMessage, now: float) -> None:
        del key, message, now
        assert self.connection is not None
        self.came += 1
        self.waiting += 1
        self.most = max(self.most, self.waiting)

    def settled(self) -> None:
        for _ in range(self.waiting):
            assert self.connection is not None
            if self.answer:
                self.connection.send(self.answer)
        self.waiting = 0


async def poured(taker: Eager, times: int) -> None:
    """Let somebody say one thing many times in one go."""
    ours, theirs = trio.testing.memory_stream_pair()
    connection = Connection(ours, b"k" * 32, "", Way.DIALLED)
    connection.begin(hello(1), anybody, 0.0, taker, taker)
    asks = encode(Heard(b"t" * 32, (), asks=True)) * times
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.carry)
        await theirs.send_all(encode(hello(2)) + encode(Welcome(1, ())) + asks)
        await trio.testing.wait_all_tasks_blocked()
        connection.drop()


async def test_questions_that_come_at_once_are_answered_in_between() -> None:
    taker = Eager()
    await poured(taker, 300)
    assert taker.came == 300
    assert taker.most <= 100


async def test_of_who_was_cut_off_nothing_more_is_taken_or_answered() -> None:
    """Its answers are more than may wait, and nobody reads them."""
    taker = Eager(encode(Entries(b"m" * 32, (bytes(50_000),))))
    await poured(taker, 300)
    assert taker.came < 250


async def test_nothing_may_be_said_before_a_link_is_open() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    connection, deaf = Connection(ours, b"k" * 32, "", Way.DIALLED), Deaf()
    said = encode(Entries(b"m" * 32, ()))
    connection.send(said)
    connection.begin(hello(1), anybody, 0.0, deaf, deaf)
    connection.send(said)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.carry)
        assert await theirs.receive_some(10_000) == encode(hello(1))
        await theirs.aclose()


async def test_a_link_that_never_begins_closes_no_socket_but_its_own() -> None:
    """A node that ends takes nobody: what comes then is closed before it begins.

    The number of its socket is another's by the time the collector looks.
    """
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listener.socket.getsockname()[1]
    far = await trio.open_tcp_stream("127.0.0.1", port)
    near = await listener.accept()
    async with listener, far:
        connection = Connection(near, b"k" * 32, "127.0.0.1", Way.CAME)
        number = near.socket.fileno()
        await trio.aclose_forcefully(near)
        ours, theirs = socket.socketpair()
        with ours, theirs:
            assert number in {ours.fileno(), theirs.fileno()}
            del connection
            gc.collect()
            ours.sendall(b"here")
            assert theirs.recv(4) == b"here"
