"""Whether tiles make a play, and what it scores.

Source document, Forming words, Scoring.
"""

from collections.abc import Iterable, Sequence
from string import ascii_uppercase

from msgspec import Struct
from msgspec.structs import replace

from rules.game import IllegalMoveError, Seat
from rules.networdz.values import Ground, Laid, Lay, Line, State, ground
from rules.sentence import sentence
from rules.tiles import Shown, kind_of, owner


class Placed(Struct, frozen=True, array_like=True):
    """A tile on a cell, its kind known."""

    cell: int
    kind: int
    letter: int


class Verdict(Struct, frozen=True, array_like=True):
    """What a play comes to."""

    lines: tuple[Line, ...] = ()
    """What it adds to the word list; the words even where one is wrong."""

    points: int = 0
    error: str = ""
    """Why it is none, in the document's words; empty if it is one."""

    cells: tuple[int, ...] = ()
    """Where the first of the words lies."""


def judge_placed(
    ground: Ground, letters: bytes, kinds: bytes, placed: Sequence[Placed]
) -> Verdict:
    """Return what tiles laid on a board come to.

    Args:
        ground: Board, points and words.
        letters: The board before, as in the state.
        kinds: Likewise.
        placed: The tiles, ascending by cell, on empty squares of the board.
    """
    if not placed:
        return Verdict(error="No tiles played")
    cells = [each.cell for each in placed]
    rows, columns = ground.row(cells[0]), ground.column(cells[0])
    if all(cell in rows for cell in cells):
        along, across = rows, [ground.column(cell) for cell in cells]
    elif all(cell in columns for cell in cells):
        along, across = columns, [ground.row(cell) for cell in cells]
    else:
        return Verdict(error="Your tiles are not in a line")
    after, values = bytearray(letters), bytearray(kinds)
    for each in placed:
        after[each.cell] = each.letter + 1
        values[each.cell] = each.kind + 1
    main = around(after, along, cells[0])
    runs = [around(after, line, cell) for line, cell in zip(across, cells, strict=True)]
    crosses = [run for run in runs if len(run) > 1]
    # A single tile that makes no word along the row is read down the column.
    if len(main) == 1 and len(cells) == 1 and crosses:
        main, crosses = crosses[0], []
    if main[-1] < cells[-1]:
        return Verdict(error="Only one word allowed")
    if not any(letters):
        if ground.start not in cells:
            return Verdict(error="Word must cover center square")
    elif len(main) == len(cells) and not crosses:
        return Verdict(error="Tiles are not connected")
    return _scored(ground, after, values, (main, *crosses), frozenset(cells))


def around(letters: bytes | bytearray, line: range, cell: int) -> range:
    """Return a cell and, along a line, the occupied ones around it without a gap."""
    low = high = line.index(cell)
    while low > 0 and letters[line[low - 1]]:
        low -= 1
    while high + 1 < len(line) and letters[line[high + 1]]:
        high += 1
    return line[low : high + 1]


def _scored(
    ground: Ground,
    after: bytearray,
    values: bytearray,
    words: Sequence[range],
    new: frozenset[int],
) -> Verdict:
    """Return the words, their points and the first that is not in the dictionary."""
    lines: list[Line] = []
    error = ""
    for run in words:
        word = tuple(after[cell] - 1 for cell in run)
        text = ground.spell(word)
        if not 2 <= len(word) <= ground.edition.longest or not ground.words.has(word):
            error = error or sentence("{word} is not in the dictionary", word=text)
        lines.append(
            Line(f"+{text}" if lines else text, _points(ground, values, run, new))
        )
    if len(new) == ground.edition.rack:
        lines.append(Line("++", ground.edition.bingo))
    points = sum(line.points for line in lines)
    return Verdict(tuple(lines), points, error, tuple(words[0]))


def _points(ground: Ground, values: bytearray, run: range, new: frozenset[int]) -> int:
    """Return a word's score; premiums count only under tiles newly laid."""
    total, factor = 0, 1
    for cell in run:
        points = ground.points[values[cell] - 1]
        if cell in new:
            points *= ground.letter_factor[cell]
            factor *= ground.word_factor[cell]
        total += points
    return total * factor


