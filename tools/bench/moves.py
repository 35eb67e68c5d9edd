"""Time the move path: from a window's door over two nodes to another window's door.

The mover's node checks and signs, the host orders, signs and syncs, the other verifies
both signatures, checks the move by the rules and shows it; a guest's own disk follows a
moment later.  Players alternate, so that half of the moves begin at the host and half
at its guest.
"""

import random
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final, NamedTuple

import trio

from netplay.messages.door import Play, StartMatch, View, Watch
from netplay.record.store import FileDisk
from netplay.wire import pack, unpack
from rules import GAMES
from tools.bench import echo
from tools.bench.measuring import (
    Row,
    amount,
    one_core,
    paired,
    percentile,
    plain,
    ratio_row,
    row,
)
from tools.bench.pair import Node, Window, nodes, sit, windows_on

GAME: Final = "numlo"
FRAME_BYTES: Final = 333
"""Of an entry with one move of Numlo, on its way: two signatures, three digests."""

ECHOES: Final = 300
"""Round trips of the yardstick in a round."""

MATCHES: Final = 4
"""In a round; a match has 108 moves."""


class Step(NamedTuple):
    """A move of the script."""

    seat: int
    move: bytes


class Times(NamedTuple):
    """What the matches of a round took."""

    latencies: list[float]
    """Seconds from a click to what it did on the other window."""
    seconds: float
    """Of all moves together."""


def rows() -> Iterator[Row]:
    """Measure."""
    with tempfile.TemporaryDirectory() as name, one_core():
        folder = Path(name)
        with (
            nodes(folder, 2, Node) as pair,
            echo.server(folder / "echo") as port,
            windows_on(pair) as windows,
        ):
            play_match(windows)  # warm
            yield from _measured(windows, folder / "echo", port)


def _measured(windows: list[Window], folder: Path, port: int) -> Iterator[Row]:
    every: list[float] = []
    rates: list[float] = []
    echoes: list[float] = []

    def ours() -> float:
        times = [play_match(windows) for _ in range(amount(MATCHES, 1))]
        latencies = [each for one in times for each in one.latencies]
        every.extend(latencies)
        rates.append(len(latencies) / sum(one.seconds for one in times))
        return median(latencies) * 1e6

    def theirs() -> float:
        asked = partial(echo.ask, folder, port, FRAME_BYTES, amount(ECHOES, 20))
        took: list[float] = trio.run(asked)
        echoes.extend(took)
        return median(took) * 1e6

    rounds = paired(ours, theirs)
    versus = "a bare trio TLS echo of as many bytes"
    yield ratio_row("moves: latency, median", "us", versus, rounds)
    every.sort()
    yield plain("moves: latency, p99", percentile(every, 0.99) * 1e6, "us")
    trips = 1 / median(echoes)
    yield row("moves: through one table", median(rates), "/s", "such echoes", trips)
    yield plain("moves: the disk alone, one sync", median(_syncs(folder)) * 1e6, "us")


def _syncs(folder: Path) -> Iterator[float]:
    """Yield the seconds that the host's disk takes of each move."""
    disk = FileDisk(folder / "disk")
    for _ in range(amount(ECHOES, 20)):
        began = perf_counter()
        disk.append(bytes(FRAME_BYTES))
        disk.sync()
        yield perf_counter() - began
    disk.close()


def play_match(windows: list[Window]) -> Times:
    """Play a whole match by a script, and time every move."""
    number, script = begin(windows)
    latencies: list[float] = []
    started = perf_counter()
    for step in script:
        began = perf_counter()
        number, seen = make(windows, step, number)
        latencies.append(seen - began)
    seconds = perf_counter() - started
    return Times(latencies, seconds)


def begin(windows: list[Window]) -> tuple[int, list[Step]]:
    """Let windows agree on a match; return how many entries it has, and a script."""
    sit(windows, GAME, ("size", "12"))
    windows[0].visit.ask(StartMatch())
    views: list[View] = []
    for seat, window in enumerate(windows):
        window.table(lambda table: bool(table.match))
        window.visit.ask(Watch(seat))
        views.append(window.view())
        while not any(actor >= 0 for actor in _actors(views[seat])):
            views[seat] = window.view()
    state = unpack(views[0].state, GAMES[GAME].ABOUT.state)
    return views[0].number, _script(state)


def make(windows: list[Window], step: Step, number: int) -> tuple[int, float]:
    """Make a move at its seat's window, and wait until both windows have seen it.

    Args:
        windows: Of both seats.
        step: The move.
        number: Of the entries that both windows have seen.

    Returns:
        The number of entries now, and when the other window saw the move.
    """
    windows[step.seat].visit.put(Play(step.seat, step.move, number))
    view = windows[1 - step.seat].view(number + 1)
    seen = perf_counter()
    number = windows[step.seat].view(number + 1).number
    if view.number != number:
        raise AssertionError("the windows were shown different logs")
    return number, seen


def _actors(view: View) -> frozenset[int]:
    game = GAMES[GAME]
    return game.actors(unpack(view.state, game.ABOUT.state))


def _script(state: Any) -> list[Step]:  # noqa: ANN401 (a game's own)
    """Return the moves of a match at random; the board of Numlo leaves no chance."""
    game: Any = GAMES[GAME]
    rng = random.Random(1)  # noqa: S311 (no secret)
    steps: list[Step] = []
    while actors := game.actors(state):
        (seat,) = actors
        move = rng.choice(list(game.moves(state, seat)))
        steps.append(Step(seat, pack(move)))
        state = game.play(state, seat, move)
    return steps
