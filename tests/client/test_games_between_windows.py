"""Three games between two windows, with the mouse: one sleeps, the other plays on.

The same evening in every language and at two sizes of the windows.  Pictures of each
step are kept in the folder that NETPLAY_SHOTS names, to be looked at.
"""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from client.app import settings
from client.ui import texts
from netplay.language import LANGUAGES
from netplay.players import player
from rules import numlo
from tests.client.hands import HANDS
from tests.client.playing import NAMED, Table, over, tables
from tests.client.test_window import ROOT, TOOLS
from tests.patience import PATIENCE

MISSING = [tool for tool in (*TOOLS, "dbus-daemon") if shutil.which(tool) is None]

pytestmark = [
    pytest.mark.window,
    pytest.mark.processes,
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]

GAMES = ("numlo", "hexagrams", "networdz")
SIZES = ((800, 500), (1280, 800))


def evenings() -> list[Any]:
    """Return each language with each size of the windows."""
    return [
        pytest.param(language, size, id=f"{language}-{size[0]}x{size[1]}")
        for language in LANGUAGES
        for size in SIZES
    ]


@contextmanager
def windows(
    home: Path, language: str, size: tuple[int, int]
) -> Iterator[tuple[Table, Table]]:
    """Start two windows in a language, of a size."""
    for name in NAMED:
        (home / name).mkdir()
        chosen = settings.Settings(language=language, size=size)
        settings.store(home / name, chosen)
    texts.speak(language)
    try:
        with tables(home, 2) as (anna, bert):
            yield anna, bert
    finally:
        texts.speak("en")


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Start a bus with a notification service; return the file that it writes."""
    words = ["dbus-daemon", "--session", "--nofork", "--print-address"]
    bus = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert bus.stdout is not None
    monkeypatch.setenv(
        "DBUS_SESSION_BUS_ADDRESS", bus.stdout.readline().decode().strip()
    )
    file = tmp_path / "notes"
    told = [sys.executable, "-m", "tests.client.desktop_service", str(file)]
    service = subprocess.Popen(told, cwd=ROOT)
    yield file
    for process in (service, bus):
        process.terminate()
        process.wait(PATIENCE)
    bus.stdout.close()


def listed(at: Table) -> dict[str, Any]:
    """Return the games in hand as the command line has them, by name."""
    return {one["game"]: one for one in json.loads(at.command("games", "--json"))}


def waits(at: Table) -> list[str]:
    """Return the games that wait for who sits here."""
    return [game for game, one in listed(at).items() if one["mine"]]


def counted(at: Table) -> bool:
    """Tell whether the window's title counts the games that wait."""
    title: str = at.ask("window")["title"]
    return title.startswith(f"({len(waits(at))}) ")


def shoot(at: Table, name: str) -> None:
    folder = os.environ.get("NETPLAY_SHOTS")
    if folder is None:
        return
    at.front()
    width, height = at.ask("window")["size"]
    at.shoot(Path(folder) / f"{texts.spoken()}-{width}x{height}", name)


def begin(anna: Table, bert: Table, game: str) -> None:
    """Let anna begin a game with bert, who waits."""
    port = json.loads(bert.command("status", "--json"))["port"]
    seats = ("--seat", "person", "--seat", f"remote:127.0.0.1:{port}")
    anna.command("host", game, *seats)
    anna.until(lambda: not listed(anna)[game]["waiting"])
    anna.command("start", "--table", str(listed(anna)[game]["table"]))
    anna.until(lambda: listed(anna)[game]["phase"] == "playing")


def to_list(at: Table) -> None:
    """Go to the list of games."""
    at.front()
    if at.ask("window")["page"] != "start":
        at.click("games")
    at.until(lambda: at.ask("window")["page"] == "start")


def go_to(at: Table, game: str) -> None:
    """Open a game from the list."""
    to_list(at)
    at.click(f"in-hand:{listed(at)[game]['table']}")
    at.until(lambda: at.match().get("game") == game)


def move(at: Table, game: str) -> Any:
    """Open a game from the list and move in it; return how it stood before."""
    go_to(at, game)
    state, seat, _number = at.view()
    chosen = player(game).choose(state, seat, 40, random.Random(game))
    HANDS[game](at, state, chosen, mouse=True)
    at.until(lambda: at.view()[0] != state)
    return state


def sleep(at: Table) -> None:
    for process in (at.window, at.node):
        process.terminate()
        process.wait(PATIENCE)


def wake(at: Table) -> None:
    at.start()
    at.until((at.home / "door").exists)
    at.open()


