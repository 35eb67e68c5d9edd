"""What rests: a node with fifty matches that nobody plays beside one with none.

Nodes begin matches through windows and make a few moves in each.  Then one is started
again alone, beside a node with an empty home; then its friend comes back.  A node is
left alone with friends, some awake and some asleep.  And a match is played as `moves`
plays it, beside twenty others that rest.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Final

from netplay.daemon.parts import open_known
from netplay.home import Home
from netplay.messages.door import Join, LookAt, Status
from netplay.messages.node_questions import Block, Unblock
from netplay.peering.identity import open_identity
from tools.bench import moves
from tools.bench.measuring import Row, amount, paired, ratio_row, row
from tools.bench.pair import LOOP, Node, Window, nodes, windows_on

MATCHES: Final = 50
ALONE: Final = 20
"""Matches that rest beside one that is played."""

MOVES: Final = 8
"""In each match, before it rests."""


AWAKE: Final = 2
ASLEEP: Final = 3
"""Friends of a node, who share no match with it."""

LINKS: Final = 3
"""How often each is measured; the middle one counts."""

IDLE_SECONDS: Final = 20
SETTLED_SECONDS: Final = 8
"""After a start: by then all matches are opened, and the links are as they will be."""

PROCESSES: Final = Path("/proc")


def rows() -> Iterator[Row]:
    """Measure."""
    many, beside = amount(MATCHES, 4), amount(ALONE, 1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in (1, many, beside):
            _rest(folder / str(count), count)
        yield from _alone(folder, many)
        yield from _among_friends(folder)
        one = median(_linked(folder / "1", 1))
        all_ = median(_linked(folder / str(many), many))
        versus = "with one match"
        yield row(f"resting: a link up, {many} shared", all_ * 1e3, "ms", versus,
                  one * 1e3)  # fmt: skip
        yield _played(folder, beside)


# Matches that rest.


def _rest(folder: Path, count: int) -> None:
    """Let two nodes begin matches, and end with them."""
    with nodes(folder, 2, Node) as pair, windows_on(pair) as windows:
        for _ in range(count):
            for window in windows:
                window.visit.ask(LookAt(0))
            number, script = moves.begin(windows)
            for step in script[:MOVES]:
                number, _seen = moves.make(windows, step, number)


# A node alone.


def _alone(folder: Path, count: int) -> Iterator[Row]:
    """Measure a node with matches beside one with none."""
    full, none = folder / str(count) / "node0", folder / "none"
    versus = "with no match"
    rounds = paired(partial(started, full), partial(started, none))
    yield ratio_row(f"resting: start to a window, {count}", "ms", versus, rounds)
    with ExitStack() as open_:
        both = [open_.enter_context(nodes(path.parent, 1, partial(_at, path)))[0]
                for path in (full, none)]  # fmt: skip
        yield from _idle(both, str(count), versus)


def _idle(both: Sequence[Node], what: str, versus: str) -> Iterator[Row]:
    """Measure memory and processor of a node at rest beside another."""
    if not (PROCESSES / "self/status").exists():
        return
    with windows_on(both):
        sleep(amount(SETTLED_SECONDS, 1))
        ours, theirs = map(megabytes, both)
        yield row(f"resting: memory, {what}", ours, "MB", versus, theirs)
        before, seconds = [used(node) for node in both], amount(IDLE_SECONDS, 1)
        sleep(seconds)
        ours, theirs = (
            100 * (used(node) - was) / seconds
            for node, was in zip(both, before, strict=True)
        )
        yield row(f"resting: processor, {what}", ours, "% of a core", versus, theirs)


# A node among friends, at no table.


def _among_friends(folder: Path) -> Iterator[Row]:
    """Measure a node with friends, of whom some are awake, beside one with none."""
    homes = [Home(folder / f"friend{n}") for n in range(1 + AWAKE + ASLEEP)]
    for home in homes:
        home.prepare()
        open_identity(home)
    mine, *theirs = homes
    _befriend(mine, theirs, 1)  # where nobody is: those who are awake call
    with ExitStack() as open_:

        def begun(home: Home) -> Node:
            return open_.enter_context(nodes(folder, 1, partial(_at, home.path)))[0]

        both = begun(mine), begun(Home(folder / "friendless"))
        with both[0].visit() as visit:
            port = visit.status().port
        for home in theirs[:AWAKE]:
            _befriend(home, [mine], port)
            begun(home)
        yield from _idle(both, f"{AWAKE + ASLEEP} friends", "with none")


def _befriend(home: Home, others: Sequence[Home], port: int) -> None:
    """Have those who live in some homes known as friends in another."""
    known = open_known(home)
    for other in others:
        key = open_identity(other).key
        known.met(key, other.path.name, f"{LOOP}:{port}", dialled=False)
        known.befriend(key, other.path.name)


def _at(path: Path, _usual: Path) -> Node:
    """Start a node in a home of its own."""
    return Node(path)


def started(path: Path) -> float:
    """Return the milliseconds from the start of a node to what a window is told."""
    began = perf_counter()
    node = Node(path)
    try:
        with node.visit(pushes=True) as visit:
            Window(visit).next()
            return (perf_counter() - began) * 1e3
    finally:
        node.stop()


def megabytes(node: Node) -> float:
    """Return the memory that a node has."""
    text = (PROCESSES / str(node.process.pid) / "status").read_text()
    (line,) = (line for line in text.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def used(node: Node) -> float:
    """Return the seconds that a node has used the processor."""
    tasks = (PROCESSES / str(node.process.pid)).glob("task/*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


# Two nodes.


def _linked(folder: Path, count: int) -> list[float]:
    """Return the seconds from a call until all matches go on, at both nodes."""
    with nodes(folder, 2, Node) as pair, windows_on(pair) as windows:
        _meet(windows, count)
        return [_link(windows, count) for _ in range(amount(LINKS, 1))]


def _meet(windows: Sequence[Window], count: int) -> None:
    """Let two nodes find each other again, whose ports are others than before."""
    here, there = windows
    here.visit.status()  # all matches are opened for that
    here.visit.ask(LookAt(1))
    here.visit.ask(Join(f"{LOOP}:{there.visit.status().port}"))
    _until(windows, count, away=False)
    for window in windows:
        window.visit.ask(LookAt(0))


def _link(windows: Sequence[Window], count: int) -> float:
    """Part two nodes, and time how they come together."""
    here, there = windows
    whom = there.visit.status().name
    here.visit.ask(Block(whom))
    _until(windows, count, away=True)
    began = perf_counter()
    here.visit.ask(Unblock(whom))
    _until(windows, count, away=False)
    return perf_counter() - began


def _until(windows: Sequence[Window], count: int, *, away: bool) -> None:
    """Wait until windows see the friend of all matches come or gone.

    Whoever has blocked a friend sees them blocked, the friend sees them away.
    """
    for window in windows:
        games = window.visit.status().games
        while len(games) < count or any(
            bool(one.away or one.blocked) is not away for one in games
        ):
            message = window.next()
            if isinstance(message, Status):
                games = message.games


def _played(folder: Path, count: int) -> Row:
    """Measure moves beside matches that rest."""
    with (
        nodes(folder / str(count), 2, Node) as shared,
        nodes(folder / "bare", 2, Node) as bare,
        windows_on(shared) as full,
        windows_on(bare) as none,
    ):
        _meet(full, count)
        for windows in (full, none):
            moves.play_match(windows)  # warm
        rounds = paired(partial(_moved, full), partial(_moved, none))
    return ratio_row(f"resting: latency beside {count}", "us", "beside none", rounds)


def _moved(windows: list[Window]) -> float:
    """Return the microseconds of the usual move of a match."""
    return median(moves.play_match(windows).latencies) * 1e6
