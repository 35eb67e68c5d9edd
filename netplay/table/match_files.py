"""Save and load a match: to keep it, to go on later, or to hand it on as a file.

A match all of whose seats are persons and computers here, two persons at least, gets a
key of its own.  Its file carries that key, so that whoever has the file plays on: the
play by e-mail of the source document.  In every other match seats are bound to the keys
of nodes, and a file carries what their links would (see `match.journal`).
"""

from collections.abc import Collection, Sequence

from msgspec import Struct

from netplay.errors import Code, LocalError
from netplay.match.match import Match
from netplay.messages.table import Terms
from netplay.record import enclosures
from netplay.record.enclosures import Item, secrets
from netplay.record.ledger import Ledger, read_terms
from netplay.record.log import match_of
from netplay.record.store import Copy, DamageError, MemoryDisk
from netplay.said import Said
from netplay.sentences import Says
from netplay.table import enclosed_files
from netplay.table.forming import time_runs
from netplay.table.resources import Shelf
from netplay.table.shared import Shared
from netplay.table.table_status import Named
from netplay.table.unopened import keep_secrets


class Saved(Struct, frozen=True):
    """A match as it is to be written to a file of the user's."""

    raws: Sequence[bytes]
    more: Sequence[bytes]
    """What goes along with the entries."""
    told: Said
    """What to say once it is written."""


def saved(shared: Shared, match: Match, path: str) -> Saved:
    """Return a match as it is to be written to a file of the user's."""
    items = [] if match.watching else match.enclosures()
    items += enclosed_files.enclosed(shared.means.shelf, match.fold.terms)
    own_name = shared.means.known.own_name
    told = _with(Says.SAVED_AS(path=path), _next(match, own_name))
    return Saved(tuple(match.ledger.raws(0)), tuple(enclosures.packed(items)), told)


class File(Struct, frozen=True):
    """A match as a file brings it."""

    terms: Terms
    raws: tuple[bytes, ...]
    items: Sequence[Item]
    """What goes along with the entries."""
    lost: Said | None
    """What is to be said of the rest: nobody knows what is missing."""

    @property
    def match(self) -> bytes:
        """The name of the match."""
        return match_of(self.terms)

    def is_for(self, me: bytes) -> bool:
        """Tell whether a node, or whoever has the file, plays in the match."""
        keys = {member.key for member in self.terms.members}
        return me in keys or bool(secrets(self.items, self.terms))

    def is_kept(self, shared: Shared) -> bool:
        """Tell whether the match is on the disk, too."""
        return shared.means.archive.has(self.match)

    def take_along(self, shelf: Shelf) -> None:
        """Keep the edition and the words that came along, where they are not here."""
        enclosed_files.take_up(shelf, self.items, self.terms)

    def require(self, shelf: Shelf) -> None:
        """Refuse a match whose edition or word list is not here.

        Raises:
            LocalError: BAD_EDITION or BAD_WORDS.
        """
        enclosed_files.require(shelf, self.terms)


def read_match(
    shared: Shared, path: str, held: Collection[bytes], found: Copy | None = None
) -> File:
    """Return a match file, the last that has a match in it if none is named.

    Args:
        shared: What all tables of the node have in common.
        path: Of the file; empty for the last.
        held: The matches that are in hand.
        found: What a file of the user's has, if it has been read already.

    Raises:
        LocalError: USAGE, there is none; FILE, it is empty or cannot be read.
        PeerError: BAD_LOG, it is damaged.
    """
    kept = shared.means.archive.newest()
    for place in (path,) if path else kept:
        copy = _read_one(shared, place, held, found)
        if copy.damage and not copy.torn:
            raise LocalError(Code.BAD_LOG, copy.damage)
        if copy.entries:
            told = copy.damage and place not in kept
            lost = Says.REST_LOST(why=copy.damage) if told else None
            terms, items = read_terms(copy.entries[0]), enclosures.unpacked(copy.more)
            return File(terms, copy.entries, list(items), lost)
        if path:
            raise LocalError(Code.FILE, Says.NO_MATCH_IN(path=path))
    raise LocalError(Code.USAGE, Says.NO_MATCH_KEPT())


