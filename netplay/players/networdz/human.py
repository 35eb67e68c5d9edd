"""Playing like people: words they know, plays they see, and what they make of them."""

from collections.abc import Callable, Iterator
from typing import Final

from netplay.players import Rng
from netplay.players.networdz.seen import Seen
from netplay.players.words.crossing import made
from netplay.players.words.plays import Finder, Play
from netplay.players.words.vocabulary import vocabulary

EXCHANGING: Final = 70
"""From this skill on, a player exchanges tiles though it could lay a word."""

LEAVING: Final = 40
"""From this skill on, a player thinks of what it keeps, the more the higher."""

BLIND: Final = 0.15
"""Of plays with four tiles, how many a beginner sees."""

USUAL: Final = 4
"""Tiles of a play that is neither easy nor hard to see."""

VAGUE: Final = 10.0
"""Points by which a beginner's guess of a play's worth is wrong."""


def pick(
    seen: Seen, skill: int, rng: Rng, late: Callable[[], bool]
) -> tuple[Play | None, float]:
    """Return the play that looks best to somebody of a skill, and what it is worth.

    Args:
        seen: The position.
        skill: 0-99.
        rng: Decides what is overlooked and misjudged.
        late: Says that the time is up: what was not looked at by then is overlooked.
    """
    share = skill / 100
    weight = max(0.0, (skill - LEAVING) / (100 - LEAVING))
    knows = vocabulary(seen.view.options.lexicon, skill)
    chances = _chances(share, seen.rack.size)
    noticed: dict[bytes, bool] = {}
    guesses: list[tuple[float, int, Play]] = []
    for play in _plays(seen.finder, late):
        word = play.word
        if word not in noticed:
            noticed[word] = rng.random() < chances[play.window.tiles]
        if noticed[word]:
            value = play.score + (weight * seen.keep.worth(play) if weight else 0.0)
            guess = value + rng.gauss(0.0, VAGUE * (1 - share))
            guesses.append((guess, len(guesses), play))
    guesses.sort(reverse=True)
    for guess, _, play in guesses:
        if knows is None or all(map(knows, made(seen.board, play))):
            return play, guess
    return None, 0.0


def _plays(finder: Finder, late: Callable[[], bool]) -> Iterator[Play]:
    """Yield plays, every one if there is time."""
    found = False
    for window in finder.windows():
        some = finder.fill(window)
        yield from some
        found = found or bool(some)
        if found and late():
            return


def _chances(share: float, size: int) -> list[float]:
    """Return for each number of tiles how likely a play is seen."""
    sharp = BLIND + (1 - BLIND) * share
    return [float(sharp ** (count / USUAL)) for count in range(size + 1)]
