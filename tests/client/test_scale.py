"""The size of everything: what does not fit the window is not offered, and said."""

from pathlib import Path

import pygame
import pytest
import trio.testing

from client import first_frame
from client.scene import Role, find, walk
from client.settings import Settings
from client.theme import SCALES
from tests.client.scripted import Scripted, needs_dummy, window


def offered(script: Scripted) -> tuple[int, ...]:
    """Return the scales that the open list shows."""
    rows = [n for n in walk(script.desk.root) if n.role is Role.ITEM]
    return tuple(int(n.value.removesuffix(" %")) for n in rows if "%" in n.value)


@needs_dummy
@pytest.mark.parametrize("scale", [100, 150, 250])
async def test_only_scales_that_the_window_has_room_for_are_offered(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, scale: int
) -> None:
    own = Settings(sound=False, scale=scale)
    async with window(tmp_path, settings=own) as script:
        await script.click("preferences")
        note = script.node_named("set.scale.note").text
        if scale > 160:
            assert "too small for 250 %" in note
            assert "160 %" in note
        else:
            assert note == "A larger window has room for more than 150 %."
        await script.click("set.scale")
        assert offered(script) == tuple(s for s in SCALES if s <= 160)
        looks = []
        for i, each in enumerate(offered(script)):
            if i:
                await script.click("set.scale")
            await script.click(f"set.scale:{i}")
            assert script.desk.model.settings.scale == each
            looks.append(script.desk.model.look.scale)
        assert len(set(looks)) == len(looks)  # each looks other than the others


@needs_dummy
async def test_a_large_window_offers_all_and_says_nothing(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        script.desk.window.size = (2560, 1600)
        script.post(pygame.WINDOWRESIZED)
        await script.settle()
        await script.click("preferences")
        assert find(script.desk.root, "set.scale.note") is None
        await script.click("set.scale")
        assert offered(script) == SCALES


@pytest.mark.parametrize(
    ("screen", "scale"),
    [
        ((1366, 768), 100), ((1920, 1080), 100), ((2560, 1440), 125),
        ((3840, 2160), 200), ((7680, 4320), 250), ((1440, 2560), 100),
    ],
)  # fmt: skip
def test_the_scale_of_a_first_start_is_chosen_by_the_display(
    screen: tuple[int, int], scale: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [screen])
    own = first_frame.at_first(Settings())
    assert own.scale == scale
    size = first_frame.fitting(own.size)
    assert size[0] <= screen[0]
    assert size[1] <= screen[1]
    if scale > 100:  # there is room for what it shows
        assert size == (1280 * scale // 100, 800 * scale // 100)
