"""Tables proposed to players who are away, and those left while others were away.

Theory of operation.  A host keeps a table that waits for somebody it knows by key; who
was asked keeps the terms, and what the player has said to them.  Each is there again
when its node starts, so the two need never be awake together for longer than it takes
to hand on a message.  What the disk cannot keep is told and not kept: the table goes on
until the node ends.

Who leaves a table stays out of it, whatever the others say of it who have not heard of
that.  So it is kept who may not have: their word is answered by a no until they say
that they know.  From then on what they say of it is said on purpose.
"""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import LocalError
from netplay.faults import Faults
from netplay.home import read_kept, write_whole
from netplay.messages.door import HostTable, Tone
from netplay.messages.table import Proposal
from netplay.messages.types import Digest, Key, MaybeDigest, Natural
from netplay.sentences import Says

WEEK_SECONDS: Final = 7 * 24 * 3600
"""For which somebody who is away is asked."""

KEPT: Final = 200
"""Of each kind, the latest: twice as many as a node holds tables."""


KEPT_A_SECOND: Final = 0.1
"""Of the proposals of one host, and of the leavings of one member (sustained): each is
written and synced."""

KEPT_AT_ONCE: Final = 16.0
"""The burst allowed above that."""


class Seated(Struct, frozen=True):
    """Somebody who has a seat at a table that is kept."""

    seat: Natural
    key: Key
    name: str
    told: int
    """The revision of the terms that its node has been sent, -1 for none."""


class AskedTable(Struct, frozen=True):
    """A table of this node's to which somebody was asked who is away."""

    nonce: Digest
    number: Natural
    since: Natural
    """Unix time in seconds."""
    revision: Natural
    wish: HostTable
    seated: tuple[Seated, ...]
    keepers: tuple[Key, ...] = ()
    declined: tuple[Natural, ...] = ()
    """The seats for whom has said no, and is not to be asked again."""
    begins: bool = False
    """As soon as all have said yes: a rematch on the same terms."""
    again: MaybeDigest = b""
    """The match that is to be played once more, empty for none."""


class AskedSeat(Struct, frozen=True):
    """A seat at another's table, to which the player here was asked."""

    nonce: Digest
    number: Natural
    since: Natural
    host: Key
    proposal: Proposal
    agreed: bool
    """The player has said yes."""


class Refused(Struct, frozen=True):
    """A table to which the player has said no, whether or not its host has heard it."""

    nonce: Digest
    since: Natural
    revision: Natural = 0
    """Up to which the host was told so."""
    told: bool = False
    """It was; what it asks after that, it asks on purpose."""


class Unsaid(Struct, frozen=True):
    """A no to somebody who was away: to who has asked, or to who was asked."""

    nonce: Digest
    since: Natural
    to: Key
    revision: Natural
    stopped: bool
    """Its host has given the table up."""


class Left(Struct, frozen=True):
    """A table that was left, and whose match others may go on with unknowing."""

    nonce: Digest
    match: MaybeDigest
    """Empty where none had begun here."""
    unaware: tuple[Key, ...]
    """Who may not have heard of it."""


class _File(Struct, frozen=True):
    """All that is kept."""

    tables: tuple[AskedTable, ...] = ()
    seats: tuple[AskedSeat, ...] = ()
    refused: tuple[Refused, ...] = ()
    unsaid: tuple[Unsaid, ...] = ()
    left: tuple[Left, ...] = ()


