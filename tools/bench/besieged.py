"""What a match with a guest in a browser costs while strangers besiege the pages.

The stranger is a process of its own that stands back for others: it uses the same
cores, and only what is done for it here is to be measured.  Beside each kind of siege,
and in turn with it, nobody comes; and first the stranger only counts for itself, which
tells what the machine makes of that.  A round is a few turns of each; what counts is
the median of the rounds' ratios, which is told with how far it may be off.

    python -m tools.bench.besieged KIND PORT SHOWN     the stranger alone
"""

import os
import random
import socket
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from itertools import count
from math import sqrt
from pathlib import Path
from statistics import median
from subprocess import PIPE, Popen
from threading import Event, Thread
from time import perf_counter, sleep
from typing import Final

from msgspec.structs import replace

from netplay.daemon.visit import Visit
from netplay.messages.door import LeaveTable, Play, Watch
from netplay.messages.table_questions import LendSeat
from netplay.players import player
from netplay.web_devices import Devices
from netplay.wire import pack, unpack
from rules import numlo
from tools.bench.browser import Tab, entry, hosted, port, serving, spent
from tools.bench.measuring import AT_MOST, Row, amount, plain, row
from tools.bench.pair import LOOP, Node, Window, nodes

SECONDS: Final = 27
"""Of rounds, for each kind of siege: all of them take less than five minutes."""

TURNS: Final = 8
"""Of the guest, each answered, in a round of each."""

WARM_SECONDS: Final = 0.2
"""For a stranger to have begun, and to have gone."""

MOST: Final = 1.2
"""Times the calm latency, at most, that a turn may take beside a siege."""

HALF_OPEN: Final = 200
HANDS: Final = 4
"""With which a stranger does what it does, at once: who waits for an answer is slow."""

NICE: Final = 10
"""How far a stranger stands back for all else on this machine."""

ADDRESSES: Final = 20
"""From which a stranger comes: a bound for one address alone does not help."""


# The stranger.


def _counts(_port: int, _shown: str, _number: int) -> None:
    """Keep a core busy, and disturb nobody."""
    for _ in range(20_000):
        pass


def _origin(port: int, _shown: str, number: int) -> None:
    """Be a page elsewhere."""
    Tab(port, _address(number), 5).open(origin="http://evil.example")


def _rebound(port: int, _shown: str, number: int) -> None:
    """Come by a name that somebody has pointed here."""
    Tab(port, _address(number), 5).open(host=f"evil.example:{port}")


FRAMES: Final = (
    b"\x81\xff" + (1 << 62).to_bytes(8, "big") + bytes(4),
    b"\x81\xff" + (1 << 20).to_bytes(8, "big") + bytes(4) + b"x" * (1 << 20),
    b"\x82\x88" + bytes(12),
    b"\xf1\x80" + bytes(4),
    b"\x81\x84\0",
    (b"\x01\x80" + bytes(4) + (b"\0\x80" + bytes(4)) * 999) * 9,
)
"""Too large, said and sent; no text; bits nobody has agreed on; torn; empty pieces."""


def _frames(port: int, _shown: str, number: int) -> None:
    """Send frames that are torn, or huge, or nothing."""
    tab = Tab(port, _address(number), 5)
    tab.open()
    tab.raw.sendall(FRAMES[number % len(FRAMES)])
    tab.raw.shutdown(socket.SHUT_WR)
    tab.until_closed()


_held: Final[deque[socket.socket]] = deque(maxlen=HALF_OPEN)


def _half(port: int, _shown: str, number: int) -> None:
    """Begin two hundred requests at once, and end none."""
    raw = socket.create_connection((LOOP, port), 5, (_address(number), 0))
    if len(_held) == HALF_OPEN:
        _held[0].close()
    _held.append(raw)
    raw.sendall(b"GET / HT")
    if number >= HALF_OPEN:
        sleep(0.01)


def _bare(port: int, _shown: str, number: int) -> None:
    """Come, say nothing, and go."""
    socket.create_connection((LOOP, port), 5, (_address(number), 0)).close()


def _one(port: int, _shown: str, _number: int) -> None:
    """Do the same, always from one address."""
    socket.create_connection((LOOP, port), 5, ("127.0.9.1", 0)).close()


