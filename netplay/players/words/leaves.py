"""What tiles kept on the rack are worth for the turns to come, in points.

A table gives each tile a worth and each pair of tiles what they are worth more
together than apart.  Tables were learned by self-play (`tools/learning`); a word list
of the user's own has none, and gets one guessed from how its words are spelled.

So the best play is found without looking at most others: windows are tried in the order
of what they could score at most; as soon as the best play found beats the bound of the
next window, no later one can be better.
"""

import json
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from math import log
from typing import Final

import msgspec
from msgspec import Struct

from netplay.players.words.plays import Finder, Play
from netplay.players.words.position import Rack
from netplay.players.words.windows import Window
from netplay.players.words.wordmap import WordMap
from rules.lexicon import Lexicon, shipped

BLANK_CODE: Final = 1 << 58
"""Stands for a blank in codes of tiles; no sum of letters' codes comes near a
multiple of it by chance."""

BLANK_NAME: Final = "?"

_PARTS: Final = 1 << 20
"""Of a point: what tiles are worth is counted in these."""

_GUESSED_BLANK: Final = 22.0
_GUESSED_TWIN: Final = -2.5
"""Two tiles of one letter: about what was learned for the shipped word lists."""

_GUESSED_SCALE: Final = 2.5
_GUESSED_LENGTH: Final = 7
"""Longer words are rarely laid whole."""


class Table(Struct, frozen=True):
    """What tiles are worth; a tile is its letter, the blank one more than the last."""

    tiles: tuple[float, ...]
    pairs: tuple[tuple[float, ...], ...]
    """For tiles a <= b: `pairs[a][b]`, to be added for each pair kept."""

    def worth(self, kept: Sequence[int]) -> float:
        """Return what some tiles, ascending, are worth together."""
        value = 0.0
        for at, tile in enumerate(kept):
            row = self.pairs[tile]
            value += self.tiles[tile] + sum([row[other] for other in kept[at + 1 :]])
        return value


class Written(Struct):
    """A table as it is shipped."""

    lexicon: str
    tiles: dict[str, float]
    pairs: dict[str, float]


class Keep:
    """What a play leaves behind, for each play with one rack."""

    def __init__(
        self, rack: Rack, worth_of: Callable[[Sequence[int]], float], words: WordMap
    ) -> None:
        """Work out the worth of every part of the rack.

        Args:
            rack: The tiles to play with.
            worth_of: What some of them, ascending, are worth when they are kept;
                the blank is one more than the last letter.
            words: Knows the letters' codes.
        """
        self._codes: Final = words.codes
        tiles = sorted(letter for letter, _ in rack.tiles)
        tiles += [words.letters] * rack.blanks
        codes = (*words.codes, BLANK_CODE)
        worth: dict[int, float] = {}
        most = [float("-inf")] * (len(tiles) + 1)
        for chosen in range(1 << len(tiles)):
            kept = [tile for at, tile in enumerate(tiles) if not chosen >> at & 1]
            code = sum([codes[t] for at, t in enumerate(tiles) if chosen >> at & 1])
            laid = len(tiles) - len(kept)
            if code not in worth:
                worth[code] = worth_of(kept)
                most[laid] = max(most[laid], worth[code])
        self._worth: Final = worth
        self.most: Final = most
        """For each number of tiles laid, the most that the others can be worth."""

    def worth(self, play: Play) -> float:
        """Return what the tiles that a play leaves are worth."""
        codes, word = self._codes, play.word
        laid = sum([codes[letter] for letter in word]) - play.window.code
        for at in play.blanks:
            laid += BLANK_CODE - codes[word[at]]
        return self._worth[laid]


@cache
def _learned(digest: str) -> Written | None:
    """Return the table that was learned for a word list, if one was."""
    for name, other in shipped().items():
        file = files("netplay.players.words") / "tables" / f"{name}.json"
        if other == digest and file.is_file():
            found = msgspec.json.decode(file.read_bytes(), type=Written)
            return found if found.lexicon == digest else None
    return None


