"""Computer players in worker processes: they think, the node goes on.

A worker gets the seat's view and nothing else.  One that dies, hangs or fails is
replaced by a simpler player, and at last by the first move the rules allow, so that a
seat always moves.
"""

import random  # noqa: TID251 (the rng of a computer player; never the rules')
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import trio
from anyio import BrokenWorkerProcess

from netplay.daemon.word_choice import WordChoice
from netplay.daemon.worker_pool import WorkerPool, with_resources
from netplay.journal import Journal
from netplay.limits import BOT_WORKERS, THINK_SECONDS
from netplay.players import player
from netplay.wanted import Thought
from rules import GAMES

SIMPLE: Final = 0
"""The skill of the player that takes over."""

Pick = Callable[["Question"], Any]
"""Returns a move; a module's function, for another process."""


class Question(NamedTuple):
    """What a worker process is asked."""

    game: str
    view: Any
    seat: int
    skill: int
    seed: int
    words: Path | None
    """The folder with editions and word lists that are not shipped."""
    offensive: bool = False
    """Whether words that offend may be laid."""


class Thinker(Protocol):
    """Finds moves for computer seats."""

    async def think(self, thought: Thought) -> Any:  # noqa: ANN401 (a game's own move)
        """Return a legal move; always does, whatever becomes of the player."""
        ...


class ComputerPlayers:
    """Computer players, a few processes of them."""

    def __init__(
        self,
        seed: Callable[[], int],
        journal: Journal,
        words: Path | None = None,
        word_choice: WordChoice | None = None,
    ) -> None:
        """Prepare; processes start when they are needed.

        Args:
            seed: A fresh seed for each thought.
            journal: Told of players that fail.
            words: The folder with editions and word lists that are not shipped.
            word_choice: Which words they lay; without, none that offend.
        """
        self._word_choice = word_choice or WordChoice()
        self._seed = seed
        self._words = words
        self._journal = journal
        self._pool: Final = WorkerPool(BOT_WORKERS)

    async def prepare(self, thought: Thought) -> None:
        """Have a worker load what a match needs, before it is asked for a move.

        It is no matter if that fails: the move is thought about all the same.
        """
        await self._try(prepare, thought, thought.skill)

    async def think(self, thought: Thought) -> Any:  # noqa: ANN401 (a game's own move)
        """See `Thinker`."""
        for pick, skill in ((choose, thought.skill), (choose, SIMPLE), (first, SIMPLE)):
            move = await self._try(pick, thought, skill)
            if move is not None:
                return move
        # No worker answers at all: better a moment's pause than a dead seat.
        return first(self._question(thought, SIMPLE))

    def _question(self, thought: Thought, skill: int) -> Question:
        """Return what to ask a worker."""
        game, view, seat = thought.game, thought.view, thought.seat
        offensive = self._word_choice.offensive
        return Question(game, view, seat, skill, self._seed(), self._words, offensive)

    async def _try(self, pick: Pick, thought: Thought, skill: int) -> Any:  # noqa: ANN401 (a game's own move)
        """Return what one player picks, None if it fails or takes too long."""
        why = "too slow"
        with trio.move_on_after(THINK_SECONDS):
            try:
                return await self._pool.run(pick, self._question(thought, skill))
            except BrokenWorkerProcess:
                why = "its process died"
            except Exception as error:  # noqa: BLE001 (whatever a player raises, its seat must move)
                why = repr(error)
        self._journal("player.failed", game=thought.game, skill=skill, why=why)
        return None


def choose(question: Question) -> Any:  # noqa: ANN401 (a game's own move)
    """Return the move of a game's computer player; runs in a worker.

    Raises:
        IllegalMoveError: The player erred.
    """
    game, view, seat, skill, seed, words, offensive = question
    rng = random.Random(seed)  # noqa: S311 (a player's whims are no secret)
    pick = partial(player(game).choose, view, seat, skill, rng)
    move = with_resources(words, pick, offensive=offensive)
    GAMES[game].play(view, seat, move)
    return move


def prepare(question: Question) -> None:
    """Load what a game's computer player needs for a match; runs in a worker."""
    load = player(question.game).ABILITIES.prepare
    if load is not None:
        do = partial(load, question.view)
        with_resources(question.words, do, offensive=question.offensive)


def first(question: Question) -> Any:  # noqa: ANN401 (a game's own move)
    """Return the first legal move; the last resort."""
    return next(GAMES[question.game].moves(question.view, question.seat))
