"""A window that no node can be started for says why, and ends with what was chosen."""

import argparse
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pygame
import pytest
import trio.testing
from msgspec.structs import replace

from client.app.model import Over
from client.ui.intents import Focus
from netplay import ending, home
from netplay.commands import window as command
from netplay.home import Home
from netplay.moving import homes
from netplay.sentences import Says
from tests.client.scripted import needs_dummy, window
from tests.said import like

MOVED = "/media/anna/stick/netplay.export"
KEY = "/home/anna/.local/share/netplay/key.pem"


@needs_dummy
@pytest.mark.parametrize(
    ("over", "file", "why", "button", "code"),
    [
        (Over.MOVED, MOVED, "moved.why", "moved.here", ending.PLAY_HERE),
        (Over.MOVED, MOVED, "moved.why", "moved.close", 0),
        (Over.MOVED, MOVED, "moved.why", "", 0),
        (Over.KEYLESS, KEY, "keyless.why", "keyless.again", ending.LOOK_AGAIN),
        (Over.KEYLESS, KEY, "keyless.why", "keyless.new", ending.NEW_KEY),
        (Over.KEYLESS, KEY, "keyless.why", "keyless.close", 0),
        (Over.KEYLESS, KEY, "keyless.why", "", 0),
    ],
)
async def test_each_way_out_ends_the_window_with_its_code(
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    over: Over,
    file: str,
    why: str,
    button: str,
    code: int,
) -> None:
    async with window(tmp_path) as script:
        window_loop = script.loop
        window_loop.model = replace(window_loop.model, over=over, refusal=file)
        window_loop.on_event(Focus(""))
        assert file in script.node_named(why).text
        assert not window_loop.done
        if button:
            await script.click(button)
        else:
            await script.key(pygame.K_ESCAPE)
        assert window_loop.done
        assert window_loop.code == code


@pytest.mark.parametrize("code", [ending.PLAY_HERE, 0])
def test_a_home_that_has_moved_asks_before_a_node_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    place = Home(tmp_path)
    place.prepare()
    homes.mark(place, Path(MOVED))
    started: list[tuple[str, ...]] = []

    def start(words: Sequence[str], _log: object = None) -> object:
        started.append(tuple(words))
        asks = "--moved" in words
        said = code if asks else 0
        return SimpleNamespace(wait=lambda: said, stdin=BytesIO(), kill=list)

    monkeypatch.setattr(command, "start", start)
    monkeypatch.setattr(command, "has_display", lambda *_: True)
    monkeypatch.setattr(home, "find", lambda _given: place)
    parser = argparse.ArgumentParser()
    command.add(parser)
    if code:
        assert command.run(parser.parse_args([])) == 0
        assert not place.moved.exists()
    else:
        with pytest.raises(Exception, match=like(Says.MOVED)):
            command.run(parser.parse_args([]))
        assert place.moved.exists()
    asked, *others = started
    assert asked[asked.index("--moved") + 1] == MOVED
    assert len(others) == (2 if code else 0), "a window, and a node for it"
