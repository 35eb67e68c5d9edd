"""One seat's well: its piece, its time and its score, and what inputs do to it."""

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from rules.game import Resign
from rules.hexcolumns.grid import (
    COLOURS,
    KINDS,
    Gem,
    Grid,
    Motif,
    colour,
    depth,
    grid,
    index,
    motif,
)

# What goes when a piece has landed, in the document's order, and what it is worth.
#
# One round is: stars, bombs, squares, all `+` (if due), alignments; the columns fall
# together after each of them. Rounds repeat until one destroys nothing.
#
# The search shifts whole wells as integers: a byte a cell, with a bit for each colour
# the cell counts as. `x & x >> step & x >> 2 * step` then finds every three in a row of
# all colours at once.


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
            # Whether it is part of another, longer one on the same line
            if any(
                (start - first) % step == 0
                and first <= start
                and stop <= last
                and (first, last) != (start, stop)
                for first, last in runs
            ):
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
        run = kinds[start:stop:step]
        goes = (
            len(run) >= _PLUS_LINE
            if bit == _PLUS_BIT
            else sum(not kind & _PLUS_BIT for kind in run) >= _LINE
        )
        if goes:
            yield start, stop


_STEPS: Final[tuple[tuple[Cause, Callable[[Grid, bytes], _Found]], ...]] = (
    (Cause.STAR, _stars),
    (Cause.BOMB, _bombs),
    (Cause.SQUARE, _squares),
    (Cause.PLUS, _pluses),
    (Cause.LINE, _lines),
)


# The moves of Hexcolumns: inputs by a seat, ticks by CLOCK, hexes by CHANCE.


class Tick(Struct, frozen=True, array_like=True, gc=False, tag="tick"):
    """CLOCK: 1/30 second of one seat's own well has gone by."""

    seat: int
    """Whose well."""


class Shift(Struct, frozen=True, array_like=True, gc=False, tag="shift"):
    """Move the piece *in V*: to the next column, at the same height."""

    by: int
    """-1 to the left, 1 to the right."""


class Slant(Struct, frozen=True, array_like=True, gc=False, tag="slant"):
    """Move the piece downwards to the left (8 o'clock) or right (4 o'clock)."""

    by: int
    """-1 to the left, 1 to the right."""


class Rotate(Struct, frozen=True, array_like=True, gc=False, tag="rotate"):
    """Move the three hexes one place down, the lowest to the top."""


class Lower(Struct, frozen=True, array_like=True, gc=False, tag="lower"):
    """Move the piece one hex down at once, or land it: the soft drop."""


class Drop(Struct, frozen=True, array_like=True, gc=False, tag="drop"):
    """Let the piece fall as far as it goes, and land it."""


class Radar(Struct, frozen=True, array_like=True, gc=False, tag="radar"):
    """Show the next piece from now on, or no longer."""

    on: bool
    """Whether to show it."""


class Faster(Struct, frozen=True, array_like=True, gc=False, tag="faster"):
    """Go up one level, with 60 seconds more: the `+` on the keypad."""


class Pause(Struct, frozen=True, array_like=True, gc=False, tag="pause"):
    """Stop the piece; the clock runs on."""


class Resume(Struct, frozen=True, array_like=True, gc=False, tag="resume"):
    """Go on after a pause."""


class Rise(Struct, frozen=True, array_like=True, gc=False, tag="rise"):
    """Let rows that others have sent rise: what a seat's node does, not its player."""

    rows: int
    """How many."""


Input: TypeAlias = (
    Shift | Slant | Rotate | Lower | Drop | Radar | Faster | Pause | Resume
)
"""What a player may do to the own well, but for giving up."""

Move: TypeAlias = Tick | Input | Rise | Gem | Resign
"""Every move of the game."""

INPUTS: tuple[Input, ...] = (
    Shift(-1),
    Shift(1),
    Slant(-1),
    Slant(1),
    Rotate(),
    Lower(),
    Drop(),
    Radar(on=True),
    Radar(on=False),
    Faster(),
    Pause(),
    Resume(),
)
"""Every input there is, in the order in which legal ones are listed."""


HZ: Final = 30
"""Ticks a second."""

TOP_LEVEL: Final = 25
"""The last level (source document, levels)."""

LEVEL_TICKS: Final = 60 * HZ
"""How long each level lasts: 60 seconds (source document, levels)."""

