"""The finished matches of a home, for windows and commands to look up.

How a match has ended is found out by replaying its file, which takes some hundredths of
a second.  So each is read once, as long as its files stay as they are: what was read is
kept in a file of the home.  If that is lost or damaged, they are read again.
"""

import random  # noqa: TID251 (the rng of a computer player)
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic  # noqa: TID251 (it reads for so long and no longer)
from typing import Annotated, Final, Protocol, TypeAlias

import msgspec
import trio
from msgspec import Meta, Struct
from msgspec.structs import replace

from netplay.daemon.computer_players import WordChoice, WorkerPool, with_resources
from netplay.daemon.positions import Position
from netplay.errors import Code, LocalError
from netplay.fingerprint import fingerprint
from netplay.home import Home, write_whole
from netplay.journal import Journal
from netplay.limits import THINK_SECONDS
from netplay.match import journal as mailing
from netplay.messages.table_questions import Appraisal, Finished, FinishedMatches
from netplay.named_files import OWN_BYTES, read_named
from netplay.record.archive import finished_in, is_over, untold
from netplay.record.enclosures import Item, packed
from netplay.record.hidden import Hidden
from netplay.record.ledger import read_terms
from netplay.record.store import FILE_BYTES, SECRETS, SUFFIX, MemoryDisk, read_copy
from netplay.review.grading import Choice, Judged, compare
from netplay.sentences import Says
from netplay.table.enclosed_files import enclosed
from netplay.table.resources import Shelf
from netplay.wire import pack
from rules import editions, lexicon
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
        # The file that was written last comes first.
        written = [
            (path, marks)
            for path in self._home.matches.glob(f"*{SUFFIX}")
            if (marks := marks_of(path)) is not None
        ]
        files = sorted(written, key=lambda each: (-each[1][0], each[0].name))
        known = self._readings()
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

    @property
    def reading(self) -> partial[list[tuple[str, Reading]]]:
        """Tells what is in some files, the first at least: for `note`."""
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
                self.note(self.reading(unread))
            page, unread = self.page(page.next)
            yield from page.found

    def _readings(self) -> dict[str, Reading]:
        """Return what was read, also before this program began."""
        if self._known is None:
            self._known = {}
            with suppress(OSError, LocalError, ValueError, RecursionError):
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


MOST: Final = 2**63
"""Of what can be written down."""


def marks_of(path: Path) -> Marks | None:
    """Return by what to know whether a match has changed; None if it is gone."""
    try:
        stat = path.stat()
    except OSError:
        return None
    secrets = 0
    with suppress(OSError):
        secrets = path.with_suffix(SECRETS).stat().st_mtime_ns
    # A file may have any time, and these go into one of results.
    return stat.st_mtime_ns % MOST, stat.st_size, secrets % MOST


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
        found = with_resources(words, partial(finished_in, path, me, fingerprint))
    except (LookupError, OptionsError):
        return Reading(marks, untold(path, me, fingerprint), lasting=False)
    return Reading(marks, found)


# Turns of a match that is over, judged in a worker process: the node goes on.


WORKERS: Final = 1
"""Processes that judge: a reader waits for one turn, while others may be playing."""


class Reviewer(Protocol):
    """Judges turns."""

    async def appraise(self, turn: Judged, *, at_sight: bool = False) -> Appraisal:
        """Return a turn beside the best plays there were.

        Args:
            turn: What was held and done.
            at_sight: Look at it only, which takes a moment.

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

    async def appraise(self, turn: Judged, *, at_sight: bool = False) -> Appraisal:
        """See `Reviewer`."""
        with trio.move_on_after(THINK_SECONDS):
            try:
                offensive = self._word_choice.offensive
                return await self._pool.run_apart(
                    judge, turn, self._words, offensive, at_sight
                )
            except Exception as error:  # noqa: BLE001 (whatever becomes of a worker, the node and its matches go on)
                self._journal("review.failed", why=repr(error))
        raise LocalError(Code.USAGE, Says.NOT_ANALYSED())


def judge(
    turn: Judged, words: Path | None, offensive: bool, at_sight: bool
) -> Appraisal:
    """Judge a turn; runs in a worker."""
    rng = random.Random(turn.number)  # noqa: S311 (a player's whims are no secret)
    if isinstance(turn, Choice):
        do = partial(compare, turn, rng, at_sight=at_sight)
    else:
        # What looks ahead in Networdz, which the node itself has no use for.
        from netplay.review.appraising import appraise  # noqa: PLC0415

        do = partial(appraise, turn, at_sight=at_sight)
    return with_resources(words, do, offensive=offensive)


# Have the window draw a picture: in a process of its own, without a display.


PATIENCE_SECONDS: Final = 60.0
"""For a picture, on a slow machine."""


def draw(sight: Position, seat: int | None, out: Path) -> None:
    """Draw a position as the window does.

    Args:
        sight: The position, as `seat` knows it; edition and word list go along.
        seat: Whose hand is drawn, None for a bystander's picture.
        out: The PNG file to write.

    Raises:
        LocalError: DISK or USAGE, it could not be drawn; the reason is the window's.
    """
    shipped = {"", *editions.shipped().values(), *lexicon.shipped().values()}
    edition, listed = sight.edition.hex(), sight.lexicon.hex()
    picture = {
        "game": sight.game,
        "state": pack(sight.view),
        "names": sight.names,
        "seat": seat,
        "editions": []
        if edition in shipped
        else [editions.encode(editions.find(edition))],
        "lexicons": [] if listed in shipped else [bytes(lexicon.find(listed).data)],
    }
    try:
        write_whole(out, _drawn(msgspec.msgpack.encode(picture)))
    except OSError as error:  # where what is not kept lies
        raise LocalError(Code.DISK, error.strerror or str(error)) from None


def _drawn(picture: bytes) -> bytes:
    """Return the PNG file that the window makes of a picture.

    Raises:
        OSError: There is no room.
        LocalError: USAGE, it could not be drawn.
    """
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "view", Path(folder) / "drawn.png"
        path.write_bytes(picture)
        words = [sys.executable, "-m", "client", "picture", str(path), str(out)]
        try:
            done = subprocess.run(  # noqa: S603 (our own program)
                words, capture_output=True, text=True, timeout=PATIENCE_SECONDS,
                check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise LocalError(Code.USAGE, str(error)) from None
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["it could not be drawn"]
            raise LocalError(Code.USAGE, lines[-1])
        return out.read_bytes()
