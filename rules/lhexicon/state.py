"""The values of a match of Lhexicon: options, moves and state."""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct, field

from rules import lexicon
from rules.game import Resign, Seat
from rules.tiles import Reveal, Shown, Tiles

# The tiles: which letters there are, how many of each and what they are worth.
#
# The source document's table of values is lost. What it scores CRUEL, LEVELED, CODDLE
# and PLEADED leaves little choice for their letters (E is 1, V at most 3); the other
# values are those nearest to what players of word games know, and the counts are
# chosen.


LETTERS: Final = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""The alphabet of a fitting dictionary; a letter's place is also its tile's kind."""

BLANK: Final = 26
"""The kind of a blank tile, after those of `LETTERS`."""

QU: Final = 27
"""What a blank may stand for besides a letter (source document, chapter 2, VII)."""

EMPTY: Final = -1
"""The letter of a cell without a tile."""

STANDINS: Final = (*range(len(LETTERS)), QU)
"""All that a blank may stand for."""

COUNTS: Final = (
    *(8, 2, 2, 5, 12, 2, 3, 3, 8, 1, 1, 5, 3, 6, 7, 2, 1, 6, 4, 6, 3, 2, 2, 1, 2, 1),
    2,
)
"""How many tiles there are of each kind, 100 together, the two blanks last."""

POINTS: Final = (
    *(1, 3, 4, 1, 1, 3, 2, 2, 1, 5, 4, 1, 2, 1, 1, 4, 8, 1, 1, 1, 2, 3, 3, 5, 3, 8),
    0,
)
"""What a tile of each kind scores; a blank scores nothing whatever it stands for."""

RACK: Final = 7
"""How many tiles a player holds."""

_Q: Final = LETTERS.index("Q")
_U: Final = LETTERS.index("U")


def spelling(letter: int) -> tuple[int, ...]:
    """Return the letters of the dictionary that a letter on the board spells."""
    return (_Q, _U) if letter == QU else (letter,)


def text(letter: int) -> str:
    """Return a letter as players read it: "E", or "QU" for the blank of that name."""
    return "".join(LETTERS[index] for index in spelling(letter))


OFFICIAL_MINUTES: Final = 3
"""What a turn may take in official competitions (source document, chapter 2, X)."""

LONGEST_TURN: Final = 60
"""Minutes that a timed turn may take."""


def _english() -> str:
    return lexicon.shipped()["english"]


class Options(Struct, frozen=True, array_like=True):
    """What the table agrees on before a match."""

    side: Annotated[int, Meta(ge=6, le=10)] = 9
    """Cells along one edge of the board."""

    lexicon: str = field(default_factory=_english)
    """The digest of the dictionary."""

    challenge: bool = False
    """Words are taken unchecked and may be challenged."""

    timed: Annotated[int, Meta(ge=0, le=LONGEST_TURN)] = 0
    """Minutes a turn, in competitions `OFFICIAL_MINUTES`; 0 for any time."""

    unseen: bool = True
    """Players may look at a list of the tiles they cannot see."""


class Placed(Struct, frozen=True, array_like=True):
    """A tile from the rack, where it lies and what it stands for."""

    tile: int
    cell: int

    letter: int
    """The tile's own letter; for a blank any letter, or `letters.QU`."""


class Lay(Struct, frozen=True, array_like=True, tag="lay"):
    """Lay tiles and announce the word."""

    laid: tuple[Placed, ...]
    """The new tiles in the order in which the word uses them."""

    path: tuple[int, ...]
    """All the word's cells in spelling order."""

    shown: tuple[Shown, ...]
    """What the new tiles are, in the order of `laid`."""


class Discard(Struct, frozen=True, array_like=True, tag="discard"):
    """Exchange tiles for new ones."""

    tiles: tuple[int, ...]
    """Their numbers, ascending."""


class Swap(Struct, frozen=True, array_like=True):
    """A tile from the rack for the blank on a cell."""

    tile: int
    cell: int


