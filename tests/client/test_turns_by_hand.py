"""Turns taken as players take them: real clicks and keys through the loop."""

from pathlib import Path
from typing import Any

import pygame
import trio.testing
from msgspec.structs import replace

from client.app.settings import Settings
from client.networdz.local import Doing
from client.pages import play
from client.ui.scene import find
from netplay.sentences import Says
from rules import numlo
from rules.game import CHANCE
from rules.networdz import Expire, Pass, Renew
from tests.client.scripted import Scripted, needs_dummy, window
from tests.said import says


async def agreed(script: Scripted, game: str, **options: str) -> None:
    """Begin a match of a game with some options."""
    draft = script.loop.model.setup.draft
    pairs = tuple(options.items())
    script.loop.model = replace(
        script.loop.model,
        setup=replace(
            script.loop.model.setup, draft=replace(draft, game=game, options=pairs)
        ),
    )
    await script.click("play")


def local(script: Scripted) -> Any:
    assert script.loop.model.match is not None
    return script.loop.model.match.local


def told(script: Scripted) -> list[str]:
    """Return what stands in the box of instructions, line by line."""
    return play.instruction(script.loop.model).splitlines()


@needs_dummy
async def test_after_a_pass_without_discards_the_pile_is_gone_for_good(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        script.node.moves = 0
        await agreed(script, "networdz")
        if script.node.state.turn != 0:
            await script.others_move()
        await script.click("pass")
        assert script.sees("pile")
        await script.click("done")
        assert isinstance(script.node.past[-1][2], Pass)
        assert script.node.state.turn == 1
        assert not script.sees("pile")
        await script.others_move()
        assert script.node.state.turn == 0
        before = len(script.node.past)
        await script.key(pygame.K_RETURN)
        assert len(script.node.past) == before
        assert local(script).notice


@needs_dummy
async def test_back_leads_out_of_the_discard_pile(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "networdz")
        await script.click("pass")
        assert script.sees("pile")
        await script.click("pass")
        assert not script.sees("pile")


@needs_dummy
async def test_a_turn_that_ran_out_while_one_discards_closes_the_pile(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "networdz", timed="3")
        await script.click("pass")
        script.node.moves = 0
        script.node.play(-2, Expire())
        script.node.go_on()
        await script.shown()
        assert not script.sees("pile")
        lost, _whose = told(script)
        script.node.play(1, Pass(()))
        script.node.go_on()
        await script.shown()
        assert lost not in script.reads()


@needs_dummy
async def test_the_whole_rack_with_four_of_a_kind_goes_and_the_turn_stays(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "networdz", four_of_a_kind="on")
        node = script.node
        held = node.state.tiles.racks[0]
        kinds = (4, 4, 4, 4, *node.state.tiles.kinds[0][4:])
        tiles = replace(node.state.tiles, kinds=(kinds, *node.state.tiles.kinds[1:]))
        node.state, node.sent = replace(node.state, tiles=tiles), len(node.past)
        script.loop.hear(node.view())
        await script.settle()
        await script.click("pass")
        for tile in held:
            await script.click(f"tile:{tile}")
        await script.click("done")
        turns = [move for _s, actor, move in node.past if actor == 0]
        assert isinstance(turns[-1], Renew)
        assert node.state.turn == 0
        assert not script.sees("pile")


@needs_dummy
async def test_tournaments_say_nothing_of_words_before_done(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    shown: dict[str, str] = {}
    for rule in ("off", "on"):
        async with window(tmp_path) as script:
            await script.click("rivals:0")
            await agreed(script, "networdz", tournament=rule)
            assert not any(script.node.state.letters)
            assert script.node.state.turn == 0
            held = script.node.state.tiles.racks[0]
            for i, tile in enumerate(held):
                await script.drag(f"tile:{tile}", f"cell:{109 + i}")
                if find(script.loop.root, "blank") is not None:
                    await script.type("q")
            shown[rule] = script.reads()
            scored = script.sees("tentative")
            assert scored == (rule == "on")
            if rule == "on":
                await script.click("done")
                assert says(script.reads(), Says.NO_WORD)
                assert not script.sees("tentative")
                assert local(script).laid == ()
            else:
                (before,) = told(script)
                assert "✗" not in shown[rule]
                await script.click("done")
                assert script.reads().count("✗") == 1
                assert before not in script.reads()
    assert says(shown["off"], Says.NO_WORD)
    assert not says(shown["on"], Says.NO_WORD)
    assert "points" in shown["on"]


@needs_dummy
async def test_the_hint_of_numlo_is_given_to_the_mouse(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "numlo")
        await script.click("hint")
        assert local(script).hint == numlo.hint(script.node.state)
        assert not any(type(ask).__name__ == "Hint" for ask in script.node.asked)


@needs_dummy
async def test_numlo_is_offered_for_three_unless_others_were_chosen(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await script.click("game:2")
        assert script.node_named("rivals:2").selected
        await script.click("game:0")
        assert script.node_named("rivals:1").selected
        await script.click("rivals:3")
        await script.click("game:2")
        assert script.node_named("rivals:3").selected


@needs_dummy
async def test_no_tile_is_drawn_for_the_start_while_a_clock_runs(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    own = Settings(sound=False, draw=True, pause="none")
    for timed, asked in (("3", False), ("0", True)):
        async with window(tmp_path, settings=own) as script:
            script.node.moves = 0
            await agreed(script, "networdz", timed=timed)
            assert script.sees("pool.box")
            assert (local(script).doing is Doing.LOTS) is asked
            assert any(actor == CHANCE for _s, actor, _m in script.node.past)
