"""Homes of versions before: everything in them is taken up by the present one.

`python -m tools.release home` makes that of the present version; those of released ones
stay as they are.
"""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from zipfile import ZipFile

import pytest

from client.app import settings
from netplay import VERSION
from tests.patience import PATIENCE
from tools.release.homes import (
    DEVICE,
    EDITION,
    KEPT,
    PROGRAM,
    RACK,
    RANG,
    SCRIPT,
    STICK,
    TOLD,
)

pytestmark = pytest.mark.processes

KINDS = {
    "asked.json", "blocked.json", "copying.json", "devices.json",
    "dictionaries/fruit.graph", "editions/mine.toml", "journal.log", "key.pem",
    "leaf.pem", "letters/memory.json", "letters/wishes.json", "matches/in-hand",
    "muted.json", "on-letter", "on-turn", "peers.json", "programs.json",
    "settings.json", "time.json", "window.json",
}  # fmt: skip
"""Files that every kept home has, besides three matches with their secrets, a letter
and an edition that travels."""

AT_ITS_TIME = """
import sys, time
from netplay.daemon import starting
began, at = time.monotonic(), float(sys.argv.pop(1))
starting.wall = lambda: at + time.monotonic() - began
from netplay.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
"""Runs a command on a computer whose clock stands at some time: what is kept for a
week is there as long as the home is."""


class Old:
    """A home as another version has left it, in another place of the disk."""

    def __init__(self, packed: Path, folder: Path) -> None:
        self.beside, self.home = folder, folder / "home"
        with ZipFile(packed) as files:
            files.extractall(self.home)
            self.names = set(files.namelist())
        self.told: Any = json.loads((self.home / TOLD).read_bytes())
        (self.home / TOLD).unlink()
        for name in ("copying.json", "programs.json", "on-turn"):
            path = self.home / name
            text = path.read_text("utf-8")
            path.write_text(text.replace(self.told["folder"], str(folder)), "utf-8")
        (folder / STICK).mkdir()
        (folder / SCRIPT).write_text(PROGRAM, "utf-8")
        (folder / SCRIPT).chmod(0o755)

    def try_(self, *words: str) -> tuple[int, str, str]:
        line = [sys.executable, "-m", "netplay", *words, "--home", str(self.home)]
        done = subprocess.run(
            line, capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL, timeout=PATIENCE,
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, done.stdout, done.stderr

    def run(self, *words: str) -> str:
        code, said, wrong = self.try_(*words)
        assert code == 0, (words, said, wrong)
        return said

    def matches(self, *, over: bool) -> list[Path]:
        return [
            self.home / "matches" / name
            for name, told in self.told["matches"].items()
            if (told["verdict"] != "unfinished") is over
        ]

    def until(self, *words: str, holds: str) -> str:
        """Run a command until a word stands in what it prints; return that."""
        ends = monotonic() + PATIENCE
        while holds not in (said := self.try_(*words)[1]):
            assert monotonic() < ends, said
            sleep(0.3)
        return said


@pytest.fixture(params=sorted(KEPT.glob("*.zip")), ids=lambda path: path.stem)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Old:
    return Old(request.param, tmp_path)


@pytest.fixture(
    scope="module", params=sorted(KEPT.glob("*.zip")), ids=lambda path: path.stem
)
def running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Old]:
    """Give a home whose node runs: one for all who ask it."""
    old = Old(request.param, tmp_path_factory.mktemp("running"))
    words = ["node", "--home", str(old.home), "--listen", "127.0.0.1"]
    words += ["--port", "0", "--no-beacon"]
    log = (old.home.parent / "log").open("wb")
    at = str(old.told["at"] + 3600)
    node = subprocess.Popen([sys.executable, "-c", AT_ITS_TIME, at, *words], stderr=log)
    try:
        ends = monotonic() + PATIENCE
        while old.try_("status")[0]:
            assert monotonic() < ends, log.name
            sleep(0.3)
        yield old
        old.run("stop")
        assert node.wait(PATIENCE) == 0
    finally:
        node.kill()
        log.close()


def test_this_version_has_a_kept_home() -> None:
    assert (KEPT / f"{VERSION}.zip").exists()


def test_a_kept_home_has_each_kind_of_file(old: Old) -> None:
    assert old.names >= KINDS
    for ending, count in (
        (".netplay", 3), (".secrets", 3), (".letter", 1), (".edition", 1)
    ):  # fmt: skip
        assert sum(name.endswith(ending) for name in old.names) == count, ending


def test_matches_say_what_they_said_to_the_version_that_wrote_them(old: Old) -> None:
    for name, told in old.told["matches"].items():
        path = old.home / "matches" / name
        _code, said, _wrong = old.try_("verify", str(path), "--json")
        found = json.loads(said)
        same = (
            "ok",
            "verdict",
            "audit",
            "fairness",
            "game",
            "entries",
            "moves",
            "places",
        )
        assert {key: found[key] for key in same} == {key: told[key] for key in same}


def test_commands_that_read_a_match_read_it(old: Old, tmp_path: Path) -> None:
    for path in (*old.matches(over=True), *old.matches(over=False)):
        assert old.run("show", str(path))
        picture = tmp_path / f"{path.stem}.png"
        old.run("picture", str(path), str(picture))
        assert picture.read_bytes().startswith(b"\x89PNG")
    (over,) = old.matches(over=True)
    assert old.run("analyse", "--quick", str(over))


def test_words_settings_and_everything_else_are_taken_along(
    old: Old, tmp_path: Path
) -> None:
    fruit = str(old.home / "dictionaries" / "fruit.graph")
    assert "banana" in old.run("words", "check", fruit, "banana").lower()
    text = tmp_path / "fruit.txt"
    old.run("words", "export", fruit, str(text))
    assert text.read_text("utf-8").lower().split() == ["apple", "banana", "cherry"]
    report = tmp_path / "report.txt"
    old.run("report", str(report))
    assert report.stat().st_size > 500
    phrase, packed = tmp_path / "phrase", tmp_path / "all.netplay-home"
    phrase.write_text("correct horse battery\n", "utf-8")
    old.run("export", str(packed), "--passphrase-file", str(phrase))
    assert packed.stat().st_size > 10_000


def test_a_node_takes_up_key_friends_and_the_match_in_hand(running: Old) -> None:
    told = running.told
    status = json.loads(running.run("status", "--json"))
    assert status["key"] == told["key"]
    assert status["name"] == "Anna"
    assert status["quiet"] == "22:00-07:00"
    assert not status["network"]["map_port"]
    assert status["faults"] == []

    peers = json.loads(running.run("peers", "--json"))
    kept = {(one["name"], one["key"], one["blocked"]) for one in peers}
    assert kept == {(one["name"], one["key"], one["blocked"]) for one in told["peers"]}

    same = "table", "match", "game", "players", "turn", "asked"
    games, before = json.loads(running.run("games", "--json")), told["games"]
    assert len(before) == 3
    assert {each[key] for key in same[:1] for each in games} == {2, 3, 4}
    kept_games = sorted(([game[key] for key in same] for game in before), key=str)
    assert (
        sorted(([game[key] for key in same] for game in games), key=str) == kept_games
    )
    assert all(
        new["entries"] >= old["entries"]
        for new in games
        for old in before
        if new["table"] == old["table"]
    )
    assert running.run("invite").startswith("netplay:")


def test_who_was_asked_and_letters_kept_for_friends_are_still_there(
    running: Old,
) -> None:
    status = json.loads(running.run("status", "--json", "--table", "3"))
    assert status["network"]["carry"]["carry"] == "known"
    assert status["network"]["carry"]["letters"] == 1
    person, dora = status["table"]["seats"]
    assert (person["name"], person["kind"]) == ("Anna", "person")
    assert (dora["name"], dora["asked"]) == ("Dora", "undelivered")


def test_the_program_at_a_seat_goes_on_playing_and_each_turn_is_told(
    running: Old,
) -> None:
    table = ("--table", "4")
    playing = json.loads(running.until("play", "4", "--json", holds='"turn": [1]'))
    before = len(playing["position"]["tiles"])
    running.run("play", playing["legal"][0], *table)
    said = running.until("play", "4", "--json", holds='"turn": [1]')
    assert len(json.loads(said)["position"]["tiles"]) == before + 2
    status = json.loads(running.run("status", "--json", *table))
    assert status["table"]["seats"][1]["program"]
    assert status["faults"] == []
    ends = monotonic() + PATIENCE
    while not (running.beside / RANG).exists():
        assert monotonic() < ends
        sleep(0.3)


def test_own_tiles_are_there_to_play_with(running: Old) -> None:
    seats = ("--seat", "person", "--seat", "computer:40")
    running.run("host", "networdz", *seats, "--edition", EDITION)
    running.run("start", "--table", "5")
    said = running.until("play", "5", "--json", holds='"turn": [1]')
    players = json.loads(said)["position"]["players"]
    assert len(players[0]["rack"]) == RACK
    running.run("leave", "--table", "5")


def test_a_copy_is_made_as_before_and_devices_are_let_in(running: Old) -> None:
    ends = monotonic() + PATIENCE
    while not list((running.beside / STICK).glob("netplay-*.copy")):
        assert monotonic() < ends
        sleep(0.3)
    assert str(running.beside / STICK) in running.run("backup")
    assert DEVICE in running.run("web", "--devices")


def test_the_window_is_as_it_was_set(running: Old) -> None:
    found, damaged = settings.load(running.home)
    assert not damaged
    set_before = running.told["window"]
    assert {key: getattr(found, key) for key in set_before} == set_before
    env = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    words = [sys.executable, "-m", "client", "--home", str(running.home)]
    window = subprocess.Popen(
        [*words, "--debug-port", "0"], env=env, stdout=subprocess.PIPE, text=True
    )
    try:
        assert window.stdout is not None
        port = int(window.stdout.readline().split()[-1])
        ends = monotonic() + PATIENCE
        while "Partien" not in (scene := _scene(port)):
            assert monotonic() < ends, scene
            sleep(0.3)
    finally:
        window.terminate()
        window.communicate(timeout=PATIENCE)


def _scene(port: int) -> str:
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as script:
        script.sendall(b'{"do": "scene"}\n')
        return script.makefile("rb").readline().decode()
