"""The points of a match as it stands, whatever the game."""

from typing import Any

from rules.game import Game


def scores(game: Game[Any, Any], state: Any) -> tuple[int, ...]:  # noqa: ANN401 (any game's)
    """Return each seat's points; a game without points gives 1 to who comes first."""
    if game.ABOUT.scored is not None:
        return game.ABOUT.scored.scores(state)
    places = game.places(state)
    return tuple(int(place == 1 and max(places) > 1) for place in places)


def moves_made(game: Game[Any, Any], state: Any, moves: int) -> int:  # noqa: ANN401 (any game's)
    """Return how many moves players have made: of falling pieces, those that landed.

    Args:
        game: The game.
        state: A state of it.
        moves: Turns in the log.
    """
    real_time = game.ABOUT.real_time
    return moves if real_time is None else real_time.landed(state)
