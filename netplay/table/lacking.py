"""What a member who is away lacks of a match, and whether it was left for it."""

import hashlib
from typing import Final

from netplay.match.match import Match
from netplay.match.thinking import PRESSING_SHARE
from netplay.messages.log import Turn
from netplay.record import letter
from netplay.record.chance import number_bytes
from netplay.record.letter import KeptLetter
from rules.game import CHANCE

DAY_SECONDS: Final = 24 * 3600


def mark(match: Match, key: bytes) -> bytes:
    """Return a digest of what there is to say to a member, but for chat.

    That news of its own have come is something to say, too.
    """
    log, said = match.ledger.log, list[bytes]()
    said.append(number_bytes(match.hidden.post.brought.get(key, 0)))
    if match.hosting or key == match.host:
        for one in match.submitting:
            said += number_bytes(one.signed.own), one.signed.body
        said += (one.signature for _, one in match.thinking.held())
    elif match.thinking.limit:
        said += (
            number_bytes(one.own) + one.body for one in match.submitting.left_turns()
        )
    said += (one.signature for one in match.handover.told_of())
    place = number_bytes(log.term) + number_bytes(len(log)) + log.head
    return hashlib.sha256(place + b"".join(said)).digest()


def is_owed(match: Match, key: bytes, now: bytes, unix: int) -> bool:
    """Tell whether a member lacks something that was not left for it.

    Args:
        match: The match.
        key: The member.
        now: The mark of what there is to say to it.
        unix: The time of day in seconds.
    """
    left = _left(match, key, unix)
    if left is not None and left.mark == now:
        return False
    return is_behind(match, key) or match.hidden.post.owes(key)


def is_chat_owed(match: Match, key: bytes, lines: int, unix: int) -> bool:
    """Tell whether a member lacks chat that was not left for it.

    Args:
        match: The match.
        key: The member.
        lines: Up to which line a letter would say what it lacks now; 0: nothing.
        unix: The time of day in seconds.
    """
    left = _left(match, key, unix)
    return lines > (0 if left is None else left.lines)


def _left(match: Match, key: bytes, unix: int) -> KeptLetter | None:
    """Return the last letter to a member, if somebody keeps it."""
    last = match.hidden.post.letters.get(key)
    if last is None or not last.by or unix >= last.at + last.days * DAY_SECONDS:
        return None
    return last


def is_behind(match: Match, key: bytes) -> bool:
    """Tell whether a member is not known to have all that there is to say to it."""
    # What a guest has of the log it has from the host, whose disk had it before.
    if key != match.host and match.is_new_to(key, len(match.ledger.log) - 1):
        return True
    if match.hosting or key == match.host:
        waits = bool(match.submitting.waiting or match.thinking.held())
    else:
        waits = bool(match.thinking.limit and match.submitting.left_turns())
    return bool(waits or match.handover.told_of())


def unconfirmed(match: Match) -> int | None:
    """Return how many seconds a turn made here has left, while nobody confirms it.

    Another member confirms it by entering it; a keeper that the terms name by its
    receipt.  None where there is much time, or none to be lost.
    """
    found = _unseen(match)
    if found is None:
        return None
    left, signature = found
    if left is None or left <= 0:
        return None
    about = letter.subject(signature)
    for (_, keeper), receipt in match.hidden.post.receipts.items():
        if receipt.about == about and keeper in match.ledger.terms.keepers:
            return None
    return left if left <= match.thinking.limit * PRESSING_SHARE else None


def _unseen(match: Match) -> tuple[int | None, bytes] | None:
    """Return how long a turn made here has left that no other member has, if any.

    A host has entered its own: it is the last move of the log, and the days of it run
    on at whoever has not got it.
    """
    turns = [one for one in match.submitting.waiting if isinstance(one.body, Turn)]
    if turns and match.seats.moved():
        return match.thinking.left, turns[-1].signed.signature
    if not match.hosting or match.fold.over or not match.others:
        return None
    moves = (p.number for p in reversed(match.fold.history) if p.actor != CHANCE)
    last = next(moves, 0)
    line = match.ledger.log.lines[last]
    own = isinstance(line.body, Turn) and line.entry.author == match.me
    if not own or not all(match.is_new_to(key, last) for key in match.others):
        return None
    return match.thinking.left_before, line.entry.author_signature


def subject(match: Match, key: bytes) -> bytes:
    """Return what a letter to a member is about: the last turn of this node's own.

    Returns:
        See `letter.subject`; of another body if there is no turn, empty for none.
    """
    # What this node has signed and the member lacks, the last first
    hears = match.hosting or key == match.host
    waiting = reversed(match.submitting.waiting) if hears else ()
    found = [(one.body, one.signed.signature) for one in waiting]
    log, shown = match.ledger.log, match.hidden.receipts.get(key)
    found += [
        (line.body, line.entry.author_signature)
        for line in reversed(log.lines[match.replica.known(key, shown) :])
        if line.entry.author == match.me
    ]
    turns = [signature for body, signature in found if isinstance(body, Turn)]
    last = next(iter(turns or [signature for _, signature in found]), b"")
    return letter.subject(last) if last else b""
