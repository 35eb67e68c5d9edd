"""Sets of cells of the board as whole numbers, one bit a cell.

Cell n of `rules.hexes.hexagon(side)` is bit n.  A state keeps tuples; these masks live
only while something is worked out, where they make "touches", "all but" and "is part
of" one operation each.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from string import ascii_uppercase

from msgspec import Struct

from rules import hexes
from rules.lhexicon.state import EMPTY, text
from rules.sentence import sentence


def mask(cells: Iterable[int]) -> int:
    """Return the set of these cell numbers."""
    total = 0
    for cell in cells:
        total |= 1 << cell
    return total


def members(cells: int) -> tuple[int, ...]:
    """Return the cell numbers of a set, ascending."""
    return tuple(_bits(cells))


def _bits(cells: int) -> Iterator[int]:
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


@cache
def whole(side: int) -> int:
    """Return the set of all cells of the board."""
    return (1 << len(hexes.hexagon(side))) - 1


@cache
def rim(side: int) -> int:
    """Return the set of the cells on the edge of the board."""
    return mask(hexes.border(side))


@cache
def centre(side: int) -> int:
    """Return the number of the centre cell."""
    return hexes.numbers(side)[hexes.CENTRE]


@cache
def around(side: int) -> tuple[int, ...]:
    """Return for each cell the set of its neighbours on the board."""
    return tuple(mask(row) for row in hexes.adjacent(side))


def spread(cells: int, side: int) -> int:
    """Return every cell next to one of these, some of these perhaps among them."""
    near, total = around(side), 0
    for cell in _bits(cells):
        total |= near[cell]
    return total


def flood(start: int, within: int, side: int) -> int:
    """Return the cells of `start` and all that can be reached from them in `within`."""
    part = fresh = start
    while fresh:
        fresh = spread(fresh, side) & within & ~part
        part |= fresh
    return part


def distances(goal: int, side: int) -> tuple[int, ...]:
    """Return for each cell how many steps the nearest of some cells is away.

    Where there is none it is as many as the board has cells.
    """
    count = len(hexes.hexagon(side))
    far = [count] * count
    reached = fresh = goal
    steps = 0
    while fresh:
        for cell in _bits(fresh):
            far[cell] = steps
        fresh = spread(fresh, side) & ~reached
        reached |= fresh
        steps += 1
    return tuple(far)


def groups(cells: int, side: int) -> Iterator[int]:
    """Yield the connected parts of a set, by their lowest cell."""
    while cells:
        part = flood(cells & -cells, cells, side)
        yield part
        cells &= ~part


# What the cells of Lhexicon are called: the column's letter, and the row's number.
#
# The columns stand upright, A at the left. Rows are level, 1 at the bottom, as one
# reads across the board: every other column stands half a cell higher, and so do its
# cells in the same row. The centre of a board of side 9 is I9, the first cells of its
# row and column are A9 and I1.


def column_name(side: int, q: int) -> str:
    """Return the letter of a column; after Z comes AA."""
    high, low = divmod(q + side - 1, len(ascii_uppercase))
    return f"{ascii_uppercase[high - 1] if high else ''}{ascii_uppercase[low]}"


def lowest(side: int, q: int) -> int:
    """Return the r of the lowest cell of a column."""
    return min(side - 1, side - 1 - q)


def halves(side: int, q: int, r: int) -> int:
    """Return how many halves of a cell above the lowest cell of all a cell stands."""
    return 2 * (side - 1) - (2 * r + q)


def row_number(side: int, q: int, r: int) -> int:
    """Return the number of the row that a cell is in, from 1."""
    return halves(side, q, r) // 2 + 1


def cell_name(side: int, cell: int) -> str:
    """Return what a cell is called, such as `H9`."""
    q, r = hexes.hexagon(side)[cell]
    return f"{column_name(side, q)}{row_number(side, q, r)}"


@cache
def cells(side: int) -> Mapping[str, int]:
    """Return every cell of a board by its name."""
    return {cell_name(side, cell): cell for cell in range(len(hexes.hexagon(side)))}


# Where a word may lie: one path over neighbouring cells that keeps the contact rule.
#
# Source document, chapter 2, I and IV. Nothing here knows a dictionary.


class Refusal(Struct, frozen=True, array_like=True):
    """Why a play is not allowed, and which cells show it."""

    reason: str
    """A sentence for the player."""

    cells: tuple[int, ...] = ()
    """The cells the sentence is about, for a window to mark."""


def touched(old: int, laid: int, side: int) -> int:
    """Return the earlier tiles that the word must use: those that touch a new one.

    "All previously played letters touching newly placed letters are to be used in the
    word" (source document, chapter 2, IV).

    Args:
        old: The set of cells that were filled before.
        laid: The set of cells filled now.
        side: Cells along one edge of the board.
    """
    return spread(laid, side) & old


def misplaced(
    letters: Sequence[int], laid: Mapping[int, int], path: Sequence[int], side: int
) -> Refusal | None:
    """Say what is wrong with where a word lies, or nothing.

    Args:
        letters: The letter on each cell before the play, `EMPTY` for none.
        laid: Cell -> letter for the tiles laid now.
        path: The cells of the marked word in spelling order.
        side: Cells along one edge of the board.

    Returns:
        The first rule broken, in the order in which a player sets about a word.
    """
    return next(_faults(letters, laid, path, side), None)


def _faults(
    letters: Sequence[int], laid: Mapping[int, int], path: Sequence[int], side: int
) -> Iterator[Refusal]:
    # Only the first is ever asked for, so each line may lean on those before it.
    if not laid:
        yield Refusal("No tiles played")
    if any(not 0 <= cell < len(letters) for cell in laid):
        yield Refusal("There is no such hexagon")
    taken = tuple(cell for cell in laid if letters[cell] != EMPTY)
    if taken:
        yield Refusal("There is a letter on that hexagon already", taken)
    after = {**{n: x for n, x in enumerate(letters) if x != EMPTY}, **laid}
    if len(set(path)) < len(path):
        yield Refusal("A letter may be used only once in the word", tuple(path))
    if any(cell not in after for cell in path):
        yield Refusal("The word runs over an empty hexagon")
    near = hexes.adjacent(side)
    for a, b in pairwise(path):
        if b not in near[a]:
            apart = sentence(
                "{one} and {other} are not on neighbouring hexagons",
                one=text(after[a]),
                other=text(after[b]),
            )
            yield Refusal(apart, (a, b))
    left = tuple(sorted(set(laid) - set(path)))
    if left:
        names, one = _listed(after, left), len(left) == 1
        laid_apart = (
            sentence("{others} was laid but is not in the word", others=names)
            if one
            else sentence("{others} were laid but are not in the word", others=names)
        )
        yield Refusal(laid_apart, left)
    if len(path) < 2:
        yield Refusal("A word has at least two letters", tuple(path))
    yield from _faults_of_contact(after, laid, path, side)


def _faults_of_contact(
    after: Mapping[int, int], laid: Mapping[int, int], path: Sequence[int], side: int
) -> Iterator[Refusal]:
    old = mask(after.keys() - laid.keys())
    word = mask(path)
    if not old and not word & 1 << centre(side):
        yield Refusal("The first word must cover the centre", (centre(side),))
    for cell in sorted(laid):
        missed = members(touched(old, 1 << cell, side) & ~word)
        if missed:
            template = "{letter} touches {others}, which are not in the word"
            if len(missed) == 1:
                template = "{letter} touches {others}, which is not in the word"
            names = _listed(after, missed)
            touching = sentence(template, letter=text(after[cell]), others=names)
            yield Refusal(touching, missed)
    if old and not word & old:
        yield Refusal("The word must use a letter already on the board")


def _listed(after: Mapping[int, int], which: Sequence[int]) -> str:
    return ", ".join(text(after[cell]) for cell in which)