# How squares of Networdz are called, as word-game programs do.


def column_name(column: int) -> str:
    """Return the letters of a column, from 0: A to Z, then AA and so on."""
    high, low = divmod(column, len(ascii_uppercase))
    return f"{ascii_uppercase[high - 1] if high else ''}{ascii_uppercase[low]}"


def square_name(ground: Ground, cell: int, *, down: bool) -> str:
    """Return what a square is called: `8H` for a word across, `H8` for one down."""
    row, column = divmod(cell, ground.width)
    name = column_name(column)
    return f"{name}{row + 1}" if down else f"{row + 1}{name}"


# From the tiles a seat lays to a move, and back to what it comes to.


def lay(state: State, seat: Seat, laid: Iterable[Laid]) -> Lay:
    """Return the move that lays tiles of a seat's rack, given in any order.

    Args:
        state: One that knows the rack: the full state or the seat's own view.
        seat: Whose rack.
        laid: The letter matters for a blank only.

    Raises:
        IllegalMoveError: A tile is not on the rack.
    """
    blank = ground(state.options).blank
    ordered: list[Laid] = []
    shown: list[Shown] = []
    for each in sorted(laid, key=lambda laid: laid.cell):
        kind = kind_of(state.tiles, each.tile)
        if owner(state.tiles, each.tile) != seat or kind < 0:
            raise IllegalMoveError("That tile is not on the rack")
        letter = each.letter if kind == blank else kind
        ordered.append(Laid(each.cell, each.tile, letter))
        shown.append(Shown(each.tile, kind))
    return Lay(tuple(ordered), tuple(shown))


def unchecked(state: State) -> bool:
    """Say whether words stand until they are challenged; alone nobody would do so."""
    if state.options.challenge == "none":
        return False
    return len(state.scores) - len(state.resigned) > 1


def judge(state: State, seat: Seat, laid: Iterable[Laid]) -> Verdict:
    """Return the words and points that tiles would make, or why they may not be laid.

    For windows: the tentative score, before anything is played.  Where an invalid play
    may be made the dictionary has no say: words count as if all were good.

    Args:
        state: One that knows the rack: the full state or the seat's own view.
        seat: Whose rack.
        laid: In any order; the letter matters for a blank only.
    """
    try:
        found = judge_lay(state, lay(state, seat, laid))
        free = state.options.tournament or unchecked(state)
        return replace(found, error="") if free and len(found.cells) > 1 else found
    except IllegalMoveError as error:
        return Verdict(error=error.words)


def judge_lay(state: State, move: Lay) -> Verdict:
    """Return what a move comes to; that the seat holds the tiles is checked elsewhere.

    Raises:
        IllegalMoveError: The tiles cannot lie so at all.
    """
    field = ground(state.options)
    return judge_placed(field, state.letters, state.kinds, placed(field, state, move))


def placed(field: Ground, state: State, move: Lay) -> Sequence[Placed]:
    """Return the tiles of a move on their squares.

    Raises:
        IllegalMoveError: A square is none, blocked or taken; a letter is not the
            tile's; or the move is not written in the one allowed order.
    """
    if [each.tile for each in move.laid] != [each.tile for each in move.shown]:
        raise IllegalMoveError("The tiles shown are not the tiles laid")
    found: list[Placed] = []
    before = -1
    for each, shown in zip(move.laid, move.shown, strict=True):
        if not before < each.cell < field.size:
            raise IllegalMoveError("Tiles are laid on squares of the board, in order")
        before = each.cell
        if field.blocked[each.cell]:
            raise IllegalMoveError("You cannot play tiles on the blocked squares")
        if state.letters[each.cell]:
            raise IllegalMoveError("There is a tile on that square already")
        if shown.kind == field.blank:
            if each.letter not in field.free:
                raise IllegalMoveError("The blank needs a letter")
        elif each.letter != shown.kind:
            raise IllegalMoveError("That tile has another letter")
        found.append(Placed(each.cell, shown.kind, each.letter))
    return found
