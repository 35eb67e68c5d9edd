"""What peers say about a match that is not in hand: may it be opened, and from what?"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from netplay.errors import Code, LocalError, PeerError
from netplay.messages.log import Entries, Have, LogMessage
from netplay.messages.table import Proposal
from netplay.record.chance import ZERO
from netplay.record.full_state import audit
from netplay.record.hidden import KeptKey, KeptSeed
from netplay.record.ledger import Ledger, may_know, read_terms
from netplay.record.log import SecretKey, Signer, match_of
from netplay.record.store import MemoryDisk
from netplay.sentences import Says
from netplay.table.finished import answer
from netplay.table.shared import Shared


class Offered(NamedTuple):
    """A seat of a match that is being played is offered to this node."""

    match: bytes
    proposal: Proposal
    """The terms of the match, to be looked at like any others."""


Found: TypeAlias = Ledger | Offered | None


def opened(
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
    try:
        with shared.opening(message.match):
            return _opened(shared, key, message, sits_at)
    except LocalError as error:  # no table has it yet that would say so
        shared.fault(error.said)
        raise


def _opened(
    shared: Shared,
    key: bytes,
    message: Have | Entries,
    sits_at: Callable[[bytes], bool],
) -> Found:
    """Return the match that a message is about, if it is to be taken in hand.

    Raises:
        PeerError: As `opened`.
        LocalError: DISK.
    """
    kept = _kept(shared, message.match, key)
    if kept is not None:
        return _wanted(shared, key, message, kept)
    if isinstance(message, Have):
        nothing = Have(message.match, 0, 0, ZERO)
        shared.say((key,), nothing)  # whoever has it sends the genesis
        return None
    return _begun(shared, key, message, sits_at)


def _begun(
    shared: Shared, key: bytes, message: Entries, sits_at: Callable[[bytes], bool]
) -> Found:
    """Return a match of which a peer sends the beginning.

    A member has signed its terms.  Anybody else may have been handed a seat: by a
    friend, while waiting for calls; by somebody unknown once the player says yes.

    Raises:
        PeerError: BAD_LOG or NOT_A_MEMBER.
    """
    if not message.entries:
        return None
    genesis = message.entries[:1]
    terms = read_terms(genesis[0])
    if match_of(terms) != message.match:
        raise PeerError(Code.BAD_LOG, "another match")
    keys = [member.key for member in terms.members]
    ours = shared.me in keys
    if key not in keys or not (ours or shared.answering):
        raise PeerError(Code.NOT_A_MEMBER)
    if not ours and not shared.knows(key):
        return Offered(message.match, Proposal(0, terms, (), "ask", b""))
    Ledger(MemoryDisk(), genesis)  # or a file would be made for nothing
    if ours and not sits_at(terms.nonce):
        shared.mender.lost(message.match, 0)  # we signed its terms: it was here
    return Ledger(shared.means.archive.open(message.match), genesis)


def _wanted(
    shared: Shared, key: bytes, message: Have | Entries, kept: Ledger
) -> Ledger | None:
    """Return a match that is kept here, for a member who speaks of it.

    One that is over and audited stays where it is: whoever lacks its end gets it.

    Raises:
        PeerError: NOT_A_MEMBER; the file is let go.
    """
    if key not in kept.fold.keys:
        kept.file.close()
        raise PeerError(Code.NOT_A_MEMBER)
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


def _kept(shared: Shared, match: bytes, key: bytes) -> Ledger | None:
    """Return a match that is on the disk, None without so much as its genesis.

    A crash before the genesis was safe leaves a file without any.

    Raises:
        PeerError: NOT_A_MEMBER, before the match is read for a stranger.
    """
    archive = shared.means.archive
    if not archive.has(match):
        return None
    disk = archive.open(match)
    try:
        if not may_know(disk, key):
            raise PeerError(Code.NOT_A_MEMBER)
    finally:
        disk.close()
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
