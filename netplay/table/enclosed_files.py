"""An edition and a word list of one's own inside the file of a match.

Whoever gets such a file by e-mail may have neither, and nobody to ask for them over a
link.  So they go along behind the entries, in pieces as they travel between nodes, and
are checked likewise: nothing is taken that the match does not name, that is too long or
incomplete, or that has another digest.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from netplay.errors import Code, LocalError, PeerError
from netplay.home import write_whole
from netplay.limits import RESOURCE_BYTES
from netplay.messages.table import CHUNK_BYTES, Terms, Want
from netplay.record.enclosures import Enclosed, Item, secrets, unpacked
from netplay.record.ledger import read_terms
from netplay.record.store import Copy
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.table.resources import Kind, Shelf, missing, named
from rules import editions, lexicon

_HEAD: Final = slice(8, 40)
"""Where the digest stands in a word list."""


def enclosed(shelf: Shelf, terms: Terms) -> Iterator[Enclosed]:
    """Yield what goes along with a match: all of it that not everybody has."""
    shipped = {*editions.shipped().values(), *lexicon.shipped().values()}
    for kind, digest in named(terms):
        if digest.hex() in shipped or not shelf.has(kind, digest):
            continue
        size, offset = 1, 0
        while offset < size:
            piece = shelf.piece(Want(terms.nonce, digest, offset))
            yield Enclosed(digest, piece.size, offset, piece.data)
            size, offset = piece.size, offset + CHUNK_BYTES


def whole(items: Sequence[Item], digest: bytes) -> bytes:
    """Return the bytes that came along under a digest; empty if not all did."""
    data = bytearray()
    for item in items:
        if not isinstance(item, Enclosed) or item.digest != digest:
            continue
        due = min(CHUNK_BYTES, item.size - len(data))
        fits = item.offset == len(data) and len(item.data) == due
        if not fits or not 0 < item.size <= RESOURCE_BYTES:
            return b""
        data += item.data
        if len(data) == item.size:
            return bytes(data)
    return b""


def take_up(shelf: Shelf, items: Sequence[Item], terms: Terms) -> None:
    """Check and keep what came along and is not here; the rest is passed over.

    Raises:
        LocalError: DISK, it cannot be kept.
    """
    for kind, digest in missing(shelf, terms):
        data = whole(items, digest)
        # The digest that it has if it is good, which `keep` finds out
        claimed = sha256(data).digest() if kind is Kind.EDITION else data[_HEAD]
        if data and claimed == digest:
            with suppress(PeerError):
                shelf.keep(kind, data)


def take_along(copy: Copy) -> None:
    """Make known, as long as the program runs, what came along with a match."""
    try:
        take_up(Shelf(None), list(unpacked(copy.more)), read_terms(copy.entries[0]))
    except (PeerError, IndexError):
        return  # whatever is wrong is told by whoever reads the entries


def keep_from(copy: Copy, folder: Path, me: bytes) -> None:
    """Check and keep what came along with a file that is about to be loaded.

    It may take seconds, and is done beside the node; what is wrong with the file is
    told when it is loaded.

    Args:
        copy: What the file has.
        folder: Where editions and word lists are kept.
        me: The node's key: nothing is kept of a match that nobody here plays in.
    """
    try:
        terms, items = read_terms(copy.entries[0]), list(unpacked(copy.more))
    except (PeerError, LocalError, IndexError):
        return
    if me not in {member.key for member in terms.members} and not secrets(items, terms):
        return
    lacking = list(missing(Shelf(None), terms))
    take_up(Shelf(None), items, terms)
    for kind, digest in lacking:
        if Shelf(None).has(kind, digest):
            place = folder / f"{digest.hex()}.{kind.value}"
            write_whole(place, whole(items, digest))


def require(shelf: Shelf, terms: Terms) -> None:
    """Refuse a match whose edition or word list is not here.

    Raises:
        LocalError: BAD_EDITION or BAD_WORDS; the words say which, and where it is.
    """
    for kind, digest in missing(shelf, terms):
        name, which = shown_name(terms.members[0].name), digest.hex()[:12]
        if kind is Kind.EDITION:
            detail = Says.EDITION_NOT_ALONG(digest=which, name=name)
            raise LocalError(Code.BAD_EDITION, detail)
        detail = Says.LIST_NOT_ALONG(digest=which, name=name)
        raise LocalError(Code.BAD_WORDS, detail)