PIECE_POINTS: Final = 5
"""What each piece brings (source document, score)."""

RADAR_POINTS: Final = 200
"""What switching the radar on costs, as far as there are so many."""

_SPAWN: Final = 3
_BARE: Final = bytes(_SPAWN)


class Well(Struct, frozen=True, array_like=True, gc=False):
    """A seat's well; nothing but its own inputs and ticks changes it.

    It waits for CHANCE while it has no piece and is not over.
    """

    cells: bytes
    """What lies in it, a byte a cell as `grid` lays them out, 0 for empty."""

    level: int = 0
    """0..`TOP_LEVEL`."""

    clock: int = LEVEL_TICKS
    """Ticks left of the level; at 0 the next one starts with the next piece."""

    piece: bytes = b""
    """The three hexes of the falling piece, lowest first; empty for none."""

    column: int = 0
    """Where the piece is."""

    height: int = 0
    """The height of the piece's lowest hex."""

    fall: int = 0
    """What has gone by of the period, in 1/30 ms; below 0 after soft drops."""

    ticks: int = 0
    """Ticks since the start."""

    score: int = 0
    """Points so far; updated when a landed piece has done all its damage."""

    pieces: int = 0
    """How many pieces have appeared."""

    multiples: int = 0
    """How many multiples of the purge score have already taken all `+` away."""

    sent: int = 0
    """How many rows it has sent to each of the others; 0 where that was not agreed."""

    taken: int = 0
    """How many rows of theirs have risen in it."""

    radar: bool = False
    """Whether the next piece is shown."""

    paused: bool = False
    """Whether the piece stands still."""

    over: bool = False
    """Whether this seat's match has ended."""

    resigned: bool = False
    """Whether the seat has given up, before that or since."""

    gone: tuple[Gone, ...] = ()
    """What the last landed piece destroyed, step by step."""

    gained: int = 0
    """What the last landed piece brought, its 5 points included."""


def period(level: int) -> int:
    """Return how many ms a piece takes to fall one hex: round(1000 * 0.88**level)."""
    whole: int = 100**level
    part: int = 1000 * 88**level
    return (2 * part + whole) // (2 * whole)


# A tick is 1000/30 ms; counting in 1/30 ms keeps periods whole.  The shortest, 41 ms,
# is longer than a tick, so a piece falls at most one hex a tick.
_TICK: Final = 1000
_PERIODS: Final = tuple(HZ * period(level) for level in range(TOP_LEVEL + 1))


def purge_score(size: int) -> int:
    """Return the number whose multiples take all `+` away: 2500n - 12500."""
    return 2500 * size - 12500


def empty(size: int, level: int) -> Well:
    """Return a well before its first piece.

    A level chosen directly counts as so many presses of `+`: its 60 seconds and
    those of all levels left out (source document, the example of level 10).
    """
    return Well(bytes(grid(size).length), level, LEVEL_TICKS * (level + 1))


def appear(size: int, well: Well, piece: bytes) -> Well:
    """Show the next piece, which starts the next level if it is due."""
    due = not well.clock and well.level < TOP_LEVEL
    return replace(
        well,
        piece=piece,
        column=0,
        height=grid(size).top,
        fall=0,
        pieces=well.pieces + 1,
        level=well.level + due,
        clock=LEVEL_TICKS if due else well.clock,
    )


def tick(size: int, well: Well) -> Well:
    """Let 1/30 second go by; the well must have a piece."""
    clock = well.clock - 1 if well.clock else 0
    if well.paused:
        return replace(well, clock=clock, ticks=well.ticks + 1)
    fall = well.fall + _TICK
    limit = _PERIODS[well.level]
    if fall < limit:
        return replace(well, clock=clock, ticks=well.ticks + 1, fall=fall)
    later = replace(well, clock=clock, ticks=well.ticks + 1, fall=fall - limit)
    return _down(size, later)


