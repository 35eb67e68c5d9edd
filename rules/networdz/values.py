"""What a match of Networdz is made of: options, moves, the state."""

from enum import IntEnum
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct, field

from rules import editions, lexicon
from rules.game import Resign, Seat
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
    Lay | Pass | Renew | Trade | Draw | Reveal | Show | Expire | Overtime | Resign
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
    """The word, "+" before a further one, "++" for the bingo, "-" for no word."""

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
