"""A command's way through the door: ask the running node, wait, leave.

Plain blocking sockets: a command does one thing at a time and should start fast.
"""

import socket
from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

from netplay import VERSION
from netplay.door_place import LOOPBACK, door_place
from netplay.errors import Code, LocalError, PeerError
from netplay.home import Home
from netplay.limits import DOOR_FRAME_BYTES, READ_BYTES
from netplay.messages import door
from netplay.sentences import Says
from netplay.wire import Frame, FrameReader, decode_from_node, encode, unpack

PATIENCE_SECONDS: Final = 30.0
"""For the answer to a question: calling somebody far away may take eight."""


class Visit:
    """A conversation with the node of a home; a context manager."""

    def __init__(
        self,
        home: Home,
        *,
        pushes: bool = False,
        reads: bool = False,
        table: int = 0,
        version: str = VERSION,
    ) -> None:
        """Knock at the door.

        Args:
            home: Whose node.
            pushes: Be told what windows are told, too: see `heard`.
            reads: The player sees what is said.
            table: The number of the table that questions are about; 0 for the only one.
            version: What to say that this program is: that of an older node, to end it.

        Raises:
            LocalError: NO_NODE.
        """
        try:
            found, token = _connect(home)
            found.sendall(encode(door.Knock(token, version, pushes, reads=reads)))
        except (OSError, ValueError):
            raise LocalError(Code.NO_NODE, Says.START_NODE()) from None
        self._socket: Final = found
        self._reader: Final = FrameReader(DOOR_FRAME_BYTES)
        self._asked = 0
        self._table: Final = table

    def __enter__(self) -> Self:
        """Come in."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave."""
        self._socket.close()

    def ask(
        self, question: door.Question, seconds: float = PATIENCE_SECONDS
    ) -> door.Done:
        """Return the node's answer; what it pushes meanwhile is dropped.

        Args:
            question: What to ask.
            seconds: To wait for it.

        Raises:
            LocalError: The node's own reason, VERSION if it is of another one, or
                NO_ANSWER if it went away.
        """
        number = self.put(question)
        for message in self.heard(seconds):
            if isinstance(message, door.Done) and message.id == number:
                return message
            if isinstance(message, door.Failed) and message.id in {number, 0}:
                raise message.error
        raise LocalError(Code.NO_ANSWER, Says.DOOR_CLOSED())

    def put(self, question: door.Question) -> int:
        """Ask without waiting, and return the id of the reply to come."""
        self._asked += 1
        with suppress(OSError):  # the door is closed; it may have been said why
            self._socket.sendall(
                encode(door.Request(self._asked, question, self._table))
            )
        return self._asked

    def status(self) -> door.Status:
        """Return all there is to know of the node."""
        status: door.Status = answer_in(self.ask(door.GetStatus()).data, door.Status)
        return status

    def heard(self, seconds: float | None) -> Iterator[door.FromNode]:
        """Yield messages until the node closes the door.

        Args:
            seconds: To wait for each.

        Raises:
            LocalError: NO_ANSWER, none came in time; VERSION, it is of another one.
        """
        for frame in self.frames(seconds):
            try:
                message = decode_from_node(frame)
            except PeerError:
                raise LocalError(Code.VERSION, Says.OTHER_PROGRAM()) from None
            yield message

    def frames(self, seconds: float | None) -> Iterator[Frame]:
        """Yield the same before anything is made of it.

        Raises:
            LocalError: NO_ANSWER, none came in time.
        """
        self._socket.settimeout(seconds)
        while True:
            frame = self._reader.next()
            if frame is not None:
                yield frame
                continue
            try:
                data = self._socket.recv(READ_BYTES)
            except TimeoutError:
                raise LocalError(Code.NO_ANSWER, Says.NODE_SILENT()) from None
            except OSError:
                return
            if not data:
                return
            self._reader.feed(data)


def answer_in(data: bytes, kind: Any) -> Any:  # noqa: ANN401 (as `unpack` has it)
    """Return what the node's answer says.

    Between two releases what it knows has other fields, under the same version.

    Raises:
        LocalError: VERSION, it is of another one than this program.
    """
    try:
        return unpack(data, kind)
    except PeerError:
        raise LocalError(Code.VERSION, Says.OTHER_PROGRAM()) from None


def _connect(home: Home) -> tuple[socket.socket, bytes]:
    """Return a socket to the door, and the token to show there."""
    place = door_place(home.path)
    if place.port:
        return socket.create_connection((LOOPBACK, place.port)), place.token
    found = socket.socket(socket.AF_UNIX)
    try:
        found.connect(place.socket)
    except OSError:
        found.close()
        raise
    return found, place.token
