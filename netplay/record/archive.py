"""The matches this node keeps: a file each, the secrets beside it, those in hand."""

import os
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from msgspec.structs import replace

from netplay.errors import Code, LocalError, NetplayError
from netplay.home import set_aside, spare, write_whole
from netplay.messages.table import Terms
from netplay.messages.table_questions import Finished, Friend, Result
from netplay.named_files import (
    OWN_BYTES,
    open_to_append,
    place_of,
    read_head,
    read_named,
)
from netplay.record import store
from netplay.record.clocks import timed_out
from netplay.record.fold import Fold
from netplay.record.hidden import Hidden, Standing
from netplay.record.ledger import empty_log, read_terms, terms_in
from netplay.record.log import match_of
from netplay.record.verify import lacking, replay
from netplay.said import Words
from netplay.sanitize import shown_name
from netplay.sentences import Says
from rules import GAMES, title_of
from rules.game import IllegalMoveError

_NAME: Final = re.compile("[0-9a-f]{64}")
"""Of a match, in hexadecimal digits."""

NAME_BYTES: Final = 16
"""Of a match's digest in the name of its file."""

LAID_ASIDE: Final = ".laid-aside"
"""Ends the name of a file that says: the program has made a mistake in this match."""

OPENING: Final = ".opening"
"""Ends the name of a file that is there while a match is opened, with a byte for every
time that nothing came of it: the whole program has died of it, or been killed."""

DEATHS: Final = 2
"""So many while a match was opened, and it is opened by the player alone: the first may
be a matter of chance, or of somebody in a hurry."""

IN_HAND: Final = "in-hand"
"""The file that names the matches to go on with after a crash: a line each, with the
number of the table and the match, and a checksum of them all in the last."""


class Archive(Protocol):
    """Where matches are kept; every method raises LocalError where the disk refuses."""

    def has(self, match: bytes) -> bool:
        """Tell whether a match is kept here."""
        ...

    def written(self, match: bytes) -> int:
        """Return when the file of a match was written, in Unix time; 0: unknown."""
        ...

    def size(self, match: bytes) -> int:
        """Return how many bytes the file of a match has; 0 if there is none."""
        ...

    def open(self, match: bytes) -> store.Disk:
        """Open the file of a match, making it if need be."""
        ...

    def open_secrets(self, match: bytes) -> store.Disk:
        """Open the file of what this node alone may know of a match."""
        ...

    def secrets_name(self, match: bytes) -> str:
        """Return what the file of secrets is called, for people to read."""
        ...

    def discard(self, match: bytes, *, secrets: bool) -> None:
        """Remove the file of a match that has not begun here, or its secrets too."""

    def set_aside(self, match: bytes, suffix: str, rest: bytes) -> str:
        """Keep a damaged file of a match under another name, and return that.

        Args:
            match: Which match.
            suffix: Which of its files.
            rest: What takes its place; nothing for no file.
        """
        ...

    def named(self, path: str) -> bytes | None:
        """Return the match whose file lies at a path, if it is one kept here.

        Of a match that is named by its file alone the first bytes.
        """
        ...

    def write_again(self, match: bytes) -> None:
        """Write the files of a match anew, durably, after the disk had refused.

        What is read of them may not be on the disk before.
        """

    def lay_aside(self, match: bytes) -> None:
        """Remember that a match is to be opened by the player alone."""

    def take_again(self, match: bytes) -> None:
        """Forget that a match was laid aside."""

    def is_laid_aside(self, match: bytes) -> bool:
        """Tell whether a match was laid aside, or has been the death of a few nodes."""
        ...

    def begin_opening(self, match: bytes) -> None:
        """Note that a match is about to be opened."""

    def end_opening(self, match: bytes) -> None:
        """Note that this is over, whatever came of it."""

    def newest(self) -> Sequence[str]:
        """Return the paths of the match files, the one written last first."""
        ...

    def in_hand(self) -> dict[bytes, int]:
        """Return the matches in hand when the node ended, and their tables' numbers."""
        ...

    def take_in_hand(self, match: bytes, number: int) -> None:
        """Remember that a match is in hand, at the table with a number."""

    def let_go(self, match: bytes) -> None:
        """Remember that a match is in hand no more."""

    def read(self, path: str) -> store.Copy:
        """Return what is whole of a match file anywhere."""
        ...

    def spare(self, path: str, *, over: bool) -> str:
        """Return where a file of the user's may be written, as `home.spare` does."""
        ...

    def write(
        self, path: str, entries: Iterable[bytes], more: Iterable[bytes] = ()
    ) -> None:
        """Write a match file anywhere, with records for whoever reads it."""


