"""The board as the search sees it: neighbours by kind, and walls as shifted bits.

And what may still follow the first letters of a word, where that is not much.
"""

from collections.abc import Iterator
from functools import cache, cached_property
from itertools import islice
from typing import Final, NamedTuple

from rules import hexes, lexicon
from rules.lexicon import Lexicon
from rules.lhexicon import BLANK, EMPTY, LETTERS, POINTS, State
from rules.lhexicon import cells as sets
from rules.lhexicon.judging import TRAP_POINTS as PER_CELL
from rules.lhexicon.state import spelling

MANY: Final = 150
"""From so many endings on, nothing is said of them: looking at each costs too much."""

EVERY_LETTER: Final = (1 << len(LETTERS)) - 1

Ending = tuple[int, int]
"""What the letters of an ending score, and the set of them."""


class Ahead(NamedTuple):
    """What may follow a node."""

    most: int
    """How many letters at most."""

    which: int
    """The set of all of them."""

    endings: tuple[Ending, ...] | None
    """Each ending, the one that scores most first; None if there are more than
    `MANY`."""


WIDE: Final = Ahead(1 << 30, EVERY_LETTER, None)
"""Of a node that many words go through."""


class Outlook:
    """The endings of a dictionary's words, worked out where they are asked for."""

    def __init__(self, words: Lexicon) -> None:
        """Take a dictionary; nothing of it is looked at yet."""
        self._words = words
        self._sets: dict[Ending, Ending] = {}
        self.known: Final[dict[int, Ahead]] = {}
        """What has been asked for; look here first."""

    def ahead(self, node: int) -> Ahead:
        """Return what may follow a node."""
        found = self.known.get(node)
        if found is None:
            found = self.known[node] = self._look(node)
        return found

    def _look(self, node: int) -> Ahead:
        words = self._words
        best: dict[int, int] = {}
        most = which = count = 0
        rows = [(node, 0, 0, 0)]
        while rows:
            at, length, points, letters = rows.pop()
            if words.ends(at):
                count += 1
                if count > MANY:
                    return WIDE
                best[letters] = max(best.get(letters, 0), points)
                most = max(most, length)
                which |= letters
            for letter, after in words.arcs(at):
                row = points + POINTS[letter], letters | 1 << letter
                rows.append((after, length + 1, *row))
        endings = [(points, letters) for letters, points in best.items()]
        shared = (self._sets.setdefault(each, each) for each in endings)
        return Ahead(most, which, tuple(sorted(shared, reverse=True)))


@cache
def outlook(digest: str) -> Outlook:
    """Return the endings of a dictionary's words, the same object each time.

    Raises:
        LookupError: It is not here.
    """
    return Outlook(lexicon.find(digest))


class Taken(NamedTuple):
    """An earlier letter next to a cell."""

    cell: int
    bit: int
    letter: int
    value: int


class Free(NamedTuple):
    """An empty cell next to a cell."""

    cell: int
    bit: int

    touches: int
    """The set of earlier letters next to it."""

    far: int
    """How many steps it is from the next earlier letter; before there is one, from
    the centre, and one more."""

    @property
    def first(self) -> bool:
        """Whether a run up may end here: next to a letter, or on the centre."""
        return self.far == 1


class Way(NamedTuple):
    """Cells on which a run up may lie."""

    path: tuple[int, ...]
    cells: int
    """The same as a set."""

    bits: int
    """The same as `Walls` has them."""


Winding = tuple[tuple[int, ...], int, int]
"""A way, its cells as a set, and the set of those next to them."""

LONGEST_CURL: Final = 4
"""Cells of a way whose every winding is tried; there are some 400 of this length."""

WAYS: Final = 48
"""How many ways of one length to keep: enough that one is free of what follows."""


REACH: Final = 3
"""Steps from a cell to earlier letters that may still follow it."""


