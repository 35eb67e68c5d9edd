"""What is said and done about a match that is over and audited, from its file.

Nobody has anything to do in it, so it is not put in hand because a peer speaks of it.
But copies of it become equal all the same: whoever lacks its end is sent it, and what
is missing here - a player's last word on what it saw, a later term - goes into the
file.
"""

from netplay.match.replica import acknowledge, batches, place_at
from netplay.messages.log import Entries, Have
from netplay.record.hidden import Hidden
from netplay.record.ledger import Ledger
from netplay.record.log import Log, Signer, read_entry
from netplay.wanted import PeerMessage


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
        _catch_up(kept, message.entries, hidden.granted)
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


def _catch_up(kept: Ledger, raws: tuple[bytes, ...], granted: int) -> None:
    """Append entries that follow the log, unless their term was given up here.

    Raises:
        PeerError: One of them cannot be what follows.
        LocalError: DISK.
    """
    for raw in raws:
        entry, log = read_entry(raw), kept.log
        follows = entry.number == len(log) and entry.prev == log.head
        if follows and entry.term >= granted:
            kept.accept(raw)


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
