"""Letters that this node keeps for others, until they come: on the disk, and bounded.

Theory of operation.  Whoever wants to get letters says of whom; a letter of anybody
else is not kept.  An author has boxes for each reader, one for each match that the two
play: what is left there next takes the place of what was in it.  Nothing of a letter
can be read here but who has left it for whom, when, and how long it is.

Each letter is a file, named by a digest of all that is in it.  One that is damaged is
dropped, and the player here told: its author writes again.  What the disk refuses is
not kept, and its author is told so; nothing else of the node depends on it.

Members of a match may believe a keeper about when a move was left (section 17 of
protocol.md), so of the last letter of a box is remembered when it came, though its
reader has taken it or it has lapsed.  Where that memory does not go back far enough
nothing is said.

Room is shared so that nobody fills another's box.  An author has so much of it for
each reader and for all of them, and of room that many share never more than a part of
what is left.  The members of a reader's matches, whom it names first, have room of
their own there; the rest of what a reader has is for whoever comes.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.faults import Faults
from netplay.home import PRIVATE_DIRECTORY, read_json, write_whole
from netplay.limits import (
    LETTER_READERS,
    LETTERS_A_PAIR,
    LETTERS_A_PAIR_BYTES,
    LETTERS_A_PEER,
    LETTERS_A_PEER_BYTES,
    LETTERS_KEPT,
    LETTERS_KEPT_BYTES,
    LETTERS_REMEMBERED,
)
from netplay.messages.letters import Box, LeaveLetter, LetterReceipt, NothingLeft
from netplay.messages.types import (
    LETTER_AUTHORS,
    LETTER_BYTES,
    LETTER_DAYS,
    LETTER_PARTS,
    SIGNATURE_BYTES,
    Digest,
    Key,
    MaybeDigest,
    Message,
    Natural,
)
from netplay.named_files import read_named
from netplay.sentences import Says
from netplay.wire import pack, unpack

SUFFIX: Final = ".letter"
WISHES: Final = "wishes.json"
"""Of whom each reader takes letters, the one that was here last at the end."""


MEMORY: Final = "memory.json"
"""Since when all letters are remembered, in seconds of Unix time; of some pairs of
author and reader since later."""

DAY_SECONDS: Final = 24 * 3600
WEEK_DAYS: Final = 7

FIRST_AUTHORS: Final = 16
"""Of those whom a reader names: room is kept for so many, the first of them."""


LEFT_FOR_OTHERS: Final = 4
"""Times what an author has of shared room that is left when it leaves another letter:
twenty who come one after the other to fill it leave a hundredth."""


class Stored(Message, frozen=True):
    """A letter as it lies on the disk; one without text is only remembered."""

    author: Key
    to: Key
    box: Box
    part: Natural
    at: Natural
    """Milliseconds of Unix time, and of no other letter here."""
    first: Natural
    """The same, of the first letter about the same in this box without a break."""
    days: Natural
    """For how long it is kept."""
    about: MaybeDigest
    digest: Digest
    letter: bytes


class Kept(Struct, frozen=True):
    """The same without its text."""

    stored: Stored
    size: int
    """Bytes of the text; 0 of what is only remembered."""
    file: str

    @property
    def at(self) -> int:
        """Milliseconds of Unix time when it came."""
        return self.stored.at

    @property
    def until(self) -> int:
        """Seconds of Unix time when it lapses."""
        return self.stored.at // 1000 + self.stored.days * DAY_SECONDS

    @property
    def cost(self) -> int:
        """What it takes of its author's room: bytes for each week that is begun."""
        return self.size * _weeks(self.stored.days)

    def is_in(self, author: bytes, to: bytes, box: bytes) -> bool:
        """Tell whether it lies in a box."""
        one = self.stored
        return (one.author, one.to, one.box) == (author, to, box)

    @property
    def pair(self) -> str:
        """Whose it is and for whom."""
        return f"{self.stored.author.hex()} {self.stored.to.hex()}"

    def receipt(self) -> LetterReceipt:
        """Return what its keeper can sign of it; nobody has signed that."""
        one = self.stored
        whose = one.author, one.to, one.box, one.about, one.digest
        times = one.first // 1000, one.at // 1000, self.until
        return LetterReceipt(b"", *whose, *times, bytes(SIGNATURE_BYTES))


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
        self._wishes: Final[dict[bytes, tuple[bytes, ...]]] = {}
        for reader, authors in read_json(folder / WISHES).items():
            with suppress(TypeError, ValueError):  # it says so again when it comes
                keys = tuple(map(bytes.fromhex, authors))
                self._wishes[bytes.fromhex(reader)] = keys
        self._kept: Final[dict[str, Kept]] = {}
        """By the name of the file, the earliest first."""
        memory = read_json(folder / MEMORY).items()
        self._memory: Final = {
            "": unix(),
            **{pair: since for pair, since in memory if isinstance(since, int)},
        }
        """Since when letters are remembered, of all ("") and of some pairs."""
        for kept in sorted(self._read(), key=lambda one: one.at):
            self._kept[kept.file] = kept
        self.lapse()

    def __len__(self) -> int:
        """Return how many letters are kept."""
        return sum(one.size > 0 for one in self._kept.values())

    # What is on the disk.

    def _read(self) -> Iterator[Kept]:
        """Yield what is there and whole; the rest goes."""
        for path in sorted(self._folder.glob(f"*{SUFFIX}*")):
            stored = self._stored(path.name)
            if stored is None:
                self._unlink(path.name)
                if path.name.endswith(SUFFIX):
                    self._damaged("")  # whatever it was
            else:
                yield Kept(stored, len(stored.letter), path.name)

    def _damaged(self, pair: str) -> None:
        """Tell of a letter that is lost, and say nothing of what was before that."""
        if self._faults is not None:
            self._faults.fault(Says.LETTER_DAMAGED())
        self._forget_before(self._unix(), pair)

    def _forget_before(self, since: int, pair: str = "") -> None:
        """Note that letters of a time are not all remembered any more.

        Args:
            since: What was before that, in seconds of Unix time.
            pair: Of whom; all of them if empty.
        """
        if since > self._memory.get(pair, 0):
            self._memory[pair] = since
            while len(self._memory) > LETTER_READERS:
                some = next(each for each in self._memory if each)
                self._memory[""] = max(self._memory[""], self._memory.pop(some))
            with suppress(LocalError):
                self._write(MEMORY, json.dumps(self._memory).encode())

    def _stored(self, name: str) -> Stored | None:
        """Return a letter from the disk, None if it is not there, or damaged."""
        with suppress(OSError, PeerError, LocalError):
            data = read_named(self._folder / name, 2 * LETTER_BYTES)
            if name == _name(data):
                stored: Stored = unpack(data, Stored)
                return stored
        return None

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
            waited = {one.stored.to for one in self._kept.values() if one.size} | {
                reader
            }
            spare = [one for one in self._wishes if one not in waited]
            if not spare:
                del self._wishes[reader]
                break
            del self._wishes[spare[0]]
        if before != named:
            kept = {k.hex(): [a.hex() for a in v] for k, v in self._wishes.items()}
            self._write(WISHES, json.dumps(kept).encode())
            if not (self._folder / MEMORY).exists():
                self._write(MEMORY, json.dumps(self._memory).encode())

    def takes(self, reader: bytes, author: bytes) -> bool:
        """Tell whether a reader takes letters of an author."""
        return author in self._wishes.get(reader, ())

    # Letters.

    def leave(self, author: bytes, message: LeaveLetter) -> LetterReceipt:
        """Keep a letter; return what can be signed of that.

        Raises:
            PeerError: DECLINED, its reader takes none of this author; BUSY, there is
                no room for it.
            LocalError: DISK.
        """
        if not self.takes(message.to, author):
            raise PeerError(Code.DECLINED)
        place = author, message.to, message.box
        there = [one for one in self._kept.values() if one.is_in(*place)]
        gone = there if not message.part else []
        self._find_room(author, message, gone)
        last = max((one.at for one in self._kept.values()), default=0)
        at = max(self._unix() * 1000, last + 1)
        same = (one.stored for one in there if one.stored.about == message.about)
        first = min((one.first for one in same), default=at) if message.about else at
        digest = hashlib.sha256(message.letter).digest()
        times = message.part, at, first, message.days
        stored = Stored(*place, *times, message.about, digest, message.letter)
        kept = self._keep(stored)
        for one in gone:
            self._drop(one)
        return kept.receipt()

    def _keep(self, stored: Stored) -> Kept:
        """Write a letter, or what is to be remembered of one.

        Raises:
            LocalError: DISK.
        """
        data = pack(stored)
        name = _name(data)
        self._write(name, data)
        self._kept[name] = kept = Kept(stored, len(stored.letter), name)
        return kept

    def _find_room(self, author: bytes, message: LeaveLetter, gone: list[Kept]) -> None:
        """Refuse a letter where there are too many.

        Raises:
            PeerError: BUSY.
        """
        self.lapse()
        size, to = len(message.letter), message.to
        there = [one for one in self._kept.values() if one.size and one not in gone]
        theirs = [one for one in there if one.stored.author == author]
        pair = [one for one in theirs if one.stored.to == to]
        cost = size * _weeks(message.days)
        for some, count, most in (
            (theirs, LETTERS_A_PEER, LETTERS_A_PEER_BYTES),
            (pair, LETTERS_A_PAIR, LETTERS_A_PAIR_BYTES),
        ):
            if len(some) >= count or sum(one.cost for one in some) + cost > most:
                raise PeerError(Code.BUSY)
        shared = [] if self._is_first(author, to, len(pair)) else self._shared(there)
        for some, count, most in (
            (there, LETTERS_KEPT, LETTERS_KEPT_BYTES),
            (shared, LETTERS_KEPT // 2, LETTERS_KEPT_BYTES // 2),
            (
                [one for one in shared if one.stored.to == to],
                LETTERS_A_PEER,
                LETTERS_A_PEER_BYTES,
            ),
        ):
            # Who comes with little finds room, however many have agreed to fill it.
            own = [one for one in some if one.stored.author == author]
            taken = sum(one.size for one in some) + size
            taken += LEFT_FOR_OTHERS * sum(one.size for one in own)
            if len(some) + LEFT_FOR_OTHERS * len(own) >= count or taken > most:
                raise PeerError(Code.BUSY)

    def _is_first(self, author: bytes, reader: bytes, count: int) -> bool:
        """Tell whether there is room for an author of its own, beside some letters.

        A member of a match has as much as it may need to say all that a reader lacks.
        """
        first = self._wishes.get(reader, ())[:FIRST_AUTHORS]
        return author in first and count < LETTER_PARTS

    def _shared(self, there: Iterable[Kept]) -> list[Kept]:
        """Return the letters that take room which is for whoever comes."""
        counts, found = Counter[tuple[bytes, bytes]](), list[Kept]()
        for one in there:
            pair = one.stored.author, one.stored.to
            if not self._is_first(*pair, counts[pair]):
                found.append(one)
            counts[pair] += 1
        return found

    def said(
        self, author: bytes, to: bytes, box: bytes, since: int
    ) -> LetterReceipt | NothingLeft | None:
        """Return what can be signed of what was left in a box; nobody has.

        Args:
            author: Whose box.
            to: For whom.
            box: Which.
            since: Unix time in seconds.

        Returns:
            A receipt of the last letter since then; or that there was none, since then
            or for as long as is remembered; None if nothing is.
        """
        self.lapse()
        unix = self._unix()
        found = (one for one in self._kept.values() if one.is_in(author, to, box))
        last = max(found, key=lambda one: one.at, default=None)
        if last is not None and last.at // 1000 >= since:
            return last.receipt()
        pair = f"{author.hex()} {to.hex()}"
        least = max(since, self._memory[""], self._memory.get(pair, 0))
        if least > unix:
            return None
        return NothingLeft(b"", author, to, box, least, unix, bytes(SIGNATURE_BYTES))

    def first(self, reader: bytes) -> bytes | None:
        """Return the earliest letter for a reader, None if there is none."""
        self.lapse()
        for one in [one for one in self._kept.values() if one.stored.to == reader]:
            stored = self._stored(one.file) if one.size else None
            if stored is not None:
                return stored.letter
            if one.size:
                self._drop(one)  # it was damaged meanwhile
                self._damaged(one.pair)
        return None

    def taken(self, reader: bytes, digest: bytes) -> None:
        """Keep a letter no longer that its reader has; remember that it was left."""
        for one in tuple(self._kept.values()):
            if one.size and one.stored.to == reader and one.stored.digest == digest:
                self._remember(one)

    def lapse(self) -> None:
        """Keep no longer what has been here for as long as was asked for."""
        unix = self._unix()
        for one in tuple(self._kept.values()):
            if one.size and one.until <= unix:
                self._remember(one)
            elif not one.size and one.at // 1000 + LETTER_DAYS * DAY_SECONDS <= unix:
                self._forget(one)

    def _remember(self, one: Kept) -> None:
        """Keep of a letter that it was left, and when: of the last one in a box."""
        place = one.stored.author, one.stored.to, one.stored.box
        old = [each for each in self._kept.values() if each.is_in(*place)]
        if all(each.at <= one.at or each.size for each in old):
            try:
                self._keep(replace(one.stored, letter=b""))
            except LocalError:
                self._forget_before(one.at // 1000 + 1, one.pair)
        for each in old:
            if each == one or (not each.size and each.at < one.at):
                self._drop(each)
        memories = [each for each in self._kept.values() if not each.size]
        if len(memories) > LETTERS_REMEMBERED:  # of whoever needs most room
            counts = Counter(each.pair for each in memories)
            most = max(counts, key=lambda pair: counts[pair])
            mine = (each for each in memories if each.pair == most)
            self._forget(min(mine, key=lambda each: each.at))

    def _forget(self, one: Kept) -> None:
        """Remember a letter no longer."""
        self._drop(one)
        self._forget_before(one.at // 1000 + 1, one.pair)

    def _drop(self, one: Kept) -> None:
        self._kept.pop(one.file, None)
        self._unlink(one.file)


def _weeks(days: int) -> int:
    """Return how many weeks have begun with so many days."""
    return -(-days // WEEK_DAYS)


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest() + SUFFIX
