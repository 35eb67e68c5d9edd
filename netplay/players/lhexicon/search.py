"""Looking for the plays worth most, as long as there is time."""

from collections.abc import Callable, Sequence
from heapq import heappush, heapreplace
from typing import Final

from netplay.players.lhexicon.board import Ending, Free, Ground, Way, outlook
from netplay.players.lhexicon.evaluation import Found, rewound
from netplay.players.lhexicon.tiling import Mark, Out, Rack, Tiling, lacking, spelled
from netplay.players.words.vocabulary import unwanted
from rules.lhexicon import BLANK, EMPTY, LETTERS
from rules.lhexicon import cells as sets
from rules.lhexicon.search import known
from rules.lhexicon.state import STANDINS, spelling

CHECK_EVERY: Final = 200
"""Steps between two looks at the clock, a few milliseconds."""

SLACK: Final = 6
"""Points that a play is always hoped to earn by traps, besides its letters."""

MOST_SLACK: Final = 12
"""Points that it is hoped to earn where one tile alone earns as much."""

KEEP: Final = 60
"""How many of the best plays to keep."""

REWOUND: Final = 60
"""How many of them are tried on all their ways."""

WITHIN: Final = 4
"""How far below the best a play may score and still be looked for."""

KEEP_MORE: Final = 300
"""Likewise for a player who will not take the best."""


NO_OUT: Final = Out(0, (), ())


USUAL: Final = tuple(map(LETTERS.index, "AEIORST"))
"""Letters that a blank stands for most often."""


class TimeIsUpError(Exception):
    """The walk stops where it is."""


Go = Callable[[int, int, Rack, int, int, int, int, int, int], None]
"""Takes the last cell of the path, the node where its letters have led, the tiles left,
the letters they have not and the blanks among them, the set of the path's cells, that
of earlier letters still to be taken in, the new tiles' cells as `Walls` has them, and
what the letters so far score."""

Key = tuple[int, int, int, int]
"""A node, the set of letters that are not at hand, that of those that must follow, and
how many blanks there are."""

NO_HOPE: Final = -1000
"""Points of an ending where there is none."""

RunUp = tuple[int, Rack, tuple[Mark, ...], int]
"""Where its letters lead, the tiles left, the letters, what they score."""


