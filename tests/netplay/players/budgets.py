"""Let computer players of all games and skills move, and see how long they took.

    python -m tests.netplay.players.budgets 1000

Several matches of each game go on by turns, small and large ones, and of an edition
that asks too much of anybody.  Each move is thought in a worker process as a node has
it thought, and timed from the question to the answer.  Meanwhile the loop that asks is
watched: no step of any task of it may take long.  On a busy machine the clock tells of
others as well, so that each figure is given by the processor's time too where that can
be had.
"""

import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time
from typing import Any

import trio
from msgspec import Struct
from msgspec.structs import replace

from netplay.arena import Chance
from netplay.daemon.computer_players import ComputerPlayers
from netplay.players import deepening, lhexicon, networdz
from netplay.table import resources
from netplay.table.chosen_options import chosen_options
from netplay.table.resources import Shelf
from netplay.wanted import Thought
from rules import GAMES, editions
from rules.editions import MAX_RACK, Kind
from rules.game import CHANCE, CLOCK

SKILLS = (0, 20, 40, 60, 80, 100)
BUDGETS = {
    "networdz": networdz.BUDGET,
    "lhexicon": lhexicon.BUDGET,
    "numlo": deepening.SECONDS,
    "hexagrams": deepening.SECONDS,
    # A piece falls meanwhile: it thinks for a moment only.
    "hexcolumns": 0.1,
}
"""Seconds that a move may take."""

HEAVY = "heavy"
MATCHES: dict[str, tuple[tuple[int, dict[str, str]], ...]] = {
    "networdz": (
        (2, {}),
        (4, {"trade_blanks": "on", "four_of_a_kind": "on"}),
        (2, {"edition": HEAVY}),
        (3, {"edition": "russian"}),
    ),
    "lhexicon": ((2, {}), (4, {"side": "10"}), (3, {"side": "6"})),
    "numlo": ((2, {}), (4, {"size": "20"}), (2, {"size": "8", "start": "othello"})),
    "hexagrams": ((2, {}), (2, {"first": "black"})),
    "hexcolumns": ((2, {}), (4, {"size": "9", "level": "9"})),
}
"""Seats and options of the matches, as people type them."""

OVER = 1.1
"""A budget may be overspent by a tenth."""


class Watch(trio.abc.Instrument):
    """Notes the longest step of any task."""

    def __init__(self) -> None:
        self.longest = self.busiest = 0.0
        """Seconds by the clock, and of the processor."""
        self._looking = False
        self._began: tuple[float, float] | None = None

    def look(self, looking: bool) -> None:
        """Look at steps from the next one on, or no more from this one on."""
        self._looking = looking
        self._began = None

    def before_task_step(self, task: trio.lowlevel.Task) -> None:  # noqa: ARG002 (trio's)
        if self._looking:
            self._began = (perf_counter(), thread_time())

    def after_task_step(self, task: trio.lowlevel.Task) -> None:  # noqa: ARG002 (trio's)
        if self._began is None:
            return
        clock, busy = self._began
        self._began = None
        self.longest = max(self.longest, perf_counter() - clock)
        self.busiest = max(self.busiest, thread_time() - busy)


class Report(Struct):
    """What came of the moves of one game; it grows."""

    game: str
    moves: int = 0
    over: int = 0
    """Moves that took longer than the budget and a tenth."""

    longest: float = 0.0
    total: float = 0.0

    def add(self, seconds: float) -> None:
        self.moves += 1
        self.over += seconds > OVER * BUDGETS[self.game]
        self.longest = max(self.longest, seconds)
        self.total += seconds


def heavy() -> editions.Edition:
    """Return an edition with the largest rack, and blanks in every one."""
    usual = editions.load("networdz")
    kinds = (*usual.kinds[:-1], Kind("?", 20, 0))
    return replace(usual, name=HEAVY, rack=MAX_RACK, kinds=kinds)


