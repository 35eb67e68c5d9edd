"""The same table once more: the host proposes, the seats rotated; guests may ask.

A guest asks with `Ask`, as for a seat: at a match that is over it means that its player
would like another.  The host's new terms come as a `Proposal`, which waits beside the
match that is over until the guest's player agrees, or has asked for it already.
"""

from typing import Final

from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.match.match import Match
from netplay.messages.table import Ask, Proposal, SeatTerms
from netplay.said import Words
from netplay.sentences import Says
from netplay.table.chairs import Chair
from netplay.table.changes import Change, Form, Sit
from netplay.table.forming import Forming
from netplay.table.shared import Shared

NONCE_BYTES: Final = 32


class Rematch:
    """Who would like to play again, and the terms that were proposed for it."""

    def __init__(self, shared: Shared, match: Match) -> None:
        """Begin without a wish.

        Args:
            shared: What all tables of the node have in common.
            match: What was played.
        """
        self._shared: Final = shared
        self._match: Final = match
        self._wishes: dict[bytes, None] = {}
        self._offer: tuple[bytes, Proposal] | None = None

    def names(self) -> tuple[str, ...]:
        """Return who would like to play again, this node's player among them."""
        keys = [*self._wishes]
        if self._offer is not None:
            keys.append(self._offer[0])
        named = (self._name_of(key) for key in keys)
        return tuple(dict.fromkeys(named))

    def _name_of(self, key: bytes) -> str:
        """Return what to call a node at the table."""
        shared = self._shared
        return shared.name if key == shared.me else shared.name_of(key)

    def _concerns(self, key: bytes) -> bool:
        """Tell whether the match is over, and somebody has played in it."""
        return self._match.fold.over and key in self._match.others

    # What peers say.

    def wish(self, key: bytes) -> bool:
        """Take a guest's wish; return whether it is one of a match that is over."""
        if not self._concerns(key):
            return False
        if key not in self._wishes:
            self._wishes[key] = None
            self._shared.tell(Says.WOULD_REMATCH(name=self._shared.name_of(key)))
        return True

    def offered(self, key: bytes, proposal: Proposal) -> bool:
        """Let terms of somebody at the table wait for this node's player.

        Returns:
            Whether they do; else they are as any others, or the wish is there already.
        """
        shared = self._shared
        if not self._concerns(key) or shared.me in self._wishes:
            return False
        if self._offer is None:
            shared.tell(Says.WOULD_REMATCH(name=shared.name_of(key)))
        self._offer = (key, proposal)
        shared.changed = True
        return True

    def agreed(self, key: bytes) -> bool:
        """Tell whether new terms of somebody are what this node's player waits for."""
        return self._concerns(key) and self._shared.me in self._wishes

    def withdrawn(self, key: bytes) -> bool:
        """Note that whoever proposed a rematch does so no longer."""
        if self._offer is None or self._offer[0] != key:
            return False
        self._offer = None
        self._shared.tell(Says.NO_REMATCH_NOW(name=self._shared.name_of(key)))
        return True

    @property
    def nonce(self) -> bytes:
        """What names the table that is proposed, empty for none."""
        return b"" if self._offer is None else self._offer[1].terms.nonce

    # What the players here want.

    def decline(self) -> None:
        """Say no to the terms that wait, if any do: the table is left."""
        if self._offer is not None:
            key, proposal = self._offer
            nonce, revision = proposal.terms.nonce, proposal.revision
            self._shared.decline(key, nonce, Code.DECLINED, Says.NO_REMATCH(), revision)
            self._offer = None

    def want(self) -> tuple[Words, Change | None]:
        """Propose a rematch, agree to the one proposed, or ask the host for one.

        Returns:
            What came of it, in words, and what becomes of the table.

        Raises:
            LocalError: The match is not over, or the host is away.
        """
        shared, match = self._shared, self._match
        if not match.fold.over:
            raise LocalError(Code.USAGE, Says.REMATCH_LATER())
        if self._offer is not None:
            host, proposal = self._offer
            return Says.REMATCH_IT_IS(), self.sit(host, proposal)
        if not match.hosting:
            if not shared.is_up(match.host):
                raise LocalError(Code.SILENT, Says.HOST_AWAY())
            self._wishes[shared.me] = None
            shared.say((match.host,), Ask(match.fold.terms.nonce, -1))
            return Says.REMATCH_ASKED(), None
        needed = match.fold.electors - {match.me}
        missing = sorted(key for key in needed if not shared.is_up(key))
        if missing:
            names = ", ".join(shared.name_of(key) for key in missing)
            raise LocalError(Code.SILENT, Says.AWAY(names=names))
        return Says.REMATCH_PROPOSED(), Form(self._again())

    def sit(self, host: bytes, proposal: Proposal) -> Sit:
        """Sit down for a rematch: that is all to which the player has said yes."""
        fold = self._match.fold
        seats = [self._seat(n, host) for n in range(len(fold.holders))]
        members, rotated = tuple(fold.members), (*seats[1:], seats[0])
        terms = replace(fold.terms, members=members, seats=rotated)
        admission = self._match.hidden.bystanders
        meant = Proposal(proposal.revision, terms, (), admission, fold.match)
        return Sit(host, proposal=proposal, agreed=meant)

    def _seat(self, number: int, host: bytes) -> SeatTerms:
        """Return a seat of the match as a host has it in the next; see `_chair`."""
        fold = self._match.fold
        plan, holder = fold.terms.seats[number], fold.holders[number]
        keys, name = [member.key for member in fold.members], fold.names[number]
        own = fold.terms.members[plan.member].key == holder == host
        if own and plan.kind != "person":
            return SeatTerms("computer", name, keys.index(holder), plan.skill)
        return SeatTerms("person", name, keys.index(holder), 0)

    def _again(self) -> Forming:
        """Return a table with the terms of the match, everybody one seat on."""
        shared, fold = self._shared, self._match.fold
        means, terms = shared.means, fold.terms
        chairs = [self._chair(n) for n in range(len(fold.holders))]
        for chair in chairs:
            if chair.key is not None:
                peer = shared.peers[chair.key]
                shared.places.setdefault(chair.key, peer.address)
        rotated = (*chairs[1:], chairs[0])
        nonce = means.entropy(NONCE_BYTES)
        table = Forming.rematch(means.signer, shared.name, terms, rotated, nonce)
        table.bystanders = self._match.hidden.bystanders
        for key in table.guests:
            table.addresses[key] = shared.places.get(key, "")
        return table

    def _chair(self, number: int) -> Chair:
        """Return a seat of the match as a chair of the next."""
        fold, me = self._match.fold, self._match.me
        plan: SeatTerms = fold.terms.seats[number]
        name, holder = fold.names[number], fold.holders[number]
        if holder != me:
            return Chair("remote", name, key=holder)
        if plan.kind != "person" and fold.terms.members[plan.member].key == me:
            # Where a program lies was said for that match alone.
            return Chair("computer", name, plan.skill)
        return Chair("person", name)
