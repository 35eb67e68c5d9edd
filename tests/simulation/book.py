"""What the files of the nodes say, read by somebody who trusts none of them.

The book has every entry that ever stood in a file, each history once.  It is read by
protocol.md alone: who may say what, who has a say, whose signatures are needed.  Only
the rules of the games are asked of the program itself.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from msgspec import Struct, ValidationError, msgpack
from msgspec.structs import astuple

from netplay.errors import PeerError
from netplay.messages.log import (
    Clock,
    Entry,
    Face,
    Genesis,
    Grant,
    Hand,
    LogBody,
    Response,
    Term,
    Ticks,
    Turn,
    Wish,
)
from netplay.messages.table import Terms
from netplay.record.ledger import Ledger
from netplay.record.log import check_signature
from netplay.record.store import MemoryDisk
from netplay.wire import pack, unpack
from rules import GAMES
from rules.game import Resign
from tests.simulation import agreed
from tests.simulation.drive import Kept

MAGIC: Final = b"NPMATCH\x01"
SUFFIX: Final = ".netplay"
SECRETS: Final = ".secrets"
MINUTE: Final = 60_000
GRANT: Final = 4
"""The tag of a promise in a file of secrets."""


def tag(name: str) -> bytes:
    return b"netplay/1 " + name.encode() + b"\0"


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def quorum(electors: int) -> int:
    return electors if electors <= 2 else electors - 1


def holds(key: bytes, signature: bytes, data: bytes) -> bool:
    """Tell whether a signature is good."""
    try:
        check_signature(key, signature, data)
    except PeerError:
        return False
    return True


class Page(Struct, frozen=True):
    """How a match stands after an entry."""

    match: bytes
    terms: Terms
    raw: bytes
    entry: Entry
    body: LogBody
    before: "Page | None"
    head: bytes
    host: bytes
    members: tuple[bytes, ...]
    holders: tuple[bytes, ...]
    names: tuple[str, ...]
    resigned: frozenset[int]
    handed: int
    moves: int
    moved_at: int
    faces: frozenset[int]
    """Tiles that everybody may know."""
    owns: tuple[tuple[bytes, int], ...]
    says: tuple[tuple[int, frozenset[bytes]], ...]
    """Since how many entries who has a say."""
    offered: tuple[agreed.Stands, ...]
    ended: str
    """Players have agreed to end the match."""
    wrong: str
    """What is wrong with the entry."""
    gone: bytes = b""
    """The one of two whose seats are to pass before anything else is said."""

    def lone(self, host: bytes, voters: set[bytes]) -> bool:
        """Tell whether one of two may begin a term alone; the rules of bags apart."""
        two = len(self.electors) == 2 and {host, self.host} <= self.electors
        return two and host in voters

    @property
    def number(self) -> int:
        """How many entries there are with this one."""
        return self.entry.number + 1

    @property
    def electors(self) -> frozenset[bytes]:
        return self.says[-1][1]

    def back(self) -> Iterator["Page"]:
        page: Page | None = self
        while page is not None:
            yield page
            page = page.before

    def at(self, number: int) -> "Page | None":
        """Return the page with so many entries."""
        return next((page for page in self.back() if page.number == number), None)

    def final(self, disks: Callable[[int, bytes], set[bytes]], number: int) -> bool:
        """Tell whether so many entries are on the disks of enough of those who count.

        Each change of those who have a say must be so by those before it.
        """
        ends = (*(start for start, _ in self.says[1:]), number)
        for (_, electors), end in zip(self.says, ends, strict=True):
            stop = min(end, number)
            page = self.at(stop) if stop else None
            have = set() if page is None else disks(stop, page.head) & electors
            if page is not None and len(have) < quorum(len(electors)):
                return False
            if end >= number:
                break
        return True


class Book:
    """All pages."""

    def __init__(self) -> None:
        self._pages: dict[bytes, Page] = {}
        self._folds: dict[bytes, Ledger] = {}

    def page(self, head: bytes) -> Page | None:
        return self._pages.get(head)

    def __iter__(self) -> Iterator[Page]:
        return iter(list(self._pages.values()))

    def add(self, before: Page | None, raw: bytes) -> Page:
        """Return the page of an entry."""
        head = digest(raw)
        if head not in self._pages:
            self._pages[head] = _page(before, raw, head)
        return self._pages[head]

    def fold(self, page: Page) -> Any:
        """Return the public state by the program's own rules, as of a page."""
        tip = self._folds.get(page.match)
        if tip is not None and tip.log.head == page.head:
            return tip.fold
        raws = [each.raw for each in page.back()][::-1]
        if tip is not None and len(tip.log) < len(raws):
            heads = [line.raw for line in tip.log.lines]
            if heads == raws[: len(heads)]:
                for raw in raws[len(heads) :]:
                    tip.append(tip.checked(raw))
                return tip.fold
        self._folds[page.match] = made = Ledger(MemoryDisk(), raws)
        return made.fold


