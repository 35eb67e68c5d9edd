"""What goes when a piece has landed, in the document's order, and what it is worth.

One round is: stars, bombs, squares, all `+` (if due), alignments; the columns fall
together after each of them.  Rounds repeat until one destroys nothing.

The search shifts whole wells as integers: a byte a cell, with a bit for each colour
the cell counts as.  `x & x >> step & x >> 2 * step` then finds every three in a row
of all colours at once.
"""

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Final, TypeAlias

from msgspec import Struct

from rules.hexcolumns.gems import COLOURS, KINDS, Motif, colour, motif
from rules.hexcolumns.grid import Grid, grid

_LINE: Final = 3
"""An alignment holds at least so many hexes that are not `+`."""

_PLUS_LINE: Final = 4
"""So many `+` of any colours go as well."""

_LOADED: Final = 3
"""A bomb goes off in a component of at least so many hexes."""


class Cause(IntEnum):
    """Why hexes went, in the order in which a round looks for it."""

    STAR = 0
    BOMB = 1
    SQUARE = 2
    PLUS = 3
    LINE = 4


class Gone(Struct, frozen=True, array_like=True):
    """What one step of a round destroyed, for the window to show."""

    cause: Cause
    """Why it went."""

    round: int
    """The round, from 1; later rounds count so many times."""

    cells: tuple[int, ...]
    """Which bytes of the well went, ascending, as the well was before this step."""


class Settled(Struct, frozen=True):
    """A well in which nothing more goes."""

    cells: bytes
    """The well's bytes."""

    gone: tuple[Gone, ...]
    """The steps that led to it."""

    worth: int
    """The document's N: the sum over rounds s of s x (E + sum of m(m-2))."""


_Found: TypeAlias = tuple[int, int]
"""The cells that go, as an integer with 1 in their bytes, and their worth."""

_PLUS_BIT: Final = 1 << len(COLOURS)


def _matches(cell: int) -> int:
    """Return a bit for each colour a hex aligns with, and one if it is a `+`."""
    bit = 1 << colour(cell)
    match motif(cell):
        case Motif.MINUS:  # any alignment but one of its own colour
            return _PLUS_BIT - 1 - bit
        case Motif.PLUS:
            return _PLUS_BIT | bit
        case _:
            return bit


def _table(value: Callable[[int], int]) -> bytes:
    """Return a table for bytes.translate; empty cells become 0."""
    return bytes([0, *map(value, range(1, KINDS + 1))]).ljust(256, b"\0")


_MATCHES: Final = _table(_matches)
_COLOURS: Final = _table(lambda cell: 1 << colour(cell))
_MOTIFS: Final = _table(lambda cell: 1 << motif(cell) >> 1)  # plain has no bit
_OCCUPIED: Final = bytes(1) + b"\1" * 255


def settle(size: int, cells: bytes, *, purge: bool = False) -> Settled:
    """Destroy what must go until nothing does.

    Args:
        size: Hexes on a side.
        cells: The well's bytes with the piece that has just landed.
        purge: Whether all `+` go in the first round, because the score has
            reached a further multiple (source document, motif `+`).

    Returns:
        The quiet well, the steps that led to it and what they were worth.
    """
    well = grid(size)
    gone: list[Gone] = []
    stage = worth = 0
    before = -1
    while len(gone) > before and (purge or _stirs(well, cells)):
        before = len(gone)
        stage += 1
        for cause, find in _STEPS:
            if cause is Cause.PLUS and not purge:
                continue
            found, points = find(well, cells)
            if found:
                went = tuple(_positions(found))
                gone.append(Gone(cause, stage, went))
                worth += stage * points
                cells = without(size, cells, went)
        purge = False
    return Settled(cells, tuple(gone), worth)


def _stirs(well: Grid, cells: bytes) -> bool:
    """Return whether anything might go: quick, and never wrongly False."""
    motifs = int.from_bytes(cells.translate(_MOTIFS), "little")
    if motifs & well.cells * (1 << Motif.STAR - 1 | 1 << Motif.BOMB - 1):
        return True
    squares = motifs & well.cells
    matches = int.from_bytes(cells.translate(_MATCHES), "little")
    for step in well.steps:
        shift = 8 * step
        if squares & squares >> shift or matches & matches >> shift & (
            matches >> 2 * shift
        ):
            return True
    return False


def _marked(well: Grid, cells: bytes, which: Motif) -> int:
    motifs = int.from_bytes(cells.translate(_MOTIFS), "little")
    return motifs >> which - 1 & well.cells


