"""Count the ways a game can go, to compare with counts found in another way.

The count of leaves at a depth ("perft", from chess programming) finds mistakes in
the listing and playing of moves that nothing else finds.
"""

from typing import Any, Protocol, runtime_checkable

from rules.game import CHANCE, Game, Seat


@runtime_checkable
class Passing(Protocol):
    """A state of a game in which who cannot move passes without a move of its own."""

    @property
    def passed(self) -> tuple[Seat, ...]:
        """The seats that had no move between the last one and this turn."""
        ...


def settled(game: Game[Any, Any], state: Any) -> Any:  # noqa: ANN401 (any game's)
    """Return the state in which players begin: chance does the first it may."""
    while CHANCE in game.actors(state):
        state = game.play(state, CHANCE, next(game.moves(state, CHANCE)))
    return state


def perft(game: Game[Any, Any], state: Any, depth: int) -> int:  # noqa: ANN401
    """Return the number of different sequences of `depth` plies.

    A forced pass is a ply; a match that has ended earlier has no leaf.

    Args:
        game: Whose rules are to be counted.
        state: Where to start; of all who may move, each one's moves are counted.
        depth: Plies; 0 counts the state itself.
    """
    if depth <= 0:
        return 1
    leaves = 0
    for actor in sorted(game.actors(state)):
        if depth == 1:
            leaves += sum(1 for _ in game.moves(state, actor))
            continue
        for move in game.moves(state, actor):
            after = game.play(state, actor, move)
            passes = len(after.passed) if isinstance(after, Passing) else 0
            leaves += perft(game, after, depth - 1 - passes)
    return leaves
