"""Time what an encrypted bag costs, in units of one multiplication of a point.

Figures are told as they would be at 60 us a multiplication, which is measured in the
same run.  And a whole match at several nodes: the start, the logs, the processor.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from time import perf_counter, process_time  # noqa: TID251 (time is what is measured)
from typing import Final

from netplay.bag import shuffle
from netplay.bag.deck import first_deck, lifted
from netplay.bag.group import base, times, total
from netplay.bag.lift import Author, Share, check_lift, mask_of, prove_lift
from netplay.bench import bag_match
from netplay.bench.measuring import ROUNDS, Row, amount, plain, row
from netplay.bench.pair import LOOP, Node, Window, nodes
from netplay.messages.door import HostTable, Join, StartMatch, TableStatus, Watch
from netplay.messages.table import Fairness
from netplay.wire import unpack
from rules import GAMES
from rules.tiles import UNKNOWN

UNIT: Final = 0.060
"""Milliseconds of a multiplication, to which figures are brought."""

TILES: Final = 100
DRAWN: Final = 7
VERSUS: Final = "a multiplication of a point, brought to 60 us"


def rows() -> Iterator[Row]:
    """Measure."""
    yield from _steps()
    for count in (2, 4):
        for fairness in ("committed", "encrypted"):
            yield _start(count, fairness)
    yield from bag_match.rows(UNIT / _unit())


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
        Share(number, pair.a, lifted(pair, masks[0]))
        for number, pair in enumerate(mixing.deck[:DRAWN])
    ]
    lift = prove_lift(author, masks[0], shares, fresh)

    def share() -> None:
        for pair in mixing.deck[:DRAWN]:
            lifted(pair, masks[0])
        prove_lift(author, masks[0], shares, fresh)

    parts = (
        ("mix of 100 tiles", lambda: shuffle.mix(step, masks[0], old)),
        ("its proof", lambda: shuffle.prove(step, masks[0], old, mixing, fresh)),
        ("its check", lambda: shuffle.check(step, old, mixing.deck, proof)),
        ("draw of 7, share", share),
        ("draw of 7, check", lambda: check_lift(author, base(masks[0]), shares, lift)),
    )
    for name, do in parts:
        yield row(f"bag: {name}", _processor(do) * UNIT / _unit(), "ms", VERSUS, UNIT)


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


def _start(count: int, fairness: Fairness) -> Row:
    """Return how long it takes from the click to the first rack that can be read."""
    figures: list[float] = []
    for _ in range(amount(3, 1)):
        with (
            tempfile.TemporaryDirectory(prefix="netplay-bench-") as folder,
            nodes(Path(folder), count, Node) as running,
            ExitStack() as open_,
        ):
            visits = [open_.enter_context(node.visit(pushes=True)) for node in running]
            figures.append(_to_racks([Window(visit) for visit in visits], fairness))
    name = f"bag: click to the first rack, {count} nodes, {fairness}"
    return plain(name, sorted(figures)[len(figures) // 2], "ms")


def _to_racks(windows: Sequence[Window], fairness: Fairness) -> float:
    """Return the milliseconds from the start to everybody's first rack."""
    host, *guests = windows
    chairs = ("person", *("remote" for _ in guests))
    port = host.visit.status().port
    table = HostTable("networdz", chairs, (), "", "", fairness=fairness)
    host.visit.ask(table)
    for number, guest in enumerate(guests, 1):
        guest.visit.ask(Join(f"{LOOP}:{port}", number))
    host.table(_agreed)
    began = perf_counter()
    host.visit.ask(StartMatch())
    for seat, window in enumerate(windows):
        window.table(lambda table: bool(table.match))
        window.visit.ask(Watch(seat))
        while not _reads(window, seat):
            pass
    return (perf_counter() - began) * 1000


def _agreed(table: TableStatus) -> bool:
    return all(seat.name and seat.accepted for seat in table.seats)


def _reads(window: Window, seat: int) -> bool:
    """Tell whether the next view of a seat has a rack that can be read."""
    state = unpack(window.view().state, GAMES["networdz"].ABOUT.state)
    kinds = state.tiles.kinds[seat]
    return bool(kinds) and min(kinds) > UNKNOWN
