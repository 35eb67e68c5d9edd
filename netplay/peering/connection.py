"""A link on a stream: carries bytes for it, decides nothing.

One task reads.  What is sent is written at once, or by a second task where the system
does not take it.  A write that was cancelled leaves TLS broken, so the stream is always
closed by force in the end.
"""

from collections.abc import Callable
from enum import Enum, auto
from math import inf
from typing import TypeAlias

import trio

from netplay.errors import Code
from netplay.limits import BYE_SECONDS, QUEUE_BYTES, QUEUE_FRAMES, STRANGER_QUEUE_BYTES
from netplay.messages.link import Hello
from netplay.messages.log import LogMessage
from netplay.messages.table import TableMessage
from netplay.peering.link import Closed, Event, Judge, Link, State
from netplay.peering.pipe import Pipe


class Way(Enum):
    """Who made a connection."""

    DIALLED = auto()
    CAME = auto()
    MET = auto()
    """Both sides, at the same time: it says nothing of who can be called."""


class Connection:
    """A peer's link and the stream that carries it."""

    def __init__(
        self, stream: trio.abc.Stream, key: bytes, address: str, way: Way
    ) -> None:
        """Take over a secured stream.

        Args:
            stream: Where the bytes go.
            key: Who is at the other end.
            address: What was dialled, or the IP it came from.
            way: Who dialled.
        """
        self.stream = stream
        self.key = key
        self.address = address
        self.way = way
        self.through = b""
        """The key of the node that carries it, if one does."""
        self.called = ""
        """The address that was dialled, as the table wrote it."""
        self.link: Link | None = None
        self.knock: trio.CancelScope | None = None
        """Its place at the gate, if it came in by that."""
        self.opened_at: float | None = None
        self.hello: Hello | None = None
        """Theirs, once the link is open."""
        self.features: frozenset[str] = frozenset()
        """In force on the link, once it is open."""
        self.ended: Closed | None = None
        """How the link ended."""
        self.remembered = False
        """A table needs it, and so it has been written down."""
        self.trusted = False
        """It may send as much as a member of our match needs to."""
        size = QUEUE_BYTES if way is not Way.CAME else STRANGER_QUEUE_BYTES
        self._pipe = Pipe(stream, QUEUE_FRAMES, size)
        self._scope = trio.CancelScope()
        self._reading = trio.CancelScope()

    def begin(self, hello: Hello, judge: Judge, began: float) -> None:
        """Make the link and say Hello.

        Args:
            hello: What we say.
            judge: What we ask about theirs.
            began: When the handshake began, TLS included.
        """
        self.link = Link(hello, judge, began)
        self.flush()

    async def run(self, heard: "Heard") -> None:
        """Carry the link, once begun, to its end.

        Args:
            heard: Told what has come, as it comes.
        """
        assert self.link is not None
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    # In a task of its own: it wakes at every message, through all
                    # that awaits it.
                    nursery.start_soon(self._read, heard)
                    await self._write()
        finally:
            self._pipe.detach()
            now = trio.current_time()
            heard(self, self.link.receive(b"", now), now)
            await trio.aclose_forcefully(self.stream)

    @property
    def quiet(self) -> bool:
        """Whether nothing has been heard for longer than pings take."""
        return self.link is not None and self.link.quiet

    def send(self, message: TableMessage | LogMessage | bytes) -> None:
        """Send on an open link; on any other the message is dropped."""
        if self.link is not None and self.link.state is State.OPEN:
            self.link.send(message)
            self.flush()

    def trust(self) -> None:
        """Let the peer send, and be sent, as much as a member of our match needs."""
        if self.link is not None:
            self.link.trust(trio.current_time())
            self._pipe.widen(QUEUE_BYTES)
            self.trusted = True

    def close(self, code: Code | None, reason: str) -> list[Event]:
        """Say Bye."""
        if self.link is None:
            return []
        events = self.link.close(code, reason, trio.current_time())
        self.flush()
        return events

    def wake(self, now: float) -> list[Event]:
        """Let the link do what is due."""
        if self.link is None:
            return []
        events = self.link.wake(now)
        self.flush()
        if self.link.state is State.CLOSED:
            self._reading.cancel()
        return events

    def deadline(self) -> float:
        """Return when `wake` is due."""
        due = self.link.deadline() if self.link else None
        return inf if due is None else due

    def flush(self) -> None:
        """Send what the link wants written; drop a link that is stuck."""
        assert self.link is not None
        data = self.link.take()
        if data and not self._pipe.send(data):
            self.drop()

    def drop(self) -> None:
        """Cut the connection at once."""
        self._scope.cancel()

    async def _read(self, heard: "Heard") -> None:
        """Feed the link until it or the stream ends, then let the rest be written."""
        assert self.link is not None
        with self._reading:
            while self.link.state is not State.CLOSED:
                try:
                    data = await self._pipe.read()
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    data = b""  # it has ended, in whatever way
                now = trio.current_time()
                events = self.link.receive(data, now)
                if self.link.out:
                    self.flush()
                heard(self, events, now)
                if not data:
                    break
        self._pipe.close()
        self._scope.deadline = trio.current_time() + BYE_SECONDS

    async def _write(self) -> None:
        """Write what waits, until the outbox is closed and empty."""
        try:
            await self._pipe.write()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._reading.cancel()


Heard: TypeAlias = Callable[[Connection, list[Event], float], None]
"""Takes what a connection has to tell, and the time."""
