"""A table at which this node is a guest: the host's proposal, and what it needs."""

from collections.abc import Iterator
from typing import Final

from netplay.errors import Code, PeerError
from netplay.messages.table import Accept, Decline, Piece, Proposal, Terms, Want
from netplay.messages.types import REASON_CHARACTERS
from netplay.record.log import Signer, terms_data
from netplay.record.playable import playable
from netplay.table.resources import Fetch, Kind, Shelf, finish


def is_complete(terms: Terms) -> bool:
    """Tell whether every seat is taken."""
    return all(seat.name for seat in terms.seats)


class Guest:
    """This node's side of a table that another node hosts."""

    def __init__(self, signer: Signer, shelf: Shelf, host: bytes) -> None:
        """Sit down without having seen the terms."""
        self._signer: Final = signer
        self._shelf: Final = shelf
        self.host: Final = host
        self.proposal: Proposal | None = None
        self.accepted = False
        self.wanted = True
        """Whether the user agrees; False after saying no."""
        self.refusal = ""
        """Why this node cannot play, in words."""
        self._fetches: list[Fetch] = []

    @property
    def nonce(self) -> bytes | None:
        """What names the table, once it is known."""
        return None if self.proposal is None else self.proposal.terms.nonce

    @property
    def fetching(self) -> bool:
        """Whether an edition or a word list is on its way."""
        return bool(self._fetches)

    def take(self, proposal: Proposal) -> Iterator[Accept | Decline | Want]:
        """Take a proposal; yield what to answer.

        Raises:
            PeerError: UNEXPECTED, it is not the host's own, or an old one.
        """
        terms = proposal.terms
        if terms.members[0].key != self.host:
            raise PeerError(Code.UNEXPECTED, "somebody else's table")
        old = self.proposal
        if old is not None and terms.nonce == old.terms.nonce:
            if proposal.revision < old.revision:
                raise PeerError(Code.UNEXPECTED, "an older revision")
            if terms != old.terms:
                self.accepted = False
        self.proposal, self.refusal = proposal, ""
        try:
            playable(terms)
        except PeerError as error:
            yield self._decline(error)
            return
        yield from self._fetch(terms)
        yield from self.answer()

    def _decline(self, error: PeerError) -> Decline:
        """Return why this node cannot play."""
        assert self.proposal is not None
        self.refusal = str(error)
        reason = (error.detail or str(error))[:REASON_CHARACTERS]
        return Decline(self.proposal.revision, error.code.number, reason)

    def _fetch(self, terms: Terms) -> Iterator[Want]:
        """Yield what to ask for, of what is not here."""
        needed = {Kind.EDITION: terms.edition, Kind.LEXICON: terms.lexicon}
        known = {fetch.digest: fetch for fetch in self._fetches}
        self._fetches = [
            known.get(digest, Fetch(kind, digest))
            for kind, digest in needed.items()
            if digest and not self._shelf.has(kind, digest)
        ]
        for fetch in self._fetches:
            yield from fetch.wants()

    def answer(self) -> Iterator[Accept | Decline]:
        """Yield the acceptance, once there is nothing against it."""
        proposal = self.proposal
        if proposal is None or self._fetches or self.refusal or not self.wanted:
            return
        terms = proposal.terms
        mine = any(member.key == self._signer.key for member in terms.members)
        if not mine or not is_complete(terms):
            return
        try:
            playable(terms).start()
        except PeerError as error:
            yield self._decline(error)
            return
        self.accepted = True
        yield Accept(proposal.revision, self._signer.sign(terms_data(terms)))

    def take_piece(self, piece: Piece) -> Iterator[Accept | Decline | Want]:
        """Take a piece of an edition or word list; yield what to say next.

        Raises:
            PeerError: BAD_DIGEST, TOO_LARGE, BAD_EDITION or BAD_WORDS.
            LocalError: DISK, it cannot be kept.
        """
        fetch = next((one for one in self._fetches if one.digest == piece.digest), None)
        if fetch is None:
            return  # asked for under terms that have been replaced
        whole = fetch.take(piece)
        if whole is None:
            yield from fetch.wants()
            return
        self._fetches.remove(fetch)
        try:
            finish(self._shelf, fetch, whole)
        except PeerError as error:
            self._decline(error)
            raise
        yield from self.answer()

    def again(self) -> None:
        """Forget what was asked for on a link that is lost."""
        for fetch in self._fetches:
            fetch.again()