def _page(before: Page | None, raw: bytes, head: bytes) -> Page:
    entry: Entry = unpack(raw, Entry)
    body: LogBody = unpack(entry.body, LogBody)
    if before is None:
        assert isinstance(body, Genesis)
        terms = body.terms
        keys = tuple(member.key for member in terms.members)
        return Page(
            digest(pack(terms)), terms, raw, entry, body, None, head, keys[0], keys,
            tuple(keys[seat.member] for seat in terms.seats),
            tuple(seat.name for seat in terms.seats),
            frozenset(), 0, 0, entry.at, frozenset(), ((entry.author, 1),),
            ((0, frozenset(keys[seat.member] for seat in terms.seats)),), (), "", "",
        )  # fmt: skip
    wrong = _wrong(before, entry, body)
    host, members, holders, names = (
        before.host, before.members, before.holders, before.names,
    )  # fmt: skip
    resigned, handed, moves = before.resigned, before.handed, before.moves
    moved_at, faces = before.moved_at, before.faces
    match body:
        case Turn():
            moves += 1
            faces |= {proof.tile for proof in body.proofs}
            if resigns(before.terms, body.move):
                resigned |= {body.seat}  # it may be the turn of the same as before
            else:
                moved_at = entry.at
        case Clock():
            moves, moved_at = moves + 1, entry.at
        case Face():
            faces |= {proof.tile for proof in body.proofs}
        case Term():
            host = members[body.host]
        case Hand():
            members = members if body.key in members else (*members, body.key)
            holders = (*holders[: body.seat], body.key, *holders[body.seat + 1 :])
            names = (*names[: body.seat], body.name, *names[body.seat + 1 :])
            handed += 1
        case _:
            pass
    plays = {seat for seat in range(len(holders)) if seat not in resigned}
    wishes, done = before.offered, ""
    if not wrong:
        wishes, done = agreed.after(before.offered, body, head, plays)
    if done == "back":
        moves, moved_at = moves + 1, entry.at
    if moves > before.moves:
        wishes = agreed.moved(wishes, plays)
    ended = before.ended or (done if done in ("draw", "stop") else "")
    owns = dict(before.owns)
    owns[entry.author] = entry.own + 1
    electors = frozenset(h for s, h in enumerate(holders) if s not in resigned)
    gone = b"" if wrong else _gone(before, entry, body)
    gone = gone if gone in electors else b""
    electors -= {gone}
    says = ((0, electors),) if gone and not before.gone else before.says
    if electors != says[-1][1]:
        says = (*says, (entry.number + 1, electors))
    return Page(
        before.match, before.terms, raw, entry, body, before, head, host, members,
        holders, names, resigned, handed, moves, moved_at, faces, tuple(owns.items()),
        says, wishes, ended, wrong, gone,
    )  # fmt: skip


def resigns(terms: Terms, move: bytes) -> bool:
    """Tell whether a move is to resign."""
    try:
        return isinstance(unpack(move, GAMES[terms.game].ABOUT.move), Resign)
    except PeerError:
        return False