def learned(digest: str) -> bool:
    """Tell whether the table of a word list was learned, not guessed."""
    return _learned(digest) is not None


def table(lexicon: Lexicon, words: WordMap) -> Table:
    """Return what tiles are worth in a game with some words.

    Args:
        lexicon: The words.
        words: The map of the same words.
    """
    return known(lexicon) or _guessed(words)


def known(lexicon: Lexicon) -> Table | None:
    """Return what was learned of tiles in a game with some words, if it was."""
    written = _learned(lexicon.digest)
    names = (*lexicon.alphabet, BLANK_NAME)
    if written is None:
        return None
    return Table(
        tuple(_even(written.tiles.get(name, 0.0)) for name in names),
        tuple(
            tuple(_even(written.pairs.get(f"{one} {other}", 0.0)) for other in names)
            for one in names
        ),
    )


def _even(value: float) -> float:
    """Return a worth as a whole number of parts of two.

    Sums of such are exact in whatever order they are added: what is worth the same in
    Python is so in the kernel.
    """
    return round(value * _PARTS) / _PARTS


def _guessed(words: WordMap) -> Table:
    """Return a table for words of the user's own.

    A letter that many short words have is worth keeping, one that few have is not;
    two of one letter are worth less than two.
    """
    having = [1] * words.letters
    for length in range(_GUESSED_LENGTH + 1):
        for spelled in words.of(length).values():
            for letter in set(spelled):
                having[letter] += 1
    usual = sum(map(log, having)) / max(1, len(having))
    tiles = [_even(_GUESSED_SCALE * (log(count) - usual) / 2) for count in having]
    size = words.letters + 1
    return Table(
        (*tiles, _GUESSED_BLANK),
        tuple(
            tuple(_GUESSED_TWIN if one == other else 0.0 for other in range(size))
            for one in range(size)
        ),
    )


def written(
    lexicon: Lexicon, worth: Sequence[float], pairs: Sequence[Sequence[float]]
) -> str:
    """Return a table as it is shipped, for what learns one.

    Args:
        lexicon: The words it is for.
        worth: Of each tile, the blank last.
        pairs: Of each pair, the first not after the second.
    """
    names = (*lexicon.alphabet, BLANK_NAME)
    shown = {
        f"{names[one]} {names[other]}": round(pairs[one][other], 2)
        for one in range(len(names))
        for other in range(one, len(names))
        if round(pairs[one][other], 2)
    }
    found = {
        "lexicon": lexicon.digest,
        "tiles": {name: round(worth[at], 2) for at, name in enumerate(names)},
        "pairs": shown,
    }
    return json.dumps(found, ensure_ascii=False, indent=0) + "\n"


def best_play(finder: Finder) -> Play | None:
    """Return a play of the highest score, or None if there is none."""
    return best_of(finder)[0]


def best_of(
    finder: Finder, keep: Keep | None = None, late: Callable[[], bool] = lambda: False
) -> tuple[Play | None, float]:
    """Return a play of the highest worth, and what it is worth with what it leaves.

    Args:
        finder: Looks for plays in the position.
        keep: What the tiles that a play leaves on the rack are worth; None to go by
            the score alone.
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
        play, value = best_in(finder, keep, window)
        if value > worth:
            best, worth = play, value
    return best, worth


def best_in(
    finder: Finder, keep: Keep | None, window: Window
) -> tuple[Play | None, float]:
    """Return the best play in a window, None if there is none, and what it is worth.

    Of those worth the same it is the one of the first word, with the fewest blanks,
    these on the first squares.
    """
    best: Play | None = None
    worth = float("-inf")
    for play in finder.fill(window):
        value = play.score + (keep.worth(play) if keep else 0)
        if value > worth or (value == worth and best and play.word < best.word):
            best, worth = play, value
    return best, worth
