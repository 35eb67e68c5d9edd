"""`netplay arena --scheduler`: games played by the workers of a Dask scheduler."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from netplay import spread
from netplay.__main__ import main
from netplay.errors import LocalError
from netplay.sentences import Says
from tests.patience import PATIENCE, until
from tests.said import says

if find_spec("distributed") is None:
    pytest.skip("needs Dask's distributed", allow_module_level=True)

GAMES = ["arena", "numlo", "30", "random", "--games", "60", "--seed", "4", "--json"]


def client(address: str) -> Any:
    """Return a client of a scheduler; all else is collected before Dask is imported."""
    return import_module("distributed").Client(address)


@contextmanager
def process(*words: str) -> Generator[subprocess.Popen[bytes]]:
    """Run a module until the test has ended."""
    quiet = subprocess.DEVNULL
    own = subprocess.Popen([sys.executable, "-m", *words], stdout=quiet, stderr=quiet)
    try:
        yield own
    finally:
        own.kill()
        own.wait()


@contextmanager
def cluster(
    folder: Path, workers: int
) -> Generator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Give the address of a scheduler, and its workers, one thread each."""
    place = folder / "scheduler.json"
    words = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    where = ["--scheduler-file", str(place)]
    with ExitStack() as stack:
        begin = stack.enter_context
        begin(process("distributed.cli.dask_scheduler", *words, *where))
        until(lambda: place.exists() and place.read_text("utf-8").endswith("}"))
        address = json.loads(place.read_text("utf-8"))["address"]
        each = ["--nthreads", "1", "--no-nanny", "--no-dashboard", *where]
        each += ["--local-directory", str(folder), "--host", "127.0.0.1"]
        made = [
            begin(process("distributed.cli.dask_worker", *each)) for _ in range(workers)
        ]
        begin(client(address)).wait_for_workers(workers, timeout=PATIENCE)
        yield address, made


def report(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, float]:
    assert main([*GAMES, *words]) == 0
    found: dict[str, float] = json.loads(capsys.readouterr().out)
    return {name: found[name] for name in found if name not in {"seconds", "slowest"}}


def test_the_games_of_a_killed_worker_are_played_by_the_other(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    alone = report(capsys)
    with cluster(tmp_path, 2) as (address, workers):
        found = list[dict[str, float]]()

        def play() -> None:
            found.append(report(capsys, "--scheduler", address))

        playing = Thread(target=play)
        playing.start()
        with client(address) as asked:
            until(lambda: busy(asked, 2))
            assert not found
            os.kill(workers[0].pid, signal.SIGKILL)
            playing.join(PATIENCE)
            until(lambda: len(asked.scheduler_info()["workers"]) == 1)
    assert found == [alone]


def busy(asked: Any, workers: int) -> bool:
    """Tell whether each of so many workers has something to do."""
    tasks: list[list[str]] = list(asked.processing().values())
    return len(tasks) == workers and all(tasks)


def test_where_no_scheduler_answers_a_line_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spread, "CALL_SECONDS", 0.5)
    assert main([*GAMES, "--scheduler", "tcp://127.0.0.1:9"]) == 2
    said = capsys.readouterr().err
    assert says(said, Says.NO_SCHEDULER, address="tcp://127.0.0.1:9")
    assert main([*GAMES, "--scheduler", "nonsense://"]) == 2
    assert says(capsys.readouterr().err, Says.NO_SCHEDULER)


def test_workers_of_another_version_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cluster(tmp_path, 1) as (address, _workers):
        monkeypatch.setattr(spread, "VERSION", "99.1")
        assert main([*GAMES, "--scheduler", address]) == 2
    assert says(capsys.readouterr().err, Says.OTHER_WORKERS, version="99.1")


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(LocalError, match="netplay\\[cluster\\]"),
        spread.spread(divmod, 3, range(4), scheduler="tcp://127.0.0.1:9"),
    ):
        pass
