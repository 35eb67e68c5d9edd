"""The directory that holds a node's key, matches, words and settings.

One running node a home: whoever holds the lock is the node.
"""

import json
import os
import stat
import time  # noqa: TID251 (another program's turn is waited for, no match's)
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO, Any, Final, TypeVar, cast

from netplay.errors import Code, LocalError
from netplay.faults import Faults
from netplay.home_folder import home_folder
from netplay.named_files import (
    OWN_BYTES,
    PRIVATE_FILE,
    open_to_append,
    place_of,
    read_named,
)
from netplay.said import Saying
from netplay.sentences import Says
from netplay.system.disk import full_sync, lock, sync_folder

PRIVATE_DIRECTORY: Final = 0o700
OTHERS_WRITE: Final = 0o022
DAMAGED: Final = ".damaged"
"""Behind the name of a file that was set aside."""

FULL_SYNC: Final = full_sync()
"""What a file needs to last on this system, None where `fsync` is enough."""

SOCKET: Final = "door"
"""The Unix socket of the node in a home."""

TOKEN: Final = "door.json"  # noqa: S105 (a file name)
"""Where there are no Unix sockets: port and token, in a file only the user reads."""


LOOKS: Final = 100
"""Times that a file's turn is looked for, a hundredth of a second apart."""

NODE_LOG: Final = "node.log"
"""What a node without a terminal says beside its journal, such as how it has failed."""

MOVED: Final = "moved.json"
"""Says that everything here has moved to another computer."""


T = TypeVar("T")


class Home:
    """Where everything of a node lies."""

    def __init__(self, path: Path) -> None:
        """Name the files; nothing is made before `prepare`."""
        self.path = path
        self.key = path / "key.pem"
        self.leaf = path / "leaf.pem"
        self.peers = path / "peers.json"
        self.blocked = path / "blocked.json"
        self.programs = path / "programs.json"
        """Where the programs lie that play seats here."""
        self.asked = path / "asked.json"
        """Tables that wait for the answer of somebody who is away."""
        self.settings = path / "settings.json"
        self.muted = path / "muted.json"
        """Tables, players' chat and hours of which the player is told nothing."""
        self.on_turn = path / "on-turn"
        """A command of the user's, for each turn; it stays with this computer."""
        self.on_letter = path / "on-letter"
        """Commands of the user's for friends whose letters are kept here, by key."""
        self.moved = path / MOVED
        self.matches = path / "matches"
        self.results = path / "results"
        """How finished matches have ended: read off them again if it is lost."""
        self.words = path / "words"
        """Editions and word lists by digest, the user's and other players'."""
        self.written = path / "written"
        """What friends and the player have written to each other without a table."""
        self.letters = path / "letters"
        """What is kept for others until they come; it stays with this computer."""
        self.editions = path / "editions"
        """The user's own editions by name; so are the dictionaries."""
        self.dictionaries = path / "dictionaries"
        self.door = path / SOCKET
        """The Unix socket."""
        self.token = path / TOKEN
        """Port and token of a door that is no Unix socket."""
        self.lock = path / "lock"
        self._unkept: dict[str, str] = {}
        """Settings that the disk has refused to keep."""
        self.faults = Faults()
        """What was found to be damaged or missing here."""
        self.journal = path / "journal.log"
        """The last events of the node, and of the nodes before it."""

    def prepare(self) -> None:
        """Make the directories, open to their owner alone; those there are stay so.

        Raises:
            LocalError: DISK, they cannot be made.
        """
        try:
            for directory in (self.path, self.matches, self.words):
                directory.mkdir(parents=True, exist_ok=True, mode=PRIVATE_DIRECTORY)
            mode = self.path.stat().st_mode
        except OSError as error:
            raise LocalError(
                Code.DISK, Says.AT(place=self.path, why=error.strerror)
            ) from None
        if os.name != "nt" and mode & OTHERS_WRITE:
            self.faults.fault(Says.OTHERS_MAY_WRITE(path=self.path))

    @property
    def used(self) -> bool:
        """Whether a node has met others here, or played."""
        return self.peers.exists() or any(self.matches.glob("*.netplay"))

    @property
    def keyless(self) -> bool:
        """Whether the home has lost its key: another would be another node."""
        return self.used and not self.key.exists()

    def moved_in(self) -> str | None:
        """Return the file in which everything has moved, None if it is here."""
        if not self.moved.exists():
            return None
        return str(read_json(self.moved).get("file", "?"))

    def look_for_move(self) -> None:
        """Refuse to play where everything has moved to another computer.

        Raises:
            LocalError: USAGE, it has.
        """
        file = self.moved_in()
        if file is not None:
            day = str(read_json(self.moved).get("day", "?"))
            raise LocalError(Code.USAGE, Says.MOVED(day=day, file=file))

    def stay(self) -> bool:
        """Let nodes play here again; tell whether everything had moved.

        Raises:
            LocalError: DISK, the mark of that stays.
        """
        try:
            self.moved.unlink()
            sync_folder(self.path)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise LocalError(
                Code.DISK, Says.AT(place=self.moved, why=error.strerror)
            ) from None
        return True

    def hold(self, *, reading: bool = False) -> IO[bytes]:
        """Return the lock of the home, held until the file is closed.

        Args:
            reading: The home is only read: where its disk takes no lock, that of a
                node from before is held, as a file that is not `writable`.

        Raises:
            LocalError: USAGE, a node runs here already; DISK, there can be no lock.
        """
        try:
            file: IO[bytes] = open(self.lock, "ab", opener=_private)  # noqa: SIM115 (held until it is closed)
        except OSError as error:
            try:
                if not reading:
                    raise
                # Without a lock, no node has been here since the disk could be written.
                held = self.lock if self.lock.exists() else Path(os.devnull)
                file = held.open("rb")
            except OSError:
                raise LocalError(
                    Code.DISK, Says.AT(place=self.lock, why=error.strerror)
                ) from None
        try:
            lock(file.fileno())
        except OSError:
            file.close()
            detail = Says.NODE_RUNNING(path=self.path)
            raise LocalError(Code.USAGE, detail) from None
        return file

    def setting(self, name: str, default: str = "") -> str:
        """Return a setting, or the default if it was never set."""
        if name in self._unkept:
            return self._unkept[name]
        return str(self._settings().get(name, default))

    def set(self, name: str, value: str) -> None:
        """Keep a setting; a damaged file of them is set aside first."""
        self.look_at_settings()
        settings = {**self._settings(), name: value}
        write_whole(self.settings, json.dumps(settings, indent=1).encode())
        self._unkept.pop(name, None)

    def set_now(self, name: str, value: str, told: Saying) -> None:
        """Set something for this run; where the disk refuses to keep it, tell why.

        Args:
            name: What.
            value: To what.
            told: In which words, with the reason.
        """
        try:
            self.set(name, value)
        except LocalError as error:
            self._unkept[name] = value
            self.faults.fault(told(why=error.detail))

    def look_at_settings(self) -> None:
        """Set the settings aside if they are damaged, and note that.

        Raises:
            LocalError: DISK, they cannot be.
        """
        if is_damaged(self.settings):
            name = set_aside(self.settings).name
            self.faults.fault(Says.SETTINGS_DAMAGED(name=name))

    def _settings(self) -> Mapping[str, Any]:
        """Return all settings; a damaged file counts as empty."""
        return read_json(self.settings)


