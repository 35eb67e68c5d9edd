"""Positions of Numlo written as text, and a second, slow way to play it."""

from collections.abc import Iterator

from rules.numlo import Options, State
from rules.numlo.grid import grid
from rules.numlo.state import open_to, pack

COLOURS = "BRGY"
EMPTY = "."

Board = dict[tuple[int, int], str]
"""(row, column) -> the letter of a colour, or a dot."""

DIRECTIONS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


def board(*rows: str, size: int = 8) -> Board:
    """Read rows of letters into the top left corner of an empty board."""
    cells = {(r, c): EMPTY for r in range(size) for c in range(size)}
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            cells[r, c] = letter
    return cells


def position(
    cells: Board,
    turn: int = 0,
    seats: int = 3,
    values: bytes = b"",
    gone: tuple[int, ...] = (),
) -> State:
    """Return the state with these tiles and somebody on turn."""
    size = max(cells)[0] + 1
    boards = [
        sum(1 << r * size + c for (r, c), letter in cells.items() if letter == colour)
        for colour in COLOURS[:seats]
    ]
    return State(
        options=Options(size=size, values=bool(values)),
        tiles=pack(size, boards),
        values=values or bytes(size * size),
        turn=turn,
        open=pack(size, [open_to(grid(size), boards, turn)])[0],
        passed=(),
        gone=gone,
    )


def drawn(state: State) -> Board:
    """Return the tiles of a state as letters, one by one."""
    size = state.options.size
    cells = board(size=size)
    for seat, tiles in enumerate(state.tiles):
        for r, c in cells:
            square = r * size + c
            if tiles[square // 8] & 1 << square % 8:
                assert cells[r, c] == EMPTY
                cells[r, c] = COLOURS[seat]
    return cells


def rows(cells: Board, height: int, width: int) -> list[str]:
    """Return the top left corner of a board as text."""
    return ["".join(cells[r, c] for c in range(width)) for r in range(height)]


def run(cells: Board, square: tuple[int, int], way: tuple[int, int], own: str) -> Board:
    """Return the squares flipped in one direction, walking step by step."""
    r, c = square[0] + way[0], square[1] + way[1]
    foe = cells.get((r, c), EMPTY)
    if foe in (EMPTY, own):
        return {}
    flipped = {}
    while cells.get((r, c)) == foe:
        flipped[r, c] = own
        r, c = r + way[0], c + way[1]
    return flipped if cells.get((r, c)) == own else {}


def laid(cells: Board, square: tuple[int, int], own: str) -> Board | None:
    """Return the board after a tile is laid, or None if that flips nothing."""
    if cells[square] != EMPTY:
        return None
    flipped: Board = {}
    for way in DIRECTIONS:
        flipped |= run(cells, square, way, own)
    return {**cells, **flipped, square: own} if flipped else None


def followers(cells: Board, own: str) -> Iterator[Board]:
    """Yield the boards a colour can make with one tile."""
    for square in cells:
        after = laid(cells, square, own)
        if after:
            yield after


def slow_perft(cells: Board, seats: int, turn: int, depth: int) -> int:
    """Count leaves; a pass is a ply, but once nobody can move there are none."""
    if depth == 0:
        return 1
    following = (turn + 1) % seats
    after = list(followers(cells, COLOURS[turn]))
    if after:
        return sum(slow_perft(each, seats, following, depth - 1) for each in after)
    if not any(True for own in COLOURS[:seats] for _ in followers(cells, own)):
        return 0
    return slow_perft(cells, seats, following, depth - 1)
