"""Looking for the plays worth most, as long as there is time."""

from collections.abc import Callable, Iterator, Sequence
from heapq import heappush, heapreplace
from typing import Final, NamedTuple

from netplay.players.lhexicon.ground import Free, Ground, Way
from netplay.players.lhexicon.tiling import Mark, Out, Rack, Tiling, spelled
from rules.lhexicon import BLANK, EMPTY
from rules.lhexicon import cells as sets
from rules.lhexicon.letters import spelling
from rules.lhexicon.spellings import Known

CHECK_EVERY: Final = 255
"""Steps between two looks at the clock, less one; a power of two less one."""

REWOUND: Final = 60
"""How many of them to try on all their ways."""

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

    up: int
    """How many letters run up to it."""

    out: int
    """How many letters run out of it."""


NO_OUT: Final = Out(0, (), ())


class TimeIsUpError(Exception):
    """The walk stops where it is."""


Go = Callable[[int, int, Rack, int, int, int, int], None]
"""Takes the last cell of the path, the node where its letters have led, the tiles left,
the set of the path's cells, that of earlier letters still to be taken in, the new
tiles' cells as `Walls` has them, and what the letters so far score."""

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
        blind: int = 0,
    ) -> None:
        """Prepare the search.

        Args:
            ground: The board.
            words: The dictionary.
            late: Says that the time is up.
            knows: Says which of its words the player knows; None for all.
            blind: The set of cells where the player sees no word begin.
        """
        self._ground = ground
        self._blind = blind
        self._words = words
        self._late = late
        self._tiling = Tiling(words, knows, self._tick)
        self._owing: dict[int, tuple[int, int]] = {0: (0, 0)}
        self._aside: Rack = ()
        self._spent = 0
        self._up = 0
        self._path: list[int] = []
        self._marks: list[Mark] = []
        self._found: list[Found] = []
        self._steps = 0
        self._plays = 0
        self._go = self._walk()

    def best(self, late: Callable[[], bool] | None = None) -> list[Found]:
        """Return the best plays found so far, the best first.

        Args:
            late: Says that there is no time to try them on other ways.
        """
        found = sorted(self._found, reverse=True)
        tried: list[Found] = []
        for play in found[:REWOUND]:
            if (late or self._late)():
                break
            # Twice, for sometimes both ends have to wind.
            tried.append(self._rewound(self._rewound(play)))
        return sorted([*tried, *found[len(tried) :]], reverse=True)

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
        Likewise it may end with a *run out*.  Which way these wind hardly matters, and
        nine tenths of all paths differ in nothing else; so they are spelled first and
        find a way afterwards.
        """
        ground, root = self._ground, self._words.root
        steps = self._words.steps(root)
        for cell in sets.members(ground.old & ~self._blind):
            letter = ground.letters[cell]
            after = steps.get(letter, 0)
            if after:
                self._path[:], self._marks[:], self._up = [cell], [(letter, EMPTY)], 0
                bit, value = 1 << cell, ground.values[cell]
                self._go(cell, after, rack, bit, 0, 0, value)
        shore = [f for f in ground.free if f.first and not self._blind & f.bit]
        ups: list[RunUp] = [(root, rack, (), 0)]
        while ups:
            for free in shore:
                self._onto(free, ups)
            ups = [longer for up in ups for longer in self._longer(up)]

    def _longer(self, up: RunUp) -> Iterator[RunUp]:
        """Yield the run ups one letter longer."""
        self._tick()
        node, rack, marks, points = up
        for option in self._tiling.laying(node, rack):
            if option.rest and option.most:
                value = points + option.value
                yield option.node, option.rest, (*marks, option.mark), value

    def _onto(self, free: Free, ups: Sequence[RunUp]) -> None:
        """Look for the words whose first cell next to earlier letters is this one."""
        if not self._ground.ways(free.cell, len(ups[0][2])):
            return
        bits = self._ground.walls.bits[free.cell]
        count, need = self._owing.get(free.touches) or self._owe(free.touches)
        lay = self._tiling.laying
        for node, rack, letters, points in ups:
            for mark, after, rest, value, most, which in lay(node, rack):
                if count <= most and not need & ~which:
                    self._up = len(letters)
                    self._path[:], self._marks[:] = [free.cell], [*letters, mark]
                    total = points + value
                    self._go(
                        free.cell, after, rest, free.bit, free.touches, bits, total
                    )

    def _tick(self) -> None:
        """Look at the clock now and then."""
        self._steps += 1
        if not self._steps & CHECK_EVERY and self._late():
            raise TimeIsUpError

    def _walk(self) -> Go:  # noqa: C901 (it counts the function it returns)
        """Return what goes on from a cell whose letter has just been taken in.

        All it asks for again and again is at hand as names of its own: half the time.
        """
        ground, words, path, marks = self._ground, self._words, self._path, self._marks
        shores, taken_near, free_near = (
            ground.shore,
            ground.taken_near,
            ground.free_near,
        )
        bits_of = ground.walls.bits
        steps_of, ends, ahead = words.steps, words.ends, words.ahead
        options_of, laying = self._tiling.options, self._tiling.laying
        owing, owe, fits = self._owing, self._owe, self._fits
        tick, run_out, record = self._tick, self._run_out, self._record

        def go(  # noqa: C901, PLR0912 (the inner loop: calls are what it costs)
            cell: int,
            node: int,
            rack: Rack,
            used: int,
            owed: int,
            laid: int,
            points: int,
        ) -> None:
            tick()
            if not owed and laid and shores[cell] >= 0:
                if ends(node):
                    record(used, laid, points, NO_OUT._replace(rest=rack))
                if rack and shores[cell]:
                    run_out(node, rack, used, laid, points)
            steps = steps_of(node)
            if not steps:
                return
            for near, bit, letter, value in taken_near[cell]:
                if used & bit:
                    continue
                after = steps.get(letter)
                if after:
                    left = owed & ~bit
                    if left and not fits(left, *ahead(after)):
                        continue
                    path.append(near)
                    marks.append((letter, EMPTY))
                    go(near, after, rack, used | bit, left, laid, points + value)
                    path.pop()
                    marks.pop()
            if not rack:
                return
            options = options_of.get((node, rack))
            if options is None:
                options = laying(node, rack)
            if not options:
                return
            most_far = len(rack)
            for near, bit, touches, far in free_near[cell]:
                if used & bit or far > most_far:
                    continue
                left = (owed | touches) & ~used
                bits, now = used | bit, laid | bits_of[near]
                count, need = owing.get(left) or owe(left)
                path.append(near)
                for mark, after, rest, value, most, which in options:
                    if count <= most and not need & ~which:
                        marks.append(mark)
                        go(near, after, rest, bits, left, now, points + value)
                        marks.pop()
                path.pop()

        return go

    def _run_out(
        self, node: int, rack: Rack, used: int, laid: int, points: int
    ) -> None:
        """Record the words that end on cells that touch no earlier letter."""
        sure = points + self._ground.walls.gain(laid)
        for out in self._tiling.outs(node, rack):
            found = self._found
            if len(found) >= KEEP and sure + out.points <= found[0].score:
                break
            self._record(used, laid, points, out)

    def _record(self, used: int, laid: int, points: int, out: Out) -> None:
        """Keep a play if it is one of the best."""
        marks = (*self._marks, *out.marks)
        if len(marks) < 2 or (self._spent and BLANK in out.rest):
            return
        up = self._way(self._path[0], self._up, used)
        on = self._way(self._path[-1], len(out.marks), used | up.cells) if up else None
        if not up or not on:
            return
        self._plays += 1
        score = points + out.points + self._ground.walls.gain(laid | up.bits | on.bits)
        found = self._found
        if len(found) >= KEEP and score <= found[0].score:
            return
        if self._tiling.knows and not self._tiling.knows(spelled(marks)):
            return
        path = (*up.path, *self._path, *reversed(on.path))
        rest = (*out.rest, *self._aside)
        ends = self._up, len(out.marks)
        play = Found(score, -self._plays, path, marks, rest, *ends)
        if len(found) < KEEP:
            heappush(found, play)
        else:
            heapreplace(found, play)

    def _way(self, cell: int, length: int, used: int) -> Way | None:
        """Return a way of so many cells to or from a cell that avoids others."""
        for way in self._ground.ways(cell, length):
            if not way.cells & used:
                return way
        return None

    def _rewound(self, play: Found) -> Found:
        """Return a play with the run up, or the run out, that scores most.

        A word may shut a trap by winding round to itself.
        """
        best = play
        ground, end = self._ground, len(play.path) - play.out
        core = play.path[play.up : end]
        if play.up:
            kept = play.path[play.up :]
            for way in ground.curls(core[0], play.up, sets.mask(kept)):
                best = max(best, self._along(play, (*way, *kept)))
        if play.out:
            kept = play.path[:end]
            for way in ground.curls(core[-1], play.out, sets.mask(kept)):
                best = max(best, self._along(play, (*kept, *reversed(way))))
        return best

    def _along(self, play: Found, path: tuple[int, ...]) -> Found:
        """Return a play on another path with the same letters at the same old ones."""
        gains = self._ground.walls.gain
        more = gains(self._new(path, play.marks)) - gains(
            self._new(play.path, play.marks)
        )
        return play._replace(score=play.score + more, path=path)

    def _new(self, path: Sequence[int], marks: Sequence[Mark]) -> int:
        """Return the cells that a play fills, as `Walls` has them."""
        bits = self._ground.walls.bits
        return sum(
            bits[cell]
            for cell, (_, kind) in zip(path, marks, strict=True)
            if kind != EMPTY
        )

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
