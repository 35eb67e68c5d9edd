"""Editions and word lists of the user's own, kept in the home under names.

An edition is a TOML file, a word list a packed graph; the file's name is the name.
Whoever puts a file there by hand, or has another program write it, is as welcome as
the window: `OwnFiles.look` takes up what has changed since it was last called.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from netplay.errors import Code, LocalError
from netplay.home import Home, write_whole
from netplay.named_files import EDITION_BYTES, read_named
from netplay.said import Said, Words, spoken
from netplay.sentences import Says
from rules import editions, lexicon
from rules.editions import Edition
from rules.lexicon import Lexicon

EDITION: Final = ".toml"
LIST: Final = ".graph"

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
"""As editions may be called."""


class OwnFiles:
    """What lies in a home by name; `look` makes it known to `rules`."""

    def __init__(self, home: Home) -> None:
        """Look at nothing yet."""
        self._home: Final = home
        self._seen: Final[dict[Path, tuple[int, int]]] = {}
        self._faults: Final[dict[Path, Said]] = {}
        """What is wrong with files, as the home was told."""

    def look(self) -> None:
        """Take up what has come, changed or gone; tell the home of a damaged file."""
        found = {path: mark for path, mark in self._marks() if _named(path)}
        for path in self._seen.keys() - found.keys():
            (editions if path.suffix == EDITION else lexicon).forget(path.stem)
            self._tell(path, "")
        for path, mark in found.items():
            if self._seen.get(path) != mark:
                self._tell(path, _take(path))
        self._seen.clear()
        self._seen.update(found)

    def _tell(self, path: Path, why: Words) -> None:
        """Tell the home what is wrong with a file, or that nothing is any more."""
        if path in self._faults:
            self._home.faults.mended(self._faults.pop(path))
        if why:
            self._faults[path] = Says.OWN_FILE_FAULTY(name=path.name, why=why)
            self._home.faults.fault(self._faults[path])

    def _marks(self) -> Iterator[tuple[Path, tuple[int, int]]]:
        """Yield each file with what changes when it is replaced."""
        home = self._home
        for folder, suffix in ((home.editions, EDITION), (home.dictionaries, LIST)):
            for path in sorted(folder.glob(f"*{suffix}")):
                try:
                    status = path.stat()
                except OSError:
                    continue  # it has just gone
                yield path, (status.st_mtime_ns, status.st_ino)

    def list_path(self, name: str) -> Path:
        """Return where a word list of the user's own lies, or is to lie.

        Raises:
            LocalError: BAD_WORDS, it cannot be called so.
        """
        _check_name(Code.BAD_WORDS, name, name in lexicon.shipped())
        return self._home.dictionaries / f"{name}{LIST}"

    def save(self, name: str, text: str) -> Edition:
        """Keep an edition under a name; return it.

        Args:
            name: What it is to be called; stands in its TOML, too.
            text: TOML.

        Raises:
            LocalError: BAD_EDITION, it is faulty or cannot be called so; DISK.
        """
        _check_name(Code.BAD_EDITION, name, name in editions.shipped())
        try:
            edition = editions.read(text)
        except ValueError as error:
            raise LocalError(Code.BAD_EDITION, spoken(error)) from error
        if edition.name != name:
            detail = Says.NAME_DIFFERS(name=edition.name, other=name)
            raise LocalError(Code.BAD_EDITION, detail)
        put(self._home.editions / f"{name}{EDITION}", text.encode())
        self.look()
        return edition


def put(path: Path, data: bytes) -> None:
    """Write a file of the user's by rename, making its folder if need be.

    Raises:
        LocalError: DISK, it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise LocalError(
            Code.DISK, Says.AT(place=path.parent, why=error.strerror)
        ) from None
    write_whole(path, data)


def _check_name(code: Code, name: str, taken: bool) -> None:
    """Check a name of the user's own.

    Raises:
        LocalError: It is none, or one of the program's own has it.
    """
    if not _NAME.fullmatch(name):
        detail = Says.NAME_LETTERS(name=name)
        raise LocalError(code, detail)
    if taken:
        detail = Says.NAME_SHIPPED(name=name)
        raise LocalError(code, detail)


def _named(path: Path) -> bool:
    """Tell whether a file has a name that it may have."""
    shipped = editions.shipped() if path.suffix == EDITION else lexicon.shipped()
    return _NAME.fullmatch(path.stem) is not None and path.stem not in shipped


def _take(path: Path) -> Words:
    """Make a file's content known under its name; return why not if it is no good."""
    take: Callable[[Path], None] = _edition if path.suffix == EDITION else _list
    try:
        take(path)
    except OSError as error:
        return error.strerror or str(error)
    except ValueError as error:
        return spoken(error)
    except LocalError as error:
        return error.detail
    return ""


def _edition(path: Path) -> None:
    """Make an edition known."""
    edition = editions.read(read_named(path, EDITION_BYTES).decode())
    editions.register(edition, path.stem)


def _list(path: Path) -> None:
    """Make a word list known."""
    found: Lexicon = lexicon.open_file(path)
    found.compare()
    lexicon.register(found, path.stem)
