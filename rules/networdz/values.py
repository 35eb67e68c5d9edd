"""What a match of Networdz is made of: options, moves, the state.

And what an edition and a word list come to, worked out once and looked up after.
"""

from enum import IntEnum
from functools import lru_cache
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from rules import editions, lexicon
from rules.editions import BLOCKED, Edition, letter_factor, word_factor
from rules.game import OptionsError, Resign, Seat
from rules.lexicon import Lexicon
from rules.tiles import Reveal, Show, Shown, Tiles

NOBODY: Final = -1
"""In place of a seat."""

LONGEST_TURN: Final = 60
"""Minutes that a timed turn may take."""


def _shipped_edition() -> str:
    return editions.shipped()["networdz"]


def _shipped_lexicon() -> str:
    return lexicon.shipped()["english"]


class Options(Struct, frozen=True, array_like=True):
    """The rules dialog of the source document, the edition and the word list."""

    edition: str = field(default_factory=_shipped_edition)
    """Digest of the edition."""

    lexicon: str = field(default_factory=_shipped_lexicon)
    """Digest of the word list; its alphabet is the edition's."""

    hints: bool = False
    """Players may ask the computer for a hint."""

    show_racks: bool = False
    """Each rack lies face up during its player's turn."""

    trade_blanks: bool = False
    """A tile may be traded for the blank on the board that stands for its letter."""

    four_of_a_kind: bool = False
    """A rack with four of a kind may be renewed without losing the turn."""

    timed: Annotated[int, Meta(ge=0, le=LONGEST_TURN)] = 0
    """Minutes a turn; 0 for as long as one likes."""

    tournament: bool = False
    """The document's tournament rules."""

    american: bool = False
    """Tournament rules the American way: who goes out gains twice the others' tiles."""

    unseen: bool = True
    """Players may look at a list of the tiles they cannot see; never in tournaments."""

    challenge: Literal["none", "single", "double", "five"] = "none"
    """Words are taken unchecked, and the next player may challenge them; what that
    costs if they are good: nothing, the turn, or five points for who laid them."""

    @property
    def counted(self) -> bool:
        """Whether the program counts the unseen tiles for players."""
        return self.unseen and not self.tournament


class Laid(Struct, frozen=True, array_like=True):
    """A tile laid on the board."""

    cell: int
    """Row times the board's width, plus column."""

    tile: int
    letter: int
    """What it stands for: its own kind, or a blank's letter."""


class Lay(Struct, frozen=True, array_like=True, tag="lay"):
    """Lay a word; `rules.networdz.lay` makes one of tiles in any order."""

    laid: tuple[Laid, ...]
    """Ascending by cell."""

    shown: tuple[Shown, ...]
    """The kinds of the tiles laid, in the same order."""


class Pass(Struct, frozen=True, array_like=True, tag="pass"):
    """Lay nothing, and discard tiles for new ones if you like."""

    discards: tuple[int, ...] = ()
    """Tile numbers, ascending."""


class Renew(Struct, frozen=True, array_like=True, tag="renew"):
    """Exchange four of a kind: discard the whole rack and keep the turn."""

    shown: tuple[Shown, ...]
    """The four tiles, ascending by number."""


class Trade(Struct, frozen=True, array_like=True, tag="trade"):
    """Put a tile in place of a blank on the board and take the blank."""

    cell: int
    shown: tuple[Shown, ...]
    """The one tile from the rack."""


class Accept(Struct, frozen=True, array_like=True, tag="accept"):
    """Let the last play stand, and go on with one's own turn."""


class Challenge(Struct, frozen=True, array_like=True, tag="challenge"):
    """Doubt the last play: the dictionary decides."""


class Draw(Struct, frozen=True, array_like=True, tag="draw"):
    """CHANCE: a seat draws a tile to see who starts; it goes back afterwards."""

    seat: Seat
    kind: int


class Expire(Struct, frozen=True, array_like=True, tag="expire"):
    """CLOCK: the minutes of a timed turn are over."""


class Overtime(Struct, frozen=True, array_like=True, tag="overtime"):
    """CLOCK: a seat goes over its 25 minutes, or over another minute."""

    seat: Seat


Move: TypeAlias = (
    Lay
    | Pass
    | Renew
    | Trade
    | Accept
    | Challenge
    | Draw
    | Reveal
    | Show
    | Expire
    | Overtime
    | Resign
)


class Phase(IntEnum):
    """What the match is at."""

    DRAW = 0
    """Drawing for the start."""

    PLAY = 1
    TALLY = 2
    """The last turn is over; the racks are being shown."""

    OVER = 3


class Line(Struct, frozen=True, array_like=True):
    """A line of a player's word list."""

    word: str
    """The word, "+" before a further one, "++" for the bingo, "-" for no word,
    "+!" for what others pay for a challenge in vain."""

    points: int


class Last(Struct, frozen=True, array_like=True):
    """What the last turn was, to be shown to all."""

    seat: Seat = NOBODY
    cells: tuple[int, ...] = ()
    """Where tiles were laid."""

    points: int = 0
    discards: int = 0
    error: str = ""
    """Why the turn was lost, if it was."""


class Pending(Struct, frozen=True, array_like=True):
    """A play that may be challenged: it lies there and counts, but draws no tiles."""

    seat: Seat
    laid: tuple[Laid, ...]
    shown: tuple[Shown, ...]
    points: int


class State(Struct, frozen=True, array_like=True):
    """A match, or what one seat knows of it."""

    options: Options
    phase: Phase
    turn: Seat
    """Whose turn it is; `NOBODY` until the start is drawn."""

    tiles: Tiles
    letters: bytes
    """For each cell 0, or one more than the letter lying there."""

    kinds: bytes
    """For each cell 0, or one more than the kind of the tile lying there."""

    scores: tuple[int, ...]
    """Everything counted so far, the tally included once the match is over."""

    lists: tuple[tuple[Line, ...], ...]
    """Each seat's word list."""

    blanks: tuple[tuple[int, int], ...] = ()
    """Cell and tile number of every blank on the board, by cell."""

    draws: tuple[Draw, ...] = ()
    """The tiles drawn for the start, all rounds."""

    resigned: tuple[Seat, ...] = ()
    """In the order in which they left."""

    passes: int = 0
    """Turns in a row that were passed or ran out of time."""

    zeros: int = 0
    """Turns in a row without points."""

    out: Seat = NOBODY
    """Who has played all tiles."""

    tally: tuple[int, ...] = ()
    """What the tiles left at the end changed in each score."""

    last: Last = Last()
    pending: Pending | None = None
    """The play that the seat on turn may challenge, if any."""


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
