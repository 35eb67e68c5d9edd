"""Traps: empty cells walled in by letters, and what closing and splitting them earns.

Source document, chapter 2, V "The Trap Bonus" and VI "Trap Splitting Bonus".  The
document shows both by pictures that are lost; the rule below is the one that gives
every score its text states.
"""

from typing import Final

from msgspec import Struct

from rules.lhexicon import cells

POINTS: Final = 3
"""For each empty cell of a trap closed or split (source document, chapter 2, V, VI)."""


class Bonus(Struct, frozen=True, array_like=True):
    """What a play did to the traps: groups of cell numbers, each ascending."""

    closed: tuple[tuple[int, ...], ...] = ()
    """Traps that were no part of a trap before."""

    split: tuple[tuple[int, ...], ...] = ()
    """The parts of every trap that the play cut in two or more."""

    @property
    def points(self) -> int:
        """Return the points, `POINTS` for each empty cell."""
        return POINTS * sum(len(group) for group in self.closed + self.split)


def traps(empty: int, side: int) -> tuple[int, ...]:
    """Return the traps among the empty cells, by their lowest cell.

    A trap is a connected group of empty cells none of which lies on the edge: "the
    edge of the board is never considered part of a trap".

    Args:
        empty: The set of all empty cells.
        side: Cells along one edge of the board.

    Returns:
        Each trap as a set of cells.
    """
    rim = cells.rim(side)
    return tuple(group for group in cells.groups(empty, side) if not group & rim)


def bonus(empty: int, laid: int, side: int) -> Bonus:
    """Return what laying tiles on these cells closes and splits.

    A trap that is only made smaller, or filled, gives nothing.

    Args:
        empty: The set of all cells empty before the play.
        laid: The set of the cells it fills, all of them empty before.
        side: Cells along one edge of the board.
    """
    before = traps(empty, side)
    closed: list[int] = []
    parts: list[list[int]] = [[] for _ in before]
    for trap in traps(empty & ~laid, side):
        homes = [part for part, old in zip(parts, before, strict=True) if old & trap]
        (homes[0] if homes else closed).append(trap)
    split = [trap for part in parts if len(part) > 1 for trap in part]
    return Bonus(
        closed=tuple(cells.members(trap) for trap in closed),
        split=tuple(cells.members(trap) for trap in split),
    )
