"""Every way to lay tiles and mark a word, by following paths over the board.

A depth-first walk in spelling order: from cell to neighbouring cell, over letters that
lie there and tiles put down on the way, as far as some word goes on.  A tile put down
next to earlier letters owes them to the word (`rules.lhexicon.contact`); that, and how
far the next earlier letter is, cuts most branches short.

The walk puts down letters, not tiles: of equal tiles it takes one, and only in the end
are the tiles named in every way.

Where any row of letters is a word nothing of this bounds the walk, and a crowded board
has more paths than can be followed.  There the walk begins beside the empty cells, and
goes on only while an empty cell and all letters owed can still be reached.  Whether a
path through all of them exists is as hard to tell as any puzzle there is; the walk
gives up when it has found nothing for too long.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import Final, NamedTuple

from rules import hexes
from rules.lhexicon import cells
from rules.lhexicon.letters import BLANK, EMPTY, STANDINS, spelling
from rules.lhexicon.spellings import Spellings

PATIENCE: Final = 5_000
"""Cells stepped on in vain before a walk over any row of letters ends."""

Rack = tuple[int, ...]
"""Kinds of tiles, ascending."""


class Step(NamedTuple):
    """One letter of the word: its cell, and the tile laid there if it is new."""

    cell: int
    letter: int
    tile: int = EMPTY


class _Mark(NamedTuple):
    """One letter of a word while it is looked for: the kind is that of a new tile."""

    cell: int
    letter: int
    kind: int = EMPTY


class _Option(NamedTuple):
    """A letter that a tile of the rack may put on an empty cell."""

    letter: int
    kind: int
    node: int
    rack: Rack
    most: int
    """How many letters may follow."""

    which: int
    """The set of letters that may follow."""


class Walk:
    """One search: the board as it is, and a word list."""

    def __init__(self, letters: Sequence[int], side: int, words: Spellings) -> None:
        """Prepare the walk.

        Args:
            letters: The letter on each cell, `EMPTY` for none.
            side: Cells along one edge of the board.
            words: The word list.
        """
        self._letters = letters
        self._words = words
        self._near = hexes.adjacent(side)
        old = cells.mask(n for n, x in enumerate(letters) if x != EMPTY)
        self._touches = [near & old for near in cells.around(side)]
        # The word has to take in one of these: an earlier letter or the centre.
        self._goal = old or 1 << cells.centre(side)
        self._far = cells.distances(self._goal, side)
        self._side = side
        self._old = old
        self._empty = (1 << len(letters)) - 1 & ~old
        # Of n steps to an earlier letter only n - 1 need a tile.
        self._spare = 1 if old else 0
        self._options: dict[tuple[int, Rack], tuple[_Option, ...]] = {}
        self._owing: dict[int, tuple[int, int]] = {0: (0, 0)}
        self._marks: list[_Mark] = []
        self._patience = PATIENCE

    def plays(self, rack: Sequence[tuple[int, int]]) -> Iterator[tuple[Step, ...]]:
        """Yield each play as the steps of its word, in a fixed order.

        Words that begin at or near earlier letters come first.  Where any row of
        letters is a word those are missing that come after `PATIENCE` steps in vain.

        Args:
            rack: The tiles that may be laid, each with its kind.
        """
        held = tuple(sorted(kind for _, kind in rack))
        for cell in self._starts():
            for marks in self._onto(cell, self._words.root, held, 0, 0):
                self._patience = PATIENCE
                yield from _named(marks, rack)

    def _starts(self) -> list[int]:
        """Return the cells where words begin, the most promising first."""
        every = range(len(self._letters))
        if self._words.bounded:
            return sorted(every, key=self._far.__getitem__)
        away = cells.distances(self._empty, self._side)
        return sorted(every, key=lambda cell: (self._far[cell] > 1, away[cell]))

    def _in_vain(self, cell: int, rack: Rack, used: int, owed: int) -> bool:
        self._patience -= 1
        return self._patience < 0 or self._hopeless(cell, rack, used, owed)

    def _hopeless(self, cell: int, rack: Rack, used: int, owed: int) -> bool:
        """Say whether what the word still needs is out of reach from its last cell."""
        laid = any(mark.kind != EMPTY for mark in self._marks)
        if laid and not owed:
            return False
        free = self._old & ~used
        reach = cells.flood(1 << cell, free | (self._empty if rack else 0), self._side)
        return bool(owed & ~reach) or not (laid or reach & self._empty & ~used)

    def _onto(
        self, cell: int, node: int, rack: Rack, used: int, owed: int
    ) -> Iterator[tuple[_Mark, ...]]:
        """Yield the words that go on with this cell.

        Args:
            cell: A cell not used yet.
            node: Where the letters so far have led.
            rack: The tiles left.
            used: The set of the cells so far.
            owed: The earlier letters still to be taken in.
        """
        now = used | 1 << cell
        letter = self._letters[cell]
        if letter != EMPTY:
            after = self._words.steps(node).get(letter, 0)
            if after and self._fits(owed & ~now, *self._words.ahead(after)):
                self._marks.append(_Mark(cell, letter))
                yield from self._further(cell, after, rack, now, owed & ~now)
                self._marks.pop()
            return
        if not now & self._goal and self._far[cell] >= len(rack) + self._spare:
            return
        owed = (owed | self._touches[cell]) & ~used
        for option in self._laying(node, rack):
            if self._fits(owed, option.most, option.which):
                self._marks.append(_Mark(cell, option.letter, option.kind))
                yield from self._further(cell, option.node, option.rack, now, owed)
                self._marks.pop()

    def _further(
        self, cell: int, node: int, rack: Rack, used: int, owed: int
    ) -> Iterator[tuple[_Mark, ...]]:
        if not owed and self._words.ends(node) and self._done(used):
            yield tuple(self._marks)
        if not self._words.bounded and self._in_vain(cell, rack, used, owed):
            return
        if self._words.steps(node):
            for following in self._near[cell]:
                if not used >> following & 1:
                    yield from self._onto(following, node, rack, used, owed)

    def _done(self, used: int) -> bool:
        return (
            len(self._marks) > 1
            and used & self._goal != 0
            and any(mark.kind != EMPTY for mark in self._marks)
        )

    def _laying(self, node: int, rack: Rack) -> tuple[_Option, ...]:
        """Return the letters that tiles may put down after a node."""
        found = self._options.get((node, rack))
        if found is None:
            found = tuple(self._found(node, rack))
            self._options[node, rack] = found
        return found

    def _found(self, node: int, rack: Rack) -> Iterator[_Option]:
        steps = self._words.steps(node)
        for index, kind in enumerate(rack):
            if index and rack[index - 1] == kind:
                continue
            rest = rack[:index] + rack[index + 1 :]
            for letter in STANDINS if kind == BLANK else (kind,):
                after = steps.get(letter, 0)
                if after:
                    ahead = self._words.ahead(after)
                    yield _Option(letter, kind, after, rest, *ahead)

    def _fits(self, owed: int, most: int, which: int) -> bool:
        """Say whether the letters owed may still follow."""
        count, letters = self._owing.get(owed) or self._owe(owed)
        return count <= most and not letters & ~which

    def _owe(self, owed: int) -> tuple[int, int]:
        """Return how many letters are owed, and the set of them (of QU, the Q)."""
        which = [self._letters[cell] for cell in cells.members(owed)]
        letters = cells.mask(spelling(letter)[0] for letter in which)
        self._owing[owed] = len(which), letters
        return self._owing[owed]


def _named(
    marks: Sequence[_Mark], rack: Sequence[tuple[int, int]]
) -> Iterator[tuple[Step, ...]]:
    """Yield a word laid with each choice among equal tiles."""
    kinds = sorted({mark.kind for mark in marks if mark.kind != EMPTY})
    choices = [
        permutations(
            [tile for tile, its_kind in rack if its_kind == kind],
            sum(mark.kind == kind for mark in marks),
        )
        for kind in kinds
    ]
    for chosen in product(*choices):
        tiles = dict(zip(kinds, map(iter, chosen), strict=True))
        yield tuple(
            Step(cell, letter, next(tiles[kind]) if kind != EMPTY else EMPTY)
            for cell, letter, kind in marks
        )
