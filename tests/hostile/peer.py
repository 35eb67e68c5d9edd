"""Somebody with a key of its own who speaks the wire and says whatever it likes.

Nothing of a node decides anything here: a frame is said because a test says it.  Only
what keeps a link alive (the handshake, Pong) happens by itself, and may be changed.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import trio

from netplay.errors import PeerError
from netplay.home import Home
from netplay.limits import FRAME_BYTES, READ_BYTES
from netplay.messages.link import Bye, Hello, Ping, Pong, Welcome
from netplay.peering.identity import (
    ALPN,
    Identity,
    certified_key,
    first_words,
    open_identity,
)
from netplay.peering.link import FEATURES
from netplay.record.log import Signer
from netplay.wire import FrameReader, PeerMessage, decode, encode

M = TypeVar("M")

BROKEN: Final = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)
NONCES: Final = iter(range(1, 1 << 62))


class GoneError(Exception):
    """The link has ended; the words say how."""


class Line:
    """An open link to a node."""

    def __init__(self, stream: "trio.SSLStream[trio.SocketStream]", key: bytes) -> None:
        self.stream: Final = stream
        self.key: Final = key
        """The node's."""
        self.heard: list[PeerMessage] = []
        """Everything that has come and was not waited for yet."""
        self.bytes = 0
        """That have come, frames' headers apart."""
        self.gone = False
        self.bye: Bye | None = None
        self.answers = True
        """Pings are answered."""
        self.on: Callable[[PeerMessage], PeerMessage | None] | None = None
        """Says what to answer to what comes, as soon as it comes."""
        self._reader: Final = FrameReader()
        self._sending: Final = trio.Lock()
        self._news = trio.Event()

    async def say(self, *messages: PeerMessage) -> None:
        """Say something; raise GoneError if nobody hears it."""
        await self.raw(b"".join(encode(message) for message in messages))

    async def raw(self, data: bytes) -> None:
        """Send bytes of any kind."""
        try:
            async with self._sending:
                await self.stream.send_all(data)
        except BROKEN:
            raise GoneError(self.why) from None

    @property
    def why(self) -> str:
        """How the link ended."""
        return "a cut" if self.bye is None else f"{self.bye.code} {self.bye.reason}"

    async def until(
        self, kind: type[M], holds: Callable[[M], bool] = lambda _: True
    ) -> M:
        """Return, and take out, the first message of a kind; wait for it."""
        while True:
            for at, message in enumerate(self.heard):
                if isinstance(message, kind) and holds(message):
                    del self.heard[at]
                    return message
            if self.gone:
                raise GoneError(self.why)
            await self._news.wait()

    async def ended(self) -> None:
        """Wait until the node has hung up."""
        while not self.gone:
            await self._news.wait()

    async def greet(self, hello: Hello) -> None:
        """Open the link."""
        await self.say(hello)
        theirs = await self._next(Hello)
        common = tuple(sorted(set(theirs.features) & set(hello.features)))
        await self.say(Welcome(1, common))
        await self._next(Welcome)
        self._reader.limit = FRAME_BYTES

    async def _next(self, kind: type[M]) -> M:
        """Read one message of the handshake."""
        while (frame := self._reader.next()) is None:
            self._reader.feed(await self._some())
        message = decode(frame)
        if isinstance(message, Bye):
            self.bye = message
        if not isinstance(message, kind):
            raise GoneError(self.why)
        return message

    async def _some(self) -> bytes:
        try:
            data = bytes(await self.stream.receive_some(READ_BYTES))
        except BROKEN:
            data = b""
        if not data:
            raise GoneError(self.why)
        return data

    async def read(self) -> None:
        """Hear whatever comes, until the node hangs up."""
        try:
            while True:
                while (frame := self._reader.next()) is not None:
                    self.bytes += len(frame.payload)
                    await self._take(decode(frame))
                self._wake()
                self._reader.feed(await self._some())
        except (GoneError, PeerError):
            pass
        finally:
            self.gone = True
            self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, trio.Event()
        news.set()

    async def _take(self, message: PeerMessage | None) -> None:
        match message:
            case None | Pong():
                pass
            case Ping() if self.answers:
                await self.say(Pong(message.number))
            case Bye():
                self.bye = message
            case _:
                answer = None if self.on is None else self.on(message)
                if answer is None:
                    self.heard.append(message)
                else:
                    await self.say(answer)


class Peer:
    """A key, a name, and links to nodes."""

    def __init__(
        self, folder: Path, name: str = "Mallory", features: tuple[str, ...] = FEATURES
    ) -> None:
        home = Home(folder)
        home.prepare()
        self.identity: Final[Identity] = open_identity(home)
        self.name: Final = name
        self.features = features
        self.port = 0
        """Where it listens, or says that it does."""
        self.came = 0
        """Connections to where it listens."""

    @property
    def key(self) -> bytes:
        return self.identity.key

    @property
    def signer(self) -> Signer:
        return self.identity

    def hello(self) -> Hello:
        """Return what it says first, as a node that was started just now."""
        words = first_words(self.name, self.port, next(NONCES).to_bytes(32, "big"))
        return Hello(
            words.versions,
            self.features,
            words.name,
            words.program,
            words.port,
            words.nonce,
        )

    @asynccontextmanager
    async def call(self, port: int, host: str = "127.0.0.1") -> AsyncGenerator[Line]:
        """Keep a link to a node for as long as the context lasts."""
        tcp = await trio.open_tcp_stream(host, port)
        stream = trio.SSLStream(tcp, self.identity.client)
        async with self._line(stream) as line:
            yield line

    @asynccontextmanager
    async def _line(
        self, stream: "trio.SSLStream[trio.SocketStream]"
    ) -> AsyncGenerator[Line]:
        try:
            await stream.do_handshake()
            line = Line(stream, peer_key(stream))
            await line.greet(self.hello())
            gone: GoneError | None = None
            async with trio.open_nursery() as nursery:
                nursery.start_soon(line.read)
                try:
                    yield line
                except GoneError as error:  # which a group would hide
                    gone = error
                finally:
                    nursery.cancel_scope.cancel()
            if gone is not None:
                raise gone
        finally:
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(stream)

    async def listen(
        self,
        met: Callable[[Line], Any],
        *,
        task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Wait for nodes to dial; hand each link on to `met`, which is awaited."""

        async def serve(tcp: trio.SocketStream) -> None:
            self.came += 1
            stream = trio.SSLStream(tcp, self.identity.server, server_side=True)
            try:
                async with self._line(stream) as line:
                    await met(line)
            except (GoneError, *BROKEN):
                pass

        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        self.port = listeners[0].socket.getsockname()[1]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, serve, listeners)
            task_status.started(self.port)


def peer_key(stream: "trio.SSLStream[trio.SocketStream]") -> bytes:
    """Return the key of the node at the other end."""
    assert stream.selected_alpn_protocol() == ALPN
    certificate = stream.getpeercert(binary_form=True)
    assert certificate is not None
    return certified_key(certificate)
