"""Two live games begin while a third is played, in real windows: none goes unseen.

Bert and Carla begin while Anna is in the middle of something.  Pictures of each try
are kept in the folder that NETPLAY_SHOTS names.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest

from netplay.__main__ import main
from tests.client.playing import Table, tables
from tests.client.test_games_between_windows import notes, shoot, to_list
from tests.client.test_two_windows import ALONE
from tests.client.test_window import ROOT, TOOLS
from tests.patience import PATIENCE

__all__ = ["notes"]

MISSING = [tool for tool in (*TOOLS, "dbus-daemon") if shutil.which(tool) is None]

pytestmark = [
    pytest.mark.window,
    pytest.mark.processes,
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]

TITLES: Final = {"Bert": "Hexcolumns", "Carla": "Networdz"}
"""What each begins: a game in real time, and one with clocks of minutes."""


def ran(home: Path, *words: str) -> str:
    """Run a command on the node of a home, here: a process each would take minutes."""
    said = StringIO()
    with redirect_stdout(said):
        assert main([*words, "--home", str(home)]) == 0
    return said.getvalue()


class Friend:
    """A node without a window that opens tables."""

    def __init__(self, home: Path, *table: str) -> None:
        self.home, self.name, self.table = home, home.name, table
        home.mkdir()
        words = ["node", *ALONE, "--name", self.name]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "netplay", *words, "--home", str(home)],
            cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )  # fmt: skip

    def invites(self, anna: Table) -> None:
        """Open a table, to which anna comes and says that she is ready."""
        ran(self.home, "host", *self.table)
        port = json.loads(ran(self.home, "status", "--json"))["port"]
        ran(anna.home, "join", f"127.0.0.1:{port}")
        anna.until(lambda: json.loads(ran(self.home, "games", "--json"))[0]["mine"])

    def begins(self, anna: Table) -> None:
        """Begin: anna has just said that she is ready."""
        ran(self.home, "start")
        anna.until(lambda: against(anna, self.name)[0]["phase"] == "playing")

    def ends(self) -> None:
        """Leave the table."""
        for one in json.loads(ran(self.home, "games", "--json", "--all")):
            ran(self.home, "leave", "--table", str(one["table"]))

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


@pytest.fixture
def friends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Friend, Friend]]:
    monkeypatch.setenv("NETPLAY_HOME", str(tmp_path))  # commands set it
    two = "--seat", "person", "--seat", "remote"
    made = (
        Friend(tmp_path / "Bert", "hexcolumns", *two),
        Friend(tmp_path / "Carla", "networdz", *two, "--option", "timed=5"),
    )
    for each in made:
        while not (each.home / "door").exists():
            assert each.process.poll() is None
    yield made
    for each in made:
        each.close()


def games(at: Table) -> list[dict[str, Any]]:
    """Return the games in hand as the command line has them."""
    found: list[dict[str, Any]] = json.loads(ran(at.home, "games", "--json"))
    return found


def against(at: Table, name: str) -> list[dict[str, Any]]:
    """Return the games against somebody."""
    return [one for one in games(at) if name in one["players"]]


# What Anna is in the middle of.


def third(anna: Table) -> None:
    """Open the third game, in which it is her turn."""
    to_list(anna)
    row = next(one for one in games(anna) if "Computer" in one["players"])
    anna.click(f"in-hand:{row['table']}")
    anna.until(lambda: anna.match().get("game") == "networdz")
    anna.node_named("rack")


def laying(anna: Table) -> None:
    third(anna)
    rack = [n for n in anna.ask("names") if n.startswith("tile:")]
    anna.drag(rack[0], "cell:17")
    anna.until(lambda: anna.node_named("recall").get("enabled", True))


def chatting(anna: Table) -> None:
    third(anna)
    anna.click("field.chat")
    anna.tool("type", "--delay", "20", "I was about to")


def asked_to_leave(anna: Table) -> None:
    third(anna)
    anna.tool("key", "ctrl+Escape")
    anna.node_named("leave.no")


def preferring(anna: Table) -> None:
    third(anna)
    anna.click("preferences")
    anna.until(lambda: anna.shown("set.language") or anna.shown("set.theme"))


def away(anna: Table) -> None:
    third(anna)
    anna.tool("windowminimize", "--sync", anna.id)


def at_the_list(anna: Table) -> None:
    to_list(anna)


def looking_up(anna: Table) -> None:
    third(anna)
    anna.tool("key", "F2")
    anna.until(lambda: anna.ask("window")["focus"].startswith("field."))


def in_history(anna: Table) -> None:
    to_list(anna)
    if not anna.shown("finished.game:0"):  # back from a review it is there
        anna.tool("key", "F3")
    anna.node_named("finished.game:0")


def reviewing(anna: Table) -> None:
    in_history(anna)
    anna.click("finished.game:0")
    anna.until(lambda: anna.match().get("game") == "numlo")


def choosing_rules(anna: Table) -> None:
    to_list(anna)
    anna.click("open")
    anna.until(lambda: anna.ask("window")["page"] == "table")


DOING: Final[tuple[Callable[[Table], None], ...]] = (
    laying, chatting, asked_to_leave, preferring, away, at_the_list, looking_up,
    in_history, reviewing, choosing_rules,
)  # fmt: skip


# What Anna sees.


def is_seen(anna: Table, whose: str, notes: Path, told: int, *, there: bool) -> bool:
    """Tell whether the window shows a game or calls to it, or the desktop told of it.

    Args:
        anna: Whose window it is.
        whose: With whom the game is.
        notes: What the desktop was told.
        told: How much of it is of before.
        there: The window can be seen.
    """

    def found() -> bool:
        if not there:
            return whose in notes.read_text()[told:]
        bar = anna.ask("find", "games.next") or {}
        return whose == with_whom(anna) or whose in str(bar.get("text", ""))

    try:
        anna.until(found)
    except AssertionError:
        return False
    return True


def goes_on(anna: Table) -> None:
    """Go to the next game by the key: one in which time runs, and nothing over it.

    One in which the friend has the turn is not gone to, while another waits.
    """
    anna.front()
    shown = with_whom(anna)
    waiting = {n for n in TITLES if n != shown and against(anna, n)[0]["mine"]}
    anna.tool("key", "F4")
    if waiting:
        anna.until(lambda: with_whom(anna) in waiting)
        anna.until(lambda: not any(map(anna.shown, ("set.language", "leave.no"))))


def with_whom(anna: Table) -> str:
    """Return whose game the window shows; empty where it is nobody's who is live."""
    found = [anna.ask("find", f"player{seat}") or {} for seat in range(2)]
    names = [str(one.get("text", "")) for one in found]
    return next((name for name in names if name in TITLES), "")