def _read_one(
    shared: Shared, path: str, held: Collection[bytes], found: Copy | None
) -> Copy:
    """Return a match file; one that is kept here and damaged is mended first.

    Raises:
        LocalError: FILE, it cannot be read.
    """
    archive = shared.means.archive
    name = archive.named(path)
    if name is None and found is not None:
        return found
    if name is None or any(match.startswith(name) for match in held):
        return archive.read(path)  # not ours to mend, or it is being written to
    try:
        copy = archive.read(path)
    except DamageError:
        copy = Copy((), damage=Says.NOTHING_WHOLE())
    if not copy.damage or copy.torn:
        return copy
    with shared.opening(name):
        left = shared.mender.ledger(name)
        if left is None:
            return Copy(())
        left.file.close()
    return archive.read(path)


def ledger_of(shared: Shared, file: File) -> Ledger:
    """Return the match of a file: as it is kept here, or from the file.

    Raises:
        LocalError: NOT_A_MEMBER, neither this node nor the file can play in it.
        PeerError: It is no good; nothing of it is kept then.
    """
    archive, name = shared.means.archive, file.match
    shared.make_sure_of(name)
    kept = shared.mender.ledger(name) if file.is_kept(shared) else None
    if kept is not None:
        return kept
    whole = Ledger(MemoryDisk(), file.raws)
    along = secrets(file.items, whole.terms)
    if not along and shared.me not in whole.fold.keys:
        raise LocalError(Code.NOT_A_MEMBER, Says.NOBODY_PLAYS())
    if along:
        keep_secrets(shared, name, *along)
    elif whole.log.own(shared.me) or whole.fold.host == shared.me:
        shared.mender.lost(name, len(file.raws))  # it was here, and went on
    return Ledger(archive.open(name), file.raws)


def told(match: Match, new: int, own_name: Named, *, here: bool) -> Said:
    """Return what came of a file.

    Args:
        match: In hand, with what the file brought.
        new: How many of its entries were new.
        own_name: What the player calls whoever plays under a name.
        here: The match was here before, and the file is one of the user's: an older one
            may be taken for the newest.
    """
    if match.watching:
        return Says.WATCHING_KEPT()
    # Whoever can move here need wait for nobody, but where time runs.
    moves = match.turns.may_move() and not time_runs(match.fold.terms)
    on = not match.missed or match.by_mail or moves
    goes_on = Says.GOES_ON() if on else Says.GOES_ON_LATER()
    if match.fold.over:
        goes_on = Says.IS_OVER()
    if new and match.others:
        goes_on = Says.THEN(first=Says.NEW_ENTRIES(count=new), then=goes_on)
    if here and not new:
        goes_on = Says.THEN(first=Says.NO_NEW_ENTRIES(), then=goes_on)
    return _with(goes_on, _next(match, own_name))


def _next(match: Match, own_name: Named) -> Said | None:
    """Return whose turn it is, and where the file is to go; None for nothing.

    As the source document has it: "Charlie's turn".
    """
    fold, seats = match.fold, match.on_turn()
    if fold.over:
        return None
    if not seats:
        # Where a file is to go that waits for others to take part in a draw
        if not match.by_mail:
            return None
        members = (m for m in match.fold.members if m.key in match.others)
        others = [own_name(member.key, member.name) for member in members]
        names = " & ".join(others) if match.hosting else _host(match, own_name)
        return Says.NEXT_DRAW(names=names)
    names = " & ".join(own_name(fold.holders[n], fold.names[n]) for n in seats)
    turn = Says.TURN(names=names)
    if match.hidden.key:
        return Says.TURN_OPEN(turn=turn, warning=Says.OPEN_TO_ALL())
    to = _address(match, seats, own_name) if match.by_mail else None
    return turn if to is None else Says.THEN(first=turn, then=to)


def _address(match: Match, seats: Sequence[int], own_name: Named) -> Said | None:
    """Return to whom a file goes while seats are on turn, if to anybody."""
    fold = match.fold
    theirs = [n for n in seats if fold.holders[n] != match.me]
    away = [own_name(fold.holders[n], fold.names[n]) for n in theirs]
    if away:
        return Says.NEXT_SEND(names=" & ".join(away))
    if any(map(match.seats.is_moving, seats)):
        return Says.NEXT_SEND_TO_HOST(name=_host(match, own_name))
    return None


def _with(done: Said, then: Said | None) -> Said:
    """Return what was done, and what is to be done next."""
    return done if then is None else Says.AND_NOW(done=done, then=then)


def _host(match: Match, own_name: Named) -> str:
    """Return the name of the host."""
    host = match.fold.host
    return next(own_name(host, m.name) for m in match.fold.members if m.key == host)
