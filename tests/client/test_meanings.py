"""Every button says by a message what a click on it means, and somebody takes it."""

from typing import Final

import msgspec
import pytest
from msgspec.structs import replace

from client import update as real
from client.app import clicks
from client.app.input import Hand
from client.browser import talk
from client.pages import here, preferences, screen
from client.ui.intents import Click, Key
from client.ui.scene import Chosen, Node, Role, find, top, walk
from client.ui.texts import LANGUAGES
from rules import GAMES
from tests.client import page_pictures, worlds
from tests.client.clicking import update
from tests.client.worlds import fed

MUTE: Final = (Role.ENTRY, Role.SLIDER)
"""What is typed into, or drawn along: a click alone means nothing."""


def is_games(node: Node) -> bool:
    """Tell whether a game says by itself what a click means, and takes it."""
    room = type(node.means).__module__
    return room == "client.app.board" or any(
        f"{room}.".startswith(f"client.{game}.") for game in GAMES
    )


def buttons() -> list[tuple[str, Node]]:
    """Return what can be clicked, with the page it is on."""
    return [
        (page, node)
        for page, model in page_pictures.every()
        for node in walk(screen.scene(model))
        if node.live and node.role not in MUTE
    ]


def test_every_button_means_something_that_is_taken() -> None:
    found = buttons()
    dumb = {f"{page}: {node.name}" for page, node in found if node.means is None}
    assert not dumb
    lost = {
        f"{page}: {node.name}"
        for page, node in found
        if node.means is not None
        and not clicks.is_taken(node.means)
        and not is_games(node)
    }
    assert not lost


def test_a_name_alone_does_nothing() -> None:
    model = fed(worlds.base(), worlds.status())
    assert find(top(screen.scene(model)), "preferences") is not None
    assert real.update(model, Click("preferences"))[0] == model
    assert update(model, Click("preferences"))[0] != model


def test_a_button_below_a_dialog_is_not_pressed_by_the_key_that_it_still_has() -> None:
    model = fed(worlds.base(), worlds.status())
    hand = Hand()
    hand.focus("play")
    (pressed,) = hand.on_event(Key("enter"), screen.scene(model), 0.0, held=False)
    assert pressed == Click("play", means=here.PlayNow())
    over = screen.scene(fed(model, Key("f1")))
    (below,) = hand.on_event(Key("enter"), over, 0.0, held=False)
    assert below == Click("play")


def test_a_row_scrolled_out_of_an_open_list_is_still_what_the_key_chooses() -> None:
    model = fed(worlds.base(), worlds.status(), Click("preferences"))
    model = fed(model, Click("set.language"))
    root = screen.scene(model)
    (listed,) = (n for n in walk(root) if n.name == "set.language:popup")
    hand = Hand()
    hand.focus("set.language:4")
    hidden = replace(listed.kids[0], kids=())
    (chosen,) = hand.on_event(
        Key("enter"), replace(listed, kids=(hidden,)), 0.0, held=False
    )
    assert isinstance(chosen, Click)
    assert chosen.means == Chosen(preferences.Set("language", [*LANGUAGES][4]))


def test_a_page_in_a_browser_cannot_say_what_a_click_means() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(
            b'{"do":"use","name":"play","means":{"type":"Quit"}}', type=talk.FromPage
        )
