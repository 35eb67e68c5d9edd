"""What the window costs in a browser: over real sockets, from a process of its own.

A page here reads what it is told and says that it has painted it; how long a browser
takes to paint is not in the figures.
"""

import json
import os
import re
import socket
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any, Final

import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import CloseConnection, Request, TextMessage
from wsproto.utilities import LocalProtocolError

from netplay.daemon.visit import Visit
from netplay.limits import WEB_SESSIONS
from netplay.messages.door import (
    GetStatus,
    HostTable,
    LeaveTable,
    Play,
    StartMatch,
    Status,
    Watch,
)
from netplay.messages.node_questions import Pair, Paired
from netplay.players import player
from netplay.web_place import served
from netplay.wire import pack, unpack
from rules import networdz
from tools.bench.measuring import AT_MOST, Row, amount, row
from tools.bench.pair import LOOP, Node, Window, nodes

KEYS: Final = 60
SECONDS: Final = 10
SETTLED_SECONDS: Final = 4
TURNS: Final = 6
STARTS: Final = 5
MATCHES: Final = 3

HELD: Final = 60.0
"""Keys a second: more than any keyboard repeats."""

MOST: Final = {
    "start": 500.0, "start bytes": 1500.0, "turn": 20.0, "falling": 150.0,
    "session": 12.0, "rest": 2.0,
}  # fmt: skip
"""What a figure must not pass: ms, kB, kB, kB/s, MiB and % of a core for twenty."""

FRAMES: Final = 30
TWENTY: Final = 20
"""Sessions, of which the figure at rest is told; only `WEB_SESSIONS` may be there."""


class Tab:
    """A page's WebSocket, as a browser has it."""

    def __init__(self, port: int, address: str = LOOP, seconds: float = 60.0) -> None:
        """Connect, from an address of this computer's own choosing."""
        self.port = port
        self.raw = socket.create_connection((LOOP, port), seconds, (address, 0))
        self.socket = WSConnection(ConnectionType.CLIENT)
        self.events: list[Any] = []
        self.heard: list[dict[str, Any]] = []
        self.closed: int | None = None
        self.bytes = 0

    def open(self, host: str = "", origin: str = "") -> Any:  # noqa: ANN401 (an event)
        """Ask for the WebSocket; return what is answered."""
        host = host or f"{LOOP}:{self.port}"
        headers = [(b"Origin", (origin or f"http://{host}").encode())]
        asked = Request(host=host, target="/page", extra_headers=headers)
        self.raw.sendall(self.socket.send(asked))
        return self.event()

    def event(self) -> Any:  # noqa: ANN401 (of wsproto)
        """Return what happens next; None once it is closed."""
        while not self.events:
            try:
                data = self.raw.recv(1 << 20)
            except TimeoutError:
                raise
            except OSError:  # it was closed, there or here
                data = b""
            if not data:
                return None
            self.bytes += len(data)
            self.socket.receive_data(data)
            self.events += self.socket.events()
        return self.events.pop(0)

    def say(self, **said: object) -> None:
        """Say something."""
        self.raw.sendall(self.socket.send(TextMessage(json.dumps(said))))

    def hello(self, *, tab: str = "0" * 32, **more: object) -> dict[str, Any]:
        """Come in; return what is answered."""
        self.open()
        self.say(do="hello", tab=tab, w=1280, h=800, **more)
        return self.told()

    def told(self) -> dict[str, Any]:
        """Return what is told next; nothing once it is closed."""
        text = ""
        while True:
            event = self.event()
            if isinstance(event, TextMessage):
                text += event.data
                if event.message_finished:
                    self.heard.append(json.loads(text))
                    frame = self.heard[-1].get("frame")
                    if frame:
                        with suppress(OSError, LocalProtocolError):  # it is going
                            self.say(do="drawn", frame=frame)
                    return self.heard[-1]
            elif isinstance(event, CloseConnection) or event is None:
                self.closed = event.code if event else -1
                return {}

    def until_closed(self) -> int:
        """Return why it is closed."""
        while self.closed is None:
            self.told()
        return self.closed

    def until(self, words: str) -> None:
        """Wait until words are shown."""
        while words not in json.dumps(self.heard):
            assert self.told() or words in json.dumps(self.heard)

    def quiet(self, seconds: float) -> int:
        """Read until nothing more is told for a while; return how many frames came."""
        frames = 0
        self.raw.settimeout(seconds)
        with suppress(TimeoutError):
            while self.told():
                frames += 1
        self.raw.settimeout(60)
        return frames


