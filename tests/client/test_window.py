"""A real window under Xvfb: what SDL, a window manager and a clipboard really do.

Scripts click names, which the window's debug port tells, instead of coordinates.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from select import select
from time import monotonic
from typing import Any

import pytest

from netplay.home import Home
from tests.patience import PATIENCE, until

ROOT = Path(__file__).parents[2]
SERVER = ("Xvfb", "-r")
"""Keys do not repeat: a busy machine may let go of one late."""

TOOLS = ("Xvfb", "xdotool", "setxkbmap", "openbox", "wmctrl", "xclip")
MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


def unasked(home: Path) -> None:
    """Let a home ask its player nothing by itself.

    A question comes once the hands lie still, as they often do on a busy machine, and
    lies over what is clicked next.
    """
    for setting in ("ask-servers", "dht", "map-port", "copy"):
        Home(home).set(setting, "off")


def desktop(
    processes: list[subprocess.Popen[bytes]], size: str = "1600x1000", *more: str
) -> dict[str, str]:
    """Start a display and a window manager; return what finds them.

    A window that asks to be shown while openbox is still beginning may never be, and
    SDL waits for that without end.  So something else is asked of it first.
    """
    read, write = os.pipe()
    words = [*SERVER, "-displayfd", str(write), "-screen", "0", f"{size}x24", *more]
    words += ["-nolisten", "tcp", "-noreset"]
    processes.append(
        subprocess.Popen(words, stderr=subprocess.DEVNULL, pass_fds=(write,))
    )
    os.close(write)
    with os.fdopen(read) as number:
        display = number.readline().strip()
    env = {
        **os.environ, "DISPLAY": f":{display}", "SDL_VIDEODRIVER": "x11",
        "SDL_AUDIODRIVER": "dummy", "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    processes.append(subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL, env=env))

    def does(*asked: str) -> str:
        words = ["xdotool", *asked]
        done = subprocess.run(words, env=env, capture_output=True, check=False)
        return done.stdout.decode().strip()

    until(lambda: does("set_num_desktops", "1", "get_num_desktops") == "1")
    return env


class Screen:
    """An X display, a window manager, a fake node and the window, as processes."""

    def __init__(self, home: Path, size: str = "1600x1000") -> None:
        self.processes: list[subprocess.Popen[bytes]] = []
        self.env = desktop(self.processes, size)
        home.mkdir(exist_ok=True)
        self.node = self.launch([sys.executable, "-m", "tests.client.fakenode", home])
        self.window = self.launch(
            [sys.executable, "-m", "client", "--home", home, "--debug-port", "0"],
            stdout=subprocess.PIPE,
        )
        assert self.window.stdout is not None
        words = self.window.stdout.readline().decode().split()
        assert words[:2] == ["debug", "port"], words
        self.port = int(words[2])
        pid = str(self.window.pid)
        found = self.tool("search", "--sync", "--onlyvisible", "--pid", pid)
        self.id = found.split()[-1]
        self.tool("windowactivate", "--sync", self.id)

    def launch(self, words: list[Any], **more: Any) -> subprocess.Popen[bytes]:
        usual: dict[str, Any] = {
            "stderr": subprocess.DEVNULL, "env": self.env, "cwd": ROOT,
        }  # fmt: skip
        made = subprocess.Popen([str(word) for word in words], **{**usual, **more})
        self.processes.append(made)
        return made

    def tool(self, *words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words], env=self.env, timeout=PATIENCE, check=True,
            capture_output=True,
        )  # fmt: skip
        return done.stdout.decode()

    def write(self, layout: str, text: str, field: str) -> None:
        """Type at the end of a field, on a keyboard that has the letters.

        A letter that it lacks would be lent a key, which might mean something else
        again before a busy window looks it up.
        """
        self.keyboard(layout)
        whole = self.node_named(field).get("value", "") + text
        self.tool("type", "--delay", "50", text)
        self.until(lambda: self.node_named(field).get("value") == whole)
        self.keyboard("us")

    def keyboard(self, layout: str) -> None:
        words = ["setxkbmap", layout]
        subprocess.run(words, env=self.env, check=True, timeout=PATIENCE)

    def ask(self, do: str, name: str = "") -> Any:
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as sock:
            sock.sendall(json.dumps({"do": do, "name": name}).encode() + b"\n")
            with sock.makefile("rb") as lines:
                return json.loads(lines.readline())

    def until(self, true: Callable[[], Any], seconds: float = PATIENCE) -> Any:
        """Return what a question answers once it answers anything true."""

        late = monotonic() + seconds
        while not (found := true()):
            assert monotonic() < late, f"nothing came of it: {self.shows()}"
            select([], [], [], 0.02)
        return found

    def shows(self) -> str:
        """Tell what a player sees, for whom a wait was in vain."""
        try:
            window = self.ask("window")
            lines = [name for name in self.ask("names") if ":" not in name]
        except (OSError, AttributeError, ValueError) as error:
            return f"no window answers ({error})"
        return f"{window}, {lines}, {self.ask('match')}"

    def node_named(self, name: str) -> dict[str, Any]:
        return self.until(lambda: self.ask("find", name))

    def point(self, name: str) -> tuple[str, str]:
        """Return the middle of a part, once it lies still: news may move a page."""
        x, y, w, h = self.until(lambda: self._at_rest(name))
        return str(x + w // 2), str(y + h // 2)

    def _at_rest(self, name: str) -> Any:
        before = self.node_named(name)["rect"]
        select([], [], [], 0.05)
        after = self.ask("find", name)
        return before if after and after["rect"] == before else None

    def click(self, name: str) -> None:
        x, y = self.point(name)
        self.tool("mousemove", "--window", self.id, x, y, "click", "1")

    def drag(self, name: str, onto: str) -> None:
        (ax, ay), (bx, by) = self.point(name), self.point(onto)
        self.tool("mousemove", "--window", self.id, ax, ay, "mousedown", "1")
        for i in (1, 2, 3):
            x = int(ax) + (int(bx) - int(ax)) * i // 3
            y = int(ay) + (int(by) - int(ay)) * i // 3
            self.tool("mousemove", "--window", self.id, str(x), str(y), "sleep", "0.03")
        self.tool("mouseup", "1")

    def close(self) -> None:
        for process in reversed(self.processes):
            with suppress(ProcessLookupError):
                process.terminate()
            if process.stdout is not None:
                process.stdout.close()
            process.wait(PATIENCE)


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    shown = Screen(tmp_path / "home")
    yield shown
    shown.close()


def started(screen: Screen) -> None:
    """Name the player and begin a match."""
    screen.node_named("field.name")
    screen.write("si", "Žofie ", "field.name")
    screen.write("ru", "Ёлка", "field.name")
    screen.tool("key", "Return")
    screen.click("play")
    screen.node_named("rack")


def test_a_match_is_played_in_a_real_window(screen: Screen) -> None:
    started(screen)
    assert screen.node_named("player0")["text"] == "Žofie Ёлка"

    rack = [n for n in screen.ask("names") if n.startswith("tile:")]
    screen.drag(rack[0], "cell:17")
    screen.until(lambda: screen.ask("find", "recall").get("enabled", True))
    wide = screen.node_named("cell:17")["rect"][2]
    screen.until(lambda: screen.node_named(rack[0])["rect"][2] == wide)
    screen.tool("key", "Escape")
    screen.until(lambda: not screen.ask("find", "recall").get("enabled", True))

    screen.click("pass")
    screen.node_named("pile")
    screen.click(rack[0])
    screen.click("done")
    screen.until(lambda: screen.ask("find", rack[0]) is None)
    screen.until(lambda: screen.ask("window")["title"].startswith("Your turn"))


def test_chat_takes_a_paste_and_gives_a_copy(screen: Screen) -> None:
    started(screen)
    clip = ["xclip", "-selection", "clipboard"]
    subprocess.run(clip, input="naïve ß Ё".encode(), env=screen.env, check=True)
    screen.click("field.chat")
    screen.until(lambda: screen.ask("window")["focus"] == "field.chat")
    screen.tool("key", "ctrl+v")
    screen.until(lambda: screen.node_named("field.chat").get("value") == "naïve ß Ё")
    screen.tool("key", "ctrl+a", "ctrl+x")
    screen.until(lambda: not screen.node_named("field.chat").get("value"))
    done = subprocess.run(
        [*clip, "-o"], env=screen.env, check=True, capture_output=True, timeout=PATIENCE
    )
    assert done.stdout.decode() == "naïve ß Ё"


def test_the_window_is_resized_fills_the_screen_and_closes(screen: Screen) -> None:
    started(screen)
    screen.tool("windowsize", "--sync", screen.id, "1000", "640")
    screen.until(lambda: screen.ask("window")["size"] == [1000, 640])
    screen.tool("key", "F11")
    screen.until(lambda: screen.ask("window")["size"] == [1600, 1000])
    screen.tool("key", "F11")
    screen.until(lambda: screen.ask("window")["size"] == [1000, 640])
    subprocess.run(
        ["wmctrl", "-i", "-c", screen.id], env=screen.env, check=True, timeout=PATIENCE
    )
    assert screen.window.wait(PATIENCE) == 0


def test_the_first_window_fits_a_small_screen_with_its_frame(tmp_path: Path) -> None:
    screen = Screen(tmp_path / "home", "1280x800")
    try:
        wide, high = screen.ask("window")["size"]
        told = screen.tool("getwindowgeometry", "--shell", screen.id).split()
        at = dict(line.split("=") for line in told)
        assert int(at["X"]) + wide < 1280
        assert int(at["Y"]) + high < 800
        assert wide > 1200
        assert high > 600
    finally:
        screen.close()
