"""A match: its log and what it means, always in step, and what its file still lacks.

Whoever appends does it here: bytes are checked, folded and chained, in this order, so
that nothing that does not fit is ever written.  The file follows when its owner says
`write`; what other nodes are told waits for that and for `file.sync` (see
`match.journal`).
"""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Final

from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.limits import MATCH_ENTRIES
from netplay.messages.log import Genesis, Turn
from netplay.messages.table import Terms
from netplay.record.fold import Fold
from netplay.record.hidden import KeptMixes
from netplay.record.log import (
    Line,
    Log,
    Signed,
    Signer,
    author_data,
    digest,
    read_body,
    read_entry,
)
from netplay.record.store import DamageError, Disk, MatchFile, records
from netplay.said import spoken
from netplay.wire import pack
from rules.game import IllegalMoveError


def make_genesis(signer: Signer, terms: Terms, signatures: Sequence[bytes]) -> bytes:
    """Return the first entry of a match, by its host.

    Args:
        signer: The host's key.
        terms: What all have agreed to.
        signatures: Theirs, in the order of the members.
    """
    log = empty_log(terms)
    body = pack(Genesis(terms, tuple(signatures)))
    signature = signer.sign(author_data(log.match, 0, body))
    return log.compose(signer, Signed(signer.key, 0, body, signature), 0).raw


def read_terms(raw: bytes) -> Terms:
    """Return the terms in the first entry of a log, which is not checked yet.

    Raises:
        PeerError: It is no genesis.
    """
    body = read_body(read_entry(raw).body)
    if not isinstance(body, Genesis):
        raise PeerError(Code.BAD_LOG, "entry 0: not a genesis")
    return body.terms


def terms_in(data: bytes) -> Terms | None:
    """Return the terms in a file of a match, None where it has no entry.

    Args:
        data: The file, or so much of its beginning that the first entry is in it.

    Raises:
        PeerError: It is damaged, or begins with no genesis.
    """
    first = next(records(data), None)
    return None if first is None else read_terms(first.entry)


def may_know(disk: Disk, key: bytes) -> bool:
    """Tell whether a key can be a member's of the match in a file.

    A member's key stands in the genesis or in the entry that gave it a seat.  Nothing
    is folded and no signature checked: strangers may ask.  A file without a whole
    genesis knows nobody, and so refuses nobody.
    """
    data = disk.read()
    try:
        whole = next(records(data), None) is not None
    except DamageError:
        whole = False
    return not whole or key in data


def empty_log(terms: Terms) -> Log:
    """Return the empty log of a match."""
    keys = [member.key for member in terms.members]
    return Log(digest(pack(terms)), keys, keys[0])


def follow(log: Log, fold: Fold, line: Line, *, strict: bool = False) -> None:
    """Fold in and chain an entry; see `Fold.apply`."""
    keys = fold.keys
    fold.apply(line, strict=strict)
    log.append(line, fold.host)
    if fold.keys is not keys:
        for key in fold.keys:
            log.admit(key)


_RAW: Final = attrgetter("raw")


