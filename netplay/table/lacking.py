"""A match that is kept here and waits for its edition or word list to come again.

Files in a home get damaged, or are deleted.  Whoever plays the match has what it is
played with: so its members are called, the first who is there is asked, and then the
match is taken in hand like any other.  That is done only for the match that was in hand
when the node ended, or that the player wants to go on with.
"""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from netplay.desk import Dial
from netplay.errors import NetplayError, PeerError
from netplay.messages.table import Piece, Terms
from netplay.record.ledger import read_terms
from netplay.record.store import DamageError, records
from netplay.table import enclosing
from netplay.table.resources import Fetch, Kept

if TYPE_CHECKING:
    from netplay.table.sitting import Sitting

WAITS: Final = (
    "a match kept here lacks its words or its edition; they are fetched as soon as one "
    "of its players is here"
)

NOTHING_LEFT: Final = (
    "the file of the last match is empty or gone; if it had begun, it comes back from "
    "its players"
)


class Lacking:
    """What is missing of a match that is kept here, and who is asked for it."""

    def __init__(self, sitting: "Sitting") -> None:
        """Begin with nothing missing."""
        self._sitting: Final = sitting
        self.match = b""
        """The match that waits, empty for none."""
        self.members: frozenset[bytes] = frozenset()
        """Its other members, who have what is missing."""
        self._asked: bytes | None = None
        self._fetches: list[Fetch] = []

    def look(self, match: bytes) -> bool:
        """Tell whether a kept match lacks something that others have; wait for it."""
        terms = self._terms(match)
        if terms is None:
            return False
        sitting = self._sitting
        shelf = sitting.means.shelf
        members = {member.key for member in terms.members} - {sitting.me}
        missing = list(enclosing.missing(shelf, terms))
        if not missing or len(members) == len(terms.members):
            return False
        if self.match != match:
            self.clear()
            self.match, self.members = match, frozenset(members)
            self._fetches = [Fetch(kind, digest) for kind, digest in missing]
            sitting.fault(WAITS)
        self._ask()
        return bool(members)

    def _terms(self, match: bytes) -> Terms | None:
        """Return the terms of a kept match, None where its file does not tell."""
        disk = self._sitting.means.archive.open(match)
        try:
            first = next(records(disk.read()), None)
            return None if first is None else read_terms(first.entry)
        except (DamageError, PeerError):
            return None
        finally:
            disk.close()

    def clear(self) -> None:
        """Wait for nothing any more."""
        self.match, self.members = b"", frozenset()
        self._asked, self._fetches = None, []
        self._sitting.means.faults.mended(WAITS)

    # Links.

    def wants_dial(self) -> Iterator[Dial]:
        """Yield the members to call."""
        places = self._sitting.places
        for key in sorted(self.members):
            yield Dial(places.get(key, ""), key)

    def up(self) -> None:
        """Ask whoever has come, if nobody is asked yet."""
        if self.match:
            self._ask()

    def down(self, key: bytes) -> None:
        """Ask somebody else for what has not come, or wait."""
        if key == self._asked:
            self._asked = None
            for fetch in self._fetches:
                fetch.again()
            self._ask()

    def _ask(self) -> None:
        """Ask the first member who is here, if nobody is asked yet."""
        sitting = self._sitting
        here = [key for key in sorted(self.members) if sitting.is_up(key)]
        if self._asked is None and here:
            self._asked = here[0]
            for fetch in self._fetches:
                sitting.say((self._asked,), *fetch.wants())

    # What comes.

    def take_piece(self, key: bytes, piece: Piece) -> None:
        """Take a piece of what is missing.

        Raises:
            PeerError: BAD_DIGEST or TOO_LARGE.
        """
        sitting = self._sitting
        fetch = next((one for one in self._fetches if one.digest == piece.digest), None)
        if fetch is None or key != self._asked:
            return
        whole = fetch.take(piece)
        if whole is None:
            sitting.say((key,), *fetch.wants())
            return
        kept: Kept = partial(self._kept, self.match, fetch)
        sitting.means.shelf.take_in(fetch.kind, fetch.digest, whole, kept)

    def _kept(self, match: bytes, fetch: Fetch, fault: NetplayError | None) -> None:
        """Go on with the match once everything is here."""
        if match != self.match or fetch not in self._fetches:
            return
        self._fetches.remove(fetch)
        if fault is not None:
            self.clear()
            self._sitting.fault(f"the last match cannot go on: {fault}")
        elif not self._fetches:
            self._sitting.go_on(match, self._sitting.now)
