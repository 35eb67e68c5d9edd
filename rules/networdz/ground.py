"""What an edition and a word list come to, worked out once and looked up after."""

from functools import lru_cache
from typing import Final

from rules import editions, lexicon
from rules.editions import BLOCKED, Edition, letter_factor, word_factor
from rules.game import OptionsError
from rules.lexicon import Lexicon
from rules.networdz.values import Options

_KEPT: Final = 8
"""Grounds kept: more than a node plays at a time, few enough to forget."""


class Ground:
    """The board without tiles, the tiles' points and the words."""

    def __init__(self, edition: Edition, words: Lexicon) -> None:
        """Work the tables out.

        Args:
            edition: Tiles and board.
            words: A word list over the edition's alphabet.
        """
        squares = [square for row in edition.board for square in row]
        self.edition: Final = edition
        self.words: Final = words
        self.width: Final = edition.width
        self.height: Final = edition.height
        self.size: Final = len(squares)
        self.start: Final = edition.start[0] * edition.width + edition.start[1]
        self.letter_factor: Final = tuple(map(letter_factor, squares))
        self.word_factor: Final = tuple(map(word_factor, squares))
        self.blocked: Final = tuple(square == BLOCKED for square in squares)
        self.points: Final = tuple(kind.points for kind in edition.kinds)
        self.blank: Final = edition.blank
        self.alphabet: Final = edition.alphabet
        self.free: Final = tuple(
            letter for letter in range(edition.blank) if letter not in words.folds
        )
        """The letters a blank may stand for."""

        self.standing: Final = tuple(
            tuple(kind for kind in range(self.blank) if self.counted(kind) == letter)
            for letter in range(self.blank)
        )
        """For each letter of a word, the kinds of tiles that count as it."""

        self.rows: Final = tuple(
            range(row * self.width, (row + 1) * self.width)
            for row in range(self.height)
        )
        self.columns: Final = tuple(
            range(column, self.size, self.width) for column in range(self.width)
        )

    def counted(self, kind: int) -> int:
        """Return the letter a kind of tile counts as in words, as Ё does as Е."""
        return self.words.folds.get(kind, kind)

    def row(self, cell: int) -> range:
        """Return the cells of the row that a cell is in."""
        return self.rows[cell // self.width]

    def column(self, cell: int) -> range:
        """Return the cells of the column that a cell is in."""
        return self.columns[cell % self.width]

    def spell(self, word: tuple[int, ...]) -> str:
        """Return the word as players read it."""
        return "".join(self.alphabet[letter] for letter in word)


def ground(options: Options) -> Ground:
    """Return the ground that a match is played on.

    Raises:
        OptionsError: Edition or word list are unknown, or do not fit each other.
    """
    return _ground(options.edition, options.lexicon)


@lru_cache(maxsize=_KEPT)
def _ground(edition_digest: str, lexicon_digest: str) -> Ground:
    """Return the ground of two digests; what a digest names never changes."""
    try:
        edition = editions.find(edition_digest)
        words = lexicon.find(lexicon_digest)
    except LookupError as error:
        raise OptionsError("The edition or the dictionary is not here") from error
    if words.alphabet != edition.alphabet:
        raise OptionsError("The dictionary has other letters than the edition")
    return Ground(edition, words)