def _around(well: Grid, cells: int) -> int:
    near = 0
    for step in well.steps:
        near |= cells << 8 * step | cells >> 8 * step
    return near & well.cells


def _positions(cells: int) -> Iterator[int]:
    """Yield which bytes are set, ascending."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() >> 3
        cells ^= lowest


def without(size: int, cells: bytes, gone: tuple[int, ...]) -> bytes:
    """Take cells out of a well's bytes and let the columns fall together."""
    well, left = grid(size), bytearray(cells)
    for i in gone:
        left[i] = 0
    for column in {i // well.stride for i in gone}:
        start, stop = well.columns[column]
        left[start:stop] = (
            left[start:stop].replace(b"\0", b"").ljust(stop - start, b"\0")
        )
    return bytes(left)


def _stars(well: Grid, cells: bytes) -> _Found:
    """Find the stars and their neighbours (source document, motif `*`)."""
    stars = _marked(well, cells, Motif.STAR)
    occupied = int.from_bytes(cells.translate(_OCCUPIED), "little")
    found = (stars | _around(well, stars)) & occupied
    return found, found.bit_count()


def _bombs(well: Grid, cells: bytes) -> _Found:
    """Find the loaded components: one colour, a bomb in it, 3 hexes or more.

    The colour is the one the hex is painted in, for `-` too: only alignments are
    said to read `-` otherwise.
    """
    found = 0
    for bomb in _positions(_marked(well, cells, Motif.BOMB)):
        alike = int.from_bytes(cells.translate(_COLOURS), "little")
        alike = alike >> colour(cells[bomb]) & well.cells
        component, grown = 0, 1 << 8 * bomb
        while grown != component:
            component = grown
            grown = (component | _around(well, component)) & alike
        if component.bit_count() >= _LOADED:
            found |= component
    return found, found.bit_count()


def _squares(well: Grid, cells: bytes) -> _Found:
    """Find the squares that touch another square."""
    squares = _marked(well, cells, Motif.SQUARE)
    found = squares & _around(well, squares)
    return found, found.bit_count()


def _pluses(well: Grid, cells: bytes) -> _Found:
    found = _marked(well, cells, Motif.PLUS)
    return found, found.bit_count()


def _lines(well: Grid, cells: bytes) -> _Found:
    """Find the alignments; each is worth m(m-2), m its length.

    A run that lies within a longer one that goes (as `- - -` in `- - - red`) is
    not counted again; runs that merely cross or overlap are.
    """
    found = worth = 0
    for step in well.steps:
        runs = sorted(set(_runs(well, cells, step)))
        for start, stop in runs:
            if any(_within(start, stop, run, step) for run in runs):
                continue
            length = (stop - start) // step
            worth += length * (length - 2)
            found |= sum(1 << 8 * i for i in range(start, stop, step))
    return found, worth


def _runs(well: Grid, cells: bytes, step: int) -> Iterator[tuple[int, int]]:
    """Yield each run in one direction that must go, possibly several times.

    Yields:
        Its first byte and the byte after its last, for range(first, last, step).
    """
    kinds = cells.translate(_MATCHES)
    matches = int.from_bytes(kinds, "little")
    threes = matches & matches >> 8 * step & matches >> 16 * step
    while threes:
        seed = threes.bit_length() - 1
        threes ^= 1 << seed
        bit = 1 << seed % 8
        start = stop = seed // 8
        while start >= step and kinds[start - step] & bit:
            start -= step
        while stop < well.length and kinds[stop] & bit:
            stop += step
        if _goes(kinds[start:stop:step], bit):
            yield start, stop


def _within(start: int, stop: int, other: tuple[int, int], step: int) -> bool:
    """Return whether a run is part of another, longer one on the same line."""
    first, last = other
    same_line = (start - first) % step == 0
    return same_line and first <= start and stop <= last and other != (start, stop)


def _goes(run: bytes, bit: int) -> bool:
    """Return whether a run of one colour, or of `+`, is long enough."""
    if bit == _PLUS_BIT:
        return len(run) >= _PLUS_LINE
    return sum(not kind & _PLUS_BIT for kind in run) >= _LINE


_STEPS: Final[tuple[tuple[Cause, Callable[[Grid, bytes], _Found]], ...]] = (
    (Cause.STAR, _stars),
    (Cause.BOMB, _bombs),
    (Cause.SQUARE, _squares),
    (Cause.PLUS, _pluses),
    (Cause.LINE, _lines),
)
