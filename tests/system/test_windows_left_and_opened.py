"""Games with an exchange, in real windows that are opened, left and killed."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from netplay.messages.door import HostTable, Join, Play, StartMatch, Watch
from netplay.messages.table import Fairness
from netplay.messages.table_questions import WatchAt
from netplay.wire import pack, unpack
from rules import GAMES, lhexicon, networdz
from tests.patience import PATIENCE
from tools.bench.pair import LOOP, Node, Window, nodes

ROOT = Path(__file__).parents[2]
MISSING = [tool for tool in ("Xvfb", "xdotool", "import") if not shutil.which(tool)]
TIMES = int(os.environ.get("NETPLAY_TIMES", "10"))
"""Each window is opened and left so often."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.window,
    pytest.mark.processes,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


@contextmanager
def display() -> Generator[dict[str, str]]:
    """Run an X server, and return the environment of windows on it."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-r", "-displayfd", str(write), "-screen", "0", "1300x820x24",
         "-nolisten", "tcp"], pass_fds=(write,), stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read) as number:
        screen = number.readline().strip()
    try:
        yield {
            **os.environ, "DISPLAY": f":{screen}", "SDL_VIDEODRIVER": "x11",
            "SDL_AUDIODRIVER": "dummy", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
    finally:
        server.terminate()
        server.wait()


class Shown:
    """A real window of a node's home."""

    def __init__(self, home: Path, env: dict[str, str]) -> None:
        words = [sys.executable, "-m", "client", "--home", str(home)]
        self.home, self.env = home, env
        self.process = subprocess.Popen(
            [*words, "--debug-port", "0", "--size", "1280x800"], env=env, cwd=ROOT,
            stdout=subprocess.PIPE,
        )  # fmt: skip
        assert self.process.stdout is not None
        told = self.process.stdout.readline().decode().split()
        assert told[:2] == ["debug", "port"], told
        self.port = int(told[2])

    def ask(self, do: str, name: str = "") -> Any:
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as sock:
            sock.sendall(json.dumps({"do": do, "name": name}).encode() + b"\n")
            with sock.makefile("rb") as lines:
                return json.loads(lines.readline())

    def until(self, true: Any) -> Any:
        late = monotonic() + PATIENCE
        while not (found := true()):
            assert monotonic() < late, self.ask("window")
            assert self.process.poll() is None
            sleep(0.05)
        return found

    def key(self, *keys: str) -> None:
        words = ["xdotool", "key", "--delay", "40", *keys]
        subprocess.run(words, env=self.env, check=True, timeout=PATIENCE)

    def moves(self) -> int:
        names = self.ask("names")
        assert not [name for name in names if name.startswith("mishap")], names
        return sum(name.startswith("move:") for name in names)

    def looks(self, moves: int) -> None:
        """Look at the game, and at each of its positions back to the first."""
        self.until(lambda: self.ask("match"))
        self.until(lambda: self.moves() >= moves)
        for names in ("names", "scene"):
            assert self.ask(names)
        for row in range(40):
            name = f"move:{row}"
            found = self.ask("find", name)
            if found is None:
                continue
            x, y, w, h = found["rect"]
            subprocess.run(
                ["xdotool", "mousemove", str(x + w // 2), str(y + h // 2), "click",
                 "1"], env=self.env, check=True, timeout=PATIENCE,
            )  # fmt: skip
            sleep(0.1)
            assert self.moves() >= 1
        self.key("Home")
        self.moves()
        self.key("End")
        self.moves()

    def picture(self, path: Path) -> None:
        words = ["import", "-window", "root", str(path)]
        subprocess.run(words, env=self.env, check=True, timeout=PATIENCE)

    def close(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        assert code == (0 if number == signal.SIGTERM else -number)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Seat:
    """A hand at a seat, through the door of its node."""

    def __init__(self, window: Window, seat: int, game: str) -> None:
        self.window, self.seat, self.game = window, seat, GAMES[game]
        window.visit.ask(Watch(seat))
        self.view: Any = None
        self.number = -1

    def ready(self) -> Any:
        """Return the view once the seat is on turn and knows its tiles."""
        late = monotonic() + PATIENCE
        while monotonic() < late:
            self.window.visit.ask(Watch(self.seat))
            view = self.window.view()
            state = unpack(view.state, self.game.ABOUT.state)
            known = min(state.tiles.kinds[self.seat], default=0) >= 0
            if known and self.seat in self.game.actors(state):
                self.number = view.number
                return state
            sleep(0.2)
        raise AssertionError("the turn does not come")

    def lay(self) -> None:
        state = self.ready()
        moves = self.game.moves(state, self.seat)
        lay = next(move for move in moves if type(move).__name__ == "Lay")
        self.window.visit.ask(Play(self.seat, pack(lay), self.number))

    def exchange(self) -> None:
        state = self.ready()
        tile = state.tiles.racks[self.seat][:1]
        made = networdz.Pass if self.game is GAMES["networdz"] else lhexicon.Discard
        self.window.visit.ask(Play(self.seat, pack(made(tile)), self.number))


def played(
    game: str, fairness: Fairness, windows: Sequence[Window], onlooker: Window | None
) -> int:
    """Play a word and an exchange at each seat, and a word; return the moves made."""
    host, *guests = windows
    chairs = ("person", *("remote" for _ in guests))
    host.visit.ask(
        HostTable(game, chairs, (), "", "", bystanders="anybody", fairness=fairness)
    )
    address = f"{LOOP}:{host.visit.status().port}"
    for number, guest in enumerate(guests, 1):
        guest.visit.ask(Join(address, number))
    host.table(lambda table: all(seat.accepted for seat in table.seats))
    host.visit.ask(StartMatch())
    for window in windows:
        window.table(lambda table: bool(table.match))
    if onlooker is not None:
        onlooker.visit.ask(WatchAt(address))
        onlooker.table(lambda table: bool(table.match))
    seats = [Seat(window, n, game) for n, window in enumerate(windows)]
    turn = host.table(lambda table: bool(table.turn)).turn[0]
    order = [seats[(turn + n) % len(seats)] for n in range(len(seats))]
    order[0].lay()
    for seat in (*order[1:], order[0]):
        seat.exchange()
    order[1].lay()
    return len(seats) + 2


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("fairness", ["encrypted", "committed"])
@pytest.mark.parametrize("game", ["networdz", "lhexicon"])
def test_a_game_with_an_exchange_is_opened_and_left_by_everybody(
    tmp_path: Path, game: str, fairness: Fairness, players: int
) -> None:
    with nodes(tmp_path, players + 1, Node) as running, display() as env:
        with ExitStack() as open_:
            windows = [
                Window(open_.enter_context(node.visit(pushes=True))) for node in running
            ]
            moves = played(game, fairness, windows[:-1], windows[-1])
        for node in running:
            home = node.home.path
            for number in range(TIMES):
                shown = Shown(home, env)
                shown.looks(moves)
                if number == 0:
                    shown.picture(tmp_path / f"{home.name}.png")
                shown.close(signal.SIGKILL if number == TIMES // 2 else signal.SIGTERM)
            assert node.process.poll() is None
            journal = node.home.journal
            assert "window.fault" not in (
                journal.read_text() if journal.exists() else ""
            )
