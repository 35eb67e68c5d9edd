"""The points of a match as it stands, whatever the game."""

from typing import Any

from rules import GAMES


def scores(game: str, state: Any) -> tuple[int, ...]:  # noqa: ANN401 (any game's)
    """Return each seat's points; a game without points gives 1 to who comes first.

    Args:
        game: A key of `GAMES`.
        state: A state of it.
    """
    module: Any = GAMES[game]
    if hasattr(state, "scores"):
        return tuple(state.scores)
    if hasattr(state, "wells"):
        return tuple(well.score for well in state.wells)
    if hasattr(module, "scores"):
        return tuple(module.scores(state))
    places = module.places(state)
    return tuple(int(place == 1 and max(places) > 1) for place in places)


def moves_made(state: Any, moves: int) -> int:  # noqa: ANN401 (any game's)
    """Return how many moves players have made: of falling pieces, those that landed.

    Args:
        state: A state of a game.
        moves: Turns in the log.
    """
    if not hasattr(state, "wells"):
        return moves
    return sum(well.pieces - bool(well.piece) for well in state.wells)
