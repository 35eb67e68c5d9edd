"""How far long work is shows on a terminal, and nowhere else."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from netplay.record.store import whole
from rules import numlo
from tests.netplay.party import Party

ROOT = Path(__file__).parents[3]
RECORD = """#player1 ann Ann
#player2 ben Ben
>ann: AEHILSZ 8D ZEALS +48 48
>ben: EEIOUVV - +0 0
"""
ARENA = (
    "arena", "numlo", "random", "random", "--option", "size=8", "--games", "2",
    "--seed", "1",
)  # fmt: skip

pty = pytest.importorskip("pty", reason="needs a terminal of Unix")


def run(words: Sequence[str], home: Path, *, terminal: bool) -> tuple[str, str]:
    """Run a command; return what it prints, and what a person sees beside that."""
    line = [sys.executable, "-m", "netplay", "--home", str(home), *words]
    env = {**os.environ, "TERM": "xterm", "LANGUAGE": "en"}
    if not terminal:
        done = subprocess.run(
            line, capture_output=True, text=True, check=True, cwd=ROOT, env=env
        )
        return done.stdout, done.stderr
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=theirs, cwd=ROOT, env=env
    ) as process:
        os.close(theirs)
        seen = b""
        try:
            while piece := os.read(ours, 65536):
                seen += piece
        except OSError:  # Linux says so that nobody has the other end any more
            pass
        assert process.stdout is not None
        told = process.stdout.read().decode()
    os.close(ours)
    assert process.returncode == 0, seen
    return told, seen.decode()


def prepared(tmp_path: Path, what: str) -> tuple[str, ...]:
    """Return a command that may take long, with what it needs."""
    text = tmp_path / "words.txt"
    text.write_text("AB\nCAT\nDOG\n", "utf-8")
    match, sheet = tmp_path / "match.netplay", str(tmp_path / "sheet")
    record = tmp_path / "record.gcg"
    record.write_text(RECORD, "utf-8")
    if what == "turns":
        words = ("gcg", "import", str(record), sheet)
        run(words, tmp_path / "home", terminal=False)
    return {
        "games": ARENA,
        "turns": ("analyse", sheet, "--json", "--quick"),
        "checking": ("verify", str(match)),
        "building the list": ("words", "import", str(text), str(tmp_path / "own")),
    }[what]


def untimed(text: str) -> str:
    """Leave out how long an arena took."""
    return re.sub(r"[\d.]+ s$", "", text, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def match() -> bytes:
    party = Party("numlo", 2, numlo.Options(size=8, values=False))
    party.link_all()
    party.play_out(Random(1))
    return whole(party.logs()[0])


@pytest.mark.processes
@pytest.mark.parametrize("what", ["games", "turns", "checking", "building the list"])
def test_long_work_tells_a_terminal_how_far_it_is_and_a_pipe_nothing(
    what: str, tmp_path: Path, match: bytes
) -> None:
    words = prepared(tmp_path, what)
    (tmp_path / "match.netplay").write_bytes(match)

    told, seen = run(words, tmp_path / "home", terminal=True)
    again = (*words, "--force") if words[0] == "words" else words
    piped, quiet = run(again, tmp_path / "home", terminal=False)

    assert what in seen
    assert "\x1b[2K" in seen.rpartition(what)[2], "and is wiped away at the end"
    assert quiet == ""
    assert untimed(told) == untimed(piped)
    assert "\x1b" not in piped + told
