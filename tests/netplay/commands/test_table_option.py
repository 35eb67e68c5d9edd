"""Every command about a table says which one it means: `--table`, or the only one."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from netplay.__main__ import main
from tools.bench.pair import Node

pytestmark = pytest.mark.processes

ABOUT_A_TABLE = {
    "accept": (), "call": ("127.0.0.1:1",), "decline": (), "kick": ("bob",),
    "leave": (), "play": ("T(4,1)xT(5,1)",), "rematch": (), "save": ("x.netplay",),
    "say": ("Hello",), "start": (), "watchers": (),
}  # fmt: skip
"""The commands, and what else they need; `status` tells of any number of tables."""


PROMISED = {
    "table", "game", "phase", "players", "turn", "mine", "since", "left",
    "undelivered", "unread", "away", "result", "audit",
}  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the home of a node with two tables that are being formed."""
    node = Node(tmp_path_factory.mktemp("homes") / "ann")
    with node.visit():
        pass  # it is there
    for game in ("hexagrams", "numlo"):
        words = ("host", game, "--seat", "person:Zoë", "--seat", "remote")
        assert main([*words, "--home", str(node.home.path)]) == 0
    yield node.home.path
    node.stop()


def ran(
    home: Path, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, str, str]:
    """Run a command; return its exit code, what it printed, and its errors."""
    capsys.readouterr()
    try:
        code = main([*words, "--home", str(home)])
    except SystemExit as end:
        code = int(end.code or 0)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize("name", ABOUT_A_TABLE)
def test_without_a_number_the_tables_that_may_be_meant_are_named(
    name: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _out, wrong = ran(home, capsys, name, *ABOUT_A_TABLE[name])
    assert code == 2, wrong
    assert "1 (Hexagrams" in wrong
    assert "2 (Numlo" in wrong


def test_the_list_of_tables_has_the_keys_that_scripts_are_promised(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (("--json",), ("--all", "--json")):
        code, out, _wrong = ran(home, capsys, "games", *words)
        assert code == 0
        found = json.loads(out)
        assert [(one["table"], one["game"]) for one in found] == [
            (1, "hexagrams"), (2, "numlo"),
        ]  # fmt: skip
        for one in found:
            assert set(one) >= PROMISED
            assert not {"number", "yours"} & set(one)
            assert (one["mine"], one["result"], one["audit"]) == (False, "", "")


@pytest.mark.parametrize("name", [*ABOUT_A_TABLE, "status"])
def test_a_number_that_no_table_has_is_refused(
    name: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ABOUT_A_TABLE.get(name, ())
    code, _out, wrong = ran(home, capsys, name, "--table", "7", *more)
    assert code != 0
    assert "7" in wrong


@pytest.mark.parametrize("name", ["status", *ABOUT_A_TABLE])
def test_a_number_that_no_message_can_hold_is_refused_in_one_line(
    name: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ABOUT_A_TABLE.get(name, ())
    code, _out, wrong = ran(home, capsys, name, "--table", "9" * 30, *more)
    assert code == 2
    assert wrong.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("block", "\udcff"),
        ("watch", "\udcff"),
        ("say", "a", "\udcff"),
        ("offer", "days", "9" * 30),
    ],
    ids=lambda words: words[0],
)
def test_a_word_that_no_message_can_hold_is_refused_in_one_line(
    words: tuple[str, ...], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _out, wrong = ran(
        home, capsys, *words, *(("--table", "1") if words[0] == "say" else ())
    )
    assert code == 2
    assert wrong.count("\n") == 1


def test_what_is_said_goes_to_the_table_that_is_named(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, game in (("1", "Hexagrams"), ("2", "Numlo")):
        code, told, wrong = ran(home, capsys, "status", "--table", number)
        assert (code, wrong) == (0, "")
        assert game.lower() in told.lower()
    code, told, _wrong = ran(home, capsys, "games")
    assert code == 0
    assert "1  Hexagrams: Zoë" in told
    assert "2  Numlo: Zoë" in told


def test_the_only_table_is_meant_by_default(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    node = Node(tmp_path / "bob")
    try:
        with node.visit():
            pass  # it is there
        here = node.home.path
        words = ("host", "numlo", "--seat", "person", "--seat", "computer")
        assert ran(here, capsys, *words)[0] == 0
        assert ran(here, capsys, "start")[0] == 0
        assert ran(here, capsys, "say", "Hello")[0] == 0
        assert ran(here, capsys, "leave")[0] == 0
        assert ran(here, capsys, "games", "--json")[:2] == (0, "[]\n")
    finally:
        node.stop()
