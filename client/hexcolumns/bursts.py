"""What a landed piece destroys, one step after the other, as the rules have it.

And how the rows of others rise after it, one by one.

The state has only the quiet well that is left.  What led to it is found again by the
rules themselves: the piece is landed in every place until the same well comes of it.
The game goes on meanwhile; only what lies in the well is shown a moment later.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from client.sound import CHAINS, Sound
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
    taken: int = 0
    """Rows of others that have risen."""


class Stage(Struct, frozen=True):
    """A well as it is before a step, and what goes in it."""

    cells: bytes
    going: tuple[int, ...]
    """Indices into the well's bytes."""
    round: int
    """From 1: which link of the chain it is; 0 where a row has risen."""
    row: tuple[int, ...] = ()
    """The lowest hexes, if they have just come."""


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
    return Landing(landed, well.cells, turned, well.gone, well.taken)


def burst(size: int, before: Landing, after: Landing, now: float) -> Burst | None:
    """Return what the last piece has set off, and which rows have risen since.

    None for nothing, or if it is unknown.

    Several pieces may have landed since the last look: no picture then.

    Args:
        size: Hexes on a side.
        before: The well with the piece that was to land.
        after: The well it has become.
        now: Seconds.
    """
    stages = _found(size, before, after)
    if not stages:
        return None
    return Burst(stages, now, min(STEP_SECONDS, LONGEST / len(stages)))


def _found(size: int, before: Landing, after: Landing) -> tuple[Stage, ...]:
    """Return the steps that lead from one well to another, nothing if none do."""
    rows = after.taken - before.taken
    if after.landed == before.landed:
        risen = _risen(size, before.cells, before.taken, rows)
        return risen if risen and risen[-1].cells == after.cells else ()
    if len(before.piece) != 3 or not (after.gone or rows):
        return ()
    for cells in _landed(size, before):
        for purge in (False, True):
            settled = hexcolumns.settle(size, cells, purge=purge)
            risen = _risen(size, settled.cells, before.taken, rows)
            left = risen[-1].cells if risen else settled.cells
            if (left, settled.gone) == (after.cells, after.gone):
                return (*_stages(size, cells, settled.gone), *risen)
    return ()


def _risen(size: int, cells: bytes, taken: int, rows: int) -> tuple[Stage, ...]:
    """Return the well after each row that rises."""
    stages: list[Stage] = []
    for row in range(taken, taken + rows):
        cells, _lost = hexcolumns.raised(size, cells, row, 1)
        low = tuple(
            hexcolumns.index(size, column, 0)
            for column in range(1 - size, size)
            if column != hexcolumns.gap(size, row)
        )
        stages.append(Stage(cells, (), 0, low))
    return tuple(stages)


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


def heard(bursts: tuple[Burst | None, ...], seat: int) -> tuple[float, Sound | None]:
    """Return since when something goes on in a seat's well, and its sound.

    The longer a chain, the higher it rises; rows alone sound otherwise.
    """
    found = bursts[seat] if 0 <= seat < len(bursts) else None
    if found is None:
        return 0.0, None
    links = max(stage.round for stage in found.stages)
    sound = CHAINS[min(links, len(CHAINS)) - 1] if links else Sound.CAPTURE
    return found.since, sound
