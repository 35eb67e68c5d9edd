"""Words that the player has missed, asked for by their letters until known.

The review finds them: the word of the better play, where that was not the one made.
They are kept with the settings of the window.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from client.app.settings import Missed, Settings
from netplay.messages.table_questions import Appraisal
from rules import lexicon, wordlists

LATER: Final = 3
"""Days until a word that was found once is asked for again."""

TIMES: Final = 2
"""A word found so often, each on another day, is known."""

KEPT: Final = 300
"""Words that are kept, the latest."""


def with_missed(own: Settings, before: Any, found: Appraisal, day: int) -> Settings:  # noqa: ANN401 (its state)
    """Return the settings with the word that was missed in a turn, if there was one.

    Args:
        own: The settings.
        before: What the player knew before the turn, in a game with word lists.
        found: What is known of the turn.
        day: Today.
    """
    if found.at_sight or found.grade == "none" or not found.best:
        return own
    best = found.best[0]
    made = {line.partition(":")[0] for line in found.played.sums}
    word = best.sums[0].partition(":")[0] if best.sums else ""
    if not word or word in made or best.chance <= found.played.chance:
        return own  # another square, or an exchange, would have been better
    words: str = before.options.lexicon
    if any((each.words, each.word) == (words, word) for each in own.missed):
        return own
    fresh = Missed(words, word, day)
    return replace(own, missed=(*own.missed, fresh)[-KEPT:])


def due(own: Settings, day: int) -> list[Missed]:
    """Return the words that are asked for today, of those lists that are here."""
    return [
        each
        for each in own.missed
        if each.due <= day and _tiles(each, each.word) is not None
    ]


def letters(missed: Missed) -> str:
    """Return what the word is spelled with, in the order of the alphabet."""
    tiles = _tiles(missed, missed.word) or ()
    alphabet = lexicon.find(missed.words).alphabet
    return " ".join(alphabet[each] for each in sorted(tiles))


def is_right(missed: Missed, typed: str) -> bool:
    """Tell whether what was typed is the word, or another of the same letters."""
    tiles, wanted = _tiles(missed, typed.strip()), _tiles(missed, missed.word)
    if tiles is None or wanted is None or sorted(tiles) != sorted(wanted):
        return False
    return lexicon.find(missed.words).has(tiles)


def _tiles(missed: Missed, text: str) -> Sequence[int] | None:
    """Return the letters of a text; None if it has others, or the list is not here."""
    try:
        words = lexicon.find(missed.words)
        return wordlists.split(words.alphabet, text, words.folds)
    except (LookupError, lexicon.LexiconError):
        return None


def with_result(own: Settings, missed: Missed, day: int, *, found: bool) -> Settings:
    """Return the settings after a word was found, or not: it comes again tomorrow."""
    times = missed.found + found
    fresh = replace(missed, found=times, due=day + (LATER if found else 1))
    kept = [fresh if each == missed else each for each in own.missed]
    return replace(own, missed=tuple(each for each in kept if each.found < TIMES))
