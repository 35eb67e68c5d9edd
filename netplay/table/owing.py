"""What a member who is away lacks of a match, and whether it was left for it."""

import hashlib

from netplay.limits import LETTER_LIFE_SECONDS
from netplay.match.match import Match
from netplay.record.chance import number_bytes


def mark(match: Match, key: bytes) -> bytes:
    """Return a digest of what there is to say to a member."""
    log, said = match.ledger.log, list[bytes]()
    if match.hosting or key == match.host:
        for one in match.submitting:
            said += number_bytes(one.signed.own), one.signed.body
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
    post = match.hidden.post
    last = post.letters.get(key)
    left = last is not None and last.by and last.mark == now
    if left and last is not None and unix < last.at + LETTER_LIFE_SECONDS:
        return False
    return is_behind(match, key) or post.owes(key)


def is_behind(match: Match, key: bytes) -> bool:
    """Tell whether a member is not known to have all that there is to say to it."""
    shown = match.hidden.receipts.get(key)
    if match.replica.known(key, shown) < len(match.ledger.log):
        return True
    waits = (match.hosting or key == match.host) and match.submitting.waiting
    return bool(waits or match.handover.told_of())
