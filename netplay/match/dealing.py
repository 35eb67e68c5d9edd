"""What the dealer tells single members, and what they keep of it.

To the owner of a tile its opening, and to each member its share of the dealer's seed:
never anything of one member's to another.  On a new link all of it is said again.
An opening or a share may come by another way than the entry that it belongs to, and
sooner: it is looked at again when entries have come.  Who gets its share of an earlier
dealer's seed late, when the new host has long been there, gives it to that host then.
"""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from netplay.errors import Code, PeerError
from netplay.match.effects import NOTHING, Effect, Effects, Keep, to
from netplay.match.masks import Masks
from netplay.match.members import Members
from netplay.match.replica import Replica
from netplay.messages import log as messages
from netplay.record.chance import (
    Bag,
    Round,
    commitment,
    join,
    number_bytes,
    share_digest,
    split,
    tag,
)
from netplay.record.fold import Fold
from netplay.record.hidden import SEED_BYTES, Hidden, KeptProof, KeptSeed, KeptShare
from netplay.record.ledger import Ledger
from netplay.record.log import Log
from netplay.record.views import Whole, to_turn_up
from netplay.wanted import Outgoing

# What this node knows of hidden chance: seeds, bags, openings, shares.
#
# The dealer of a round knows its bag; others know their own tiles by the openings they
# were given; and whoever has all shares of a lost dealer's seed knows what it knew.


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

    def proof(self, tile: int) -> messages.Proof | None:
        """Return the opening of a tile, None if it is not known here."""
        if self._fold.bag is not None:
            return self._masks.proof(tile)
        known = self._hidden.proofs.get(tile)
        if known is not None:
            with suppress(PeerError):  # a deal may have begun again since
                self._fold.check_proof(self._me, known)
                return known
        return self.whole.proof(tile)

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

    def root(self, round_: Round, seed: bytes) -> messages.Root | None:
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
        return messages.Root(number, bag.deal.root, bag.deal.size, digests)

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

    def is_drawn(self, proof: messages.Proof) -> bool:
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

    def openings_for(self, key: bytes, given: set[int]) -> tuple[messages.Proof, ...]:
        """Return the openings of a member's tiles that it has not been given yet.

        Args:
            key: The member.
            given: Numbers of the tiles it was told of on this link; added to.
        """
        fold, proofs = self._fold, list[messages.Proof]()
        own = set(fold.seats_of(key))
        for tile, seat in fold.drawn_by.items():
            if seat not in own or tile in given or tile in fold.faces:
                continue
            proof = self.whole.proof(tile)
            if proof is not None:
                proofs.append(proof)
                given.add(tile)
        return tuple(proofs)


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
        self._early: dict[bytes, dict[int, messages.Proof]] = {}
        """Member -> tile -> an opening that came too soon."""
        self._early_shares: dict[bytes, dict[int, messages.Share]] = {}
        """Member -> round -> a share that did."""
        self.early = False
        """Whether anything ever came too soon."""
        self._pooled: set[tuple[bytes, int]] = set()
        """(member, round): who was given this node's share of a dealer's seed."""

    def missed(self, key: bytes) -> None:
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
        for start in range(0, len(proofs), messages.OPENINGS_A_FRAME):
            yield to(
                key,
                messages.Opening(
                    match, proofs[start : start + messages.OPENINGS_A_FRAME]
                ),
            )
        for round_ in self._ledger.fold.rounds:
            token = -1 - round_.number  # no tile has a negative number
            share = None if token in told else knows.shares(round_).get(key)
            if share is not None:
                told.add(token)
                yield to(key, messages.Share(match, round_.number, share))

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
            yield to(members.host, messages.Share(fold.match, number, share))

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
                    yield to(key, messages.Share(log.match, number, share))

    def on_opening(self, key: bytes, opening: messages.Opening, _now: float) -> Effects:
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

    def _kept(self, proof: messages.Proof) -> Iterator[Keep]:
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

    def on_share(self, key: bytes, share: messages.Share, _now: float) -> Effects:
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

    def _take_share(self, key: bytes, share: messages.Share) -> Effects | None:
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


