"""Letters that this node keeps for others, until they come: on the disk, and bounded.

Theory of operation.  Whoever wants to get letters says of whom; a letter of anybody
else is not kept.  An author has boxes for each reader, one for each match that the two
play: what is left there next takes the place of what was in it.  Nothing of a letter
can be read here but who has left it for whom, when, and how long it is.

Each letter is a file, named by a digest of all that is in it.  One that is damaged is
dropped: its author writes again.  What the disk refuses is not kept, and its author is
told so; nothing else of the node depends on it.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from netplay.errors import Code, LocalError, PeerError
from netplay.faults import Faults
from netplay.home import PRIVATE_DIRECTORY, read_json, write_whole
from netplay.limits import (
    LETTER_LIFE_SECONDS,
    LETTER_READERS,
    LETTERS_A_PEER,
    LETTERS_A_PEER_BYTES,
    LETTERS_KEPT,
    LETTERS_KEPT_BYTES,
)
from netplay.messages.letters import Box, LeaveLetter, Letter
from netplay.messages.types import LETTER_AUTHORS, Key, Message, Natural
from netplay.sentences import Says
from netplay.wire import pack, unpack

SUFFIX: Final = ".letter"
WISHES: Final = "wishes.json"
"""Of whom each reader takes letters, the one that was here last at the end."""


class Stored(Message, frozen=True):
    """A letter as it lies on the disk."""

    author: Key
    to: Key
    box: Box
    part: Natural
    at: Natural
    """Milliseconds of Unix time, and of no other letter here."""
    letter: Letter


class Kept(Message, frozen=True):
    """The same without its text."""

    author: Key
    to: Key
    box: Box
    at: Natural
    size: Natural
    digest: bytes
    file: str


class LetterBoxes:
    """The letters that one node keeps."""

    def __init__(
        self, folder: Path, unix: Callable[[], int], faults: Faults | None = None
    ) -> None:
        """Look what is kept.

        Args:
            folder: Where; it is made with the first letter.
            unix: The time of day in seconds.
            faults: Told when the disk refuses one.
        """
        self._folder: Final = folder
        self._unix: Final = unix
        self._faults: Final = faults
        self._wishes: Final[dict[bytes, tuple[bytes, ...]]] = dict(self._read_wishes())
        self._kept: Final[dict[str, Kept]] = {}
        """By the name of the file, the earliest first."""
        for kept in sorted(self._read(), key=lambda one: one.at):
            self._kept[kept.file] = kept
        self.lapse()

    def __len__(self) -> int:
        """Return how many letters are kept."""
        return len(self._kept)

    # What is on the disk.

    def _read(self) -> Iterator[Kept]:
        """Yield what is there and whole; the rest goes."""
        for path in sorted(self._folder.glob(f"*{SUFFIX}*")):
            stored = self._stored(path.name)
            if stored is None:
                self._unlink(path.name)
            else:
                yield _described(stored, path.name)

    def _stored(self, name: str) -> Stored | None:
        """Return a letter from the disk, None if it is not there, or damaged."""
        with suppress(OSError, PeerError):
            data = (self._folder / name).read_bytes()
            if name == _name(data):
                stored: Stored = unpack(data, Stored)
                return stored
        return None

    def _read_wishes(self) -> Iterator[tuple[bytes, tuple[bytes, ...]]]:
        for reader, authors in read_json(self._folder / WISHES).items():
            try:
                yield bytes.fromhex(reader), tuple(map(bytes.fromhex, authors))
            except (TypeError, ValueError):
                continue  # it says so again when it comes

    def _write(self, name: str, data: bytes) -> None:
        """Write a file.

        Raises:
            LocalError: DISK.
        """
        try:
            try:
                self._folder.mkdir(mode=PRIVATE_DIRECTORY, exist_ok=True)
            except OSError as error:
                place = Says.AT(place=self._folder, why=error.strerror)
                raise LocalError(Code.DISK, place) from None
            write_whole(self._folder / name, data)
        except LocalError:
            if self._faults is not None:
                self._faults.fault(Says.LETTERS_NOT_KEPT(path=str(self._folder)))
            raise

    def _unlink(self, name: str) -> None:
        """Remove a file; one that stays lapses, or is replaced."""
        with suppress(OSError):
            (self._folder / name).unlink()

    # What readers wish.

    def wishes(self, reader: bytes, authors: Iterable[bytes]) -> None:
        """Keep letters of some authors for a reader, and of nobody else.

        Who takes letters of nobody whose letters are kept here is not remembered, or
        strangers in plenty would push out those who are.

        Raises:
            LocalError: DISK, it is not remembered beyond the node's end.
        """
        named = tuple(authors)[:LETTER_AUTHORS]
        before = self._wishes.pop(reader, ())
        if named:
            self._wishes[reader] = named
        while len(self._wishes) > LETTER_READERS:
            waited = {one.to for one in self._kept.values()} | {reader}
            spare = [one for one in self._wishes if one not in waited]
            if not spare:
                del self._wishes[reader]
                break
            del self._wishes[spare[0]]
        if before != named:
            kept = {k.hex(): [a.hex() for a in v] for k, v in self._wishes.items()}
            self._write(WISHES, json.dumps(kept).encode())

    # Letters.

    def leave(self, author: bytes, message: LeaveLetter) -> None:
        """Keep a letter.

        Raises:
            PeerError: DECLINED, its reader takes none of this author; BUSY, there is
                no room for it.
            LocalError: DISK.
        """
        if author not in self._wishes.get(message.to, ()):
            raise PeerError(Code.DECLINED)
        gone = [one for one in self._kept.values() if _is_in(one, author, message)]
        gone = [] if message.part else gone
        self._find_room(author, message, gone)
        last = max((one.at for one in self._kept.values()), default=0)
        at = max(self._unix() * 1000, last + 1)
        place = author, message.to, message.box, message.part
        stored = Stored(*place, at, message.letter)
        data = pack(stored)
        name = _name(data)
        self._write(name, data)
        for one in gone:
            self._drop(one)
        self._kept[name] = _described(stored, name)

    def _find_room(self, author: bytes, message: LeaveLetter, gone: list[Kept]) -> None:
        """Refuse a letter where there are too many.

        Raises:
            PeerError: BUSY.
        """
        self.lapse()
        there = [one for one in self._kept.values() if one not in gone]
        size = len(message.letter)
        theirs = [one for one in there if one.author == author]
        readers = [one for one in there if one.to == message.to]
        for some, count, most in (
            (there, LETTERS_KEPT, LETTERS_KEPT_BYTES),
            (theirs, LETTERS_A_PEER, LETTERS_A_PEER_BYTES),
            (readers, LETTERS_A_PEER, LETTERS_A_PEER_BYTES),
        ):
            if len(some) >= count or sum(one.size for one in some) + size > most:
                raise PeerError(Code.BUSY)

    def first(self, reader: bytes) -> bytes | None:
        """Return the earliest letter for a reader, None if there is none."""
        self.lapse()
        for one in [one for one in self._kept.values() if one.to == reader]:
            stored = self._stored(one.file)
            if stored is not None:
                return stored.letter
            self._drop(one)  # it was damaged meanwhile
        return None

    def taken(self, reader: bytes, digest: bytes) -> None:
        """Drop a letter that its reader has."""
        for one in tuple(self._kept.values()):
            if one.to == reader and one.digest == digest:
                self._drop(one)

    def lapse(self) -> None:
        """Drop what was kept for a week."""
        least = (self._unix() - LETTER_LIFE_SECONDS) * 1000
        while self._kept:
            first = next(iter(self._kept.values()))
            if first.at >= least:
                return
            self._drop(first)

    def _drop(self, one: Kept) -> None:
        self._kept.pop(one.file, None)
        self._unlink(one.file)


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest() + SUFFIX


def _described(stored: Stored, name: str) -> Kept:
    digest = hashlib.sha256(stored.letter).digest()
    place = stored.author, stored.to, stored.box, stored.at
    return Kept(*place, len(stored.letter), digest, name)


def _is_in(one: Kept, author: bytes, message: LeaveLetter) -> bool:
    """Tell whether a letter lies in the box in which another is left."""
    return (one.author, one.to, one.box) == (author, message.to, message.box)
