"""A match on disk: its log, what it means, and the file, always in step.

Whoever appends does it here: bytes are checked, folded, chained and written, in this
order, so that nothing that does not fit is ever written.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from netplay.errors import Code, PeerError
from netplay.messages.log import Genesis
from netplay.messages.table import Terms
from netplay.record.fold import Fold
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
    fold.apply(line, strict=strict)
    log.append(line, fold.host)
    for key in fold.keys:
        log.admit(key)


class NoGenesisError(PeerError):
    """A match has no entries at all, and so no terms."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__(Code.BAD_LOG, "there is no genesis")


class Ledger:
    """Log, fold and file of one match."""

    def __init__(self, disk: Disk, raws: Sequence[bytes] = ()) -> None:
        """Read what the file holds, and add entries to it.

        Args:
            disk: The file.
            raws: More entries; the genesis for an empty file.

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
        try:
            for raw in kept:
                self._take(self.read(raw))
            for raw in raws[len(kept) :]:
                self.append(self.read(raw))
        except IllegalMoveError as error:
            raise PeerError(Code.ILLEGAL_MOVE, str(error)) from None

    def read(self, raw: bytes) -> Line:
        """Check that bytes are the next entry, by their signatures.

        Raises:
            PeerError: They are not.
        """
        return self.log.read(raw, self.fold.host_after)

    def append(self, line: Line, *, strict: bool = False) -> None:
        """Fold in an entry and write it; it is durable after `sync`.

        Args:
            line: The entry.
            strict: Refuse what would change nothing, as a host does.

        Raises:
            PeerError: It has no place here; nothing has changed.
            IllegalMoveError: The rules forbid the move; nothing has changed.
            LocalError: DISK.
        """
        if self.log.is_full():
            raise PeerError(Code.TOO_MANY, "the match is too long")
        self._take(line, strict=strict)
        self.file.append((line.raw,))

    def _take(self, line: Line, *, strict: bool = False) -> None:
        """Fold in and chain an entry."""
        follow(self.log, self.fold, line, strict=strict)

    def accept(self, raw: bytes) -> Line:
        """Read and append an entry that a peer sent.

        Raises:
            PeerError: As `read`, and ILLEGAL_MOVE.
            LocalError: DISK.
        """
        line = self.read(raw)
        try:
            self.append(line)
        except IllegalMoveError as error:
            raise PeerError(Code.ILLEGAL_MOVE, str(error)) from None
        return line

    def check_branch(self, number: int, raws: Iterable[bytes]) -> None:
        """Check that entries may follow the first ones, in place of what does.

        Raises:
            PeerError: They may not.
        """
        other = empty_log(self.terms)
        fold = Fold(self.terms)
        for line in self.log.lines[:number]:
            follow(other, fold, line)
        try:
            for raw in raws:
                follow(other, fold, other.read(raw, fold.host_after))
        except IllegalMoveError as error:
            raise PeerError(Code.ILLEGAL_MOVE, str(error)) from None

    def truncate(self, number: int) -> list[Line]:
        """Keep only the first entries, durably; return the others."""
        kept, lost = self.log.lines[:number], self.log.lines[number:]
        self.file.keep(number)
        self.log = empty_log(self.terms)
        self.fold = Fold(self.terms)
        for line in kept:
            self._take(line)
        return lost

    def raws(self, start: int, end: int | None = None) -> tuple[bytes, ...]:
        """Return the bytes of entries."""
        return tuple(line.raw for line in self.log.lines[start:end])
