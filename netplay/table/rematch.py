"""The same table once more: the host proposes, the seats rotated; guests may ask.

A guest asks with `Ask`, as for a seat: at a match that is over it means that its player
would like another.  The host's new terms come as a `Proposal`, which waits beside the
match that is over until the guest's player agrees, or has asked for it already.
"""

from typing import TYPE_CHECKING, Final

from netplay.errors import Code, LocalError
from netplay.match.match import Match
from netplay.messages.table import Ask, Proposal, SeatTerms
from netplay.table.declining import declining
from netplay.table.forming import Chair, Forming
from netplay.table.guest import Guest

if TYPE_CHECKING:
    from netplay.table.sitting import Sitting


class Rematch:
    """Who would like to play again, and the terms that were proposed for it."""

    def __init__(self, sitting: "Sitting") -> None:
        """Begin without a wish."""
        self._sitting: Final = sitting
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
        sitting = self._sitting
        return sitting.name if key == sitting.me else sitting.name_of(key)

    def clear(self) -> None:
        """Forget all wishes: the match is put aside."""
        self._wishes.clear()
        self._offer = None

    def _ended(self) -> Match | None:
        """Return the match that is over and still on the table."""
        match = self._sitting.match
        over = match is not None and not match.watching and match.fold.over
        return match if over else None

    # What peers say.

    def wish(self, key: bytes) -> bool:
        """Take a guest's wish; return whether it is one of a match that is over."""
        match = self._ended()
        if match is None or key not in match.others:
            return False
        if key not in self._wishes:
            self._wishes[key] = None
            self._sitting.tell(f"{self._sitting.name_of(key)} would like a rematch")
        return True

    def offered(self, key: bytes, proposal: Proposal) -> bool:
        """Take new terms by somebody at the table of a match that is over.

        Returns:
            Whether they wait for this node's player; if not, they are as any others.
        """
        match, sitting = self._ended(), self._sitting
        if match is None or key not in match.others:
            return False
        if sitting.me in self._wishes:
            self._sit_down(key)
            return False
        news = self._offer is None
        self._offer = (key, proposal)
        if news:
            sitting.tell(f"{sitting.name_of(key)} would like a rematch")
        sitting.changed = True
        return True

    def withdrawn(self, key: bytes) -> bool:
        """Note that whoever proposed a rematch does so no longer."""
        if self._offer is None or self._offer[0] != key:
            return False
        self._offer = None
        self._sitting.tell(f"{self._sitting.name_of(key)} proposes no rematch any more")
        return True

    def _sit_down(self, key: bytes) -> None:
        """Put the match aside and be a guest of the one who proposes another."""
        sitting = self._sitting
        sitting.drop()
        sitting.guest = Guest(sitting.means.signer, sitting.means.shelf, key)

    # What the players here want.

    def decline(self) -> None:
        """Say no to the terms that wait, if any do: the table is left."""
        if self._offer is not None:
            key, proposal = self._offer
            no = declining(Code.DECLINED, "no rematch", proposal.revision)
            self._sitting.say((key,), no)
            self._offer = None

    def want(self, nonce: bytes) -> tuple[str, tuple[bytes, Proposal] | None]:
        """Propose a rematch, agree to the one proposed, or ask the host for one.

        Args:
            nonce: Random, for a new table.

        Returns:
            What came of it, and terms to be looked at, if any waited.

        Raises:
            LocalError: The match is not over, or the host is away.
        """
        sitting, match = self._sitting, self._ended()
        if match is None:
            raise LocalError(Code.USAGE, "there is a rematch when the match is over")
        if self._offer is not None:
            offer = self._offer
            self._sit_down(offer[0])
            return "a rematch it is", offer
        if not match.hosting:
            if not sitting.is_up(match.host):
                raise LocalError(Code.SILENT, "the host is away; host a table instead")
            self._wishes[sitting.me] = None
            sitting.say((match.host,), Ask(-1))
            return "the host is told that you would like a rematch", None
        needed = match.fold.electors - {match.me}
        missing = sorted(key for key in needed if not sitting.is_up(key))
        if missing:
            names = ", ".join(sitting.name_of(key) for key in missing)
            raise LocalError(Code.SILENT, f"{names}: away")
        table = self._again(match, nonce)
        sitting.drop()
        sitting.forming = table
        return "the rematch is proposed", None

    def _again(self, match: Match, nonce: bytes) -> Forming:
        """Return a table with the terms of a match, everybody one seat on."""
        sitting, fold, terms = self._sitting, match.fold, match.fold.terms
        chairs = [self._chair(match, n) for n in range(len(fold.holders))]
        for chair in chairs:
            if chair.key is not None:
                peer = sitting.peers[chair.key]
                sitting.places.setdefault(chair.key, peer.address)
        rotated = (*chairs[1:], chairs[0])
        table = Forming.again(sitting.means.signer, sitting.name, terms, rotated, nonce)
        table.bystanders = match.hidden.bystanders
        for key in table.guests:
            table.addresses[key] = sitting.places.get(key, "")
        return table

    def _chair(self, match: Match, number: int) -> Chair:
        """Return a seat of a match as a chair of the next."""
        fold, me = match.fold, match.me
        plan: SeatTerms = fold.terms.seats[number]
        name, holder = fold.names[number], fold.holders[number]
        if holder != me:
            return Chair("remote", name, key=holder)
        if plan.kind == "computer" and fold.terms.members[plan.member].key == me:
            return Chair("computer", name, plan.skill)
        return Chair("person", name)
