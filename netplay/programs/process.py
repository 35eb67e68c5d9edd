"""The process of a program at a seat: started in a bare environment, ended with it."""

import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal, Protocol, Self, TypeAlias, TypeVar, cast

import msgspec
import trio
from msgspec import UNSET, Struct, UnsetType

from netplay import limits, text
from netplay.errors import Code, LocalError
from netplay.named_files import place_of
from netplay.programs import keeper
from netplay.said import Said, spoken
from netplay.sanitize import clean
from netplay.sentences import Says
from netplay.system.processes import NEEDED, apart, ender
from rules.game import IllegalMoveError, Seat

# What is said to a program at a seat and by it: a line of JSON each.


SHOWN: Final = 60
"""Characters of a program's words that the user is shown."""

Words: TypeAlias = "dict[str, Any]"


class Chosen(Struct, frozen=True):
    """The program has chosen a move, as the game's players type it."""

    move: Any


class MovesWanted(Struct, frozen=True):
    """The program asks for the legal moves."""


class Refused(Struct, frozen=True):
    """Why a chosen move is none; a value, for it comes from another process."""

    why: Said | str


class _Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the program's."""

    move: Any = UNSET
    ask: Literal["moves"] | UnsetType = UNSET


class Lines:
    """Cuts what a program says into lines; one that does not end is too long."""

    def __init__(self) -> None:
        self._buffer: Final = bytearray()

    def feed(self, data: bytes) -> None:
        """Take what has been said."""
        self._buffer.extend(data)

    def next(self) -> bytes | None:
        """Return the next whole line that is not empty, None if there is none yet.

        Raises:
            LocalError: TOO_LARGE, a line is longer than it may be.
        """
        while True:
            line, end, _rest = self._buffer.partition(b"\n")
            if len(line) > limits.PROGRAM_LINE_BYTES:
                raise LocalError(
                    Code.USAGE, Says.PROGRAM_LONG_LINE(count=limits.PROGRAM_LINE_BYTES)
                )
            if not end:
                return None
            del self._buffer[: len(line) + 1]
            if line.strip():
                return bytes(line)


def question(
    game: str, match: bytes, seat: Seat, view: object, left: float | None, limit: float
) -> bytes:
    """Return the line that asks for a move.

    Args:
        game: Name of the game.
        match: Names the match; empty where there is none.
        seat: Whose turn it is.
        view: What the seat knows.
        left: Seconds left on its clock, None without one.
        limit: Seconds in which it has to answer.
    """
    return _line(
        {
            "ask": "move",
            "game": game,
            "match": match.hex(),
            "seat": seat + 1,
            "left": None if left is None else round(left, 1),
            "limit": round(limit, 1),
            "position": text.writer(game).position(view),
        }
    )


def offered(moves: Sequence[str], *, more: bool) -> bytes:
    """Return the line that lists the legal moves.

    Args:
        moves: As many as are listed.
        more: There are others.
    """
    return _line({"moves": moves, "more": more})


def _line(words: Words) -> bytes:
    return msgspec.json.encode(words) + b"\n"


def parsed(line: bytes) -> Chosen | MovesWanted:
    """Return what a program says.

    Raises:
        LocalError: It is nothing that a program may say.
    """
    try:
        answer = msgspec.json.decode(line, type=_Answer)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise LocalError(Code.USAGE, Says.PROGRAM_RUBBISH(words=said(line))) from None
    if (answer.move is UNSET) is (answer.ask is UNSET):
        raise LocalError(Code.USAGE, Says.PROGRAM_RUBBISH(words=said(line)))
    return MovesWanted() if answer.move is UNSET else Chosen(answer.move)


def said(words: bytes) -> str:
    """Return the beginning of what a program wrote, fit to be shown."""
    return clean(words[: 4 * SHOWN].decode("utf-8", "replace"), SHOWN)


def judged(game: str, view: Any, seat: Seat, words: object) -> Any:  # noqa: ANN401 (any game's)
    """Return the move that a program has chosen, or why it is none (`Refused`).

    Args:
        game: Name of the game.
        view: What the seat knows.
        seat: Whose turn it is.
        words: As it was listed, or as a player types it.
    """
    if not isinstance(words, str):
        return Refused(said(msgspec.json.encode(words)))
    try:
        return text.read(game, view, seat, words)
    except IllegalMoveError as error:
        return Refused(Says.BECAUSE(what=words[:SHOWN], why=spoken(error)))


READ_BYTES: Final = 64 * 1024

LAST_WORDS_SECONDS: Final = 1.0
"""For what a program that has ended said of that."""

KEPT: Final = NEEDED.get(sys.platform, ())


class _Closable(Protocol):
    """A stream to or from a process, as every platform's can be closed at once."""

    def close(self) -> None:
        """Close it."""
        ...


