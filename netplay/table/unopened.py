"""What peers say about a match that is not in hand: may it be opened, and from what?"""

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import Final, NamedTuple, TypeAlias

from typing_extensions import override

from netplay.errors import Code, LocalError, PeerError
from netplay.match.replica import acknowledge, batches, place_at
from netplay.messages.log import Entries, Have, LogMessage
from netplay.messages.table import Piece, Proposal, Terms
from netplay.record.archive import describe
from netplay.record.chance import ZERO
from netplay.record.hidden import Hidden, KeptKey, KeptSeed
from netplay.record.ledger import Ledger, may_know, read_terms, terms_in
from netplay.record.log import Log, SecretKey, Signer, match_of, read_entry
from netplay.record.store import MemoryDisk
from netplay.record.views import audit
from netplay.said import Words
from netplay.sentences import Says
from netplay.table.resources import Fetches, missing
from netplay.table.shared import UNWATCHED_SECONDS, Shared
from netplay.table.state import Change, FetchWords, Gone, GoOn, State
from netplay.wanted import Dial, PeerMessage

# What is said and done about a match that is over and audited, from its file.
#
# Nobody has anything to do in it, so it is not put in hand because a peer speaks of it.
# But copies of it become equal all the same: whoever lacks its end is sent it, and what
# is missing here - a player's last word on what it saw, a later term - goes into the
# file.


def answer(
    signer: Signer, kept: Ledger, hidden: Hidden, message: Have | Entries
) -> list[PeerMessage]:
    """Take what is new in a message, durably, and return what is to be said to it.

    Args:
        signer: Of this node, in this match.
        kept: The match.
        hidden: What this node has promised in it.
        message: What a member said.

    Raises:
        PeerError: It sent what follows the log, and cannot be.
        LocalError: DISK.
    """
    log = kept.log
    if isinstance(message, Entries):
        for raw in message.entries:
            # What follows the log, unless its term was given up here
            entry = read_entry(raw)
            follows = entry.number == len(log) and entry.prev == log.head
            if follows and entry.term >= hidden.granted:
                kept.accept(raw)
    stands = len(log)
    if hidden.lost or hidden.granted > log.term:
        # What came back to a damaged file is kept, but not vouched for a second time.
        stands = min(stands, hidden.vouched)
    kept.sync()
    out: list[PeerMessage] = [acknowledge(signer, kept, place_at(log, stands))]
    if isinstance(message, Have):
        start = tail(log, message)
        if start is None:
            out.append(Have(log.match, log.term, len(log), log.head))
        else:
            parts = batches(kept.raws(start))
            out += [Entries(log.match, batch) for batch in parts]
    return out


def tail(log: Log, have: Have) -> int | None:
    """Return from which entry on somebody needs the log, None for not at all."""
    if have.number <= len(log) and have.head == log.heads[have.number]:
        return have.number
    if have.term < log.term:
        return next(
            line.entry.number for line in log.lines if line.entry.term > have.term
        )
    if have.term == log.term and have.number <= len(log):
        return have.number - 1  # maybe the proof of a fork
    return None  # it is ahead: we shall catch up


class Offered(NamedTuple):
    """A seat of a match that is being played is offered to this node."""

    match: bytes
    proposal: Proposal
    """The terms of the match, to be looked at like any others."""


Found: TypeAlias = Ledger | Offered | None


def found_for(
    shared: Shared, key: bytes, message: LogMessage, sits_at: Callable[[bytes], bool]
) -> Found:
    """Return the match that a message is about, if it is to be taken in hand.

    Args:
        shared: What the tables of this node have in common.
        key: Of the sender.
        message: What it says.
        sits_at: Tells whether this node is a guest at the table with a nonce.

    Raises:
        PeerError: BAD_LOG, NOT_A_MEMBER, or what is wrong with the genesis.
        LocalError: DISK.
    """
    if not isinstance(message, Have | Entries) or shared.is_spoiled(message.match):
        return None  # of what was spoiled, what is read may not be on the disk
    match, at = shared.unwatched
    unwatched = match == message.match and shared.now < at + UNWATCHED_SECONDS
    left = unwatched or shared.has_left(key, message.match)
    # To read a match takes as long as to check it, move by move: whoever has been in
    # one could keep a node from all else by a word again and again.
    if left or not shared.may_look(key, shared.means.archive.size(message.match)):
        return None
    try:
        with shared.opening(message.match):
            if shared.means.archive.has(message.match):
                # Who is none of its members here may have got a seat by an entry that
                # is not: that is no reason to hang up, and none to read the match.
                with closing(shared.means.archive.open(message.match)) as disk:
                    if not may_know(disk, key):
                        return None
                kept = _kept(shared, message.match)
                if kept is not None:
                    return _wanted(shared, key, message, kept)
            if isinstance(message, Have):
                # Whoever has it sends the genesis. Two who both lack it would else
                # tell each other so for ever.
                if message.number:
                    shared.say((key,), Have(message.match, 0, 0, ZERO))
                return None
            return _begun(shared, key, message, sits_at)
    except LocalError as error:  # no table has it yet that would say so
        shared.stick(message.match, error.said)
        raise


