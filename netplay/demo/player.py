"""A player at a node's door: keeps what the node shows, and plays a seat if asked."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import trio

from netplay import VERSION
from netplay.daemon.computer_players import Thinker
from netplay.door_place import open_door
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.limits import DOOR_FRAME_BYTES, READ_BYTES
from netplay.messages import door
from netplay.wanted import Thought
from netplay.wire import FrameReader, decode_from_node, encode, pack, unpack
from rules import GAMES

# A window without a screen: asks a node through its door and hears its pushes.


Heard: TypeAlias = Callable[[door.Push], None]


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
        self._answers: dict[int, trio.MemorySendChannel[door.Done | door.Failed]] = {}
        self._writing = trio.Lock()

    async def listen(self) -> None:
        """Hear the node until it closes its door."""
        reader = FrameReader(DOOR_FRAME_BYTES)
        async with self._stream:
            while data := await self._some():
                reader.feed(data)
                while (frame := reader.next()) is not None:
                    message = decode_from_node(frame)
                    if isinstance(message, door.Seated):
                        continue  # the answer to a guest's knock, and we are none
                    if not isinstance(message, door.Done | door.Failed):
                        self._heard(message)
                    elif message.id in self._answers:
                        self._answers[message.id].send_nowait(message)
        for answer in self._answers.values():
            answer.close()

    async def ask(self, question: door.Question) -> door.Done:
        """Return the node's answer.

        Raises:
            LocalError: The node's own reason, or NO_ANSWER if it has gone.
        """
        self._asked += 1
        number = self._asked
        send, receive = trio.open_memory_channel[door.Done | door.Failed](1)
        self._answers[number] = send
        try:
            async with self._writing:
                await self._stream.send_all(encode(door.Request(number, question)))
            answer = await receive.receive()
        except (trio.EndOfChannel, trio.BrokenResourceError, trio.ClosedResourceError):
            raise LocalError(Code.NO_ANSWER, "the node has gone") from None
        finally:
            del self._answers[number]
        if isinstance(answer, door.Failed):
            raise answer.error
        return answer

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
    await stream.send_all(encode(door.Knock(token, VERSION, pushes=True)))
    return DoorClient(stream, heard)


PASSING: Final = frozenset(
    {Code.STALE, Code.NOT_YOUR_TURN, Code.USAGE, Code.SILENT, Code.TERM}
)
"""Refusals that only mean that the position has changed or somebody is away."""

AGAIN_SECONDS: Final = 0.05
"""Before trying again after such a refusal."""


class Player:
    """What one window of a node knows, and a hand to play with."""

    def __init__(self, game: str) -> None:
        self._game_name: Final = game
        self._game: Final[Any] = GAMES[game]
        self.client: DoorClient | None = None
        self.status: door.Status | None = None
        self.lines: list[door.Line] = []
        self.errors: list[door.Notice] = []
        self.views: list[door.View] = []
        """Those not looked at yet."""
        self.state: Any = None
        self._number = 0
        self._news = trio.Event()

    def hear(self, message: door.Push) -> None:
        """Take a push."""
        match message:
            case door.Status():
                self.status = message
            case door.View():
                self.views.append(message)
                self._number = message.number
                self.state = unpack(message.state, self._game.ABOUT.state)
            case door.Line():
                self.lines.append(message)
            case door.Notice(tone="error"):
                self.errors.append(message)
            case door.Notice() | door.Summons() | door.Clicked():
                pass
        news, self._news = self._news, trio.Event()
        news.set()

    async def news(self) -> None:
        """Wait for the next push."""
        await self._news.wait()

    async def ask(self, question: Any) -> Any:  # noqa: ANN401 (as the door has it)
        """Ask the node."""
        assert self.client is not None
        return await self.client.ask(question)

    async def play(
        self, seat: int, skill: int, thinker: Thinker, pause: float = 0.0
    ) -> None:
        """Play a seat for as long as the node is there.

        Args:
            seat: Which.
            skill: How well.
            thinker: Finds the moves.
            pause: Seconds before each move.
        """
        client = self.client
        await self.ask(door.Watch(seat))
        while self.client is client:
            await trio.sleep(pause)
            news = self._news
            if self.state is None or seat not in self._game.actors(self.state):
                await news.wait()
                continue
            moved = await self._move(seat, skill, thinker)
            if moved and self._news is news:
                await news.wait()

    async def _move(self, seat: int, skill: int, thinker: Thinker) -> bool:
        """Make a move; return False if it came too late."""
        number = self._number
        thought = Thought(b"", seat, number, self._game_name, self.state, skill)
        move = await thinker.think(thought)
        try:
            await self.ask(door.Play(seat, pack(move), number))
        except LocalError as error:
            # A well falls on while its player thinks, and may take the move no more.
            fallen = self._game.ABOUT.hz and error.code is Code.ILLEGAL_MOVE
            if error.code not in PASSING and not fallen:
                raise
            await trio.sleep(AGAIN_SECONDS)
            return False
        return True
