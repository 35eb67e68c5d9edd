"""What a play is worth beyond its points: the tiles kept, the board left to others."""

from collections.abc import Sequence
from functools import cache
from math import exp, log
from typing import Final, NamedTuple

from netplay.players.lhexicon.board import Ground, Walls
from netplay.players.lhexicon.tiling import Mark, Rack
from rules import tiles
from rules.game import Seat
from rules.lhexicon import EMPTY, LETTERS, RACK, State
from rules.lhexicon import cells as sets

# Who will have the last word, and how far ahead the one to move will come out.
#
# Towards the end even a single tile scores well, for a word may run over many earlier
# letters. So it matters most how many turns each player still has, and that is counted
# here as if both looked ahead as far.


SCORES: Final = (
    (),
    (9.9,),
    (11.7, 5.9),
    (12.9, 9.9, 3.6),
    (13.6, 11.5, 8.5, 2.9),
    (13.8, 11.9, 10.5, 5.8, 1.6),
    (14.7, 13.5, 13.5, 13.8, 7.5, 3.0),
    (15.3, 14.6, 15.1, 15.9, 12.7, 5.8, 1.0),
)
"""For a rack of so many tiles, late in a match: what laying one of them, two ... scores
on average at best.  Smoothed from what `tools.learning.kept` prints."""

SPREAD: Final = 1.7
"""How far these scores lie apart from one rack to the next, in points: who sees the
rack takes what it favours, and gains by that."""

FAR: Final = 40
"""With more tiles in the bag than this, nobody can tell who will be last."""


@cache
def margin(mine: int, others: int, bag: int) -> float:
    """Return by how many points the one to move will gain on the other.

    It is the mean of the greatest of some values, each off by a Gumbel variable of
    scale `SPREAD`: the logarithm of a sum of exponentials.

    Args:
        mine: How many tiles the one to move has; one at least, `RACK` at most.
        others: How many tiles the other has.
        bag: How many tiles are undrawn.
    """
    values = [
        score - reply(mine, others, bag, laid)
        for laid, score in enumerate(SCORES[mine], 1)
    ]
    most = max(values)
    return most + SPREAD * log(sum(exp((each - most) / SPREAD) for each in values))


def reply(mine: int, others: int, bag: int, laid: int) -> float:
    """Return by how many points the other will gain after so many tiles are laid."""
    drawn = min(laid - mine + RACK, bag)
    left = mine - laid + drawn
    return margin(others, left, bag - drawn) if left else 0.0


# A play that was found, and the ways its ends may wind.


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


def rewound(ground: Ground, play: Found) -> Found:
    """Return a play with the run up, or the run out, that scores most.

    A word may shut a trap by winding round to itself.
    """
    best = play
    end = len(play.path) - play.out
    core = play.path[play.up : end]
    if play.up:
        kept = play.path[play.up :]
        for way in ground.curls(core[0], play.up, sets.mask(kept)):
            best = max(best, _along(ground, play, (*way, *kept)))
    if play.out:
        kept = play.path[:end]
        for way in ground.curls(core[-1], play.out, sets.mask(kept)):
            best = max(best, _along(ground, play, (*kept, *reversed(way))))
    return best


def _along(ground: Ground, play: Found, path: tuple[int, ...]) -> Found:
    """Return a play on another path with the same letters at the same old ones."""
    new = ground.walls.gain(_filled(ground, path, play.marks))
    old = ground.walls.gain(_filled(ground, play.path, play.marks))
    return play._replace(score=play.score + new - old, path=path)


def _filled(ground: Ground, path: Sequence[int], marks: Sequence[Mark]) -> int:
    """Return the cells that a play fills, as `Walls` has them."""
    bits = ground.walls.bits
    return sum(
        bits[cell] for cell, (_, kind) in zip(path, marks, strict=True) if kind != EMPTY
    )


def _by_letter(text: str) -> dict[str, float]:
    """Return a table of letters and numbers as it is written here."""
    words = text.split()
    return dict(zip(words[::2], map(float, words[1::2]), strict=True))


KEPT: Final = _by_letter("""
A 0.0   B -0.5  C 1.8   D -1.1  E 0.4   F -0.8  G -1.3  H -1.0  I 0.5
J -2.5  K -0.4  L 0.4   M -0.4  N 0.0   O 0.0   P 0.8   Q -2.3  R 0.2
S 0.0   T -0.1  U -0.4  V -1.7  W -0.6  X -0.4  Y -0.5  Z 1.4   ? 2.0
""")
"""What keeping a tile for the turns to come is worth, in points; one drawn is worth 0.

Smoothed from what `tools.learning.kept` prints, as are the next five.
"""

