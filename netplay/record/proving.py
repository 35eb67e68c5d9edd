"""Tiles that a move or a Face makes public, and the proofs of what they are."""

from collections.abc import Callable, Sequence
from typing import Any

from netplay.errors import Code, PeerError
from netplay.messages.log import Proof
from netplay.record.rounds import Rounds
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
