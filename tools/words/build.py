"""Make the word lists in rules/words: python -m tools.words.build [NAME...].

It needs Debian 12's packages scowl, hunspell-fr-comprehensive, tanglet-data,
hunspell-es and hunspell-ru, and makes the same bytes from the same packages.
"""

import sys
from pathlib import Path
from typing import Final

from rules.lexicon import Lexicon, build, pack_tiers, read
from tools.words import english
from tools.words.chosen import CHOSEN
from tools.words.languages import LANGUAGES, spelled

SOURCES: Final = Path("/usr/share")
"""Where Debian's packages put their data."""

TARGET: Final = Path(__file__).parents[2] / "rules" / "words"


def make(name: str, sources: Path, target: Path) -> Lexicon:
    """Write the word list of a language, and return it.

    Args:
        name: "english", or one of LANGUAGES.
        sources: The folder of all packages' data.
        target: The folder to write to.
    """
    if name == "english":
        return _make_english(sources, target)
    language = LANGUAGES[name]
    words = spelled(language, language.source(sources), CHOSEN[name])
    return _write(target, name, build(language.letters, words, language.folds))


def _make_english(sources: Path, target: Path) -> Lexicon:
    """Write the English word list, and beside it how common each word is."""
    sizes = {
        tuple(letter - ord("a") for letter in word.encode()): size
        for word, size in english.sizes(sources / "dict" / "scowl").items()
    }
    lexicon = _write(target, "english", build(english.LETTERS, sizes))
    packed = pack_tiers(lexicon, [sizes[word] for word in lexicon.words()])
    _replace(target / "english.tiers", packed)
    return lexicon


def _write(target: Path, name: str, data: bytes) -> Lexicon:
    """Write a graph and return it, checked."""
    lexicon = read(data)
    _replace(target / f"{name}.graph", data)
    return lexicon


def _replace(place: Path, data: bytes) -> None:
    """Write a file and put it in the old one's place.

    Programs that run have the old file mapped: changed where it lies, it would end
    them with a bus error; renamed over, it stays theirs until they end.
    """
    fresh = place.with_name(f"{place.name}.new")
    fresh.write_bytes(data)
    fresh.replace(place)


def main(names: list[str]) -> None:
    """Make the word lists of these names, or all, and print what came out."""
    for name in names or ["english", *LANGUAGES]:
        lexicon = make(name, SOURCES, TARGET)
        short = sum(len(word) <= 12 for word in lexicon.words())
        size = len(lexicon.data)
        print(f"{name}: {short} words of 2-12, {lexicon.count} of 2-15, {size} bytes")
        print(f"  {lexicon.digest}")


if __name__ == "__main__":
    main(sys.argv[1:])
