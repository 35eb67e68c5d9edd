"""Time what an encrypted bag costs, in units of one multiplication of a point.

Figures are told as they would be at 60 us a multiplication, which is measured in the
same run, beside the most that each may be: it holds where the ratio is at most 1.  And
whole matches at several nodes: the start, the logs, the processor (`bag_match`), and
matches that rest (`bag_resting`).
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from time import perf_counter, process_time
from typing import Final

from netplay.bag import shuffle
from netplay.bag.group import base, first_deck, times, total
from netplay.bag.lift import Author, Share, check_lift, mask_of, prove_lift
from netplay.messages.door import StartMatch, Watch
from netplay.messages.table import Fairness
from netplay.wire import unpack
from rules import GAMES
from rules.tiles import UNKNOWN
from tools.bench import bag_match, bag_resting
from tools.bench.measuring import AT_MOST, ROUNDS, Row, amount, plain, row
from tools.bench.pair import Window, nodes, sit, windows_on
from tools.bench.stepping import SteppingNode

UNIT: Final = 0.060
"""Milliseconds of a multiplication, to which figures are brought."""

TILES: Final = 100
DRAWN: Final = 7

STARTS: Final = {2: 1000, 4: 2000}
"""Members -> the most milliseconds from the click to the first rack."""


def rows() -> Iterator[Row]:
    """Measure."""
    yield from _steps()
    for count in STARTS:
        yield from _starts(count)
    yield from bag_match.rows(lambda: UNIT / _unit())
    yield from bag_resting.rows()


def _steps() -> Iterator[Row]:
    """Yield what single steps cost."""
    match, keys = sha256(b"bench").digest(), [bytes([i]) * 32 for i in range(2)]
    masks = [mask_of(key, match) for key in keys]
    common = total(map(base, masks))
    author = Author(match, keys[0])
    step = shuffle.Step(author, 1, 0, common)
    old = first_deck(match, [i % 27 for i in range(TILES)], common)
    shuffle.generator(0)
    mixing = shuffle.mix(step, masks[0], old)
    fresh = bytes(32)
    proof = shuffle.prove(step, masks[0], old, mixing, fresh)
    shuffle.check(step, old, mixing.deck, proof)
    shares = [
        Share(number, pair.a, times(pair.a, masks[0]))
        for number, pair in enumerate(mixing.deck[:DRAWN])
    ]
    lift = prove_lift(author, masks[0], shares, fresh)

    def share() -> None:
        for pair in mixing.deck[:DRAWN]:
            times(pair.a, masks[0])
        prove_lift(author, masks[0], shares, fresh)

    parts = (
        ("mix of 100 tiles", 12, lambda: shuffle.mix(step, masks[0], old)),
        ("its proof", 50, lambda: shuffle.prove(step, masks[0], old, mixing, fresh)),
        ("its check", 70, lambda: shuffle.check(step, old, mixing.deck, proof)),
        ("draw of 7, share", 1.5, share),
        (
            "draw of 7, check",
            1.7,
            lambda: check_lift(author, base(masks[0]), shares, lift),
        ),
    )
    for name, most, do in parts:
        # The same moment measures both: a machine that slows down slows both.
        found = min(_processor(do) / _unit() for _ in range(amount(3, 1))) * UNIT
        yield row(f"bag: {name}", found, "ms", AT_MOST, most)


def _unit() -> float:
    """Return the milliseconds of a multiplication now."""
    point = base(12345)
    return _processor(lambda: [times(point, 2**251 + i) for i in range(200)]) / 200


def _processor(do: Callable[[], object]) -> float:
    """Return the least milliseconds of processor time that something takes."""
    found: list[float] = []
    for _ in range(amount(ROUNDS, 1)):
        began = process_time()
        do()
        found.append((process_time() - began) * 1000)
    return min(found)


def _starts(count: int) -> Iterator[Row]:
    """Yield how long it takes from the click to the first rack that can be read."""
    yield plain(
        f"bag: click to the first rack, {count} nodes, committed",
        _start(count, "committed")[0],
        "ms",
    )
    unit = _unit()
    wall, used = _start(count, "encrypted")
    share = UNIT / max(unit, _unit())
    name = f"bag: click to the first rack, {count} nodes, encrypted"
    yield row(name, wall, "ms", AT_MOST, STARTS[count])
    yield row(f"{name}, as at 60 us", wall * share, "ms", AT_MOST, STARTS[count])
    yield plain(f"{name}, processor of all as at 60 us", used * share, "ms")


def _start(count: int, fairness: Fairness) -> tuple[float, float]:
    """Return the milliseconds by the clock, and of all nodes' processors."""
    figures: list[tuple[float, float]] = []
    for _ in range(amount(3, 1)):
        with (
            tempfile.TemporaryDirectory(prefix="netplay-bench-") as folder,
            nodes(Path(folder), count, SteppingNode) as running,
            windows_on(running) as windows,
        ):
            sit(windows, bag_match.GAME, fairness=fairness)
            before = sum(node.tell().processor for node in running)
            wall = _to_racks(windows)
            used = sum(node.tell().processor for node in running) - before
            figures.append((wall, used * 1000))
    return sorted(figures)[len(figures) // 2]


def _to_racks(windows: Sequence[Window]) -> float:
    """Return the milliseconds from the start to everybody's first rack."""
    began = perf_counter()
    windows[0].visit.ask(StartMatch())
    for seat, window in enumerate(windows):
        window.table(lambda table: bool(table.match))
        window.visit.ask(Watch(seat))
        while not _reads(window, seat):
            pass
    return (perf_counter() - began) * 1000


def _reads(window: Window, seat: int) -> bool:
    """Tell whether the next view of a seat has a rack that can be read."""
    state = unpack(window.view().state, GAMES["networdz"].ABOUT.state)
    kinds = state.tiles.kinds[seat]
    return bool(kinds) and min(kinds) > UNKNOWN
