"""The demonstration, as somebody would run it."""

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from netplay.commands import demo as command
from netplay.demo.show import make_files, new_word
from netplay.record.verify import verify
from netplay.sentences import Says
from netplay.table.resources import Shelf
from rules import editions, lexicon
from tests.patience import PATIENCE
from tests.said import says

KEYS = {
    "game", "nodes", "entries", "moves", "seconds", "scores", "places", "chat",
    "digests", "equal", "audit", "match",
}  # fmt: skip


def demo(home: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "netplay", "--home", str(home), "demo", *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def report(home: Path, *words: str) -> dict[str, Any]:
    done = demo(home, *words, "--json")
    assert done.returncode == 0, done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_words_of_a_demonstration_come_from_the_edition_that_was_chosen(
    tmp_path: Path,
) -> None:
    files = make_files("networdz", tmp_path, "spanish")
    edition = editions.read(Path(files.edition).read_text("utf-8"))
    assert edition.kinds == editions.load("spanish").kinds
    own, made = lexicon.load("spanish"), lexicon.open_file(Path(files.words))
    assert made.alphabet == edition.alphabet
    assert (made.count, made.folds) == (own.count + 1, own.folds)


def test_a_demonstration_of_an_edition_that_is_not_there_says_so(
    tmp_path: Path,
) -> None:
    done = demo(tmp_path, "--option", "edition=klingon")
    assert done.returncode == 1
    assert says(done.stderr, Says.NO_EDITION, name="klingon")
    assert "Traceback" not in done.stderr


@pytest.mark.processes
@pytest.mark.slow
def test_two_nodes_play_networdz_with_words_that_travel(tmp_path: Path) -> None:
    found = report(tmp_path, "--seed", "1")
    assert found.keys() >= KEYS
    assert found["game"] == "networdz"
    assert found["nodes"] == 2
    assert found["equal"] is True
    assert found["audit"] == "ok"
    assert found["chat"] == 4
    assert found["fetched"] == 2
    assert found["fairness"] == "encrypted", "as long as nobody wishes otherwise"
    assert found["shuffle_seconds"] > 0
    assert len(set(found["digests"])) == 1
    assert found["moves"] > 10
    assert min(found["places"]) == 1
    assert max(found["scores"]) > 50
    Shelf(tmp_path / "words")  # the words of the match were kept
    verdict = verify(Path(found["match"]).read_bytes())
    assert verdict.ok
    assert verdict.entries == found["entries"]


@pytest.mark.processes
@pytest.mark.slow
@pytest.mark.parametrize(("game", "nodes"), [("networdz", "4"), ("lhexicon", "2")])
def test_nodes_play_with_a_bag_that_none_of_them_can_see_into(
    tmp_path: Path, game: str, nodes: str
) -> None:
    found = report(tmp_path, game, "--nodes", nodes, "--seed", "1")
    assert (found["fairness"], found["audit"], found["equal"]) == (
        "encrypted",
        "ok",
        True,
    )
    assert found["shuffle_seconds"] > 0
    Shelf(tmp_path / "words")  # the words of the match were kept
    verdict = verify(Path(found["match"]).read_bytes())
    assert (verdict.verdict, verdict.fairness) == ("good", "encrypted")


@pytest.mark.processes
@pytest.mark.slow
def test_a_host_may_wish_that_its_program_deals(tmp_path: Path) -> None:
    found = report(tmp_path, "--fairness", "committed", "--seed", "1")
    told = found["fairness"], found["audit"], found["equal"]
    assert told == ("committed", "ok", True)
    assert found["shuffle_seconds"] == 0


@pytest.mark.processes
@pytest.mark.slow
def test_four_nodes_play_numlo(tmp_path: Path) -> None:
    found = report(tmp_path, "numlo", "--nodes", "4")
    assert found["nodes"] == len(found["digests"]) == 4
    assert found["equal"] is True
    assert found["audit"] == "ok"
    assert found["chat"] == 24


@pytest.mark.processes
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "line"), [("hexagrams", "\nWhite ("), ("networdz", "\n 8 ")]
)
def test_the_board_is_printed_as_it_grows(tmp_path: Path, game: str, line: str) -> None:
    done = demo(tmp_path, game)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(line) >= 10
    twice = re.search(r"(?:\A|\n\n)(.{40,}?\n\n)\1", done.stdout, re.DOTALL)
    assert twice is None, "what is hidden makes no other board"
    assert "equal" in done.stdout
    assert done.stdout.split()[-2:] == ["audit:", "ok"]


@pytest.mark.processes
@pytest.mark.slow
def test_on_a_terminal_a_line_tells_the_moves_and_a_few_the_end(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty", reason="needs a terminal of Unix")
    own, theirs = pty.openpty()
    words = (sys.executable, "-m", "netplay", "--home", str(tmp_path), "demo", "numlo")
    said = b""
    with subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs):
        os.close(theirs)
        with suppress(OSError):  # Linux says so that nobody has the other end any more
            while more := os.read(own, 65536):
                said += more
    os.close(own)
    lines = said.decode().split("\r\n")
    assert said.split()[-2:] == [b"audit:", b"ok"]
    assert len(lines) <= 13
    assert said.count(b"\r") > 50, "each move was to be seen, in the place of the last"


@pytest.mark.processes
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("hexagrams", "--nodes", "3"), "hexagrams is not for 3 seats"),
        (("chess",), "chess"),
        (("--nodes", "x"), "--nodes"),
    ],
)
def test_a_wrong_word_is_one_line_and_exit_code_two(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    done = demo(tmp_path, *words)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_demonstrations_words_are_the_games_and_one_more(tmp_path: Path) -> None:
    files = make_files("networdz", tmp_path)
    english = lexicon.load("english")
    more = lexicon.open_file(Path(files.words))
    added = new_word(english)
    assert not english.has(added)
    assert more.has(added)
    assert sum(1 for _ in more.words()) == sum(1 for _ in english.words()) + 1
    assert 'name = "demo"' in Path(files.edition).read_text("utf-8")


def test_games_without_words_have_no_files(tmp_path: Path) -> None:
    assert make_files("numlo", tmp_path) == ("", "")
    assert make_files("lhexicon", tmp_path).edition == ""


def test_the_command_says_what_it_is() -> None:
    assert "game" in command.HELP
