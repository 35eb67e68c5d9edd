"""The user's own words and editions, worked on for windows while the match goes on.

What takes long - a word list of a million words is built anew for one word more - is
done in a process of its own, one job after the other; the node only opens the file
that comes of it.  The tools are those of `netplay words`.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final, Generic, NoReturn, TypeAlias, TypeVar, assert_never

import anyio
import anyio.to_process
import trio

from netplay.errors import Code, LocalError
from netplay.home import Home, spare
from netplay.messages import node_questions
from netplay.messages.door import TableStatus
from netplay.named_files import FILE_MEMORY_BYTES, memory_capped, place_of, read_head
from netplay.said import Said, Words
from netplay.sentences import Says
from netplay.table import dictionary
from netplay.table.resources import OwnFiles, put
from rules import editions, lexicon

# Files that the user names, read and written beside the node.
#
# They may lie on a network drive that has gone: whoever asks it waits for minutes, and
# nobody can be called back. So each is asked in a thread of its own, which is left
# alone when its time is over, and the node goes on.


DRIVE_SECONDS: Final = 10.0
"""A disk that sleeps wakes within this time; whoever waits at a window longer than
that believes that the program hangs."""

T = TypeVar("T")


async def beside(job: Callable[[], T], path: Path | str) -> T:
    """Return what a job on a file of the user's returns or raises.

    Args:
        job: Reads or writes the file.
        path: Where it lies, for whom it is told to.

    Raises:
        LocalError: DISK, the drive does not answer.
    """
    work = partial(_within, job, str(path), DRIVE_SECONDS)
    return await trio.to_thread.run_sync(work, abandon_on_cancel=True)


def _within(job: Callable[[], T], path: str, limit: float) -> T:
    """Do a job in a thread that nobody has to wait for."""
    ended: SimpleQueue[Callable[[], T]] = SimpleQueue()
    Thread(target=lambda: ended.put(_outcome(job)), daemon=True).start()
    try:
        outcome = ended.get(timeout=limit)
    except Empty:
        detail = Says.DRIVE_SILENT(path=path, seconds=round(limit))
        raise LocalError(Code.DISK, detail) from None
    return outcome()


def _outcome(job: Callable[[], T]) -> Callable[[], T]:
    """Do a job; return what tells what came of it."""
    try:
        done = job()
    except Exception as error:  # noqa: BLE001 (it is raised where it is waited for)
        return partial(_again, error)
    return lambda: done


def _again(error: Exception) -> NoReturn:
    raise error


# Remember for a moment what takes time to find out.


class Cached(Generic[T]):
    """What a function returned a moment ago, or returns now."""

    def __init__(self, find: Callable[[], T], seconds: float) -> None:
        """Prepare.

        Args:
            find: Finds it out.
            seconds: How long it stays true enough.
        """
        self._find = find
        self._seconds = seconds
        self._found: tuple[float, T] | None = None

    def get(self, now: float) -> T:
        """Return it.

        Args:
            now: Seconds on the caller's clock.
        """
        if self._found is None or now >= self._found[0] + self._seconds:
            self._found = (now, self._find())
        return self._found[1]

    def forget(self) -> None:
        """Find it out anew the next time: it has just changed."""
        self._found = None


Work: TypeAlias = (
    node_questions.ChangeWords | node_questions.ImportWords | node_questions.ExportWords
)
"""What takes long."""

Job: TypeAlias = tuple[Path, Work, Path]
"""Home, what is asked, and the file that is written."""

Away: TypeAlias = Callable[[Job], Awaitable[Said]]
"""Does a job elsewhere and returns what was done."""

SHOWN: Final = 1000
"""Names of each kind: a folder may have more than a frame has room for."""

LOOK_SECONDS: Final = 2.0
"""Between looks at the folders."""


class DictionaryTools:
    """Answers what windows ask about words and editions."""

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
        self._own.refresh()
        names = tuple(editions.own()), tuple(lexicon.own())
        return names[0][:SHOWN], names[1][:SHOWN]  # they go along with every status

    def refresh(self) -> None:
        """Take up at once what has changed: a table is about to be made of it."""
        self._own.refresh()

    async def do(  # noqa: C901, PLR0911 (one a question)
        self, ask: node_questions.WordQuestion
    ) -> tuple[Words, bytes]:
        """Return what was done, in words, and data if there is any.

        Raises:
            LocalError: It cannot be done.
        """
        self._own.refresh()
        match ask:
            case node_questions.CheckWord(edition, name, word):
                return await trio.to_thread.run_sync(
                    _check, self._home, edition, name, word
                )
            case node_questions.DefineWords(words, listed):
                return "", await trio.to_thread.run_sync(
                    _define, self._home, words, listed
                )
            case node_questions.SearchWords(edition, name, how, text):
                return await trio.to_thread.run_sync(_search, edition, name, how, text)
            case node_questions.RateTiles(edition, name, tiles):
                worth = dictionary.worth_kept(edition, name, tiles)
                whole, _, part = f"{worth:+z.1f}".partition(".")
                points = Says.DECIMAL(whole=whole, part=part)
                told = Says.TILES_WORTH(tiles=tiles.strip().upper(), points=points)
                return told, b""
            case node_questions.ChangeWords():
                return await self._change(ask), b""
            case node_questions.ImportWords(path=path):
                await beside(partial(_touch, path), path)
                return await self._change(ask), b""
            case node_questions.ExportWords(path=path, over=over):
                return await self._work(ask, await _spare(path, over=over)), b""
            case node_questions.OpenEdition(name):
                found = await beside(partial(dictionary.edition_of, name), name)
                return found.name, editions.encode(found)
            case node_questions.WriteEdition(path, text, over):
                out = await _spare(path, over=over)
                await beside(partial(put, out, text.encode()), out)
                return Says.EDITION_WRITTEN(path=out), b""
            case node_questions.SaveEdition(name, text):
                saved = self._own.save(name, text)
                self._names.forget()
                return _saved(saved), b""
            case _:
                assert_never(ask)

    async def _change(
        self, ask: node_questions.ChangeWords | node_questions.ImportWords
    ) -> Said:
        """Change a list of the user's own, or make it.

        Raises:
            LocalError: USAGE, in company; or it cannot be done.
        """
        table, name = self._table(), ask.into
        if table is not None and any(seat.kind == "remote" for seat in table.seats):
            raise LocalError(Code.USAGE, Says.DICTIONARY_IN_USE())
        done = await self._work(ask, self._own.list_path(name))
        self._own.refresh()
        self._names.forget()
        changed = Says.LIST_CHANGED(name=name, done=done)
        if table is not None and bool(table.match) and table.phase != "over":
            changed = Says.THEN(first=changed, then=Says.KEEPS_WORDS())
        return changed

    async def _work(self, ask: Work, out: Path) -> Said:
        """Do one job after the other elsewhere."""
        if self._turn is None:
            self._turn = anyio.Lock()
        async with self._turn:
            return await self._away((self._home.path, ask, out))


async def _spare(path: str, *, over: bool) -> Path:
    """Return where a file of the user's may be written, as `home.spare` does."""
    return await beside(partial(spare, _absolute(path), over=over), path)


