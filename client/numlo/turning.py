"""Tiles that turn over, one after the other along their lines from the tile laid."""

from collections.abc import Mapping
from typing import Final

from client import motion
from client.numlo.input import Local, Now
from rules import numlo
from rules.game import Seat
from rules.numlo import Place

STEP: Final = 0.09
"""Seconds from one tile of a line to the next."""

TURN: Final = 0.28
"""Seconds that a tile takes to turn over."""


def order(seen: Now) -> Mapping[int, int]:
    """Return how far each tile that the last move turned is from the tile laid."""
    step = seen.past[-1] if seen.past else None
    if step is None or not isinstance(step.move, Place):
        return {}
    size, square = step.before.options.size, step.move.square
    flipped = numlo.flips(step.before, step.actor, square)
    return {at: _far(size, square, at) for at in flipped}


def _far(size: int, one: int, other: int) -> int:
    (row, column), (y, x) = divmod(one, size), divmod(other, size)
    return max(abs(row - y), abs(column - x))


def length(seen: Now) -> float:
    """Return the seconds that all of it takes."""
    far = max(order(seen).values(), default=0)
    return far * STEP + TURN if far else 0.0


def turned(seen: Now, local: Local) -> Mapping[int, tuple[Seat | None, float]]:
    """Return whose colour each moving tile shows, and how wide of 1 it is seen.

    A tile seen from its edge is narrow: first the old colour, then the new one.
    """
    seconds = local.motion.seconds(seen)
    if seconds is None or seconds >= length(seen):
        return {}
    before = numlo.owners(seen.past[-1].before)
    after = numlo.owners(seen.view)
    found: dict[int, tuple[Seat | None, float]] = {}
    for at, far in order(seen).items():
        done = motion.part(seconds, far * STEP, TURN)
        whose = before[at] if done < 0.5 else after[at]
        found[at] = whose, abs(1 - 2 * done)
    return found


def busy(seen: Now, local: Local) -> bool:
    """Tell whether something moves by itself: tiles turn over."""
    return bool(turned(seen, local))
