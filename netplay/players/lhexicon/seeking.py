"""Looking for the plays worth most, as long as there is time."""

from collections.abc import Callable, Iterator, Sequence
from heapq import heappush, heapreplace
from typing import Final, NamedTuple

from netplay.players.lhexicon.ground import Free, Ground, Way
from rules.lhexicon import BLANK, EMPTY, POINTS
from rules.lhexicon import cells as sets
from rules.lhexicon.letters import STANDINS, spelling
from rules.lhexicon.spellings import Known

CHECK_EVERY: Final = 255
"""Steps between two looks at the clock, less one; a power of two less one."""

Rack = tuple[int, ...]
"""Kinds of tiles, ascending."""

Mark = tuple[int, int]
"""The letter on a cell and the kind of the new tile there, `EMPTY` for an old one."""


KEEP: Final = 300
"""How many of the best plays to keep."""


class Found(NamedTuple):
    """A play: what it scores, and how it is laid."""

    score: int
    serial: int
    """Tells equal scores apart: found earlier, greater."""

    path: tuple[int, ...]
    marks: tuple[Mark, ...]
    rest: Rack
    """What is left on the rack."""


class TimeIsUpError(Exception):
    """The walk stops where it is."""


class Option(NamedTuple):
    """A letter that a tile of the rack may put on an empty cell."""

    mark: Mark
    node: int
    rest: Rack
    value: int
    most: int
    which: int


RunUp = tuple[int, Rack, tuple[Mark, ...], int]
"""Where its letters lead, the tiles left, the letters, what they score."""


