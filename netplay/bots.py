"""Computer players in worker processes: they think, the node goes on.

A worker gets the seat's view and nothing else.  One that dies, hangs or fails is
replaced by a simpler player, and at last by the first move the rules allow, so that a
seat always moves.
"""

import random  # noqa: TID251 (the rng of a computer player; never the rules')
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Protocol

import anyio
import anyio.to_process
import trio
from anyio import BrokenWorkerProcess

from netplay.journal import Journal
from netplay.limits import BOT_WORKERS, THINK_SECONDS
from netplay.players import player
from netplay.table import Thought
from rules import GAMES

SIMPLE: Final = 0
"""The skill of the player that takes over."""

Pick = Callable[[str, Any, int, int, int], Any]
"""(game, view, seat, skill, seed) -> move; a module's function, for another process."""


class Thinker(Protocol):
    """Finds moves for computer seats."""

    async def think(self, thought: Thought) -> Any:  # noqa: ANN401 (a game's own move)
        """Return a legal move; always does, whatever becomes of the player."""
        ...


class Bots:
    """Computer players, a few processes of them."""

    def __init__(self, seed: Callable[[], int], journal: Journal) -> None:
        """Prepare; processes start when they are needed.

        Args:
            seed: A fresh seed for each thought.
            journal: Told of players that fail.
        """
        self._seed = seed
        self._journal = journal
        self._limiter: anyio.CapacityLimiter | None = None

    async def think(self, thought: Thought) -> Any:  # noqa: ANN401 (a game's own move)
        """See `Thinker`."""
        for pick, skill in ((choose, thought.skill), (choose, SIMPLE), (first, SIMPLE)):
            move = await self._try(pick, thought, skill)
            if move is not None:
                return move
        # No worker answers at all: better a moment's pause than a dead seat.
        return first(thought.game, thought.view, thought.seat, SIMPLE, 0)

    async def _try(self, pick: Pick, thought: Thought, skill: int) -> Any:  # noqa: ANN401 (a game's own move)
        """Return what one player picks, None if it fails or takes too long."""
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(BOT_WORKERS)
        call = partial(
            pick, thought.game, thought.view, thought.seat, skill, self._seed()
        )
        why = "too slow"
        with trio.move_on_after(THINK_SECONDS):
            try:
                return await anyio.to_process.run_sync(
                    call, cancellable=True, limiter=self._limiter
                )
            except BrokenWorkerProcess:
                why = "its process died"
            except Exception as error:  # noqa: BLE001 (whatever a player raises, its seat must move)
                why = repr(error)
        self._journal("player.failed", game=thought.game, skill=skill, why=why)
        return None


def choose(game: str, view: Any, seat: int, skill: int, seed: int) -> Any:  # noqa: ANN401 (a game's own)
    """Return the move of a game's computer player; runs in a worker."""
    return player(game).choose(view, seat, skill, random.Random(seed))  # noqa: S311 (a player's whims are no secret)


def first(game: str, view: Any, seat: int, _skill: int, _seed: int) -> Any:  # noqa: ANN401 (a game's own)
    """Return the first legal move; the last resort."""
    return next(GAMES[game].moves(view, seat))
