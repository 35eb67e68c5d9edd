"""Tiles that a move or a Face makes public, and the proofs of what they are."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from netplay.bag.group import Point
from netplay.bag.lift import Author, Share, check_key, check_lift
from netplay.errors import Code, PeerError
from netplay.messages.log import Proof
from netplay.record.chance import Rounds
from rules.game import Game
from rules.tiles import UNKNOWN, Shown, kind_of


def unproved(game: Game[Any, Any], state: Any, move: Any) -> list[Shown]:  # noqa: ANN401 (any game's)
    """Return which of the tiles that a move shows need a proof."""
    tiled = game.ABOUT.tiled
    if tiled is None:
        return []
    tiles = tiled.tiles(state)
    return [s for s in tiled.shown(move) if kind_of(tiles, s.tile) == UNKNOWN]


def check_shown(
    check: Callable[[Proof], None], shown: Sequence[Shown], proofs: Sequence[Proof]
) -> None:
    """Check a proof for every tile that a move shows and nobody knew.

    Args:
        check: Checks one.
        shown: The tiles.
        proofs: Said to be theirs.

    Raises:
        PeerError: BAD_PROOF.
    """
    kinds = {each.tile: each.kind for each in shown}
    if [proof.tile for proof in proofs] != [each.tile for each in shown]:
        raise PeerError(Code.BAD_PROOF, "not one for each tile shown")
    for proof in proofs:
        if proof.kind != kinds[proof.tile]:
            raise PeerError(Code.BAD_PROOF, f"tile {proof.tile}")
        check(proof)


def check_proof(rounds: Rounds, proof: Proof) -> None:
    """Check that a tile is what a proof says.

    Raises:
        PeerError: BAD_PROOF, also while the tile's deal is not fixed.
    """
    round_ = rounds.deal_of(proof.tile)
    deal = None if round_ is None else round_.deal
    if deal is None:
        raise PeerError(Code.BAD_PROOF, f"tile {proof.tile} is in no bag")
    deal.check(proof)


# Proofs of an encrypted bag that were checked already, and need not be once more.
#
# A log is folded again when its end is replaced, and when a node starts anew; to check
# all of its proofs again would take longer than all the rest.


class Proved:
    """What is known to hold of one match, besides the mixings."""

    def __init__(self) -> None:
        """Know nothing."""
        self._known: Final[set[object]] = set()
        self.trusting = False
        """Whether all that comes now was checked before."""

    def key(self, author: Author, mask: Point, spare: Point, proof: bytes) -> None:
        """Check that an author knows its keys; see `check_key`.

        Raises:
            BagError: It does not.
        """
        mark = author, mask, spare, proof
        if not self.trusting and mark not in self._known:
            check_key(author, mask, spare, proof)
        self._known.add(mark)

    def lift(
        self, author: Author, mask: Point, shares: Sequence[Share], proof: bytes
    ) -> None:
        """Check what an author takes off tiles; see `check_lift`.

        Raises:
            BagError: It is not its mask's part.
        """
        mark = author, mask, tuple(shares), proof
        if not self.trusting and mark not in self._known:
            check_lift(author, mask, shares, proof)
        self._known.add(mark)

    def note(self, author: Author, mask: Point, *what: object) -> None:
        """Note a proof that was made here: of a key, or of shares."""
        self._known.add((author, mask, *what))
