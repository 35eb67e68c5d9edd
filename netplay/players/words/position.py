"""A position of a word game as plain numbers, read the same across and down."""

from typing import Final

from msgspec import Struct

from netplay.players.words.wordmap import WordMap

EMPTY: Final = -1
BLOCKED: Final = -2

ALL: Final = -1
"""The set of bits in which every letter is: no cross word, no restriction."""


class Board(Struct, frozen=True):
    """A rectangle of squares, row by row."""

    width: int
    height: int
    letters: tuple[int, ...]
    """Of each square: the letter that lies there, EMPTY or BLOCKED."""
    worth: tuple[int, ...]
    """Points of the tile that lies there; 0 for blanks and where none lies."""
    letter_times: tuple[int, ...]
    """What the square multiplies its letter by."""
    word_times: tuple[int, ...]
    """What it multiplies its words by."""
    start: int
    """The square that the first word must cover."""


class Rack(Struct, frozen=True):
    """The tiles to play with."""

    tiles: tuple[tuple[int, int], ...]
    """(letter, points) of each; two tiles of one letter may differ in points."""
    blanks: int
    size: int
    """Tiles of a full rack; laying so many at once earns the bonus."""
    bonus: int


class Lane(Struct, frozen=True):
    """A row or a column, with what the lines across it ask of each square."""

    down: bool
    squares: tuple[int, ...]
    """Indexes into the board."""
    letters: tuple[int, ...]
    worth: tuple[int, ...]
    letter_times: tuple[int, ...]
    word_times: tuple[int, ...]
    allowed: list[int]
    """Letters that fit the word across, as a set of bits; ALL without one."""
    own: list[int]
    """Letters that alone make a word along the lane, likewise."""
    across: list[int]
    """Points of the tiles in the word across; -1 where there is no such word."""
    anchors: tuple[bool, ...]
    """Empty squares that join a play to what lies, or to the start."""
    checks: list[tuple[int, int]]
    """(place, letters that may stand there): what lies, and the words across."""
    check_from: list[int]
    """For each place and the end: how many checks come before it."""


def lanes(board: Board, words: WordMap) -> list[Lane]:
    """Return all rows, then all columns, of at least two squares."""
    size = board.width * board.height
    rows = [slice(at, at + board.width) for at in range(0, size, board.width)]
    columns = [slice(at, size, board.width) for at in range(board.width)]
    numbers = tuple(range(size))
    first = all(letter < 0 for letter in board.letters)
    rowwise = _crosses(board, [numbers[line] for line in rows], words)
    columnwise = _crosses(board, [numbers[line] for line in columns], words)
    found: list[Lane] = []
    if len(columns) > 1:
        found += [
            _lane(board, False, numbers[line], line, columnwise, rowwise[0], first)
            for line in rows
        ]
    if len(rows) > 1:
        found += [
            _lane(board, True, numbers[line], line, rowwise, columnwise[0], first)
            for line in columns
        ]
    return found


def _lane(
    board: Board,
    down: bool,
    squares: tuple[int, ...],
    line: slice,
    crosses: tuple[list[int], list[int]],
    own: list[int],
    first: bool,
) -> Lane:
    letters = board.letters[line]
    allowed, across = crosses[0][line], crosses[1][line]
    # The places that not every letter fits, and where to find them
    checks: list[tuple[int, int]] = []
    check_from: list[int] = []
    for at, letter in enumerate(letters):
        check_from.append(len(checks))
        if letter >= 0:
            checks.append((at, 1 << letter))
        elif allowed[at] != ALL:
            checks.append((at, allowed[at]))
    check_from.append(len(checks))
    return Lane(
        down=down,
        squares=squares,
        letters=letters,
        worth=board.worth[line],
        letter_times=board.letter_times[line],
        word_times=board.word_times[line],
        allowed=allowed,
        own=own[line],
        across=across,
        anchors=_anchors(letters, across, squares, board.start if first else -1),
        checks=checks,
        check_from=check_from,
    )


def _anchors(
    letters: tuple[int, ...], across: list[int], squares: tuple[int, ...], start: int
) -> tuple[bool, ...]:
    """Return which empty squares join a play to what lies, or to the start."""
    if not any(letter >= 0 for letter in letters):
        pairs = zip(across, squares, letters, strict=True)
        return tuple(
            [
                (points >= 0 or at == start) and here == EMPTY
                for points, at, here in pairs
            ]
        )
    lies = (False, *[letter >= 0 for letter in letters], False)
    return tuple(
        [
            letter == EMPTY and (lies[at] or lies[at + 2] or across[at] >= 0)
            for at, letter in enumerate(letters)
        ]
    )


def _crosses(
    board: Board, lines: list[tuple[int, ...]], words: WordMap
) -> tuple[list[int], list[int]]:
    """Return for each square what the words along some lines ask of it.

    Args:
        board: The position.
        lines: All rows or all columns.
        words: Where to look words up.

    Returns:
        Letters allowed (ALL where no word would arise), and the points of the tiles
        that would be in that word (-1 where none would).
    """
    allowed = [ALL] * len(board.letters)
    across = [-1] * len(board.letters)
    for line in lines:
        letters = [board.letters[square] for square in line]
        if max(letters) < 0:
            continue
        size, end = len(line), 0
        while end < size:
            begin = end
            while begin < size and letters[begin] < 0:
                begin += 1
            end = begin
            while end < size and letters[end] >= 0:
                end += 1
            # A run of letters from begin to end touches the squares at both its ends;
            # one with letters on either side was seen from its left, and is seen again.
            for at in (begin - 1, end):
                if 0 <= at < size and begin < end and letters[at] == EMPTY:
                    _ask(board, line, letters, at, words, allowed, across)
    return allowed, across


def _ask(
    board: Board,
    line: tuple[int, ...],
    letters: list[int],
    at: int,
    words: WordMap,
    allowed: list[int],
    across: list[int],
) -> None:
    """Fill in what one empty square beside letters is asked by its line."""
    begin, end = at, at + 1
    while begin and letters[begin - 1] >= 0:
        begin -= 1
    while end < len(line) and letters[end] >= 0:
        end += 1
    before, after = bytes(letters[begin:at]), bytes(letters[at + 1 : end])
    allowed[line[at]] = words.cross(before, after)
    across[line[at]] = sum([board.worth[square] for square in line[begin:end]])