def _begun(
    shared: Shared, key: bytes, message: Entries, sits_at: Callable[[bytes], bool]
) -> Found:
    """Return a match of which a peer sends the beginning.

    A member has signed its terms.  Anybody else may have been handed a seat: by a
    friend, while waiting for calls; else, or by somebody unknown, once the player says
    yes.

    Raises:
        PeerError: BAD_LOG or NOT_A_MEMBER.
    """
    if not message.entries:
        return None
    genesis = message.entries[:1]
    if read_entry(genesis[0]).number:
        # Who sends on has sent the genesis: no disk took it, or the player, who was
        # not there.
        shared.say((key,), Have(message.match, 0, 0, ZERO))
        return None
    terms = read_terms(genesis[0])
    if match_of(terms) != message.match:
        raise PeerError(Code.BAD_LOG, "another match")
    keys = [member.key for member in terms.members]
    ours = shared.me in keys
    friend = shared.knows(key)
    if key not in keys or not (ours or shared.answering or friend):
        raise PeerError(Code.NOT_A_MEMBER)
    sits = sits_at(terms.nonce)
    if ours and not sits and shared.has_left(key, terms.nonce):
        return None
    if not ours and not (friend and (shared.answering or sits)):
        return Offered(message.match, Proposal(0, terms, (), "ask", b""))
    Ledger(MemoryDisk(), genesis)  # or a file would be made for nothing
    if ours and not sits:
        shared.mender.lost(message.match, 0)  # we signed its terms: it was here
    ledger = begin_file(shared, message.match, genesis)
    shared.make_sure_of(message.match)  # no disk refuses it any more
    return ledger


def begin_file(shared: Shared, match: bytes, genesis: tuple[bytes, ...]) -> Ledger:
    """Keep the beginning of a match, durably, with room for its secrets.

    Raises:
        LocalError: DISK; no file is left then, if none was there.
    """
    archive = shared.means.archive
    new = not archive.has(match)
    disk = archive.open(match)
    try:
        ledger = Ledger(disk, genesis)
        ledger.file.sync()
        signer_of(shared, ledger)
    except LocalError:
        with suppress(LocalError):
            disk.close()
        if new:
            archive.discard(match, secrets=False)
        raise
    return ledger


def _wanted(
    shared: Shared, key: bytes, message: Have | Entries, kept: Ledger
) -> Ledger | None:
    """Return a match that is kept here, for a member who speaks of it.

    One that is over and audited stays where it is: whoever lacks its end gets it.  Who
    was a member once may be one again, by an entry that is not here.
    """
    if key not in kept.fold.keys:
        kept.file.close()
        return None
    if not (kept.fold.over and audit(kept.fold)):
        return kept
    signer = signer_of(shared, kept)
    hidden = shared.mender.hidden(kept.log.match)
    try:
        out = answer(signer, kept, hidden, message)
    finally:
        hidden.close()
        kept.file.close()
    shared.say((key,), *out)
    return None


def _kept(shared: Shared, match: bytes) -> Ledger | None:
    """Return a match that is on the disk, None without so much as its genesis.

    A crash before the genesis was safe leaves a file without any.

    Raises:
        PeerError: The file cannot be read.
    """
    try:
        return shared.mender.ledger(match)
    except PeerError as error:  # no table has it yet that would say so
        shared.fault(Says.KEPT_MATCH_STUCK(why=error))
        raise


def signer_of(shared: Shared, ledger: Ledger) -> Signer:
    """Return whose key plays a match here: its own, if it has one, or the node's.

    Raises:
        LocalError: DISK.
    """
    hidden = shared.mender.hidden(ledger.log.match)
    seed = hidden.key
    hidden.close()
    own = SecretKey(seed) if seed else None
    if own is None or {own.key} != {m.key for m in ledger.terms.members}:
        return shared.means.signer
    return own


def keep_secrets(shared: Shared, match: bytes, *kept: KeptKey | KeptSeed) -> None:
    """Keep secrets of a match that is not in hand, durably.

    Raises:
        LocalError: DISK.
    """
    hidden = shared.mender.hidden(match)
    hidden.unpack(kept)
    hidden.close()


# The matches that were in hand when the node ended, opened one after another.
#
# To open a match takes as long as to check it, move by move. A node with fifty of them
# would keep its windows waiting; so only a few are opened before it runs. More are
# opened while it does, one at a time, and sooner where somebody speaks of one.


FEW: Final = 3
"""So many are opened before anybody can come in, if there are no more."""


