"""Typed moves of Hexagrams: from one cell to another, such as C5-C7."""

import re
from collections.abc import Iterator
from typing import Final

from netplay.language import _
from rules import hexagrams
from rules.game import IllegalMoveError, Seat
from rules.hexagrams import Hexad, State, Triad
from rules.hexagrams.board import CELL, HEXAGON, TRIANGLE, cell, cell_name, ply_name

_PLY: Final = re.compile(
    rf"({CELL})\s*(?:[-x]|to|\s)\s*({CELL})", re.IGNORECASE | re.ASCII
)


def read(view: State, seat: Seat, words: str) -> Triad | Hexad:
    """Return the move from one cell to another; see `Typed.read`."""
    found = _PLY.fullmatch(words)
    if found is None:
        raise IllegalMoveError("{words} is no move: type it as in C5-C7", words=words)
    origin, target = map(_known, found.groups())
    if origin[0] != target[0]:
        raise IllegalMoveError("Triads stay on triangles and hexads on hexagons")
    return (Triad if origin[0] == TRIANGLE else Hexad)(origin[1], target[1])


def _known(name: str) -> tuple[str, int]:
    """Return the cell of a name.

    Raises:
        IllegalMoveError: There is none.
    """
    found = cell(name)
    if found is None:
        raise IllegalMoveError("{place} is not on the board", place=name)
    return found


def offers(view: State, seat: Seat) -> Iterator[str]:
    """Yield every legal move."""
    for move in hexagrams.moves(view, seat):
        sort = TRIANGLE if isinstance(move, Triad) else HEXAGON
        origin, target = cell_name(sort, move.origin), cell_name(sort, move.target)
        yield ply_name(origin, target, captures=False)


def ways() -> tuple[tuple[str, str], ...]:
    """Return what may be typed."""
    return (
        ("C5-C7", _("move a triad; letters and numbers are those of the board")),
        ("B6-D6", _("move a hexad")),
        ("T(4,1)-T(5,1)", _("the same by the rows and x of the game's page")),
    )