class Walls:
    """Traps before and after a play, on a board with a margin.

    Cell (q, r) is bit `q + r * width` of a board with a margin all round, so that the
    neighbours of a whole set are six shifts away.  The margin counts as empty, and a
    trap is what the margin does not reach: a group with no cell on the edge.
    """

    def __init__(self, side: int, empty: int) -> None:
        """Take the board's side and the set of its empty cells (by cell number)."""
        reach = side
        self._width = width = 2 * reach + 2
        zero = reach * width + reach
        places = [zero + q + r * width for q, r in hexes.hexagon(side)]
        self.bits: Final = tuple(1 << place for place in places)
        board = sum(self.bits)
        self._margin = self._near(board) & ~board
        self._open = self.of(empty) | self._margin
        self._outside = self._flood(self._margin, self._open)
        self._trapped = self._open & ~self._outside
        self._old = tuple(self._groups(self._trapped))
        self._known: dict[int, int] = {}

    def of(self, cells: int) -> int:
        """Return a set of cell numbers as shifted bits."""
        return sum(self.bits[cell] for cell in sets.members(cells))

    def gain(self, laid: int) -> int:
        """Return the points for traps that filling these cells (shifted bits) earns."""
        found = self._known.get(laid)
        if found is None:
            found = self._known[laid] = self._gain(laid)
        return found

    def _gain(self, laid: int) -> int:
        left = self._open & ~laid
        near = self._near(laid) & left
        start = near & -near
        if not near & ~self._flood(start, near):
            return 0  # what the tiles touch hangs together: nothing is cut off
        caught = 0
        if laid & self._outside:
            caught = left & self._outside & ~self._flood(self._margin, left)
        count = caught.bit_count()
        for trap in self._old:
            if trap & laid and len(tuple(self._groups(trap & left))) > 1:
                count += (trap & left).bit_count()
        return PER_CELL * count

    @cached_property
    def opening(self) -> int:
        """The most points that a single tile could earn in traps now."""
        free = (bit for bit in self.bits if bit & self._open)
        return max(map(self.gain, free), default=0)

    def trapped(self, laid: int) -> int:
        """Return how many empty cells are in traps after a play (shifted bits)."""
        left = self._open & ~laid
        return (left & ~self._flood(self._margin, left)).bit_count()

    def _near(self, cells: int) -> int:
        width = self._width
        along = cells << 1 | cells >> 1
        return (
            along
            | cells << width
            | cells >> width
            | cells << width - 1
            | cells >> width - 1
        )

    def _flood(self, start: int, within: int) -> int:
        width, less = self._width, self._width - 1
        reached, before = start, 0
        while reached != before:
            before = reached
            reached |= (
                reached << 1
                | reached >> 1
                | reached << width
                | reached >> width
                | reached << less
                | reached >> less
            ) & within
        return reached

    def _groups(self, cells: int) -> "list[int]":
        found: list[int] = []
        while cells:
            group = self._flood(cells & -cells, cells)
            found.append(group)
            cells &= ~group
        return found


