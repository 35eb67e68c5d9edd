"""What moves are worth: one judge for a game's computer player, its hints, its review.

Thought is counted in work (plays looked at, positions searched), never in seconds: the
same question with the same work has the same answer on every computer.
"""

from collections.abc import Sequence
from math import exp
from typing import Any, Final, NamedTuple

from netplay.players import BEST, Rng, player
from rules import GAMES
from rules.game import Seat, played_alone


class Candidate(NamedTuple):
    """A move, and what it is worth to whoever makes it."""

    move: Any
    value: float
    """In points: what it scores and what it leaves; 0 in games without points."""
    chance: float
    """To win after it, 0 to 1."""
    error: float
    """How far `chance` may be off, beside the other moves of the same position."""
    asked: bool = False
    """Judged only because it was asked for: the player would not think of it."""


class Evaluation(NamedTuple):
    """Moves of a position, the best first."""

    candidates: tuple[Candidate, ...]
    work: int
    """How much was thought."""

    def of(self, move: Any) -> Candidate | None:  # noqa: ANN401 (a game's own)
        """Return what is known of a move."""
        return next((each for each in self.candidates if each.move == move), None)


class Work:
    """What a thought may cost; asked now and then, it says when all is spent."""

    def __init__(self, budget: int) -> None:
        """Begin with all of it."""
        self.done = 0
        self._budget: Final = budget

    def spent(self, share: float = 1.0, steps: int = 1) -> bool:
        """Count steps, and tell whether a share of the budget is used up."""
        self.done += steps
        return self.done > share * self._budget

    def late(self, share: float = 1.0) -> bool:
        """Tell that there is time to end what was begun, whatever the share."""
        return share < 0


def logistic(ahead: float, scale: float) -> float:
    """Return the chance to win of who is ahead by some points.

    Args:
        ahead: Points, or whatever a game's judge counts in.
        scale: Lead with which 73 % of games are won.
    """
    return 1 / (1 + exp(-max(-30.0, min(30.0, ahead / scale))))


def evaluate(
    game: str,
    view: Any,  # noqa: ANN401 (a game's own)
    seat: Seat,
    rng: Rng,
    budget: int = 0,
    also: Sequence[Any] = (),
) -> Evaluation:
    """Return what the moves of a position are worth.

    Args:
        game: Its name.
        view: The state as the seat knows it.
        seat: Whose move it is.
        rng: Where chance in the judging comes from.
        budget: Work; 0 for as much as the game's review takes.
        also: Moves to judge besides those that look best.

    Raises:
        LookupError: The game is played without turns.
    """
    can = player(game).ABILITIES
    if can.evaluate is None:
        raise LookupError(game)
    found: Evaluation = can.evaluate(view, seat, budget or can.work, rng, also)
    return _alone(found, can.even) if played_alone(GAMES[game], view) else found


def _alone(found: Evaluation, even: tuple[float, float]) -> Evaluation:
    """Return what moves are worth to one who plays alone: points, whatever the lead.

    Their chances are those of a match that is even, so that a point counts as much in
    every turn.

    Args:
        found: As the game judges it.
        even: See `Abilities`.
    """
    (scale, doubt), best = even, max(each.value for each in found.candidates)
    listed = [
        each._replace(
            chance=logistic(each.value - best, scale), error=doubt / (4 * scale)
        )
        for each in found.candidates
    ]
    listed.sort(key=lambda each: -each.value)
    return found._replace(candidates=tuple(listed))


TELLING: Final = 0.5
"""Of what a move lost, how much a reason must account for to be told."""


def advised(
    game: str,
    view: Any,  # noqa: ANN401 (a game's own)
    seat: Seat,
    rng: Rng,
    budget: int = 0,
) -> Any:  # noqa: ANN401 (a game's own)
    """Return the move to make, as a review of it would say.

    Args:
        game: Its name.
        view: The state as the seat knows it.
        seat: Whose move it is.
        rng: Where chance in the judging comes from.
        budget: Work; 0 for as much as the game's review takes.

    Raises:
        LookupError: The game is played without turns.
    """
    free = player(game).ABILITIES.free
    move = None if free is None else free(view, seat, BEST)
    if move is not None:
        return move
    return evaluate(game, view, seat, rng, budget).candidates[0].move
