"""A program of the user's at a seat, over real nodes."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import trio

from netplay.daemon.visit import Visit
from netplay.errors import Code
from netplay.home import Home
from netplay.messages.node_questions import PutAway
from netplay.sentences import Says
from tests.netplay.commands.test_watching import Node
from tests.netplay.programs.scripts import BASE, FIRST, LANGUAGES, example, made, script
from tests.patience import PATIENCE
from tests.said import says

pytestmark = pytest.mark.processes

SMALL = {
    "numlo": ("--option", "size=8"),
    "networdz": (),
    "lhexicon": ("--option", "side=6"),
    "hexagrams": (),
    "hexcolumns": ("--option", "level=20"),
}


async def status(node: Node) -> dict[str, Any]:
    await trio.sleep(0.05)
    code, text = node.ask("status", "--json")
    assert code == 0, text
    found: dict[str, Any] = json.loads(text)
    return found


async def until(node: Node, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Repeat until the status of a node is as awaited."""
    found: dict[str, Any] = {}
    with trio.move_on_after(4 * PATIENCE):
        while not found or not holds(found):
            found = await status(node)
        return found
    raise AssertionError(found)


async def settled(holds: Callable[[], bool]) -> None:
    """Wait until processes are as awaited."""
    with trio.fail_after(PATIENCE):
        while not holds():  # noqa: ASYNC110 (processes tell nobody)
            await trio.sleep(0.05)


def over(found: dict[str, Any]) -> bool:
    return found["table"]["phase"] == "over"


