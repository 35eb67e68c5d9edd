"""A match that is kept here and waits for its edition or word list to come again.

Files in a home get damaged, or are deleted.  Whoever plays the match has what it is
played with: so its members are called, the first who is there is asked, and then the
match is taken in hand like any other.  That is done only for matches that were in hand
when the node ended, or that the player wants to go on with.
"""

from collections.abc import Iterator
from typing import Final

from typing_extensions import override

from netplay.errors import LocalError, PeerError
from netplay.messages.table import Piece, Terms
from netplay.record.ledger import terms_in
from netplay.record.saved import describe
from netplay.said import Words
from netplay.sentences import Says
from netplay.table.changes import Change, FetchWords, Gone, GoOn
from netplay.table.pieces import Fetches
from netplay.table.resources import missing
from netplay.table.shared import Shared
from netplay.table.state import State
from netplay.wanted import Dial, PeerMessage

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
    def nonce(self) -> bytes:
        return self._lacks.nonce

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
        self._fetches.begin(self._lacks.nonce, self._lacks.missing)
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
                self.shared.say((key,), *self._fetches.take(message))
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
    return FetchWords(match, terms.nonce, others, needed)


def _terms(shared: Shared, match: bytes) -> Terms | None:
    """Return the terms of a kept match, None where its file does not tell."""
    disk = shared.means.archive.open(match)
    try:
        return terms_in(disk.read())
    except PeerError:
        return None
    finally:
        disk.close()
