"""Numbers of protocol.md about the games: cells, letters, what chance draws."""

from collections.abc import Callable
from itertools import groupby
from typing import Final

from rules import hexcolumns, lhexicon, numlo
from rules.hexagrams import board
from rules.hexcolumns.grid import OUTCOMES, grid
from rules.hexcolumns.well import period
from rules.hexes import hexagon
from rules.lhexicon.state import COUNTS, POINTS

Row = tuple[str, ...]
Drawing = tuple[Row, list[Row]]
"""The head of a table, and its rows."""


def _triangles() -> Drawing:
    """Return the triangles of Hexagrams, a row of the board a line."""
    rows: list[Row] = []
    for t, row in enumerate(board.TRIANGLE_ROWS, 1):
        numbers = [board.triangle(t, x) for x in row]
        steps = [_steps(board.WHITE, number) for number in numbers]
        cells = ", ".join(map(_named, numbers, row))
        rows.append((str(t), "up" if t % 2 else "down", cells, ", ".join(steps)))
    return ("t", "points", "number (x)", "White's steps"), rows


def _steps(seat: int, number: int) -> str:
    """Return where a triad goes from a triangle."""
    to = "/".join(map(str, board.bits(board.forward(seat, 1 << number)))) or "-"
    return f"{number}: {to}"


def _named(number: int, x: int) -> str:
    """Return a cell's number and its x."""
    return f"{number} ({x})"


def _hexagons() -> Drawing:
    """Return the hexagons of Hexagrams, and where a hexad may go from each."""
    rows: list[Row] = []
    for number, (r, x) in enumerate(board.HEXAGONS):
        ways = [
            f"{to}: {', '.join(map(str, board.bits(between)))}"
            for to, between in board.WAYS[number]
        ]
        rows.append((str(number), str(r), str(x), "; ".join(ways)))
    return ("number", "r", "x", "linked hexagon: the two triangles between"), rows


def _axial() -> Drawing:
    """Return the cells of the smallest board of Lhexicon, a row a line."""
    cells = list(enumerate(hexagon(6)))
    rows: list[Row] = []
    for r, group in groupby(cells, key=lambda pair: pair[1][1]):
        row = list(group)
        first, last = row[0], row[-1]
        span = f"{first[0]}..{last[0]}", f"{first[1][0]}..{last[1][0]}"
        rows.append((str(r), span[1], span[0]))
    return ("r", "q", "numbers"), rows


def _letters() -> Drawing:
    """Return the tiles of Lhexicon."""
    names = (*lhexicon.LETTERS, "blank")
    rows: list[Row] = [
        (str(kind), name, str(count), str(points))
        for kind, (name, count, points) in enumerate(
            zip(names, COUNTS, POINTS, strict=True)
        )
    ]
    return ("kind", "tile", "how many", "points"), rows


def _latin() -> Drawing:
    """Return the first tiles of Numlo on the smallest board."""
    rows: list[Row] = []
    for seats in (2, 3, 4):
        state = numlo.start(seats, numlo.Options(size=8))
        owners = numlo.owners(state)
        middle = [owners[8 * row + 1 : 8 * row + 7] for row in range(1, 7)]
        text = ["".join(map(str, row)) for row in middle]
        rows.append((str(seats), "`" + " ".join(text) + "`"))
    return ("seats", "rows 1 to 6 of a board of 8, columns 1 to 6"), rows


def _columns() -> Drawing:
    """Return where the columns of the smallest well lie."""
    rows: list[Row] = [
        (str(at - 5), str(stop - start), f"{start}..{stop - 1}")
        for at, (start, stop) in enumerate(grid(6).columns)
    ]
    return ("column", "cells", "bytes, the lowest cell first"), rows


def _gems() -> Drawing:
    """Return which outcomes of Hexcolumns are which hexes, for one colour."""
    rows: list[Row] = []
    at = 0
    red = [gem.cell for gem in OUTCOMES[: len(OUTCOMES) // len(hexcolumns.COLOURS)]]
    for cell, group in groupby(red):
        count = len(list(group))
        name = hexcolumns.motif(cell).name.lower()
        rows.append((f"{at}..{at + count - 1}", name, str(cell)))
        at += count
    return ("index mod 120", "motif", "byte of a hex of colour 0"), rows


def _periods() -> Drawing:
    """Return how fast pieces fall."""
    levels = range(hexcolumns.TOP_LEVEL + 1)
    return ("level", *map(str, levels)), [("ms", *(str(period(n)) for n in levels))]


TABLES: Final[dict[str, Callable[[], Drawing]]] = {
    "triangles": _triangles,
    "hexagons": _hexagons,
    "axial": _axial,
    "letters": _letters,
    "latin": _latin,
    "columns": _columns,
    "gems": _gems,
    "periods": _periods,
}


def drawing(name: str) -> Drawing:
    """Return a table of the games' numbers.

    Raises:
        KeyError: There is none of this name.
    """
    return TABLES[name]()
