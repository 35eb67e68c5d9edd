"""Traps that the last word has closed: they fill ring by ring, away from the word."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from client import motion
from client.lhexicon.local import Local, Now
from rules import hexes, lhexicon
from rules.lhexicon import Lay, State

STEP: Final = 0.14
"""Seconds from one ring to the next."""

GLOW: Final = 0.5
"""Seconds that a cell stands out after it was closed."""


@lru_cache(maxsize=8)
def _rings(before: State, after: State, cells: tuple[int, ...]) -> dict[int, int]:
    """Return the ring of each cell that has become part of a trap."""
    old = {cell for group in lhexicon.traps(before) for cell in group}
    new = {cell for group in lhexicon.traps(after) for cell in group} - old
    every = hexes.hexagon(after.options.side)
    return {
        cell: min(hexes.distance(every[cell], every[each]) for each in cells)
        for cell in new
    }


def rings(seen: Now) -> Mapping[int, int]:
    """Return the ring of each cell of the traps that the last move closed."""
    step = seen.past[-1] if seen.past else None
    if step is None or not isinstance(step.move, Lay) or not step.move.laid:
        return {}
    laid = tuple(each.cell for each in step.move.laid)
    return _rings(step.before, seen.view, laid)


def glowing(seen: Now, local: Local) -> Mapping[int, float]:
    """Return how much each cell of a closing trap stands out, 1 to 0.

    Cells that the rings have not reached yet are -1: they still look open.
    """
    seconds = local.motion.seconds(seen)
    if seconds is None:
        return {}
    found = rings(seen)
    last = max(found.values(), default=0) * STEP + GLOW
    if seconds >= last:
        return {}
    return {
        cell: -1.0
        if seconds < (ring - 1) * STEP
        else 1 - motion.part(seconds, (ring - 1) * STEP, GLOW)
        for cell, ring in found.items()
    }


def busy(seen: Now, local: Local) -> bool:
    """Tell whether something moves by itself: a trap closes."""
    return bool(glowing(seen, local))
