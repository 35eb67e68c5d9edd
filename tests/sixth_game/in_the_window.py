"""Tic-tac-toe in the window, through the real loop.

Run by `tests/test_sixth_game.py` in a program that has the game.
"""

from pathlib import Path

import trio.testing
from rules.tictactoe import OVER

from rules import LISTED
from tests.client.scripted import window


async def test_it_is_chosen_drawn_and_played_to_its_end(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await script.click(f"game:{list(LISTED).index('tictactoe')}")
        assert LISTED["tictactoe"].motto in script.reads()
        await script.click("play")
        assert script.node.game.ABOUT.title == "Tic-tac-toe"
        await script.click("cell:4")
        assert script.node_named("cell:4").value == "X"
        await script.click("cell:4")
        assert "taken" in script.reads()
        while script.node.state.turn != OVER:
            at = script.node.state.squares.index(-1)
            await script.type(str(3 * (2 - at // 3) + at % 3 + 1))
            assert script.node_named(f"cell:{at}").value == "X"
        moves = script.node.past
        await script.click("side:1")
        assert all(script.sees(f"move:{n}") for n in range(len(moves)))
