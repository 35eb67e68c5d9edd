"""Calls the player to what waits: through the windows, or by the user's command.

Brings the windows what was clicked elsewhere, too.
"""

from collections.abc import Callable, Iterable
from itertools import count
from typing import Final

import trio

from netplay.daemon.door import Door
from netplay.daemon.on_turn import OnTurn
from netplay.daemon.parts import Parts
from netplay.messages.summons import Clicked, Summons

TAKE_SECONDS: Final = 3.0
"""For a window to say that it shows something; it may be busy, or hang."""


class Summoner:
    """Calls one node's player."""

    def __init__(self, parts: Parts, door: Callable[[], Door | None]) -> None:
        """Prepare.

        Args:
            parts: The node's parts.
            door: Returns the door, once it is there.
        """
        self._parts: Final = parts
        self._door: Final = door
        self._on_turn: Final = OnTurn(
            parts.on_turn, self._is_alone, self._quiet, parts.journal
        )
        self._numbers: Final = count(1)
        self._clicked: Final[dict[int, trio.Event]] = {}
        """What waits for a window to say that it has taken it."""

    def tell(self, found: Iterable[Summons]) -> None:
        """Call the player to what has come to wait."""
        door = self._door()
        for summons in found:
            if self._parts.on_turn:
                self._on_turn.ring(summons)
            if door is not None and not self._quiet():
                door.push(summons)

    @property
    def windows(self) -> int:
        """How many are open."""
        door = self._door()
        return 0 if door is None else door.watched

    async def show(self, line: str) -> bool:
        """Have an invitation shown in a window: the one opened last that takes it.

        Programs on a terminal are told what windows are told, and say nothing.

        Returns:
            Whether one has taken it.
        """
        door = self._door()
        for window in reversed([] if door is None else door.watching()):
            number, taken = next(self._numbers), trio.Event()
            self._clicked[number] = taken
            assert door is not None
            door.push(Clicked(number, line), window)
            with trio.move_on_after(TAKE_SECONDS):
                await taken.wait()
            del self._clicked[number]
            if taken.is_set():
                return True
        return False

    def shown(self, number: int) -> None:
        """Note that a window has taken what it was told to show."""
        if number in self._clicked:
            self._clicked[number].set()

    async def serve(self) -> None:
        """Run the user's command whenever it is due, until cancelled."""
        await self._on_turn.serve()

    def _is_alone(self, number: int) -> bool:
        """Tell whether a table waits for a player who has no window open."""
        return not self.windows and self._parts.tables.waits(number)

    def _quiet(self) -> float:
        """Return for how many seconds the player is to be told nothing."""
        muted = self._parts.muted
        return 0.0 if muted.hours is None else muted.quiet(self._parts.unix())
