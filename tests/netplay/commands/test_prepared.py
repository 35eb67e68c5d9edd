"""Moves on condition without a screen: typed, listed, played and dropped."""

import json

import pytest

from netplay.sentences import Says
from tests.netplay.commands.test_play import begun, typed
from tests.netplay.commands.test_watching import Node
from tests.said import says

pytestmark = pytest.mark.processes

LINE = "if T(4,1)xT(5,1) then T(6,0)xT(5,1) if T(4,3)xT(5,3) then T(6,2)xT(5,3)"


async def test_a_typed_line_is_told_dropped_and_played_with_nobody_at_the_terminal(
    two: tuple[Node, Node],
) -> None:
    ann, bob = two
    await begun(ann, bob, "hexagrams")
    first = LINE.split(" if ", maxsplit=1)[0]
    said = typed(
        bob, first, "if then", "if T(4,1)xT(5,1)", "then T(6,0)xT(5,1)",
        "if T(4,1)xT(5,1) if T(6,0)xT(5,1)", "if T(4,1)xT(5,1) then H(1,4)-H(1,2)",
        "if none", "if", "help", "quit",
    )  # fmt: skip
    assert says(said, Says.PREPARED)
    assert says(said, Says.PREPARED_LENGTH)
    move = "T(6,0)xT(5,1)"
    assert says(said, Says.PREPARED_WORD, name="bob", word="then", move=move)
    assert "capture" in said
    assert says(said, Says.PREPARED_DROPPED)
    assert says(said, Says.PREPARED_NONE)
    assert "if X then Y" in said
    code, text = await bob.run("play", *LINE.split(), "--json")
    told = "if ann C5xC7, then bob B8xC7, if ann E5xE7, then bob D8xE7"
    assert code == 0
    assert json.loads(text) == {"prepared": [told], "reason": "", "seat": 2}
    said = typed(ann, "if", LINE, "T(4,1)xT(5,1)", "quit")
    assert says(said, Says.PREPARED_NONE)
    assert says(said, Says.PREPARED_WORD, name="ann", word="then")
    await ann.until(("play", "E5xE7"), "ann E5xE7")
    await ann.until(("status",), "*1 ann")  # and the second answer is made
    code, text = await bob.run("play", "if", "nonsense", "then", "x", "--json")
    assert (code, json.loads(text)["made"]) == (1, False)
    assert says(typed(bob, "if", "quit"), Says.PREPARED_NONE)
