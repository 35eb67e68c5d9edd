"""A window without a screen: asks a node through its door and hears its pushes."""

from collections.abc import Callable
from typing import Final, TypeAlias

import trio

from netplay import VERSION
from netplay.door_place import open_door
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.limits import DOOR_FRAME_BYTES, READ_BYTES
from netplay.messages.door import (
    Done,
    Failed,
    FromNode,
    Knock,
    Push,
    Question,
    Request,
    Seated,
)
from netplay.wire import FrameReader, decode_from_node, encode

Heard: TypeAlias = Callable[[Push], None]


class DoorClient:
    """A conversation with a node."""

    def __init__(self, stream: trio.abc.Stream, heard: Heard) -> None:
        """Take over a stream on which the node has been greeted.

        Args:
            stream: To the node's door.
            heard: Told of every push.
        """
        self._stream: Final = stream
        self._heard: Final = heard
        self._asked = 0
        self._answers: dict[int, trio.MemorySendChannel[Done | Failed]] = {}
        self._writing = trio.Lock()

    async def run(self) -> None:
        """Hear the node until it closes its door."""
        reader = FrameReader(DOOR_FRAME_BYTES)
        async with self._stream:
            while data := await self._some():
                reader.feed(data)
                while (frame := reader.next()) is not None:
                    self._take(decode_from_node(frame))
        for answer in self._answers.values():
            answer.close()

    async def ask(self, question: Question) -> Done:
        """Return the node's answer.

        Raises:
            LocalError: The node's own reason, or NO_ANSWER if it has gone.
        """
        self._asked += 1
        number = self._asked
        send, receive = trio.open_memory_channel[Done | Failed](1)
        self._answers[number] = send
        try:
            async with self._writing:
                await self._stream.send_all(encode(Request(number, question)))
            answer = await receive.receive()
        except (trio.EndOfChannel, trio.BrokenResourceError, trio.ClosedResourceError):
            raise LocalError(Code.NO_ANSWER, "the node has gone") from None
        finally:
            del self._answers[number]
        if isinstance(answer, Failed):
            raise answer.error
        return answer

    def _take(self, message: FromNode) -> None:
        if isinstance(message, Seated):
            return  # the answer to a guest's knock, and we are none
        if not isinstance(message, Done | Failed):
            self._heard(message)
        elif message.id in self._answers:
            self._answers[message.id].send_nowait(message)

    async def _some(self) -> bytes:
        """Return some bytes, none at the end."""
        try:
            return bytes(await self._stream.receive_some(READ_BYTES))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return b""


async def call(home: Home, heard: Heard) -> DoorClient:
    """Return a conversation with the node of a home.

    Raises:
        OSError: No node runs there (yet).
    """
    stream, token = await open_door(home.path)
    await stream.send_all(encode(Knock(token, VERSION, pushes=True)))
    return DoorClient(stream, heard)