def programs(folder: Path) -> list[psutil.Process]:
    """Return the processes whose command line has to do with a folder's program."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        words = process.info["cmdline"] or []
        if (
            any(each.startswith(str(folder / "program")) for each in words)
            and process.info["status"] != "zombie"
        ):
            found.append(process)
    return found


@pytest.mark.parametrize(
    "game",
    [  # each program plays every game in tests/netplay/programs
        pytest.param(
            game, marks=() if game in ("networdz", "hexagrams") else pytest.mark.slow
        )
        for game in sorted(SMALL)
    ],
)
async def test_programs_in_three_languages_play_a_whole_match(
    tmp_path: Path, nodes: Callable[[str], Node], game: str
) -> None:
    ann = nodes("ann")
    await ann.until(("status",), "listening on port")
    paths = [script(tmp_path, FIRST)]
    paths += [made(tmp_path, language, f"program-{language}") for language in LANGUAGES]
    if game == "hexcolumns":
        paths[0] = script(tmp_path, FIRST.replace('ask()["moves"][0]', '"drop"'))
    if game == "hexagrams":  # for two
        paths = paths[2:]
    seats = [word for path in paths for word in ("--seat", f"program:{path}")]
    assert (await ann.run("host", game, *seats, *SMALL[game]))[0] == 0
    assert (await ann.run("start"))[0] == 0
    found = await until(ann, over)
    assert found["faults"] == []
    assert found["table"]["audit"] == "ok"
    assert all(seat["program"] for seat in found["table"]["seats"])
    await settled(lambda: not programs(tmp_path))


async def test_all_see_the_program_and_a_computer_plays_on_where_it_fails(
    tmp_path: Path, nodes: Callable[[str], Node]
) -> None:
    ann, bob = nodes("ann"), nodes("bob")
    for node in (ann, bob):
        await node.until(("status",), "listening on port")
    path = script(tmp_path, BASE + "ask(); say({'move': 'A1'}); ask()")
    seats = ("--seat", f"program:{path}", "--seat", "remote")
    assert (await ann.run("host", "hexagrams", *seats))[0] == 0
    await bob.run("join", f"127.0.0.1:{(await status(ann))['port']}")
    await ann.until(("start",), "the game begins")
    await bob.until(("status",), "1 Program 1 (program): connected")
    await ann.until(("status",), "1 Program 1 (program): here")
    said = "fault: the program Program 1 at seat 1 of table 1 (Hexagrams: Program 1, "
    text = await ann.until(("status",), said)
    assert f"{Code.ILLEGAL_MOVE.text}: A1" in text
    assert "fault" not in (await bob.run("status"))[1]
    found = await until(bob, lambda s: bool(s["table"]["turn"] == [1]))
    assert found["table"]["entries"] > 1  # our player has moved
    for node in (ann, bob):
        (file,) = (node.home / "matches").glob("*.netplay")
        assert str(tmp_path).encode() not in file.read_bytes()
    assert (await ann.run("leave"))[0] == 0
    assert (await status(ann))["faults"] == []


async def test_a_program_plays_on_after_the_node_was_killed(
    tmp_path: Path, nodes: Callable[[str], Node]
) -> None:
    ann = nodes("ann")
    await ann.until(("status",), "listening on port")
    told = FIRST.replace("    ask()\n", "    ask(); os.path.exists('go') or "
                         "time.sleep(600)\n", 1)  # fmt: skip
    path = script(tmp_path, told)
    seats = ("--seat", f"program:{path}", "--seat", "computer:0")
    assert (await ann.run("host", "numlo", *seats, "--option", "size=8"))[0] == 0
    assert (await ann.run("start"))[0] == 0
    await settled(lambda: bool(programs(tmp_path)))
    os.kill(ann.process.pid, signal.SIGKILL)
    ann.process.wait()
    await settled(lambda: not programs(tmp_path))
    (tmp_path / "go").touch()
    again = nodes("ann")
    await again.until(("status",), "listening on port")
    assert (await until(again, over))["faults"] == []


async def test_a_match_does_not_bring_its_program_along(
    tmp_path: Path, nodes: Callable[[str], Node]
) -> None:
    ann = nodes("ann")
    await ann.until(("status",), "listening on port")
    path = script(tmp_path, example())
    seats = ("--seat", "person", "--seat", f"program:{path}")
    assert (await ann.run("host", "hexagrams", *seats))[0] == 0
    assert (await ann.run("start"))[0] == 0
    copy = tmp_path / "copy.netplay"
    assert (await ann.run("save", str(copy)))[0] == 0
    assert (await ann.run("leave"))[0] == 0
    (ann.home / "programs.json").unlink()
    ann.process.terminate()
    ann.process.wait(PATIENCE)
    again = nodes("ann")
    await again.until(("status",), "listening on port")
    assert (await again.run("load", str(copy)))[0] == 0
    if (await status(again))["table"]["turn"] == [0]:
        assert (await again.run("play", "T(4,1)-T(5,1)"))[0] == 0
    text = await again.until(("status",), "at seat 2 of table 1 (")
    assert says(text, Says.PROGRAM_FAILED)
    assert says(text, Says.PROGRAM_UNKNOWN)
    with Visit(Home(again.home)) as window:
        (fault,) = window.status().faults
        window.ask(PutAway(fault))
    with Visit(Home(again.home)) as later:
        assert later.status().faults == (), "what was read is told to no window again"


@pytest.mark.parametrize(
    "seat", ["program", "program:", "program:/nowhere/at/all", "program:/tmp"]
)
async def test_a_program_that_is_none_is_refused(
    nodes: Callable[[str], Node], seat: str
) -> None:
    ann = nodes("ann")
    await ann.until(("status",), "listening on port")
    code, text = await ann.run("host", "numlo", "--seat", "person", "--seat", seat)
    assert (code, text.count("\n")) == (2, 1)
    assert "program" in text


async def test_programs_play_in_the_arena(
    tmp_path: Path, nodes: Callable[[str], Node]
) -> None:
    ann = nodes("ann")
    path = script(tmp_path, example())
    words = ("hexagrams", f"program:{path}", "random", "--games", "2", "--json")
    code, text = await ann.run("arena", *words)
    assert code == 0, text
    assert json.loads(text)["games"] == 2
    bad = script(tmp_path, BASE + "ask(); say({'move': 'x'}); ask()")
    code, text = await ann.run("arena", "numlo", "random", f"program:{bad}")
    assert code == 1
    assert says(text, Code.ILLEGAL_MOVE)
    assert "Traceback" not in text
    assert not programs(tmp_path)
