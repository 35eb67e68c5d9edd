"""Time whole matches with an encrypted bag beside the same with a committed one.

Node processes on the loopback, every move through a window's door, an exchange in one
of five turns until there were four.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, sleep
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from netplay.messages.door import Play, StartMatch, Watch
from netplay.messages.table import Fairness
from netplay.players import player
from netplay.record.store import SUFFIX
from netplay.wire import pack, unpack
from rules import GAMES
from rules.networdz import Pass
from rules.tiles import UNKNOWN
from tools.bench.measuring import AT_MOST, Row, amount, row
from tools.bench.pair import Window, nodes, sit, windows_on
from tools.bench.stepping import SteppingNode

GAME: Final = "networdz"
EXCHANGES: Final = 4
EVERY: Final = 5
"""Turns from one exchange to the next."""
BACK: Final = 3
"""Tiles that go back."""
SKILL: Final = 30
SHORT: Final = 0.3
LONG: Final = 2
"""Seconds that players think; the longer ones after an exchange."""


class Played(NamedTuple):
    """What a match has taken."""

    log: float
    """Kilobytes."""
    processor: float
    """Seconds a member."""
    longest: float
    """Milliseconds of the longest step of a loop."""
    turns: Sequence[float]
    """Milliseconds from each move to the next player's rack on the screen."""


class Seat:
    """A player at a window."""

    def __init__(self, window: Window, seat: int) -> None:
        self.window: Final = window
        self.seat: Final = seat
        self.number = 0
        """Entries in the state that is seen."""
        self.state: Any = None
        self._before: Any = None
        window.table(lambda table: bool(table.match))
        window.visit.ask(Watch(seat))
        self.look()

    def look(self) -> None:
        """Wait for the next view."""
        view = self.window.view()
        self.number = view.number
        self.state = unpack(view.state, GAMES[GAME].ABOUT.state)

    def first(self) -> int:
        """Return who begins, once that was drawn."""
        while min(GAMES[GAME].actors(self.state)) < 0:
            self.look()
        [on] = GAMES[GAME].actors(self.state)
        return on

    def turn(self) -> None:
        """Wait until it is this seat's turn, and its rack can be read.

        Or until the match is over.
        """
        game = GAMES[GAME]
        while True:
            actors, seen = game.actors(self.state), game.view(self.state, None)
            mine = actors == frozenset({self.seat}) and seen != self._before
            unread = UNKNOWN in self.state.tiles.kinds[self.seat]
            if not actors or (mine and not unread):
                self._before = seen
                return
            self.look()


class Most(NamedTuple):
    """The most that a match may take."""

    log: float
    processor: float
    """Beyond a committed match: what the bag takes."""


MOST: Final = {2: Most(200, 0.6), 4: Most(300, 0.9)}
"""By members."""
SLOWER: Final = 3
"""So many times that of a committed match the longest step of a loop may be."""
WAITS: Final = 5, 50
"""The most milliseconds that are added to a turn: the usual one, the worst."""


def rows(brought: Callable[[], float]) -> Iterator[Row]:
    """Measure.

    Args:
        brought: Returns what seconds of this moment are multiplied by.
    """
    for count, most in [*MOST.items()][: amount(2, 1)]:
        plain = _played(count, "committed")
        before = brought()
        masked = _played(count, "encrypted")
        unit = (before + brought()) / 2
        for row_ in _rows(masked, plain, most, unit):
            yield replace(row_, name=f"bag: {row_.name}, {count} nodes")


def _rows(masked: Played, plain: Played, most: Most, unit: float) -> Iterator[Row]:
    """Yield what a match has taken, beside the most that it may, or a committed one."""
    used = (masked.processor - plain.processor) * unit
    yield row("log", masked.log, "kB", AT_MOST, most.log)
    what = "processor a member beyond a committed match, as at 60 us"
    yield row(what, used, "s", AT_MOST, most.processor)
    what, theirs = "longest step of a loop", plain.longest
    yield row(what, masked.longest, "ms", f"{AT_MOST} 3 x committed", SLOWER * theirs)
    added = _added(masked.turns, plain.turns)
    for what, wait, limit in zip(("median", "worst"), added, WAITS, strict=True):
        yield row(f"wait added to a turn, {what}", wait * unit, "ms", AT_MOST, limit)
    yield row("processor a member", masked.processor, "s", "committed", plain.processor)
    for what, of in (("median", median), ("worst", max)):
        ours, theirs = float(of(masked.turns)), float(of(plain.turns))
        yield row(f"a turn, {what}", ours, "ms", "committed", theirs)


def _added(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float]:
    """Return by how much turns are longer: the usual, and the most at equal ranks.

    Two matches have other turns: so the longest is held against the longest, and so on.
    """
    long, short = sorted(ours), sorted(theirs)
    last = max(len(long) - 1, 1)
    ranks = (round(i * (len(short) - 1) / last) for i in range(len(long)))
    more = [one - short[rank] for one, rank in zip(long, ranks, strict=True)]
    return max(0.0, median(long) - median(short)), max(0.0, *more)


def _played(count: int, fairness: Fairness) -> Played:
    with (
        tempfile.TemporaryDirectory(prefix="netplay-bench-") as folder,
        nodes(Path(folder), count, SteppingNode) as running,
        windows_on(running) as windows,
    ):
        sit(windows, GAME, fairness=fairness)
        before = [node.tell() for node in running]
        windows[0].visit.ask(StartMatch())
        seats = [Seat(window, number) for number, window in enumerate(windows)]
        turns = list(_turns(seats, amount(1000, EVERY + 1)))
        after = [node.tell() for node in running]
        [log] = (running[0].home.path / "matches").glob(f"*{SUFFIX}")
        taken = (b.processor - a.processor for a, b in zip(before, after, strict=True))
        longest = max(one.longest for one in after)
        return Played(log.stat().st_size / 1000, sum(taken) / count, longest, turns)


def _turns(seats: Sequence[Seat], most: int) -> Iterator[float]:
    """Play, and yield the milliseconds from each move to the next player's turn."""
    game, exchanges = GAMES[GAME], 0
    rng = Random(1)  # noqa: S311 (no secret)
    on = seats[0].first()
    seats[on].turn()
    for number in range(1, most + 1):
        here = seats[on]
        back = number % EVERY == 0 and exchanges < EXCHANGES
        exchanges += back
        rack = sorted(here.state.tiles.racks[on])
        some: Any = Pass(tuple(rack[:BACK]))
        move = some if back else player(GAME).choose(here.state, on, SKILL, rng)
        sleep(amount(LONG, 0) if number % EVERY == 1 else SHORT)
        began = perf_counter()
        here.window.visit.ask(Play(on, pack(move), here.number))
        on = (on + 1) % len(seats)
        seats[on].turn()
        yield (perf_counter() - began) * 1000
        if not game.actors(seats[on].state):
            return
