"""The real loop on SDL's dummy driver, with the real event queue, in virtual time."""

from pathlib import Path

import pygame
import pytest
import trio
import trio.testing
from msgspec.structs import replace
from typing_extensions import override

from client import session
from client.app.model import Over, Page
from client.app.settings import load, store
from client.ui.scene import Node, Rect, Role, Touch, find, walk
from client.update import Resized
from client.window import loop, painter
from netplay.messages import door
from tests.client.scripted import needs_dummy, window
from tests.client.worlds import base, fed, seat, status, table

NAME = "Žofie Ёлкина"

LINE = "Привет, café"


@needs_dummy
async def test_the_first_run_asks_a_name_and_nothing_else(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path, name="") as script:
        assert script.loop.model.over is Over.NAME
        await script.type(NAME)
        await script.key(pygame.K_RETURN)
        assert script.node.status.name == NAME
        assert script.loop.model.over is Over.NONE
        assert script.loop.model.page is Page.START


@needs_dummy
async def test_a_word_is_laid_by_dragging_and_another_by_typing(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await script.click("play")
        assert script.loop.model.page is Page.MATCH
        game, node = script.node.game, script.node
        own = game.view(node.state, 0)
        first = next(m for m in game.moves(own, 0) if type(m).__name__ == "Lay")
        for laid in first.laid:
            await script.drag(f"tile:{laid.tile}", f"cell:{laid.cell}")
        if find(script.loop.root, "blank") is not None:
            await script.type("e")
        before = node.state.scores[0]
        await script.click("done")
        assert node.state.scores[0] > before
        assert script.loop.model.match is not None
        assert script.loop.model.match.local.laid == ()

        own = game.view(node.state, 0)
        plain = next(
            m
            for m in game.moves(own, 0)
            if type(m).__name__ == "Lay"
            and all(
                s.kind == each.letter for s, each in zip(m.shown, m.laid, strict=True)
            )
        )
        alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        cells = [each.cell for each in plain.laid]
        await script.click(f"cell:{cells[0]}")
        if len(cells) > 1 and cells[1] - cells[0] >= 15:
            await script.key(pygame.K_DOWN)
        await script.type("".join(alphabet[each.letter] for each in plain.laid).lower())
        before = node.state.scores[0]
        await script.key(pygame.K_RETURN)
        assert node.state.scores[0] > before


@needs_dummy
async def test_tiles_are_exchanged_by_pass_and_discard(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await script.click("play")
        node = script.node
        rack = node.state.tiles.racks[0]
        await script.click("pass")
        await script.drag(f"tile:{rack[0]}", "pile")
        await script.click(f"tile:{rack[1]}")
        await script.click("done")
        assert rack[0] not in node.state.tiles.racks[0]
        assert rack[1] not in node.state.tiles.racks[0]
        assert len(node.state.tiles.racks[0]) == len(rack)


@needs_dummy
async def test_a_drag_outside_goes_back_and_escape_recalls_everything(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await script.click("play")
        match = script.loop.model.match
        assert match is not None
        one, two = match.local.order[:2]
        await script.drag(f"tile:{one}", "cell:17")
        await script.drag(f"tile:{one}", "players")
        assert script.loop.model.match is not None
        assert script.loop.model.match.local.laid == ()
        await script.drag(f"tile:{one}", "cell:17")
        await script.drag(f"tile:{two}", "cell:18")
        await script.key(pygame.K_ESCAPE)
        assert script.loop.model.match.local.laid == ()


@needs_dummy
async def test_chat_is_typed_and_escape_gives_the_keys_back_to_the_board(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await script.click("play")
        await script.click("field.chat")
        await script.type(LINE)
        await script.key(pygame.K_RETURN)
        assert door.Say(LINE) in script.node.asked
        assert script.loop.model.chat.lines[-1].text == LINE
        await script.key(pygame.K_ESCAPE)
        assert script.loop.hand.touch.focus == ""


@needs_dummy
async def test_tab_and_enter_are_enough_to_start_a_match(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        for _ in range(40):
            await script.key(pygame.K_TAB)
            if script.loop.hand.touch.focus == "play":
                break
        await script.key(pygame.K_RETURN)
        assert script.loop.model.page is Page.MATCH


@needs_dummy
async def test_nothing_is_drawn_while_nothing_changes(
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    painted = list[Node]()

    class Noted(painter.Painter):
        @override
        def paint(self, root: Node, touch: Touch, part: Rect | None = None) -> None:
            painted.append(root)
            super().paint(root, touch, part)

    monkeypatch.setattr(loop, "Painter", Noted)
    async with window(tmp_path) as script:
        await script.settle()
        await trio.sleep(5)  # the pictures of the games come after the first frame
        assert painted
        painted.clear()
        await trio.sleep(60)
        assert not painted


@pytest.mark.parametrize(("since", "goes_on"), [(-1, False), (0, True), (9, True)])
def test_the_time_of_who_is_away_goes_on_from_its_first_moment(
    since: int, *, goes_on: bool
) -> None:
    seats = (seat("Anna"), seat("Bert", "remote", state="away", since=since))
    model = fed(base(), status(table=table(seats=seats)))
    assert session.shows(model, model) is goes_on


@needs_dummy
async def test_a_closed_door_is_said_and_opened_again(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await script.click("play")
        first = script.loop.model.match
        assert first is not None
        order = first.local.order
        await script.click("shuffle")
        shuffled = script.loop.model.match
        assert shuffled is not None
        assert shuffled.local.order != order
        script.loop.gone("SHUT")
        assert not script.loop.model.linked
        texts = [n.text for n in walk(script.loop.root) if n.role is Role.LABEL]
        assert any("SHUT" in text for text in texts)
        script.loop.came()
        script.loop.hear(script.node.status)
        script.loop.hear(replace(script.node.view(), happened=()))
        again = script.loop.model.match
        assert again is not None
        assert again.local.order == shuffled.local.order


@needs_dummy
async def test_settings_are_kept_for_the_next_start(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await script.click("preferences")
        await script.click("set.theme")
        await script.click("set.theme:1")
        assert script.loop.model.settings.theme == "dark"
    assert load(tmp_path)[0].theme == "dark"


@needs_dummy
async def test_what_another_window_has_set_is_so_where_one_comes_back_to_this_one(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        kept = replace(load(tmp_path)[0], theme="dark")
        store(tmp_path, kept)
        script.post(pygame.WINDOWFOCUSGAINED)
        await script.calm()
        assert script.loop.model.settings.theme == "dark"


@needs_dummy
async def test_who_closes_the_window_while_it_fills_the_screen_finds_it_as_before(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        before = script.loop.model.settings.size
        await script.key(pygame.K_F11)
        script.loop.on_event(Resized((1900, 1060)))
        assert script.loop.model.size == (1900, 1060)
    assert load(tmp_path)[0].size == before
    async with window(tmp_path) as script:
        script.loop.on_event(Resized((1000, 640)))
    assert load(tmp_path)[0].size == (1000, 640)
