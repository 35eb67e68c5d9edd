"""Computer players that think: each in a task, as long as it is its turn."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeAlias

import trio

from netplay.faults import Nursery
from netplay.wanted import Thought

Turn: TypeAlias = tuple[bytes, int, int]
"""Match, seat and position: what names a thought."""


class Thinking:
    """The thoughts that are under way."""

    def __init__(
        self,
        think: Callable[[Thought], Awaitable[Any]],
        moved: Callable[[Thought, Any], None],
        freed: Callable[[], None],
        failed: Callable[[bytes, Exception], None],
    ) -> None:
        """Begin without any.

        Args:
            think: Finds the move.
            moved: Takes it.
            freed: Told that a thought has ended which nobody wanted any more.
            failed: Told of what match none came of a thought, and why: our mistake.
        """
        self._think: Final = think
        self._moved: Final = moved
        self._freed: Final = freed
        self._failed: Final = failed
        self.turns: Final[dict[Turn, trio.CancelScope]] = {}
        """Those thought about."""

    def start(self, nursery: Nursery, thoughts: Sequence[Thought]) -> None:
        """Let computer players think whose turn it is, and no others."""
        wanted = {(t.match, t.seat, t.number): t for t in thoughts}
        for turn, scope in self.turns.items():
            if turn not in wanted:
                scope.cancel()
        for turn, thought in wanted.items():
            if turn not in self.turns:
                self.turns[turn] = trio.CancelScope()
                nursery.start_soon(self._do, turn, thought)

    async def _do(self, turn: Turn, thought: Thought) -> None:
        """Find a move, and hand it on."""
        with self.turns[turn] as scope:
            try:
                self._moved(thought, await self._think(thought))
            except Exception as error:  # noqa: BLE001 (it is that match's)
                self._failed(thought.match, error)
        del self.turns[turn]
        if scope.cancelled_caught:
            self._freed()  # it may be wanted again by now
