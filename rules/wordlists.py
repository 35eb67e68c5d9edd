"""Words as people write them: reading, listing and changing a lexicon.

A word is typed or stood in a file as text; rules know it as letters' indexes into an
alphabet whose letters may be two characters long (CH, LL, RR).  The text format is
that of the source document, Import dictionary: a word a line, in order, nothing else.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from rules.lexicon import Lexicon, LexiconError, Word, build
from rules.sentence import sentence

SHORTEST: Final = 2
LONGEST: Final = 12
"""Letters of a word; source document, Import dictionary.  Editions may allow more."""

_NO_FOLDS: Final[Mapping[int, int]] = MappingProxyType({})
_SHOWN: Final = 40
"""Characters of a faulty word that a message repeats."""

_LIGATURES: Final = str.maketrans({"Œ": "OE", "Æ": "AE"})

MANY: Final = 10_000
"""Characters: a word of more is too long by these alone, whatever its tiles are called,
and is not taken apart, which would take seconds."""


class LineError(LexiconError):
    """A line of a word list in text is wrong; the message names it."""

    def __init__(self, line: int, why: str) -> None:
        """Name the line, counted from 1, and what is wrong with it."""
        super().__init__("line {number}: {why}", number=line, why=why)
        self.line: Final = line


def split(
    alphabet: Sequence[str], text: str, folds: Mapping[int, int] = _NO_FOLDS
) -> Word:
    """Return the letters of a word, the longest tile first at every place.

    Capital or small is the same.  An accent that no letter of the alphabet has is
    dropped, so that a French word may be typed as it is written.

    Args:
        alphabet: The letters, such as those of an edition or a lexicon.
        text: One word.
        folds: Letter -> the letter it counts as: `Lexicon.folds`.

    Raises:
        LexiconError: Some character is on no tile.
    """
    tokens = _tokens(tuple(alphabet))
    written = unicodedata.normalize("NFC", text).upper()
    if not tokens.signs.issuperset(written):
        written = "".join(bare(sign, tokens.signs) for sign in written)
    letters: list[int] = []
    for found in tokens.pattern.findall(written):
        letter = tokens.numbers.get(found)
        if letter is None:
            shown = text[:_SHOWN]
            raise LexiconError(
                "'{word}' has '{sign}', which is on no tile", word=shown, sign=found
            )
        letters.append(folds.get(letter, letter))
    return tuple(letters)


def bare(sign: str, signs: AbstractSet[str]) -> str:
    """Return a capital without the accents that no tile has.

    Œ and Æ fall apart into the two letters that tiles have.

    Args:
        sign: One character.
        signs: The characters on tiles.
    """
    if sign in signs:
        return sign
    apart = unicodedata.normalize("NFD", sign.translate(_LIGATURES))
    return "".join(mark for mark in apart if not unicodedata.combining(mark))


def spell(alphabet: Sequence[str], word: Sequence[int]) -> str:
    """Return a word as people read it."""
    return "".join(alphabet[letter] for letter in word)


def order(alphabet: Sequence[str]) -> Callable[[Word], tuple[int, ...]]:
    """Return the key that sorts words as a word list in text has them.

    Tiles of more than one letter come before all others, the rest follow in the order
    of their character codes, accented ones thus after Z (source document, Import
    dictionary).
    """
    numbers = range(len(alphabet))
    listed = sorted(numbers, key=lambda at: (len(alphabet[at]) == 1, alphabet[at]))
    ranks = [listed.index(letter) for letter in numbers]
    return lambda word: tuple(ranks[letter] for letter in word)


def import_text(
    alphabet: Sequence[str],
    text: str,
    longest: int = LONGEST,
    folds: Mapping[int, int] = _NO_FOLDS,
) -> list[Word]:
    """Return the words of a word list in text, to be given to `rules.lexicon.build`.

    Args:
        alphabet: The letters.
        text: A word on each line and no empty line, in the order of `order`.
        longest: The most letters a word may have.
        folds: Letter -> the letter it counts as.

    Raises:
        LineError: A line is wrong; the first such line is named.
    """
    lines = text.removeprefix("\ufeff").split("\n")
    if not lines[-1]:
        lines.pop()
    key = order(alphabet)
    latest: tuple[int, ...] = ()
    words: list[Word] = []
    for number, line in enumerate(lines, 1):
        try:
            word = checked(alphabet, line.removesuffix("\r"), longest, folds)
        except LexiconError as error:
            raise LineError(number, error.words) from None
        before, latest = latest, key(word)
        if before >= latest:
            one, other = spell(alphabet, word), spell(alphabet, words[-1])
            after = sentence("{one} does not come after {other}", one=one, other=other)
            raise LineError(number, after)
        words.append(word)
    if not words:
        raise LineError(1, "there is no word")
    return words


def export_text(lexicon: Lexicon) -> str:
    """Return the word list in text, as `import_text` reads it."""
    alphabet = lexicon.alphabet
    words = sorted(lexicon.words(), key=order(alphabet))
    return "".join(f"{spell(alphabet, word)}\n" for word in words)


def add(lexicon: Lexicon, texts: Iterable[str], longest: int = LONGEST) -> bytes:
    """Return the lexicon's file with some words more.

    Args:
        lexicon: The word list; it stays as it is.
        texts: The new words.
        longest: The most letters a word may have.

    Raises:
        LexiconError: One is no word that could be laid, or is in the list already.
    """
    more: list[Word] = []
    for text in texts:
        word = checked(lexicon.alphabet, text, longest, lexicon.folds)
        if lexicon.has(word):
            raise LexiconError("{word} is in the dictionary already", word=text)
        more.append(word)
    return build(lexicon.alphabet, [*lexicon.words(), *more], lexicon.folds)


def delete(lexicon: Lexicon, texts: Iterable[str]) -> bytes:
    """Return the lexicon's file with some words less.

    Args:
        lexicon: The word list; it stays as it is.
        texts: The words to leave out.

    Raises:
        LexiconError: One is not in the list.
    """
    less: set[Word] = set()
    for text in texts:
        if not check(lexicon, text):
            raise LexiconError("{word} is not in the dictionary", word=text)
        less.add(split(lexicon.alphabet, text, lexicon.folds))
    kept = (word for word in lexicon.words() if word not in less)
    return build(lexicon.alphabet, kept, lexicon.folds)


def check(lexicon: Lexicon, text: str) -> bool:
    """Return whether a word as people write it is in the list."""
    try:
        word = split(lexicon.alphabet, text, lexicon.folds)
    except LexiconError:
        return False
    return lexicon.has(word)


def checked(
    alphabet: Sequence[str], text: str, longest: int, folds: Mapping[int, int]
) -> Word:
    """Return the letters of a word that is neither too short nor too long.

    Raises:
        LexiconError: It is, or some character is on no tile.
    """
    if not text.strip():
        raise LexiconError("there is no word")
    word = split(alphabet, text, folds) if len(text) <= MANY else ()
    if not SHORTEST <= len(word) <= longest:
        shown = text[:_SHOWN]
        raise LexiconError(
            "{word} does not have {least} to {most} letters",
            word=shown,
            least=SHORTEST,
            most=longest,
        )
    return word


class _Tokens(Struct, frozen=True):
    """How text falls into the tiles of an alphabet."""

    pattern: re.Pattern[str]
    """A tile, the longest there is; or else any one character."""

    numbers: Mapping[str, int]
    """Tile in capitals -> letter."""

    signs: frozenset[str]
    """The characters on tiles."""


@cache
def _tokens(alphabet: tuple[str, ...]) -> _Tokens:
    """Return how text falls into tiles; capital or small is the same on them."""
    numbers = {letter.upper(): number for number, letter in enumerate(alphabet)}
    longest_first = sorted(numbers, key=len, reverse=True)
    pattern = re.compile("|".join([*map(re.escape, longest_first), "."]), re.DOTALL)
    return _Tokens(pattern, MappingProxyType(numbers), frozenset("".join(numbers)))