def rows() -> Iterator[Row]:
    """Measure."""
    with tempfile.TemporaryDirectory() as name, nodes(Path(name), 1, Node) as (node,):
        yield from _start(node)
        yield _key(node)
        yield from _rest(node)
        yield _turn(node)
        yield from _falling(node)


def entry(node: Node) -> str:
    """Return what lets a page of the owner's in; pages are served from then on."""
    with node.visit() as visit:
        made = unpack(visit.ask(Pair(here=True)).data, Paired)
    return str(made.link).partition("#")[2]


def port(node: Node) -> int:
    """Return where the pages are."""
    found = served(node.home.path)
    assert found is not None
    return found.port


def _entered(node: Node, *, tab: str = "0" * 32, token: str = "") -> Tab:
    """Return a page that is shown all."""
    page = Tab(port(node))
    shown = {"token": token} if token else {"entry": entry(node)}
    assert "token" in page.hello(tab=tab, **shown)
    page.told()
    return page


# The first page.


def _start(node: Node) -> Iterator[Row]:
    """Measure a page's way from nothing to its first scene."""
    entry(node)
    found = [_started(node, entry(node)) for _ in range(1 + amount(STARTS, 1))]
    times, sizes = zip(*found[1:], strict=True)
    yield row("browser: start page", median(times), "ms", AT_MOST, MOST["start"])
    yield row(
        "browser: start page, all of it", median(sizes), "kB", AT_MOST,
        MOST["start bytes"],
    )  # fmt: skip


def _started(node: Node, link: str) -> tuple[float, float]:
    """Return the milliseconds and kilobytes of all that a browser asks for."""
    began, where = perf_counter(), port(node)
    page, size = _got(where, "/")
    for path in set(re.findall(r'(?:href|src)="(/[^"]+)"', page.decode())):
        size += len(_got(where, path)[0])
    tab = Tab(where)
    assert "token" in tab.hello(entry=link)
    assert "scene" in tab.told()
    tab.raw.close()
    return (perf_counter() - began) * 1e3, (size + tab.bytes) / 1e3


def _got(where: int, path: str) -> tuple[bytes, int]:
    """Return the file at a path, and how many bytes came."""
    with socket.create_connection((LOOP, where), 60) as raw:
        head = f"GET {path} HTTP/1.1\r\nHost: {LOOP}:{where}\r\nConnection: close\r\n"
        raw.sendall(f"{head}\r\n".encode())
        pieces = []
        while data := raw.recv(1 << 20):
            pieces.append(data)
    whole = b"".join(pieces)
    assert b" 200 " in whole[:20], path
    return whole.partition(b"\r\n\r\n")[2], len(whole)


# A key.


def _key(node: Node) -> Row:
    """Measure a key until the page is told what to paint; the window has painted it."""
    page = _entered(node)
    page.quiet(1)
    times = []
    for _ in range(amount(KEYS, 3)):
        began = perf_counter()
        page.say(do="key", key="tab")
        assert page.told()
        times.append((perf_counter() - began) * 1e3)
        page.quiet(0.05)
    page.raw.close()
    ours = trio.run(_painted, node.home.path)
    return row("browser: key to told", median(times), "ms", "the window's paint", ours)


async def _painted(home: Path) -> float:
    """Return the milliseconds of a key until the window has painted what it does."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame  # noqa: PLC0415 (loaded after that)

    from client.app.model import Model  # noqa: PLC0415 (as above)
    from client.browser.session import PageSession  # noqa: PLC0415 (as above)
    from client.ui.intents import Key  # noqa: PLC0415 (as above)
    from client.window.painter import Painter  # noqa: PLC0415 (as above)

    session = PageSession(Model(), home)
    session.attach(lambda _data: None, 1280, 800)
    painter = Painter(pygame.Surface((1280, 800)), session.model.look)
    times = []
    for _ in range(amount(KEYS, 3)):
        began = perf_counter()
        session.feel(Key("tab"), trio.current_time())
        painter.paint(session.root, session.hand.touch)
        times.append((perf_counter() - began) * 1e3)
    return median(times)


# At rest.


def _rest(node: Node) -> Iterator[Row]:
    """Measure pages that nobody touches."""
    pid = serving(node)
    first = _entered(node)
    token = first.heard[0]["token"]
    first.quiet(amount(SETTLED_SECONDS, 1))
    small = _mebibytes(pid)
    tabs = [first]
    for number in range(1, WEB_SESSIONS - 1):
        tabs.append(_entered(node, tab=f"{number:032x}", token=token))
        tabs[-1].quiet(0.5)
    sleep(amount(SETTLED_SECONDS, 1))
    each = max(0.001, (_mebibytes(pid) - small) / (len(tabs) - 1))
    yield row("browser: memory, a session", each, "MiB", AT_MOST, MOST["session"])
    used, seconds = spent(pid), amount(SECONDS, 1)
    sleep(seconds)
    share = 100 * (spent(pid) - used) / seconds / len(tabs) * TWENTY
    yield row(
        f"browser: idle, as of {TWENTY}", share, "% of a core", AT_MOST, MOST["rest"]
    )
    for tab in tabs:
        tab.raw.close()


def serving(node: Node) -> int:
    """Return the process that serves a node's pages."""
    ups = re.findall(r"web\.up pid=(\d+)", node.home.journal.read_text())
    return int(ups[-1])


