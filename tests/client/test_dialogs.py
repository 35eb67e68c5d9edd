"""Where the keyboard is when a dialog opens, and where it goes when that closes."""

from pathlib import Path
from typing import Any

import pygame
import pytest
import trio
from msgspec.structs import replace

from client.app.input import Hand
from client.app.model import Ask, Model, Over, edit_of
from client.pages import screen
from client.pages.chat import FIELD
from client.ui.hand import POPUP
from client.ui.intents import Focus, Key, Text
from client.ui.scene import Node, stops, top
from netplay.messages.node_questions import Switch
from rules import LISTED
from tests.client.clicking import update
from tests.client.scripted import window
from tests.client.test_result import over
from tests.client.test_scenes import scenes
from tests.client.worlds import at_match, base, ended, fed

KEYED = {"discarding", "passing", "blank"}
"""Questions of a game, which takes their keys itself."""


def lying() -> list[tuple[str, Node, Model]]:
    """Return each page with a dialog that dims what lies beneath, once."""
    found = {
        top(root).name: (name, root, model)
        for name, root, model in scenes()
        if model.over is not Over.NONE and top(root).depth
    }
    return [
        each
        for upper, each in found.items()
        if upper not in KEYED and not upper.endswith(POPUP)
    ]


def pressed(hand: Hand, model: Model, root: Node, name: str) -> tuple[Model, list[Any]]:
    """Return the model after a key, and what it made the window ask."""
    asked: list[Any] = []
    for down in (True, False):
        for intent in hand.on_event(Key(name, down=down), root, 0.0, held=False):
            model, effects = update(model, intent)
            asked += [effect for effect in effects if isinstance(effect, Ask)]
    return model, asked


def off(asked: list[Any]) -> bool:
    """Tell whether all that was asked is to leave the network as it is."""
    questions = [each.request.ask for each in asked]
    return all(isinstance(each, Switch) and not each.on for each in questions)


def test_a_dialog_takes_the_keyboard_and_gives_it_back() -> None:
    tried = lying()
    assert len(tried) > 25
    for name, root, model in tried:
        below = screen.scene(replace(model, over=Over.NONE, open="", chooser=None))
        for beneath in (stops(below)[-1].name, ""):
            hand = Hand()
            hand.focus(beneath)
            hand.settle(below)
            hand.settle(root)
            within = {node.name for node in stops(root)}
            assert hand.touch.focus in within, name
            hand.settle(below)
            assert hand.touch.focus == beneath, name


def test_enter_on_a_dialog_that_has_just_opened_does_as_escape_or_says_no() -> None:
    for name, root, page in lying():
        hand = Hand()
        hand.settle(root)
        model = fed(page, Focus(hand.touch.focus))
        if page.focus in {node.name for node in stops(root)}:
            continue  # a field that it opened with: Enter is for what was typed
        _after, asked = pressed(hand, model, root, "enter")
        _after, wanted = pressed(hand, model, root, "escape")
        assert asked == wanted or off(asked), name


def test_a_key_that_went_down_before_there_was_a_dialog_presses_nothing() -> None:
    for name, root, model in lying():
        below = screen.scene(replace(model, over=Over.NONE, open="", chooser=None))
        hand = Hand()
        hand.settle(below)
        list(hand.on_event(Key("enter"), below, 0.0, held=False))
        hand.settle(root)
        repeated = hand.on_event(Key("enter"), root, 0.1, held=False)
        assert [each for each in repeated if not isinstance(each, Key)] == [], name


def test_what_is_typed_while_the_result_lies_over_the_chat_is_not_typed_there() -> None:
    hand, model = Hand(), fed(at_match(base()), Focus(FIELD))
    hand.focus(FIELD)
    hand.settle(screen.scene(model))
    model = ended(model)
    root = screen.scene(model)
    assert top(root).name == "result.box"
    hand.settle(root)
    model = fed(model, Focus(hand.touch.focus))
    for intent in hand.on_event(Text("g"), root, 0.0, held=False):
        model = fed(model, intent)
    assert edit_of(model, FIELD).text == ""
    model, _asked = pressed(hand, model, root, "enter")
    assert model.over is Over.NONE
    hand.settle(screen.scene(model))
    assert hand.touch.focus == FIELD, "they go on where they were"


@pytest.mark.parametrize("game", [*LISTED])
def test_the_result_is_opened_again_by_keys_in_every_game(game: str) -> None:
    model = fed(over(game, 2, 300), Key("escape"))
    assert model.over is Over.NONE
    hand, root = Hand(), screen.scene(model)
    hand.focus("result")
    hand.settle(root)
    model, _asked = pressed(hand, model, root, "enter")
    assert model.over is Over.RESULT


async def test_who_asks_to_leave_by_keys_stays_by_enter_and_is_where_they_were(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path, "Anna") as script:
        await script.click(f"game:{list(LISTED).index('numlo')}")
        await script.click("play")
        await script.key(pygame.K_TAB)
        beneath, before = script.loop.hand.touch.focus, len(script.node.asked)
        assert beneath
        await script.key(pygame.K_ESCAPE, pygame.KMOD_CTRL)
        assert script.loop.hand.touch.focus == "leave.no"
        await script.key(pygame.K_RETURN)
        assert not script.sees("leave.ask")
        assert script.loop.hand.touch.focus == beneath
        assert len(script.node.asked) == before
