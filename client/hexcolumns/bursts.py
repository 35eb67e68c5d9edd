"""What a landed piece destroys, one step after the other, as the rules have it.

The state has only the quiet well that is left.  What led to it is found again by the
rules themselves: the piece is landed in every place until the same well comes of it.
The game goes on meanwhile; only what lies in the well is shown a moment later.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from rules import hexcolumns
from rules.hexcolumns import Well

STEP_SECONDS: Final = 0.26
"""How long a step is shown: what goes lights up, then it is gone."""

LONGEST: Final = 1.4
"""Seconds that all steps of one piece take at most."""


class Landing(Struct, frozen=True):
    """What has to be known of a well to tell what its next piece does."""

    landed: int
    """Pieces that have."""
    cells: bytes
    piece: bytes
    """The one that falls, in the first of its three orders; nothing between two."""
    gone: tuple[hexcolumns.Gone, ...]
    """What the last one destroyed."""


class Stage(Struct, frozen=True):
    """A well as it is before a step, and what goes in it."""

    cells: bytes
    going: tuple[int, ...]
    """Indices into the well's bytes."""
    round: int
    """From 1: which link of the chain it is."""


class Burst(Struct, frozen=True):
    """The steps that a piece has set off, and when each is shown."""

    stages: tuple[Stage, ...]
    since: float
    each: float
    """Seconds that a step is shown."""

    @property
    def until(self) -> float:
        """When all of them have been shown."""
        return self.since + self.each * len(self.stages)

    def at(self, now: float) -> Stage | None:
        """Return the step shown at a time, None before and after all of them."""
        if not self.since <= now < self.until:
            return None
        return self.stages[
            min(len(self.stages) - 1, int((now - self.since) / self.each))
        ]


def landing(well: Well) -> Landing:
    """Return what to keep of a well; the same as long as no piece lands or appears."""
    turned = max((well.piece[n:] + well.piece[:n] for n in range(3)), default=b"")
    landed = well.pieces - bool(well.piece)
    return Landing(landed, well.cells, turned, well.gone)


def burst(size: int, before: Landing, after: Landing, now: float) -> Burst | None:
    """Return what the last piece has set off; None for nothing, or if it is unknown.

    Several pieces may have landed since the last look: no picture then.

    Args:
        size: Hexes on a side.
        before: The well with the piece that was to land.
        after: The well it has become.
        now: Seconds.
    """
    if len(before.piece) != 3 or not after.gone:
        return None
    for cells in _landed(size, before):
        for purge in (False, True):
            settled = hexcolumns.settle(size, cells, purge=purge)
            if (settled.cells, settled.gone) == (after.cells, after.gone):
                stages = tuple(_stages(size, cells, settled.gone))
                each = min(STEP_SECONDS, LONGEST / len(stages))
                return Burst(stages, now, each)
    return None


def _landed(size: int, before: Landing) -> Iterator[bytes]:
    """Yield the well with the piece landed in every column and order."""
    for column in range(1 - size, size):
        start = hexcolumns.index(size, column, 0)
        free = before.cells.find(0, start)
        if free < 0 or free + 3 > start + hexcolumns.depth(size, column):
            continue
        for turns in range(3):
            piece = before.piece[turns:] + before.piece[:turns]
            yield before.cells[:free] + piece + before.cells[free + 3 :]


def _stages(
    size: int, cells: bytes, gone: tuple[hexcolumns.Gone, ...]
) -> Iterator[Stage]:
    """Yield the well before each step."""
    for step in gone:
        yield Stage(cells, step.cells, step.round)
        cells = hexcolumns.without(size, cells, step.cells)


def links(bursts: tuple[Burst | None, ...], seat: int) -> tuple[float, int]:
    """Return since when a seat's chain goes, and how many links it has; 0 for none."""
    found = bursts[seat] if 0 <= seat < len(bursts) else None
    if found is None or not found.stages:
        return 0.0, 0
    return found.since, max(stage.round for stage in found.stages)
