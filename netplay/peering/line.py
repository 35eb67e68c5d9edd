"""A line to another node, carried by a third: a stream, for TLS to go over.

What is sent waits until the other end has given leave, by taking off what was sent
before; so neither end, nor who carries, ever holds more than a window of it.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple, Protocol

import trio
from typing_extensions import override

from netplay import limits
from netplay.errors import Code, LocalError, NetplayError, PeerError, by_number
from netplay.fingerprint import fingerprint, folded, is_fingerprint
from netplay.messages import link
from netplay.messages.types import LINE_BYTES
from netplay.peering.address import Address, parse
from netplay.peering.net import Incoming, Net, Secured
from netplay.peering.pipe import first_part
from netplay.peering.switchboard import Switchboard
from netplay.sentences import Says

_LEAVE_BYTES: Final = limits.LINE_WINDOW_BYTES // 4
"""Taken off before leave is given for as much: a message for each would be one more
for every move."""


class Line(trio.abc.Stream):
    """This node's end of a line."""

    def __init__(self, number: int, say: Callable[[link.LineMessage], None]) -> None:
        """Begin with leave for a window.

        Args:
            number: The line's on the link to who carries.
            say: Sends on that link.
        """
        self.number: Final = number
        self._say: Final = say
        self._leave = limits.LINE_WINDOW_BYTES
        self._came: deque[bytes] = deque()
        self._waiting = 0
        """Bytes that came and are not taken off."""
        self._taken = 0
        """Bytes that were, and for which no leave has been given."""
        self._news = trio.Event()
        self._closed = False
        """This end has closed it."""
        self.ended: Code | None = None
        """Why it has ended elsewhere."""
        self._over = False
        """It has ended elsewhere."""

    # What is told by who carries.

    def receive(self, message: link.LineBytes) -> None:
        """Take what has come.

        Raises:
            PeerError: TOO_MANY, more than there was leave for.
        """
        self._waiting += len(message.data)
        if self._waiting + self._taken > limits.LINE_WINDOW_BYTES:
            raise PeerError(Code.TOO_MANY, "bytes on a line")
        self._came.append(message.data)
        self._wake()

    def taken(self, message: link.LineTaken) -> None:
        """Take leave to send more.

        Raises:
            PeerError: UNEXPECTED, for more than was sent.
        """
        self._leave += message.count
        if self._leave > limits.LINE_WINDOW_BYTES:
            raise PeerError(Code.UNEXPECTED, "more was taken off a line than was sent")
        self._wake()

    def end(self, code: int) -> None:
        """Take that the line has ended; what has come can still be read."""
        self._over, self.ended = True, by_number(code)
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = trio.Event()

    # The stream.

    @override
    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send as leave comes.

        Raises:
            trio.BrokenResourceError: The line has ended.
            trio.ClosedResourceError: It was closed here.
        """
        await trio.lowlevel.checkpoint()
        rest = bytes(data)
        while rest:
            await self.wait_send_all_might_not_block()
            count = min(len(rest), self._leave, LINE_BYTES)
            self._leave -= count
            self._say(link.LineBytes(self.number, rest[:count]))
            rest = rest[count:]

    @override
    async def wait_send_all_might_not_block(self) -> None:
        """Wait for leave.

        Raises:
            trio.BrokenResourceError: The line has ended.
            trio.ClosedResourceError: It was closed here.
        """
        while self._leave <= 0 and not (self._over or self._closed):
            await self._news.wait()
        self._check_open()
        if self._over:
            raise trio.BrokenResourceError

    @override
    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return what has come, nothing at the end.

        Raises:
            trio.BrokenResourceError: The line ended with an error.
            trio.ClosedResourceError: It was closed here.
        """
        await trio.lowlevel.checkpoint()
        while not (self._came or self._over or self._closed):
            await self._news.wait()
        self._check_open()
        if not self._came:
            if self.ended is not None:
                raise trio.BrokenResourceError
            return b""
        data = first_part(self._came, max_bytes)
        count = len(data)
        self._waiting -= count
        self._taken += count
        if self._taken >= _LEAVE_BYTES and not self._over:
            self._say(link.LineTaken(self.number, self._taken))
            self._taken = 0
        return data

    def _check_open(self) -> None:
        if self._closed:
            raise trio.ClosedResourceError

    @override
    async def aclose(self) -> None:
        """Tell the other end, and take nothing more."""
        if not self._closed:
            self._closed = True
            self._came.clear()
            if not self._over:
                self._say(link.CloseLine(self.number, 0, ""))
            self._wake()
        await trio.lowlevel.checkpoint()


# Where a node is found through another one: a place of its own kind.
#
# via/ABCDEFGHIJKLMNOPQRST@203.0.113.7:4770
#
# The fingerprint is that of the node which carries, the place where that one can be
# called; without a place only who has a link to it already, or knows it, gets there.


