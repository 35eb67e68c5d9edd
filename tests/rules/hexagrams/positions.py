"""Positions of Hexagrams by the page's coordinates, and a second way to play it.

The second way takes its links from geometry: the cells are drawn with whole-number
corners, and what touches is found out by comparing corners.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rules.hexagrams import BLACK, NOBODY, WHITE, Hexad, State, Triad, hexagon, triangle

PATIENCE = 60
"""Plies without a capture or a move of a triad until triads are counted."""

Cell = tuple[str, int, int]
"""("H", r, x) or ("T", t, x)."""

HEXAGONS: list[Cell] = [
    ("H", r, x)
    for r, row in enumerate([(1, 3, 5), (0, 2, 4, 6), (1, 3, 5)])
    for x in row
]
TRIANGLES: list[Cell] = [
    ("T", t, x)
    for t, row in {
        **dict.fromkeys((1, 8), (1, 3, 5)),
        **dict.fromkeys((2, 3, 6, 7), (0, 2, 4, 6)),
        **dict.fromkeys((4, 5), (-1, 1, 3, 5, 7)),
    }.items()
    for x in row
]


def corners(cell: Cell) -> set[tuple[int, int]]:
    """Return a cell's corners; across in quarter hexagon widths, down in half rows."""
    kind, row, x = cell
    if kind == "H":
        return {(2 * x + 2, 2 * row), (2 * x - 2, 2 * row)} | {
            (2 * x + dx, 2 * row + dy) for dx in (-1, 1) for dy in (-1, 1)
        }
    if row % 2:  # points up
        return {(2 * x, row - 3), (2 * x - 1, row - 2), (2 * x + 1, row - 2)}
    return {(2 * x, row - 2), (2 * x - 1, row - 3), (2 * x + 1, row - 3)}


TRIANGLE_LINKS = {
    (a, b) for a in TRIANGLES for b in TRIANGLES if a < b and corners(a) & corners(b)
}
HEXAGON_LINKS = {
    (a, b): [t for t in TRIANGLES if corners(t) & corners(a) & corners(b)]
    for a in HEXAGONS
    for b in HEXAGONS
    if a < b and corners(a) & corners(b)
}


def number(cell: Cell) -> int:
    """Return the number that rules give a cell."""
    kind, row, x = cell
    return hexagon(row, x) if kind == "H" else triangle(row, x)


def cell(name: str) -> Cell:
    """Read a cell as the page writes it, such as T(5,-1)."""
    row, x = name[2:-1].split(",")
    return name[0], int(row), int(x)


def position(white: str, black: str, turn: int = WHITE, quiet: int = 0) -> State:
    """Return the state with stones on the cells named."""
    sets = {"H": [0, 0], "T": [0, 0]}
    for seat, names in enumerate((white, black)):
        for name in names.split():
            sets[name[0]][seat] |= 1 << number(cell(name))
    hexads, triads = sets["H"], sets["T"]
    return State(turn, (hexads[0], hexads[1]), (triads[0], triads[1]), quiet)


def ply(text: str) -> Triad | Hexad:
    """Read a ply such as T(8,1)-T(7,0) or T(5,1)xT(6,2)."""
    origin, target = text.replace("x", "-", 1).split(")-")
    kind = Triad if text[0] == "T" else Hexad
    return kind(number(cell(origin + ")")), number(cell(target)))


class Slow(NamedTuple):
    """A position as cell -> seat, and whose turn it is."""

    stones: dict[Cell, int]
    turn: int
    quiet: int = 0
    """Plies since the last capture or move of a triad."""


class Ended(NamedTuple):
    """How a match has ended: the seat that has won, or nobody, and by what."""

    winner: int
    ending: str


def drawn(state: State) -> Slow:
    """Return the stones of a state one by one."""
    stones = {}
    for each in (*HEXAGONS, *TRIANGLES):
        sets = state.hexads if each[0] == "H" else state.triads
        for seat in (WHITE, BLACK):
            if sets[seat] >> number(each) & 1:
                assert each not in stones
                stones[each] = seat
    return Slow(stones, state.turn, state.quiet)


def triad_plies(stones: dict[Cell, int], seat: int) -> Iterator[tuple[Cell, Cell]]:
    """Yield where triads may go, leaving aside what is forced."""
    for a, b in TRIANGLE_LINKS:
        origin, target = (a, b) if seat == WHITE else (b, a)
        if stones.get(origin) == seat != stones.get(target):
            yield origin, target


def hexad_plies(stones: dict[Cell, int], seat: int) -> Iterator[tuple[Cell, Cell]]:
    """Yield where hexads may go, leaving aside what is forced."""
    for (a, b), between in HEXAGON_LINKS.items():
        for origin, target in ((a, b), (b, a)):
            free = not any(each in stones for each in between)
            if free and stones.get(origin) == seat != stones.get(target):
                yield origin, target


def plies(slow: Slow) -> set[tuple[Cell, Cell]]:
    """Return the legal plies."""
    triads = set(triad_plies(slow.stones, slow.turn))
    captures = {(a, b) for a, b in triads if b in slow.stones}
    return captures or triads | set(hexad_plies(slow.stones, slow.turn))


def after(slow: Slow, origin: Cell, target: Cell) -> Slow | Ended:
    """Return the position after a ply, or how it ends the match."""
    stones = dict(slow.stones)
    loud = origin[0] == "T" or target in stones
    stones[target] = stones.pop(origin)
    own, other = slow.turn, 1 - slow.turn
    follower = Slow(stones, other, 0 if loud else slow.quiet + 1)

    def count(kind: str, seat: int) -> int:
        return sum(of == seat for (each, _, _), of in stones.items() if each == kind)

    if not count("H", other):
        return Ended(own, "hexads")
    if any(hexad_plies(slow.stones, other)) and not any(hexad_plies(stones, other)):
        return Ended(own, "blocked")
    if not plies(follower):
        return Ended(own, "stuck")
    if follower.quiet == PATIENCE:
        mine, theirs = count("T", own), count("T", other)
        return Ended(
            NOBODY if mine == theirs else own if mine > theirs else other, "count"
        )
    return follower


def slow_perft(slow: Slow | Ended, depth: int) -> int:
    """Count leaves."""
    if depth == 0:
        return 1
    if isinstance(slow, Ended):
        return 0
    return sum(slow_perft(after(slow, *each), depth - 1) for each in plies(slow))
