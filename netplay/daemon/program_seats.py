"""Seats that programs of the user's own play; a computer player stands behind each.

A program that fails is told of and asked no more in its match: our player goes on.  So
it does where the path is not known, as in a match from a saved file: a path comes from
the user's own command line and from nowhere else.
"""

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import trio

from netplay.daemon.computer_players import Thinker
from netplay.daemon.worker_pool import WorkerPool, with_resources
from netplay.errors import Code, LocalError
from netplay.faults import Faults
from netplay.journal import Journal
from netplay.limits import BOT_WORKERS, PROGRAM_SECONDS
from netplay.programs.paths import ProgramPaths
from netplay.programs.player import ProgramPlayer
from netplay.said import Said
from netplay.sentences import Says
from netplay.wanted import Thought
from rules.game import Seat

Place: TypeAlias = tuple[bytes, Seat]
"""Match and seat."""

END_SECONDS: Final = 3.0
"""For all programs to be gone when the node ends."""


class ProgramSeats:
    """Asks the programs at this node's seats, and the computer players for the rest."""

    def __init__(
        self,
        players: Thinker,
        paths: ProgramPaths,
        faults: Faults,
        journal: Journal,
        words: Path | None = None,
        seconds: float = PROGRAM_SECONDS,
    ) -> None:
        """Prepare; a program is started when its turn comes.

        Args:
            players: The computer players.
            paths: Where the program of each seat lies; tables put them in.
            faults: Keeps what went wrong, for windows and commands.
            journal: Told of it, too.
            words: The folder with editions and word lists that are not shipped.
            seconds: A program has for a move.
        """
        self._players: Final = players
        self._paths: Final = paths
        self._faults: Final = faults
        self._journal: Final = journal
        self._words: Final = words
        self._seconds: Final = seconds
        self._programs: Final[dict[Place, ProgramPlayer]] = {}
        self._failed: Final[dict[Place, Said]] = {}
        self._leaving: list[ProgramPlayer] = []
        self._pool: Final = WorkerPool(BOT_WORKERS)
        self.called: Callable[[bytes, Seat], tuple[str, str]] = lambda _match, _seat: (
            "",
            "",
        )
        """Returns what table and player of a seat are called."""
        self.tell: Callable[[Said], None] = lambda _words: None
        """Tells every window."""

    async def think(self, thought: Thought) -> Any:  # noqa: ANN401 (a game's own move)
        """See `Thinker`."""
        place = thought.match, thought.seat
        if thought.program and place not in self._failed:
            try:
                program = self._program(place)
                return await program.move(
                    thought.game, *place, thought.view, thought.left
                )
            except LocalError as error:
                self._fail(place, error.said)
        return await self._players.think(thought)

    def _program(self, place: Place) -> ProgramPlayer:
        """Return the program of a seat.

        Raises:
            LocalError: It is not known here.
        """
        program = self._programs.get(place)
        if program is None:
            path = self._paths.get(*place)
            if path is None:
                raise LocalError(Code.USAGE, Says.PROGRAM_UNKNOWN())
            program = ProgramPlayer(path, self._aside, self._seconds)
            self._programs[place] = program
        return program

    async def _aside(
        self,
        do: Callable[..., Any],
        game: str,
        view: Any,  # noqa: ANN401 (any game's)
        seat: Seat,
        more: tuple[Any, ...],
    ) -> Any:  # noqa: ANN401 (as `do`)
        """Have a worker work out what the rules say; see `player.Aside`."""
        work = partial(do, game, view, seat, *more)
        try:
            return await self._pool.run(with_resources, self._words, work)
        except Exception as error:  # whatever it is, the seat must move
            why = Says.COMPUTER_ERRED(why=repr(error))
            raise LocalError(Code.USAGE, why) from error

    def _fail(self, place: Place, why: Said) -> None:
        """Say that a program plays no more, and why."""
        table, name = self.called(*place)
        words = Says.PROGRAM_FAILED(name=name, seat=place[1] + 1, table=table, why=why)
        self._failed[place] = words
        self._drop(place)
        self._journal("program.failed", seat=place[1] + 1, why=why)
        if self._faults.fault(words):
            self.tell(words)

    def keep(self, living: Collection[Place]) -> None:
        """End the programs of all seats but these, and forget what was wrong there."""
        for place in self._programs.keys() - living:
            self._drop(place)
        for place in self._failed.keys() - living:
            self._faults.mended(self._failed.pop(place))

    def _drop(self, place: Place) -> None:
        """End the program of a seat, if one runs."""
        program = self._programs.pop(place, None)
        self._leaving = [each for each in self._leaving if not each.gone()]
        if program is not None:
            program.end()
            self._leaving.append(program)

    async def close(self) -> None:
        """End all programs, and wait until they are gone, not for long."""
        self.keep(())
        with trio.move_on_after(END_SECONDS):
            for program in self._leaving:
                await program.gone_at_last()