PREFIX: Final = "via/"


class Via(NamedTuple):
    """A node that carries, and where it is."""

    carrier: str
    """Its fingerprint, as people write it."""
    address: Address | None = None

    def text(self) -> str:
        """Return it as it stands in an invitation."""
        place = "" if self.address is None else f"@{self.address.text()}"
        return f"{PREFIX}{self.carrier.replace('-', '')}{place}"


def is_via(text: str) -> bool:
    """Return whether a place is one where another node carries."""
    return text.lower().startswith(PREFIX)


def via(key: bytes, address: Address | None = None) -> Via:
    """Return the place of a node that carries."""
    return Via(fingerprint(key), address)


def read_via(text: str) -> Via:
    """Read such a place.

    Raises:
        LocalError: USAGE, it is none.
    """
    carrier, at, place = text[len(PREFIX) :].partition("@")
    if not is_via(text) or not is_fingerprint(carrier) or (at and not place):
        raise LocalError(Code.USAGE, Says.NOT_AN_ADDRESS(word=text))
    return Via(carrier.upper(), parse(place) if place else None)


def read_place(text: str) -> Address | Via:
    """Read an address, or the place of a node that carries.

    Raises:
        LocalError: USAGE, it is neither.
    """
    return read_via(text) if is_via(text) else parse(text)


# Lines of this node's own: to nodes that it reaches through others, and from them.


class Around(Protocol):
    """Who is there."""

    def linked(self, carrier: str) -> bytes | None:
        """Return the key of a node that has a link to this one, by its fingerprint."""
        ...

    def named(self, carrier: str) -> str:
        """Return what to call a node that carries."""
        ...

    def send(self, key: bytes, message: link.LineMessage) -> None:
        """Send on a link."""

    def wanted(self) -> None:
        """Look at `OwnLines.asked` again."""


class OwnLines:
    """This node's ends of lines."""

    def __init__(self, board: Switchboard, around: Around) -> None:
        """Begin with none.

        Args:
            board: Knows which numbers are free on each link.
            around: Who is there.
        """
        self._board: Final = board
        self._around: Final = around
        self._lines: Final[dict[tuple[bytes, int], Line]] = {}
        self._asked: Final[Counter[Via]] = Counter()
        self._failed: Final[dict[Via, NetplayError]] = {}
        self._news = trio.Event()

    def __iter__(self) -> Iterator[bytes]:
        """Yield who carries each line."""
        return (key for key, _ in self._lines)

    @property
    def asked(self) -> tuple[Via, ...]:
        """Who is to carry, and is not there yet."""
        return tuple(via for via in self._asked if not self._linked(via))

    def _linked(self, via: Via) -> bytes | None:
        return self._around.linked(folded(via.carrier))

    # Ours.

    async def connect(self, via: Via, to: str) -> Line:
        """Return a line to a node.

        Args:
            via: Who carries.
            to: The other's fingerprint.

        Raises:
            LocalError: NO_ANSWER, there is no link to who carries.
        """
        key = await self._carrier(via)
        line = self._line(key, self._board.next_number(key))
        self._say(key, link.OpenLine(line.number, to))
        return line

    async def _carrier(self, via: Via) -> bytes:
        """Return who carries, once there is a link.

        Raises:
            LocalError: NO_ANSWER.
        """
        self._asked[via] += 1
        self._failed.pop(via, None)
        self._around.wanted()
        try:
            with trio.move_on_after(limits.CARRIER_SECONDS):
                while via not in self._failed:
                    key = self._linked(via)
                    if key is not None:
                        return key
                    await self._news.wait()
        finally:
            self._asked[via] -= 1
            if not self._asked[via]:
                del self._asked[via]
            self._around.wanted()
        name = self._around.named(via.carrier)
        raise LocalError(Code.NO_ANSWER, Says.CARRIER_AWAY(name=name))

    def look(self) -> None:
        """Look again who is there."""
        self._news.set()
        self._news = trio.Event()

    def failed(self, via: Via, error: NetplayError) -> None:
        """Note that there is no link to who is to carry."""
        self._failed[via] = error
        self.look()

    # Others'.

    def ring(self, key: bytes, message: link.Ring, *, welcome: bool) -> Incoming | None:
        """Return a line to this node, if there may be one; else tell who carries.

        Raises:
            PeerError: UNEXPECTED, it has a number that is none of a new line.
        """
        self._board.begins(key, message.line)
        full = sum(each == key for each, _ in self._lines) >= limits.LINES_A_PEER
        if full or not welcome:
            code = Code.BUSY if full else Code.DECLINED
            closed = link.CloseLine(message.line, code.number, code.text)
            self._around.send(key, closed)
            return None
        line = self._line(key, message.line)
        ip = f"{PREFIX}{self._around.named(folded(message.caller))}"
        return Incoming(line, ip, key)

    # Both.

    def receive(
        self, key: bytes, message: link.LineBytes | link.LineTaken | link.CloseLine
    ) -> None:
        """Take what comes on a line.

        Raises:
            PeerError: TOO_MANY or UNEXPECTED; see `Line`.
        """
        line = self._lines.get((key, message.line))
        if line is None:
            return  # it has ended meanwhile
        match message:
            case link.LineBytes():
                line.receive(message)
            case link.LineTaken():
                line.taken(message)
            case link.CloseLine(number, code):
                del self._lines[key, number]
                line.end(code)

    def gone(self, key: bytes) -> None:
        """End the lines on a link that was lost."""
        for carrier, number in tuple(self._lines):
            if carrier == key:
                self._lines.pop((carrier, number)).end(Code.NO_ANSWER.number)

    def _line(self, key: bytes, number: int) -> Line:
        line = Line(number, partial(self._say, key))
        self._lines[key, number] = line
        return line

    def _say(self, key: bytes, message: link.LineMessage) -> None:
        if isinstance(message, link.CloseLine):
            self._lines.pop((key, message.line), None)
        self._around.send(key, message)


