"""A host's terms as a guest takes them: looked at, fetched for, agreed to or not."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from netplay.errors import Code, NetplayError, PeerError
from netplay.fingerprint import fingerprint
from netplay.messages.table import Accept, Decline, Proposal, Terms, Want
from netplay.record.fold import Fold
from netplay.record.log import Signer, terms_data
from netplay.record.playable import playable
from netplay.said import shortened
from netplay.table.resources import Fetches, Shelf, missing
from netplay.table.shared import declining
from netplay.wire import unpack
from rules import GAMES

# What has changed between two proposals that a player should know of before a yes.
#
# That somebody takes a free seat is no news: it is what everybody waits for.


Change: TypeAlias = tuple[str, str, str]
"""What - `game`, `players`, `edition`, `words`, `bystanders` or an option -, and how it
was and is."""


def changed(old: Proposal, new: Proposal, me: bytes) -> tuple[Change, ...]:
    """Return what is not as it was; both can be played here.

    Args:
        old: To that the player has said yes.
        new: As it is now.
        me: This node, whose player is to sit where that was.
    """
    if old.terms.game != new.terms.game:
        return (("game", old.terms.game, new.terms.game),)
    before, after = dict(_rules(old, me)), dict(_rules(new, me))
    return tuple(
        (what, shortened(before.get(what, "")), shortened(value))
        for what, value in after.items()
        if before.get(what) != value
    )


def _rules(proposal: Proposal, me: bytes) -> Iterator[tuple[str, str]]:
    """Yield what is played by."""
    terms = proposal.terms
    # Who plays each seat, whoever it is, and which are our own
    players: list[str] = []
    for seat in terms.seats:
        who = f"computer:{seat.skill}" if seat.kind == "computer" else seat.kind
        own = terms.members[seat.member].key == me
        players.append(f"{who} here" if own else who)
    yield "players", ", ".join(players)
    about = GAMES[terms.game].ABOUT
    settings = about.settings(unpack(terms.options, about.options))
    for name, value in settings.items():
        # As it is typed.
        yield (
            name,
            ("on" if value else "off") if isinstance(value, bool) else str(value),
        )
    yield "edition", terms.edition.hex()[:8]
    yield "words", terms.lexicon.hex()[:8]
    yield "bystanders", proposal.bystanders
    yield "fairness", terms.fairness
    yield "days", str(terms.days)
    yield "keepers", ", ".join(map(fingerprint, terms.keepers))


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

    def on_proposal(self, proposal: Proposal) -> Iterator[Accept | Decline | Want]:
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
                self.fetches.fetch(terms.nonce, ())  # nobody has agreed to it
                return
            yield from self.fetches.fetch(terms.nonce, missing(self._shelf, terms))
            yield from self.answer()

    def agree(self) -> Iterator[Accept | Decline | Want]:
        """Note that the player says yes; yield what to say."""
        self.wanted = True
        self._agreed, self.changes = self.proposal, ()
        if self.proposal is not None and not self.refusal:
            terms = self.proposal.terms
            lacks = missing(self._shelf, terms)
            yield from self.fetches.fetch(terms.nonce, lacks)
            yield from self.answer()

    @property
    def agreed(self) -> bool:
        """Whether the player has said yes, and nothing here is against it.

        It is signed once the terms are complete: while a seat is free, they cannot be.
        """
        free = self.proposal is not None and not is_complete(self.proposal.terms)
        said = self.wanted and not (self.changes or self.refusal or self.fetches)
        return self.accepted or (free and said)

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
