"""The best play, without looking at most of the others.

Windows are tried in the order of what they could score at most; as soon as the best
play found beats the bound of the next window, no later one can be better.
"""

from collections.abc import Callable

from netplay.players.words.leaves import Keep
from netplay.players.words.plays import Finder, Play


def best_play(finder: Finder, keep: Keep | None = None) -> Play | None:
    """Return a play of the highest worth, or None if there is none.

    Args:
        finder: Looks for plays in the position.
        keep: What the tiles that a play leaves on the rack are worth; None to go by
            the score alone.
    """
    return best_of(finder, keep)[0]


def best_of(
    finder: Finder, keep: Keep | None = None, late: Callable[[], bool] = lambda: False
) -> tuple[Play | None, float]:
    """Return a play of the highest worth, and what it is worth with what it leaves.

    Args:
        finder: Looks for plays in the position.
        keep: As for `best_play`.
        late: Says that the time is up; the best found so far is taken then.
    """
    rack = finder.rack
    most = keep.most if keep else [0.0] * (finder.reach.tiles + 1)
    ordered = sorted(
        [
            (
                window.bound
                + (rack.bonus if window.tiles == rack.size else 0)
                + most[window.tiles],
                window,
            )
            for window in finder.windows()
        ],
        key=lambda pair: -pair[0],
    )
    best: Play | None = None
    worth = float("-inf")
    for bound, window in ordered:
        if bound <= worth or (best is not None and late()):
            break
        for play in finder.fill(window):
            value = play.score + (keep.worth(play) if keep else 0)
            if value > worth:
                best, worth = play, value
    return best, worth
