"""Who will have the last word, and how far ahead the one to move will come out.

Towards the end even a single tile scores well, for a word may run over many earlier
letters.  So it matters most how many turns each player still has, and that is counted
here as if both took the play that scores most each time.
"""

from functools import cache
from typing import Final

from rules.lhexicon import RACK

SCORES: Final = (0.0, 12.1, 13.6, 14.6, 15.3, 16.7, 18.1, 19.3)
"""What the best play of a rack of so many tiles scores on average, late in a match."""

SHARES: Final = (
    (),
    (1.0,),
    (0.91, 0.09),
    (0.78, 0.19, 0.03),
    (0.68, 0.21, 0.08, 0.03),
    (0.55, 0.15, 0.15, 0.13, 0.02),
    (0.31, 0.25, 0.21, 0.17, 0.05, 0.01),
    (0.25, 0.18, 0.15, 0.22, 0.17, 0.02, 0.01),
)
"""How often such a play lays one tile, two, and so on."""

FAR: Final = 40
"""With more tiles in the bag than this, nobody can tell who will be last."""


@cache
def margin(mine: int, others: int, bag: int) -> float:
    """Return by how many points the one to move will gain on the other.

    Args:
        mine: How many tiles the one to move has; one at least, `RACK` at most.
        others: How many tiles the other has.
        bag: How many tiles are undrawn.
    """
    total = SCORES[mine]
    for laid, share in enumerate(SHARES[mine], 1):
        total -= share * reply(mine, others, bag, laid)
    return total


def reply(mine: int, others: int, bag: int, laid: int) -> float:
    """Return by how many points the other will gain after so many tiles are laid."""
    drawn = min(laid - mine + RACK, bag)
    left = mine - laid + drawn
    return margin(others, left, bag - drawn) if left else 0.0
