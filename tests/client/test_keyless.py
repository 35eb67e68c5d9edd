"""A window whose home has lost its key asks what to do, and ends with the answer."""

from pathlib import Path

import pygame
import pytest
import trio.testing
from msgspec.structs import replace

from client.model import Over
from netplay.ending import LOOK_AGAIN, NEW_KEY
from tests.client.scripted import needs_dummy, window

PLACE = "/home/anna/.local/share/netplay/key.pem"


@needs_dummy
@pytest.mark.parametrize(
    ("button", "code"),
    [
        ("keyless.again", LOOK_AGAIN),
        ("keyless.new", NEW_KEY),
        ("keyless.close", 0),
        ("", 0),
    ],
)
async def test_each_way_out_ends_the_window_with_its_code(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, button: str, code: int
) -> None:
    async with window(tmp_path) as script:
        desk = script.desk
        desk.model = replace(desk.model, over=Over.KEYLESS, refusal=PLACE)
        desk._stale = True
        assert PLACE in script.node_named("keyless.why").text
        assert not desk.done
        if button:
            await script.click(button)
        else:
            await script.key(pygame.K_ESCAPE)
        assert desk.done
        assert desk.code == code
