"""`netplay bench` as a script would use it; no figure is judged here."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import netplay
from netplay.__main__ import main
from rules import GAMES
from tools.bench import BENCHES
from tools.bench.counted import Tally

EVERY_GAME = set(GAMES)
ROWS = {
    "start": {"netplay --help", "a node's modules", "first frame"},
    "lexicon": {"map of words", "map of words, kept", "look up"},
    "plays": {
        f"{what}, {blanks}"
        for what in ("all", "best")
        for blanks in ("plain", "one blank", "two blanks")
    },
    "numlo": {"apply and list"},
    "games": {
        f"{game}, {what}" for game in GAMES for what in ("apply and list", "playouts")
    },
    "frames": EVERY_GAME,
    "fanout": {"one entry to 3", "one entry to 50", "one entry to 200"},
    "moves": {"latency, median", "latency, p99", "through one table"},
    "bag": {
        "mix of 100 tiles",
        "its proof",
        "its check",
        "draw of 7, share",
        "draw of 7, check",
        "click to the first rack, 2 nodes, encrypted",
        "click to the first rack, 4 nodes, encrypted",
        "log, 2 nodes",
        "processor a member beyond a committed match, as at 60 us, 2 nodes",
        "longest step of a loop, 2 nodes",
        "click to the first rack, 2 nodes, encrypted, as at 60 us",
        "wait added to a turn, median, 2 nodes",
        "wait added to a turn, worst, 2 nodes",
        "1 resting, start to a window",
        "1 resting, processor until all are open",
        "a turn, median, 2 nodes",
        "a turn, worst, 2 nodes",
    },
    "resting": {"start to a window, 4", "a link up, 4 shared", "latency beside 1"},
    "calls": {"host, together", "guest, together", "files, guest's move"},
    "browser": {
        "start page",
        "start page, all of it",
        "key to told",
        "memory, a session",
        "idle, as of 20",
        "a turn of networdz",
        "falling, a frame",
        "falling, told",
    },
    "besieged": {
        f"{siege}, {what}"
        for siege in (
            "a busy core",
            "pages elsewhere",
            "a name pointed here",
            "torn and huge frames",
            "200 half-open",
            "bare connections",
            "bare, one address",
            "a stolen link",
            "a forgotten token",
        )
        for what in ("a turn", "give or take", "tries", "pages", "node")
    },
}
"""Rows that each bench has at least."""

LONG = ("bag", "resting", "besieged", "browser", "games", "fanout", "numlo")
"""Benches that take long even in their quick forms: the others try the command."""

MOST_CALLS = 348
"""That a move costs a node, of the host and the guest the mean: only to be lowered."""


def measured(name: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    assert main(["bench", name, "--quick", "--json"]) == 0
    rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return rows


@pytest.mark.processes
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in LONG else ())
        for name in BENCHES
        if name not in ("calls", "lexicon")  # measured below
    ],
)
def test_every_bench_runs_in_its_quick_form(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = measured(name, capsys)
    _are_whole(name, rows)


def _are_whole(name: str, rows: list[dict[str, Any]]) -> None:
    named = {row["name"].removeprefix(f"{name}: ") for row in rows}
    assert named >= ROWS[name]
    for row in rows:
        assert set(row) == {"name", "value", "unit", "versus", "versus_value", "ratio"}
        may_be_none = "idle", "added", "give or take"
        assert row["value"] > 0 or any(word in row["name"] for word in may_be_none)
        told = row["versus"] and row["versus_value"]  # to nothing there is no ratio
        told = told and row["value"]
        assert bool(told) == bool(row["ratio"])


@pytest.mark.processes
def test_the_calls_of_a_move_are_whole_numbers_that_add_up(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = measured("calls", capsys)
    _are_whole("calls", found)
    rows = {row["name"]: row["value"] for row in found}

    for node in ("host", "guest"):
        python, c = rows[f"calls: {node}, Python's"], rows[f"calls: {node}, C's"]
        assert 100 < python < 10_000
        assert 50 < c < 10_000
        assert rows[f"calls: {node}, together"] == python + c
    both = rows["calls: host, together"] + rows["calls: guest, together"]
    assert both / 2 <= MOST_CALLS
    files, functions = (
        rows[f"calls: {what}, guest's move"] for what in ("files", "functions")
    )
    assert 5 < files < functions < rows["calls: guest, Python's"]
    assert files < len(list(Path(netplay.__file__).parent.rglob("*.py")))


def test_a_tally_counts_each_call_of_python_and_of_c_once() -> None:
    def twice(number: int) -> int:
        return abs(number) + abs(-number)

    tally = Tally()
    sys.setprofile(tally.note)
    for number in (1, 2, 3):
        twice(number)
    sys.setprofile(None)

    counts = tally.counts()
    ((file, name, times),) = counts.python
    assert (file, times) == (__file__, 3)
    assert name.endswith("twice")
    assert counts.c == 6 + 1  # and the one that ends the counting


def test_rows_for_people_name_what_they_are_held_against(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bench", "lexicon", "--quick"]) == 0
    rows = capsys.readouterr().out.splitlines()
    named = {row.removeprefix("lexicon: ").partition("  ")[0] for row in rows}
    assert named == ROWS["lexicon"]
    assert [" x " in row and row.endswith(")") for row in rows] == [True, True, False]


def test_help_names_every_bench(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", "--help"])

    told = capsys.readouterr().out
    assert all(name in told for name in BENCHES)


def test_without_a_checkout_it_says_what_measuring_needs(tmp_path: Path) -> None:
    for name in ("netplay", "rules", "client"):
        shutil.copytree(Path(netplay.__file__).parents[1] / name, tmp_path / name)
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "NETPLAY_HOME": str(tmp_path)}

    done = subprocess.run(
        [sys.executable, "-m", "netplay", "bench", "lexicon"],
        cwd=tmp_path, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 2
    assert "checkout" in done.stderr
    assert "Traceback" not in done.stderr