class Seeker:
    """A search over one position; what it has found may be read at any time."""

    def __init__(
        self,
        ground: Ground,
        words: Known,
        late: Callable[[], bool],
        knows: Callable[[tuple[int, ...]], bool] | None = None,
    ) -> None:
        """Prepare the search.

        Args:
            ground: The board.
            words: The dictionary.
            late: Says that the time is up.
            knows: Says which of its words the player knows; None for all.
        """
        self._ground = ground
        self._words = words
        self._late = late
        self._knows = knows
        self._options: dict[tuple[int, Rack], tuple[Option, ...]] = {}
        self._owing: dict[int, tuple[int, int]] = {0: (0, 0)}
        self._aside: Rack = ()
        self._spent = 0
        self._up = 0
        self._path: list[int] = []
        self._marks: list[Mark] = []
        self._found: list[Found] = []
        self._steps = 0
        self._plays = 0

    def best(self) -> list[Found]:
        """Return the best plays found so far, the best first."""
        return sorted(self._found, reverse=True)

    def seek(self, rack: Rack) -> bool:
        """Look for plays with these tiles; return whether there was time for all.

        First all plays without a blank, for they are soon found; then those with one,
        then those with two.
        """
        plain = tuple(kind for kind in rack if kind != BLANK)
        blanks = len(rack) - len(plain)
        try:
            for number in range(blanks + 1):
                self._aside = (BLANK,) * (blanks - number)
                self._spent = number
                self._all((*plain, *(BLANK,) * number))
        except TimeIsUpError:
            return False
        return True

    def _all(self, rack: Rack) -> None:
        """Look for all plays with these tiles that use every blank of them.

        A word begins on an earlier letter, or on a cell next to one, or with a *run
        up*: letters on cells that touch no earlier one, until it comes next to one.
        Which way a run up winds hardly matters, and nine tenths of all paths differ
        in nothing else; so it is spelled first and found a way afterwards.
        """
        ground, root = self._ground, self._words.root
        steps = self._words.steps(root)
        for cell in sets.members(ground.old):
            letter = ground.letters[cell]
            after = steps.get(letter, 0)
            if after:
                self._path, self._marks, self._up = [cell], [(letter, EMPTY)], 0
                bit, value = 1 << cell, ground.values[cell]
                self._go(cell, after, rack, bit, 0, 0, value)
        shore = [free for free in ground.free if free.first]
        ups: list[RunUp] = [(root, rack, (), 0)]
        while ups:
            for free in shore:
                self._onto(free, ups)
            ups = [longer for up in ups for longer in self._longer(up)]

    def _longer(self, up: RunUp) -> Iterator[RunUp]:
        """Yield the run ups one letter longer."""
        self._tick()
        node, rack, marks, points = up
        for option in self._laying(node, rack):
            if option.rest and option.most:
                value = points + option.value
                yield option.node, option.rest, (*marks, option.mark), value

    def _onto(self, free: Free, ups: Sequence[RunUp]) -> None:
        """Look for the words whose first cell next to earlier letters is this one."""
        if not self._ground.ways(free.cell, len(ups[0][2])):
            return
        bits = self._ground.walls.bits[free.cell]
        count, need = self._owing.get(free.touches) or self._owe(free.touches)
        for node, rack, letters, points in ups:
            for mark, after, rest, value, most, which in self._laying(node, rack):
                if count <= most and not need & ~which:
                    self._up = len(letters)
                    self._path, self._marks = [free.cell], [*letters, mark]
                    total = points + value
                    self._go(
                        free.cell, after, rest, free.bit, free.touches, bits, total
                    )

    def _tick(self) -> None:
        """Look at the clock now and then."""
        self._steps += 1
        if not self._steps & CHECK_EVERY and self._late():
            raise TimeIsUpError

    def _go(  # noqa: C901, PLR0912 (the inner loop: calls are what it costs)
        self,
        cell: int,
        node: int,
        rack: Rack,
        used: int,
        owed: int,
        laid: int,
        points: int,
    ) -> None:
        """Go on from a cell whose letter has just been taken in.

        Args:
            cell: The last cell of the path.
            node: Where the letters so far have led.
            rack: The tiles left.
            used: The set of the path's cells.
            owed: The earlier letters that have still to be taken in.
            laid: The new tiles' cells as `Walls` has them.
            points: What the letters so far score.
        """
        self._tick()
        ground, words, path, marks = self._ground, self._words, self._path, self._marks
        if not owed and laid and words.ends(node) and used & ground.goal:
            self._record(used, laid, points, rack)
        steps = words.steps(node)
        if not steps:
            return
        for near in ground.taken_near[cell]:
            if used & near.bit:
                continue
            after = steps.get(near.letter)
            if after:
                left = owed & ~near.bit
                if left and not self._fits(left, *words.ahead(after)):
                    continue
                path.append(near.cell)
                marks.append((near.letter, EMPTY))
                bits = used | near.bit
                self._go(near.cell, after, rack, bits, left, laid, points + near.value)
                path.pop()
                marks.pop()
        if not rack:
            return
        options = self._options.get((node, rack))
        if options is None:
            options = self._laying(node, rack)
        if not options:
            return
        bits_of = ground.walls.bits
        for free in ground.free_near[cell]:
            if used & free.bit:
                continue
            left = (owed | free.touches) & ~used
            bits, now = used | free.bit, laid | bits_of[free.cell]
            count, need = self._owing.get(left) or self._owe(left)
            for mark, after, rest, value, most, which in options:
                if count <= most and not need & ~which:
                    path.append(free.cell)
                    marks.append(mark)
                    self._go(free.cell, after, rest, bits, left, now, points + value)
                    path.pop()
                    marks.pop()

    def _record(self, used: int, laid: int, points: int, rack: Rack) -> None:
        """Keep a play if it is one of the best."""
        if len(self._marks) < 2 or (self._spent and BLANK in rack):
            return
        way = self._way(used)
        if way is None:
            return
        self._plays += 1
        score = points + self._ground.walls.gain(laid | way.bits)
        found = self._found
        if len(found) >= KEEP and score <= found[0].score:
            return
        marks = tuple(self._marks)
        if self._knows and not self._knows(spelled(marks)):
            return
        path, rest = (*way.path, *self._path), (*rack, *self._aside)
        play = Found(score, -self._plays, path, marks, rest)
        if len(found) < KEEP:
            heappush(found, play)
        else:
            heapreplace(found, play)

    def _way(self, used: int) -> Way | None:
        """Return a way for the run up that leaves the word's other cells alone."""
        for way in self._ground.ways(self._path[0], self._up):
            if not way.cells & used:
                return way
        return None

    def _laying(self, node: int, rack: Rack) -> tuple[Option, ...]:
        """Return the letters that tiles may put down after a node."""
        found: list[Option] = []
        steps = self._words.steps(node)
        for index, kind in enumerate(rack):
            if index and rack[index - 1] == kind:
                continue
            rest = rack[:index] + rack[index + 1 :]
            for letter in STANDINS if kind == BLANK else (kind,):
                after = steps.get(letter, 0)
                if after:
                    ahead = self._words.ahead(after)
                    found.append(
                        Option((letter, kind), after, rest, POINTS[kind], *ahead)
                    )
        self._options[node, rack] = tuple(found)
        return self._options[node, rack]

    def _fits(self, owed: int, most: int, which: int) -> bool:
        """Say whether the letters owed may still follow."""
        count, need = self._owing.get(owed) or self._owe(owed)
        return count <= most and not need & ~which

    def _owe(self, owed: int) -> tuple[int, int]:
        """Return how many letters are owed, and the set of them (of QU, the Q)."""
        letters = [self._ground.letters[cell] for cell in sets.members(owed)]
        need = sets.mask(spelling(letter)[0] for letter in letters)
        self._owing[owed] = len(letters), need
        return self._owing[owed]


def spelled(marks: Sequence[Mark]) -> tuple[int, ...]:
    """Return the word that letters on the board spell."""
    return tuple(letter for mark, _ in marks for letter in spelling(mark))
