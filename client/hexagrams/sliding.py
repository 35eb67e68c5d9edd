"""The stone that has moved, on its way, and the one it took, on its way off."""

from typing import Final

from msgspec import Struct

from client import motion
from client.hexagrams.geometry import Place
from client.hexagrams.input import NOWHERE, Local, Now, ends, owner
from rules.hexagrams import Resign

SLIDE: Final = 0.34
"""Seconds of the way of a stone."""

FADE: Final = 0.45
"""Seconds until what was taken lies among the captured, from when it is reached."""


class Slide(Struct, frozen=True):
    """A move that is seen moving."""

    origin: Place
    target: Place
    done: float
    """How much of the way is behind the stone, 0 to 1."""
    taken: int | None
    """Whose stone was taken."""
    off: float
    """How much of its way off the taken stone has gone."""


NONE: Final = Slide(NOWHERE, NOWHERE, 1.0, None, 1.0)


def slide(seen: Now, local: Local) -> Slide:
    """Return the last move as it is to be seen now; `NONE` once it is over."""
    seconds = local.motion.seconds(seen)
    step = seen.past[-1] if seen.past else None
    if seconds is None or step is None or isinstance(step.move, Resign):
        return NONE
    origin, target = ends(step.move)
    taken = owner(step.before, target)
    until = SLIDE + (FADE if taken is not None else 0.0)
    if seconds >= until:
        return NONE
    done = motion.part(seconds, 0.0, SLIDE)
    return Slide(origin, target, done, taken, motion.part(seconds, SLIDE, FADE))


def busy(seen: Now, local: Local) -> bool:
    """Tell whether something moves by itself: a stone is on its way."""
    return slide(seen, local) is not NONE
