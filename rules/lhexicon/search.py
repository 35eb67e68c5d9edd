"""Every way to lay tiles and mark a word, by following paths over the board.

A depth-first walk in spelling order: from each cell to each neighbour, over letters
that lie there and tiles put down on the way, as far as some word goes on.  The first
tile put down next to earlier letters owes them to the word (`rules.lhexicon.contact`),
which cuts most branches short.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from rules import hexes
from rules.lhexicon import cells
from rules.lhexicon.letters import BLANK, EMPTY, STANDINS, spelling


class Graph(Protocol):
    """What the walk needs of a word list: see `rules.lexicon.Lexicon`."""

    @property
    def root(self) -> int:
        """Return the node before the first letter."""
        ...

    @property
    def longest(self) -> int:
        """Return the letters of the longest word."""
        ...

    def child(self, node: int, letter: int, /) -> int:
        """Return the node one letter on, or 0."""
        ...

    def ends(self, node: int, /) -> bool:
        """Return whether the letters up to a node are a word."""
        ...


class Anything:
    """The word list in which every row of letters is a word, for unchecked plays."""

    root = 1
    longest = 1 << 30

    def child(self, node: int, _letter: int, /) -> int:
        """Return the only node there is."""
        return node

    def ends(self, _node: int, /) -> bool:
        """Return True."""
        return True


class Step(NamedTuple):
    """One letter of the word: its cell, and the tile laid there if it is new."""

    cell: int
    letter: int
    tile: int = EMPTY


class _Way(NamedTuple):
    """How far a walk has come."""

    steps: tuple[Step, ...]
    node: int
    rack: tuple[tuple[int, int], ...]
    """The tiles left, each with its kind."""

    used: int = 0
    owed: int = 0


class Walk:
    """One search: the board as it is, a rack and a word list."""

    def __init__(self, letters: Sequence[int], side: int, graph: Graph) -> None:
        """Prepare the walk.

        Args:
            letters: The letter on each cell, `EMPTY` for none.
            side: Cells along one edge of the board.
            graph: The word list.
        """
        self._letters = letters
        self._graph = graph
        self._near = hexes.adjacent(side)
        self._around = cells.around(side)
        self._old = cells.mask(n for n, x in enumerate(letters) if x != EMPTY)
        # The word has to take in one of these: an earlier letter or the centre.
        self._goal = self._old or 1 << cells.centre(side)
        self._far = _distances(self._goal, side)
        # Of n steps to an earlier letter only n - 1 need a tile.
        self._spare = 1 if self._old else 0

    def plays(self, rack: Sequence[tuple[int, int]]) -> Iterator[tuple[Step, ...]]:
        """Yield each play as the steps of its word, in a fixed order.

        Args:
            rack: The tiles that may be laid, each with its kind.
        """
        waiting = [_Way((), self._graph.root, tuple(rack))]
        while waiting:
            way = waiting.pop()
            if self._done(way):
                yield way.steps
            waiting += reversed(list(self._further(way)))

    def _done(self, way: _Way) -> bool:
        return (
            len(way.steps) > 1
            and self._graph.ends(way.node)
            and not way.owed
            and bool(way.used & self._goal)
            and any(step.tile != EMPTY for step in way.steps)
        )

    def _further(self, way: _Way) -> Iterator[_Way]:
        """Yield the ways one cell longer that may still come to something."""
        following: Sequence[int] = (
            self._near[way.steps[-1].cell] if way.steps else range(len(self._letters))
        )
        for cell in following:
            if way.used >> cell & 1:
                continue
            for longer in self._onto(way, cell):
                if self._promising(longer):
                    yield longer

    def _onto(self, way: _Way, cell: int) -> Iterator[_Way]:
        if self._letters[cell] != EMPTY:
            yield from self._put(way, Step(cell, self._letters[cell]), way.rack)
            return
        for index, (tile, kind) in enumerate(way.rack):
            rest = way.rack[:index] + way.rack[index + 1 :]
            for letter in STANDINS if kind == BLANK else (kind,):
                yield from self._put(way, Step(cell, letter, tile), rest)

    def _put(
        self, way: _Way, step: Step, rack: tuple[tuple[int, int], ...]
    ) -> Iterator[_Way]:
        node = way.node
        for letter in spelling(step.letter):
            node = self._graph.child(node, letter)
        if node:
            used = way.used | 1 << step.cell
            touched = self._old & self._around[step.cell] if step.tile != EMPTY else 0
            owed = (way.owed | touched) & ~used
            yield _Way((*way.steps, step), node, rack, used, owed)

    def _promising(self, way: _Way) -> bool:
        if way.owed.bit_count() > self._graph.longest - len(way.steps):
            return False
        if way.used & self._goal:
            return True
        return self._far[way.steps[-1].cell] <= len(way.rack) + self._spare


def _distances(goal: int, side: int) -> tuple[int, ...]:
    """Return each cell's distance from the nearest of some cells."""
    count = len(hexes.hexagon(side))
    far = [count] * count
    reached, steps = goal, 0
    fresh = goal
    while fresh:
        for cell in cells.members(fresh):
            far[cell] = steps
        fresh = cells.spread(fresh, side) & ~reached
        reached |= fresh
        steps += 1
    return tuple(far)
