"""Turns of a match that is over, judged in a worker process: the node goes on."""

import random  # noqa: TID251 (the rng of a computer player)
from functools import partial
from pathlib import Path
from typing import Final, Protocol

import trio

from netplay.daemon.word_choice import WordChoice
from netplay.daemon.worker_pool import WorkerPool, with_resources
from netplay.errors import Code, LocalError
from netplay.journal import Journal
from netplay.limits import THINK_SECONDS
from netplay.messages.review import Appraisal
from netplay.review.appraising import appraise
from netplay.review.choosing import compare
from netplay.review.turns import Choice, Judged
from netplay.sentences import Says

WORKERS: Final = 1
"""Processes that judge: a reader waits for one turn, while others may be playing."""


class Reviewer(Protocol):
    """Judges turns."""

    async def appraise(self, turn: Judged) -> Appraisal:
        """Return a turn beside the best plays there were.

        Raises:
            LocalError: USAGE, it could not be judged.
        """
        ...


class Reviews:
    """Judges turns, each in a worker process."""

    def __init__(
        self,
        journal: Journal,
        words: Path | None = None,
        word_choice: WordChoice | None = None,
    ) -> None:
        """Prepare; the process starts when it is needed.

        Args:
            journal: Told of turns that could not be judged.
            words: The folder with editions and word lists that are not shipped.
            word_choice: Which words to name; without, none that offend.
        """
        self._word_choice: Final = word_choice or WordChoice()
        self._journal: Final = journal
        self._words: Final = words
        self._pool: Final = WorkerPool(WORKERS)

    async def appraise(self, turn: Judged) -> Appraisal:
        """See `Reviewer`."""
        with trio.move_on_after(THINK_SECONDS):
            try:
                offensive = self._word_choice.offensive
                return await self._pool.run(judge, turn, self._words, offensive)
            except Exception as error:  # noqa: BLE001 (whatever becomes of a worker, the node and its matches go on)
                self._journal("review.failed", why=repr(error))
        raise LocalError(Code.USAGE, Says.NOT_ANALYSED())


def judge(turn: Judged, words: Path | None, offensive: bool) -> Appraisal:
    """Judge a turn; runs in a worker."""
    if isinstance(turn, Choice):
        rng = random.Random(turn.number)  # noqa: S311 (a player's whims are no secret)
        return with_resources(words, partial(compare, turn, rng), offensive=offensive)
    return with_resources(words, partial(appraise, turn), offensive=offensive)
