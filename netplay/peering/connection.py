"""A link on a stream: carries bytes for it, decides nothing.

One task reads.  What is sent is written at once, or by a second task where the system
does not take it.  A write that was cancelled leaves TLS broken, so the stream is always
closed by force in the end.

What tables and matches say to each other goes straight through, to the owner of all
links and from it; whatever happens less often is the business of `links`.
"""

from collections.abc import Iterable, Mapping
from enum import Enum, auto
from math import inf
from typing import Final, Protocol

import trio

from netplay.errors import Code, LocalError, PeerError
from netplay.limits import (
    BYE_SECONDS,
    CALM_SECONDS,
    CALM_UDP_SECONDS,
    QUEUE_BYTES,
    QUEUE_FRAMES,
    STRANGER_QUEUE_BYTES,
)
from netplay.messages.link import Hello, NewName, ReachMessage
from netplay.peering.link import Closed, End, Event, Got, Judge, Link, Seldom, State
from netplay.peering.pipe import Pipe
from netplay.wanted import PeerMessage
from netplay.wire import encode


class Way(Enum):
    """Who made a connection."""

    DIALLED = auto()
    CAME = auto()
    MET = auto()
    """Both sides, at the same time: it says nothing of who can be called."""


SETTLED_AFTER: Final = 32
"""Messages; few come at once, but for those that catch up or mean ill."""


FIRST_SECONDS: Final = 3.0
"""By which who has called pings first on a calm link: else both would, each time."""


class Taker(Protocol):
    """Who takes what peers say."""

    def got(self, key: bytes, message: PeerMessage, now: float) -> None:
        """Take a message; a PeerError hangs up on the peer."""

    def settled(self) -> None:
        """Act on all that came of what was told before."""


