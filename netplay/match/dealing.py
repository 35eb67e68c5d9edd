"""What the dealer tells single members, and what they keep of it.

To the owner of a tile its opening, and to each member its share of the dealer's seed:
never anything of one member's to another.  On a new link all of it is said again.
An opening or a share may come by another way than the entry that it belongs to, and
sooner: it is looked at again when entries have come.  Who gets its share of an earlier
dealer's seed late, when the new host has long been there, gives it to that host then.
"""

from typing import TYPE_CHECKING, Final

from netplay.errors import PeerError
from netplay.messages.log import Opening, Proof, Share

if TYPE_CHECKING:
    from netplay.match.match import Match

OPENINGS_A_FRAME: Final = 100
"""A proof in a bag of a hundred tiles takes 330 bytes."""

EARLY_OPENINGS: Final = 128
"""Kept of one member while their tiles are not drawn yet: as many as a frame has."""

EARLY_SHARES: Final = 16
"""Kept of one member while the roots of their deals are not in the log yet."""


class Dealing:
    """Openings and shares of one match."""

    def __init__(self, match: "Match") -> None:
        """Begin without having told anybody anything."""
        self._match: Final = match
        self._told: dict[bytes, set[int]] = {}
        self._early: dict[bytes, dict[int, Proof]] = {}
        """Member -> tile -> an opening that came too soon."""
        self._early_shares: dict[bytes, dict[int, Share]] = {}
        """Member -> round -> a share that did."""
        self._pooled: set[tuple[bytes, int]] = set()
        """(member, round): who was given this node's share of a dealer's seed."""

    def forget(self, key: bytes) -> None:
        """Assume that a member may have missed what it was told."""
        self._told.pop(key, None)
        self._pooled = {pooled for pooled in self._pooled if pooled[0] != key}

    def forget_all(self) -> None:
        """Assume so of everybody."""
        self._told.clear()

    def tell(self, key: bytes) -> None:
        """Tell a member what its tiles are, and give it its shares."""
        match = self._match
        told = self._told.setdefault(key, set())
        proofs = match.knows.openings_for(key, told)
        for start in range(0, len(proofs), OPENINGS_A_FRAME):
            some = proofs[start : start + OPENINGS_A_FRAME]
            match.replica.say(key, Opening(match.match, some))
        for round_ in match.fold.rounds:
            token = -1 - round_.number  # no tile has a negative number
            share = None if token in told else match.knows.shares(round_).get(key)
            if share is not None:
                told.add(token)
                match.replica.say(key, Share(match.match, round_.number, share))

    def give_shares(self) -> None:
        """Give a new host this node's shares of other dealers' seeds."""
        match = self._match
        for (number, member), share in match.hidden.shares.items():
            if member == match.me and match.knows.is_share(number, member, share):
                self._give(number, share)

    def _give(self, number: int, share: bytes) -> None:
        """Give the host this node's share, unless the host is who dealt."""
        match = self._match
        round_ = match.fold.rounds.get(number)
        dealt = round_ is not None and round_.dealer == match.host
        if not (dealt or match.hosting) and match.host in match.linked:
            match.replica.say(match.host, Share(match.match, number, share))

    def pool(self) -> None:
        """After the end, give all members this node's shares of seeds not opened yet.

        So whoever is still there opens the bag of a dealer that is gone, or silent.
        The end must stand: in another history the seed would still be a secret.
        """
        match = self._match
        if match.watching or match.final < len(match.ledger.log):
            return
        for round_ in match.fold.rounds:
            number = round_.number
            share = match.hidden.shares.get((number, match.me))
            if share is None or round_.secret is not None:
                continue
            if not match.knows.is_share(number, match.me, share):
                continue  # of a deal in a history that was dropped
            for key in sorted(match.replica.greeted & match.others):
                if (key, number) not in self._pooled and match.replica.has_all(key):
                    self._pooled.add((key, number))
                    match.replica.say(key, Share(match.match, number, share))

    def on_opening(self, key: bytes, opening: Opening, _now: float) -> None:
        """Keep what this node's tiles are.

        Raises:
            PeerError: From the host: BAD_PROOF, or UNEXPECTED for another's tile.
                Anybody else may have been host in a history that was dropped.
        """
        early = self._early.setdefault(key, {})
        for proof in opening.proofs:
            try:
                if self._match.knows.take_opening(proof):
                    continue
            except PeerError:
                if key == self._match.host:
                    raise
                continue
            early.pop(proof.tile, None)
            early[proof.tile] = proof
            if len(early) > EARLY_OPENINGS:
                del early[next(iter(early))]

    def look_again(self) -> None:
        """Keep what came before the entries that it belongs to."""
        for early in self._early.values():
            for tile, proof in list(early.items()):
                try:
                    done = self._match.knows.take_opening(proof)
                except PeerError:
                    done = True  # of another history than ours
                if done:
                    del early[tile]
        for key, shares in self._early_shares.items():
            for number, share in list(shares.items()):
                try:
                    done = self._take_share(key, share)
                except PeerError:
                    done = True  # of another history than ours
                if done:
                    del shares[number]

    def on_share(self, key: bytes, share: Share, _now: float) -> None:
        """Keep a share: ours from the dealer, or a member's of a lost dealer's seed.

        Raises:
            PeerError: BAD_PROOF, from the dealer; anybody else may speak of a deal in
                a history that was dropped.
        """
        if not self._take_share(key, share):
            early = self._early_shares.setdefault(key, {})
            early.pop(share.round, None)
            early[share.round] = share
            if len(early) > EARLY_SHARES:
                del early[next(iter(early))]

    def _take_share(self, key: bytes, share: Share) -> bool:
        """Keep a share that fits; return False if its deal is not fixed here yet.

        Raises:
            PeerError: BAD_PROOF, from the dealer.
        """
        match, number = self._match, share.round
        round_ = match.fold.rounds.get(number)
        if round_ is None or round_.root is None:
            return False
        member = match.me if key == round_.dealer else key
        if member == key and not match.knows.is_share(number, key, share.share):
            return True  # of another history than ours
        news = match.knows.take_share(number, member, share.share)
        if news and member == match.me:
            self._give(number, share.share)
        return True
