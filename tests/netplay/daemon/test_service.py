import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import trio
import trio.testing

from netplay.__main__ import main
from netplay.daemon.starting import (
    PROGRAM_SECONDS,
    VARIABLE,
    WATCHDOG,
    keep_watchdog,
    notify,
    unit,
    watch_program,
)
from netplay.faults import Faults
from netplay.sentences import Says
from tests.patience import PATIENCE


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(str(tmp_path / "n"))
        sock.settimeout(PATIENCE)
        monkeypatch.setenv(VARIABLE, str(tmp_path / "n"))
        yield sock


def test_a_manager_is_told(manager: socket.socket) -> None:
    assert notify("READY=1")
    assert manager.recv(100) == b"READY=1"


def test_without_a_manager_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert not notify("READY=1")


@pytest.mark.parametrize(
    "name", ["/nowhere/at/all", "@nobody-listens-there", "vsock:1"]
)
def test_a_manager_that_is_not_there_is_no_error(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(VARIABLE, name)
    assert not notify("READY=1")


async def test_the_watchdog_is_fed_twice_a_period(
    manager: socket.socket,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
) -> None:
    monkeypatch.setenv(WATCHDOG, "10000000")
    with trio.move_on_after(11):
        await keep_watchdog()
    assert [manager.recv(100) for _ in range(3)] == [b"WATCHDOG=1"] * 3


@pytest.mark.parametrize("period", ["", "0", "soon"])
async def test_no_watchdog_wants_no_food(
    monkeypatch: pytest.MonkeyPatch, period: str
) -> None:
    monkeypatch.setenv(WATCHDOG, period)
    with trio.fail_after(PATIENCE):
        await keep_watchdog()


def test_a_unit_starts_the_command_it_was_made_for() -> None:
    command = ["/usr/bin/python3", "-m", "netplay", "node", "--port", "4771"]
    found = unit(command)
    assert f"\nExecStart={' '.join(command)}\n" in found
    assert "\nType=notify\n" in found


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("/home/anna b", '"/home/anna b"'),
        ("100%", "100%%"),
        ("$HOME", "$$HOME"),
        ('say "x"', '"say \\"x\\""'),
        ("a\\b", '"a\\\\b"'),
        ("", '""'),
    ],
)
def test_words_are_quoted_as_systemd_reads_them(word: str, line: str) -> None:
    assert f"\nExecStart=python {line}\n" in unit(["python", word])


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd is not installed"
)
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    path = tmp_path / "netplay.service"
    path.write_text(unit([sys.executable, "-m", "netplay", "node"]))
    with TemporaryDirectory() as runs:  # sockets of other units lie there: no long path
        done = subprocess.run(
            ["systemd-analyze", "--user", "--man=no", "verify", str(path)],
            env={**os.environ, "XDG_RUNTIME_DIR": runs},
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_node_prints_its_unit_with_what_was_chosen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NETPLAY_HOME", "")
    words = ["node", "--print-unit", "--port", "4771", "--no-beacon", "--map-port"]
    words += ["--no-offensive-words", "--no-pace"]
    assert main([*words, "--home", str(tmp_path / "h")]) == 0
    line = f"netplay node --home {tmp_path / 'h'} --port 4771 --no-beacon --map-port"
    assert f"{line} --no-offensive-words --no-pace\n" in capsys.readouterr().out
    assert not (tmp_path / "h").exists()


async def test_an_update_under_a_running_node_is_told_once(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    program, newer = tmp_path / "netplay", tmp_path / "newer"
    program.write_text("one", "utf-8")
    newer.write_text("two", "utf-8")
    faults, told = Faults(), trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch_program, faults, told.set, program)
        await trio.sleep(2.5 * PROGRAM_SECONDS)
        assert not list(faults)

        newer.replace(program)
        await told.wait()

    assert list(faults) == [Says.UPDATED()]


async def test_a_program_that_is_taken_away_is_no_update(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    program = tmp_path / "netplay"
    program.write_text("one", "utf-8")
    faults, told = Faults(), trio.Event()
    with trio.move_on_after(2.5 * PROGRAM_SECONDS):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch_program, faults, told.set, program)
            await trio.testing.wait_all_tasks_blocked()
            program.unlink()

    assert not list(faults)
    assert not told.is_set()
