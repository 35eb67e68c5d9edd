"""A host's terms as a guest takes them: looked at, fetched for, agreed to or not."""

from collections.abc import Iterator
from typing import Final

from netplay.errors import Code, NetplayError, PeerError
from netplay.messages.table import Accept, Decline, Proposal, Terms, Want
from netplay.record.fold import Fold
from netplay.record.log import Signer, terms_data
from netplay.record.playable import playable
from netplay.table.changed_terms import Change, changed
from netplay.table.declining import declining
from netplay.table.pieces import Fetches
from netplay.table.resources import Shelf, missing


def is_complete(terms: Terms) -> bool:
    """Tell whether every seat is taken."""
    return all(seat.name for seat in terms.seats)


class HostTerms:
    """What another node proposes, and what this one says to it."""

    def __init__(
        self,
        signer: Signer,
        shelf: Shelf,
        host: bytes,
        *,
        wanted: bool = True,
        agreed: Proposal | None = None,
    ) -> None:
        """Begin without having seen the terms.

        Args:
            signer: This node's key.
            shelf: The editions and word lists that are here.
            host: Whose table it is.
            wanted: The player wants to; else somebody unknown calls, and nothing is
                fetched, signed or dialled before the player has said yes.
            agreed: To what the player has said yes already; None for the first terms.
        """
        self._signer: Final = signer
        self._shelf: Final = shelf
        self.host: Final = host
        self.proposal: Proposal | None = None
        self.accepted = False
        self.wanted = wanted
        """Whether the player has said yes."""
        self.refusal = ""
        """Why this node cannot play, in words."""
        self._agreed = agreed
        """The terms to which the player has said yes, by joining or in words."""
        self.changes: tuple[Change, ...] = ()
        """What is different now: to that the player has not said yes."""
        self.fetches: Final = Fetches(shelf)

    def take(self, proposal: Proposal) -> Iterator[Accept | Decline | Want]:
        """Take a proposal; yield what to answer.

        Raises:
            PeerError: UNEXPECTED, it is not the host's own, or an old one.
        """
        terms = proposal.terms
        if terms.members[0].key != self.host:
            raise PeerError(Code.UNEXPECTED, "somebody else's table")
        old = self.proposal
        if old is not None:
            if proposal.revision < old.revision:
                raise PeerError(Code.UNEXPECTED, "an older revision")
            if proposal.revision != old.revision:
                self.accepted = False  # the host waits for each anew
        self.proposal, self.refusal = proposal, ""
        try:
            playable(terms)
        except PeerError as error:
            yield self._decline(error)
            return
        if self.wanted:
            self._agreed = self._agreed or proposal
            self.changes = changed(self._agreed, proposal, self._signer.key)
            if self.changes:
                self.fetches.begin(terms.nonce, ())  # nobody has agreed to it
                return
            yield from self.fetches.begin(terms.nonce, missing(self._shelf, terms))
            yield from self.answer()

    def agree(self) -> Iterator[Accept | Decline | Want]:
        """Note that the player says yes; yield what to say."""
        self.wanted = True
        self._agreed, self.changes = self.proposal, ()
        if self.proposal is not None and not self.refusal:
            terms = self.proposal.terms
            lacks = missing(self._shelf, terms)
            yield from self.fetches.begin(terms.nonce, lacks)
            yield from self.answer()

    @property
    def has_all(self) -> bool:
        """Whether the edition and the word list of the terms are here."""
        seen = self.proposal
        return seen is not None and not list(missing(self._shelf, seen.terms))

    def _decline(self, error: NetplayError) -> Decline:
        """Return why this node cannot play."""
        assert self.proposal is not None
        self.refusal = str(error)
        nonce, revision = self.proposal.terms.nonce, self.proposal.revision
        return declining(nonce, error.code, error.reason, revision)

    def answer(self) -> Iterator[Accept | Decline]:
        """Yield the acceptance, once there is nothing against it."""
        proposal = self.proposal
        if proposal is None or self.fetches or self.refusal:
            return
        if self.changes or not self.wanted:
            return
        terms = proposal.terms
        mine = any(member.key == self._signer.key for member in terms.members)
        if not mine or not is_complete(terms):
            return
        try:
            Fold(terms)
        except PeerError as error:
            yield self._decline(error)
            return
        self.accepted = True
        signature = self._signer.sign(terms_data(terms))
        yield Accept(terms.nonce, proposal.revision, signature)

    def answer_fetched(self) -> Iterator[Accept | Decline]:
        """Yield what is to be said since files have come, be they good or bad."""
        come, fault = self.fetches.take_news()
        if fault is not None:
            yield self._decline(fault)
        elif come:
            yield from self.answer()
