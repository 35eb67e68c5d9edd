"""Scores that count up: to what a move has made of them, and at the end from nothing.

Only what is drawn counts; the scores themselves are what the game says they are.
"""

from typing import Final

from msgspec.structs import replace

from client import motion
from client.model import Model
from client.motion import Counting

LENGTH: Final = 0.7
"""Seconds that it takes at the usual pace."""


def begun(model: Model, before: tuple[str, ...], after: tuple[str, ...]) -> Model:
    """Return the model with scores that count from what they were, if they move."""
    if before == after or not model.settings.pace:
        return model
    return replace(model, counting=Counting(before, model.now))


def ended(model: Model) -> Model:
    """Return the model with all scores as they are: somebody will not wait."""
    still = model.counting.since == motion.NEVER
    return model if still else replace(model, counting=Counting())


def goes_on(model: Model) -> bool:
    """Tell whether scores are on their way."""
    return _done(model) < 1


def _done(model: Model) -> float:
    """Return how much of the way is done, 0 to 1."""
    since, pace, match = model.counting.since, model.settings.pace, model.match
    if since == motion.NEVER or not pace or match is None or match.back >= 0:
        return 1.0
    seconds = (model.now - since) * motion.USUAL / pace
    return motion.part(seconds, 0.0, LENGTH)


def shown(model: Model, seat: int, score: str) -> str:
    """Return the score that is drawn of a seat just now."""
    start, done = model.counting.start, _done(model)
    if done == 1 or seat >= len(start):
        return score
    try:
        first, last = int(start[seat]), int(score)
    except ValueError:  # a game without scores, or with other ones
        return score
    return str(first + round((last - first) * done))


def widest(model: Model, seat: int, score: str) -> str:
    """Return the longer of a score and what it counts from: both must have room."""
    start = model.counting.start
    if not goes_on(model) or seat >= len(start):
        return score
    return max(score, start[seat], key=len)
