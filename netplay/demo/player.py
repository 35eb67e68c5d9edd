"""A player at a node's door: keeps what the node shows, and plays a seat if asked."""

from typing import Any, Final

import trio

from netplay.daemon.computer_players import Thinker
from netplay.demo.door_client import DoorClient
from netplay.errors import Code, LocalError
from netplay.messages.door import Line, Notice, Play, Push, Status, View, Watch
from netplay.messages.summons import Clicked, Summons
from netplay.wanted import Thought
from netplay.wire import pack, unpack
from rules import GAMES

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
        self.status: Status | None = None
        self.lines: list[Line] = []
        self.errors: list[Notice] = []
        self.views: list[View] = []
        """Those not looked at yet."""
        self.state: Any = None
        self._number = 0
        self._news = trio.Event()

    def hear(self, message: Push) -> None:
        """Take a push."""
        match message:
            case Status():
                self.status = message
            case View():
                self.views.append(message)
                self._number = message.number
                self.state = unpack(message.state, self._game.ABOUT.state)
            case Line():
                self.lines.append(message)
            case Notice(tone="error"):
                self.errors.append(message)
            case Notice() | Summons() | Clicked():
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
        await self.ask(Watch(seat))
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
            await self.ask(Play(seat, pack(move), number))
        except LocalError as error:
            # A well falls on while its player thinks, and may take the move no more.
            fallen = self._game.ABOUT.hz and error.code is Code.ILLEGAL_MOVE
            if error.code not in PASSING and not fallen:
                raise
            await trio.sleep(AGAIN_SECONDS)
            return False
        return True
