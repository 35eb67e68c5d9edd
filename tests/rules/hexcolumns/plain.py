"""Destruction once more, slowly: cell by cell on `rules.hexes`, as the rules read.

It shares no code with `rules.hexcolumns.well`, which shifts whole wells.
"""

from collections.abc import Iterator
from itertools import count, takewhile

from rules import hexcolumns as game
from rules import hexes

Cell = tuple[int, int]
Well = dict[Cell, int]
"""(column, height) -> the hex's byte."""

LINES = ((0, 1), (1, 0), (1, -1))
"""One way along each of the three directions, in `rules.hexes`."""


def read(size: int, board: bytes) -> Well:
    places = (
        (column, height)
        for column in range(1 - size, size)
        for height in range(game.depth(size, column))
    )
    return {p: c for p in places if (c := board[game.index(size, *p)])}


def axial(cell: Cell) -> hexes.Hex:
    column, height = cell
    return column, -height - max(0, column)


def back(there: hexes.Hex) -> Cell:
    q, r = there
    return q, -r - max(0, q)


def near(cell: Cell) -> list[Cell]:
    return [back(each) for each in hexes.neighbours(axial(cell))]


def having(well: Well, motif: game.Motif) -> set[Cell]:
    return {p for p, c in well.items() if game.motif(c) == motif}


def stars(well: Well) -> set[Cell]:
    found = having(well, game.Motif.STAR)
    return {p for star in found for p in (star, *near(star)) if p in well}


def component(well: Well, cell: Cell) -> set[Cell]:
    found, waiting = {cell}, [cell]
    while waiting:
        here = [p for p in near(waiting.pop()) if p in well and p not in found]
        alike = [p for p in here if game.colour(well[p]) == game.colour(well[cell])]
        found.update(alike)
        waiting.extend(alike)
    return found


def bombs(well: Well) -> set[Cell]:
    components = [component(well, p) for p in having(well, game.Motif.BOMB)]
    return {p for found in components if len(found) >= 3 for p in found}


def squares(well: Well) -> set[Cell]:
    found = having(well, game.Motif.SQUARE)
    return {p for p in found if found & set(near(p))}


def counts_as(hex_: int, colour: int) -> bool:
    own = game.colour(hex_) == colour
    return not own if game.motif(hex_) == game.Motif.MINUS else own


def along(cell: Cell, step: hexes.Hex) -> Iterator[Cell]:
    q, r = axial(cell)
    return (back((q + n * step[0], r + n * step[1])) for n in count(1))


def lines(well: Well) -> set[frozenset[Cell]]:
    """Return every run that goes and is no part of another one on its line."""
    found: set[frozenset[Cell]] = set()
    plus = having(well, game.Motif.PLUS)
    alike = [{p for p, c in well.items() if counts_as(c, k)} for k in range(6)]
    for q, r in LINES:
        runs = set()
        for group in (*alike, plus):
            for cell in group:
                ways = [along(cell, (q, r)), along(cell, (-q, -r))]
                ends = [p for way in ways for p in takewhile(group.__contains__, way)]
                run = frozenset({cell, *ends})
                if len(run - plus) >= 3 or (group is plus and len(run) >= 4):
                    runs.add(run)
        found |= {run for run in runs if not any(run < other for other in runs)}
    return found


def without(well: Well, gone: set[Cell]) -> Well:
    left: dict[int, list[int]] = {}
    for column, height in sorted(well.keys() - gone):
        left.setdefault(column, []).append(well[column, height])
    return {
        (column, height): hex_
        for column, pile in left.items()
        for height, hex_ in enumerate(pile)
    }


def settle(size: int, board: bytes, purge: bool) -> tuple[Well, int, list[set[Cell]]]:
    """Return the quiet well, N, and what went at each step."""
    well, worth, steps = read(size, board), 0, list[set[Cell]]()
    for stage in count(1):
        before = len(steps)
        for find in (stars, bombs, squares):
            if gone := find(well):
                steps.append(gone)
                worth += stage * len(gone)
                well = without(well, gone)
        if purge and (gone := having(well, game.Motif.PLUS)):
            steps.append(gone)
            worth += stage * len(gone)
            well = without(well, gone)
        purge = False
        if runs := lines(well):
            steps.append(set().union(*runs))
            worth += stage * sum(len(run) * (len(run) - 2) for run in runs)
            well = without(well, steps[-1])
        if len(steps) == before:
            return well, worth, steps
    raise AssertionError