class PickUp(Struct, frozen=True, array_like=True, tag="pickup"):
    """Take one or both blanks off the board for the letters they stand for."""

    swaps: tuple[Swap, ...]
    """By cell, ascending."""

    shown: tuple[Shown, ...]
    """What the tiles are, in the order of `swaps`."""


class Pass(Struct, frozen=True, array_like=True, tag="pass"):
    """Do nothing this turn."""


class Accept(Struct, frozen=True, array_like=True, tag="accept"):
    """Let the announced word stand."""


class Challenge(Struct, frozen=True, array_like=True, tag="challenge"):
    """Doubt the announced word: it is withdrawn, or the dictionary decides."""


class Withdraw(Struct, frozen=True, array_like=True, tag="withdraw"):
    """Take one's challenged word back, unverified; the turn is gone."""


class Insist(Struct, frozen=True, array_like=True, tag="insist"):
    """Refuse to withdraw one's challenged word: the dictionary decides."""


class Expire(Struct, frozen=True, array_like=True, tag="expire"):
    """CLOCK says that the time for the turn, or for answering, is up."""


Move: TypeAlias = (
    Lay
    | Discard
    | PickUp
    | Pass
    | Accept
    | Challenge
    | Withdraw
    | Insist
    | Expire
    | Reveal
    | Resign
)


class Announced(Struct, frozen=True, array_like=True):
    """A word on the board that opponents may still challenge."""

    laid: tuple[Placed, ...]
    shown: tuple[Shown, ...]

    word: tuple[int, ...]
    """Its letters, as the dictionary spells them."""

    points: int
    """What it scores if it stands."""

    answers: tuple[Seat, ...]
    """The opponents who have not accepted yet, ascending."""

    challenger: Seat | None = None
    """Who doubts it; then whoever announced it withdraws it or insists."""


class State(Struct, frozen=True, array_like=True):
    """A match, or what somebody knows of it."""

    options: Options
    tiles: Tiles

    letters: tuple[int, ...]
    """The letter on each cell, `letters.EMPTY` for none, `letters.QU` for a blank."""

    numbers: tuple[int, ...]
    """The number of the tile on each cell, `letters.EMPTY` for none."""

    blanks: tuple[int, ...]
    """The cells on which a blank lies, ascending."""

    scores: tuple[int, ...]
    """Each seat's points."""

    turn: Seat
    """Whose turn it is."""

    passes: tuple[int, ...]
    """How often each seat passed since anybody last did something else."""

    barren: int
    """Turns since a word last stood."""

    debts: tuple[int, ...]
    """How many turns each seat has yet to lose for challenging good words."""

    gone: tuple[bool, ...]
    """Who has resigned."""

    announced: Announced | None = None
    """The word that waits for the opponents' answers, if any."""

    def kind(self, cell: int) -> int:
        """Return the kind of the tile on a cell that has one."""
        return BLANK if cell in self.blanks else self.letters[cell]


# What Lhexicon can do beside what every game can; the Protocols of rules.game.


def scores(state: State) -> tuple[int, ...]:
    """Return each seat's points."""
    return state.scores


def tiles(state: State) -> Tiles:
    """Return the bag and the racks."""
    return state.tiles


def shown(move: Move) -> tuple[Shown, ...]:
    """Return the tiles that a move makes public."""
    return move.shown if isinstance(move, Lay | PickUp) else ()


def answers(state: State) -> bool:
    """Tell whether an announced word waits for what its player or others say."""
    return state.announced is not None


def turn_minutes(options: Options) -> int:
    """Return the minutes of a timed turn, 0 where turns are not timed."""
    return options.timed


def match_minutes(options: Options) -> int:
    """Return 0: time is limited by turns alone."""
    return 0


def fined(move: Move) -> Seat | None:
    """Return None: whoever is too slow loses the turn, and pays no fine."""
    return None


def answering(state: State) -> bool:
    """Tell whether an announced word waits for the opponents' answers."""
    return state.announced is not None


def lapse(state: State, _seat: Seat) -> Accept | Pass | Withdraw:
    """Return the move of who lets its turn lapse, or says nothing to a word."""
    if state.announced is None:
        return Pass()
    return Accept() if state.announced.challenger is None else Withdraw()
