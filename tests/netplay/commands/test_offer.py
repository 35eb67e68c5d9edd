"""Offers without a screen: `netplay offer`, and words in `netplay play`."""

import json

import pytest

from netplay.sentences import Says
from tests.netplay.commands.test_play import begun, typed
from tests.netplay.commands.test_watching import Node
from tests.said import says

pytestmark = pytest.mark.processes


async def test_a_turn_is_taken_back_and_a_draw_agreed_to_without_a_screen(
    two: tuple[Node, Node],
) -> None:
    ann, bob = two
    await begun(ann, bob, "hexagrams")
    assert (await ann.run("play", "T(4,1)xT(5,1)"))[0] == 0
    code, text = await bob.run("offer", "yes", "--json")
    assert (code, json.loads(text)["done"]) == (1, False)
    code, text = await bob.run("offer", "days", "3")
    assert (code, says(text, Says.NO_DAYS_OFF)) == (2, True)
    code, text = await ann.run("offer", "back", "--json")
    assert (code, json.loads(text)) == (
        0,
        {"done": True, "reason": "", "told": str(Says.OFFER_MADE())},
    )
    await bob.until(("status",), "ann would like to take back a turn")
    assert says(typed(bob, "yes", "quit"), Says.OFFER_ANSWERED)
    await ann.until(("play", "T(4,1)xT(5,1)"), "ann C5xC7")
    await bob.run("offer", "draw")
    await ann.until(("status",), "bob offers a draw; yet to answer: ann")
    said = typed(ann, "offer nonsense", "yes", "board", "quit")
    assert says(said, Says.OFFER_WHAT)
    await bob.until(("status",), "all have agreed to a draw")
    assert "1. ann, 1. bob" in typed(bob, "board", "quit")
    for what in ("draw", "stop", "back"):
        code, text = await bob.run("offer", what)
        assert (code, says(text, Says.NOTHING_TO_AGREE)) == (2, True)
