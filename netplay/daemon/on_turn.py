"""A command of the user's, run when a table waits for the player and no window is open.

It comes from the command line at the start or from a file in the home, and from nowhere
else.  No shell reads it; what others are called is cleaned before it gets that.
"""

import os
import shutil
import subprocess
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from math import inf
from pathlib import Path
from typing import Final, TypeAlias
from unicodedata import category, normalize

import trio

from netplay.daemon.door import Door
from netplay.daemon.parts import Parts
from netplay.errors import Code, LocalError
from netplay.faults import Faults
from netplay.fingerprint import fingerprint, folded, is_fingerprint
from netplay.home import Home
from netplay.journal import Journal
from netplay.limits import ON_TURN_APART, ON_TURN_SECONDS
from netplay.messages.door import Clicked, Summons
from netplay.named_files import read_named
from netplay.said import Said, Words
from netplay.sanitize import NAME_CHARACTERS
from netplay.sentences import Says
from netplay.system.processes import apart, ender, is_left, split

LOOK_SECONDS: Final = 0.1
"""Between looks whether what the command has started is gone."""

COMMAND_BYTES: Final = 16 * 1024
"""Of the file with the command: no system runs a much longer line."""

KEPT_MARKS: Final = " -_."
"""Of the characters that are no letters, digits or accents, what stays in names."""

NOT_PASSED_ON: Final = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")
"""Of the node's environment: what only the node may say to its service manager."""

Runner: TypeAlias = Callable[[Sequence[str], Mapping[str, str]], Awaitable[Words]]
"""Runs a command with more in its environment, ends it, and returns what went wrong."""

REASONS: Final = ("turn", "time", "agreed", "live", "resumed", "ready")
"""For which the command is run: neither for chat nor for the end of a match."""


def words_of(command: str) -> tuple[str, ...]:
    """Return the words of a command that can be run, the first one the whole path.

    Raises:
        LocalError: USAGE, it cannot.
    """
    with suppress(ValueError):  # a quotation mark without its fellow
        words = split(command)
        path = shutil.which(os.path.expanduser(words[0])) if words else None  # noqa: PTH111 (pathlib's raises where there is no such user)
        if path is not None:
            return (os.path.abspath(path), *words[1:])  # noqa: PTH100 (links stay as they are)
    raise LocalError(Code.USAGE, Says.PROGRAM_NOT_RUNNABLE(path=command))


def kept_words(home: Home) -> tuple[str, ...]:
    """Return the words of the command that stands in a home; empty for none.

    One that cannot be run is told of, and nothing is run.
    """
    command = _kept(home, home.on_turn).strip()
    try:
        return words_of(command) if command else ()
    except LocalError as error:
        home.faults.fault(Says.AT(place=home.on_turn, why=error.said))
        return ()


def _kept(home: Home, path: Path) -> str:
    """Return the text of a file of a home; empty where none is, or none to be read."""
    try:
        return read_named(path, COMMAND_BYTES).decode()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeError) as error:
        home.faults.fault(Says.AT(place=path, why=error))
    except LocalError as error:
        home.faults.fault(Says.AT(place=path, why=error.said))
    return ""


def cleaned(text: str) -> str:
    """Return a name with which no script, however careless, can be led astray."""
    kept = (
        c for c in normalize("NFC", text) if category(c)[0] in "LMN" or c in KEPT_MARKS
    )
    return " ".join("".join(kept).split()).lstrip(KEPT_MARKS)[:NAME_CHARACTERS]


def environment(summons: Summons) -> dict[str, str]:
    """Return what the command is told."""
    return {
        "NETPLAY_TABLE": str(summons.table),
        "NETPLAY_REASON": summons.reason,
        "NETPLAY_GAME": cleaned(summons.game),
        "NETPLAY_OPPONENT": ", ".join(filter(None, map(cleaned, summons.who))),
    }


