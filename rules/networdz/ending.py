"""When a match ends, the count of the tiles left, and who wins.

Source document, Ending the game, Scoring, Tournament Rules.
"""

from typing import Final

from msgspec.structs import replace

from rules.game import Seat
from rules.networdz.ground import ground
from rules.networdz.values import NOBODY, Phase, State
from rules.tiles import bag_size, closed, pending

ZERO_ROUNDS: Final = 3
"""Tournament: over when all players score nothing in so many turns in a row."""

PATIENCE: Final = 6
"""The same without tournament rules, where the document has no end for players who
pass or discard for ever; twice as patient, so that nobody meets it unawares."""


def staying(state: State) -> list[Seat]:
    """Return the seats that have not resigned."""
    return [seat for seat in range(len(state.scores)) if seat not in state.resigned]


def after_turn(state: State, seat: Seat) -> State:
    """Return the state with the turn passed on, or with the match ended.

    Args:
        state: With everything that the turn changed.
        seat: Whose turn it was.
    """
    rounds = ZERO_ROUNDS if state.options.tournament else PATIENCE
    players = staying(state)
    empty = bag_size(state.tiles) == 0
    if empty and seat in players and not state.tiles.racks[seat]:
        return settled(replace(state, phase=Phase.TALLY, out=seat))
    passed = empty and state.passes >= len(players)
    if passed or state.zeros >= rounds * len(players):
        return settled(replace(state, phase=Phase.TALLY))
    return replace(state, turn=following(state, seat))


def following(state: State, seat: Seat) -> Seat:
    """Return the next seat in turn order that has not resigned."""
    players = staying(state)
    return next((each for each in players if each > seat), players[0])


def settled(state: State) -> State:
    """Return the state with the tiles left counted, once all racks are public.

    Each loses the value of the tiles left, who went out gains the sum of all others';
    the American way of tournaments who went out gains it twice and nobody loses any.
    """
    players = staying(state)
    if pending(state.tiles) is not None or closed(state.tiles, players) is not None:
        return state
    points = ground(state.options).points
    left = [
        sum(points[kind] for kind in kinds) if seat in players else 0
        for seat, kinds in enumerate(state.tiles.kinds)
    ]
    tally = [-value for value in left]
    if state.out != NOBODY:
        if state.options.american:
            tally = [0] * len(left)
        tally[state.out] = sum(left) * (2 if state.options.american else 1)
    return replace(
        state,
        phase=Phase.OVER,
        scores=tuple(map(sum, zip(state.scores, tally, strict=True))),
        tally=tuple(tally),
    )


def places(state: State) -> tuple[int, ...]:
    """Return each seat's place, 1 for first.

    A tie goes to the higher score before the tiles left were counted; who resigned
    comes behind all who stayed.
    """
    tally = state.tally or (0,) * len(state.scores)
    worth = [
        (0, 0, 0) if seat in state.resigned else (1, score, score - change)
        for seat, (score, change) in enumerate(zip(state.scores, tally, strict=True))
    ]
    return tuple(1 + sum(other > own for other in worth) for own in worth)
