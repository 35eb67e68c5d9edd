"""Lines of this node's own: to nodes that it reaches through others, and from them."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Final, Protocol

import trio

from netplay.errors import Code, LocalError, NetplayError
from netplay.fingerprint import folded
from netplay.limits import CARRIER_SECONDS, LINES_A_PEER
from netplay.messages.lines import (
    CloseLine,
    LineBytes,
    LineMessage,
    LineTaken,
    OpenLine,
    Ring,
)
from netplay.peering.line import Line
from netplay.peering.net import Incoming
from netplay.peering.switchboard import Switchboard
from netplay.peering.via import PREFIX, Via
from netplay.sentences import Says


class Around(Protocol):
    """Who is there."""

    def linked(self, carrier: str) -> bytes | None:
        """Return the key of a node that has a link to this one, by its fingerprint."""
        ...

    def named(self, carrier: str) -> str:
        """Return what to call a node that carries."""
        ...

    def send(self, key: bytes, message: LineMessage) -> None:
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
        self._say(key, OpenLine(line.number, to))
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
            with trio.move_on_after(CARRIER_SECONDS):
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

    def ring(self, key: bytes, message: Ring, *, welcome: bool) -> Incoming | None:
        """Return a line to this node, if there may be one; else tell who carries.

        Raises:
            PeerError: UNEXPECTED, it has a number that is none of a new line.
        """
        self._board.begins(key, message.line)
        full = sum(each == key for each, _ in self._lines) >= LINES_A_PEER
        if full or not welcome:
            code = Code.BUSY if full else Code.DECLINED
            closed = CloseLine(message.line, code.number, code.text)
            self._around.send(key, closed)
            return None
        line = self._line(key, message.line)
        ip = f"{PREFIX}{self._around.named(folded(message.caller))}"
        return Incoming(line, ip, key)

    # Both.

    def receive(self, key: bytes, message: LineBytes | LineTaken | CloseLine) -> None:
        """Take what comes on a line.

        Raises:
            PeerError: TOO_MANY or UNEXPECTED; see `Line`.
        """
        line = self._lines.get((key, message.line))
        if line is None:
            return  # it has ended meanwhile
        match message:
            case LineBytes():
                line.receive(message)
            case LineTaken():
                line.taken(message)
            case CloseLine(number, code):
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

    def _say(self, key: bytes, message: LineMessage) -> None:
        if isinstance(message, CloseLine):
            self._lines.pop((key, message.line), None)
        self._around.send(key, message)