class Ground:
    """A position's board, laid out for a quick walk."""

    def __init__(self, state: State) -> None:
        side = state.options.side
        self.letters: Final = state.letters
        self.values: Final = tuple(
            POINTS[BLANK if cell in state.blanks else letter] if letter != EMPTY else 0
            for cell, letter in enumerate(state.letters)
        )
        self.old: Final = sets.mask(n for n, x in enumerate(self.letters) if x != EMPTY)
        self.empty: Final = sets.whole(side) & ~self.old
        self.goal: Final = self.old or 1 << sets.centre(side)
        near = hexes.adjacent(side)
        far = sets.distances(self.goal, side)
        if not self.old:
            far = tuple(steps + 1 for steps in far)
        touches = tuple(ring & self.old for ring in sets.around(side))
        self.free: Final = tuple(
            Free(cell, 1 << cell, touches[cell], far[cell]) for cell in range(len(near))
        )
        self.taken_near: Final = tuple(
            tuple(
                Taken(n, 1 << n, self.letters[n], self.values[n])
                for n in row
                if self.letters[n] != EMPTY
            )
            for row in near
        )
        earlier = frozenset(sets.members(self.old))
        allowed = self.empty
        if not self.old:
            # Worth a look on an empty board: a row, and a ring on it. All other ways
            # to lay the first word are much like these, and there are too many.
            number = hexes.numbers(side)
            cells = {*((q, 0) for q in range(1 - side, side)), *hexes.ring(1, (1, 0))}
            allowed = sets.mask(number[cell] for cell in cells)
        self.free_near: Final = tuple(
            tuple(self.free[n] for n in row if allowed >> n & 1) for row in near
        )
        self.shore: Final = tuple(
            0 if free.cell in earlier else 1 if free.far == 1 else -1
            for free in self.free
        )
        """0 for an earlier letter, 1 for a cell next to one, -1 for one further off."""
        self.beyond: Final = _beyond(self.letters, near)
        """For each cell the letters that lie nowhere within `REACH` of it."""
        self._side = side
        self._around = sets.around(side)
        self._winds: dict[tuple[int, int], list[Winding]] = {}
        self._ways: dict[tuple[int, int], tuple[Way, ...]] = {}

    def ways(self, cell: int, length: int) -> tuple[Way, ...]:
        """Return ways of so many cells, touching no earlier letter, up to a cell.

        The way leads to the cell and does not hold it.  Those that come from far
        away are first.
        """
        found = self._ways.get((cell, length))
        if found is None:
            found = self._ways[cell, length] = self._lead(cell, length)
        return found

    def _lead(self, cell: int, length: int) -> tuple[Way, ...]:
        if not length:
            return (Way((), 0, 0),)
        found = [
            Way(
                (free.cell, *way.path),
                way.cells | free.bit,
                way.bits | self.walls.bits[free.cell],
            )
            for way in self.ways(cell, length - 1)
            for free in self.free_near[way.path[0] if way.path else cell]
            if free.far > 1 and not way.cells & free.bit
        ]
        found.sort(key=lambda way: -self.free[way.path[0]].far)
        return tuple(found[:: max(1, len(found) // WAYS)][:WAYS])

    def curls(self, cell: int, length: int, used: int) -> Iterator[tuple[int, ...]]:
        """Yield the ways that wind back to other cells of the word, or to themselves.

        Args:
            cell: Where the way leads to; it does not hold it.
            length: How many cells it has.
            used: The set of the word's other cells, `cell` among them.
        """
        for path, way, near in self._winding(cell, min(length, LONGEST_CURL)):
            if not way & used and near & used & ~(1 << cell):
                yield from self._leading(path, way | used, length - len(path))

    def _winding(
        self, cell: int, length: int
    ) -> list[tuple[tuple[int, ...], int, int]]:
        """Return all ways to a cell, each with its set and the cells next to it."""
        found = self._winds.get((cell, length))
        if found is None:
            found = (
                [((), 0, 0)]
                if not length
                else [
                    ((free.cell, *path), way | free.bit, near | self._around[free.cell])
                    for path, way, near in self._winding(cell, length - 1)
                    for free in self.free_near[path[0] if path else cell]
                    if free.far > 1 and not way & free.bit
                ]
            )
            self._winds[cell, length] = found
        return found

    def _leading(
        self, path: tuple[int, ...], used: int, more: int
    ) -> Iterator[tuple[int, ...]]:
        """Yield a way made longer by so many cells, the first that can be."""
        if not more:
            yield path
            return
        for free in self.free_near[path[0]]:
            if free.far > 1 and not used & free.bit:
                longer = (free.cell, *path)
                yield from islice(self._leading(longer, used | free.bit, more - 1), 1)

    @cached_property
    def walls(self) -> Walls:
        """Return the traps of the board."""
        return Walls(self._side, self.empty)


def _beyond(
    letters: tuple[int, ...], near: tuple[tuple[int, ...], ...]
) -> tuple[int, ...]:
    """Return for each cell the set of the letters that do not lie near it."""
    found = [
        sets.mask(spelling(letter)) if letter != EMPTY else 0 for letter in letters
    ]
    for _ in range(REACH):
        before = tuple(found)
        for cell, row in enumerate(near):
            for n in row:
                found[cell] |= before[n]
    return tuple(EVERY_LETTER & ~each for each in found)
