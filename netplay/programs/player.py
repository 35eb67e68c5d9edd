"""A program at a seat as a player: a position goes in, a move comes out.

Each question holds all there is to know, so the program may be started anew between any
two: it is, after a question that nobody wants answered any more.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import trio

from netplay.errors import Code, LocalError
from netplay.limits import PROGRAM_LINES, PROGRAM_SECONDS
from netplay.programs import process
from netplay.programs.process import Running
from netplay.sentences import Says
from rules.game import Seat

T = TypeVar("T")

Aside = Callable[[Callable[..., Any], str, Any, Seat, tuple[Any, ...]], Awaitable[Any]]
"""(do, game, view, seat, more) -> what `do(game, view, seat, *more)` returns, worked
out where it holds nothing up."""

SPARE_SECONDS: Final = 2.0
"""Of what is left on the clock, kept for the player that has to take over."""


async def at_once(
    do: Callable[..., Any],
    game: str,
    view: Any,  # noqa: ANN401 (any game's)
    seat: Seat,
    more: tuple[Any, ...],
) -> Any:  # noqa: ANN401 (as `do`)
    """Work it out here and now; see `Aside`."""
    return do(game, view, seat, *more)


class ProgramPlayer:
    """A program; it is started when it is asked first."""

    def __init__(
        self, path: str, aside: Aside = at_once, seconds: float = PROGRAM_SECONDS
    ) -> None:
        """Note where it lies.

        Args:
            path: Whole.
            aside: Works out what the rules say.
            seconds: It has for an answer.
        """
        self._path: Final = path
        self._aside: Final = aside
        self._seconds: Final = seconds
        self._running: Running | None = None
        self._lines = process.Lines()
        self._ended: list[Running] = []

    async def move(
        self,
        game: str,
        match: bytes,
        seat: Seat,
        view: Any,  # noqa: ANN401 (any game's)
        left: float | None = None,
    ) -> Any:  # noqa: ANN401 (any game's)
        """Return the move that the program chooses.

        Args:
            game: Name of the game.
            match: Names the match.
            seat: Whose turn it is.
            view: What it knows.
            left: Seconds on its clock, None without one.

        Raises:
            LocalError: What it did instead; it has been ended then.
        """
        move, limit = None, self._limit(left)
        with trio.move_on_after(limit) as scope:
            try:
                line = process.question(game, match, seat, view, left, limit)
                move = await self._answer(line, game, view, seat)
            finally:
                if move is None:
                    self.end()
        if scope.cancelled_caught:
            raise LocalError(Code.USAGE, Says.PROGRAM_SILENT(seconds=round(limit)))
        return move

    def _limit(self, left: float | None) -> float:
        """Return the seconds that it has for an answer."""
        if left is None:
            return self._seconds
        return max(min(self._seconds, left - SPARE_SECONDS), left / 2)

    async def _answer(self, line: bytes, game: str, view: Any, seat: Seat) -> Any:  # noqa: ANN401 (any game's)
        """Ask, list the moves as often as wanted, and return the one chosen."""
        if self._running is None:
            self._running, self._lines = (
                await Running.start(self._path),
                process.Lines(),
            )
        await self._running.say(line)
        for _ in range(PROGRAM_LINES):
            match process.read(await self._line(self._running)):
                case process.Chosen(words):
                    return await self._judged(game, view, seat, words)
                case process.MovesWanted():
                    moves, more = await self._aside(
                        process.listed, game, view, seat, ()
                    )
                    await self._running.say(process.offered(moves, more=more))
        raise LocalError(Code.USAGE, Says.PROGRAM_TALKS(count=PROGRAM_LINES))

    async def _judged(self, game: str, view: Any, seat: Seat, words: object) -> Any:  # noqa: ANN401 (any game's)
        """Return the move that is meant.

        Raises:
            LocalError: ILLEGAL_MOVE, it is none, or the rules forbid it.
        """
        move = await self._aside(process.judged, game, view, seat, (words,))
        if isinstance(move, process.Refused):
            raise LocalError(Code.ILLEGAL_MOVE, move.why)
        return move

    async def _line(self, running: Running) -> bytes:
        while (line := self._lines.next()) is None:
            self._lines.feed(await running.hear())
        return line

    def end(self) -> None:
        """End the program, and all that it has started."""
        self._ended = [each for each in self._ended if not each.gone()]
        if self._running is not None:
            self._running.end()
            self._ended.append(self._running)
            self._running = None

    def gone(self) -> bool:
        """Tell whether nothing is left of what was ended."""
        return all(each.gone() for each in self._ended)

    async def gone_at_last(self) -> None:
        """Wait until nothing is left of what was ended."""
        for each in self._ended:
            await each.wait()
