"""What encrypted matches cost that nobody plays: fifty of them, beside fifty committed.

Two nodes begin them through windows and make a few moves in each.  Then one is started
again alone, has its first words told to a window, and opens all of its matches.
"""

import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

from netplay.messages.door import LookAt, Play, StartMatch
from netplay.messages.table import Fairness
from netplay.players import player
from netplay.wire import pack
from tools.bench.bag_match import GAME, SKILL, Seat
from tools.bench.measuring import AT_MOST, Row, amount, paired, row
from tools.bench.pair import Node, nodes, sit, windows_on
from tools.bench.resting import MATCHES, PROCESSES, megabytes, started, used

MOVES: Final = 4
"""In each match, before it rests."""

LONGER: Final = 1.5
"""So many times that of a node without matches a start may take."""


def rows() -> Iterator[Row]:
    """Measure."""
    count = amount(MATCHES, 1)
    with tempfile.TemporaryDirectory(prefix="netplay-bench-") as name:
        folder = Path(name)
        full, plain = (folder / how / "node0" for how in ("encrypted", "committed"))
        _rest(full.parent, count, "encrypted")
        _rest(plain.parent, count, "committed")
        rounds = paired(partial(started, full), partial(started, folder / "none"))
        ours, theirs = (median(each[at] for each in rounds) for at in (0, 1))
        versus = f"{AT_MOST} 1.5 x with no match"
        what = f"bag: {count} resting, start to a window"
        yield row(what, ours, "ms", versus, LONGER * theirs)
        if not (PROCESSES / "self/status").exists():
            return
        for which, ours, theirs in zip(
            (("processor until all are open", "s"), ("memory", "MB")),
            _opened(full),
            _opened(plain),
            strict=True,
        ):
            yield row(f"bag: {count} resting, {which[0]}", ours, which[1], "committed",
                      theirs)  # fmt: skip


def _opened(home: Path) -> tuple[float, float]:
    """Return the seconds and megabytes that a node takes until all is open."""
    node = Node(home)
    try:
        with node.visit(pushes=True) as visit:
            visit.status()  # all matches are opened for that
            return used(node), megabytes(node)
    finally:
        node.stop()


def _rest(folder: Path, count: int, fairness: Fairness) -> None:
    """Let two nodes begin matches, and end with them."""
    with nodes(folder, 2, Node) as pair, windows_on(pair) as windows:
        for number in range(count):
            for window in windows:
                window.visit.ask(LookAt(0))
            sit(windows, GAME, fairness=fairness)
            windows[0].visit.ask(StartMatch())
            _play([Seat(window, seat) for seat, window in enumerate(windows)], number)


def _play(seats: Sequence[Seat], seed: int) -> None:
    rng: Any = Random(seed)  # noqa: S311 (no secret)
    on = seats[0].first()
    for _ in range(MOVES):
        here = seats[on]
        here.turn()
        move = player(GAME).choose(here.state, on, SKILL, rng)
        here.window.visit.ask(Play(on, pack(move), here.number))
        on = (on + 1) % len(seats)
    seats[on].turn()