class NoGenesisError(PeerError):
    """A match has no entries at all, and so no terms."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__(Code.BAD_LOG, "there is no genesis")


class Ledger:
    """Log, fold and file of one match."""

    def __init__(
        self,
        disk: Disk,
        raws: Sequence[bytes] = (),
        checked: Callable[[], KeptMixes | None] = lambda: None,
    ) -> None:
        """Read what the file holds, and add entries to it.

        Args:
            disk: The file.
            raws: More entries; the genesis for an empty file.
            checked: Returns up to where all proofs of an encrypted bag were checked
                in an earlier run, if any were.

        Raises:
            PeerError: The entries do not follow from one another, or the match cannot
                be played here.
            LocalError: DISK.
        """
        self.file: Final = MatchFile(disk)
        kept = self.file.entries
        first = next(iter((*kept, *raws)), None)
        if first is None:
            raise NoGenesisError
        self.terms: Final = read_terms(first)
        self.log = empty_log(self.terms)
        self.fold = Fold(self.terms)
        self._unwritten: list[bytes] = []
        """Entries that the file does not have yet."""
        self._cut: int | None = None
        """How many of the file's entries stand, if not all of them do."""
        self.behind = False
        """Whether the file lacks something of the log."""
        try:
            proved = None if self.fold.bag is None else self.fold.bag.proved
            # How many of the entries have proofs that were checked before: each names
            # the one before it, so the last head says what all of them are.
            known, done = 0, None if proved is None else checked()
            if done is not None and 0 < done.number <= len(kept):
                same = digest(kept[done.number - 1]) == done.head
                known = done.number if same else 0
            for number, raw in enumerate(kept):
                if proved is not None:
                    proved.trusting = number < known
                follow(self.log, self.fold, self.checked(raw))
            self.log.rest()
            if proved is not None:
                proved.trusting = False
            for raw in raws[len(kept) :]:
                self.append(self.checked(raw))
            self.write()
        except IllegalMoveError as error:
            raise PeerError(Code.ILLEGAL_MOVE, spoken(error)) from None

    def checked(self, raw: bytes) -> Line:
        """Check that bytes are the next entry, by their signatures.

        Raises:
            PeerError: They are not.
        """
        return self.log.checked(raw, self.fold.host_after)

    def append(self, line: Line, *, strict: bool = False) -> None:
        """Fold in an entry, and have it written with the next `write`.

        Args:
            line: The entry.
            strict: Refuse what would change nothing, as a host does.

        Raises:
            PeerError: It has no place here; nothing has changed.
            IllegalMoveError: The rules forbid the move; nothing has changed.
        """
        if self.log.number >= MATCH_ENTRIES:
            raise PeerError(Code.TOO_MANY, "the match is too long")
        follow(self.log, self.fold, line, strict=strict)
        self._unwritten.append(line.raw)
        self.behind = True

    @property
    def dirty(self) -> bool:
        """Whether entries may still be lost: not written, or not synced."""
        return self.behind or self.file.dirty

    def write(self) -> None:
        """Bring the file up to the log; what is new is durable after `file.sync`.

        Raises:
            LocalError: DISK.
        """
        if self._cut is not None:
            self.file.keep(line.raw for line in self.log.lines[: self._cut])
            self._cut = None
        if self._unwritten:
            self.file.append(self._unwritten)
            self._unwritten = []
        self.behind = False

    def accept(self, raw: bytes) -> Line:
        """Read and append an entry that a peer sent.

        Raises:
            PeerError: As `checked`, and ILLEGAL_MOVE.
        """
        line = self.log.checked(raw, self.fold.host_after)
        try:
            self.append(line)
        except IllegalMoveError as error:
            raise PeerError(Code.ILLEGAL_MOVE, spoken(error)) from None
        return line

    def sync(self) -> None:
        """Return when every entry is on the disk.

        Raises:
            LocalError: DISK.
        """
        if self.behind:
            self.write()
        if self.file.dirty:
            self.file.sync()

    def check_branch(self, number: int, raws: Iterable[bytes]) -> None:
        """Check that entries may follow the first ones, in place of what does.

        Raises:
            PeerError: They may not.
        """
        other, fold = empty_log(self.terms), self._new_fold()
        for line in self.log.lines[:number]:
            follow(other, fold, line)
        try:
            for raw in raws:
                follow(other, fold, other.checked(raw, fold.host_after))
        except IllegalMoveError as error:
            raise PeerError(Code.ILLEGAL_MOVE, spoken(error)) from None

    def answers(self, seat: int, said: Iterable[Signed]) -> int:
        """Return how many bodies it takes until a seat owes what it owes no more.

        They are put behind the log one after the other, which itself stays as it is.
        No claim is in their way that the second turn behind one would not stop.

        Args:
            seat: For which the match waits.
            said: What its player has signed, in the order of its numbers.

        Returns:
            0 if one of them has no place there, or all together do not come to that.
        """
        other, fold = self.log.branch(), self.fold.branch()
        moves = fold.moves
        for count, signed in enumerate(said, 1):
            try:
                line = other.draft(signed)
                if isinstance(line.body, Turn):
                    fold.claims = replace(fold.claims, stopped=())
                follow(other, fold, line, strict=True)
            except (PeerError, IllegalMoveError):
                return 0
            if fold.over or fold.moves > moves or seat not in fold.claimable():
                return count
        return 0

    def refuses(self, signed: Signed) -> PeerError | IllegalMoveError | None:
        """Return why a body has no place behind the log, which stays as it is."""
        other, fold = self.log.branch(), self.fold.branch()
        try:
            follow(other, fold, other.draft(signed), strict=True)
        except (PeerError, IllegalMoveError) as error:
            return error
        return None

    def truncate(self, number: int) -> list[Line]:
        """Keep only the first entries, of the file with the next `write`.

        Returns:
            The others.
        """
        kept, lost = self.log.lines[:number], self.log.lines[number:]
        written = len(self.log.lines) - len(self._unwritten)
        if number < written:
            self._cut, self._unwritten = number, []
        else:
            del self._unwritten[number - written :]
        self.behind = True
        self.log, self.fold = empty_log(self.terms), self._new_fold()
        for line in kept:
            follow(self.log, self.fold, line)
        return lost

    def _new_fold(self) -> Fold:
        """Return the fold of nothing, which knows what was checked before."""
        made = Fold(self.terms)
        if made.bag is not None and self.fold.bag is not None:
            made.bag.proved = self.fold.bag.proved
        return made

    def raws(self, start: int, end: int | None = None) -> tuple[bytes, ...]:
        """Return the bytes of entries."""
        return tuple(map(_RAW, self.log.lines[start:end]))