class FileArchive:
    """A folder of the home."""

    def __init__(self, folder: Path) -> None:
        """Use a folder that exists."""
        self._folder: Final = folder
        self._in_hand: dict[bytes, int] = {}

    def _path(self, match: bytes, suffix: str) -> Path:
        """Return where a file of a match lies."""
        return self._folder / (match[:NAME_BYTES].hex() + suffix)

    def place(self, match: bytes) -> Path:
        """Return where the file of a match lies."""
        return self._path(match, store.SUFFIX)

    def has(self, match: bytes) -> bool:
        """Tell whether a match is kept here."""
        return self.place(match).exists()

    def written(self, match: bytes) -> int:
        """Return when the file of a match was written, in Unix time; 0: unknown."""
        return int(written(self.place(match)))

    def size(self, match: bytes) -> int:
        """Return how many bytes the file of a match has; 0 if there is none."""
        try:
            return self.place(match).stat().st_size
        except OSError:
            return 0

    def open(self, match: bytes) -> store.Disk:
        """Open the file of a match, making it if need be."""
        return store.FileDisk(self._path(match, store.SUFFIX))

    def open_secrets(self, match: bytes) -> store.Disk:
        """Open the file of what this node alone may know of a match."""
        return store.FileDisk(self._path(match, store.SECRETS))

    def secrets_name(self, match: bytes) -> str:
        """Return what the file of secrets is called."""
        return self._path(match, store.SECRETS).name

    def discard(self, match: bytes, *, secrets: bool) -> None:
        """Remove the file of a match that has not begun here, or its secrets too."""
        for suffix in (store.SUFFIX, store.SECRETS)[: 1 + secrets]:
            with suppress(OSError):  # an empty file does no harm
                self._path(match, suffix).unlink(missing_ok=True)

    def set_aside(self, match: bytes, suffix: str, rest: bytes) -> str:
        """Keep a damaged file of a match under another name, and return that."""
        return set_aside(self._path(match, suffix), rest).name

    def named(self, path: str) -> bytes | None:
        """Return the first bytes of a match's name, if its file lies in the folder."""
        place = place_of(path)
        try:
            name = bytes.fromhex(place.stem)
        except ValueError:
            return None
        if (
            place.suffix != store.SUFFIX
            or place.parent.resolve() != self._folder.resolve()
        ):
            return None
        return name

    def write_again(self, match: bytes) -> None:
        """Write the files of a match anew, durably, after the disk had refused."""
        for suffix in (store.SUFFIX, store.SECRETS):
            path = self._path(match, suffix)
            try:
                data = read_named(path, store.FILE_BYTES)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise LocalError(
                    Code.DISK, Says.AT(place=path, why=error.strerror)
                ) from error
            write_whole(path, data)

    def lay_aside(self, match: bytes) -> None:
        """Remember that a match is to be opened by the player alone."""
        self.let_go(match)
        write_whole(self._path(match, LAID_ASIDE), b"")

    def take_again(self, match: bytes) -> None:
        """Forget that a match was laid aside."""
        with suppress(OSError):  # it is opened all the same
            self._path(match, LAID_ASIDE).unlink(missing_ok=True)
        self.end_opening(match)

    def is_laid_aside(self, match: bytes) -> bool:
        """Tell whether a match was laid aside, or has been the death of a few nodes."""
        if self._path(match, LAID_ASIDE).exists():
            return True
        try:
            return self._path(match, OPENING).stat().st_size >= DEATHS
        except OSError:
            return False

    def begin_opening(self, match: bytes) -> None:
        """Note that a match is about to be opened; it need not outlast the system."""
        if self.has(match):
            with suppress(OSError):
                number = open_to_append(self._path(match, OPENING))
                try:
                    os.write(number, b".")
                finally:
                    os.close(number)

    def end_opening(self, match: bytes) -> None:
        """Note that this is over, whatever came of it."""
        with suppress(OSError):
            self._path(match, OPENING).unlink(missing_ok=True)

    def newest(self) -> Sequence[str]:
        """Return the paths of the match files, the one written last first."""
        paths = self._folder.glob(f"*{store.SUFFIX}")
        return [str(path) for path in sorted(paths, key=written, reverse=True)]

    def in_hand(self) -> dict[bytes, int]:
        """Return the matches in hand when the node ended, and their tables' numbers.

        Raises:
            LocalError: FILE, what names them is damaged, or is gone while there are
                matches; DISK.
        """
        try:
            text = read_named(self._folder / IN_HAND, OWN_BYTES).decode("ascii")
        except FileNotFoundError:
            text = "" if self.newest() else _summed("")
            if text:  # or a crash in the first match of all would look like a loss
                self._write_in_hand()
        except (OSError, ValueError, LocalError):
            text = ""
        *lines, _sum = text.splitlines() or [""]
        found: dict[bytes, int] = {}
        for line in lines:
            number, _, name = line.partition(" ")
            if number.isdecimal() and _NAME.fullmatch(name):
                found[bytes.fromhex(name)] = int(number)
        if text != _summed(_lines(found)):
            raise LocalError(Code.FILE, Says.IN_HAND_DAMAGED(name=IN_HAND))
        self._in_hand = dict(found)
        return found

    def take_in_hand(self, match: bytes, number: int) -> None:
        """Remember that a match is in hand, at the table with a number."""
        if self._in_hand.get(match) != number:
            self._in_hand[match] = number
            self._write_in_hand()

    def let_go(self, match: bytes) -> None:
        """Remember that a match is in hand no more."""
        if self._in_hand.pop(match, None) is not None:
            self._write_in_hand()

    def _write_in_hand(self) -> None:
        """Write down which matches are in hand.

        Raises:
            LocalError: DISK.
        """
        text = _summed(_lines(self._in_hand))
        write_whole(self._folder / IN_HAND, text.encode())

    def read(self, path: str) -> store.Copy:
        """Return what is whole of a match file anywhere."""
        return store.read_copy(place_of(path))

    def spare(self, path: str, *, over: bool) -> str:
        """Return the whole path of a file that may be written."""
        return str(spare(place_of(path), over=over))

    def write(
        self, path: str, entries: Iterable[bytes], more: Iterable[bytes] = ()
    ) -> None:
        """Write a match file anywhere."""
        store.write_copy(place_of(path), entries, more)


