"""What a match of Numlo consists of: options, state and moves."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from rules.game import Resign
from rules.numlo.grid import Grid, reach

OVER: Final = -3
"""`State.turn` once nobody moves any more."""

TOP: Final = 6
"""The highest value a square may have (source document, Numlo game rules)."""


class Options(Struct, frozen=True, array_like=True):
    """What the table may choose before a match."""

    size: Annotated[int, Meta(ge=8, le=20, multiple_of=2)] = 12
    """Squares along an edge."""

    start: Literal["latin", "scatter", "othello"] = "latin"
    """The tiles at the start: a Latin square of 6 x 6 in the middle, twelve of each
    colour anywhere, or the four discs of Othello (two seats)."""

    values: bool = True
    """Whether some squares are worth 1 to 6 points more."""


class State(Struct, frozen=True, array_like=True):
    """A position; squares are numbered row by row from the top left corner."""

    options: Options

    tiles: tuple[bytes, ...]
    """For each seat a bit a square, little-endian: the squares it holds."""

    values: bytes
    """For each square the points it is worth beside its own one; mostly 0."""

    turn: int
    """The seat that lays next, `CHANCE` until the board is set up, or `OVER`."""

    open: bytes
    """A bit a square as in `tiles`: where the seat on turn may lay.  It follows from
    the tiles, but finding the next turn needs it anyway, and every move is looked up
    in it."""

    passed: tuple[int, ...]
    """The seats that had no move between the last one and this turn."""

    gone: tuple[int, ...]
    """The seats that have resigned, the first one first."""


class Place(Struct, frozen=True, array_like=True, tag="place"):
    """A seat lays a tile on an empty square."""

    square: int


class Disc(Struct, frozen=True, array_like=True, tag="disc"):
    """Chance gives a seat one of its first tiles (start `scatter`)."""

    square: int
    seat: int


class Value(Struct, frozen=True, array_like=True, tag="value"):
    """Chance makes a square worth more."""

    square: int
    points: int


class First(Struct, frozen=True, array_like=True, tag="first"):
    """Chance says who begins."""

    seat: int


Move: TypeAlias = Place | Disc | Value | First | Resign


def unpack(state: State) -> list[int]:
    """Return for each seat the squares it holds, a bit a square."""
    return [int.from_bytes(tiles, "little") for tiles in state.tiles]


def pack(size: int, boards: Sequence[int]) -> tuple[bytes, ...]:
    """Return boards as `State.tiles` keeps them, in as many bytes as they need."""
    width = (size * size + 7) // 8
    return tuple([board.to_bytes(width, "little") for board in boards])


def open_to(table: Grid, boards: Sequence[int], seat: int) -> int:
    """Return the squares where a seat may lay, a bit a square."""
    empty = table.full
    for board in boards:
        empty &= ~board
    others = [*boards[:seat], *boards[seat + 1 :]]
    return reach(table, boards[seat], others, empty)