# What a node must say in the log without anybody asking: chance, and opening it.


def owed(
    me: bytes, log: Log, fold: Fold, hidden: Hidden, knows: Knowledge, *, doubted: bool
) -> Iterator[tuple[KeptSeed | None, messages.LogBody]]:
    """Yield what this node owes the log now, and the seed to be kept before it.

    Args:
        me: This node's key.
        log: The log.
        fold: The public state.
        hidden: Its secrets.
        knows: What it knows of the bags.
        doubted: Whether somebody sees another position.
    """
    # In a game of ticks nodes never see the same before the end.
    apart = not fold.hz and bool(doubted or fold.agreement.standing)
    ends = fold.over or doubted
    # Electors alone are counted: a word of anybody else would be an entry for nothing.
    if (
        me in fold.electors
        and (fold.over or apart)
        and fold.agreement.is_owed(me, fold.digest(), now=ends)
    ):
        yield None, messages.Position(log.head, fold.digest())
    # At the end everything is opened and nothing is drawn: rounds owe no seed any more.
    if fold.over:
        for opening in _openings(fold, knows):
            yield None, opening
        return
    for round_ in fold.rounds:
        # Seeds come after all commitments: who sees another's first could choose the
        # outcome.
        if me in round_.lacks_commit(fold.required):
            # A commitment; whoever forgets the seed stops the match for all. What was
            # said in an older term may be dropped, and then its seed is no secret: each
            # term takes another.
            number, term, again = round_.number, log.term, round_.again
            seed, new = hidden.known_seed(number, term, again), None
            if seed is None:  # else what was promised in this term stands
                seed = hidden.random(SEED_BYTES)
                new = KeptSeed(number, term, again, seed)
            yield new, messages.Commit(number, commitment(log.match, number, me, seed))
        else:
            for body in _of_chance(round_, me, fold, hidden, knows):
                yield None, body
    deals = me == fold.host or any(round_.dealer == me for round_ in fold.rounds)
    # The rules wait for a tile that is shown to all: only its dealer knows it, and in
    # an encrypted bag whoever was given its opening, once it has checked all mixings:
    # what it found it has to find again after a start.
    if fold.stuck and (deals or fold.bag is not None) and not knows.unchecked:
        proofs = to_turn_up(fold, knows.proof)
        # An entry with nothing in it would be owed again at once.
        if proofs:
            yield None, messages.Face(proofs[:64])


def _of_chance(
    round_: Round, me: bytes, fold: Fold, hidden: Hidden, knows: Knowledge
) -> Iterator[messages.Seed | messages.Root]:
    """Yield what this node owes a round to which all have committed."""
    host = fold.host
    if me in round_.lacks_seed(host):
        shown = _committed(round_, me, fold, hidden)
        if shown is not None:
            yield messages.Seed(round_.number, shown)
    elif me == host and round_.lacks_root(host):
        # The dealer makes it, once it can.
        seed = _committed(round_, me, fold, hidden)
        root = None if seed is None else knows.root(round_, seed)
        if root is not None:
            yield root


def _committed(round_: Round, me: bytes, fold: Fold, hidden: Hidden) -> bytes | None:
    """Return the seed that this node committed to in a round, None if it is lost."""
    for seed in hidden.seeds(round_.number):
        made = commitment(fold.match, round_.number, me, seed)
        if made == round_.commits.get(me):
            return seed
    return None


def _openings(fold: Fold, knows: Knowledge) -> Iterator[messages.Open]:
    """Yield the dealers' seeds that this node knows, at the end."""
    for round_ in fold.rounds:
        if round_.root is None or round_.secret is not None:
            continue
        seed = knows.secret(round_)
        if seed is not None:
            yield messages.Open(round_.number, seed)