def _touch(path: str) -> None:
    """Return once a drive answers about a file; what is wrong is told by who reads."""
    with suppress(OSError, ValueError, LocalError):
        read_head(place_of(path), 1)


DEFINED: Final = 60
"""Words that a window is told the meanings of: what a frame has room for."""

FOUND: Final = 1000
"""Words that a window is told of."""


def _search(
    edition: str, name: str, how: node_questions.Search, text: str
) -> tuple[Words, bytes]:
    """Return which words fit: how many, and as data the words."""
    count, found = dictionary.search_first(edition, name, how, text, FOUND)
    said = Says.WORDS_FIT(count=count) if count else Says.NO_WORD_FITS()
    return said, "\n".join(found).encode()


def _check(home: Home, edition: str, name: str, word: str) -> tuple[Words, bytes]:
    """Return whether a word is in a list, and why not, in words and as data."""
    there = dictionary.in_list(edition, name, [word])[0]
    return dictionary.look_up(home, edition, name, word), b"yes" if there else b"no"


def _define(home: Home, words: str, listed: tuple[str, ...]) -> bytes:
    """Return a line for each word of which its list says what it means."""
    told = dictionary.meanings(home, words, listed[:DEFINED])
    return "\n".join(f"{word}\t{meaning}" for word, meaning in told.items()).encode()


def _absolute(path: str) -> Path:
    """Return the path that a user typed.

    Raises:
        LocalError: USAGE, it says nothing of where: the node works elsewhere.
    """
    found = place_of(path)
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
    try:
        code, said = await anyio.to_process.run_sync(work, job)
    except anyio.BrokenWorkerProcess:
        ended = Says.READER_ENDED(path=job[2])
        raise LocalError(Code.FILE, ended) from None
    if code:
        raise LocalError(Code[code], said)
    assert isinstance(said, Said)  # a job that is done says so
    return said


def work(job: Job) -> tuple[str, Words]:
    """Do a job here; for another process, to which errors do not travel well.

    Returns:
        The name of a code, or nothing, and words.
    """
    home, ask, out = job
    OwnFiles(Home(home)).refresh()
    try:
        with memory_capped(FILE_MEMORY_BYTES):
            return "", _done(Home(home), ask, out)
    except LocalError as error:
        return error.code.name, error.detail
    except MemoryError:
        return Code.FILE.name, Says.MEMORY_LIMIT(path=out)


def _done(home: Home, ask: Work, out: Path) -> Said:
    """Do what is asked.

    Raises:
        LocalError: It cannot be done.
    """
    match ask:
        case node_questions.ImportWords(edition, _, path):
            return dictionary.import_text(edition, _absolute(path), out)
        case node_questions.ExportWords(edition, words):
            return dictionary.export_text(home, edition, words, out)
        case node_questions.ChangeWords(change, edition, words, _, word):
            return dictionary.change(change, edition, words, [word], out)
