"""Two windows over two real nodes on one display: join, play, part, come back."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from client.app import settings
from client.pages.link_offer import INVITED
from tests.client.test_window import ROOT, TOOLS, Screen, desktop, unasked
from tests.patience import PATIENCE

MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]

pytestmark = [
    pytest.mark.window,
    pytest.mark.processes,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]

ALONE = ("--any-port", "--listen", "127.0.0.1", "--no-beacon", "--no-pace")
"""On the loopback: nothing goes to a network, and no router is asked about; computers
move as fast as they can."""


class Player(Screen):
    """A node and its window, on a display that is there already."""

    speaking: tuple[str, ...] = ()
    """What lets the window speak, if it is to."""

    def __init__(self, home: Path, env: dict[str, str], name: str) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []
        self.env, self.home, self.name = env, home, name
        home.mkdir(exist_ok=True)
        unasked(home)
        # What the window asks by itself was asked: its own tests try that.
        own, _damaged = settings.load(home)
        settings.store(home, replace(own, tips=(*own.tips, "clipboard", INVITED)))
        self.start()
        self.until((home / "door").exists)
        self.open()

    def start(self, *words: str) -> None:
        """Start the node, or start it anew."""
        node = [sys.executable, "-m", "netplay", "node", *ALONE]
        self.node = self.launch([*node, *words, "--home", str(self.home)])

    def open(self) -> None:
        """Open the window, and tell the display's windows apart by their process."""
        words = [sys.executable, "-m", "client", "--home", self.home]
        words += ["--debug-port", "0", *self.speaking]
        self.window = self.launch(words, stdout=subprocess.PIPE)
        assert self.window.stdout is not None
        self.port = int(self.window.stdout.readline().split()[2])
        pid = str(self.window.pid)
        found = self.until(
            lambda: self.quietly("search", "--onlyvisible", "--pid", pid)
        )
        self.id = found.split()[-1]

    def quietly(self, *words: str) -> str:
        with suppress(subprocess.CalledProcessError):
            return self.tool(*words)
        return ""

    def front(self) -> None:
        self.tool("windowactivate", "--sync", self.id)

    def named(self) -> None:
        self.front()
        self.node_named("field.name")
        self.tool("type", "--delay", "80", self.name)
        self.until(lambda: self.node_named("field.name").get("value") == self.name)
        self.tool("key", "Return")
        self.until(lambda: self.ask("find", "name") is None)

    def command(self, *words: str) -> str:
        """Run a command on this window's node."""
        line = [sys.executable, "-m", "netplay", *words, "--home", str(self.home)]
        done = subprocess.run(
            line, capture_output=True, check=True, cwd=ROOT, timeout=PATIENCE
        )
        return done.stdout.decode()


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Player, Player]]:
    processes: list[subprocess.Popen[bytes]] = []
    env = desktop(processes)
    players: list[Player] = []
    try:
        for name in ("Anna", "Bert"):
            players.append(Player(tmp_path / name, env, name))
            players[-1].named()
        yield players[0], players[1]
    finally:
        for player in players:
            player.close()
        for process in reversed(processes):
            process.terminate()
            process.wait(PATIENCE)


def text_of(player: Player, name: str) -> str:
    found: dict[str, Any] | None = player.ask("find", name)
    return str(found.get("text", "")) if found else ""


def tiles_of(player: Player) -> set[str]:
    return {name for name in player.ask("names") if name.startswith("tile:")}


def test_two_play_chat_part_and_come_back(pair: tuple[Player, Player]) -> None:
    anna, bert = pair
    anna.front()
    anna.click("open")
    anna.until(lambda: anna.ask("window")["page"] == "table")
    port = anna.command("status").split("port ")[1].split()[0]

    bert.front()
    bert.click("field.address")
    bert.tool("type", "--delay", "30", f"127.0.0.1:{port}")
    bert.until(
        lambda: bert.node_named("field.address").get("value") == f"127.0.0.1:{port}"
    )
    bert.tool("key", "Return")
    bert.until(lambda: bert.ask("window")["page"] == "table")

    anna.front()
    anna.until(lambda: anna.node_named("start").get("enabled", True))
    anna.click("start")
    both = (anna, bert)
    for player in both:
        player.until(lambda player=player: player.ask("find", "rack"))
        player.until(lambda player=player: "turn" in player.ask("window")["title"])

    first = next(d for d in both if d.ask("window")["title"].startswith("Your"))
    other = bert if first is anna else anna
    first.front()
    before = tiles_of(first)
    first.click("pass")
    first.node_named("pile")
    first.click(min(before))
    first.click("done")
    other.until(lambda: other.ask("window")["title"].startswith("Your turn"))
    first.until(lambda: tiles_of(first) != before)

    other.front()
    other.click("field.chat")
    other.until(lambda: other.ask("window")["focus"] == "field.chat")
    other.tool("type", "--delay", "60", "luck")
    other.tool("key", "Return")
    first.until(lambda: "luck" in text_of(first, "instructions"))

    seat = 0 if other is anna else 1
    other.window.terminate()
    other.node.terminate()
    other.node.wait(PATIENCE)
    first.until(lambda: text_of(first, f"seat{seat}.state").startswith("away"))
    first.until(lambda: "waits for" in text_of(first, "instructions"))

    other.start()
    other.until((other.home / "door").exists)
    other.open()
    other.until(lambda: other.ask("window")["title"].startswith("Your turn"))
    first.until(lambda: text_of(first, f"seat{seat}.state") == "connected")
