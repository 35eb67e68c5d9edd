"""Drop-downs by keys, however they were opened: in the real loop, by mouse and keys."""

from pathlib import Path

import pygame
import trio.testing

from client.app.model import Over
from client.ui.scene import find
from tests.client.scripted import Scripted, needs_dummy, window


async def preferences(script: Scripted, name: str) -> None:
    """Open a drop-down of the preferences with the mouse."""
    await script.click("preferences")
    await script.click(name)
    assert script.sees(f"{name}:popup")


@needs_dummy
async def test_arrows_and_enter_choose_in_a_list_that_the_mouse_opened(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await preferences(script, "set.theme")
        await script.key(pygame.K_DOWN)
        assert script.loop.hand.touch.focus == "set.theme:1"
        await script.key(pygame.K_RETURN)
        assert script.loop.model.settings.theme == "dark"
        assert not script.sees("set.theme:popup")
        assert script.loop.model.over is Over.PREFERENCES
        assert script.loop.hand.touch.focus == "set.theme"
        await script.key(pygame.K_DOWN)  # and again by the keyboard alone
        await script.key(pygame.K_UP)
        await script.key(pygame.K_SPACE)
        assert script.loop.model.settings.theme == "light"


@needs_dummy
async def test_the_arrows_begin_at_the_row_chosen_before(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await preferences(script, "set.language")
        for key, row in ((pygame.K_END, 4), (pygame.K_UP, 3), (pygame.K_HOME, 0)):
            await script.key(key)
            assert script.loop.hand.touch.focus == f"set.language:{row}"
        await script.key(pygame.K_UP)
        assert script.loop.hand.touch.focus == "set.language:0"


@needs_dummy
async def test_first_letters_lead_to_their_row(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await preferences(script, "set.animation")  # off, slow, normal, fast
        await script.type("f")
        assert script.loop.hand.touch.focus == "set.animation:3"
        await trio.sleep(1.5)
        await script.type("sl")
        await script.key(pygame.K_RETURN)
        assert script.loop.model.settings.animation == "slow"


@needs_dummy
async def test_escape_closes_the_list_alone_and_changes_nothing(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await preferences(script, "set.theme")
        await script.key(pygame.K_DOWN)
        await script.key(pygame.K_ESCAPE)
        assert not script.sees("set.theme:popup")
        assert script.loop.model.over is Over.PREFERENCES
        assert script.loop.model.settings.theme == "light"
        assert script.loop.hand.touch.focus == "set.theme"


@needs_dummy
async def test_a_long_list_opens_at_its_choice_and_follows_the_keys(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await script.click("setup")
        await script.click("rules")
        await script.click("option.timed")
        box = script.node_named("option.timed:list")
        assert box.content > box.rect.h  # the rest is scrolled to
        await script.key(pygame.K_END)
        last = script.loop.hand.touch.focus
        row = find(script.loop.root, last)
        assert row is not None
        assert box.rect.holds(row.rect)
        await script.key(pygame.K_RETURN)
        chosen = row.value
        await script.click("option.timed")
        await script.key(pygame.K_HOME)
        await script.key(pygame.K_ESCAPE)
        await script.click("option.timed")
        again = find(script.loop.root, last)
        assert again is not None
        assert again.value == chosen
        assert again.selected