class Keeper(Protocol):
    """Who keeps the connections, and is told what is no message of a table."""

    def happened(self, connection: "Connection", event: Seldom) -> None:
        """Take what a link has to tell."""

    def hang_up(self, connection: "Connection", code: Code | None, why: str) -> None:
        """Say Bye and note the end, without settling yet."""

    def trust(self, connection: "Connection") -> None:
        """Trust a connection that is not trusted yet, if its peer now is."""

    def set_due(self) -> None:
        """Work out anew when a connection must be woken."""


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
        self.udp = False
        """It goes over UDP: that says nothing of who can be called over TCP."""
        self.called = ""
        """The address that was dialled, as the table wrote it."""
        self.link: Link | None = None
        self.knock: trio.CancelScope | None = None
        """Its place at the gate, if it came in by that."""
        self.opened_at: float | None = None
        self.said: Hello | None = None
        """What we have said first."""
        self.hello: Hello | None = None
        """Theirs, once the link is open, with the name that they have now."""
        self.features: frozenset[str] = frozenset()
        """In force on the link, once it is open."""
        self.in_use = False
        """It is the link to its peer: what comes on it is heard."""
        self.ended: Closed | None = None
        """How the link ended."""
        self.remembered = False
        """A table needs it, and so it has been written down."""
        self.trusted = False
        """It may send as much as a member of our match needs to."""
        self.calm = False
        """Nobody expects anything of its peer: see `be_calm`."""
        self.dropped = False
        """It was cut: nothing more is heard or said on it."""
        self._scope = trio.CancelScope()
        self._reading = trio.CancelScope()

    def begin(
        self, hello: Hello, judge: Judge, began: float, keeper: Keeper, taker: Taker
    ) -> None:
        """Make the link and say Hello.

        Args:
            hello: What we say.
            judge: What we ask about theirs.
            began: When the handshake began, TLS included.
            keeper: Told what happens to it.
            taker: Told what the peer says.
        """
        self._keeper, self._taker, self.said = keeper, taker, hello
        self.link = Link(hello, judge, began)
        size = QUEUE_BYTES if self.way is not Way.CAME else STRANGER_QUEUE_BYTES
        # Not sooner: only `carry` lets go of the socket, and it need not come to that.
        self._pipe = Pipe(self.stream, QUEUE_FRAMES, size)
        self.flush()

    async def carry(self) -> None:
        """Carry the link, once begun, to its end."""
        assert self.link is not None
        try:
            self._keeper.set_due()
            self._taker.settled()  # its handshake is timed from now on
            with self._scope:
                async with trio.open_nursery() as nursery:
                    # In a task of its own: it wakes at every message, through all
                    # that awaits it.
                    nursery.start_soon(self._read)
                    try:
                        await self._pipe.write()
                    except (trio.BrokenResourceError, trio.ClosedResourceError):
                        self._reading.cancel()
        finally:
            self._pipe.detach()
            now = trio.current_time()
            self.hear(self.link.receive(b"", now), now)
            await trio.aclose_forcefully(self.stream)

    @property
    def quiet(self) -> bool:
        """Whether nothing has been heard for longer than pings take."""
        return self.link is not None and self.link.quiet

    @property
    def was_dropped(self) -> bool:
        """Whether somebody hung up who had proved its key, without a reason."""
        ended = self.ended
        return self.opened_at is None and (ended is None or ended.code is None)

    def was_open(self) -> bool:
        """Return whether it was open, now that it has ended; raise why not."""
        if self.opened_at is not None:
            return True
        ended = self.ended
        if ended is None or ended.code is None:
            raise LocalError(Code.NO_ANSWER, self.address)
        said = ended.reason if ended.reason != ended.code.text else ""
        side = "told by the other side" if ended.end is End.THEIRS else ""
        raise PeerError(ended.code, said or side)

    def send(self, frame: bytes) -> None:
        """Send a message on an open link; on any other it is dropped.

        It need not pass by the link, of which nothing else is waiting: all that a link
        wants written leaves as soon as it wants it.
        """
        if self.link is None or self.link.state is not State.OPEN or self.dropped:
            return
        if not self.trusted:
            self._keeper.trust(self)
        if self.calm:
            self.link.stir(trio.current_time())
            self.flush()
            self._keeper.set_due()
        if not self._pipe.send(frame):
            self.drop()

    def hear(self, events: Iterable[Event], now: float) -> None:
        """Hand on what the link has to tell; hang up on who breaks the rules.

        Small questions with long answers come by the thousand in what is read at once.
        So what they want is done in between, and is seen to be more than can wait.
        """
        assert self.link is not None
        taken = 0
        for event in events:
            if not isinstance(event, Got):
                self._keeper.happened(self, event)
            elif self.in_use and not self.dropped:
                try:
                    self._taker.got(self.key, event.message, now)
                except PeerError as error:
                    self._keeper.hang_up(self, error.code, error.reason)
                taken += 1
                if not taken % SETTLED_AFTER:
                    self._taker.settled()
        if self.link.frame_began is not None:
            self._keeper.set_due()  # else it would be given up a ping too late
        self._taker.settled()

    def trust(self) -> None:
        """Let the peer send, and be sent, as much as a member of our match needs."""
        if self.link is not None:
            self.link.trust(trio.current_time())
            self._pipe.widen(QUEUE_BYTES)
            self.trusted = True

    def be_calm(self, *, calm: bool) -> None:
        """Ping seldom, or as often as where a match is played."""
        if calm != self.calm and self.link is not None:
            self.calm = calm
            seconds = CALM_UDP_SECONDS if self.udp else CALM_SECONDS
            if self.way is not Way.CAME:
                seconds -= FIRST_SECONDS
            self.link.calm(seconds if calm else 0.0, trio.current_time())
            self.flush()

    def close(self, code: Code | None, reason: str) -> list[Event]:
        """Say Bye."""
        if self.link is None:
            return []
        events = self.link.close(code, reason, trio.current_time())
        self.flush()
        return events

    def wake(self, now: float) -> None:
        """Let the link do what is due."""
        assert self.link is not None
        events = self.link.wake(now)
        self.flush()
        if self.link.state is State.CLOSED:
            self._reading.cancel()
        self.hear(events, now)

    def deadline(self) -> float:
        """Return when `wake` is due."""
        due = self.link.deadline() if self.link else None
        return inf if due is None else due

    def flush(self) -> None:
        """Send what the link wants written; drop a link that is stuck."""
        assert self.link is not None
        data = self.link.take_bytes()
        if data and not self._pipe.send(data):
            self.drop()

    def drop(self) -> None:
        """Cut the connection at once."""
        self.dropped = True
        self._scope.cancel()

    async def _read(self) -> None:
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
                self.hear(events, now)
                if not data:
                    break
        self._pipe.close()
        self._scope.deadline = trio.current_time() + BYE_SECONDS


def send(
    links: Mapping[bytes, Connection],
    keys: Iterable[bytes],
    message: PeerMessage | ReachMessage | NewName,
) -> None:
    """Send a message, encoded once, to those of the peers that are there."""
    data = b""
    for key in keys:
        connection = links.get(key)
        if connection is not None and not connection.dropped:
            data = data or encode(message)
            connection.send(data)
