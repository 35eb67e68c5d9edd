"""`netplay`: the window, with a node of its own if none runs for this home."""

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import IO, Final

from netplay import home
from netplay.commands import COMMANDS
from netplay.daemon.visit import Visit
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.messages.door import StopNode

HELP = "the window: play, alone or with others"

GOODBYE_SECONDS: Final = 10.0
"""For our own node to end after the window."""

LOG: Final = "node.log"
"""What a node that has no terminal of its own writes, in the home."""


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "--port", type=int, metavar="P", help="where a node of its own listens"
    )
    parser.add_argument("--debug-port", type=int, help="serve the scene to scripts")
    parser.add_argument("--size", metavar="WxH", help="of the window, as in 1280x800")


def run(arguments: argparse.Namespace) -> int:
    """Open the window and wait until it is closed."""
    if not has_display(os.environ, sys.platform):
        raise LocalError(Code.NO_ANSWER, no_display())
    place = home.find(None)
    place.prepare()
    if _runs(place):
        return _window(place, arguments)
    with (place.path / LOG).open("ab") as log:
        node = _node(place, arguments.port, log)
        try:
            return _window(place, arguments)
        finally:
            _end(place, node)


def has_display(environment: Mapping[str, str], platform: str) -> bool:
    """Return whether a window can be shown, as far as can be told beforehand."""
    if platform in {"win32", "darwin"}:
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    return any(environment.get(name) for name in names)


def no_display() -> str:
    """Return what to say to somebody without a display."""
    return (
        "there is no display for a window. On a terminal there are: "
        f"{', '.join(COMMANDS)} (netplay --help)"
    )


def _runs(place: Home) -> bool:
    """Return whether a node runs for this home."""
    try:
        with Visit(place):
            return True
    except LocalError:
        return False


def _node(place: Home, port: int | None, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a node for the window."""
    words = [sys.executable, "-m", "netplay", "node", "--home", str(place.path)]
    if port is not None:
        words += ["--port", str(port)]
    words.append("--any-port")
    return subprocess.Popen(  # noqa: S603 (our own program)
        words, stdin=subprocess.DEVNULL, stdout=log, stderr=log
    )


def _window(place: Home, arguments: argparse.Namespace) -> int:
    """Show the window until it is closed."""
    words = [sys.executable, "-m", "client", "--home", str(place.path)]
    if arguments.debug_port is not None:
        words += ["--debug-port", str(arguments.debug_port)]
    if arguments.size:
        words += ["--size", arguments.size]
    return subprocess.run(words, check=False).returncode  # noqa: S603 (our own program)


def _end(place: Home, node: subprocess.Popen[bytes]) -> None:
    """End the node that was started for the window."""
    try:
        with Visit(place) as visit:
            visit.ask(StopNode())
    except LocalError:
        node.terminate()
    try:
        node.wait(GOODBYE_SECONDS)
    except subprocess.TimeoutExpired:
        node.kill()
