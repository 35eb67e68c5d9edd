"""What letters the tiles of a rack may add to a word, before any board is looked at."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from netplay.players.lhexicon.board import EVERY_LETTER, Ending, Mark, Outlook, fits
from rules.lhexicon import BLANK, POINTS
from rules.lhexicon import cells as sets
from rules.lhexicon.search import Known
from rules.lhexicon.state import STANDINS, spelling

Rack = tuple[int, ...]
"""Kinds of tiles, ascending."""

Word = tuple[int, ...]
"""Letters as the dictionary spells them."""

FRESH: Final = 8
"""Steps that it counts for to see what may be laid: it takes long the first time."""

MOST: Final = 1 << 30
"""Points: more than any play scores."""

MOST_OUTS: Final = 100
"""How many run outs to keep of each end: more never score best."""

MANY_OUTS: Final = 1000
"""Likewise for a player who does not know all of them."""


class Hand:
    """Tiles of a rack, and what they may put down after the nodes asked for so far.

    There is one for each rack, so that whatever is known of it is found by the node
    alone.
    """

    __slots__ = ("hopeful", "lacks", "laying", "outs", "rack", "rests", "spare")

    def __init__(self, rack: Rack, made: "dict[Rack, Hand]") -> None:
        """Take tiles, and those that are left once any of them is laid.

        Args:
            rack: The tiles.
            made: Hands that there are; this one and what it leads to are added.
        """
        made[rack] = self
        self.rack: Final = rack
        self.lacks: Final = EVERY_LETTER & ~sets.mask(rack)
        """The set of the letters that it has not; a blank is no letter."""
        self.spare: Final = rack.count(BLANK)
        """How many blanks there are."""
        self.laying: Final[dict[int, tuple[Option, ...]]] = {}
        self.hopeful: Final[dict[int, tuple[Option, ...]]] = {}
        """Of these, those after which some word may be ended, on this board."""
        self.outs: Final[dict[int, list[Out]]] = {}
        kinds = sorted(set(rack))
        rests = [(kind, rack.index(kind)) for kind in kinds]
        left = [(kind, rack[:at] + rack[at + 1 :]) for kind, at in rests]
        self.rests: Final = tuple(
            (kind, made.get(rest) or Hand(rest, made)) for kind, rest in left
        )
        """Each kind of tile, and what is left without one."""


class Option(NamedTuple):
    """A letter that a tile of the rack may put on an empty cell."""

    reach: int
    """What it and the best that may follow score at most."""

    mark: Mark
    node: int
    rest: Hand
    value: int
    most: int
    """How many letters may follow at most."""

    never: int
    """The set of the letters that cannot."""

    endings: tuple[Ending, ...] | None
    """What may follow, as far as there are letters for it: see `Ahead`."""


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
        nowhere: int,
        knows: Callable[[Word], bool] | None,
        tick: Callable[[int], None],
    ) -> None:
        """Take a dictionary.

        Args:
            words: The dictionary.
            outlook: What may follow the beginnings of its words.
            nowhere: The set of the letters that do not lie on the board.
            knows: Says which of its words the player knows; None for all.
            tick: Called at each step; raises when the time is up.
        """
        self.words: Final = words
        self._outlook = outlook
        self._nowhere = nowhere
        self._standins: Sequence[int] = STANDINS
        self._tick = tick
        self.knows: Final = knows
        self._hands: dict[Rack, Hand] = {}

    def stand_for(self, letters: Sequence[int]) -> None:
        """Let blanks stand for these letters from now on."""
        self._standins = letters
        self.forget()

    def forget(self) -> None:
        """Forget what was worked out."""
        self._hands.clear()

    def hand(self, rack: Rack) -> Hand:
        """Return a rack, with what is known of it."""
        return self._hands.get(rack) or Hand(rack, self._hands)

    def laying(self, node: int, hand: Hand) -> tuple[Option, ...]:
        """Return the letters that tiles may put down after a node."""
        found = hand.laying.get(node)
        if found is None:
            self._tick(FRESH)
            found = hand.laying[node] = tuple(self._found(node, hand))
            hand.hopeful[node] = tuple(each for each in found if each.endings != ())
        return found

    def _found(self, node: int, hand: Hand) -> Iterator[Option]:
        steps = self.words.steps(node)
        known, ahead_of = self._outlook.known, self._outlook.ahead
        for kind, rest in hand.rests:
            absent, value = rest.lacks & self._nowhere, POINTS[kind]
            for letter in self._standins if kind == BLANK else (kind,):
                after = steps.get(letter)
                if not after:
                    continue
                most, never, endings = known.get(after) or ahead_of(after)
                reach = MOST
                if endings:
                    if absent & ~never:
                        endings = _spellable(endings, absent, rest.spare)
                    reach = value + endings[0][0] if endings else 0
                yield Option(
                    reach, (letter, kind), after, rest, value, most, never, endings
                )

    def outs(self, node: int, hand: Hand) -> list[Out]:
        """Return the run outs after a node that score most, the best first."""
        found = hand.outs.get(node)
        if found is None:
            found = []
            self._tick(1)
            for option in self.laying(node, hand):
                mark, value = (option.mark,), option.value
                if self.words.ends(option.node):
                    found.append(Out(value, mark, option.rest.rack))
                found += (
                    Out(value + out.points, mark + out.marks, out.rest)
                    for out in self.outs(option.node, option.rest)
                )
            found.sort(reverse=True)
            del found[MANY_OUTS if self.knows else MOST_OUTS :]
            hand.outs[node] = found
        return found


def _spellable(
    endings: tuple[Ending, ...], absent: int, spare: int
) -> tuple[Ending, ...]:
    """Return the endings without letters that there are not, but for a blank each."""
    if not spare:
        return tuple([each for each in endings if not each[1] & absent])
    return tuple([each for each in endings if fits((each,), 0, 0, absent, spare)])


def spelled(marks: Sequence[Mark]) -> Word:
    """Return the word that letters on the board spell."""
    return tuple(letter for mark, _ in marks for letter in spelling(mark))
