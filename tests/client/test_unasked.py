"""Questions that nobody has asked for: they wait until the hands lie still."""

from pathlib import Path

import pygame
import pytest
import trio
import trio.testing
from msgspec.structs import replace

from client.app.model import Over, Page
from client.update import Resized
from netplay.messages import door
from netplay.messages.node_questions import CopyStatus, Network
from tests.client.listed import game
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.worlds import table

OFFERS = CopyStatus(offers=True)


def tells(script: Scripted, **changes: object) -> None:
    """Let the node tell that something might be asked now."""
    script.node.status = replace(script.node.status, **changes)
    script.loop.hear(script.node.status)


@needs_dummy
async def test_an_address_is_typed_to_its_end_before_a_copy_is_offered(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await script.click("field.address")
        for letters in ("127.", "0.0", ".1:4770"):
            await trio.sleep(5)  # whoever reads it from a letter takes a while
            tells(script, copy=OFFERS)
            await script.type(letters)
            assert not script.sees("copy.offer")
        await trio.sleep(5)
        await script.key(pygame.K_RETURN)
        assert door.Join("127.0.0.1:4770") in script.node.asked
        assert not script.sees("copy.offer"), "not right behind the key"
        await script.calm()
        assert script.sees("copy.offer"), "then, though nobody told anew"


@needs_dummy
async def test_the_router_is_not_asked_about_over_a_line_of_chat(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        tells(script, table=table())
        await script.settle()
        assert script.loop.model.page is Page.TABLE
        await script.click("field.chat")
        await script.type("Hel")
        tells(script, network=Network(may_ask=True))
        await script.type("lo")
        await trio.sleep(5)
        assert script.node_named("field.chat").value == "Hello"
        assert script.loop.model.over is Over.NONE
        await script.key(pygame.K_RETURN)
        assert door.Say("Hello") in script.node.asked
        await script.calm()
        assert script.loop.model.over is Over.ROUTER


@needs_dummy
@pytest.mark.parametrize("seconds", [0.3, 5.0])
async def test_a_click_under_way_is_not_swallowed(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, seconds: float
) -> None:
    async with window(tmp_path) as script:
        await script.calm()
        at = script.node_named("preferences").rect.centre
        script.press(at)
        await trio.sleep(seconds)
        tells(script, copy=OFFERS)
        script.post(pygame.MOUSEBUTTONUP, pos=at, button=1)
        await script.settle()
        assert script.loop.model.over is Over.PREFERENCES
        await script.key(pygame.K_ESCAPE)
        await script.calm()
        assert script.sees("copy.offer")


@needs_dummy
async def test_a_pointer_on_its_way_hits_what_it_was_meant_for(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await script.calm()
        x, y = script.node_named("preferences").rect.centre
        for left in range(300, 0, -20):
            at = x - left, y + left
            script.post(pygame.MOUSEMOTION, pos=at, rel=(1, 1), buttons=(0, 0, 0))
            await script.settle()
            tells(script, copy=OFFERS)
            assert not script.sees("copy.offer")
        await script.click("preferences")
        assert script.loop.model.over is Over.PREFERENCES


@needs_dummy
@pytest.mark.parametrize("size", [(360, 740), (800, 500), (1280, 800)], ids=str)
async def test_what_is_asked_unasked_covers_no_game(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, size: tuple[int, int]
) -> None:
    """Two games wait for the player, and a copy is offered meanwhile."""
    async with window(tmp_path) as script:
        script.loop.on_event(Resized(size))
        waiting = tuple(game(n, "numlo", match=b"") for n in (1, 2))
        tells(script, copy=OFFERS, games=waiting)
        await script.calm()
        assert script.loop.model.page is Page.START
        assert script.sees("copy.asked.why")
        await script.click("in-hand:2")
        assert door.LookAt(2) in script.node.asked
        await script.click("copy.offer")
        assert script.loop.model.over is Over.COPY
        await script.key(pygame.K_ESCAPE)
        await script.calm()
        assert not script.sees("copy.asked.why"), "asked once"


@needs_dummy
async def test_the_click_that_brings_the_window_to_the_front_goes_through(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    line = "netplay:192.168.0.12:4770#ABCD-EFGH-IJKL-MNOP-QRST"
    async with window(tmp_path) as script:
        own = replace(script.loop.model.settings, clipboard=True)
        script.loop.model = replace(script.loop.model, settings=own)
        await script.calm()
        pygame.scrap.put_text(line)
        script.post(pygame.WINDOWFOCUSGAINED)
        await script.settle()
        await script.click("preferences")
        assert script.loop.model.over is Over.PREFERENCES
        await script.key(pygame.K_ESCAPE)
        await script.calm()
        assert script.loop.model.over is Over.CLIPBOARD


@needs_dummy
async def test_nothing_is_asked_under_what_is_being_dragged(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await script.calm()
        assert not script.sees("copy.offer")
        script.press((5, 5))
        for x in range(6, 12):
            at = (x, 5)
            script.post(pygame.MOUSEMOTION, pos=at, rel=(1, 0), buttons=(1, 0, 0))
            await script.settle()
        tells(script, copy=OFFERS)
        await script.calm()  # a hand that thinks about it
        assert not script.sees("copy.offer")
        script.post(pygame.MOUSEBUTTONUP, pos=(11, 5), button=1)
        await script.settle()
        await script.calm()
        assert script.sees("copy.offer")
