"""A match played by files: what goes into one for the others, and what comes out.

Theory of operation.  A file carries the whole log, and behind it what a link would
carry besides: to the host what a member wrote (`Word`), to a member what only it may
know (`Letter`).  All of that is idempotent, as on a link: a file may be read twice, an
old one after a new one, and a link may come up in between.

While a match goes by mail nobody waits for the others to have what is entered on their
disks: the file is on its way.  So nothing is final until it has come back: whoever
saves a file says in it what is on its disk (`Acked`).  A link that comes up ends it.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from netplay.errors import Code, LocalError, PeerError
from netplay.match.knowledge import Knowledge
from netplay.match.members import Members
from netplay.match.relaying import Unseal
from netplay.match.submitting import Submitting
from netplay.messages.log import Opening, Share
from netplay.record.enclosures import Acked, Enclosed, Item, Letter, Secret, Word
from netplay.record.fold import Fold
from netplay.record.hidden import Hidden
from netplay.record.log import Log, read_entry
from netplay.record.sealing import KEY_BYTES, seal
from netplay.sentences import Says
from netplay.wire import Frame, decode, encode

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
            return members.hosting and ours
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


def opened(letter: Letter, unseal: Unseal) -> Opening | Share | None:
    """Return what a letter to this node says, None if it is nothing of a letter's.

    Raises:
        PeerError: It cannot be opened, or is no message.
    """
    frame = unseal(letter.sealed)
    if len(frame) < FRAME_HEADER:
        raise PeerError(Code.BAD_FRAME, "a letter that says nothing")
    message = decode(Frame(frame[FRAME_HEADER - 1], frame[FRAME_HEADER:]))
    return message if isinstance(message, Opening | Share) else None
