import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
import trio.testing

from netplay.service import VARIABLE, WATCHDOG, keep_watchdog, notify


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(str(tmp_path / "n"))
        sock.settimeout(5)
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
    with trio.fail_after(1):
        await keep_watchdog()