def settle(anna: Table, friends: tuple[Friend, Friend]) -> None:
    """Leave all but the third game."""
    for one in games(anna):
        if "Computer" not in one["players"] or one["phase"] != "playing":
            ran(anna.home, "leave", "--table", str(one["table"]))
    for each in friends:
        each.ends()
    anna.until(lambda: len(games(anna)) == 1)


def begin(anna: Table) -> None:
    """Begin the third game, in which it is Anna's turn, and end another one."""
    for game in ("numlo", "networdz"):
        ran(anna.home, "host", game, "--seat", "person", "--seat", "computer:10")
        ran(anna.home, "start")
        if game == "numlo":
            ran(anna.home, "offer", "stop")
            ran(anna.home, "leave")
    anna.until(lambda: games(anna)[0]["mine"])


@pytest.mark.parametrize("do", DOING, ids=lambda do: do.__name__)
def test_two_live_games_begin_while_a_third_is_played(
    do: Callable[[Table], None],
    tmp_path: Path,
    friends: tuple[Friend, Friend],
    notes: Path,
) -> None:
    with tables(tmp_path, 1) as (anna,):
        begin(anna)
        for order in (friends, friends[::-1]):
            told = len(notes.read_text())
            for each in friends:
                each.invites(anna)
            anna.front()
            if anna.shown("field.copy.folder"):  # as soon as there is a friend
                anna.tool("key", "Escape")
                anna.until(lambda: not anna.shown("field.copy.folder"))
            do(anna)
            for each in order:
                each.begins(anna)
                # The first that begins brings the window to the front.
                there = do is not away or each is order[1]
                assert is_seen(anna, each.name, notes, told, there=there)
            first = [one["players"] for one in games(anna)[:2]]
            assert {name for two in first for name in two} == {"Anna", *TITLES}
            shoot(anna, f"{do.__name__}-{order[0].name}-first")
            goes_on(anna)
            settle(anna, friends)