def _wrong(before: Page, entry: Entry, body: LogBody) -> str:
    """Return what is wrong with an entry; the rules of the game apart."""
    if (entry.number, entry.prev) != (before.number, before.head):
        return "it does not follow"
    if entry.own != dict(before.owns).get(entry.author, 0):
        return "it is not its author's next"
    if entry.at < before.entry.at:
        return "time runs back"
    if not _is_signed(before, entry, body):
        return "it is not signed as it must be"
    newer = entry.term > before.entry.term
    if newer != isinstance(body, Term) or entry.term < before.entry.term:
        return "it is of a wrong term"
    if before.gone and not isinstance(body, Term | Hand):
        return "something before a seat has passed"
    match body:
        case Turn(seat=seat) | Ticks(seat=seat):
            return _wrong_seat(before, entry, body, seat)
        case Term():
            return _wrong_term(before, entry, body)
        case Hand():
            return _wrong_hand(before, entry, body)
        case Clock():
            return _wrong_clock(before, entry)
        case Wish(seat=seat) | Response(seat=seat):
            return _wrong_offer(before, entry, body, seat)
        case _:
            return ""


def _wrong_offer(before: Page, entry: Entry, body: Wish | Response, seat: int) -> str:
    if before.ended:
        return "the players have ended the match"
    if before.holders[seat] != entry.author or seat in before.resigned:
        return "the seat is another's, or nobody's"
    if isinstance(body, Wish):
        return "" if is_after(before, body.after) else "made for another position"
    stands = any(one.head == body.offer for one in before.offered)
    return "" if stands else "an answer to no offer"


def _is_signed(before: Page, entry: Entry, body: LogBody) -> bool:
    """Tell whether author and host have signed an entry."""
    host = before.host
    if isinstance(body, Term) and body.host < len(before.members):
        host = before.members[body.host]
    said = tag("author") + before.match + u64(entry.own) + entry.body
    fields = astuple(entry)[:-1]
    entered = tag("entry") + before.match + pack(fields)
    return holds(entry.author, entry.author_signature, said) and holds(
        host, entry.host_signature, entered
    )


def _wrong_seat(before: Page, entry: Entry, body: Turn | Ticks, seat: int) -> str:
    if before.holders[seat] != entry.author:
        return "the seat is another's"
    if seat in before.resigned or before.ended:
        return "the seat has resigned, or the match is over"
    late = isinstance(body, Turn) and not (
        is_after(before, body.after) or resigns(before.terms, body.move)
    )
    return "it was made for another position" if late else ""


def is_after(before: Page, head: bytes) -> bool:
    """Tell whether a head is of this history, and no move has been made since."""
    for page in before.back():
        if page.head == head:
            return True
        if page.before is None or page.moves != page.before.moves:
            return False
    return False


def _gone(before: Page, entry: Entry, body: LogBody) -> bytes:
    """Return who is no elector any more, after a valid term of one of two alone."""
    if not isinstance(body, Term):
        return before.gone
    voters, enough = _votes(before, entry, body), quorum(len(before.electors))
    alone = len(voters & before.electors) < enough
    return b"".join(before.electors - {entry.author}) if alone else before.gone


def _votes(before: Page, entry: Entry, body: Term) -> set[bytes]:
    """Return who has signed for a term, the present host for itself alone."""
    host = before.members[body.host]
    place = host + u64(entry.number) + entry.prev
    data = tag("term") + before.match + u64(entry.term) + place
    voters = {
        before.members[number]
        for number, signature in body.signatures
        if number < len(before.members)
        and holds(before.members[number], signature, data)
    }
    if host != before.host:
        voters.discard(before.host)  # it would follow nobody: it is host
    return voters


