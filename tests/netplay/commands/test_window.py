import argparse
import sys
import threading
from pathlib import Path

import pytest

from netplay.commands import window
from netplay.daemon.visit import Visit
from netplay.errors import LocalError
from netplay.home import Home


@pytest.mark.parametrize(
    ("environment", "platform", "shown"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"SDL_VIDEODRIVER": "dummy"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_display_is_looked_for(
    environment: dict[str, str], platform: str, *, shown: bool
) -> None:
    assert window.has_display(environment, platform) is shown


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have a display")
@pytest.mark.usefixtures("bare")
def test_without_a_display_the_commands_are_named() -> None:
    with pytest.raises(LocalError) as caught:
        window.run(words())
    assert "display" in caught.value.detail
    for command in ("demo", "host", "join"):
        assert command in caught.value.detail


def words(*given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    window.add(parser)
    return parser.parse_args(given)


class Screen:
    """In place of the window: notes whether a node is there, and closes."""

    def __init__(self) -> None:
        self.saw_node = False
        self.size = ""

    def show(self, place: Home, arguments: argparse.Namespace) -> int:
        starting = threading.Event()
        while not starting.wait(0.05):  # a process of its own takes what it takes
            try:
                with Visit(place) as visit:
                    self.saw_node = visit.status().port > 0
                    self.size = arguments.size
                    break
            except LocalError:
                continue
        return 0


@pytest.mark.processes
def test_the_window_brings_a_node_of_its_own_and_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen()
    monkeypatch.setenv("NETPLAY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(window, "_window", screen.show)
    assert window.run(words("--size", "900x700", "--port", "0")) == 0
    assert screen.saw_node
    assert screen.size == "900x700"
    home = Home(tmp_path / "home")
    with pytest.raises(LocalError):
        Visit(home)
    home.hold().close()
    assert "node.down" in (home.path / window.LOG).read_text("utf-8")
