"""Lhexicon as players take their turns: real clicks and keys through the loop."""

from pathlib import Path

import pygame
import trio.testing

from client.lhexicon.local import Doing
from client.model import Over
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.test_turns_by_hand import agreed, local


async def laid(script: Scripted, *cells: int) -> None:
    """Drag letters that are no blanks to cells of the board."""
    kinds, node = script.node.state.tiles.kinds[0], script.node
    plain = [
        tile
        for tile, kind in zip(node.state.tiles.racks[0], kinds, strict=True)
        if kind != 26
    ]
    for tile, cell in zip(plain, cells, strict=False):
        await script.drag(f"tile:{tile}", f"cell:{cell}")


@needs_dummy
async def test_escape_asks_at_once_and_letters_stay_where_they_lie(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "lhexicon")
        await laid(script, 108, 109)
        lying = local(script).laid
        assert len(lying) == 2
        await script.key(pygame.K_ESCAPE)
        assert script.desk.model.over is Over.LEAVE
        assert local(script).laid == lying
        await script.key(pygame.K_ESCAPE)
        assert script.desk.model.over is Over.NONE
        assert local(script).laid == lying
        await script.click("next")
        await script.key(pygame.K_ESCAPE)
        assert script.desk.model.over is Over.LEAVE
        assert local(script).marking


@needs_dummy
async def test_escape_closes_a_dialog_before_it_asks(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "lhexicon")
        for button in ("discard", "pass"):
            await script.click(button)
            await script.key(pygame.K_ESCAPE)
            assert local(script).doing is Doing.PLAYING
            assert script.desk.model.over is Over.NONE
        await script.key(pygame.K_ESCAPE)
        assert script.desk.model.over is Over.LEAVE


@needs_dummy
async def test_delete_and_recall_take_all_letters_back(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "lhexicon")
        await laid(script, 108, 109)
        await script.key(pygame.K_DELETE)
        assert local(script).laid == ()
        await laid(script, 108, 109)
        await script.key(pygame.K_BACKSPACE)
        assert len(local(script).laid) == 1
        await script.click("recall")
        assert local(script).laid == ()
        assert script.desk.model.over is Over.NONE


@needs_dummy
async def test_the_keys_of_lhexicon_are_listed_as_they_work(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "lhexicon")
        await script.key(pygame.K_F1)
        assert "close what is open, else ask whether to leave the game" in (
            script.reads()
        )