def _shows(port: int, shown: str, number: int) -> None:
    """Show what is good no more: a link that is taken, the token of who is forgotten.

    Tab by tab, as a browser would.
    """
    kind = "entry" if shown.startswith("g.") else "token"
    tab = Tab(port, _address(number), 5)
    assert "refused" in tab.hello(tab=f"{number:032x}", **{kind: shown})
    tab.until_closed()


KINDS: Final[dict[str, tuple[str, Callable[[int, str, int], None]]]] = {
    "nobody": ("a busy core", _counts),
    "origin": ("pages elsewhere", _origin),
    "rebound": ("a name pointed here", _rebound),
    "frames": ("torn and huge frames", _frames),
    "half": (f"{HALF_OPEN} half-open", _half),
    "bare": ("bare connections", _bare),
    "one": ("bare, one address", _one),
    "stolen": ("a stolen link", _shows),
    "forgotten": ("a forgotten token", _shows),
}
"""What a stranger does again and again, and its name in the figures."""


def _address(number: int) -> str:
    """Return one of this computer's own: all of 127.0.0.0/8 is."""
    return f"127.0.9.{1 + number % ADDRESSES}" if sys.platform == "linux" else LOOP


def stranger(kind: str, where: int, shown: str) -> None:
    """Do it as fast as one is let, from each sign that comes until the next.

    How often is said then.
    """
    with suppress(AttributeError, OSError):
        os.nice(NICE)
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    do, numbers, on = KINDS[kind][1], count(), Event()

    def go_on() -> None:
        while on.wait():
            with suppress(OSError):  # shown the door
                do(where, shown, next(numbers))

    for _ in range(HANDS):
        Thread(target=go_on, daemon=True).start()
    print(0, flush=True)
    before = 0
    while os.read(0, 1):
        on.set()
        os.read(0, 1)
        on.clear()
        while _held:
            _held.pop().close()
        now = next(numbers)
        print(now - before, flush=True)
        before = now


class _Stranger:
    """Who besieges the pages, when told to."""

    def __init__(self, kind: str, where: int, shown: str) -> None:
        words = [sys.executable, "-m", "tools.bench.besieged", kind, str(where), shown]
        self._child = Popen(words, stdin=PIPE, stdout=PIPE)
        self.done = self._said()
        self.seconds = 0.0

    @contextmanager
    def siege(self) -> Iterator[None]:
        """Let it be there for as long as the context lasts."""
        began = perf_counter()
        self._say()
        sleep(WARM_SECONDS)
        yield
        self._say()
        self.done += self._said()
        self.seconds += perf_counter() - began
        sleep(WARM_SECONDS)

    def _said(self) -> int:
        assert self._child.stdout is not None
        return int(self._child.stdout.readline())

    def _say(self) -> None:
        assert self._child.stdin is not None
        self._child.stdin.write(b"\n")
        self._child.stdin.flush()

    def end(self) -> None:
        """End it."""
        self._child.communicate()


# The match.


class _Match:
    """A match of the owner's and a guest's, who sits in a browser."""

    def __init__(self, node: Node) -> None:
        """Begin it, and let the guest in by its link."""
        self.node, self._open = node, ExitStack()
        self._hand, self._rng = player("numlo"), random.Random(1)  # noqa: S311 (no secret)
        self._begin()

    def _begin(self) -> None:
        self.table = hosted(self.node, "numlo", "person:Bert", size="16")
        with Visit(self.node.home, table=self.table) as visit:
            self.link = str(visit.ask(LendSeat(1, served=True)).text).partition("#")[2]
        # From elsewhere than strangers, who have used up the tries of their address.
        self.page = Tab(port(self.node), "127.0.0.77")
        assert "token" in self.page.hello(entry=self.link)
        self.page.until('"cell:')
        there = Visit(self.node.home, table=self.table, pushes=True)
        self.visit = self._open.enter_context(there)
        self.window = Window(self.visit)
        self.visit.put(Watch(0))
        self._view = self.window.view()

    def end(self) -> None:
        """Leave the table, and let the guest's place at the door be free again."""
        self.page.raw.close()
        self.visit.ask(LendSeat(1, on=False))
        self.visit.ask(LeaveTable())
        self._open.close()

    def turn(self) -> float:
        """Return the milliseconds of a guest's turn, and of the answer's way back."""
        while not (state := self._state()) or numlo.actors(state) != {1}:
            if not state or not numlo.actors(state) & {0, 1}:
                self.end()
                self._begin()
            else:
                self._answer(state)
        move = self._hand.choose(state, 1, 40, self._rng)
        began = perf_counter()
        self.page.say(do="use", name=f"cell:{move.square}")
        self._view = self.window.view(self._view.number + 1)
        took = perf_counter() - began
        if (state := self._state()) and numlo.actors(state) == {0}:
            took += self._answer(state)
        return took * 1e3

    def _state(self) -> numlo.State | None:
        state: numlo.State | None = unpack(self._view.state, numlo.State)
        return state

    def _is_guests_turn(self) -> bool:
        state = self._state()
        return state is not None and numlo.actors(state) == {1}

    def _is_told_to_move(self) -> bool:
        title: str = self.page.heard[-1].get("title", "")
        return title.startswith("Your turn")

    def _answer(self, state: numlo.State) -> float:
        """Return the seconds of the owner's move until the guest's page is told."""
        move = self._hand.choose(state, 0, 40, self._rng)
        while self._is_told_to_move():  # as it was before its own move
            assert self.page.told()
        began = perf_counter()
        self.visit.put(Play(0, pack(move), self._view.number))
        self._view = self.window.view(self._view.number + 1)
        while self._is_guests_turn() and not self._is_told_to_move():
            assert self.page.told()
        return perf_counter() - began


