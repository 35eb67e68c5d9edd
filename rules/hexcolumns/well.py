"""One seat's well: its piece, its time and its score, and what inputs do to it."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rules.hexcolumns.destruction import Gone, settle
from rules.hexcolumns.grid import depth, grid, index
from rules.hexcolumns.moves import (
    Drop,
    Faster,
    Input,
    Lower,
    Pause,
    Radar,
    Resume,
    Rotate,
    Shift,
    Slant,
)

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


def run(size: int, well: Well, ticks: int) -> tuple[Well, int]:
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
            later = _faster(well)
        case _:
            later = replace(well, paused=isinstance(move, Pause))
    return later


def resting(size: int, well: Well) -> int:
    """Return the height to which the piece would fall."""
    height = well.height
    while fits(size, well.cells, well.column, height - 1):
        height -= 1
    return height


def _faster(well: Well) -> Well:
    """Go up a level; what has gone by of the old period counts in the new one."""
    level = well.level + 1
    fall = min(well.fall, _PERIODS[level] - 1)
    return replace(well, level=level, clock=well.clock + LEVEL_TICKS, fall=fall)


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
