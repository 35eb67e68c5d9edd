"""The user's own words and editions, worked on for windows while the match goes on.

What takes long - a word list of a million words is built anew for one word more - is
done in a process of its own, one job after the other; the node only opens the file
that comes of it.  The tools are those of `netplay words`.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import anyio
import anyio.to_process

from netplay.daemon.cached import Cached
from netplay.daemon.user_files import beside
from netplay.errors import Code, LocalError
from netplay.home import Home, spare
from netplay.messages.door import TableStatus, Tool
from netplay.said import Said, Words
from netplay.sentences import Says
from netplay.table import dictionary
from netplay.table.own_files import OwnFiles, put
from rules import editions, lexicon

Job: TypeAlias = tuple[Path, tuple[str, ...], Path]
"""Home, arguments of the verb `words`, and the file that is written."""

Away: TypeAlias = Callable[[Job], Awaitable[Said]]
"""Does a job elsewhere and returns what was done."""

LOOK_SECONDS: Final = 2.0
"""Between looks at the folders."""

OVER: Final = "over"
"""Said last, when what lies in the place of a file may go."""

VERBS: Final = ("words", "edition")
"""Tools that are answered here."""


class DictionaryTools:
    """Answers the door's tools for words and editions."""

    def __init__(
        self, home: Home, table: Callable[[], TableStatus | None], away: Away | None
    ) -> None:
        """Prepare.

        Args:
            home: Whose words and editions.
            table: Returns the table in hand.
            away: Does what takes long; None for a process of its own.
        """
        self._home: Final = home
        self._table: Final = table
        self._away: Final[Away] = away or in_process
        self._own: Final = OwnFiles(home)
        self._names: Final = Cached(self._look, LOOK_SECONDS)
        self._turn: anyio.Lock | None = None

    def names(self, now: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of the user's editions and word lists, looked up lately."""
        return self._names.get(now)

    def _look(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names as they are now."""
        self._own.look()
        return tuple(editions.own()), tuple(lexicon.own())

    def look(self) -> None:
        """Take up at once what has changed: a table is about to be made of it."""
        self._own.look()

    async def do(self, tool: Tool) -> tuple[Words, bytes]:
        """Return what was done, in words, and data if there is any.

        Raises:
            LocalError: It cannot be done.
        """
        self._own.look()
        if tool.verb == "edition":
            return await self._edition(tool)
        match tool.arguments:
            case ("check", edition, name, word):
                return _check(edition, name, word)
            case ("add" | "delete" as verb, _, _, target, _):
                return await self._change(verb, tool.arguments, target)
            case ("import", _, target, path):
                await beside(partial(_touch, path), path)
                return await self._change("import", tool.arguments, target)
            case ("export", edition, name, path, *over):
                out = await _spare(path, over=over == [OVER])
                return await self._work(("export", edition, name), out), b""
            case _:
                raise LocalError(Code.USAGE, Says.NOT_SO(verb=tool.verb))

    async def _edition(self, tool: Tool) -> tuple[Words, bytes]:
        """Open an edition, or save one of the user's own.

        Raises:
            LocalError: It cannot be done.
        """
        match tool.arguments:
            case ("open", name):
                found = dictionary.edition_of(name)
                return found.name, editions.encode(found)
            case ("export", path, text, *over):
                out = await _spare(path, over=over == [OVER])
                await beside(partial(put, out, text.encode()), out)
                return Says.EDITION_WRITTEN(path=out), b""
            case ("save", name, text):
                saved = self._own.save(name, text)
                self._names.forget()
                return _saved(saved), b""
            case _:
                raise LocalError(Code.USAGE, Says.NOT_SO(verb=tool.verb))

    async def _change(
        self, verb: str, arguments: tuple[str, ...], name: str
    ) -> tuple[Words, bytes]:
        """Change a list of the user's own, or make it.

        Raises:
            LocalError: USAGE, in company; or it cannot be done.
        """
        table = self._table()
        if table is not None and any(seat.kind == "remote" for seat in table.seats):
            raise LocalError(Code.USAGE, Says.DICTIONARY_IN_USE())
        done = await self._work(arguments, self._own.list_path(name))
        self._own.look()
        self._names.forget()
        changed = Says.LIST_CHANGED(name=name, done=done)
        if _playing(table):
            changed = Says.THEN(first=changed, then=Says.KEEPS_WORDS())
        return changed, verb.encode()

    async def _work(self, arguments: tuple[str, ...], out: Path) -> Said:
        """Do one job after the other elsewhere."""
        if self._turn is None:
            self._turn = anyio.Lock()
        async with self._turn:
            return await self._away((self._home.path, arguments, out))


async def _spare(path: str, *, over: bool) -> Path:
    """Return where a file of the user's may be written, as `home.spare` does."""
    return await beside(partial(spare, _absolute(path), over=over), path)


def _touch(path: str) -> None:
    """Return once a drive answers about a file; what is wrong is told by who reads."""
    with suppress(OSError, ValueError), Path(path).expanduser().open("rb") as file:
        file.read(1)


def _check(edition: str, name: str, word: str) -> tuple[Words, bytes]:
    """Return whether a word is in a list, in words and as data."""
    shown = word.strip().upper()
    if dictionary.check(edition, name, [word])[0]:
        return Says.A_WORD(word=shown), b"yes"
    return Says.NO_WORD(word=shown), b"no"


def _playing(table: TableStatus | None) -> bool:
    """Tell whether a match is under way."""
    return table is not None and bool(table.match) and table.phase != "over"


def _absolute(path: str) -> Path:
    """Return the path that a user typed.

    Raises:
        LocalError: USAGE, it says nothing of where: the node works elsewhere.
    """
    found = Path(path).expanduser()
    if not found.is_absolute():
        raise LocalError(Code.USAGE, Says.WHOLE_PATH(path=path))
    return found


def _saved(edition: editions.Edition) -> Said:
    """Return that an edition was saved, and what it still needs."""
    named = {**lexicon.shipped(), **lexicon.own()}
    done = Says.EDITION_SAVED(name=edition.name)
    if edition.words not in named:
        return Says.SAVED_WITHOUT_DICTIONARY(saved=done, words=edition.words)
    if lexicon.find(named[edition.words]).alphabet != edition.alphabet:
        return Says.SAVED_WITH_OTHER_LETTERS(saved=done, words=edition.words)
    return done


async def in_process(job: Job) -> Said:
    """Do a job in a worker process.

    Raises:
        LocalError: It cannot be done.
    """
    code, said = await anyio.to_process.run_sync(work, job)
    if code:
        raise LocalError(Code[code], said)
    assert isinstance(said, Said)  # a job that is done says so
    return said


def work(job: Job) -> tuple[str, Words]:
    """Do a job here; for another process, to which errors do not travel well.

    Returns:
        The name of a code, or nothing, and words.
    """
    home, arguments, out = job
    OwnFiles(Home(home)).look()
    try:
        return "", _done(arguments, out)
    except LocalError as error:
        return error.code.name, error.detail


def _done(arguments: tuple[str, ...], out: Path) -> Said:
    """Do what the arguments of the verb `words` say.

    Raises:
        LocalError: It cannot be done.
    """
    verb, edition, *rest = arguments
    match verb:
        case "import":
            return dictionary.import_text(edition, _absolute(rest[1]), out)
        case "export":
            return dictionary.export_text(edition, rest[0], out)
        case _:
            return dictionary.change(verb, edition, rest[0], rest[2:], out)