class UnopenedMatches:
    """Matches and the numbers of their tables, until each is opened."""

    def __init__(self) -> None:
        """Begin without any."""
        self._numbers: dict[bytes, int] = {}
        self._open: Callable[[bytes, int], None] = _nowhere

    def note(self, kept: dict[bytes, int], opens: Callable[[bytes, int], None]) -> None:
        """Take the matches of a home.

        Args:
            kept: Each match and the number of its table.
            opens: Opens one, or says why that cannot be.
        """
        self._numbers, self._open = dict(kept), opens

    def __len__(self) -> int:
        """Return how many are left."""
        return len(self._numbers)

    def __contains__(self, match: object) -> bool:
        """Tell whether a match is still to be opened."""
        return match in self._numbers

    def __iter__(self) -> Iterator[bytes]:
        """Iterate over those that are left."""
        return iter(list(self._numbers))

    @property
    def last(self) -> int:
        """The highest number of a table that was in hand."""
        return max(self._numbers.values(), default=0)

    def open(self, match: bytes) -> None:
        """Open one now."""
        self._open(match, self._numbers.pop(match))

    def open_next(self) -> bool:
        """Open the first that is left; tell whether there are more."""
        if self._numbers:
            self.open(next(iter(self._numbers)))
        return bool(self._numbers)

    def open_all(self) -> None:
        """Open all that are left."""
        while self.open_next():
            pass


def _nowhere(match: bytes, number: int) -> None:
    """Open nothing: there is nothing to open."""
    raise AssertionError((match, number))


# A match that is kept here and waits for its edition or word list to come again.
#
# Files in a home get damaged, or are deleted. Whoever plays the match has what it is
# played with: so its members are called, the first who is there is asked, and then the
# match is taken in hand like any other. That is done only for matches that were in hand
# when the node ended, or that the player wants to go on with.


WAITS: Final = Says.MATCH_LACKS_WORDS()


class Fetching(State):
    """A match that lacks something; what is said of it meanwhile is dropped."""

    polled = True

    def __init__(self, shared: Shared, lacks: FetchWords) -> None:
        """Begin with nobody asked.

        Args:
            shared: What all tables of the node have in common.
            lacks: The match, and what is missing.
        """
        super().__init__(shared)
        self._lacks: Final = lacks
        self._asked: bytes | None = None
        self._fetches: Final = Fetches(shared.means.shelf)

    @property
    @override
    def mode(self) -> str:
        return "fetching"

    @property
    @override
    def match_name(self) -> bytes:
        return self._lacks.match

    @property
    @override
    def terms(self) -> Terms:
        return self._lacks.terms

    @override
    def expects(self, key: bytes) -> bool:
        return key in self._lacks.members

    @override
    def dials(self) -> Iterator[Dial]:
        for key in sorted(self._lacks.members):
            yield Dial(self.shared.places.get(key, ""), key)

    @override
    def enter(self, now: float) -> Change | None:
        self.shared.fault(WAITS)
        self._fetches.fetch(self.nonce, self._lacks.missing)
        self._fetches.again()
        self._ask()
        return None

    @override
    def close(self) -> None:
        self.shared.means.faults.mended(WAITS)

    @override
    def peer_up(self, key: bytes, address: str, now: float) -> Change | None:
        self._ask()
        return None

    @override
    def peer_down(self, key: bytes, now: float) -> Change | None:
        """Ask somebody else for what has not come, or wait."""
        if key == self._asked:
            self._asked = None
            self._fetches.again()
            self._ask()
        return None

    def _ask(self) -> None:
        """Ask the first member who is here, if nobody is asked yet."""
        here = [key for key in sorted(self._lacks.members) if self.shared.is_up(key)]
        if self._asked is None and here:
            self._asked = here[0]
            self.shared.say((self._asked,), *self._fetches.wants())

    @override
    def receive(self, key: bytes, message: PeerMessage, now: float) -> Change | None:
        if isinstance(message, Piece):
            if key == self._asked:
                self.shared.say((key,), *self._fetches.on_piece(message))
            return None
        return super().receive(key, message, now)

    @override
    def send(self, now: float) -> Change | None:
        """Go on with the match once everything is here."""
        come, fault = self._fetches.take_news()
        if fault is not None:
            match = called(self.shared, self._lacks.match)
            self.shared.fault(Says.MATCH_STUCK(match=match, why=fault))
            return Gone()
        return GoOn(self._lacks.match) if come and not self._fetches else None


def called(shared: Shared, match: bytes) -> Words:
    """Return what to call a match that is kept here, for the player."""
    try:
        terms = _terms(shared, match) if shared.means.archive.has(match) else None
    except LocalError:
        terms = None
    return Says.THE_MATCH() if terms is None else describe(terms)


def lacking(shared: Shared, match: bytes) -> FetchWords | None:
    """Return what a kept match lacks and others have, None for nothing."""
    terms = _terms(shared, match)
    if terms is None:
        return None
    keys = frozenset(member.key for member in terms.members)
    needed = tuple(missing(shared.means.shelf, terms))
    others = keys - {shared.me}
    if not needed or not others or others == keys:
        return None
    return FetchWords(match, terms, others, needed)


def _terms(shared: Shared, match: bytes) -> Terms | None:
    """Return the terms of a kept match, None where its file does not tell."""
    disk = shared.means.archive.open(match)
    try:
        return terms_in(disk.read())
    except PeerError:
        return None
    finally:
        disk.close()
