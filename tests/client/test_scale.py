"""The size of everything: what does not fit the window is not offered, and said."""

from pathlib import Path

import pygame
import pytest
import trio.testing

from client.app.model import Model
from client.app.settings import Settings
from client.pages import screen
from client.ui.scene import Rect, Role, find, walk
from client.ui.theme import SCALES, filling, grown
from client.window import first_frame
from tests.client import crowded, listed
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.worlds import base, fed, status, table


def offered(script: Scripted) -> tuple[int, ...]:
    """Return the scales that the open list shows."""
    rows = [n for n in walk(script.loop.root) if n.role is Role.ITEM]
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
            assert "250 %" in note
            assert "160 %" in note
        else:
            assert note.endswith(" 150 %.")
        await script.click("set.scale")
        assert offered(script) == tuple(s for s in SCALES if s <= 160)
        looks = []
        for i, each in enumerate(offered(script)):
            if i:
                await script.click("set.scale")
            await script.click(f"set.scale:{i}")
            assert script.loop.model.settings.scale == each
            looks.append(script.loop.model.look.scale)
        assert len(set(looks)) == len(looks)  # each looks other than the others


@needs_dummy
async def test_a_large_window_offers_all_and_says_nothing(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        script.loop.window.size = (2560, 1600)
        script.post(pygame.WINDOWRESIZED)
        await script.settle()
        await script.click("preferences")
        assert find(script.loop.root, "set.scale.note") is None
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


@pytest.mark.parametrize("size", [(800, 500), (1280, 800), (1600, 1000), (1920, 1080)])
def test_in_a_usual_window_all_is_as_large_as_was_chosen(size: tuple[int, int]) -> None:
    assert [grown(scale, size) for scale in SCALES] == list(SCALES)


def test_in_a_larger_window_all_grows_but_never_past_what_fills_it() -> None:
    for size in ((2560, 1440), (2560, 1600), (3840, 2160)):
        drawn = [grown(scale, size) for scale in SCALES]
        assert drawn == sorted(set(drawn))
        for scale, each in zip(SCALES, drawn, strict=True):
            assert scale <= each <= max(scale, filling(size))
            assert (scale < each) == (max(scale, 100) < filling(size))


def starts(size: tuple[int, int]) -> dict[str, Model]:
    """Return the pages of cards, almost empty and full."""
    model = base(size)
    return {
        "start": fed(model, status()),
        "table": fed(model, status(table=table())),
        **dict(crowded.starts(model)),
        **dict(listed.pages(model)),
    }


@pytest.mark.parametrize(
    "size", [(1280, 800), (1920, 1080), (2560, 1440), (2560, 1600)]
)
def test_a_page_of_cards_fills_its_window(size: tuple[int, int]) -> None:
    for name, model in starts(size).items():
        cards = [
            node.rect
            for node in walk(screen.scene(model))
            if node.role is Role.PANEL and node.bg is not None
        ]
        filled = Rect(
            min(each.x for each in cards), min(each.y for each in cards),
            max(each.right for each in cards), max(each.bottom for each in cards),
        )  # fmt: skip
        assert filled.w - filled.x > size[0] * 0.88, name
        assert filled.h - filled.y > size[1] * 0.84, name
