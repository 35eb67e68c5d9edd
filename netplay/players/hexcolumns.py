"""A computer player for Hexcolumns: plans where the piece lands, then steers it there.

For every column and order of the piece that can still be reached at the present
speed, the whole chain of destruction is played out and the well that is left is
judged: what it brought, how high the columns are, and how many (cell, colour) pairs
at the surface would complete an alignment.  With the radar on, the best of these
are judged by the best that can be done with the next piece.

The plan depends on the view alone, so each call finds the plan of the call before
and makes its next step; should the piece meanwhile be somewhere unforeseen, the plan
is simply another one.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from heapq import nlargest
from typing import Final, NamedTuple
from zlib import crc32

from netplay.players import Abilities, Brief, Rng
from rules import hexcolumns as game

_RADAR_SKILL: Final = 52
"""From this skill on the player looks ahead to the piece that the radar shows."""

_CROWDED: Final = 0.55
"""When so much of its well is filled, such a player switches the radar on."""

_ROOMY: Final = 0.3
"""When no more is filled, it does without, for what goes then brings more."""

_BROAD: Final = 10
"""So many first placements are judged by the next piece as well."""

_SLIP: Final = 60.0
"""How far off a judgement may be without any skill; it shrinks by the third power."""

_TICK: Final = 1000
"""A tick in the unit of `Well.fall`, 1/30 ms."""

_KEY_TICKS: Final = 5
"""A match lets no player be faster: who plans on two in that time comes too late."""

_HEXES: Final = 3

ABILITIES: Final = Abilities(
    talents=(0, 8, 21, 35, 44, 52, 100, 100), brief=Brief(0, (("level", "20"),))
)
"""Good players would go on for an hour."""


class _Task(NamedTuple):
    """All that a plan depends on."""

    size: int
    cells: bytes
    piece: bytes
    column: int
    height: int
    fall: int
    level: int
    purge: bool
    """Whether all `+` go when this piece lands."""

    following: bytes
    """The next piece, if the radar shows it."""

    skill: int
    seat: int


class _Spot(NamedTuple):
    """Where a piece may land, in which order."""

    column: int
    piece: bytes


def choose(view: game.State, seat: int, skill: int, rng: Rng) -> game.Move:
    """Return the next input; ask no sooner than `delay` ticks after the last.

    Chance plays no part: the plan must be the same at each step towards it.
    """
    well = view.wells[seat]
    if well.paused:
        return game.Resume()
    size = view.size
    if skill >= _RADAR_SKILL:
        # Whether the next piece is worth knowing at a third fewer points
        room = sum(game.depth(size, column) for column in range(1 - size, size))
        filled = len(well.cells) - well.cells.count(0)
        if well.radar != (filled > room * (_ROOMY if well.radar else _CROWDED)):
            return game.Radar(on=not well.radar)
    reached = well.score // game.purge_score(size)
    task = _Task(
        size=size,
        cells=well.cells,
        piece=well.piece,
        column=well.column,
        height=well.height,
        fall=well.fall,
        level=well.level,
        purge=reached > well.multiples,
        following=game.next_piece(view, seat),
        skill=skill,
        seat=seat,
    )
    # The input that brings the piece nearer to where it shall land
    target = _plan(task)
    if target.column != well.column:
        by = 1 if target.column > well.column else -1
        shift = game.Shift(by)
        return game.Slant(by) if game.refusal(size, well, shift) else shift
    return game.Drop() if target.piece == well.piece else game.Rotate()


def delay(view: game.State, seat: int, skill: int) -> int:
    """Return how many ticks a person of this skill takes before the next input.

    Count them from the last input, or from when the piece appeared: a look at a new
    piece (0.2 s at skill 100, 1.2 s at 0) or the time from key to key (0.07 to 0.4 s).
    """
    well = view.wells[seat]
    fresh = not well.column and well.height >= 2 * view.size - 5
    return _look_ticks(skill) if fresh else _key_ticks(skill)


def _look_ticks(skill: int) -> int:
    return 6 + (100 - skill) * 30 // 100


def _key_ticks(skill: int) -> int:
    return max(_KEY_TICKS, 2 + (100 - skill) // 10)


@lru_cache(maxsize=256)
def _plan(task: _Task) -> _Spot:
    judged = [(_judge(task, spot), spot) for spot in _reachable(task)]
    if task.following and task.skill >= _RADAR_SKILL:
        judged = [(_ahead(task, spot), spot) for _, spot in nlargest(_BROAD, judged)]
    return max(judged)[1]


def _reachable(task: _Task) -> Iterator[_Spot]:
    """Yield every column and order for which there is time, the present one first."""
    orders = [task.piece[turns:] + task.piece[:turns] for turns in range(_HEXES)]
    keys = _key_ticks(task.skill) * _TICK
    for column, time in _columns(task, keys):
        for turns in range(min(_HEXES, 1 + max(0, time) // keys)):
            yield _Spot(column, orders[turns])


def _columns(task: _Task, keys: int) -> Iterator[tuple[int, int]]:
    """Yield each column the piece can get to, and how long it could then still fall.

    The piece is shifted at each key, or slanted where it cannot be, and falls
    between keys as the level has it.
    """
    size, cells, limit = task.size, task.cells, 30 * game.period(task.level)
    yield task.column, _time(task, task.column, task.height, task.fall, limit)
    for by in (-1, 1):
        column, height, fall = task.column, task.height, task.fall
        while True:
            inwards = abs(column + by) < abs(column)
            column += by
            if not game.fits(size, cells, column, height):
                height -= 1
                if inwards or not game.fits(size, cells, column, height):
                    break
            yield column, _time(task, column, height, fall, limit)
            height, fall = _sunk(task, column, height, fall + keys)
            if fall >= limit:
                break


def _sunk(task: _Task, column: int, height: int, fall: int) -> tuple[int, int]:
    """Return where a piece has fallen to, and what is left of the time since."""
    limit = 30 * game.period(task.level)
    while fall >= limit and game.fits(task.size, task.cells, column, height - 1):
        fall -= limit
        height -= 1
    return height, fall


def _time(task: _Task, column: int, height: int, fall: int, limit: int) -> int:
    """Return how long until a piece at a place lands by itself, in 1/30 ms."""
    rows = 0
    while game.fits(task.size, task.cells, column, height - rows - 1):
        rows += 1
    return (rows + 1) * limit - fall - 1


class _Sight(NamedTuple):
    """What is fixed for judging all wells of one size, as long integers."""

    steps: tuple[int, int, int]
    """Bits to the next cell in each direction of alignment."""

    cells: int
    """1 in the byte of every cell."""

    floor: int
    """1 in the byte of the lowest cell of every column."""

    high: tuple[tuple[int, float], ...]
    """Cells near the tops of their columns, and what each costs when it is filled."""


# Found by trying what scores most in 300 pieces on sides 6 and 8 from level 5 on.
_POINT: Final = 1.7
"""What the document's N is worth: destroying much at once, and in chains."""