class _Took:
    """What turns took, with a siege or without."""

    def __init__(self) -> None:
        self.turns: list[float] = []
        self.seconds = 0.0
        self.work = [0.0, 0.0]
        """Seconds of processor of the server of pages, and of the node."""

    def add(self, match: _Match) -> float:
        """Play some turns, and return what one took in the middle."""
        pids = serving(match.node), match.node.process.pid
        before, began = [spent(each) for each in pids], perf_counter()
        turns = [match.turn() for _ in range(amount(TURNS, 1))]
        self.turns += turns
        self.seconds += perf_counter() - began
        for at, each in enumerate(pids):
            self.work[at] += spent(each) - before[at]
        return median(turns)

    def share(self, at: int) -> float:
        """Return the percent of a core that a process has used."""
        return 100 * self.work[at] / self.seconds


def rows() -> Iterator[Row]:
    """Measure."""
    with tempfile.TemporaryDirectory() as name, nodes(Path(name), 1, Node) as (node,):
        entry(node)
        yield from besieged(node)


def besieged(node: Node) -> Iterator[Row]:
    """Measure a match beside each kind of siege."""
    match = _Match(node)
    for kind, (title, _do) in KINDS.items():
        shown = {"stolen": match.link, "forgotten": _forgotten(node)}.get(kind, "-")
        calm, loud, one = _Took(), _Took(), _Stranger(kind, port(node), shown)
        ratios: list[float] = []
        until = perf_counter() + amount(SECONDS, 0)
        while not ratios or perf_counter() < until:
            took = {}
            for sieged in (False, True) if len(ratios) % 2 else (True, False):
                with one.siege() if sieged else nullcontext():
                    took[sieged] = (loud if sieged else calm).add(match)
            ratios.append(took[True] / took[False])
        one.end()
        ours, usual = median(loud.turns), median(calm.turns)
        yield replace(
            row(f"besieged: {title}, a turn", ours, "ms", AT_MOST, MOST * usual),
            ratio=round(median(ratios) / MOST, 3),
        )
        yield plain(f"besieged: {title}, give or take", _doubt(ratios), "%")
        yield plain(f"besieged: {title}, tries", one.done / one.seconds, "a second")
        for at, what in enumerate(("pages", "node")):
            yield row(f"besieged: {title}, {what}", loud.share(at), "% of a core",
                      "alone", calm.share(at))  # fmt: skip
    match.end()


def _doubt(ratios: list[float]) -> float:
    """Return by how many percent the median may be off, nineteen times of twenty."""
    found, half = sorted(ratios), sqrt(len(ratios))
    low = found[max(0, round(len(found) / 2 - half))]
    high = found[min(len(found) - 1, round(len(found) / 2 + half))]
    return 50 * (high - low) / median(found)


def _forgotten(node: Node) -> str:
    """Return what a browser shows that was paired, and is forgotten."""
    devices = Devices(node.home.path)
    tab = Tab(port(node))
    token = tab.hello(entry=devices.offer())["token"]
    tab.raw.close()
    devices.forget(devices.all()[-1].name)
    return str(token)


if __name__ == "__main__":
    stranger(sys.argv[1], int(sys.argv[2]), sys.argv[3])