LONE: Final = _by_letter("""
A 0.3   B 0.1   C 1.9   D 0.3   E 1.6   F -0.4  G 0.0   H -1.3  I -0.4
J -1.9  K 0.8   L -0.1  M -0.9  N -0.3  O -0.3  P 1.7   Q -3.2  R 0.9
S 2.9   T -0.2  U 0.1   V -2.4  W -1.1  X -1.1  Y 1.0   Z 2.0   ? 4.0
""")
"""What the best play of this one tile scores late in a match, less that of a usual one.
"""

TWIN: Final = 1.4
"""What a second, third ... tile of one letter takes off."""

LEAN: Final = 0.28
"""What vowels too many or too few take off, by the square of their number."""

GOOD: Final = 3.2
"""How many vowels a rack should have."""

DRAWN: Final = 0.39
"""How many of them a tile from the bag is likely to be."""

VOWELS: Final = frozenset("AEIOU")
_SPELT: Final = (*LETTERS, "?")

ALONE: Final = 0.5
"""How often a tile that is kept when none is left to draw will be laid by itself."""

FILLED: Final = 0.15
"""What each tile laid is worth to the next player, who may run over it.

It was told from what random racks answer to the plays of 90 positions.  Whoever moves
after that has much the same of it: so this is half of what the answers score more, and
likewise for traps.
"""

SHUT: Final = 0.25
"""What each cell of a trap takes off: who splits it would first have to reach it."""

LAST: Final = 100.0
"""What ending the match is worth to whoever wins by it."""


def worth(view: State, seat: Seat, ground: Ground, play: Found) -> float:
    """Return the points of a play and what it leaves behind, in points."""
    marks = zip(play.path, play.marks, strict=True)
    laid = sum(1 << cell for cell, (_, kind) in marks if kind != EMPTY)
    value = play.score - offered(ground.walls, ground.walls.of(laid))
    if tiles.bag_size(view.tiles):
        value += worth_kept(play.rest)
    elif play.rest:
        value += ALONE * sum(LONE[_SPELT[kind]] for kind in play.rest)
    else:
        # To go out is worth much if it wins, as much less if it loses.
        others = [points for other, points in enumerate(view.scores) if other != seat]
        ahead = view.scores[seat] + play.score - max(others, default=0)
        return value + (LAST if ahead > 0 else -LAST if ahead else 0.0)
    return value + _tempo(view, seat, len(play.rest))


def without_a_word(view: State, seat: Seat, kept: Rack) -> float:
    """Return what a turn without a word is worth for the tiles that are kept."""
    if tiles.bag_size(view.tiles):
        value = worth_kept(kept)
    else:
        value = ALONE * sum(LONE[_SPELT[kind]] for kind in kept)
    return value + _tempo(view, seat, len(view.tiles.racks[seat]))


def _tempo(view: State, seat: Seat, left: int) -> float:
    """Return what the number of tiles laid does for having the last word.

    Args:
        view: The match.
        seat: Whose turn it is.
        left: Tiles that it has not laid.
    """
    racks = [len(rack) for rack in view.tiles.racks]
    bag = tiles.bag_size(view.tiles)
    if len(racks) != 2 or bag > FAR or not racks[1 - seat]:
        return 0.0
    laid = racks[seat] - left
    return -reply(racks[seat], racks[1 - seat], bag, laid)


def worth_kept(rest: Rack) -> float:
    """Return what the tiles kept are worth for the turns to come."""
    kept = [_SPELT[kind] for kind in rest]
    twins = len(kept) - len(set(kept))
    vowels = sum(letter in VOWELS for letter in kept) + DRAWN * (RACK - len(kept))
    lean = (vowels - GOOD) ** 2
    return sum(KEPT[letter] for letter in kept) - TWIN * twins - LEAN * lean


def offered(walls: Walls, laid: int) -> float:
    """Return what the board after a play offers the next player, in points.

    Only plays of one position can be compared by it.
    """
    return FILLED * laid.bit_count() - SHUT * walls.trapped(laid)


def unwanted(rack: Sequence[int], most: int) -> tuple[int, ...]:
    """Return which places of a rack to discard: the worst, one at least."""
    order = sorted(range(len(rack)), key=lambda place: KEPT[_SPELT[rack[place]]])
    bad = [place for place in order if KEPT[_SPELT[rack[place]]] < 0] or order[:1]
    return tuple(sorted(bad[:most]))
