"""`netplay write`: friends write to each other, whatever is on the table."""

import json

import pytest

from tests.netplay.commands.test_play import begun
from tests.netplay.commands.test_watching import Node

pytestmark = pytest.mark.processes


async def test_friends_write_and_read_in_the_terminal_with_no_table(
    two: tuple[Node, Node],
) -> None:
    ann, bob = two
    await begun(ann, bob, "hexagrams")
    for node in (ann, bob):
        assert (await node.run("leave"))[0] == 0
    assert (await ann.run("write", "bob", "well", "played"))[0] == 0
    await bob.until(("write", "ann"), "ann: well played")
    code, text = await bob.run("write", "ann", "--json")
    (line,) = json.loads(text)
    assert (code, line["text"].split(), line["mine"]) == (0, ["well", "played"], False)
    assert (await bob.run("write", "ann", "thank you"))[0] == 0
    await ann.until(("write", "bob"), "bob: thank you")
    code, text = await ann.run("write", "carl", "hello")
    assert (code, "carl" in text) == (2, True)