def hurry(size: int, well: Well, ticks: int) -> tuple[Well, int]:
    """Let many ticks go by quickly, until the piece has landed at most.

    Returns:
        The well as so many calls of `tick` would leave it, and the ticks left.
    """
    while ticks and well.piece:
        limit, paused = _PERIODS[well.level], well.paused
        quiet = ticks if paused else min(ticks, (limit - well.fall - 1) // _TICK)
        well = replace(
            well,
            clock=max(0, well.clock - quiet),
            ticks=well.ticks + quiet,
            fall=well.fall if paused else well.fall + quiet * _TICK,
        )
        ticks -= quiet
        if ticks:
            well = tick(size, well)
            ticks -= 1
    return well, ticks


def given_up(well: Well) -> Well:
    """Return the well of a seat that plays no more; its score stands."""
    return replace(well, piece=b"", paused=False, over=True, resigned=True)


def fits(size: int, cells: bytes, column: int, height: int) -> bool:
    """Return whether a piece can be at a place: inside, and nothing in its way."""
    if abs(column) >= size or not 0 <= height <= depth(size, column) - _SPAWN:
        return False
    start = index(size, column, height)
    return cells[start : start + _SPAWN] == _BARE


def slanted(well: Well, by: int) -> int:
    """Return the height at which a slant to a neighbouring column arrives.

    The hex at 8 or 4 o'clock is at the same height when it is nearer the middle,
    one lower when it is farther out.
    """
    return well.height - (abs(well.column + by) > abs(well.column))


def refusal(size: int, well: Well, move: Input) -> str:
    """Return why a well with a piece does not take an input; empty if it does."""
    why = ""
    match move:
        case Resume():
            why = "" if well.paused else "The game is not paused."
        case _ if well.paused:
            why = "The game is paused."
        case Shift() | Slant():
            why = _obstacle(size, well, move)
        case Radar(on) if on == well.radar:
            why = f"The radar is {'on' if on else 'off'} already."
        case Faster() if well.level == TOP_LEVEL:
            why = "This is the last level."
        case _:
            pass
    return why


def _obstacle(size: int, well: Well, move: Shift | Slant) -> str:
    """Return why the piece cannot go to the next column; empty if it can."""
    if move.by not in {-1, 1}:
        return "A piece moves one column at a time."
    slant = isinstance(move, Slant)
    height = slanted(well, move.by) if slant else well.height
    if fits(size, well.cells, well.column + move.by, height):
        return ""
    return f"There is no room {'below' if slant else 'beside'} the piece on that side."


def act(size: int, well: Well, move: Input) -> Well:
    """Return the well after an input for which there is no `refusal`."""
    match move:
        case Shift(by):
            later = replace(well, column=well.column + by)
        case Slant(by):
            later = replace(well, column=well.column + by, height=slanted(well, by))
        case Rotate():
            later = replace(well, piece=well.piece[1:] + well.piece[:1])
        case Lower():
            # "The piece won't fall for the saved time" (the sister game's help).
            later = _down(size, replace(well, fall=well.fall - _PERIODS[well.level]))
        case Drop():
            later = _land(size, replace(well, height=resting(size, well)))
        case Radar(on):
            cost = min(RADAR_POINTS, well.score) if on else 0
            later = replace(well, radar=on, score=well.score - cost)
        case Faster():
            # Go up a level; what has gone by of the old period counts in the new one
            level = well.level + 1
            fall = min(well.fall, _PERIODS[level] - 1)
            later = replace(
                well, level=level, clock=well.clock + LEVEL_TICKS, fall=fall
            )
        case _:
            later = replace(well, paused=isinstance(move, Pause))
    return later


def resting(size: int, well: Well) -> int:
    """Return the height to which the piece would fall."""
    height = well.height
    while fits(size, well.cells, well.column, height - 1):
        height -= 1
    return height


def _down(size: int, well: Well) -> Well:
    """Let the piece fall one hex, or land it where it cannot."""
    below = index(size, well.column, well.height) - 1
    if well.height and not well.cells[below]:
        return replace(well, height=well.height - 1)
    return _land(size, well)


def _land(size: int, well: Well) -> Well:
    """Lay the piece where it is, destroy what must go, and update the score."""
    start = index(size, well.column, well.height)
    cells = well.cells[:start] + well.piece + well.cells[start + _SPAWN :]
    reached = well.score // purge_score(size)
    settled = settle(size, cells, purge=reached > well.multiples)
    gained = PIECE_POINTS + settled.worth * ((7 if well.radar else 10) + well.level)
    return replace(
        well,
        cells=settled.cells,
        piece=b"",
        score=well.score + gained,
        multiples=max(well.multiples, reached),
        over=not fits(size, settled.cells, 0, grid(size).top),
        gone=settled.gone,
        gained=gained,
    )
