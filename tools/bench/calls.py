"""Count the calls that a move costs: exact figures, whatever else the machine does.

The match is that of `moves`, the nodes processes that count (`counted`).  Its set-up is
left out: it goes on for some moves first.  Then their clocks stand, and each move comes
to rest on both nodes before the next is made, so that it takes the same steps always.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from subprocess import PIPE
from time import sleep
from typing import Final, NamedTuple

import msgspec

import netplay
from tools.bench.counted import COUNT, GO, STOP, Counts, Function
from tools.bench.measuring import Row, amount, one_core, plain
from tools.bench.moves import begin, make
from tools.bench.pair import Node, Window, nodes, windows_on

OURS: Final = str(Path(netplay.__file__).parent)
BENCH: Final = str(Path(__file__).parent)

SETTLED: Final = 10
"""Moves of a match that are not counted."""

COUNTED: Final = 30
"""Moves after those: half begin at the host, half at its guest."""

QUICK: Final = 12
"""As many at least: of two moves of a seat, the median is spoilt by one that something
else fell into, a router's answer or the end of a slow look at the network."""

REST_SECONDS: Final = 0.03
"""Nodes that called nothing for so long have nothing left to do for a move."""

HOST: Final = 0
GUEST: Final = 1
"""Seats, and places in lists."""


class CountedNode(Node):
    """A node process that counts the calls it makes."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "tools.bench.counted", PIPE)

    def tell(self, command: str) -> Counts:
        """Obey a command of `counted`, and return what was called until now.

        Raises:
            LocalError: NO_ANSWER, the process has ended.
        """
        return msgspec.json.decode(self.answer(command), type=Counts)


class Cost(NamedTuple):
    """What a move cost a node."""

    python: int
    c: int
    entered: frozenset[Function]
    """What it entered of netplay/, the clock of this bench left out."""


class Move(NamedTuple):
    """What a move cost."""

    seat: int
    """Whose it was."""
    costs: tuple[Cost, ...]
    """The host's and the guest's."""


def rows() -> Iterator[Row]:
    """Count."""
    with (
        tempfile.TemporaryDirectory() as name,
        one_core(),
        nodes(Path(name), 2, CountedNode) as pair,
        windows_on(pair) as windows,
    ):
        moves = list(_match(pair, windows, amount(COUNTED, QUICK)))
    for place, node in enumerate(("host", "guest")):
        python = _usual([(move.seat, move.costs[place].python) for move in moves])
        c = _usual([(move.seat, move.costs[place].c) for move in moves])
        yield plain(f"calls: {node}, Python's", python, "a move")
        yield plain(f"calls: {node}, C's", c, "a move")
        yield plain(f"calls: {node}, together", python + c, "a move")
    *_, last = (move for move in moves if move.seat == GUEST)
    entered = frozenset[Function]().union(*(cost.entered for cost in last.costs))
    files = {file for file, _name in entered}
    yield plain("calls: files, guest's move", len(files), "of netplay/")
    yield plain("calls: functions, guest's move", len(entered), "of netplay/")


def _usual(figures: Sequence[tuple[int, int]]) -> float:
    """Return the figure of the usual move: the mean of both seats' medians.

    Args:
        figures: Whose each move was, and what it cost.
    """
    return mean(
        median(figure for seat, figure in figures if seat == each)
        for each in (HOST, GUEST)
    )


def _match(
    pair: Sequence[CountedNode], windows: list[Window], count: int
) -> Iterator[Move]:
    """Begin a match, and yield what so many of its moves cost."""
    number, script = begin(windows)
    for node in pair:
        node.tell(STOP)
    for step in script[:SETTLED]:
        number, _seen = make(windows, step, number)
    before = _rested(pair)
    for step in script[SETTLED : SETTLED + count]:
        number, _seen = make(windows, step, number)
        after = _rested(pair)
        yield Move(step.seat, tuple(map(_cost, before, after)))
        before = after
    for node in pair:
        node.tell(GO)


def _rested(pair: Sequence[CountedNode]) -> list[Counts]:
    """Return what each node called until now, once none calls anything any more."""
    before = [node.tell(COUNT) for node in pair]
    while True:
        sleep(REST_SECONDS)
        after = [node.tell(COUNT) for node in pair]
        if before == after:
            return after
        before = after


def _cost(before: Counts, after: Counts) -> Cost:
    """Return what a node called between two counts."""
    known = {(file, name): times for file, name, times in before.python}
    made = {
        (file, name): times - known.get((file, name), 0)
        for file, name, times in after.python
    }
    entered = frozenset(
        each
        for each, times in made.items()
        if times and each[0].startswith(OURS) and not each[0].startswith(BENCH)
    )
    return Cost(sum(made.values()), after.c - before.c, entered)
