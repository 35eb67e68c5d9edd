"""The languages other than English: their letters, their words, where they are from."""

import gzip
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from tools.words.chosen import Chosen
from tools.words.folding import plain
from tools.words.hunspell import expand, read_rules, read_words

ENCLITIC: Final = tuple(map(chr, range(0x80, 0x180)))
"""Spanish flags for verbs with pronouns behind them (dámelo): too many to play with."""

SYMBOL: Final = "--"
"""The French flag of what is no word to suggest: signs of units and the like."""


class Language(NamedTuple):
    """What makes the word list of a language."""

    letters: tuple[str, ...]
    """The tiles in the order of its edition; words are spelled with them."""

    vowels: str
    """A word without any of these is an abbreviation; "" where none are listed."""

    source: Callable[[Path], Iterable[str]]
    """From the folder of all packages' data to words as they are written."""

    keep: str = ""
    """Accented letters that are tiles of their own."""

    folds: Mapping[int, int] = {}
    """Letter -> the letter that its tile counts as."""


def french(sources: Path) -> Iterator[str]:
    """Yield the words of hunspell-fr-comprehensive that are not names."""
    return _hunspell(sources / "hunspell" / "fr", hidden=SYMBOL)


def german(sources: Path) -> Iterator[str]:
    """Yield the words of tanglet-data's German list, nouns in lower case too.

    A line has a word in capitals, then its spellings where they differ from that
    word in small letters.
    """
    packed = (sources / "tanglet" / "gamedata" / "de" / "words").read_bytes()
    for line in gzip.decompress(packed).decode().splitlines():
        capitals, *spellings = line.split()
        yield from (word.lower() for word in spellings or [capitals])


def spanish(sources: Path) -> Iterator[str]:
    """Yield the words of hunspell-es that are not names, verbs without pronouns."""
    return _hunspell(sources / "hunspell" / "es_ES", without=ENCLITIC)


def russian(sources: Path) -> Iterator[str]:
    """Yield the words of hunspell-ru that are not names."""
    return _hunspell(sources / "hunspell" / "ru_RU")


def _hunspell(
    path: Path, *, without: Iterable[str] = (), hidden: str = ""
) -> Iterator[str]:
    """Yield the lower-case words of a dictionary.

    Args:
        path: Its two files without their endings.
        without: Flags of affixes to leave out.
        hidden: The flag of entries to leave out.
    """
    rules = read_rules(path.with_suffix(".aff"), frozenset(without))
    entries = read_words(path.with_suffix(".dic"), rules)
    chosen = (entry for entry in entries if hidden not in entry.flags)
    return (word for word in expand(rules, chosen) if word.islower())


_LATIN: Final = "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z"
_GERMAN: Final = "A Ä B C D E F G H I J K L M N O Ö P Q R S T U Ü V W X Y Z"
_SPANISH: Final = "A B C CH D E F G H I J L LL M N Ñ O P Q R RR S T U V X Y Z"
_RUSSIAN: Final = "А Б В Г Д Е Ё Ж З И Й К Л М Н О П Р С Т У Ф Х Ц Ч Ш Щ Ъ Ы Ь Э Ю Я"

LANGUAGES: Final[Mapping[str, Language]] = {
    "french": Language(tuple(_LATIN.split()), "aeiouy", french),
    "german": Language(tuple(_GERMAN.split()), "", german, "äöü"),
    "spanish": Language(tuple(_SPANISH.split()), "aeiouy", spanish, "ñ"),
    "russian": Language(
        tuple(_RUSSIAN.split()), "аеиоуыэюя", russian, keep="й", folds={6: 5}
    ),
}
"""Name of the word list -> how to make it."""


def spelled(
    language: Language, words: Iterable[str], chosen: Chosen | None = None
) -> set[tuple[int, ...]]:
    """Return the words of 2 to 15 tiles as letters' indexes.

    Args:
        language: Whose words they are.
        words: As they are written, in lower case; those with other characters than
            the language has on tiles are left out.
        chosen: What was decided word by word.
    """
    numbers = {letter.lower(): at for at, letter in enumerate(language.letters)}
    longest_first = sorted(numbers, key=len, reverse=True)
    tile = re.compile("|".join(longest_first))
    whole = re.compile(f"(?:{tile.pattern})+")

    def on_tiles(folded: str) -> tuple[int, ...]:
        return tuple(numbers[letter] for letter in tile.findall(folded))

    found: set[tuple[int, ...]] = set()
    for word in words:
        folded = plain(word, language.keep)
        short = language.vowels and set(language.vowels).isdisjoint(folded)
        if whole.fullmatch(folded) and not short:
            found.add(on_tiles(folded))
    found = {word for word in found if 2 <= len(word) <= 15}
    if chosen is None:
        return found
    kept = {word for word in found if len(word) > 2} - set(map(on_tiles, chosen.less))
    return kept | set(map(on_tiles, chosen.two | chosen.more))
