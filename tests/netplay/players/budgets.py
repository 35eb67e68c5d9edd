"""Let computer players of all games and skills move, and see how long they took.

    python -m tests.netplay.players.budgets 1000

Each move is thought in a worker process as a node has it thought, and timed from the
question to the answer.  Meanwhile the loop that asks is watched: no step of any task
of it may take long.  On a busy machine the clock tells of others as well, so that each
figure is given by the processor's time too where that can be had.
"""

import sys
from collections import Counter
from time import perf_counter, thread_time
from typing import Any

import trio
from msgspec import Struct

from netplay.arena import Chance
from netplay.daemon.bots import Bots
from netplay.desk import Thought
from netplay.players import hexagrams, lhexicon, networdz, numlo
from rules import GAMES
from rules.game import CHANCE, CLOCK

SKILLS = (0, 20, 40, 60, 80, 100)
BUDGETS = {
    "networdz": networdz.BUDGET,
    "lhexicon": lhexicon.BUDGET,
    "numlo": numlo.SECONDS,
    "hexagrams": hexagrams.SECONDS,
    # A piece falls meanwhile: it thinks for a moment only.
    "hexcolumns": 0.1,
}
"""Seconds that a move may take."""

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


class Table:
    """Match after match of one game."""

    def __init__(self, game: str) -> None:
        self._game: Any = GAMES[game]
        self._seed = 0
        self._begin()

    def _begin(self) -> None:
        game = self._game
        self._state = game.start(max(2, game.ABOUT.seats[0]), game.ABOUT.options())
        self._chance = Chance(game, self._seed)
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
    bots = Bots(lambda: 1, lambda event, **fields: told.update([f"{event} {fields}"]))
    trio.lowlevel.add_instrument(watch)
    for report in reports:
        table = Table(report.game)
        view, seat = table.turn()
        watch.look(True)
        await bots.think(Thought(b"", seat, 0, report.game, view, 0))  # it starts
        for number in range(moves):
            watch.look(False)  # the table is ours, not the node's
            view, seat = table.turn()
            await trio.lowlevel.checkpoint()
            watch.look(True)
            skill = SKILLS[number % len(SKILLS)]
            began = perf_counter()
            move = await bots.think(Thought(b"", seat, 0, report.game, view, skill))
            report.add(perf_counter() - began)
            watch.look(False)
            table.go(seat, move)
    return watch, told


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
