"""Playing without a screen: moves typed in a terminal, two real nodes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
import trio

from netplay.errors import Code
from netplay.sentences import Says
from rules import GAMES
from tests.netplay.commands.test_watching import ROOT, Node
from tests.netplay.text.test_position import documented, keys
from tests.patience import PATIENCE
from tests.said import says

pytestmark = pytest.mark.processes


async def begun(ann: Node, bob: Node, game: str, *options: str) -> None:
    """Begin a match of two persons."""
    for node in (ann, bob):
        await node.until(("status",), "listening on port")
    port = (await ann.run("status"))[1].split("port ")[1].split()[0]
    seats = ("--seat", "person", "--seat", "remote")
    assert (await ann.run("host", game, *seats, *options))[0] == 0
    await bob.run("join", f"127.0.0.1:{port}")
    await ann.until(("status",), "2 bob")
    await ann.until(("start",), "the game begins")
    await bob.until(("status",), ", playing, ")


def typed(node: Node, *lines: str) -> str:
    """Type lines into `netplay play`, and return all that is printed."""
    words = [sys.executable, "-m", "netplay", "play", "--home", str(node.home)]
    done = subprocess.run(
        words, input="".join(f"{line}\n" for line in lines), capture_output=True,
        text=True, check=False, cwd=ROOT, timeout=PATIENCE,
    )  # fmt: skip
    return done.stdout + done.stderr


async def test_moves_are_made_one_by_one_and_refused_in_words(
    two: tuple[Node, Node],
) -> None:
    ann, bob = two
    code, text = await ann.run("play", "a1")
    assert code != 0
    await begun(ann, bob, "hexagrams")
    for node, top in ((ann, "T8"), (bob, "T1")):  # the own side is below
        rows = re.findall(r"^[TH]\d", typed(node, "board", "quit"), re.MULTILINE)
        assert rows[0] == top
    assert (await ann.run("play", "T(4,1)xT(5,1)")) == (0, "ann C5xC7\n")
    code, text = await ann.run("play", "e5-e7")
    assert (code, says(text, Code.NOT_YOUR_TURN)) == (1, True)
    await bob.until(("status",), "*2 bob")
    code, text = await bob.run("play", "H(1,4)-H(1,2)")
    assert code == 1
    assert "capture" in text
    code, text = await bob.run("play", "nonsense")
    assert code == 1
    assert "nonsense" in text and "C5-C7" in text
    code, text = await bob.run("play", "T(6,0)-T(5,1)", "--json")
    assert json.loads(text) == {
        "made": True, "delivered": True, "reason": "", "seat": 2,
        "move": "T(6,0)-T(5,1)", "told": "bob B8xC7",
    }  # fmt: skip
    code, text = await bob.run("play", "T(6,0)-T(5,1)", "--json")
    refused = {"made": False, "delivered": False, "reason": Code.NOT_YOUR_TURN.text}
    assert (code, json.loads(text)) == (1, refused)
    code, text = await bob.run("play", "--seat", "1", "T(4,3)xT(5,3)")
    assert code == 2
    assert says(text, Says.SEAT_NOT_YOURS)


async def test_the_hint_of_numlo_is_for_everybody_and_can_be_typed(
    two: tuple[Node, Node],
) -> None:
    ann, bob = two
    await begun(ann, bob, "numlo")
    await ann.until(("status",), "*")  # the board is set up by chance
    first, second = (ann, bob) if "*1" in (await ann.run("status"))[1] else (bob, ann)
    text = typed(first, "hint", "quit")
    found = re.search(r"([A-J]\d+) \+\d+$", text, re.MULTILINE)
    assert found is not None, text
    text = typed(second, "hint", "quit")
    assert says(text, Code.NOT_YOUR_TURN)
    assert not re.search(r" \+\d+$", text, re.MULTILINE)
    assert (await first.run("play", found[1]))[0] == 0


async def position(node: Node) -> tuple[int, dict[str, Any]]:
    """Return the answer once the tiles of the rack have come."""
    answer = await asked(node)
    while answer[1]["more"] and not answer[1]["legal"]:
        answer = await asked(node)
    return answer


async def asked(node: Node, *words: str) -> tuple[int, dict[str, Any]]:
    """Return exit status and answer of `netplay play ... --json`."""
    await trio.sleep(0.05)
    code, text = node.ask("play", *words, "--json")
    return code, json.loads(text)


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_scripts_are_told_position_moves_clock_and_hint_of_each_game(
    two: tuple[Node, Node], game: str
) -> None:
    ann, bob = two
    await ann.until(("status",), "listening on port")
    code, answer = await asked(ann)
    assert (code, set(answer)) == (2, {"reason"})
    await begun(ann, bob, game)
    found = [await position(node) for node in two]
    for code, told in found:
        assert code == 0
        assert set(keys(told)) == documented("For scripts")
        assert set(keys(told["position"])) <= documented(GAMES[game].ABOUT.title)
        assert (told["game"], told["names"]) == (game, ["ann", "bob"])
    assert [told["seat"] for _code, told in found] == [1, 2]
    first, other = (two, found) if found[0][1]["legal"] else (two[::-1], found[::-1])
    told, waits = other[0][1], other[1][1]
    if game == "hexcolumns":
        assert (told["turn"], told["hint"]) == ([1, 2], None)
    else:
        assert told["turn"] == waits["turn"] == [told["seat"]]
        assert waits["legal"] == []
        assert waits["hint"] is None
        code, answer = await asked(first[1], told["legal"][0])
        assert (code, answer["reason"]) == (1, Code.NOT_YOUR_TURN.text)
    if game == "numlo":  # its hint is for everybody
        code, text = await first[0].run("play", "hint")
        assert (code, text) == (0, f"{told['hint']}\n")
    move = told["hint"] or told["legal"][0]
    code, answer = await asked(first[0], f"'{move}'")  # quotes left by another shell
    assert (code, answer["made"], answer.get("move")) == (0, True, move), answer
    code, answer = await asked(first[0], "--table", "7")
    assert (code, answer) == (1, {"reason": str(Says.NO_SUCH_TABLE(number=7))})
    assert (await first[0].run("play", "1", "board"))[0] == 0
    code, text = await first[0].run("play", "help")
    assert (code, "resign" in text) == (0, True)
    code, answer = await asked(first[0], "resign")
    assert (code, answer["made"]) == (0, True)
    if game == "hexcolumns":  # who is left plays on till the well is full, as it may be
        code, answer = await asked(first[1], "resign")
        assert code == 0 or (await asked(first[1]))[1]["over"], answer
    code, answer = await asked(first[1])
    while not answer["over"]:
        code, answer = await asked(first[1])
    assert (code, answer["legal"], answer["turn"]) == (0, [], [])
    whys = set[str]()
    for words in (told["legal"][0], "hint", "resign"):
        code, refused = await asked(first[1], words)
        whys.add(refused["reason"].partition(": ")[2])
        assert code == 1
    assert len(whys) == 1  # each is refused for the same reason
    assert all(whys)
    # A piece that falls by itself may make a chain before its player has resigned.
    points = [well["points"] for well in answer["position"].get("wells", ())]
    tied = game == "hexcolumns" and points[0] == points[1]
    assert sorted(answer["places"]) == ([1, 1] if tied else [1, 2])


async def test_a_match_goes_on_as_it_is_typed(two: tuple[Node, Node]) -> None:
    ann, bob = two
    await begun(ann, bob, "networdz")
    first, second = (ann, bob) if "*1" in (await ann.run("status"))[1] else (bob, ann)
    text = typed(first, "help", "pass now", "8Z AB", "pass", "board", "quit")
    assert f"> {first.home.name}:" in text
    assert "8D WORD" in text
    assert text.count("8D or D8") == 2
    assert f"> {second.home.name}:" in text.partition("passes")[2]
    text = typed(second, "say evening", "resign", "quit")
    assert f"{second.home.name}: evening" in text
    await second.until(("status",), ", over, ")
    text = typed(second, "board", "pass", "quit")
    assert f"1. {first.home.name}, 2. {second.home.name}\n" in text
    assert "1. " not in text.splitlines()[-1]


class Terminal:
    """`netplay play` as it runs in a terminal, one line after the other."""

    def __init__(self, node: Node, *words: str) -> None:
        command = (sys.executable, "-m", "netplay", "play", "--home", str(node.home))
        self.process = subprocess.Popen(
            [*command, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, cwd=ROOT, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        self._patience = Timer(PATIENCE, self.process.kill)
        self._patience.daemon = True
        self._patience.start()

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def until(self, said: str) -> str:
        """Return what is printed up to the line that says something."""
        assert self.process.stdout is not None
        printed = ""
        for line in self.process.stdout:
            printed += line
            if said in line:
                return printed
        raise AssertionError(f"no {said!r} in {printed!r}")

    def quit(self) -> str:
        """Quit, and return what else was printed."""
        printed, _none = self.process.communicate("quit\n")
        self._patience.cancel()
        return printed


async def test_two_persons_at_one_screen_do_not_see_each_others_rack(
    two: tuple[Node, Node],
) -> None:
    node, _other = two
    await node.until(("status",), "listening on port")
    seats = ("--seat", "person:Ann", "--seat", "person:Bob")
    assert (await node.run("host", "networdz", "--option", "hints=yes", *seats))[0] == 0
    await node.until(("start",), "the game begins")
    await node.until(("status",), "*")
    ann_first = "*1" in (await node.run("status"))[1]
    first, second = ("Ann", "Bob") if ann_first else ("Bob", "Ann")

    terminal = Terminal(node)
    secret = "Tiles left"  # what stands below the racks
    assert secret not in terminal.until(f"turn of {first}")
    terminal.type("board")
    assert secret in terminal.until(f"It is your turn, {first}")
    terminal.type("pass")
    assert secret not in terminal.until(f"turn of {second}")
    terminal.type("hint")
    assert secret not in terminal.until(f"turn of {second}")
    terminal.type("board")
    shown = terminal.until(f"It is your turn, {second}")
    assert secret in shown
    assert f"{first} passes" not in shown  # it was told when it happened
    terminal.type("pass")
    assert secret not in terminal.until(f"turn of {first}")
    terminal.type("resign")
    assert secret not in terminal.until("The game is over")
    assert secret not in terminal.quit()


async def test_who_asks_for_a_seat_sees_its_rack_at_once(
    two: tuple[Node, Node],
) -> None:
    node, _other = two
    await node.until(("status",), "listening on port")
    seats = ("--seat", "person:Ann", "--seat", "person:Bob")
    assert (await node.run("host", "networdz", *seats))[0] == 0
    await node.until(("start",), "the game begins")
    await node.until(("status",), "*")
    terminal = Terminal(node, "--seat", "2")
    assert "▯" not in terminal.until("Bob:").splitlines()[-1]
    terminal.quit()


async def test_a_game_that_hurries_is_not_typed(two: tuple[Node, Node]) -> None:
    ann, bob = two
    await begun(ann, bob, "hexcolumns")
    code, text = await ann.run("play")
    assert code == 2
    assert says(text, Says.TOO_FAST_TO_TYPE, game="Hexcolumns")


def test_the_command_tells_of_itself(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "netplay", "play", "--home", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, says(done.stderr, Code.NO_NODE)) == (1, True)


@pytest.mark.slow
async def test_a_move_is_made_taken_back_and_delivered_while_the_other_sleeps(
    two: tuple[Node, Node],
) -> None:
    ann, bob = two
    await begun(ann, bob, "hexagrams")
    for node in two:
        node.port = (await node.run("status"))[1].split("port ")[1].split()[0]
    bob.kill()
    await ann.until(("status",), "2 bob (remote): away")

    code, text = await ann.run("play", "T(4,1)xT(5,1)", "--json")

    assert code == 0
    answer = json.loads(text)
    assert (answer["made"], answer["delivered"]) == (True, False)
    assert json.loads((await ann.run("games", "--json"))[1])[0]["undelivered"]
    assert (await ann.run("play", "undo")) == (0, f"{Says.TAKEN_BACK()}\n")
    assert (await ann.run("play", "undo", "--json"))[0] == 2
    code, text = await ann.run("say", "are", "you", "there")
    assert says(text, Says.LINE_KEPT)
    shown = typed(ann, "T(4,1)xT(5,1)", "quit")
    assert "ann C5xC7 (" in shown
    ann.kill()
    ann.start()
    await ann.until(("games", "--json"), '"undelivered": true')

    bob.start()

    await bob.until(("status",), "*2 bob")
    await ann.until(("status",), "entries: 2, final: 2")
    assert not json.loads((await ann.run("games", "--json"))[1])[0]["undelivered"]
    code, text = await ann.run("play", "undo")
    assert (code, says(text, Says.NOTHING_TO_TAKE_BACK)) == (2, True)