def prepare(anna: Table, bert: Table) -> None:
    """Let anna prepare her answer to a move of bert's, and him make that move."""
    state, seat, _number = anna.view()
    other = next(numlo.moves(state, state.turn))
    after = numlo.play(state, state.turn, other)
    anna.click("prepare")
    anna.until(lambda: anna.shown("tryout.prepare"))
    anna.click(f"cell:{other.square}")
    anna.until(lambda: anna.node_named("tryout.back").get("enabled", True))
    anna.click(f"cell:{next(numlo.moves(after, seat)).square}")
    anna.until(lambda: anna.node_named("tryout.prepare").get("enabled", True))
    shoot(anna, "7-to-prepare")
    anna.click("tryout.prepare")
    anna.until(lambda: anna.shown("tryout.drop:0"))
    shoot(anna, "8-prepared")
    anna.click("tryout.close")
    go_to(bert, "numlo")
    before = bert.view()[0]
    HANDS["numlo"](bert, before, other, mouse=True)
    bert.until(lambda: bert.view()[0].turn == before.turn and bert.view()[0] != before)
    shoot(anna, "9-made-by-itself")


def agree(anna: Table, bert: Table) -> None:
    """Let bert offer a draw, and anna accept."""
    bert.front()
    bert.click("agree")
    bert.until(lambda: bert.shown("agree.offer:draw"))
    shoot(bert, "10-to-offer")
    bert.click("agree.offer:draw")
    anna.until(lambda: anna.shown("agree.yes"))
    shoot(bert, "11-offered")
    shoot(anna, "12-asked")
    anna.front()
    anna.click("agree.yes")
    for each in (anna, bert):
        each.until(lambda at=each: over(at))
        shoot(each, f"13-drawn-{each.name}")


def look_back(at: Table) -> None:
    """Look at the page of finished games, from the card of the result."""
    at.front()
    at.click("result.home")
    at.until(lambda: at.ask("window")["page"] == "start")
    shoot(at, "14-two-games")
    at.click("finished")
    at.until(lambda: at.shown("finished.game:0"))
    shoot(at, "15-history")
    at.click("finished.tab:1")
    at.until(lambda: at.shown("finished.friend:0"))
    shoot(at, "16-friends")
    at.click("finished.friend:0")
    at.until(lambda: at.shown("finished.game:0"))
    shoot(at, "17-of-a-friend")


@pytest.mark.parametrize(("language", "size"), evenings())
def test_one_sleeps_while_the_other_moves_and_finds_what_waits(
    tmp_path: Path, notes: Path, language: str, size: tuple[int, int]
) -> None:
    with windows(tmp_path, language, size) as (anna, bert):
        bert.command("answer", "--anybody")
        for game in GAMES:
            begin(anna, bert, game)
        if "numlo" not in waits(anna):  # by lot the first turn is his there
            move(bert, "numlo")
            anna.until(lambda: "numlo" in waits(anna))
        to_list(anna)
        shoot(anna, "1-three-games")
        sleep(bert)
        anna.until(lambda: listed(anna)["numlo"]["away"])
        shoot(anna, "1-one-away")

        move(anna, "numlo")
        shoot(anna, "2-made")
        before = move(anna, "hexagrams")
        anna.click("made.back")
        anna.until(lambda: anna.view()[0] == before)
        to_list(anna)
        shoot(anna, "3-one-undelivered")
        found = listed(anna)
        assert [found[game]["undelivered"] for game in GAMES[:2]] == [True, False]

        wake(bert)
        bert.until(lambda: listed(bert)["numlo"]["mine"])
        bert.until(lambda: counted(bert))
        shoot(bert, "4-what-waits")
        anna.until(lambda: not listed(anna)["numlo"]["undelivered"])
        bert.front()
        bert.tool("key", "F4")
        bert.until(lambda: bert.match().get("game") in waits(bert))
        if bert.match()["game"] != "numlo":  # by lot the first turn is his there, too
            bert.tool("key", "F4")
            bert.until(lambda: bert.match().get("game") == "numlo")
        shoot(bert, "5-the-next")
        told = notes.read_text()
        state, seat, _number = bert.view()
        answer = player("numlo").choose(state, seat, 40, random.Random(1))
        HANDS["numlo"](bert, state, answer, mouse=True)
        words = texts._("It is your turn: {names}").format(names="Bert")
        line = f"Numlo|{words}"
        anna.until(lambda: line in notes.read_text().removeprefix(told).splitlines())
        anna.until(lambda: counted(anna))
        anna.front()
        anna.tool("key", "F4")
        anna.until(lambda: anna.match().get("game") in waits(anna))
        shoot(anna, "6-told")

        move(anna, "numlo")
        prepare(anna, bert)
        agree(anna, bert)
        look_back(anna)