# Calls to nodes that cannot be called themselves, through others that carry.


class Through(Protocol):
    """Nodes that carry."""

    def ways(self, to: str) -> tuple[str, ...]:
        """Return the places of those who are there, to reach a fingerprint, folded."""
        ...

    def is_here(self, to: str) -> bool:
        """Return whether there is a link already."""
        ...

    async def connect(self, place: Via, to: str) -> tuple[Line, bytes]:
        """Return a line, and the key of who carries it; raises a LocalError."""
        ...

    def named(self, carrier: str) -> str:
        """Return what to call a node, by its fingerprint."""
        ...


class CarriedCalls:
    """The calls of one node."""

    def __init__(self, net: Net, through: Through) -> None:
        """Prepare.

        Args:
            net: Proves who is there.
            through: Who carries.
        """
        self._net: Final = net
        self._through: Final = through
        self._under_way: Final[set[tuple[str, str]]] = set()
        self._carriers: Final[dict[trio.abc.Stream, bytes]] = {}

    def places(self, to: str) -> tuple[str, ...]:
        """Return through whom somebody may be reached whose fingerprint is known."""
        return self._through.ways(to) if to else ()

    def carrier(self, stream: trio.abc.Stream) -> bytes:
        """Return who carries a stream that was called here; nothing for any other."""
        return self._carriers.pop(stream, b"")

    async def call(self, text: str, to: str, *, late: bool) -> Secured:
        """Return a stream to a node, and its key, which is not judged yet.

        Args:
            text: Who carries, as `Via` writes it.
            to: The fingerprint of who is called, folded; nothing if nobody knows.
            late: There are other places: let them answer first.

        Raises:
            NetplayError: Nobody carries, or who is called is not there.
        """
        if not to or (text, to) in self._under_way:
            raise LocalError(Code.NO_ANSWER, Says.NO_ADDRESS_KNOWN())
        self._under_way.add((text, to))
        try:
            if late:
                await trio.sleep(limits.VIA_SECONDS)
            if self._through.is_here(to):
                raise LocalError(Code.NO_ANSWER, Says.LINKED_ALREADY())
            return await self._secured(read_via(text), to)
        finally:
            self._under_way.discard((text, to))

    async def _secured(self, place: Via, to: str) -> Secured:
        line, key = await self._through.connect(place, to)
        name = self._through.named(place.carrier)
        try:
            with trio.fail_after(limits.HANDSHAKE_SECONDS):
                found = await self._net.secure(line, server_side=False)
        except (NetplayError, trio.TooSlowError):
            await trio.aclose_forcefully(line)
            why = line.ended or Code.SILENT
            detail = Says.NOT_CARRIED(name=name, why=_WHY.get(why, Says.NOT_THROUGH)())
            raise LocalError(Code.NO_ANSWER, detail) from None
        self._carriers[found.stream] = key
        return found


_WHY: Final = {
    Code.DECLINED: Says.CARRIES_NOT,
    Code.NO_ANSWER: Says.NOT_THERE,
    Code.BUSY: Says.CARRIES_ENOUGH,
}
"""What a node that carries gives as its reason, in words."""


def misled(text: str) -> LocalError:
    """Return what to say of a node that leads to another than was asked for."""
    detail = Says.NOT_CARRIED(name=read_via(text).carrier, why=Says.LED_ASTRAY())
    return LocalError(Code.NO_ANSWER, detail)
