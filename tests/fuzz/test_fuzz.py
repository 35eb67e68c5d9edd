"""A minute of hostile bytes; by hand it is `python -m tests.fuzz frames 1000000`."""

import subprocess
import sys
from pathlib import Path

import pytest

from netplay.errors import Code, LocalError, PeerError
from tests.fuzz.tally import Tally

ROOT = Path(__file__).parents[2]


def fuzzed(what: str, count: int, seed: int) -> str:
    """Fuzz in a process of its own, whose memory is nobody else's."""
    words = ["-m", "tests.fuzz", what, str(count), "--seed", str(seed)]
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_few_mutated_frames_and_files_raise_only_registered_errors() -> None:
    assert "failures: none" in fuzzed("frames", 1_000, 7)
    assert "failures: none" in fuzzed("files", 100, 7)


@pytest.mark.slow
def test_a_minute_of_mutated_frames_raises_only_registered_errors() -> None:
    assert "failures: none" in fuzzed("frames", 40_000, 2)


@pytest.mark.slow
def test_a_minute_of_mutated_files_raises_only_registered_errors() -> None:
    assert "failures: none" in fuzzed("files", 6_000, 2)


def test_a_tally_tells_errors_that_bytes_may_cause_from_others() -> None:
    tally = Tally()
    with tally.one("x", b"", fine="fine"):
        pass
    with tally.one("x", b""):
        raise PeerError(Code.BAD_FRAME)
    assert not tally.failures
    with tally.one("x", b"\x01"):
        raise KeyError("oh")
    with tally.one("x", b"\x02"):
        raise LocalError(Code.DISK)
    assert tally.outcomes == {"fine": 1, "BAD_FRAME": 1, "!": 1, "DISK": 1}
    assert len(tally.failures) == 2
    assert not tally.good
    assert "01" in tally.report(1.0)
