"""Every move of a match with the state before and after it.

Once a match is over and audited the states are full: every rack is known.  Before, they
are what a bystander knows.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from netplay.errors import PeerError
from netplay.record.fold import Fold
from netplay.record.full_state import Secret, Whole
from netplay.record.rounds import Round
from rules.tiles import Reveal


class Moment(NamedTuple):
    """A move and what it did."""

    number: int
    """The entry that it came with."""
    actor: int
    move: Any
    before: Any
    after: Any
    full: bool
    """Whether all racks are known in the states."""


def opened(round_: Round) -> bytes | None:
    """Return the dealer's seed of a round if the log has it."""
    return round_.secret


def moments(fold: Fold, secret: Secret = opened) -> Iterator[Moment]:
    """Yield the moves of a match, those of chance too.

    Args:
        fold: The public state, with its history.
        secret: Where dealers' seeds come from.
    """
    whole = Whole(fold, secret)
    full = _known(whole)
    start = fold.playable.start()
    state = start if full else fold.game.view(start, None)
    for past in fold.history:
        move = _filled(whole, past.move) if full else past.move
        after = fold.game.play(state, past.actor, move)
        yield Moment(past.number, past.actor, move, state, after, full)
        state = after


def _known(whole: Whole) -> bool:
    """Tell whether every tile of the history is known."""
    try:
        return whole.advance()
    except PeerError:  # the audit tells of it
        return False


def _filled(whole: Whole, move: Any) -> Any:  # noqa: ANN401 (a game's own)
    """Return a move with the kind that it revealed."""
    kind = whole.kind(move.tile) if isinstance(move, Reveal) else None
    return move if kind is None else Reveal(move.tile, kind)
