"""What letters the tiles of a rack may add to a word, before any board is looked at."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from netplay.players.lhexicon.board import EVERY_LETTER, Ahead, Outlook
from rules.lhexicon import BLANK, POINTS
from rules.lhexicon import cells as sets
from rules.lhexicon.search import Known
from rules.lhexicon.state import STANDINS, spelling

Rack = tuple[int, ...]
"""Kinds of tiles, ascending."""

Mark = tuple[int, int]
"""The letter on a cell and the kind of the new tile there, `EMPTY` for an old one."""

Word = tuple[int, ...]
"""Letters as the dictionary spells them."""

FRESH: Final = 8
"""Steps that it counts for to see what may be laid: it takes long the first time."""

MOST_OUTS: Final = 100
"""How many run outs to keep of each end: more never score best."""

MANY_OUTS: Final = 1000
"""Likewise for a player who does not know all of them."""


class Option(NamedTuple):
    """A letter that a tile of the rack may put on an empty cell."""

    mark: Mark
    node: int
    rest: Rack
    value: int
    ahead: Ahead
    """What may follow."""

    lacks: int
    """The set of letters that the tiles left have not; a blank is no letter."""

    spare: int
    """How many blanks are left."""


class Out(NamedTuple):
    """A *run out*: letters that end a word, all from the rack."""

    points: int
    marks: tuple[Mark, ...]
    rest: Rack


class Tiling:
    """The word list as the tiles of one rack can follow it."""

    def __init__(
        self,
        words: Known,
        outlook: Outlook,
        knows: Callable[[Word], bool] | None,
        tick: Callable[[int], None],
    ) -> None:
        """Take a dictionary.

        Args:
            words: The dictionary.
            outlook: What may follow the beginnings of its words.
            knows: Says which of its words the player knows; None for all.
            tick: Called at each step; raises when the time is up.
        """
        self.words: Final = words
        self._outlook = outlook
        self._standins: Sequence[int] = STANDINS
        self._tick = tick
        self.knows: Final = knows
        self.options: Final[dict[tuple[int, Rack], tuple[Option, ...]]] = {}
        self._outs: dict[tuple[int, Rack], list[Out]] = {}

    def stand_for(self, letters: Sequence[int]) -> None:
        """Let blanks stand for these letters from now on."""
        self._standins = letters
        self.forget()

    def forget(self) -> None:
        """Forget what was worked out."""
        self.options.clear()
        self._outs.clear()

    def laying(self, node: int, rack: Rack) -> tuple[Option, ...]:
        """Return the letters that tiles may put down after a node."""
        found = self.options.get((node, rack))
        if found is None:
            self._tick(FRESH)
            found = self.options[node, rack] = tuple(self._found(node, rack))
        return found

    def _found(self, node: int, rack: Rack) -> Iterator[Option]:
        steps = self.words.steps(node)
        for index, kind in enumerate(rack):
            if index and rack[index - 1] == kind:
                continue
            rest = rack[:index] + rack[index + 1 :]
            lacks, spare = lacking(rest), rest.count(BLANK)
            for letter in self._standins if kind == BLANK else (kind,):
                after = steps.get(letter, 0)
                if after:
                    ahead = self._outlook.ahead(after)
                    mark, value = (letter, kind), POINTS[kind]
                    yield Option(mark, after, rest, value, ahead, lacks, spare)

    def outs(self, node: int, rack: Rack) -> list[Out]:
        """Return the run outs after a node that score most, the best first."""
        found = self._outs.get((node, rack), [])
        if (node, rack) not in self._outs:
            self._tick(1)
            for option in self.laying(node, rack):
                mark, value = (option.mark,), option.value
                if self.words.ends(option.node):
                    found.append(Out(value, mark, option.rest))
                found += (
                    Out(value + out.points, mark + out.marks, out.rest)
                    for out in self.outs(option.node, option.rest)
                )
            found.sort(reverse=True)
            del found[MANY_OUTS if self.knows else MOST_OUTS :]
            self._outs[node, rack] = found
        return found


def lacking(rack: Rack) -> int:
    """Return the set of the letters that a rack has no tile of."""
    return EVERY_LETTER & ~sets.mask(rack)


def spelled(marks: Sequence[Mark]) -> Word:
    """Return the word that letters on the board spell."""
    return tuple(letter for mark, _ in marks for letter in spelling(mark))
