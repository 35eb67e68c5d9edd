"""Save and load a match: to keep it, to go on later, or to hand it on as a file.

A match all of whose seats are persons and computers here, two persons at least, gets a
key of its own.  Its file carries that key, so that whoever has the file plays on: the
play by e-mail of the source document.  In every other match seats are bound to the keys
of nodes, and a file carries what their links would (see `match.mailing`).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from netplay.errors import Code, LocalError, PeerError
from netplay.match.match import Match
from netplay.messages.door import Save
from netplay.messages.table import Terms
from netplay.record import parcel
from netplay.record.copies import Copy
from netplay.record.hidden import SEED_BYTES, KeptKey, KeptSeed
from netplay.record.ledger import Ledger, read_terms
from netplay.record.log import Signer, match_of
from netplay.record.parcel import Item, secrets
from netplay.record.signing import SecretKey
from netplay.record.store import DamageError, MemoryDisk
from netplay.table import enclosing
from netplay.table.lacking import WAITS

if TYPE_CHECKING:
    from netplay.table.sitting import Sitting

OPEN_TO_ALL: Final = (
    "whoever has the file can play every seat, and could look at every rack"
)
"""The truth about a file that carries the key of its match."""


class Saving:
    """Matches on their way to files and from them."""

    def __init__(self, sitting: "Sitting") -> None:
        """Work for a table."""
        self._sitting: Final = sitting

    # Keys of matches.

    def new_key(self) -> bytes:
        """Return the secret bytes of a key for one match."""
        return self._sitting.means.entropy(SEED_BYTES)

    def keep_key(self, match: bytes, seed: bytes) -> None:
        """Keep the key of a match, durably, before the match begins."""
        self._keep(match, [KeptKey(seed)])

    def signer(self, ledger: Ledger) -> Signer:
        """Return whose key plays a match here: its own, if it has one, or the node's.

        Raises:
            LocalError: DISK.
        """
        means = self._sitting.means
        hidden = self._sitting.mender.hidden(ledger.log.match)
        seed = hidden.key
        hidden.close()
        own = SecretKey(seed) if seed else None
        if own is None or {own.key} != {m.key for m in ledger.terms.members}:
            return means.signer
        return own

    def _keep(self, match: bytes, kept: Sequence[KeptKey | KeptSeed]) -> None:
        """Keep secrets of a match that is not in hand."""
        hidden = self._sitting.mender.hidden(match)
        hidden.unpack(kept)
        hidden.close()

    # Files.

    def save(self, ask: Save, now: float) -> str:
        """Write the match to a file of the user's; return what to tell.

        Raises:
            LocalError: NO_TABLE, there is none; TAKEN, a file is there that may not
                go; DISK.
        """
        sitting, match = self._sitting, self._sitting.match
        if match is None:
            raise LocalError(Code.NO_TABLE, "there is no match to save")
        archive = sitting.means.archive
        path = archive.spare(ask.path, over=ask.over)
        if match.others and not match.linked and not match.watching:
            with sitting.guarded:  # nobody is there: it goes on by mail from here
                match.go_by_mail(now)
        items = [] if match.watching else match.enclosures()
        items += enclosing.enclosed(sitting.means.shelf, match.fold.terms)
        archive.write(path, match.ledger.raws(0), parcel.packed(items))
        return f"saved as {path}{_next(match)}"

    def load(self, path: str, now: float) -> str:
        """Take a match from a file up, or into the one in hand; return what to tell.

        Raises:
            LocalError: It is no match for this node, or it cannot be read.
        """
        sitting, shelf = self._sitting, self._sitting.means.shelf
        try:
            copy, lost = self._read(path)
            terms = read_terms(copy.entries[0])
            name, items = match_of(terms), list(parcel.unpacked(copy.more))
            held = sitting.match
            if held is None or held.match != name or sitting.stopped:
                if not sitting.busy and self._is_ours(terms, items):
                    enclosing.take_up(shelf, items, terms)
                    if self._lacks(name):
                        return WAITS
                    enclosing.require(shelf, terms)
                self._take_up(name, copy.entries, items, now)
            return self._take_in(copy.entries, items, now) + lost
        except PeerError as error:
            raise LocalError(error.code, error.detail) from error

    def _lacks(self, name: bytes) -> bool:
        """Tell whether a kept match waits for words that other members have."""
        sitting = self._sitting
        kept = sitting.means.archive.has(name)
        return kept and sitting.lacking.look(name)

    def _is_ours(self, terms: Terms, items: Sequence[Item]) -> bool:
        """Tell whether this node, or whoever has the file, plays in a match."""
        keys = {member.key for member in terms.members}
        return self._sitting.me in keys or bool(secrets(items, terms))

    def _read(self, path: str) -> tuple[Copy, str]:
        """Return a match file, the last that has a match in it if none is named.

        Returns:
            What is whole of it, and what is to be said of the rest: of a file from
            elsewhere nobody knows what is missing.

        Raises:
            LocalError: USAGE, there is none; FILE, it is empty or cannot be read.
            PeerError: BAD_LOG, it is damaged.
        """
        archive = self._sitting.means.archive
        kept = archive.newest()
        for place in (path,) if path else kept:
            copy = self._read_one(place)
            if copy.damage and not copy.torn:
                raise LocalError(Code.BAD_LOG, copy.damage)
            if copy.entries:
                told = copy.damage and place not in kept
                return copy, f"; {copy.damage}: the rest is lost" if told else ""
            if path:
                raise LocalError(Code.FILE, f"{path}: there is no match in it")
        raise LocalError(Code.USAGE, "no match is kept here")

    def _read_one(self, path: str) -> Copy:
        """Return a match file; one that is kept here and damaged is mended first.

        Raises:
            LocalError: FILE, it cannot be read.
        """
        archive, held = self._sitting.means.archive, self._sitting.match
        name = archive.named(path)
        if name is None or (held is not None and held.match.startswith(name)):
            return archive.read(path)  # not ours to mend, or it is being written to
        try:
            copy = archive.read(path)
        except DamageError:
            copy = Copy((), damage="nothing is whole")
        if not copy.damage or copy.torn:
            return copy
        left = self._sitting.mender.ledger(name)
        if left is None:
            return Copy(())
        left.file.close()
        return archive.read(path)

    def _take_up(
        self, name: bytes, raws: tuple[bytes, ...], items: list[Item], now: float
    ) -> None:
        """Put a match in hand: the one that is kept here, or a new one."""
        sitting = self._sitting
        if sitting.busy:
            raise LocalError(Code.USAGE, "leave the table you are at first")
        if name in sitting.spoiled:
            sitting.means.archive.write_again(name)
            sitting.spoiled.discard(name)
        with sitting.opening(name):
            kept = self._kept(name)
            if kept is None:
                kept = self._new(name, raws, items)
            sitting.drop()
            with sitting.guarded:
                sitting.reopen(kept, now)

    def _new(self, name: bytes, raws: tuple[bytes, ...], items: list[Item]) -> Ledger:
        """Return a match that was not kept here, from its file.

        Raises:
            LocalError: NOT_A_MEMBER, neither this node nor the file can play in it.
            PeerError: It is no good; nothing of it is kept then.
        """
        whole = Ledger(MemoryDisk(), raws)
        along = secrets(items, whole.terms)
        if not along and self._sitting.me not in whole.fold.keys:
            raise LocalError(Code.NOT_A_MEMBER, "nobody here plays in that match")
        if along:
            self._keep(name, along)
        elif whole.log.own(self._sitting.me) or whole.fold.host == self._sitting.me:
            self._sitting.mender.lost(name, len(raws))  # it was here, and went on
        return Ledger(self._sitting.means.archive.open(name), raws)

    def _kept(self, name: bytes) -> Ledger | None:
        """Return the match that is kept here, if it is."""
        archive = self._sitting.means.archive
        if not archive.has(name):
            return None
        return self._sitting.mender.ledger(name)

    def _take_in(self, raws: tuple[bytes, ...], items: list[Item], now: float) -> str:
        """Take what is new in a file into the match in hand."""
        sitting, match = self._sitting, self._sitting.match
        assert match is not None  # just put in hand
        with sitting.guarded:
            new = match.take_file(raws, items, sitting.means.unseal, now)
        sitting.changed = True
        if match.watching:
            return "watching a match kept here"
        more = f"{new} new entries; " if new and match.others else ""
        goes_on = "the match goes on when its players are here"
        if not match.others or match.by_mail or match.fold.over:
            goes_on = "the match goes on"
        return f"{more}{goes_on}{_next(match)}"


def _next(match: Match) -> str:
    """Return whose turn it is, and where the file is to go, in words.

    As the source document has it: "Charlie's turn".
    """
    fold, seats = match.fold, match.on_turn()
    if fold.over:
        return ""
    if not seats:
        return _drawing(match)
    turn = f": {' and '.join(fold.names[seat] for seat in seats)}'s turn"
    if match.hidden.key:
        return f"{turn} ({OPEN_TO_ALL})"
    return turn + (_address(match, seats) if match.by_mail else "")


def _address(match: Match, seats: Sequence[int]) -> str:
    """Return to whom a file goes while seats are on turn, if to anybody."""
    fold = match.fold
    away = [fold.names[s] for s in seats if fold.holders[s] != match.me]
    if away:
        return f"; send the file to {' and '.join(away)}"
    if any(map(match.seats.is_moving, seats)):
        return f", and the move is made; send the file to {_host(match)}"
    return ""


def _drawing(match: Match) -> str:
    """Return where a file is to go that waits for others to take part in a draw."""
    if not match.by_mail:
        return ""
    others = [m.name for m in match.fold.members if m.key in match.others]
    to = " and ".join(others) if match.hosting else _host(match)
    return f": tiles are drawn anew; send the file to {to}"


def _host(match: Match) -> str:
    """Return the name of the host."""
    return next(m.name for m in match.fold.members if m.key == match.fold.host)