def find(chosen: str | None) -> Home:
    """Return the home the user chose, by option or environment, or the usual one."""
    return Home(home_folder(chosen))


def is_damaged(path: Path) -> bool:
    """Tell whether a file of our own is there and yet no object of JSON."""
    try:
        return not isinstance(json.loads(read_named(path, OWN_BYTES)), dict)
    except FileNotFoundError:
        return False
    except (OSError, ValueError, RecursionError, LocalError):
        return True


def read_kept(
    path: Path, take: Callable[[Any], T], faults: Faults | None, told: Saying
) -> T | None:
    """Return what a file of our own says; None if it is missing or damaged.

    One that is damaged is set aside, and told of.

    Args:
        path: The file, of JSON.
        take: Returns what that means; raises TypeError, ValueError or LocalError if it
            makes no sense.
        faults: Told of a damaged one.
        told: In these words, with the name under which it is kept.

    Raises:
        LocalError: DISK, it cannot be set aside.
    """
    if not path.exists():
        return None
    try:
        return take(json.loads(read_named(path, OWN_BYTES)))
    except (OSError, TypeError, ValueError, RecursionError, LocalError):
        name = set_aside(path).name
    if faults is not None:
        faults.fault(told(name=name))
    return None


def _private(path: str, flags: int) -> int:
    """Open a file that only its owner may read or write."""
    return os.open(path, flags, PRIVATE_FILE)