class Table:
    """Match after match of one game."""

    def __init__(self, game: str, seats: int, chosen: dict[str, str]) -> None:
        self._game: Any = GAMES[game]
        self._seats = seats
        self._options = chosen_options(self._game, chosen.items())
        self._seed = 0
        self._begin()

    def _begin(self) -> None:
        self._state = self._game.start(self._seats, self._options)
        self._chance = Chance(self._game, self._seed)
        self._seed += 1

    def turn(self) -> tuple[Any, int]:
        """Return the view of a seat that is to move, and the seat."""
        game = self._game
        while True:
            actors = game.actors(self._state)
            seats = sorted(actor for actor in actors if actor >= 0)
            if CHANCE in actors:
                move = self._chance.choose(self._state)
                self._state = game.play(self._state, CHANCE, move)
            elif seats:
                seat = seats[self._seed % len(seats)]
                return game.view(self._state, seat), seat
            elif CLOCK in actors:
                self._tick()
            else:
                self._begin()

    def go(self, seat: int, move: Any) -> None:
        """Play a move, and let some time go by where a clock runs."""
        self._state = self._game.play(self._state, seat, move)
        if self._game.ABOUT.hz:
            self._tick()

    def _tick(self) -> None:
        for move in list(self._game.moves(self._state, CLOCK)):
            if CLOCK in self._game.actors(self._state):
                self._state = self._game.play(self._state, CLOCK, move)


async def measure(reports: list[Report], moves: int) -> tuple[Watch, Counter[str]]:
    """Let players of every skill move in turn.

    Args:
        reports: One for each game to play; they grow.
        moves: In each game.

    Returns:
        What the loop was seen to do, and what the journal was told.
    """
    watch, told = Watch(), Counter[str]()

    def journal(event: str, **fields: object) -> None:
        told.update([f"{event} {fields}"])

    trio.lowlevel.add_instrument(watch)
    with TemporaryDirectory() as name:
        Shelf(Path(name)).keep(resources.Kind.EDITION, editions.encode(heavy()))
        editions.register(heavy(), HEAVY)
        bots = ComputerPlayers(lambda: 1, journal, Path(name))
        for report in reports:
            await _measure(report, moves, bots, watch)
        editions.forget(HEAVY)
    return watch, told


async def _measure(
    report: Report, moves: int, bots: ComputerPlayers, watch: Watch
) -> None:
    """Let players of one game move."""

    def thought(view: Any, seat: int, skill: int) -> Thought:
        return Thought(b"", seat, 0, report.game, view, skill)

    tables = [Table(report.game, *chosen) for chosen in MATCHES[report.game]]
    for table in tables:
        view, seat = table.turn()
        watch.look(True)
        await bots.prepare(thought(view, seat, 0))  # as a node does
        watch.look(False)  # the tables are ours, not the node's
    for number in range(moves):
        table = tables[number % len(tables)]
        skill = SKILLS[number // len(tables) % len(SKILLS)]
        view, seat = table.turn()
        await trio.lowlevel.checkpoint()
        watch.look(True)
        began = perf_counter()
        move = await bots.think(thought(view, seat, skill))
        report.add(perf_counter() - began)
        watch.look(False)
        table.go(seat, move)


def main(moves: int) -> int:
    """Print a line for each game; return 1 if a budget was overspent."""
    reports = [Report(name) for name in GAMES]
    watch, told = trio.run(measure, reports, -(-moves // len(reports)))
    for report in reports:
        sys.stdout.write(
            f"{report.game}: {report.moves} moves, {report.over} over budget, "
            f"longest {report.longest:.3f} s of {BUDGETS[report.game]} s, "
            f"mean {report.total / report.moves:.3f} s\n"
        )
    sys.stdout.write(
        f"loop: longest step {1000 * watch.longest:.1f} ms by the clock, "
        f"{1000 * watch.busiest:.1f} ms of the processor; told: {dict(told)}\n"
    )
    return int(any(report.over for report in reports))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