def bare() -> dict[str, str]:
    """Return the environment of a program: nothing in it is the user's."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {"PATH": os.defpath, "LANG": "C.UTF-8", **kept}


def runnable(path: str) -> Path:
    """Return the whole path of a program that the user has named.

    Raises:
        LocalError: USAGE, there is none that can be run.
    """
    with suppress(OSError, ValueError):  # a zero byte
        found = place_of(path).absolute()
        if found.is_file() and os.access(found, os.X_OK):
            return found
    raise LocalError(Code.USAGE, Says.PROGRAM_NOT_RUNNABLE(path=path))


class Running:
    """A program that runs."""

    def __init__(self, process: trio.Process) -> None:
        self._process: Final = process
        self._finish: Final = (
            ender(process.pid) if sys.platform == "win32" else lambda: None
        )

    @classmethod
    async def start(cls, path: str) -> Self:
        """Start a program.

        Raises:
            LocalError: It cannot be started.
        """
        # A keeper cares for it where there is no job to end it.
        words, errors = [path], subprocess.DEVNULL
        if sys.platform != "win32":  # pragma: no branch (the tests run on Linux)
            words = [sys.executable, "-I", "-S", keeper.__file__, path]
            errors = subprocess.PIPE
        try:
            process = await trio.lowlevel.open_process(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=bare(),
                cwd=Path(path).parent,
                **apart(),
            )
        except (OSError, ValueError) as error:
            raise LocalError(Code.USAGE, Says.PROGRAM_ENDED(why=error)) from None
        return cls(process)

    async def say(self, line: bytes) -> None:
        """Write to the program's input.

        Raises:
            LocalError: It has ended.
        """
        assert self._process.stdin is not None
        try:
            await self._process.stdin.send_all(line)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise await self._ended() from None

    async def hear(self) -> bytes:
        """Return some of what the program says.

        Raises:
            LocalError: It has ended.
        """
        assert self._process.stdout is not None
        data: bytes | bytearray = b""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            data = await self._process.stdout.receive_some(READ_BYTES)
        if not data:
            raise await self._ended()
        return bytes(data)

    async def _ended(self) -> LocalError:
        """Return the error that says how the program ended: its last words."""
        errors, words = self._process.stderr, b""
        with trio.move_on_after(LAST_WORDS_SECONDS), suppress(trio.BrokenResourceError):
            while errors and (data := await errors.receive_some(READ_BYTES)):
                words = bytes(words + data)[-READ_BYTES:]
        lines = words.strip().splitlines() or [b"-"]
        return LocalError(Code.USAGE, Says.PROGRAM_ENDED(why=said(lines[-1])))

    def end(self) -> None:
        """End the program: its input ends, and its keeper sees to the rest."""
        process = self._process
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                cast("_Closable", stream).close()
        self._finish()

    def gone(self) -> bool:
        """Tell whether nothing of it is left."""
        return self._process.poll() is not None

    async def wait(self) -> None:
        """Wait until nothing of it is left."""
        await self._process.wait()


# A program at a seat as a player: a position goes in, a move comes out.
#
# Each question holds all there is to know, so the program may be started anew between
# any two: it is, after a question that nobody wants answered any more.


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
        self, path: str, aside: Aside = at_once, seconds: float = limits.PROGRAM_SECONDS
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
        self._lines = Lines()
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
        move, limit = None, self._seconds
        if left is not None:
            limit = min(limit, max(left - SPARE_SECONDS, left / 2))
        with trio.move_on_after(limit) as scope:
            try:
                line = question(game, match, seat, view, left, limit)
                move = await self._answer(line, game, view, seat)
            finally:
                if move is None:
                    self.end()
        if scope.cancelled_caught:
            raise LocalError(Code.USAGE, Says.PROGRAM_SILENT(seconds=round(limit)))
        return move

    async def _answer(self, line: bytes, game: str, view: Any, seat: Seat) -> Any:  # noqa: ANN401 (any game's)
        """Ask, list the moves as often as wanted, and return the one chosen."""
        if self._running is None:
            self._running, self._lines = (await Running.start(self._path), Lines())
        await self._running.say(line)
        for _ in range(limits.PROGRAM_LINES):
            match parsed(await self._line(self._running)):
                case Chosen(words):
                    move = await self._aside(judged, game, view, seat, (words,))
                    if isinstance(move, Refused):
                        raise LocalError(Code.ILLEGAL_MOVE, move.why)
                    return move
                case MovesWanted():
                    moves, more = await self._aside(
                        text.legal, game, view, seat, (limits.PROGRAM_MOVES,)
                    )
                    await self._running.say(offered(moves, more=more))
        raise LocalError(Code.USAGE, Says.PROGRAM_TALKS(count=limits.PROGRAM_LINES))

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
