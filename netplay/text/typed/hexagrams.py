"""Typed moves of Hexagrams: from one cell to another, such as T(4,1)-T(5,1)."""

import re
from collections.abc import Iterator
from typing import Final

from rules import hexagrams
from rules.game import IllegalMoveError, Seat
from rules.hexagrams import HEXAGONS, TRIANGLES, Hexad, State, Triad, hexagon, triangle
from rules.hexagrams.notation import hexagon_name, ply_name, triangle_name
from rules.sentence import sentence

_CELL: Final = r"([th])\s*\(?\s*(-?\d+)\s*,\s*(-?\d+)\s*\)?"
_PLY: Final = re.compile(rf"{_CELL}\s*(?:[-x]|to|\s)\s*{_CELL}", re.IGNORECASE)


def read(view: State, seat: Seat, words: str) -> Triad | Hexad:
    """Return the move from one cell to another; see `Typed.read`."""
    found = _PLY.fullmatch(words)
    if found is None:
        raise IllegalMoveError(
            sentence("{words} is no move: type it as in T(4,1)-T(5,1)", words=words)
        )
    sort, row, x, other, to_row, to_x = found.groups()
    if sort.lower() != other.lower():
        raise IllegalMoveError("Triads stay on triangles and hexads on hexagons")
    origin, target = (int(row), int(x)), (int(to_row), int(to_x))
    if sort.lower() == "t":
        cells = set(TRIANGLES.values())
        numbers = [triangle(*each) for each in (origin, target) if each in cells]
    else:
        numbers = [hexagon(*each) for each in (origin, target) if each in HEXAGONS]
    if len(numbers) < 2:
        raise IllegalMoveError(sentence("{place} is not on the board", place=words))
    return (Triad if sort.lower() == "t" else Hexad)(*numbers)


def offers(view: State, seat: Seat) -> Iterator[str]:
    """Yield every legal move."""
    for move in hexagrams.moves(view, seat):
        name = triangle_name if isinstance(move, Triad) else hexagon_name
        yield ply_name(name(move.origin), name(move.target), captures=False)


def ways() -> tuple[tuple[str, str], ...]:
    """Return what may be typed."""
    return (
        ("T(4,1)-T(5,1)", "move a triad; the rows and x are those of the board"),
        ("H(1,0)-H(1,2)", "move a hexad"),
    )