class Asked:
    """What is kept of tables that wait for somebody's answer."""

    def __init__(self, file: Path | None = None, faults: Faults | None = None) -> None:
        """Read what is kept; a file that is damaged is set aside.

        Args:
            file: Where; None to forget all with the node.
            faults: Told of a damaged one.

        Raises:
            LocalError: DISK, it cannot be set aside.
        """
        self._file: Final = file
        kept = None
        if file is not None:
            take = partial(msgspec.convert, type=_File)
            kept = read_kept(file, take, faults, Says.ASKED_DAMAGED)
        kept = kept or _File()
        self.tables: Final = {one.nonce: one for one in kept.tables}
        self.seats: Final = {one.nonce: one for one in kept.seats}
        self._refused: Final = {one.nonce: one for one in kept.refused}
        self.unsaid: dict[tuple[bytes, bytes], Unsaid] = {}
        """Table and who has not heard of it -> a no that goes by letter."""
        self.unsaid.update(((one.nonce, one.to), one) for one in kept.unsaid)
        self._left: Final = {one.nonce: one for one in kept.left}
        self.on_fault: Callable[[LocalError], None] = lambda _: None
        """Told why the disk did not keep a change."""

    def tone(self, address: str) -> Tone:
        """Return how to tell that an address does not answer.

        Who is asked while away is expected to be: the table says how far that is.
        """
        seats = (seat for one in self.tables.values() for seat in one.wish.seats)
        asked = {seat.partition(" ")[0] for seat in seats}
        return "system" if f"remote:{address}" in asked else "error"

    def put(self, record: AskedTable | AskedSeat) -> None:
        """Keep a table or a seat as it is now."""
        if isinstance(record, AskedTable):
            _put(self.tables, record)
        else:
            self.hold(record)
        self._write()

    def hold(self, seat: AskedSeat) -> None:
        """Know a seat as it is now; it is kept along with the next that is."""
        _put(self.seats, seat)

    def drop(self, nonce: bytes) -> None:
        """Keep nothing of a table any more: it has begun, or is given up."""
        table, seat = self.tables.pop(nonce, None), self.seats.pop(nonce, None)
        if table is not None or seat is not None:
            self._write()

    def refuse(
        self, nonce: bytes, now: int, revision: int, *, told: bool = False
    ) -> None:
        """Note that the player has said no to a table.

        Args:
            nonce: Of the table.
            now: Unix time in seconds.
            revision: Of the terms that the host had sent.
            told: The host is there to hear it.
        """
        self.seats.pop(nonce, None)
        _put(self._refused, Refused(nonce, now, revision, told))
        self._write()

    def is_refused(self, nonce: bytes, revision: int) -> bool:
        """Tell whether the player has said no to a table, and its host may not know it.

        A host that knows it and asks again has been told to by its player.
        """
        no = self._refused.get(nonce)
        return no is not None and not (no.told and revision > no.revision)

    def part(self, no: Unsaid) -> None:
        """Note that who is away is to hear a no; see `letters.AskedLetters`."""
        self.unsaid.pop((no.nonce, no.to), None)
        self.unsaid[no.nonce, no.to] = no
        for name in list(self.unsaid)[:-KEPT]:
            del self.unsaid[name]
        self._write()

    def heard(self, to: bytes, nonce: bytes = b"") -> None:
        """Note that somebody has heard it, or is there to hear all of them."""
        found = [one for one in self.unsaid if one[1] == to and nonce in {b"", one[0]}]
        for name in found:
            no = self._refused.get(name[0])
            if no is not None and nonce:  # by letter; on a link it is said once more
                self._refused[name[0]] = replace(no, told=True)
            del self.unsaid[name]
        if found:
            self._write()

    def leave(self, nonce: bytes, match: bytes, unaware: Iterable[bytes]) -> None:
        """Note that a table was left, and who may not have heard of it."""
        keys = tuple(sorted(unaware))
        if not keys:
            self.come_back(nonce)
            return
        _put(self._left, Left(nonce, match, keys))
        self._write()

    def come_back(self, nonce: bytes) -> tuple[bytes, ...]:
        """Note that a table is wanted again that may have been left.

        Returns:
            Who may not have heard that it was.
        """
        one = self._left.pop(nonce, None)
        if one is None:
            return ()
        self._write()
        return one.unaware

    def knows_of_leaving(self, key: bytes, nonce: bytes) -> None:
        """Note that somebody has heard of it."""
        one = self._left.get(nonce)
        if one is not None and key in one.unaware:
            self.leave(nonce, one.match, {*one.unaware} - {key})

    def left(self, key: bytes, name: bytes) -> bytes:
        """Return the nonce of a table that was left, unknown to somebody at it.

        Args:
            key: Of whom.
            name: That nonce, or the match.

        Returns:
            Empty if that one knows of it, or it was not left.
        """
        for one in self._left.values():
            if name in (one.nonce, one.match) and key in one.unaware:
                return one.nonce
        return b""

    def lapse(self, now: int) -> None:
        """Forget what is older than a week, but what was left."""
        kinds: list[dict[Any, Any]] = [
            self.tables, self.seats, self._refused, self.unsaid,
        ]  # fmt: skip
        old = [
            (known, name)
            for known in kinds
            for name, one in known.items()
            if is_over(one.since, now)
        ]
        for known, name in old:
            del known[name]
        if old:
            self._write()

    def _write(self) -> None:
        """Have it on the disk; that it cannot be is told."""
        if self._file is None:
            return
        kept = _File(
            tuple(self.tables.values()),
            tuple(self.seats.values()),
            tuple(self._refused.values()),
            tuple(self.unsaid.values()),
            tuple(self._left.values()),
        )
        try:
            write_whole(self._file, msgspec.json.encode(kept))
        except LocalError as error:
            self.on_fault(error)


def is_over(since: int, now: int) -> bool:
    """Tell whether somebody was asked so long ago that nobody waits any more.

    A clock that was set back makes nothing older.
    """
    return now - since >= WEEK_SECONDS


def _put(known: dict[bytes, Any], record: Any) -> None:  # noqa: ANN401 (each kind its own)
    """Keep a record as the latest, and not too many of them."""
    known.pop(record.nonce, None)
    known[record.nonce] = record
    for nonce in list(known)[:-KEPT]:
        del known[nonce]
