"""Nodes of a demonstration on a computer that has much else to do."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from netplay.demo import show
from netplay.demo.player import Player
from netplay.demo.show import Actor
from netplay.errors import Code, LocalError
from netplay.home import Home


async def started(
    actor: Actor, monkeypatch: pytest.MonkeyPatch, script: str, **more: Any
) -> trio.Process:
    """Start a program in the place of a node."""
    process = await trio.lowlevel.open_process([sys.executable, "-c", script], **more)

    async def opened(*_words: object, **_files: object) -> trio.Process:
        return process

    with monkeypatch.context() as patch:
        patch.setattr(trio.lowlevel, "open_process", opened)
        await actor.start()
    return process


async def test_a_node_that_takes_two_minutes_to_start_is_waited_for_and_told_of(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The process is another one, which lives; its door opens late."""
    actor = Actor(Home(tmp_path), "Ada", Player("numlo"), None)
    opens = trio.current_time() + 120

    async def run() -> None:
        actor.player.status = SimpleNamespace(port=4770)  # type: ignore[assignment]

    async def call(_home: Home, _hear: Any) -> Any:
        await trio.lowlevel.checkpoint()
        if trio.current_time() < opens:
            raise ConnectionRefusedError
        await run()
        return SimpleNamespace(listen=run)

    monkeypatch.setattr(show, "call", call)
    await started(actor, monkeypatch, "input()", stdin=-1)
    try:
        async with trio.open_nursery() as nursery:
            await actor.meet(nursery)
    finally:
        await actor.kill()
    assert actor.port == 4770
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("Ada ") and told[0].endswith(" 10 s")
    assert 10 <= len(told) <= 12


async def test_a_node_whose_process_has_ended_is_waited_for_no_longer(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
) -> None:
    actor = Actor(Home(tmp_path), "Ada", Player("numlo"), None)
    process = await started(actor, monkeypatch, "pass")
    await process.wait()
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        with pytest.raises(LocalError) as caught:
            await actor.meet(nursery)
    assert caught.value.code is Code.NO_ANSWER
    assert trio.current_time() - began < 1