class Seeker:
    """A search over one position; what it has found may be read at any time."""

    def __init__(
        self,
        ground: Ground,
        digest: str,
        late: Callable[[], bool],
        knows: Callable[[tuple[int, ...]], bool] | None = None,
        blind: int = 0,
        dear: int = 1,
    ) -> None:
        """Prepare the search.

        Args:
            ground: The board.
            digest: The dictionary's.
            late: Says that the time is up.
            knows: Says which of its words the player knows; None for all.
            blind: The set of cells where the player sees no word begin.
            dear: How much more a play with a blank must score than one without.
        """
        self._ground = ground
        self._blind = blind
        self._dear = dear
        self._words = words = known(digest)
        self._late = late
        self._outlook = outlook(digest)
        self._tiling = Tiling(words, self._outlook, knows, self._tick)
        self._slack = min(max(SLACK, ground.walls.opening), MOST_SLACK)
        self._floor = [-MOST_SLACK]
        self._least = 0
        self._hopes: dict[Key, int] = {}
        self._owing: dict[int, tuple[int, int]] = {0: (0, 0)}
        self._aside: Rack = ()
        self._spent = 0
        self._up = 0
        self._path: list[int] = []
        self._marks: list[Mark] = []
        self._found: list[Found] = []
        self._keep = KEEP_MORE if knows else KEEP
        self._unwanted = unwanted(digest)
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
            tried.append(rewound(self._ground, rewound(self._ground, play)))
        return sorted([*tried, *found[len(tried) :]], reverse=True)

    def seek(self, rack: Rack) -> bool:
        """Look for plays with these tiles; return whether there was time for all.

        First all plays without a blank, for they are soon found; then those with
        blanks for usual letters, one or two, then those with others.
        """
        plain = tuple(kind for kind in rack if kind != BLANK)
        blanks = len(rack) - len(plain)
        try:
            self._all(plain, blanks)
            for letters in (USUAL, STANDINS):
                self._tiling.stand_for(letters)
                for spent in range(1, blanks + 1):
                    # Look for plays that use so many blanks, and earn something by it
                    self._spent = spent
                    if self._found:
                        self._least = max(self._found).score + self._dear
                        self._floor[0] = max(self._floor[0], self._least - self._slack)
                    self._all((*plain, *(BLANK,) * spent), blanks - spent)
        except TimeIsUpError:
            return False
        finally:
            # Let go of what was worked out on the way; what was found stays. The walk
            # refers to itself, so that all of it would lie about until Python looks for
            # circles, which takes a quarter of a second for so much.
            self._tiling.forget()
            self._hopes.clear()
        return True

    def _all(self, rack: Rack, aside: int) -> None:
        """Look for all plays with these tiles that use every blank of them.

        A word begins on an earlier letter, or on a cell next to one, or with a *run
        up*: letters on cells that touch no earlier one, until it comes next to one.
        Likewise it may end with a *run out*.  Which way these wind hardly matters, and
        nine tenths of all paths differ in nothing else; so they are spelled first and
        find a way afterwards.

        Args:
            rack: The tiles.
            aside: How many more blanks the player has.
        """
        self._aside = (BLANK,) * aside
        ground, root = self._ground, self._words.root
        steps = self._words.steps(root)
        for cell in sets.members(ground.old & ~self._blind):
            letter = ground.letters[cell]
            after = steps.get(letter, 0)
            if after:
                self._path[:], self._marks[:], self._up = [cell], [(letter, EMPTY)], 0
                bit, value = 1 << cell, ground.values[cell]
                lacks, spare = lacking(rack), rack.count(BLANK)
                self._go(cell, after, rack, lacks, spare, bit, 0, 0, value)
        shore = [f for f in ground.free if f.first and not self._blind & f.bit]
        ups: list[RunUp] = [(root, rack, (), 0)]
        while ups:
            for free in shore:
                self._onto(free, ups)
            longer: list[RunUp] = []
            for node, held, marks, points in ups:
                self._tick()
                for option in self._tiling.laying(node, held):
                    if option.rest and option.ahead.most:
                        more, gained = (*marks, option.mark), points + option.value
                        longer.append((option.node, option.rest, more, gained))
            ups = longer

    def _onto(self, free: Free, ups: Sequence[RunUp]) -> None:
        """Look for the words whose first cell next to earlier letters is this one."""
        if not self._ground.ways(free.cell, len(ups[0][2])):
            return
        bits = self._ground.walls.bits[free.cell]
        count, need = self._owing.get(free.touches) or self._owe(free.touches)
        lay = self._tiling.laying
        beyond = self._ground.beyond[free.cell]
        for node, rack, letters, points in ups:
            self._tick()
            for mark, after, rest, value, ahead, lacks, spare in lay(node, rack):
                if count > ahead.most or need & ~ahead.which:
                    continue
                total = points + value
                if ahead.endings:
                    key = after, lacks & beyond, need, spare
                    if self._hope(key, ahead.endings) + total < self._floor[0]:
                        continue
                self._up = len(letters)
                self._path[:], self._marks[:] = [free.cell], [*letters, mark]
                self._go(
                    free.cell, after, rest, lacks, spare, free.bit, free.touches, bits,
                    total,
                )  # fmt: skip

    def _tick(self, steps: int = 1) -> None:
        """Look at the clock now and then; some steps take longer than others."""
        self._steps -= steps
        if self._steps < 0:
            self._steps = CHECK_EVERY
            if self._late():
                raise TimeIsUpError

    def _walk(self) -> Go:  # noqa: C901 (it counts the function it returns)
        """Return what goes on from a cell whose letter has just been taken in.

        All it asks for again and again is at hand as names of its own: half the time.
        """
        ground, words, path, marks = self._ground, self._words, self._path, self._marks
        shores, taken_near, beyonds = ground.shore, ground.taken_near, ground.beyond
        steps_of, ends = words.steps, words.ends
        known, ahead_of = self._outlook.known, self._outlook.ahead
        owing, owe, floor = self._owing, self._owe, self._floor
        hopes, hope = self._hopes, self._hope
        tick, run_out, record = self._tick, self._run_out, self._record

        def go(  # noqa: C901, PLR0913, PLR0917 (the inner loop: calls are what it costs)
            cell: int, node: int, rack: Rack, lacks: int, spare: int, used: int,
            owed: int, laid: int, points: int,
        ) -> None:  # fmt: skip
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
                after = 0 if used & bit else steps.get(letter)
                if not after:
                    continue
                left, total = owed & ~bit, points + value
                most, which, endings = known.get(after) or ahead_of(after)
                count, need = owing.get(left) or owe(left)
                if count > most or need & ~which:
                    continue
                if endings:
                    key = after, lacks & beyonds[near], need, spare
                    worth = hopes.get(key)
                    if worth is None:
                        worth = hope(key, endings)
                    if worth + total < floor[0]:
                        continue
                path.append(near)
                marks.append((letter, EMPTY))
                go(near, after, rack, lacks, spare, used | bit, left, laid, total)
                path.pop()
                marks.pop()
            if rack:
                lay(cell, node, rack, lacks, spare, used, owed, laid, points)

        lay = self._lay(go)
        return go

    def _lay(self, go: Go) -> Go:  # noqa: C901 (it counts the function it returns)
        """Return what goes on from there by a tile on a free cell.

        Args:
            go: Goes on from that one.
        """
        ground, path, marks = self._ground, self._path, self._marks
        free_near, beyonds, bits_of = ground.free_near, ground.beyond, ground.walls.bits
        options_of, laying = self._tiling.options, self._tiling.laying
        owing, owe, floor = self._owing, self._owe, self._floor
        hopes, hope = self._hopes, self._hope

        def lay(  # noqa: PLR0913, PLR0917 (the inner loop: calls are what it costs)
            cell: int, node: int, rack: Rack, lacks: int, spare: int, used: int,
            owed: int, laid: int, points: int,
        ) -> None:  # fmt: skip
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
                beyond = beyonds[near]
                path.append(near)
                for mark, after, rest, value, ahead, lacks2, spare2 in options:
                    most, which, endings = ahead
                    if count > most or need & ~which:
                        continue
                    total = points + value
                    if endings:
                        key = after, lacks2 & beyond, need, spare2
                        worth = hopes.get(key)
                        if worth is None:
                            worth = hope(key, endings)
                        if worth + total < floor[0]:
                            continue
                    marks.append(mark)
                    go(near, after, rest, lacks2, spare2, bits, left, now, total)
                    marks.pop()
                path.pop()

        return lay

    def _run_out(
        self, node: int, rack: Rack, used: int, laid: int, points: int
    ) -> None:
        """Record the words that end on cells that touch no earlier letter."""
        sure = points + self._ground.walls.gain(laid)
        for out in self._tiling.outs(node, rack):
            found = self._found
            if len(found) >= self._keep and sure + out.points <= found[0].score:
                break
            self._record(used, laid, points, out)

    def _record(self, used: int, laid: int, points: int, out: Out) -> None:
        """Give a play ways to run up and out, and keep it if it is one of the best."""
        marks = (*self._marks, *out.marks)
        if len(marks) < 2 or (self._spent and BLANK in out.rest):
            return
        up = self._way(self._path[0], self._up, used)
        on = self._way(self._path[-1], len(out.marks), used | up.cells) if up else None
        if not up or not on:
            return
        self._plays += 1
        score = points + out.points + self._ground.walls.gain(laid | up.bits | on.bits)
        self._keep_best(score, marks, up, on, out)

    def _keep_best(
        self, score: int, marks: tuple[Mark, ...], up: Way, on: Way, out: Out
    ) -> None:
        found = self._found
        if score < self._least or (
            len(found) >= self._keep and score <= found[0].score
        ):
            return
        if self._tiling.knows and not self._tiling.knows(spelled(marks)):
            return
        if self._unwanted and spelled(marks) in self._unwanted:
            return
        path = (*up.path, *self._path, *reversed(on.path))
        rest = (*out.rest, *self._aside)
        ends = self._up, len(out.marks)
        play = Found(score, -self._plays, path, marks, rest, *ends)
        if len(found) < self._keep:
            heappush(found, play)
        else:
            heapreplace(found, play)
            self._floor[0] = max(self._floor[0], found[0].score - self._slack)
        if not self._tiling.knows:
            self._floor[0] = max(self._floor[0], score - WITHIN - self._slack)

    def _way(self, cell: int, length: int, used: int) -> Way | None:
        """Return a way of so many cells to or from a cell that avoids others."""
        for way in self._ground.ways(cell, length):
            if not way.cells & used:
                return way
        return None

    def _owe(self, owed: int) -> tuple[int, int]:
        """Return how many letters are owed, and the set of them (of QU, the Q)."""
        letters = [self._ground.letters[cell] for cell in sets.members(owed)]
        need = sets.mask(spelling(letter)[0] for letter in letters)
        self._owing[owed] = len(letters), need
        return self._owing[owed]

    def _hope(self, key: Key, endings: tuple[Ending, ...]) -> int:
        """Return what an ending can score at most with the letters there are."""
        found = self._hopes.get(key)
        if found is None:
            _, out, need, spare = key
            found = self._hopes[key] = hope(endings, need, out, spare)
        return found


def hope(endings: tuple[Ending, ...], need: int, out: int, spare: int) -> int:
    """Return what the best ending scores that the letters there are can spell.

    Args:
        endings: What may follow, the one that scores most first.
        need: The set of letters it must hold.
        out: The set of letters it may not hold but for a blank each.
        spare: How many blanks there are.
    """
    for worth, letters in endings:
        if not need & ~letters:
            strange = letters & out
            for _ in range(spare):
                strange &= strange - 1
            if not strange:
                return worth
    return NO_HOPE