class OnTurn:
    """Runs the command: one at a time, and seldom for each table."""

    def __init__(
        self,
        words: Sequence[str],
        waits: Callable[[int], bool],
        quiet: Callable[[], float],
        journal: Journal,
        faults: Faults,
        run: Runner | None = None,
    ) -> None:
        """Prepare.

        Args:
            words: Of the command; empty for none.
            waits: Tells whether a table still waits for the player.
            quiet: Returns for how many seconds the player is to be told nothing.
            journal: Told of what is run.
            faults: Told when that fails, until it succeeds.
            run: Runs it.
        """
        self._words: Final = words
        self._waits: Final = waits
        self._quiet: Final = quiet
        self._journal: Final = journal
        self._faults: Final = faults
        self._failed: Said | None = None
        self._run: Final = run or run_command
        self._pending: dict[int, Summons] = {}
        self._ran: dict[int, float] = {}
        """When it was run last for a table, in seconds; only the last minute's."""
        self._woken = trio.Event()

    def ring(self, summons: Summons) -> None:
        """Note that a table waits for the player."""
        if self._words and summons.reason in REASONS:
            self._pending[summons.table] = summons
            self._woken.set()

    async def serve(self) -> None:
        """Run the command whenever it is due, until cancelled."""
        while True:
            with trio.move_on_at(self._due(trio.current_time())):
                await self._woken.wait()
            self._woken = trio.Event()
            now = trio.current_time()
            if self._due(now) <= now:
                await self._serve_one(now)

    def _due(self, now: float) -> float:
        """Return when the next is due."""
        if not self._pending:
            return inf
        self._ran = {n: at for n, at in self._ran.items() if at + ON_TURN_APART > now}
        free = min(self._ran.get(n, -inf) + ON_TURN_APART for n in self._pending)
        return max(free, now + self._quiet())

    async def _serve_one(self, now: float) -> None:
        """Run the command for a table that is due, if it still waits."""
        number = next(n for n in self._pending if n not in self._ran)
        summons = self._pending.pop(number)
        if not self._waits(number):
            return
        self._ran[number] = now
        self._journal("on-turn.run", table=number)
        try:
            why = await self._run(self._words, environment(summons))
        except OSError as error:
            why = str(error.strerror)
        if self._failed is not None:
            self._faults.mended(self._failed)
        self._failed = Says.NOTICE_FAILED(why=why) if why else None
        if self._failed is not None:
            self._journal("on-turn.failed", why=str(why))
            self._faults.fault(self._failed)


async def run_command(words: Sequence[str], told: Mapping[str, str]) -> Words:
    """Run a command, and end it with all that it has started when its time is up.

    Args:
        words: Of the command.
        told: More for its environment.

    Returns:
        What went wrong; empty if nothing did.

    Raises:
        OSError: It cannot be started.
    """
    own = {k: value for k, value in os.environ.items() if k not in NOT_PASSED_ON}
    process = await trio.lowlevel.open_process(
        list(words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**own, **told},
        **apart(),
    )
    end = ender(process.pid)
    try:
        with trio.move_on_after(ON_TURN_SECONDS) as scope:
            await process.wait()
            while is_left(process.pid):  # noqa: ASYNC110 (nothing tells of it)
                await trio.sleep(LOOK_SECONDS)
    finally:
        end()
        with trio.CancelScope(shield=True):
            await process.wait()
    if scope.cancelled_caught:
        return Says.NOTICE_SLOW(seconds=round(ON_TURN_SECONDS))
    return Says.NOTICE_STATUS(status=process.returncode) if process.returncode else ""


# Commands for friends whose letters are kept here: who is away is told that one came.
#
# Of a letter nothing can be read here; the game is named where this node plays along.


READERS: Final = 32
"""Friends with a command of their own, at the most."""

SHOWN: Final = 80
"""Characters of a line that is none."""


def kept_notices(home: Home) -> dict[str, tuple[str, ...]]:
    """Return the commands for friends that stand in a home, by their folded keys.

    A line is `KEY COMMAND`.  One that is none is told of, and left out.
    """
    found: dict[str, tuple[str, ...]] = {}
    lines = _kept(home, home.on_letter).splitlines()
    for line in filter(None, map(str.strip, lines)):
        key, _space, command = line.partition(" ")
        why: Words = Says.NO_KEY_BEFORE_COMMAND(line=line[:SHOWN])
        if len(found) < READERS and is_fingerprint(key):
            why = ""
            try:
                found[folded(key)] = words_of(command)
            except LocalError as error:
                why = error.said
        if why:
            home.faults.fault(Says.AT(place=home.on_letter, why=why))
    return found


class OnLetter:
    """Runs a friend's command when a letter has come for that friend."""

    def __init__(
        self, commands: Mapping[str, Sequence[str]], journal: Journal, faults: Faults
    ) -> None:
        """Prepare.

        Args:
            commands: The words of each, by the folded key of whom it is for.
            journal: Told of what is run.
            faults: Told when one fails, until it succeeds.
        """
        self._each: Final = {
            key: OnTurn(words, lambda _table: True, lambda: 0.0, journal, faults)
            for key, words in commands.items()
        }

    def came(self, reader: bytes, author: str, game: str) -> None:
        """Note that a letter is kept for somebody who is away.

        Args:
            reader: For whom, by the key.
            author: Whose, by name.
            game: In which, if that is known here.
        """
        if (command := self._each.get(folded(fingerprint(reader)))) is not None:
            command.ring(Summons(0, "turn", game, (author,)))

    async def serve(self) -> None:
        """Run what is due, until cancelled."""
        async with trio.open_nursery() as nursery:
            for command in self._each.values():
                nursery.start_soon(command.serve)
            await trio.sleep_forever()


# Calls the player to what waits: through the windows, or by the user's command.
#
# Brings the windows what was clicked elsewhere, too.


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
            parts.on_turn, self._is_alone, self._quiet, parts.journal, parts.faults
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

    def on_shown(self, number: int) -> None:
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
