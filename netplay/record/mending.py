"""Files of a match that are damaged: what is whole in them is saved, the rest is named.

Theory of operation.  A damaged file is kept under another name, and what can still be
read of it takes its place.  The node has then forgotten things that it may have said:
entries it entered or acknowledged, terms it promised.  So it first writes down, with
its secrets, that it is *lost*: until a term that is newer than its loss it enters
nothing and vouches for nothing it does not have (see `match.election`), and the others
send it what is missing.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Final

from netplay.errors import Code, LocalError, PeerError
from netplay.record import store
from netplay.record.archive import Archive
from netplay.record.hidden import Entropy, Hidden, KeptLapse, KeptMixes, readable
from netplay.record.ledger import Ledger, NoGenesisError
from netplay.record.verify import Replay
from netplay.said import Said, Words, spoken
from netplay.sentences import Says
from rules.game import IllegalMoveError

_CHANGED: Final = frozenset(
    {Code.BAD_LOG, Code.BAD_SIGNATURE, Code.BAD_FRAME, Code.NOT_CANONICAL}
)
"""What a log shows whose bytes are not those that were written."""

Say = Callable[[Said], None]


class Mender:
    """Opens the files of matches, and mends those that are damaged."""

    def __init__(self, archive: Archive, entropy: Entropy, say: Say) -> None:
        """Look after an archive.

        Args:
            archive: The files.
            entropy: Random bytes.
            say: Told in words what was damaged.
        """
        self._archive: Final = archive
        self._entropy: Final = entropy
        self._say: Final = say

    def ledger(self, match: bytes) -> Ledger | None:
        """Open a match that is kept; None if not even its genesis is left.

        Raises:
            PeerError: It is whole, and yet cannot be played here.
            LocalError: DISK.
        """
        # First: to open them makes the file anew.
        with closing(self._archive.open_secrets(match)) as secrets:
            # A power cut may leave zeros in the place of what was written.
            gone = len(secrets.read().rstrip(b"\0")) < len(store.MAGIC)
        disk = self._archive.open(match)
        try:
            ledger = Ledger(disk, checked=lambda: self._checked(match))
        except NoGenesisError:
            disk.close()
            return None
        except PeerError:
            data = disk.read()
            disk.close()
            entries, why = intact(data)
            if not why:
                raise
        else:
            if gone:
                self.lost(match, len(ledger.log))
                self._say(Says.SECRETS_GONE(name=self._archive.secrets_name(match)))
            return ledger
        # Put what is whole of a match in the place of its damaged file
        self.lost(match, len(entries))
        rest = store.whole(entries) if entries else b""
        name = self._archive.set_aside(match, store.SUFFIX, rest)
        detail = Says.MATCH_DAMAGED(why=why, count=len(entries), name=name)
        self._say(detail)
        return Ledger(self._archive.open(match)) if entries else None

    def _checked(self, match: bytes) -> KeptMixes | None:
        """Return how far the proofs of an encrypted bag were checked."""
        hidden = self.hidden(match)
        hidden.close()
        return hidden.mixes

    def lost(self, match: bytes, number: int) -> None:
        """Write down that entries are missing that this node may have signed.

        Args:
            match: Which match.
            number: How many entries are left.

        Raises:
            LocalError: DISK.
        """
        hidden = self.hidden(match)
        hidden.keep(KeptLapse(number, over=False))
        hidden.sync()
        hidden.close()

    def hidden(self, match: bytes) -> Hidden:
        """Open the secrets of a match.

        Raises:
            LocalError: DISK.
        """
        disk = self._archive.open_secrets(match)
        try:
            return Hidden(disk, self._entropy)
        except LocalError as error:
            data = disk.read()
            disk.close()
            if error.code is not Code.BAD_LOG:
                raise
        found = [entry for entry in rescued(data) if readable(entry)]
        kept = [*found, KeptLapse(0, over=False).packed()]
        name = self._archive.set_aside(match, store.SECRETS, store.whole(kept))
        detail = Says.SECRETS_DAMAGED(count=len(found), name=name)
        self._say(detail)
        return Hidden(self._archive.open_secrets(match), self._entropy)


def intact(data: bytes) -> tuple[tuple[bytes, ...], Words]:
    """Return the entries of a file before the first that is damaged, and the damage.

    Returns:
        No damage if the bytes are those that were written, as far as can be told.
    """
    found: list[bytes] = []
    why: Words = ""
    try:
        for record in store.records(data):
            found.append(record.entry)  # noqa: PERF401 (what came before damage stays)
    except store.DamageError as damage:
        why = "" if damage.tail else damage.detail
    number, changed = _followed(found)
    return (tuple(found[:number]), changed) if changed else (tuple(found), why)


def _followed(entries: list[bytes]) -> tuple[int, Words]:
    """Return how many entries follow from one another, and why the next does not."""
    done = Replay()
    for number, raw in enumerate(entries):
        try:
            done.on_entry(raw)
        except PeerError as error:
            changed = error.code in _CHANGED
            return (number, spoken(error)) if changed else (len(entries), "")
        except IllegalMoveError:
            break
    return len(entries), ""


def rescued(data: bytes) -> Iterator[bytes]:
    """Yield every whole record of a damaged file, also behind the damage."""
    at = 0
    while at < len(data):
        record = store.record_at(data, at)
        if record is None:
            at += 1
        else:
            yield record
            at += store.HEADER_BYTES + len(record)
