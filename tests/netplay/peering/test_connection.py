import gc
import socket

import trio
import trio.testing

from netplay.errors import Code
from netplay.messages.log import Entries
from netplay.peering.connection import Connection, Way
from netplay.peering.link import Seldom
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