def _lines(in_hand: Mapping[bytes, int]) -> str:
    """Return a line for each match and the number of its table."""
    return "".join(f"{number} {match.hex()}\n" for match, number in in_hand.items())


def _summed(text: str) -> str:
    """Return lines with their checksum behind."""
    return f"{text}{zlib.crc32(text.encode()):08x}\n"


# The matches in a home that can go on, described for people to choose from.


SHOWN: Final = 20
"""Of all the matches in a home, the last few."""

LOOKED_AT: Final = 200
"""Of the files in a home, for those that can go on: a few milliseconds."""

HEAD_BYTES: Final = 128 * 1024
"""Enough of a file to hold the first entry."""

DAY: Final = 24 * 60 * 60

LATEST: Final = datetime(9999, 12, 31, tzinfo=UTC).timestamp() - DAY
"""What can be told as a day, wherever one is: a file may have any time."""


class Saved:
    """The list of matches; each file's beginning is read once."""

    def __init__(self, archive: Archive) -> None:
        """Prepare to look into an archive."""
        self._archive = archive
        self._described: dict[str, Words] = {}
        self._known: dict[str, tuple[float, _Ended]] = {}
        """Path -> when its secrets were written, and what they say."""
        self._stands: dict[str, tuple[float, Words]] = {}
        """Path -> when it was written, and how the match there stands."""

    def __call__(self) -> tuple[tuple[str, Words, int], ...]:
        """Return (path, description, days since it was written), newest first.

        What is over, resigned from or was only watched cannot go on; of what is over
        what was never audited is listed for ever.
        """
        found: list[tuple[str, Words, int]] = []
        for path in self._archive.newest()[:LOOKED_AT]:
            file = Path(path)
            if path not in self._described:
                self._described[path] = _describe(file)
            secrets = file.with_suffix(store.SECRETS)
            at, known = written(secrets), self._known.get(file.name)
            if known is None or known[0] != at:  # how it ended, as its node last knew
                known = self._known[file.name] = at, ended(secrets)
            words, end = self._described[path], known[1]
            if not words or (end.standing and not end.held_up):
                continue
            if end.held_up:
                words = Says.NOT_AUDITED(match=words, why=end.held_up)
            at = written(file)
            seconds = datetime.now(UTC).timestamp() - at if at else 0
            found.append((path, words, max(0, int(seconds) // DAY)))
        # Rows that would read alike say how their match stands: it is played through
        # for that, so the others are not.
        del found[SHOWN:]
        alike = Counter((words, days) for _path, words, days in found)
        for row, (path, words, days) in enumerate(found):
            if alike[words, days] > 1 and isinstance(words, str):
                found[row] = path, self._standing(Path(path), words), days
        return tuple(found)

    def _standing(self, path: Path, words: str) -> Words:
        at = written(path)
        known = self._stands.get(path.name)
        if known is None or known[0] != at:
            known = self._stands[path.name] = at, _standing(path, words, at)
        return known[1]


def unfinished(archive: Archive) -> Iterator[bytes]:
    """Yield the matches kept here that somebody can go on with, the newest first."""
    for name in archive.newest():
        path = Path(name)
        if ended(path.with_suffix(store.SECRETS)).standing:
            continue
        try:
            terms = _first_terms(path)
        except (OSError, NetplayError):
            continue  # its file does not tell
        if terms is not None and any(seat.is_person for seat in terms.seats):
            yield empty_log(terms).match


def _first_terms(path: Path) -> Terms | None:
    """Return the terms of a match, None for an empty file.

    Raises:
        OSError: It cannot be read.
        NetplayError: It is damaged.
    """
    return terms_in(read_head(path, HEAD_BYTES))


class _Ended(NamedTuple):
    """How a match ended, as the secrets beside it tell."""

    standing: Standing = ""
    held_up: Words = ""
    """Why it is not audited."""
    guests: frozenset[int] = frozenset()
    """Seats here that guests in browsers had."""


def ended(secrets: Path) -> _Ended:
    """Return what the secrets of a match say of its end."""
    try:
        hidden = Hidden(store.MemoryDisk(read_named(secrets, store.FILE_BYTES)), bytes)
    except (OSError, NetplayError):
        return _Ended()
    return _Ended(hidden.standing, hidden.held_up, hidden.guests)


def _describe(path: Path) -> Words:
    """Return what was played and by whom; empty for what has no match in it."""
    try:
        terms = _first_terms(path)
    except store.DamageError as damage:
        ours = len(path.stem) == 2 * NAME_BYTES and not damage.tail
        return Says.DAMAGED(name=path.name) if ours else ""
    except (OSError, NetplayError):
        return ""
    if terms is None or not any(seat.is_person for seat in terms.seats):
        return ""  # a demonstration: nobody plays on
    # What was played; with the rules it needs, if this program has others
    words = describe(terms)
    game = GAMES.get(terms.game)
    if game is not None and game.ABOUT.version == terms.version:
        return words
    return Says.NEEDS_RULES(match=words, rules=terms.version)


def _standing(path: Path, words: str, at: float) -> Words:
    """Return a match with what tells it from another one of the same players."""
    when = datetime.fromtimestamp(at, UTC).astimezone().isoformat(" ", "minutes")[:16]
    try:
        fold = replay(store.read_copy(path).entries)
    except (NetplayError, IllegalMoveError, IndexError, LookupError):
        return Says.KEPT_SINCE(match=words, when=when)
    scored = fold.game.ABOUT.scored
    points = () if scored is None else scored.scores(fold.state)
    turns = () if fold.game.ABOUT.hz else sorted(fold.game.actors(fold.state))
    movers = [shown_name(fold.names[seat]) for seat in turns if seat >= 0]
    if points and movers:
        return Says.KEPT_AT_POINTS(
            match=words, points=" : ".join(map(str, points)), when=when,
            names=", ".join(movers),
        )  # fmt: skip
    if movers:
        return Says.KEPT_AT_TURN(match=words, names=", ".join(movers), when=when)
    return Says.KEPT_SINCE(match=words, when=when)


def describe(terms: Terms) -> str:
    """Return what is played and by whom."""
    title = title_of(shown_name(terms.game))
    return f"{title}: {', '.join(shown_name(seat.name) for seat in terms.seats)}"


def written(path: Path) -> float:
    """Return when a file was written, as far as a day can be told; 0 for none."""
    try:
        return min(max(0.0, path.stat().st_mtime), LATEST)
    except OSError:
        return 0


# A finished match of a home: with whom it was played, how it ended, and when.


def is_over(path: Path) -> bool:
    """Tell whether the secrets beside the file of a match say that it is over."""
    return ended(path.with_suffix(store.SECRETS)).standing == "over"


def finished_in(path: Path, me: bytes, sign: Callable[[bytes], str]) -> Finished | None:
    """Return how a match has ended; None if its file does not tell.

    Args:
        path: Of the file.
        me: This node's key.
        sign: Returns what a key is shown as.

    Raises:
        LookupError: Its rules, its edition or its words are not here; see `untold`.
    """
    try:
        entries = store.read_copy(path).entries
        terms = read_terms(entries[0])
        if missing := lacking(terms):
            raise LookupError(str(missing))
        fold = replay(entries)
    except (NetplayError, IllegalMoveError, IndexError):
        return None
    if not fold.over:
        return None
    guests = ended(path.with_suffix(store.SECRETS)).guests
    holders, here = fold.holders, _here(fold.holders, me)
    # A guest's in a browser here is not the player's, who has not won by it.
    own = tuple(
        n
        for n, seat in enumerate(terms.seats)
        if holders[n] == here and seat.kind == "person" and n not in guests
    )
    return _told(path, me, sign, fold, own)


def _told(
    path: Path,
    me: bytes,
    sign: Callable[[bytes], str],
    fold: Fold,
    own: tuple[int, ...],
) -> Finished:
    """Return how a match has ended for some of its seats."""
    scored = fold.game.ABOUT.scored
    return Finished(
        match=fold.match,
        path=str(path),
        game=fold.terms.game,
        players=tuple(map(shown_name, fold.names)),
        places=fold.places,
        scores=() if scored is None else scored.scores(fold.state),
        own=own,
        friends=_friends(fold.holders, fold.names, me, sign),
        result=_result(fold, own),
        at=int(written(path)),
    )


def _result(fold: Fold, own: Sequence[int]) -> Result:
    """Return how a match has ended for some of its seats."""
    if fold.claims.contested:
        return "contested"
    if fold.ended == "stop":
        return ""
    return on_time(result_of(fold.places, own), fold)


def on_time(result: Result, fold: Fold) -> Result:
    """Return a result as one on time, if that of somebody was over and ended it."""
    moves = [past.actor for past in fold.history if past.actor >= 0]
    if not moves or moves[-1] not in timed_out(fold.claims, fold.history):
        return result
    on_time_: dict[Result, Result] = {"won": "won on time", "lost": "lost on time"}
    return on_time_.get(result, result)


def untold(path: Path, me: bytes, sign: Callable[[bytes], str]) -> Finished | None:
    """Return a match that is over but cannot be replayed here: who played, no more."""
    try:
        terms = read_terms(store.read_copy(path).entries[0])
    except (NetplayError, IndexError):
        return None
    holders = [terms.members[seat.member].key for seat in terms.seats]
    names = [seat.name for seat in terms.seats]
    return Finished(
        match=match_of(terms),
        path=str(path),
        game=shown_name(terms.game),
        players=tuple(map(shown_name, names)),
        places=(),
        scores=(),
        own=(),
        friends=_friends(holders, names, me, sign),
        result="",
        at=int(written(path)),
    )


def _here(holders: Sequence[bytes], me: bytes) -> bytes:
    """Return the key that plays here: a match at one computer has one of its own."""
    return me if me in holders or len(set(holders)) > 1 else holders[0]


def _friends(
    holders: Sequence[bytes],
    names: Sequence[str],
    me: bytes,
    sign: Callable[[bytes], str],
) -> tuple[Friend, ...]:
    """Return who played at other nodes, each once."""
    found: dict[bytes, Friend] = {}
    here = _here(holders, me)
    for seat, (key, name) in enumerate(zip(holders, names, strict=True)):
        if key != here:
            one = found.get(key, Friend(sign(key), shown_name(name)))
            found[key] = replace(one, seats=(*one.seats, seat))
    return tuple(found.values())


def result_of(places: Sequence[int], own: Sequence[int]) -> Result:
    """Return how a match ended for some of its seats."""
    if not places or not own or len(own) == len(places):
        return ""
    best = min(places[seat] for seat in own)
    rest = min(place for seat, place in enumerate(places) if seat not in own)
    if best == rest:
        return "tied"
    return "won" if best < rest else "lost"
