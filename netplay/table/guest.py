"""A table at which this node is a guest: the host's proposal, and what it needs."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from netplay.errors import Code, NetplayError, PeerError
from netplay.messages.table import Accept, Decline, Piece, Proposal, Terms, Want
from netplay.record.log import Signer, terms_data
from netplay.record.playable import playable
from netplay.table.declining import declining
from netplay.table.news import Change, news
from netplay.table.resources import Fetch, Kept, Kind, Shelf


def is_complete(terms: Terms) -> bool:
    """Tell whether every seat is taken."""
    return all(seat.name for seat in terms.seats)


class Guest:
    """This node's side of a table that another node hosts."""

    def __init__(
        self, signer: Signer, shelf: Shelf, host: bytes, *, wanted: bool = True
    ) -> None:
        """Sit down without having seen the terms.

        Args:
            signer: This node's key.
            shelf: The editions and word lists that are here.
            host: Whose table it is.
            wanted: The player wants to; else somebody unknown calls, and nothing is
                fetched, signed or dialled before the player has said yes.
        """
        self._signer: Final = signer
        self._shelf: Final = shelf
        self.host: Final = host
        self.proposal: Proposal | None = None
        self.accepted = False
        self.wanted = wanted
        """Whether the player has said yes."""
        self.handed = b""
        """The match in which a seat is offered, for one that is being played."""
        self.refusal = ""
        """Why this node cannot play, in words."""
        self._agreed: Proposal | None = None
        """The terms to which the player has said yes, by joining or in words."""
        self.changes: tuple[Change, ...] = ()
        """What is different now: to that the player has not said yes."""
        self._fetches: list[Fetch] = []
        """What is on its way, or being checked."""
        self._unsaid: list[Accept | Decline] = []

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
        if self.wanted:
            self._agreed = self._agreed or proposal
            self.changes = news(self._agreed, proposal)
            if self.changes:
                self._fetches = []  # what nobody has agreed to is not fetched
                return
            yield from self._fetch(terms)
            yield from self.answer()

    def agree(self) -> Iterator[Accept | Decline | Want]:
        """Note that the player says yes; yield what to say."""
        self.wanted = True
        self._agreed, self.changes = self.proposal, ()
        if self.proposal is not None and not self.refusal and not self.handed:
            yield from self._fetch(self.proposal.terms)
            yield from self.answer()

    @property
    def has_all(self) -> bool:
        """Whether the edition and the word list of the terms are here."""
        return self.proposal is not None and not list(self._lacks(self.proposal.terms))

    def _decline(self, error: NetplayError) -> Decline:
        """Return why this node cannot play."""
        assert self.proposal is not None
        self.refusal = str(error)
        return declining(error.code, error.reason, self.proposal.revision)

    def _fetch(self, terms: Terms) -> Iterator[Want]:
        """Yield what to ask for, of what is not here."""
        known = {fetch.digest: fetch for fetch in self._fetches}
        self._fetches = [
            known.get(digest, Fetch(kind, digest))
            for kind, digest in self._lacks(terms)
        ]
        for fetch in self._fetches:
            yield from fetch.wants()

    def _lacks(self, terms: Terms) -> Iterator[tuple[Kind, bytes]]:
        """Yield what the terms need that is not here."""
        needed = {Kind.EDITION: terms.edition, Kind.LEXICON: terms.lexicon}
        for kind, digest in needed.items():
            if digest and not self._shelf.has(kind, digest):
                yield kind, digest

    def answer(self) -> Iterator[Accept | Decline]:
        """Yield the acceptance, once there is nothing against it."""
        proposal = self.proposal
        if proposal is None or self._fetches or self.refusal:
            return
        if self.changes or not self.wanted:
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

    def take_piece(self, piece: Piece) -> Iterator[Want]:
        """Take a piece of an edition or word list; yield what to ask for next.

        Raises:
            PeerError: BAD_DIGEST or TOO_LARGE.
        """
        fetch = next((one for one in self._fetches if one.digest == piece.digest), None)
        if fetch is None:
            return  # asked for under terms that have been replaced
        whole = fetch.take(piece)
        if whole is None:
            yield from fetch.wants()
            return
        kept: Kept = partial(self._kept, fetch)
        self._shelf.take_in(fetch.kind, fetch.digest, whole, kept)

    def _kept(self, fetch: Fetch, fault: NetplayError | None) -> None:
        """Note that a file is here and good, or why it is not."""
        if fetch not in self._fetches:
            return  # for terms that have been replaced
        self._fetches.remove(fetch)
        if fault is not None:
            self._unsaid.append(self._decline(fault))
        else:
            self._unsaid += self.answer()

    def take_unsaid(self) -> list[Accept | Decline]:
        """Return what is to be said since files have been checked, and forget it."""
        unsaid, self._unsaid = self._unsaid, []
        return unsaid

    def again(self) -> None:
        """Forget what was asked for on a link that is lost."""
        for fetch in self._fetches:
            fetch.again()
