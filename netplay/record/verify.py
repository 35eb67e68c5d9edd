"""Check a match file alone: signatures, hashes, rules, proofs and the audit.

Nothing of the node takes part: bytes go in, a verdict comes out, which names the place
of whatever is wrong.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct

from netplay.errors import PeerError
from netplay.messages.table import Terms
from netplay.record.fold import Fold
from netplay.record.ledger import empty_log, follow, read_terms
from netplay.record.log import Log
from netplay.record.store import DamageError, Record, records
from netplay.record.whole import audit
from rules.game import IllegalMoveError


class Verdict(Struct, frozen=True):
    """What a check of a match file found."""

    ok: bool
    game: str
    """Empty if not even the terms could be read."""
    entries: int
    """How many are good, from the first on."""
    moves: int
    places: tuple[int, ...]
    """Empty unless the match was played to its end."""
    audit: str
    """Empty before the end; "ok"; or what the audit found."""
    reason: str
    """What is wrong and where, empty if nothing is."""


class _WrongError(Exception):
    """Something does not hold; the words say where."""


@contextmanager
def _at(number: int, offset: int) -> Generator[None]:
    """Say where whatever goes wrong inside does so."""
    try:
        yield
    except (PeerError, IllegalMoveError) as error:
        place = f"entry {number}, at byte {offset}"
        raise _WrongError(f"{place}: {error}") from None


class Replay:
    """A match file read so far."""

    def __init__(self) -> None:
        """Start before the genesis."""
        self.terms: Terms | None = None
        self.log: Log | None = None
        self.fold: Fold | None = None

    def take(self, raw: bytes) -> None:
        """Check and fold in the next entry.

        Raises:
            PeerError: It does not follow, or is not signed as it must be.
            IllegalMoveError: The rules forbid the move.
        """
        if self.fold is None or self.log is None:
            self.terms = read_terms(raw)
            self.fold, self.log = Fold(self.terms), empty_log(self.terms)
        follow(self.log, self.fold, self.log.read(raw, self.fold.host_after))


def replay(raws: Sequence[bytes]) -> Fold:
    """Return the public state after some entries.

    Raises:
        PeerError: They are no log of a match.
        IllegalMoveError: The rules forbid a move.
    """
    done = Replay()
    for raw in raws:
        done.take(raw)
    if done.fold is None:
        raise DamageError(0, "there is no match in the file", tail=False)
    return done.fold


def verify(data: bytes) -> Verdict:
    """Check a match file.

    Args:
        data: The whole file.
    """
    done, reason = Replay(), ""
    try:
        _check(done, data)
    except _WrongError as error:
        reason = str(error)
    return _verdict(done, reason)


def _check(done: Replay, data: bytes) -> None:
    """Read a file through.

    Raises:
        _WrongError: Something does not hold.
    """
    for number, record in enumerate(_records(data, done)):
        with _at(number, record.offset):
            done.take(record.entry)
    if done.fold is None:
        raise _WrongError("at byte 0: there is no match in the file")
    found = audit(done.fold)
    if found not in {"", "ok"}:
        raise _WrongError(f"the audit: {found}")


def _records(data: bytes, done: Replay) -> Iterator[Record]:
    """Yield the records of a file.

    Raises:
        _WrongError: It is damaged.
    """
    try:
        yield from records(data)
    except DamageError as damage:
        number = 0 if done.fold is None else done.fold.number
        raise _WrongError(f"entry {number}, {damage.detail}") from None


def _verdict(done: Replay, reason: str) -> Verdict:
    """Return what was found."""
    fold = done.fold
    if fold is None:
        return Verdict(False, "", 0, 0, (), "", reason)
    return Verdict(
        ok=not reason,
        game=fold.terms.game,
        entries=fold.number,
        moves=fold.moves,
        places=tuple(fold.game.places(fold.state)) if fold.over else (),
        audit=audit(fold) if not reason else "",
        reason=reason,
    )
