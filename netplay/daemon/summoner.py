"""Calls the player to what waits: through the windows, or by the user's command."""

from collections.abc import Callable, Iterable
from typing import Final

from netplay.daemon.door import Door
from netplay.daemon.on_turn import OnTurn
from netplay.daemon.parts import Parts
from netplay.messages.summons import Summons


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

    def tell(self, found: Iterable[Summons]) -> None:
        """Call the player to what has come to wait."""
        door = self._door()
        for summons in found:
            self._on_turn.ring(summons)
            if door is not None and not self._quiet():
                door.push(summons)

    async def serve(self) -> None:
        """Run the user's command whenever it is due, until cancelled."""
        await self._on_turn.serve()

    def _is_alone(self, number: int) -> bool:
        """Tell whether a table waits for a player who has no window open."""
        door = self._door()
        watched = door is not None and door.watched
        return not watched and self._parts.tables.waits(number)

    def _quiet(self) -> float:
        """Return for how many seconds the player is to be told nothing."""
        muted = self._parts.muted
        return 0.0 if muted.hours is None else muted.quiet(self._parts.unix())
