"""The best play, without looking at most of the others.

Windows are tried in the order of what they could score at most; as soon as the best
play found beats the bound of the next window, no later one can be better.
"""

from collections.abc import Callable

from netplay.players.words.plays import Finder, Play


def best_play(
    finder: Finder,
    keep: Callable[[Play], float] | None = None,
    most: float = 0,
) -> Play | None:
    """Return a play of the highest worth, or None if there is none.

    Args:
        finder: Looks for plays in the position.
        keep: What the tiles that a play leaves on the rack are worth, in points;
            None to go by the score alone.
        most: No leave is worth more.
    """
    rack = finder.rack
    ordered = sorted(
        (
            (window.bound + (rack.bonus if window.tiles == rack.size else 0), window)
            for window in finder.windows()
        ),
        key=lambda pair: -pair[0],
    )
    best: Play | None = None
    worth = float("-inf")
    for bound, window in ordered:
        if bound + most <= worth:
            break
        for play in finder.fill(window):
            value = play.score + (keep(play) if keep else 0)
            if value > worth:
                best, worth = play, value
    return best
