"""The finished matches of a home, for windows and commands to look up.

How a match has ended is found out by replaying its file, which takes some hundredths of
a second.  So each is read once, as long as its files stay as they are: what was read is
kept in a file of the home.  If that is lost or damaged, they are read again.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic  # noqa: TID251 (it reads for so long and no longer)
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from netplay.daemon.worker_pool import with_resources
from netplay.errors import LocalError
from netplay.fingerprint import fingerprint
from netplay.home import Home, write_whole
from netplay.match import mailing
from netplay.messages.finished import Finished, FinishedMatches
from netplay.named_files import OWN_BYTES, read_named
from netplay.record.copies import read_copy
from netplay.record.enclosures import Item, packed
from netplay.record.finished import is_over, read, untold
from netplay.record.hidden import Hidden
from netplay.record.ledger import read_terms
from netplay.record.store import FILE_BYTES, SECRETS, SUFFIX, MemoryDisk
from netplay.table.enclosed_files import enclosed
from netplay.table.resources import Shelf
from rules.game import OptionsError

PAGE: Final = 100
"""Matches told of at once: some twenty kilobytes."""

AT_ONCE: Final = 50
"""Files given to be read at once, at most: see `SECONDS`."""

SECONDS: Final = 0.25
"""How long files are read before what they tell is shown."""

Marks: TypeAlias = tuple[int, int, int]
"""When a file and the secrets beside it were written, and its size: what was read of
them holds as long as these are the same."""


class Reading(Struct, frozen=True):
    """What was read of a match."""

    marks: Marks
    found: Finished | None
    """None if it is not over, or does not tell."""
    lasting: bool = True
    """Nothing was missing by which to replay it."""


class _Kept(Struct, frozen=True):
    """What the file of the home holds."""

    version: Annotated[int, Meta(ge=1, le=1)]
    matches: dict[str, Reading]
    """By the names of their files."""


class FinishedFiles:
    """The matches of a home that are over."""

    def __init__(self, home: Home, me: bytes) -> None:
        """Prepare; nothing is read yet.

        Args:
            home: Whose.
            me: The node's key.
        """
        self._home: Final = home
        self._me: Final = me
        self._known: dict[str, Reading] | None = None
        self._new = 0
        """Readings that are not kept yet."""

    def page(self, start: int) -> tuple[FinishedMatches, Sequence[Path]]:
        """Return finished matches, as far as they are known, and what to read next.

        Args:
            start: How many files to leave out, of the latest.
        """
        files, known = self._files(), self._readings()
        found: list[Finished] = []
        at = min(start, len(files))
        for path, marks in files[at:]:
            reading = known.get(path.name)
            if reading is None or reading.marks != marks or len(found) == PAGE:
                break
            at += 1
            if reading.found is not None:
                found.append(replace(reading.found, path=str(path)))
        more = at < len(files)
        if not more:
            self._keep(frozenset(path.name for path, _ in files))
        unread = [
            path
            for path, marks in files[at : at + AT_ONCE]
            if path.name not in known or known[path.name].marks != marks
        ]
        return FinishedMatches(tuple(found), at, more), unread

    def read(self, files: Sequence[Path]) -> list[tuple[str, Reading]]:
        """Return what some files tell, of the first at least: for `note`."""
        return read_some(files, self._me, self._home.words)

    @property
    def reading(self) -> partial[list[tuple[str, Reading]]]:
        """Does the same in another process."""
        return partial(read_some, me=self._me, words=self._home.words)

    def unreadable(self, path: Path) -> list[tuple[str, Reading]]:
        """Return that a file tells nothing."""
        marks = marks_of(path) or (0, 0, 0)
        return [(path.name, Reading(marks, None, lasting=False))]

    def note(self, readings: Sequence[tuple[str, Reading]]) -> None:
        """Remember what was read."""
        self._readings().update(readings)
        self._new += len(readings)

    def all(self) -> Iterator[Finished]:
        """Yield all, the latest first, read here and now."""
        page, unread = self.page(0)
        yield from page.found
        while page.more:
            if not page.found:
                self.note(self.read(unread))
            page, unread = self.page(page.next)
            yield from page.found

    def _files(self) -> list[tuple[Path, Marks]]:
        """Return the files of matches, the one written last first."""
        found = [
            (path, marks)
            for path in self._home.matches.glob(f"*{SUFFIX}")
            if (marks := marks_of(path)) is not None
        ]
        return sorted(found, key=lambda each: (-each[1][0], each[0].name))

    def _readings(self) -> dict[str, Reading]:
        """Return what was read, also before this program began."""
        if self._known is None:
            self._known = {}
            with suppress(OSError, LocalError, msgspec.MsgspecError, RecursionError):
                data = read_named(self._home.results, OWN_BYTES)
                self._known = msgspec.msgpack.decode(data, type=_Kept).matches
        return self._known

    def _keep(self, names: frozenset[str]) -> None:
        """Keep what was read of the files there are, if there is news."""
        if not self._new:
            return
        known = self._known = {
            name: one for name, one in self._readings().items() if name in names
        }
        lasting = {name: one for name, one in known.items() if one.lasting}
        self._new = 0
        with suppress(LocalError):  # it is only read again
            write_whole(self._home.results, msgspec.msgpack.encode(_Kept(1, lasting)))


def marks_of(path: Path) -> Marks | None:
    """Return by what to know whether a match has changed; None if it is gone."""
    try:
        stat = path.stat()
    except OSError:
        return None
    secrets = 0
    with suppress(OSError):
        secrets = path.with_suffix(SECRETS).stat().st_mtime_ns
    return stat.st_mtime_ns, stat.st_size, secrets


def along_with(path: Path, words: Path) -> tuple[bytes, ...]:
    """Return what goes along with a copy of a match: see `record.enclosures`.

    Args:
        path: Of the match.
        words: The folder with editions and word lists that are not shipped.
    """
    terms = read_terms(read_copy(path).entries[0])
    items: list[Item] = [*enclosed(Shelf(words), terms)]
    secrets = path.with_suffix(SECRETS)
    if secrets.exists():
        items += mailing.secrets(
            Hidden(MemoryDisk(read_named(secrets, FILE_BYTES)), bytes)
        )
    return tuple(packed(items))


def read_some(
    files: Sequence[Path], me: bytes, words: Path
) -> list[tuple[str, Reading]]:
    """Return what some files tell, as many as can be read in a moment.

    Args:
        files: Which, in their order.
        me: The node's key.
        words: The folder with editions and word lists that are not shipped.
    """
    until = monotonic() + SECONDS
    found: list[tuple[str, Reading]] = []
    for path in files:
        found.append((path.name, _read_one(path, me, words)))
        if monotonic() >= until:
            break
    return found


def _read_one(path: Path, me: bytes, words: Path) -> Reading:
    """Return what a file tells."""
    marks = marks_of(path) or (0, 0, 0)
    if not is_over(path):
        return Reading(marks, None)
    try:
        found = with_resources(words, partial(read, path, me, fingerprint))
    except (LookupError, OptionsError):
        return Reading(marks, untold(path, me, fingerprint), lasting=False)
    return Reading(marks, found)
