"""What the dealer tells single members, and what they keep of it.

To the owner of a tile its opening, and to each member its share of the dealer's seed:
never anything of one member's to another.  On a new link all of it is said again.
An opening or a share may come by another way than the entry that it belongs to, and
sooner: it is looked at again when entries have come.  Who gets its share of an earlier
dealer's seed late, when the new host has long been there, gives it to that host then.
"""

from collections.abc import Iterator
from typing import Final

from netplay.errors import Code, PeerError
from netplay.match.effects import NOTHING, Effect, Effects, Keep, to
from netplay.match.knowledge import Knowledge
from netplay.match.members import Members
from netplay.match.replica import Replica
from netplay.messages.log import OPENINGS_A_FRAME, Opening, Proof, Share
from netplay.record.hidden import Hidden, KeptProof, KeptShare
from netplay.record.ledger import Ledger
from netplay.wanted import Outgoing

EARLY_OPENINGS: Final = 128
"""Kept of one member while their tiles are not drawn yet: more than a frame has."""

EARLY_SHARES: Final = 16
"""Kept of one member while the roots of their deals are not in the log yet."""


class Dealing:
    """Openings and shares of one match."""

    def __init__(
        self,
        ledger: Ledger,
        hidden: Hidden,
        members: Members,
        replica: Replica,
        knows: Knowledge,
    ) -> None:
        """Begin without having told anybody anything.

        Args:
            ledger: The log.
            hidden: What this node was told.
            members: Who takes part.
            replica: Who has how much of the log.
            knows: What this node knows of the bags.
        """
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self._replica: Final = replica
        self._knows: Final = knows
        self._told: dict[bytes, set[int]] = {}
        self._early: dict[bytes, dict[int, Proof]] = {}
        """Member -> tile -> an opening that came too soon."""
        self._early_shares: dict[bytes, dict[int, Share]] = {}
        """Member -> round -> a share that did."""
        self.early = False
        """Whether anything ever came too soon."""
        self._pooled: set[tuple[bytes, int]] = set()
        """(member, round): who was given this node's share of a dealer's seed."""

    def forget(self, key: bytes) -> None:
        """Assume that a member may have missed what it was told."""
        self._told.pop(key, None)
        self._pooled = {pooled for pooled in self._pooled if pooled[0] != key}

    def forget_all(self) -> None:
        """Assume so of everybody."""
        self._told.clear()

    def tell(self, key: bytes) -> Iterator[Outgoing]:
        """Tell a member what its tiles are, and give it its shares."""
        match, knows = self._ledger.log.match, self._knows
        told = self._told.setdefault(key, set())
        proofs = knows.openings_for(key, told)
        for start in range(0, len(proofs), OPENINGS_A_FRAME):
            yield to(key, Opening(match, proofs[start : start + OPENINGS_A_FRAME]))
        for round_ in self._ledger.fold.rounds:
            token = -1 - round_.number  # no tile has a negative number
            share = None if token in told else knows.shares(round_).get(key)
            if share is not None:
                told.add(token)
                yield to(key, Share(match, round_.number, share))

    def give_shares(self) -> Iterator[Outgoing]:
        """Give a new host this node's shares of other dealers' seeds."""
        me = self._members.me
        for (number, member), share in self._hidden.shares.items():
            if member == me and self._knows.is_share(number, member, share):
                yield from self._give(number, share)

    def _give(self, number: int, share: bytes) -> Iterator[Outgoing]:
        """Give the host this node's share, unless the host is who dealt."""
        members, fold = self._members, self._ledger.fold
        round_ = fold.rounds.get(number)
        dealt = round_ is not None and round_.dealer == members.host
        if not (dealt or members.hosting) and members.host in members.linked:
            yield to(members.host, Share(fold.match, number, share))

    def pool(self) -> Iterator[Outgoing]:
        """After the end, give all members this node's shares of seeds not opened yet.

        So whoever is still there opens the bag of a dealer that is gone, or silent.
        The end must stand: in another history the seed would still be a secret.
        """
        members, log, me = self._members, self._ledger.log, self._members.me
        if members.watching or self._replica.final < len(log):
            return
        for round_ in self._ledger.fold.rounds:
            number = round_.number
            share = self._hidden.shares.get((number, me))
            if share is None or round_.secret is not None:
                continue
            if not self._knows.is_share(number, me, share):
                continue  # of a deal in a history that was dropped
            for key in sorted(members.greeted & members.others):
                if (key, number) not in self._pooled and self._replica.has_all(key):
                    self._pooled.add((key, number))
                    yield to(key, Share(log.match, number, share))

    def on_opening(self, key: bytes, opening: Opening, _now: float) -> Effects:
        """Keep what this node's tiles are.

        Raises:
            PeerError: From the host: BAD_PROOF, or UNEXPECTED for another's tile.
                Anybody else may have been host in a history that was dropped.
        """
        early = self._early.setdefault(key, {})
        effects: list[Keep] = []
        for proof in opening.proofs:
            try:
                drawn = self._knows.is_drawn(proof)
            except PeerError:
                if key == self._members.host:
                    raise
                continue
            if drawn:
                effects += self._kept(proof)
                continue
            self.early = True
            early.pop(proof.tile, None)
            early[proof.tile] = proof
            if len(early) > EARLY_OPENINGS:
                del early[next(iter(early))]
        return effects

    def _kept(self, proof: Proof) -> Iterator[Keep]:
        """Keep what a tile is, if that is news."""
        if self._hidden.proofs.get(proof.tile) != proof:
            yield Keep(KeptProof(proof))

    def look_again(self) -> Effects:
        """Keep what came before the entries that it belongs to."""
        effects: list[Effect] = []
        for early in self._early.values():
            for tile, proof in list(early.items()):
                try:
                    done = self._knows.is_drawn(proof)
                except PeerError:
                    del early[tile]  # of another history than ours
                    continue
                if done:
                    effects += self._kept(proof)
                    del early[tile]
        for key, shares in self._early_shares.items():
            for number, share in list(shares.items()):
                try:
                    taken = self._take_share(key, share)
                except PeerError:
                    taken = NOTHING  # of another history than ours
                if taken is not None:
                    del shares[number]
                    effects += taken
        return effects

    def on_share(self, key: bytes, share: Share, _now: float) -> Effects:
        """Keep a share: ours from the dealer, or a member's of a lost dealer's seed.

        Raises:
            PeerError: BAD_PROOF, from the dealer; anybody else may speak of a deal in
                a history that was dropped.
        """
        taken = self._take_share(key, share)
        if taken is not None:
            return taken
        early = self._early_shares.setdefault(key, {})
        self.early = True
        early.pop(share.round, None)
        early[share.round] = share
        if len(early) > EARLY_SHARES:
            del early[next(iter(early))]
        return NOTHING

    def _take_share(self, key: bytes, share: Share) -> Effects | None:
        """Return how a share is kept, None if its deal is not fixed here yet.

        Raises:
            PeerError: BAD_PROOF, from the dealer.
        """
        number, me = share.round, self._members.me
        round_ = self._ledger.fold.rounds.get(number)
        if round_ is None or round_.root is None:
            return None
        member = me if key == round_.dealer else key
        if not self._knows.is_share(number, member, share.share):
            if key == round_.dealer:
                raise PeerError(Code.BAD_PROOF, "a share of the dealer's seed")
            return NOTHING  # of another history than ours
        if self._hidden.shares.get((number, member)) == share.share:
            return NOTHING
        kept = Keep(KeptShare(number, member, share.share))
        return kept, *(self._give(number, share.share) if member == me else ())
