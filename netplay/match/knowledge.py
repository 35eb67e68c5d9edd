"""What this node knows of hidden chance: seeds, bags, openings, shares.

The dealer of a round knows its bag; others know their own tiles by the openings they
were given; and whoever has all shares of a lost dealer's seed knows what it knew.
"""

import hashlib
from typing import Final

from netplay.errors import Code, PeerError
from netplay.match.masks import Masks
from netplay.messages.log import Proof, Root
from netplay.record.chance import (
    Bag,
    commitment,
    join,
    number_bytes,
    share_digest,
    split,
    tag,
)
from netplay.record.full_state import Whole
from netplay.record.hidden import Hidden
from netplay.record.ledger import Ledger
from netplay.record.rounds import Round


class Knowledge:
    """A node's secrets, seen in the light of the public state."""

    def __init__(self, me: bytes, ledger: Ledger, hidden: Hidden, masks: Masks) -> None:
        """Begin with what is kept.

        Args:
            me: This node's key.
            ledger: The log, with the public state.
            hidden: The secrets.
            masks: Those of an encrypted bag.
        """
        self._masks: Final = masks
        self._me: Final = me
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self.renew()

    def renew(self) -> None:
        """Begin anew: the log has been made anew."""
        self._fold = self._ledger.fold
        self.whole = Whole(self._fold, self.secret)

    @property
    def unchecked(self) -> bool:
        """Whether a mixing of an encrypted bag has not been checked here."""
        return self._masks.unchecked

    def secret(self, round_: Round) -> bytes | None:
        """Return the dealer's seed of a round that is fixed, None if not known here."""
        dealer = round_.dealer
        if round_.secret is not None or dealer is None:
            return round_.secret
        if dealer != self._me:
            return self._recovered(round_, dealer)
        return next(
            (
                seed
                for seed in self._hidden.seeds(round_.number)
                if self._fits(round_, dealer, seed)
            ),
            None,
        )

    def _fits(self, round_: Round, dealer: bytes, seed: bytes) -> bool:
        """Tell whether a seed is the one committed to."""
        made = commitment(self._fold.match, round_.number, dealer, seed)
        return made == round_.commits[dealer]

    def _recovered(self, round_: Round, dealer: bytes) -> bytes | None:
        """Return a lost dealer's seed from everybody's shares."""
        number, kept = round_.number, self._hidden.shares
        if not round_.receivers:
            return None
        shares = [kept.get((number, member)) for member in round_.receivers]
        if None in shares:
            return None
        seed = join([share for share in shares if share is not None])
        return seed if self._fits(round_, dealer, seed) else None

    def is_misled(self, number: int) -> bool:
        """Tell whether a dealer gave shares that do not make its seed."""
        round_, kept = self._fold.rounds.get(number), self._hidden.shares
        if round_ is None or round_.dealer is None or not round_.receivers:
            return False
        whole = all((number, member) in kept for member in round_.receivers)
        return whole and self._recovered(round_, round_.dealer) is None

    def proof(self, tile: int) -> Proof | None:
        """Return the opening of a tile, None if it is not known here."""
        if self._fold.bag is not None:
            return self._masks.proof(tile)
        known = self._hidden.proofs.get(tile)
        if known is not None and self._holds(known):
            return known
        return self.whole.proof(tile)

    def _holds(self, proof: Proof) -> bool:
        """Tell whether what was once proved still is: a deal may have begun again."""
        try:
            self._fold.check_proof(self._me, proof)
        except PeerError:
            return False
        return True

    def kind(self, tile: int) -> int | None:
        """Return the kind of a tile, None if it is not known here."""
        public = self._fold.faces.get(tile)
        if public is not None:
            return public
        if self._fold.bag is not None:
            return self._masks.kind(tile)
        proof = self.proof(tile)
        return None if proof is None else proof.kind

    def draft(self, round_: Round, seed: bytes) -> Bag | None:
        """Return the bag of a deal that this node is about to fix.

        None while the full state is not known here: an older dealer's seed is missing.
        """
        kinds = self.whole.kinds(round_.number)
        if kinds is None:
            return None
        return round_.draft(self._fold.match, kinds, self._me, seed)

    def root(self, round_: Round, seed: bytes) -> Root | None:
        """Return what fixes a bag, None while it cannot be made."""
        bag = self.draft(round_, seed)
        if bag is None:
            return None
        match, number = self._fold.match, round_.number
        receivers = round_.sharers(self._fold.required, self._me)
        shares = self._split(number, seed, receivers)
        digests = tuple(
            share_digest(match, number, key, share) for key, share in shares.items()
        )
        return Root(number, bag.deal.root, bag.deal.size, digests)

    def shares(self, round_: Round) -> dict[bytes, bytes]:
        """Return whose share of this node's seed is what: member -> share."""
        seed = self.secret(round_)
        if round_.dealer != self._me or seed is None:
            return {}
        return self._split(round_.number, seed, round_.receivers)

    def _split(
        self, number: int, seed: bytes, receivers: tuple[bytes, ...]
    ) -> dict[bytes, bytes]:
        """Return shares; they follow from the seed, and need not be kept."""
        if not receivers:
            return {}
        secret = tag("pad") + self._fold.match + number_bytes(number) + seed
        pads = [hashlib.sha256(secret + key).digest() for key in receivers[:-1]]
        return dict(zip(receivers, split(seed, pads), strict=True))

    def is_share(self, number: int, member: bytes, share: bytes) -> bool:
        """Tell whether a share is the one that a round's root names."""
        round_ = self._fold.rounds.get(number)
        if round_ is None or round_.root is None or member not in round_.receivers:
            return False
        made = share_digest(self._fold.match, number, member, share)
        return made == round_.root.shares[round_.receivers.index(member)]

    def is_drawn(self, proof: Proof) -> bool:
        """Check what a tile is that this node's seats have drawn.

        Returns:
            False for a tile that nobody has drawn yet, as far as is known here.

        Raises:
            PeerError: BAD_PROOF, or UNEXPECTED for a tile that is not ours.
        """
        seat = self._fold.drawn_by.get(proof.tile)
        if seat is None:
            return False
        if self._fold.holders[seat] != self._me:
            raise PeerError(Code.UNEXPECTED, "a tile of nobody's here")
        self._fold.check_proof(self._me, proof)
        return True

    def openings_for(self, key: bytes, given: set[int]) -> tuple[Proof, ...]:
        """Return the openings of a member's tiles that it has not been given yet.

        Args:
            key: The member.
            given: Numbers of the tiles it was told of on this link; added to.
        """
        fold, proofs = self._fold, list[Proof]()
        own = set(fold.seats_of(key))
        for tile, seat in fold.drawn_by.items():
            if seat not in own or tile in given or tile in fold.faces:
                continue
            proof = self.whole.proof(tile)
            if proof is not None:
                proofs.append(proof)
                given.add(tile)
        return tuple(proofs)
