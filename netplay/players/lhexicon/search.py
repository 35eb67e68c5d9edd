"""Looking for the plays worth most, as long as there is time."""

from collections.abc import Callable, Iterator, Sequence
from heapq import heappush, heapreplace
from typing import Final, TypeAlias

from netplay.players.lhexicon.board import Free, Ground, Mark, Way, fits, outlook
from netplay.players.lhexicon.evaluation import Found, rewound
from netplay.players.lhexicon.tiling import Hand, Out, Rack, Tiling, spelled
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


USUAL: Final = tuple(map(LETTERS.index, "AEIORST"))
"""Letters that a blank stands for most often."""


class TimeIsUpError(Exception):
    """The walk stops where it is."""


Trail: TypeAlias = "tuple[Trail | None, int, Mark]"
"""The path so far, backwards: what came before, the last cell, what stands there."""

Go = Callable[[int, int, Hand, int, int, int, int, Trail], None]
"""Takes the last cell of the path, the node where its letters have led, the tiles left,
the set of the path's cells, that of earlier letters still to be taken in, the new
tiles' cells as `Walls` has them, what the letters so far score, and the path."""

RunUp = tuple[int, Hand, tuple[Mark, ...], int]
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
        self._holds = tuple(
            0 if letter == EMPTY else sets.mask(spelling(letter)[:1])
            for letter in ground.letters
        )
        self._tiling = Tiling(words, self._outlook, ground.nowhere, knows, self._tick)
        self._slack = min(max(SLACK, ground.walls.opening), MOST_SLACK)
        self._floor = [-MOST_SLACK]
        self._least = 0
        self._owing: dict[int, tuple[int, int]] = {0: (0, 0)}
        self._aside: Rack = ()
        self._spent = 0
        self._ups: tuple[Mark, ...] = ()
        self._first = 0
        self._found: list[Found] = []
        self._keep = KEEP_MORE if knows else KEEP
        self._unwanted = unwanted(digest)
        self._steps = [0]
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
        steps, hand = self._words.steps(root), self._tiling.hand(rack)
        for cell in sets.members(ground.old & ~self._blind):
            letter = ground.letters[cell]
            after = steps.get(letter, 0)
            if after:
                self._first, self._ups = cell, ()
                trail = None, cell, (letter, EMPTY)
                self._go(cell, after, hand, 1 << cell, 0, 0, ground.values[cell], trail)
        shore = [f for f in ground.free if f.first and not self._blind & f.bit]
        ups: list[RunUp] = [(root, hand, (), 0)]
        while ups:
            for free in shore:
                self._onto(free, ups)
            ups = [longer for up in ups for longer in self._longer(up)]

    def _longer(self, up: RunUp) -> Iterator[RunUp]:
        """Yield the run ups one letter longer."""
        self._tick()
        node, hand, marks, points = up
        for option in self._tiling.laying(node, hand):
            if option.rest.rack and option.most:
                value = points + option.value
                yield option.node, option.rest, (*marks, option.mark), value

    def _onto(self, free: Free, ups: Sequence[RunUp]) -> None:
        """Look for the words whose first cell next to earlier letters is this one."""
        cell, bit, touches, _ = free
        if not self._ground.ways(cell, len(ups[0][2])):
            return
        self._first, laid = cell, self._ground.walls.bits[cell]
        count, need = self._owing.get(touches) or self._owe(touches)
        beyond, floor = self._ground.beyond[cell], self._floor
        for node, hand, letters, points in ups:
            self._tick()
            if node not in hand.hopeful:
                self._tiling.laying(node, hand)
            for reach, mark, after, rest, value, most, never, ends in hand.hopeful[
                node
            ]:
                if points + reach < floor[0] or count > most or need & never:
                    continue
                total = points + value
                if ends and not fits(
                    ends, floor[0] - total, need, rest.lacks & beyond, rest.spare
                ):
                    continue
                self._ups, trail = letters, (None, cell, mark)
                self._go(cell, after, rest, bit, touches, laid, total, trail)

    def _tick(self, steps: int = 1) -> None:
        """Look at the clock now and then; some steps take longer than others."""
        self._steps[0] -= steps
        if self._steps[0] < 0:
            self._look()

    def _look(self) -> None:
        self._steps[0] = CHECK_EVERY
        if self._late():
            raise TimeIsUpError

    def _walk(self) -> Go:  # noqa: C901 (it counts the function it returns)
        """Return what goes on from a cell whose letter has just been taken in.

        All it asks for again and again is at hand as names of its own: half the time.
        """
        ground, words = self._ground, self._words
        shores, taken_near, beyonds = ground.shore, ground.taken_near, ground.beyond
        leads, steps_of, ends = words.leads, words.steps, words.ends
        known, ahead_of = self._outlook.known, self._outlook.ahead
        owing, owe, floor = self._owing, self._owe, self._floor
        left, look, run_out, record = (
            self._steps,
            self._look,
            self._run_out,
            self._record,
        )

        def go(  # noqa: C901, PLR0913, PLR0917 (the inner loop: calls are what it costs)
            cell: int, node: int, hand: Hand, used: int, owed: int, laid: int,
            points: int, trail: Trail,
        ) -> None:  # fmt: skip
            left[0] -= 1
            if left[0] < 0:
                look()
            if not owed and laid and shores[cell] >= 0:
                if ends(node):
                    record(used, laid, points, trail, Out(0, (), hand.rack))
                if hand.rack and shores[cell]:
                    run_out(node, hand, used, laid, points, trail)
            steps = leads.get(node) or steps_of(node)
            if not steps:
                return
            for near, bit, letter, mark, value in taken_near[cell]:
                after = 0 if used & bit else steps.get(letter)
                if not after:
                    continue
                most, never, endings = known.get(after) or ahead_of(after)
                still, total = owed & ~bit, points + value
                count, need = owing.get(still) or owe(still)
                if count > most or need & never:
                    continue
                if endings:
                    least = floor[0] - total
                    if endings[0][0] < least or not fits(
                        endings, least, need, hand.lacks & beyonds[near], hand.spare
                    ):
                        continue
                onward = trail, near, mark
                go(near, after, hand, used | bit, still, laid, total, onward)
            if hand.rack:
                lay(cell, node, hand, used, owed, laid, points, trail)

        lay = self._lay(go)
        return go

    def _lay(self, go: Go) -> Go:
        """Return what goes on from there by a tile on a free cell.

        Args:
            go: Goes on from that one.
        """
        ground, laying, floor = self._ground, self._tiling.laying, self._floor
        free_near, beyonds, bits_of = ground.free_near, ground.beyond, ground.walls.bits
        owing, owe = self._owing, self._owe

        def lay(  # noqa: PLR0913, PLR0917 (the inner loop: calls are what it costs)
            cell: int, node: int, hand: Hand, used: int, owed: int, laid: int,
            points: int, trail: Trail,
        ) -> None:  # fmt: skip
            options = hand.hopeful.get(node)
            if options is None:
                laying(node, hand)
                options = hand.hopeful[node]
            least = floor[0] - points
            options = tuple(each for each in options if each[0] >= least)
            if not options:
                return
            most_far = len(hand.rack)
            for near, bit, touches, far in free_near[cell]:
                if used & bit or far > most_far:
                    continue
                still = (owed | touches) & ~used
                count, need = owing.get(still) or owe(still)
                for _, mark, after, rest, value, most, never, endings in options:
                    if count > most or need & never:
                        continue
                    total = points + value
                    if endings and not fits(
                        endings, floor[0] - total, need,
                        rest.lacks & beyonds[near], rest.spare,
                    ):  # fmt: skip
                        continue
                    onward, bits = (trail, near, mark), laid | bits_of[near]
                    go(near, after, rest, used | bit, still, bits, total, onward)

        return lay

    def _run_out(
        self, node: int, hand: Hand, used: int, laid: int, points: int, trail: Trail
    ) -> None:
        """Record the words that end on cells that touch no earlier letter."""
        sure = points + self._ground.walls.gain(laid)
        for out in self._tiling.outs(node, hand):
            found = self._found
            if len(found) >= self._keep and sure + out.points <= found[0].score:
                break
            self._record(used, laid, points, trail, out)

    def _record(
        self, used: int, laid: int, points: int, trail: Trail, out: Out
    ) -> None:
        """Give a play ways to run up and out, and keep it if it is one of the best."""
        length = len(self._ups) + len(out.marks)
        if not (length or trail[0]) or (self._spent and BLANK in out.rest):
            return
        up = self._way(self._first, len(self._ups), used)
        on = self._way(trail[1], len(out.marks), used | up.cells) if up else None
        if not up or not on:
            return
        self._plays += 1
        score = points + out.points + self._ground.walls.gain(laid | up.bits | on.bits)
        found = self._found
        if score >= self._least and (len(found) < self._keep or score > found[0].score):
            self._keep_best(score, trail, up, on, out)

    def _keep_best(self, score: int, trail: Trail, up: Way, on: Way, out: Out) -> None:
        cells, laid = [trail[1]], [trail[2]]
        while (before := trail[0]) is not None:
            trail = before
            cells.append(trail[1])
            laid.append(trail[2])
        marks = (*self._ups, *reversed(laid), *out.marks)
        if self._tiling.knows and not self._tiling.knows(spelled(marks)):
            return
        if self._unwanted and spelled(marks) in self._unwanted:
            return
        found = self._found
        path = (*up.path, *reversed(cells), *reversed(on.path))
        rest = (*out.rest, *self._aside)
        ends = len(self._ups), len(out.marks)
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
        need, left = 0, owed
        while left:
            need |= self._holds[(left & -left).bit_length() - 1]
            left &= left - 1
        self._owing[owed] = owed.bit_count(), need
        return self._owing[owed]
