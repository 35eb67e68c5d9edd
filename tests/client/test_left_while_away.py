"""Who leaves a game while the other sleeps stays out of it, in two real windows.

Nodes are killed and windows closed meanwhile.  Pictures of each step are kept in the
folder that NETPLAY_SHOTS names.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.client.playing import Table
from tests.client.test_games_between_windows import listed, shoot, windows
from tests.client.test_window import TOOLS
from tests.patience import PATIENCE

MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]

pytestmark = [
    pytest.mark.window,
    pytest.mark.processes,
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


def play(anna: Table, bert: Table, game: str) -> None:
    """Let anna ask bert, who says yes, and begin."""
    bert.command("answer")
    port = json.loads(bert.command("status", "--json"))["port"]
    seats = ("--seat", "person", "--seat", f"remote:127.0.0.1:{port}")
    anna.command("host", game, *seats)
    bert.front()
    bert.click("accept")
    anna.front()
    anna.until(lambda: anna.node_named("start").get("enabled", True))
    anna.click("start")
    anna.until(lambda: anna.match().get("game") == game)
    bert.until(lambda: bert.match().get("game") == game)


def kill(at: Table) -> int:
    """End window and node without a word; return at which port it was."""
    port: int = json.loads(at.command("status", "--json"))["port"]
    for process in (at.window, at.node):
        process.kill()
        process.wait(PATIENCE)
    return port


def answers(at: Table) -> bool:
    """Tell whether the node is there; of the one before a door may be left."""
    try:
        at.command("status")
    except subprocess.CalledProcessError:
        return False
    return True


def wake(at: Table, port: int) -> None:
    """Start both anew where they were."""
    at.start("--port", str(port))
    at.until(lambda: answers(at))
    at.open()


def leave(at: Table) -> None:
    """Leave the table that the window shows, as a player does."""
    at.front()
    at.click("leave")
    at.click("leave.stop")
    at.until(lambda: at.ask("window")["page"] == "start")
    assert not listed(at)


def enter(at: Table) -> None:
    """Go on with the game that was left, from the list."""
    at.front()

    def entered() -> bool:
        names = at.ask("names")
        asked = [name for name in names if name.endswith(".no")]
        kept = [name for name in names if name.startswith("saved:")]
        for name in asked or kept:  # asked at the first list with a friend in it
            if at.shown(name):
                at.click(name)
        return bool(listed(at))

    at.until(entered)


@pytest.mark.parametrize("guest", [True, False], ids=["guest", "host"])
@pytest.mark.parametrize(
    "game", ["hexcolumns", "networdz", "lhexicon", "numlo", "hexagrams"]
)
def test_who_leaves_while_the_other_sleeps_stays_out(
    tmp_path: Path, game: str, guest: bool
) -> None:
    with windows(tmp_path, "en", (1280, 800)) as (anna, bert):
        play(anna, bert, game)
        gone, other = (bert, anna) if guest else (anna, bert)
        name = f"{game}-{gone.name}"
        at = kill(other)
        gone.until(lambda: listed(gone)[game]["away"])
        shoot(gone, f"{name}-1-alone")
        leave(gone)
        wake(gone, kill(gone))
        wake(other, at)
        other.until(lambda: listed(other)[game]["phase"] == "stopped")
        assert not listed(gone)
        assert gone.ask("window")["page"] == "start"
        shoot(gone, f"{name}-2-stays-out")
        shoot(other, f"{name}-3-is-told")

        enter(gone)
        gone.until(lambda: listed(gone)[game]["phase"] == "playing")
        other.until(lambda: listed(other)[game]["phase"] == "playing")
        shoot(gone, f"{name}-4-goes-on")
