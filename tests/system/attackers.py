"""Five hundred who mean no good, each in its own way, and again when thrown out."""

import ssl
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import trio

from netplay.home import Home
from netplay.messages.link import Ping
from netplay.messages.table import Want
from netplay.peering.identity import Identity, first_words, open_identity
from netplay.peering.link import Link, Opened
from netplay.wire import encode
from rules.lexicon import shipped

AGAIN_SECONDS: Final = (5.0, 15.0)
"""Before somebody who was thrown out comes again."""

GONE: Final = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)


class Crowd:
    """The attackers of one port, from the address of everybody else here."""

    def __init__(self, folder: Path, port: int, count: int) -> None:
        self.port: Final = port
        self.count: Final = count
        self.came: Final[Counter[str]] = Counter()
        self.now: Final[Counter[str]] = Counter()
        self._rng: Final = Random(1)
        self._keys: Final = [_identity(folder / f"key {n}") for n in range(40)]
        self._ways: Final[
            tuple[Callable[[trio.SocketStream], Awaitable[None]], ...]
        ] = (
            self._nothing,
            self._half_a_word,
            self._slow_tls,
            self._half_a_frame,
            self._never_reads,
        )

    async def run(
        self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Attack for ever; report when everybody has come once."""
        async with trio.open_nursery() as nursery:
            for number in range(self.count):
                nursery.start_soon(self._attack, self._ways[number % len(self._ways)])
            while self.came.total() < self.count:  # noqa: ASYNC110 (nothing tells)
                await trio.sleep(0.05)
            task_status.started()

    async def _attack(
        self, way: Callable[[trio.SocketStream], Awaitable[None]]
    ) -> None:
        """Come in one way, again and again."""
        name = way.__name__.strip("_")
        while True:
            with suppress(*GONE, ssl.SSLError):
                stream = await trio.open_tcp_stream("127.0.0.1", self.port)
                self.came[name] += 1
                self.now[name] += 1
                try:
                    await way(stream)
                finally:
                    self.now[name] -= 1
                    with trio.CancelScope(shield=True):
                        await trio.aclose_forcefully(stream)
            await trio.sleep(self._rng.uniform(*AGAIN_SECONDS))

    async def _nothing(self, stream: trio.SocketStream) -> None:
        """Say nothing."""
        await stream.receive_some(1)

    async def _half_a_word(self, stream: trio.SocketStream) -> None:
        """Drip the first word of TLS."""
        word = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500)
        for at in range(len(word)):
            await stream.send_all(word[at : at + 1])
            await trio.sleep(0.3)

    async def _slow_tls(self, stream: trio.SocketStream) -> None:
        """Say a whole first word, let the node work, and never finish."""
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = self._key().client.wrap_bio(incoming, outgoing)
        with suppress(ssl.SSLWantReadError):
            tls.do_handshake()
        await stream.send_all(outgoing.read())
        while await stream.receive_some(65536):
            pass

    async def _half_a_frame(self, stream: trio.SocketStream) -> None:
        """Prove a key, and begin a Hello that never ends."""
        tls = await self._secured(stream)
        hello = encode(first_words("x", 0, self._rng.randbytes(32)))
        for at in range(len(hello) // 2):
            await tls.send_all(hello[at : at + 1])
            await trio.sleep(0.3)
        await trio.sleep_forever()

    async def _never_reads(self, stream: trio.SocketStream) -> None:
        """Open a link, ask for much, and read nothing of it."""
        tls = await self._secured(stream)
        link = Link(first_words("x", 0, self._rng.randbytes(32)), _anybody, 0.0)
        opened = False
        while not opened:
            await tls.send_all(link.take_bytes() or encode(Ping(1)))
            opened = any(
                isinstance(event, Opened)
                for event in link.receive(bytes(await tls.receive_some(65536)), 0.0)
            )
        digest = bytes.fromhex(shipped()["english"])
        for number in range(1, 10_000):
            await tls.send_all(
                encode(Ping(number)) + encode(Want(bytes(32), digest, 0))
            )
            await trio.sleep(0.05)

    async def _secured(
        self, stream: trio.SocketStream
    ) -> "trio.SSLStream[trio.SocketStream]":
        tls = trio.SSLStream(stream, self._key().client)
        await tls.do_handshake()
        return tls

    def _key(self) -> Identity:
        return self._rng.choice(self._keys)


def _identity(folder: Path) -> Identity:
    home = Home(folder)
    home.prepare()
    return open_identity(home)


def _anybody(_hello: object) -> None:
    """Judge everybody welcome."""