def _mebibytes(pid: int) -> float:
    text = Path(f"/proc/{pid}/status").read_text()
    (line,) = (line for line in text.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def spent(pid: int) -> float:
    """Return the seconds of processor that a process has used."""
    tasks = Path(f"/proc/{pid}").glob("task/*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


# Matches.


def hosted(node: Node, game: str, other: str, **options: str) -> int:
    """Begin a match of a person here, and return the number of its table."""
    chosen = tuple(options.items())
    with node.visit() as visit:
        visit.ask(HostTable(game, ("person:Ada", other), chosen, "", ""))
        number = max(one.table for one in visit.status().games)
    with Visit(node.home, table=number) as visit:
        visit.ask(StartMatch())
        while True:
            found = unpack(visit.ask(GetStatus()).data, Status).table
            if found is not None and found.phase == "playing":
                return number
            sleep(0.01)


def _turn(node: Node) -> Row:
    """Measure what a page is told of a turn of Networdz."""
    table, sizes = hosted(node, "networdz", "person:Bert"), []
    page = _entered(node)
    page.quiet(1)
    hand = player("networdz")
    with Visit(node.home, table=table, pushes=True) as visit:
        window = Window(visit)
        visit.put(Watch(0))
        number = 0
        for _ in range(amount(TURNS, 1)):
            while True:
                view = window.view(number)
                state = unpack(view.state, networdz.State)
                seats = networdz.actors(state) & {0, 1}
                if seats:
                    break
            seat = min(seats)
            if view.seat != seat:
                visit.put(Watch(seat))
                while (view := window.view(number)).seat != seat:
                    pass
                state = unpack(view.state, networdz.State)
            before, number = page.bytes, view.number + 1
            move = hand.choose(state, seat, 40, _rng())
            visit.put(Play(seat, pack(move), view.number))
            page.quiet(1)
            sizes.append((page.bytes - before) / 1e3)
        visit.ask(LeaveTable())
    page.raw.close()
    return row("browser: a turn of networdz", max(sizes), "kB", AT_MOST, MOST["turn"])


def _rng() -> Any:  # noqa: ANN401 (of the standard library)
    import random  # noqa: PLC0415 (here alone)

    return random.Random(1)  # noqa: S311 (no secret)


def _falling(node: Node) -> Iterator[Row]:
    """Measure Hexcolumns at its fastest, with keys until the well is full."""
    page = _entered(node)
    page.quiet(1)
    found = [_fallen(node, page) for _ in range(amount(MATCHES, 1))]
    page.raw.close()
    frames, sizes = zip(*found, strict=True)
    each = 1e3 / max(1, median(frames))
    yield row("browser: falling, a frame", each, "ms", AT_MOST, 1e3 / FRAMES)
    yield row("browser: falling, told", median(sizes), "kB/s", AT_MOST, MOST["falling"])


def _fallen(node: Node, page: Tab) -> tuple[float, float]:
    """Return the frames and kilobytes a second until the well is full."""
    table = hosted(node, "hexcolumns", "computer:0", level="25")
    while not page.told().get("title", "").startswith("All play"):
        pass
    frames, before, began, turn = 0, page.bytes, perf_counter(), 0
    over = False
    while not over:
        page.say(do="use", name="press:rotate")
        turn += 1
        due = began + turn / HELD
        while not over and (left := due - perf_counter()) > 0:
            page.raw.settimeout(left)
            with suppress(TimeoutError):
                told = page.told()
                frames += "change" in told
                over = told.get("title", "").startswith("Game over")
    page.raw.settimeout(60)
    took = perf_counter() - began
    found = frames / took, (page.bytes - before) / 1e3 / took
    with Visit(node.home, table=table) as visit:
        visit.ask(LeaveTable())
    page.quiet(1)
    return found
