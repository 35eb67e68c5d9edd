"""The files of a match: written in order, synced, and then what waits for it released.

Theory of operation.  All that a match writes is written here, and all that it says
waits here.  What is released promises that everything before it is on the disk: so a
release syncs first, once for all that came together.  Two things need more care, and
have it here alone: a promise (a seed that is committed to, a term that is granted) is
on the disk before anything that rests on it is even written, and what a node stands
for is on the disk before it promises to follow no older term: entries that came again
after a crash would otherwise be taken for entries that it has acknowledged.

This is group commit.  What the host enters is on the host's disk before anybody hears
of it.  What a member has of it may follow a moment later, for many entries at once: it
is acknowledged only then.  Bodies of its own are the same case: a Submit promises
nothing, and may leave before.

The first failed write poisons the journal for good: nobody can tell what is on the
disk then.  Nothing is written and nothing released from then on; `release` says so,
every time, and whoever called for what failed has nothing to remember.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from netplay.errors import Code, LocalError, PeerError
from netplay.match.dealing import Knowledge
from netplay.match.members import Members
from netplay.match.relaying import Unseal
from netplay.match.submitting import Submitting
from netplay.messages.log import Ack, Carried, Have, Opening, Share, Submit
from netplay.record.enclosures import Acked, Enclosed, Item, Letter, Secret, Word
from netplay.record.fold import Fold
from netplay.record.hidden import (
    Hidden,
    Kept,
    KeptFork,
    KeptGrant,
    KeptKey,
    KeptLapse,
    KeptSeed,
)
from netplay.record.ledger import Ledger
from netplay.record.letter import SHOWN_KEY_BYTES as KEY_BYTES
from netplay.record.letter import seal
from netplay.record.log import Log, read_entry
from netplay.sentences import Says
from netplay.wanted import Outgoing
from netplay.wire import Frame, decode, encode

SYNC_SECONDS: Final = 0.01
"""Nobody notices, and one sync and one Ack do for all that comes meanwhile."""

HURRIED_SYNC_SECONDS: Final = 0.2
"""The same in a game of ticks, where something comes forty times a second, and nothing
waits for an Ack: five a second cost a slow line little."""

PROMISES: Final = (KeptSeed, KeptGrant, KeptLapse, KeptFork, KeptKey)
"""What must be safe before anything that rests on it is written elsewhere."""


def sync_seconds(hz: int) -> float:
    """Return for how long what a member has of a match may wait to be synced.

    Args:
        hz: Ticks a second of its game, 0 if it has turns.
    """
    return HURRIED_SYNC_SECONDS if hz else SYNC_SECONDS


class Journal:
    """What one match has written, and what it has to say once that is safe."""

    def __init__(
        self, me: bytes, ledger: Ledger, hidden: Hidden, patience: float = SYNC_SECONDS
    ) -> None:
        """Take the files over.

        Args:
            me: This node's key.
            ledger: The log; its file is written here alone from now on.
            hidden: The secrets, likewise.
            patience: For how long a member's entries may wait to be synced.
        """
        self._patience: Final = patience
        self._me: Final = me
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._waiting: list[Outgoing] = []
        self.failed: LocalError | None = None
        """What the disk said when it first refused."""
        self.due: float | None = None
        """When what was written has to be safe, at a node that may wait."""
        self.kept = 0
        """Records written: what is known at this node alone has changed."""

    # What is written.

    def keep(self, kept: Kept) -> None:
        """Write a record; a promise is safe when this returns."""
        # After a failed write nobody knows where the file ends: a record could be torn.
        if self.failed is not None:
            return
        self.kept += 1
        try:
            # A promise names how many entries this node has: they are safe before it
            # is.
            if type(kept) is KeptGrant:
                self._ledger.sync()
            self._hidden.keep(kept)
            # It may leave with the next message, and must not be forgotten in a crash.
            if type(kept) in PROMISES:
                self._hidden.sync()
        except LocalError as error:
            self._poison(error)

    def write(self, now: float, *, wait: bool) -> None:
        """Write the entries that are new; the disk may take its time.

        Args:
            now: Seconds.
            wait: They may be synced a moment later, as a member's may.
        """
        ledger = self._ledger
        # Entries behind a failed write would leave a hole in the file.
        if ledger.behind and self.failed is None:
            try:
                ledger.write()
            except LocalError as error:
                self._poison(error)
        dirty = ledger.file.dirty or self._hidden.file.dirty
        # The first write sets the time: later ones would put it off for ever.
        if wait and dirty and self.due is None:
            self.due = now + self._patience

    def _poison(self, error: LocalError) -> None:
        """Write and release nothing any more."""
        self.failed = error
        self._waiting.clear()

    # What is said.

    def say(self, out: Outgoing) -> None:
        """Have a message wait for all that was written before it."""
        self._waiting.append(out)

    def say_all(self, out: Iterable[Outgoing]) -> None:
        """Have messages wait."""
        self._waiting += out

    def unsay_places(self) -> None:
        """Leave unsaid how much there is: it is about to be cut off, never synced.

        Who follows another host says so again once its branch has been taken.
        """
        self._waiting = [
            out for out in self._waiting if not isinstance(out.message, Have | Ack)
        ]

    def ring(self, now: float) -> None:
        """Wait no longer, if it is time."""
        # Nothing is written here; without a time to wait for, `outgoing` syncs.
        if self.due is not None and now >= self.due:
            self.due = None

    def may_wait(self) -> bool:
        """Tell whether what is to be sent now may leave before the next sync."""
        # A number of chat that was used, or a disk that failed, lets nothing by
        # unsynced.
        if self.due is None or self._hidden.urgent or self.failed is not None:
            return False
        for out in self._waiting:
            match out.message:
                case Submit():
                    pass  # it promises nothing
                case Carried(author=author) if author != self._me:
                    pass  # nor does what is only handed on for another member
                case _:
                    return False
        return True

    def sync(self) -> None:
        """Have everything that was written on the disk.

        Raises:
            LocalError: DISK, now or at any time before.
        """
        # A second fdatasync may say yes though the first has lost what was written.
        if self.failed is None:
            try:
                if self._hidden.urgent or self._hidden.file.dirty:
                    self._hidden.sync()  # a number of chat must never be used twice
                self._ledger.sync()
            except LocalError as error:
                self._poison(error)
        # Whoever called before may have taken no notice: each caller is refused.
        if self.failed is not None:
            self.check()
        self.due = None

    def check(self) -> None:
        """Refuse to go on with what the disk does not keep.

        Raises:
            LocalError: DISK, as it was said first.
        """
        if self.failed is not None:
            raise LocalError(self.failed.code, self.failed.detail)

    def release(self) -> list[Outgoing]:
        """Return what waits, and forget it; whoever must has synced before."""
        out, self._waiting = self._waiting, []
        return out

    def close(self) -> None:
        """Sync and let the files go.

        Raises:
            LocalError: DISK, what was written last may be lost.
        """
        try:
            if self.failed is None:
                self._ledger.write()
            self._ledger.file.close()
        finally:
            self._hidden.close()


# A match played by files: what goes into one for the others, and what comes out.
#
# Theory of operation. A file carries the whole log, and behind it what a link would
# carry besides: to the host what a member wrote (`Word`), to a member what only it may
# know (`Letter`). All of that is idempotent, as on a link: a file may be read twice, an
# old one after a new one, and a link may come up in between.
#
# While a match goes by mail nobody waits for the others to have what is entered on
# their disks: the file is on its way. So nothing is final until it has come back:
# whoever saves a file says in it what is on its disk (`Acked`). A link that comes up
# ends it.


PROOFS_A_LETTER: Final = 50
"""A proof takes 330 bytes in a bag of a hundred tiles."""

FRAME_HEADER: Final = 5
"""Length and type of a frame."""


def secrets(hidden: Hidden) -> Iterator[Secret]:
    """Yield what another computer needs to play every seat of the match there."""
    yield from (Secret(kept) for kept in hidden.bundle())


def wishes(me: bytes, pending: Submitting) -> Iterator[Word]:
    """Yield what a member asks the host to enter."""
    for submit in pending.asked():
        yield Word(me, submit)


def letters(
    fold: Fold, hidden: Hidden, knows: Knowledge, keys: Iterable[bytes]
) -> Iterator[Letter]:
    """Yield what only the members may know, to each what it alone may.

    Raises:
        PeerError: A member's key is none that can be sealed to.
    """
    for key in sorted(keys):
        for message in confidences(fold, knows, key):
            once = hidden.random(KEY_BYTES)
            yield Letter(key, seal(key, encode(message), once))


def confidences(fold: Fold, knows: Knowledge, key: bytes) -> Iterator[Opening | Share]:
    """Yield what a member alone may know."""
    proofs = knows.openings_for(key, set())
    for start in range(0, len(proofs), PROOFS_A_LETTER):
        yield Opening(fold.match, proofs[start : start + PROOFS_A_LETTER])
    for round_ in fold.rounds:
        share = knows.shares(round_).get(key)
        if share is not None:
            yield Share(fold.match, round_.number, share)


def is_for_us(item: Item, match: bytes, members: Members) -> bool:
    """Tell whether something that goes along is meant for this node."""
    match item:
        case Acked(author, ack):
            return ack.match == match and author in members.others
        case Word(author, submit):
            ours = submit.match == match and author in members.others
            # With days whoever reads it can say when it came.
            return ours and (members.hosting or members.patient)
        case Letter(to, _):
            return to == members.me and not members.hosting
        case Secret() | Enclosed():
            return False


def check_way(log: Log, raws: tuple[bytes, ...], *, shared: bool) -> None:
    """Refuse a file that two players have played on from the same place.

    Args:
        log: The log here.
        raws: The entries of the file.
        shared: The key of the match goes along with the file: that is no fraud then,
            and the match here must not end for it.

    Raises:
        LocalError: STALE.
    """
    for raw, line in zip(raws, log.lines, strict=False):
        if raw == line.raw:
            continue
        entry = read_entry(raw)
        if shared or entry.term < line.entry.term:
            detail = Says.PLAYED_ON_TWICE(number=entry.number)
            raise LocalError(Code.STALE, detail)
        return  # the proof of a fork, or a newer term


def open_letter(letter: Letter, unseal: Unseal) -> Opening | Share | None:
    """Return what a letter to this node says, None if it is nothing of a letter's.

    Raises:
        PeerError: It cannot be opened, or is no message.
    """
    frame = unseal(letter.sealed)
    if len(frame) < FRAME_HEADER:
        raise PeerError(Code.BAD_FRAME, "a letter that says nothing")
    message = decode(Frame(frame[FRAME_HEADER - 1], frame[FRAME_HEADER:]))
    return message if isinstance(message, Opening | Share) else None
