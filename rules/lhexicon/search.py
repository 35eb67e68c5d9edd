"""Every way to lay tiles and mark a word, by following paths over the board.

A depth-first walk in spelling order: from cell to neighbouring cell, over letters that
lie there and tiles put down on the way, as far as some word goes on.  A tile put down
next to earlier letters owes them to the word (`rules.lhexicon.cells`); that, and how
far the next earlier letter is, cuts most branches short.

The walk puts down letters, not tiles: of equal tiles it takes one, and only in the end
are the tiles named in every way.

Where any row of letters is a word nothing of this bounds the walk, and a crowded board
has more paths than can be followed.  There the walk begins beside the empty cells, and
goes on only while an empty cell and all letters owed can still be reached.  Whether a
path through all of them exists is as hard to tell as any puzzle there is; the walk
gives up when it has found nothing for too long.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, permutations, product
from typing import Final, NamedTuple, Protocol

from rules import hexes, lexicon, tiles
from rules.game import CHANCE, CLOCK, Actor, Seat
from rules.lexicon import Lexicon
from rules.lhexicon import cells
from rules.lhexicon.judging import checked, lay, pick_up, spelled
from rules.lhexicon.state import (
    BLANK,
    EMPTY,
    LETTERS,
    QU,
    STANDINS,
    Accept,
    Challenge,
    Discard,
    Expire,
    Insist,
    Lay,
    Move,
    Pass,
    PickUp,
    Placed,
    State,
    Swap,
    Withdraw,
    spelling,
)
from rules.lhexicon.turns import actors

# What a search over the board asks of a word list, worked out once and kept.


_Q, _U = spelling(QU)
_ALL: Final = (1 << len(LETTERS)) - 1


class Spellings(Protocol):
    """Nodes of a word list, and how words go on from them."""

    @property
    def bounded(self) -> bool:
        """Return whether the words come to an end by themselves, and soon."""
        ...

    @property
    def root(self) -> int:
        """Return the node before the first letter."""
        ...

    def steps(self, node: int, /) -> Mapping[int, int]:
        """Return where each letter of the board leads, `letters.QU` among them."""
        ...

    def ends(self, node: int, /) -> bool:
        """Return whether the letters up to a node are a word."""
        ...

    def ahead(self, node: int, /) -> tuple[int, int]:
        """Return how many letters may follow at most, and the set of which ones."""
        ...


class Known:
    """The words of a lexicon."""

    def __init__(self, words: Lexicon) -> None:
        """Take a lexicon; nothing of it is looked at yet."""
        self._words = words
        self.bounded: Final = True
        self.root: Final = words.root
        self.ends: Final = words.ends
        self._steps: dict[int, dict[int, int]] = {}
        self._ahead: dict[int, tuple[int, int]] = {}

    def steps(self, node: int, /) -> Mapping[int, int]:
        """Return where each letter of the board leads."""
        found = self._steps.get(node)
        if found is None:
            found = dict(self._words.arcs(node))
            both = self._words.child(found.get(_Q, 0), _U)
            if both:
                found[QU] = both
            self._steps[node] = found
        return found

    def ahead(self, node: int, /) -> tuple[int, int]:
        """Return how many letters may follow at most, and the set of which ones."""
        found = self._ahead.get(node)
        if found is None:
            most, which = 0, 0
            for letter, after in self._words.arcs(node):
                further, others = self.ahead(after)
                most = max(most, further + 1)
                which |= others | 1 << letter
            found = self._ahead[node] = most, which
        return found


class Anything:
    """Every row of letters, for plays that nobody checks."""

    def __init__(self) -> None:
        self.bounded: Final = False
        self.root: Final = 1
        self._everywhere: Final = dict.fromkeys(STANDINS, 1)

    def steps(self, _node: int, /) -> Mapping[int, int]:
        """Return the only node there is, for every letter."""
        return self._everywhere

    def ends(self, _node: int, /) -> bool:
        """Return True."""
        return True

    def ahead(self, _node: int, /) -> tuple[int, int]:
        """Return that no length and no letter is excluded."""
        return 1 << 30, _ALL


@cache
def known(digest: str) -> Known:
    """Return the words of a lexicon, the same object each time.

    Raises:
        LookupError: It is not here.
    """
    return Known(lexicon.find(digest))


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
        # Words begin at the most promising cells first.
        every = range(len(self._letters))
        if self._words.bounded:
            starts = sorted(every, key=self._far.__getitem__)
        else:
            away = cells.distances(self._empty, self._side)
            starts = sorted(every, key=lambda cell: (self._far[cell] > 1, away[cell]))
        for cell in starts:
            for marks in self._onto(cell, self._words.root, held, 0, 0):
                self._patience = PATIENCE
                yield from _named(marks, rack)

    def _hopeless(self, cell: int, rack: Rack, used: int, owed: int) -> bool:
        """Say whether what the word still needs is out of reach from its last cell.

        Or whether there is no patience left to find it.
        """
        self._patience -= 1
        if self._patience < 0:
            return True
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
        # The letters that tiles may put down after a node
        found = self._options.get((node, rack))
        if found is None:
            found = tuple(self._found(node, rack))
            self._options[node, rack] = found
        for option in found:
            if self._fits(owed, option.most, option.which):
                self._marks.append(_Mark(cell, option.letter, option.kind))
                yield from self._further(cell, option.node, option.rack, now, owed)
                self._marks.pop()

    def _further(
        self, cell: int, node: int, rack: Rack, used: int, owed: int
    ) -> Iterator[tuple[_Mark, ...]]:
        if (
            not owed
            and self._words.ends(node)
            and len(self._marks) > 1
            and used & self._goal
            and any(mark.kind != EMPTY for mark in self._marks)
        ):
            yield tuple(self._marks)
        if not self._words.bounded and self._hopeless(cell, rack, used, owed):
            return
        if self._words.steps(node):
            for following in self._near[cell]:
                if not used >> following & 1:
                    yield from self._onto(following, node, rack, used, owed)

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
        if owed not in self._owing:
            # How many letters are owed, and the set of them (of QU, the Q)
            lying = [self._letters[cell] for cell in cells.members(owed)]
            wanted = cells.mask(spelling(letter)[0] for letter in lying)
            self._owing[owed] = len(lying), wanted
        count, letters = self._owing[owed]
        return count <= most and not letters & ~which


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


# Every legal move, one after another in a fixed order.


def moves(state: State, actor: Actor) -> Iterator[Move]:
    """Yield every legal move but `Resign`.

    Words of the dictionary come first, then discards, blanks to pick up and a pass.
    Where words are not checked, others come last: there is no end of them, and on a
    crowded board those that are hard to find are left out.  On a view only the moves
    that need no unknown letter are found.
    """
    if actor not in actors(state):
        return
    if actor == CHANCE:
        yield from tiles.reveals(state.tiles)
    elif actor == CLOCK:
        yield Expire()
    elif state.announced:
        doubted = state.announced.challenger is not None
        yield from (Withdraw(), Insist()) if doubted else (Accept(), Challenge())
    else:
        yield from _words(state, actor)
        rack = state.tiles.racks[actor]
        most = min(len(rack), tiles.bag_size(state.tiles))
        for size in range(1, most + 1):
            for numbers in combinations(rack, size):
                yield Discard(numbers)
        yield from _pick_ups(state, actor)
        yield Pass()
        if not checked(state):
            # The words that are not in the dictionary
            words = lexicon.find(state.options.lexicon)
            for steps in _walk(state, actor, Anything()):
                letters = {step.cell: step.letter for step in steps}
                if not words.has(spelled(state.letters, letters, tuple(letters))):
                    yield _lay(state, steps)


def _words(state: State, seat: Seat) -> Iterator[Lay]:
    for steps in _walk(state, seat, known(state.options.lexicon)):
        yield _lay(state, steps)


def _walk(state: State, seat: Seat, words: Spellings) -> Iterator[tuple[Step, ...]]:
    walk = Walk(state.letters, state.options.side, words)
    return walk.plays(_held(state, seat))


def _held(state: State, seat: Seat) -> tuple[tuple[int, int], ...]:
    rack = tiles.on_rack(state.tiles, seat)
    return tuple((tile, kind) for tile, kind in rack.items() if kind >= 0)


def _lay(state: State, steps: tuple[Step, ...]) -> Lay:
    laid = [
        Placed(step.tile, step.cell, step.letter)
        for step in steps
        if step.tile != EMPTY
    ]
    return lay(state, laid, [step.cell for step in steps])


def _pick_ups(state: State, seat: Seat) -> Iterator[PickUp]:
    held = _held(state, seat)
    for size in range(1, len(state.blanks) + 1):
        for where in combinations(state.blanks, size):
            for chosen in permutations(held, size):
                kinds = [kind for _, kind in chosen]
                if kinds == [state.letters[cell] for cell in where]:
                    numbers = [tile for tile, _ in chosen]
                    yield pick_up(state, list(map(Swap, numbers, where)))
