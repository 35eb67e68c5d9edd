"""Who will have the last word, and how far ahead the one to move will come out.

Towards the end even a single tile scores well, for a word may run over many earlier
letters.  So it matters most how many turns each player still has, and that is counted
here as if both looked ahead as far.
"""

from functools import cache
from math import exp, log
from typing import Final

from rules.lhexicon import RACK

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