def _wrong_term(before: Page, entry: Entry, body: Term) -> str:
    host = before.members[body.host] if body.host < len(before.members) else b""
    if entry.author != host:
        return "a term that another begins"
    voters, enough = _votes(before, entry, body), quorum(len(before.electors))
    if len(voters & before.electors) >= enough or before.lone(host, voters):
        return ""
    return "a term without a quorum"


def _wrong_hand(before: Page, entry: Entry, body: Hand) -> str:
    holder = before.holders[body.seat]
    if before.gone and (holder != before.gone or body.key in {holder, before.host}):
        return "another seat than is to pass"
    if entry.author != before.host:
        return "a seat handed over by another than the host"
    numbers = u64(body.seat) + u64(before.handed)
    data = tag("hand") + before.match + numbers + body.key + body.name.encode()
    voters = {
        before.members[number]
        for number, signature in body.signatures
        if number < len(before.members)
        and holds(before.members[number], signature, data)
    }
    needed = (before.electors - {before.holders[body.seat]}) | {before.host}
    return "" if voters >= needed else "a seat handed over without consent"


def _wrong_clock(before: Page, entry: Entry) -> str:
    if entry.author != before.host:
        return "a clock that another than the host has"
    options = unpack(before.terms.options, GAMES[before.terms.game].ABOUT.options)
    timed = getattr(options, "timed", 0)
    early = entry.at - before.moved_at < timed * MINUTE
    return "a clock that is not up" if early else ""


class Volume:
    """One match file as it is read again and again."""

    def __init__(self, book: Book, path: str) -> None:
        self._book, self._path = book, Path(path)
        self._seen = -1, 0
        self.pages: list[Page] = []
        self._ends: list[int] = []

    def read(self, kept: Kept) -> list[Page]:
        """Return the pages of what stands in the file, up to where it is torn."""
        size = self._path.stat().st_size
        if self._seen == (kept.rewritten, size):
            return self.pages
        if self._seen[0] != kept.rewritten or size < self._seen[1]:
            self.pages, self._ends = [], []
        self._seen = kept.rewritten, size
        self._add(self._path.read_bytes())
        return self.pages

    def _add(self, data: bytes) -> None:
        at = self._ends[-1] if self._ends else len(MAGIC)
        if data[: len(MAGIC)] != MAGIC:
            return
        for raw, end in frames(data, at):
            try:
                page = self._book.add(self.pages[-1] if self.pages else None, raw)
            except (PeerError, ValidationError, AssertionError, IndexError):
                return
            self.pages.append(page)
            self._ends.append(end)

    def count(self, kept: Kept) -> int:
        """Return how many of the pages read last are on the disk."""
        return bisect_right(self._ends, len(kept.durable))

    def safe(self, kept: Kept) -> list[Page]:
        """Return those pages that a power cut leaves."""
        pages = self.read(kept)
        if kept.cut_at is None:
            return pages[: self.count(kept)]
        found: list[Page] = []
        for raw, _ in frames(kept.durable, len(MAGIC)):
            found.append(self._book.add(found[-1] if found else None, raw))
        return found


def frames(data: bytes, at: int) -> Iterator[tuple[bytes, int]]:
    """Yield (record, where it ends) up to where a file is torn."""
    while at + 8 <= len(data):
        length, check = (
            int.from_bytes(data[at + n : at + n + 4], "big") for n in (0, 4)
        )
        raw = data[at + 8 : at + 8 + length]
        if not length or len(raw) < length or crc32(raw) != check:
            return
        at += 8 + length
        yield raw, at


def promises(data: bytes) -> list[Any]:
    """Return the terms that a file of secrets promises to follow none older than."""
    found: list[Any] = []
    for raw, _ in frames(data, len(MAGIC)):
        record: Any = msgpack.decode(raw)
        if record[0] == GRANT:
            found.append(record[1:])
    return found


def grant_data(match: bytes, grant: Grant, claimant: bytes) -> bytes:
    """Return what a member signs to follow a claimant."""
    place = claimant + u64(grant.number) + grant.head
    return tag("term") + match + u64(grant.term) + place