def read_json(path: Path) -> Mapping[str, Any]:
    """Return the object in a file of our own; empty if it is missing or damaged."""
    try:
        found: Any = json.loads(read_named(path, OWN_BYTES))
    except (OSError, ValueError, RecursionError, LocalError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def aside_names(name: str) -> Iterator[str]:
    """Yield what a damaged file may be called when it is set aside."""
    yield f"{name}{DAMAGED}"
    yield from (f"{name}{DAMAGED}-{number}" for number in count(2))


def set_aside(path: Path, rest: bytes = b"") -> Path:
    """Keep a damaged file under another name, and return where it lies now.

    Args:
        path: The file.
        rest: What takes its place, durably; nothing for no file.

    Raises:
        LocalError: DISK; the file is where it was.
    """
    names = map(path.with_name, aside_names(path.name))
    aside = next(place for place in names if not place.exists())
    linked = False
    try:
        if rest:  # it is there under one of its names all the time, whatever its size
            with suppress(OSError):  # a folder, or a disk without links
                os.link(path, aside)
                linked = True
        if not linked:
            path.replace(aside)
            sync_folder(path.parent)
    except OSError as error:
        raise LocalError(Code.DISK, Says.AT(place=path, why=error.strerror)) from None
    if rest:
        try:
            write_whole(path, rest)
        except LocalError:
            with suppress(OSError):
                aside.unlink() if linked else aside.replace(path)
            raise
    return aside


def spare(path: Path, *, over: bool, instead: str = "") -> Path:
    """Return the whole path at which a file of the user's may be written.

    Args:
        path: As the user named it.
        over: What lies there may go.
        instead: What the user can do where something lies there.

    Raises:
        LocalError: USAGE, it is no plain file; TAKEN, something lies there that may
            not go; DISK, nobody can tell.
    """
    found = place_of(path).absolute()
    try:
        kind = found.stat().st_mode
    except FileNotFoundError:
        kind = stat.S_IFREG  # or a link to nothing, in whose place a file may come
    except OSError as error:
        why = Says.AT(place=found, why=error.strerror)
        raise LocalError(Code.DISK, why) from None
    except ValueError as error:  # a name with a zero byte
        raise LocalError(Code.DISK, Says.AT(place=found, why=error)) from None
    if stat.S_ISDIR(kind):
        raise LocalError(Code.USAGE, Says.A_FOLDER(path=found))
    if not stat.S_ISREG(kind):
        raise LocalError(Code.USAGE, Says.NO_PLAIN_FILE(path=found))
    if not over and os.path.lexists(found):
        raise LocalError(
            Code.TAKEN, Says.TAKEN_THERE(path=found) if instead else str(found)
        )
    return found


@contextmanager
def in_turn(path: Path) -> Generator[None]:
    """Let a file be read and replaced while no other program of ours does so.

    Who holds it for a second was stopped in the midst of it, and is not waited for;
    where no lock can be made, the file cannot be written either.
    """
    try:
        number = open_to_append(path.with_name(path.name + ".lock"))
    except OSError:
        yield
        return
    try:
        for _ in range(LOOKS):
            with suppress(OSError):
                lock(number)
                break
            time.sleep(0.01)
        yield
    finally:
        os.close(number)


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file by write, sync and rename, so that it is old or new, not half.

    Raises:
        LocalError: DISK, it cannot be written.
    """
    try:
        new = path.with_name(path.name + ".new")
    except ValueError as error:  # a name of nothing
        raise LocalError(Code.DISK, Says.AT(place=path, why=error)) from error
    try:
        number = _begun(new)
    except OSError as error:
        raise LocalError(Code.DISK, Says.AT(place=path, why=error.strerror)) from None
    except ValueError as error:  # a name with a zero byte
        raise LocalError(Code.DISK, Says.AT(place=path, why=error)) from error
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            (FULL_SYNC or os.fsync)(file.fileno())
        new.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):  # half of it would only take room
            new.unlink()
        raise LocalError(Code.DISK, Says.AT(place=path, why=error.strerror)) from None


def _begun(new: Path) -> int:
    """Return a new file to be written, in the place of what a killed program left.

    In a folder that others may write to a link may lie there, which would have us write
    over what it leads to, or a pipe, at which we would wait for ever.

    Raises:
        OSError: There can be none.
        LocalError: DISK, something else lies there.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        return os.open(new, flags, PRIVATE_FILE)
    except FileExistsError:
        kind = new.lstat().st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISLNK(kind):
            raise LocalError(Code.DISK, Says.NO_PLAIN_FILE(path=new)) from None
        new.unlink()
        return os.open(new, flags, PRIVATE_FILE)
