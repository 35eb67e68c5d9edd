"""When a match ends, who is asked until then, and who has won."""

from typing import Final

from rules import tiles
from rules.game import CHANCE, CLOCK, Actor, Seat
from rules.lhexicon.state import State

PASSES: Final = 2
"""A match ends when every seat has passed so often running."""

BARREN: Final = 10
"""A match ends after so many turns of every seat without a word.

The document has no such rule; without it two players who only discard never finish.
"""


def over(state: State) -> bool:
    """Say whether the match has ended.

    It ends when all letters have been drawn and a player has run out of them (source
    document, epilogue), alone as soon as the bank is used up (chapter 2, IV); when
    every seat has passed twice running, or nobody has found a word for `BARREN`
    turns each; and when all, or all but one of several, have resigned.
    """
    there = [seat for seat, gone in enumerate(state.gone) if not gone]
    if len(there) < min(2, len(state.gone)):
        return True
    if state.announced:
        return False
    if state.barren >= BARREN * len(there):
        return True
    if all(state.passes[seat] >= PASSES for seat in there):
        return True
    if tiles.bag_size(state.tiles) or state.tiles.returned:
        return False
    return len(state.gone) == 1 or any(not state.tiles.racks[seat] for seat in there)


def actors(state: State) -> frozenset[Actor]:
    """Return whom the table waits for; nobody once the match is over."""
    if over(state):
        return frozenset()
    if tiles.pending(state.tiles) is not None:
        return frozenset({CHANCE})
    seats = _asked(state)
    return frozenset((*seats, CLOCK) if state.options.timed else seats)


def _asked(state: State) -> tuple[Seat, ...]:
    word = state.announced
    open_ = word is not None and word.challenger is None
    return word.answers if word is not None and open_ else (state.turn,)


def places(state: State) -> tuple[int, ...]:
    """Return each seat's place; those who resigned come after those who stayed."""
    ranks = [
        (gone, -score) for gone, score in zip(state.gone, state.scores, strict=True)
    ]
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