_OUT: Final = 0.8
"""What each (cell, colour) is worth that would complete an alignment."""

_PAIR: Final = 2.4
"""What two neighbours are worth that one colour would align with."""

_HIGH: Final = ((7, 0.5), (5, 2.0), (4, 8.0))
"""Within so many cells of a column's top, a hex costs so much more."""

_BULK: Final = 0.15
"""What a hex costs above the lowest four."""

_WHIM: Final = 1.0
"""How far seats but the first differ in their judgement: two of one skill see the same
pieces, and would fill the very same well."""

_LOST: Final = -1e9


@cache
def _sight(size: int) -> _Sight:
    room = {
        (column, height): game.depth(size, column) - height
        for column in range(1 - size, size)
        for height in range(game.depth(size, column))
    }

    def mask(most: int) -> int:
        return sum(1 << 8 * game.index(size, *p) for p in room if room[p] <= most)

    return _Sight(
        steps=(8, 16 * size, 16 * size - 8),
        cells=mask(2 * size),
        floor=sum(1 << 8 * game.index(size, c, 0) for c in range(1 - size, size)),
        high=tuple(
            (mask(most), cost) for most, cost in ((2 * size - 5, _BULK), *_HIGH)
        ),
    )


def _matches(cell: int) -> int:
    own = 1 << game.colour(cell)
    return 63 - own if game.motif(cell) is game.Motif.MINUS else own


_MATCHES: Final = bytes((0, *map(_matches, range(1, game.KINDS + 1)))).ljust(256, b"\0")
_FULL: Final = bytes(1) + b"\1" * 255


def _judge(task: _Task, spot: _Spot) -> float:
    settled = game.settle(task.size, _landed(task, spot), purge=task.purge)
    if not _appears(task.size, settled.cells):
        return _LOST
    value = _POINT * settled.worth + _outlook(task.size, settled.cells)
    at = spot.column + task.size
    if task.skill < 100:
        # A misjudgement: less for more skill, and the same at each look
        seed = crc32(task.cells + spot.piece, at + (task.seat << 8))
        value -= _SLIP * (1 - task.skill / 100) ** 3 * (seed % 1000) / 1000
    if task.seat:
        # What a seat does not like about a spot, for no reason of the game's
        seed = crc32(task.cells + spot.piece, at)
        value -= _WHIM * (seed >> 3 * task.seat & 255) / 255
    return value


def _ahead(task: _Task, spot: _Spot) -> float:
    """Return how good it is to land the piece on a spot, and then the next piece."""
    settled = game.settle(task.size, _landed(task, spot), purge=task.purge)
    if not _appears(task.size, settled.cells):
        return _LOST
    then = task._replace(
        cells=settled.cells, piece=task.following, column=0, purge=False, following=b""
    )
    looked = _look_ticks(task.skill) * _TICK
    height, fall = _sunk(then, 0, 2 * task.size - 4, looked)
    then = then._replace(height=height, fall=fall)
    return _POINT * settled.worth + max(_judge(then, each) for each in _reachable(then))


def _appears(size: int, cells: bytes) -> bool:
    return game.fits(size, cells, 0, 2 * size - 4)


def _landed(task: _Task, spot: _Spot) -> bytes:
    """Return the well with the piece on a spot, before anything goes."""
    start = game.index(task.size, spot.column, 0)
    free = task.cells.index(0, start)
    return task.cells[:free] + spot.piece + task.cells[free + _HEXES :]


def _outlook(size: int, cells: bytes) -> float:
    sight = _sight(size)
    filled = int.from_bytes(cells.translate(_FULL), "little")
    matches = int.from_bytes(cells.translate(_MATCHES), "little")
    empty = sight.cells & ~filled
    surface = (filled << 8 | sight.floor) & empty
    surface |= (surface << 8 | surface << 16) & empty
    outs = pairs = 0
    for step in sight.steps:
        two = matches & matches >> step
        gap = matches & matches >> 2 * step
        pairs += two.bit_count()
        outs |= two << 2 * step | two >> step | gap << step
    value = _PAIR * pairs + _OUT * (outs & surface * 63).bit_count()
    for mask, cost in sight.high:
        value -= cost * (filled & mask).bit_count()
    return value
