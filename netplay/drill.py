"""Words that the player has missed, asked for by their letters until known.

The review finds them: the word of the better play, where that was not the one made.
They are kept with the settings of the window; a terminal asks for the same ones.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from netplay.catalogues import SETTINGS, wanted
from netplay.home import in_turn, is_damaged, read_json, write_whole
from netplay.messages.table_questions import Appraisal
from rules import lexicon, wordlists


class Missed(Struct, frozen=True):
    """A word that the player has missed in a game: it is asked for."""

    words: str
    """The digest of the list that has it."""
    word: str
    due: int
    """The day from which on it is asked for, as `date.toordinal` counts."""
    found: int = 0


Kept: TypeAlias = tuple[Missed, ...]
"""In the order in which they were found out."""

LATER: Final = 3
"""Days until a word that was found once is asked for again."""

TIMES: Final = 2
"""A word found so often, each on another day, is known."""

KEPT: Final = 300
"""Words that are kept, the latest."""


def with_missed(missed: Kept, before: Any, found: Appraisal, day: int) -> Kept:  # noqa: ANN401 (its state)
    """Return the words with that which was missed in a turn, if there was one.

    Args:
        missed: The words so far.
        before: What the player knew before the turn, in a game with word lists.
        found: What is known of the turn.
        day: Today.
    """
    if found.at_sight or found.grade == "none" or not found.best:
        return missed
    best = found.best[0]
    made = {line.partition(":")[0] for line in found.played.sums}
    word = best.sums[0].partition(":")[0] if best.sums else ""
    if not word or word in made or best.chance <= found.played.chance:
        return missed  # another square, or an exchange, would have been better
    words: str = before.options.lexicon
    if any((each.words, each.word) == (words, word) for each in missed):
        return missed
    return (*missed, Missed(words, word, day))[-KEPT:]


def due(missed: Kept, day: int) -> list[Missed]:
    """Return the words that are asked for today, of those lists that are here."""
    return [
        each
        for each in missed
        if each.due <= day and _tiles(each, each.word) is not None
    ]


def letters(missed: Missed) -> str:
    """Return what the word is spelled with, in the order of the alphabet."""
    tiles = _tiles(missed, missed.word) or ()
    alphabet = lexicon.find(missed.words).alphabet
    return " ".join(alphabet[each] for each in sorted(tiles))


def list_name(missed: Missed) -> str:
    """Return what the list of a word is called here; empty if it has no name now."""
    named = {**lexicon.shipped(), **lexicon.own()}
    return next((name for name, each in named.items() if each == missed.words), "")


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


def with_result(missed: Kept, asked: Missed, day: int, *, found: bool) -> Kept:
    """Return the words after one was found, or not: then it comes again tomorrow."""
    times = asked.found + found
    fresh = replace(asked, found=times, due=day + (LATER if found else 1))
    kept = [fresh if each == asked else each for each in missed]
    return tuple(each for each in kept if each.found < TIMES)


# Where they are kept: windows and terminals of a home change them at the same time.


def load(home: Path) -> Kept:
    """Return what is kept in a home; nothing if it cannot be read."""
    try:
        return msgspec.convert(read_json(home / SETTINGS)["missed"], Kept)
    except (KeyError, msgspec.ValidationError):
        return ()


def change(home: Path, made: Callable[[Kept], Kept]) -> None:
    """Change the words that are kept, and leave all else there as it is.

    Raises:
        LocalError: The disk does not take them.
    """
    place = home / SETTINGS
    with in_turn(place):
        if is_damaged(place):
            return  # the window will set it aside
        missed = load(home)
        if (changed := made(missed)) == missed:
            return
        usual = {"language": wanted(home)}  # the window's would be English
        own = {**usual, **read_json(place), "missed": changed}
        write_whole(place, msgspec.json.format(msgspec.json.encode(own)))
