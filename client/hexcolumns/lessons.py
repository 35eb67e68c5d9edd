"""How Hexcolumns is played, in six lessons (source document of Hexcolumns)."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec.structs import replace

from client.app.board import AnyMove
from client.app.lessons import Lesson, Position, Task, played
from client.ui.texts import _
from rules import hexcolumns
from rules.game import CHANCE
from rules.hexcolumns import Drop, Gem, Lower, Motif, Options, State

_SIZE: Final = 6
"""The smallest well, so that each hex is large."""

_COLOURS: Final = "roygbv"
_MOTIFS: Final = " #+-*@"


def lessons() -> tuple[Lesson, ...]:
    """Return the lessons, in the language of the window."""
    return (*_first(), *_further())


def _first() -> tuple[Lesson, ...]:
    """Return the lessons that a first game takes."""
    return (
        Lesson(
            _("Falling pieces"),
            _(
                "Pieces of three hexes fall in a hexagonal well. Bring them to another "
                "column, turn the colours round, and drop them, with the buttons below "
                "or by keys (F1 lists them). Where it cannot go it shakes. "
                "Sideways it keeps its height: since the columns rise and sink, it "
                "follows the shape of "
                "a V. In this lesson the piece waits for you."
            ),
            _empty,
            Task(
                _("Bring the piece to a column at the side and drop it."),
                _lands_aside,
                _("It has landed. Each piece brings 5 points."),
                _("It has landed in the middle. Bring it to a side first."),
            ),
        ),
        Lesson(
            _("Three in a line"),
            _(
                "Three or more hexes of one colour in a straight line are destroyed: "
                "upright, or along either of the two slanting directions. What lies "
                "above falls down."
            ),
            _two_red,
            Task(
                _("Two red ones lie at the bottom. Add the third, and drop the piece."),
                _destroys,
                _("Three red hexes in a line: they are gone."),
                _("The red ones are still there. Turn the piece until red is lowest."),
            ),
        ),
        Lesson(
            _("A plus in the line"),
            _(
                "A hex with a plus does not count: a line needs three others of its "
                "colour, and then the plus goes with them. Four or more hexes with a "
                "plus in a line go as well, whatever their colours."
                " Whenever the score passes 2,500 points more (5,000, 7,500, "
                "10,000 in larger wells), all hexes with a plus go."
            ),
            _plus,
            Task(
                _("Line up four across the plus."),
                _destroys,
                _("Three and a plus: all four are gone."),
                _("Three in a line with a plus among them are not enough."),
            ),
        ),
    )


def _further() -> tuple[Lesson, ...]:
    """Return those on what comes up later in a game, and on its end."""
    return (
        Lesson(
            _("Signs"),
            _(
                "A minus stands for every colour but its own. A star destroys its six "
                "neighbours as soon as it has landed. Squares that touch each other "
                "vanish. A bomb goes off when three or more hexes of its colour hang "
                "together, and takes them all. Here one of each lies near the sides."
            ),
            _star,
            Task(
                _("Drop the star where it destroys at least four neighbours."),
                _takes_five,
                _("The star and all around it are gone."),
                _("Fewer than four. Look for the deepest hole."),
            ),
        ),
        Lesson(
            _("Chains"),
            _(
                "When hexes have gone and others have fallen, new lines may have "
                "formed, which go in a second round, and so on. In each round stars "
                "go first, then bombs, squares, plus signs that are due, and lines; "
                "only then does the rest fall. The second round counts twice, the "
                "third three times, and so on. Long lines count much more than short "
                "ones, and so do higher levels. With attacks each round after the "
                "first also sends a row into the other wells: an arrow and a number "
                "beside a well tell how many will rise there."
            ),
            _chain,
            Task(
                _("Turn the piece so that one line sets off another, and drop it."),
                _chains,
                _("First the red ones, then the blue ones that fell: a chain of two."),
                _("No second round. Try with red at the bottom and blue on top."),
            ),
        ),
        Lesson(
            _("Levels, and the end"),
            _(
                "Every minute a level begins, and pieces fall faster, up to level 25. "
                "The radar shows the next piece, costs 200 points and makes lines "
                "count less. Your game is over when the next piece finds no room at "
                "the top, or as soon as rows that others send push a hex out of any "
                "column, of a short one at the side, too. "
                "Each player has a well; the most points win."
                " A pause stops your own piece only, not the time. Level + goes a "
                "level up at once, with 60 seconds more."
            ),
            _full,
            moving=1,
        ),
    )


def _landed(after: State) -> bool:
    return not after.wells[0].piece


def _lands_aside(before: State, _move: AnyMove, after: State) -> bool | None:
    """Judge whether the piece landed anywhere but in the middle."""
    return before.wells[0].column != 0 if _landed(after) else None


def _destroys(_before: State, _move: AnyMove, after: State) -> bool | None:
    return bool(after.wells[0].gone) if _landed(after) else None


def _takes_five(_before: State, _move: AnyMove, after: State) -> bool | None:
    """Judge whether the star took four neighbours with it."""
    if not _landed(after):
        return None
    gone = after.wells[0].gone
    return bool(gone) and len(gone[0].cells) > 4


def _chains(_before: State, _move: AnyMove, after: State) -> bool | None:
    return len(after.wells[0].gone) > 1 if _landed(after) else None


def _hex(word: str) -> int:
    """Return a hex written as a colour's letter and a motif's sign."""
    motif = Motif(_MOTIFS.index(word[1:] or " "))
    return hexcolumns.cell(_COLOURS.index(word[0]), motif)


def _well(piece: str, columns: Mapping[int, str], low: int = 4) -> Position:
    """Return a match of one with a piece above hexes in the well.

    Args:
        piece: Its three hexes, the lowest first.
        columns: Of each column the hexes from the lowest up.
        low: How far it has come down: at the top the columns beside it have no room.
    """
    gems = [(CHANCE, Gem(_hex(word))) for word in piece.split()]
    start = hexcolumns.start(1, Options(size=_SIZE))
    state, _steps = played(hexcolumns, start, gems)
    cells = bytearray(state.wells[0].cells)
    for column, words in columns.items():
        for height, word in enumerate(words.split()):
            cells[hexcolumns.index(_SIZE, column, height)] = _hex(word)
    well = replace(state.wells[0], cells=bytes(cells))
    state = replace(state, wells=(well,))
    return Position(played(hexcolumns, state, [(0, Lower())] * low)[0], 0)


@cache
def _empty() -> Position:
    return _well("r g b", {})


@cache
def _two_red() -> Position:
    """Return two red hexes that a third completes in the middle or at the side."""
    return _well("b r g", {-1: "g", 1: "r y", 2: "r v"})


@cache
def _plus() -> Position:
    """Return a line of red with a plus in it, one short of going."""
    return _well("r g b", {-1: "v", 1: "r y", 2: "r+", 3: "r o"})


@cache
def _star() -> Position:
    """Return a star and a hole between heaps."""
    heap = {
        -4: "v-", -3: "o#", -2: "y v g", -1: "g o v y", 0: "b y", 1: "v g o b",
        2: "o r b", 4: "y@",
    }  # fmt: skip
    return _well("r* g v", heap)


@cache
def _chain() -> Position:
    """Return a well where red ones that go bring blue ones into a line."""
    return _well("b r g", {-1: "g b", 1: "r b", 2: "r"})


@cache
def _full() -> Position:
    """Return a well that is full: what falls into it leaves the next no room."""
    colours = "rgbyvo"
    heap = {
        column: " ".join(
            colours[(2 * column + 3 * height + height // 2) % 6]
            for height in range(8 - abs(column) // 2)
        )
        for column in range(1 - _SIZE, _SIZE)
        if column % 3 or not column
    }
    state = _well("r g b", heap, low=0).state
    ended, past = played(hexcolumns, state, [(0, Drop())])
    return Position(ended, 0, past)
