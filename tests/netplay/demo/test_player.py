"""The hand that plays for a guest of the demonstration."""

from typing import Any

import pytest
import trio
import trio.testing

from netplay.demo.player import Player
from netplay.errors import Code, LocalError
from netplay.messages.door import Play, View
from netplay.wanted import Thought
from netplay.wire import pack
from rules import GAMES
from tests.client.worlds import some_match


class Refusing:
    """A node that refuses the first move."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.plays = 0

    async def ask(self, question: Any) -> None:
        if isinstance(question, Play):
            self.plays += 1
            if self.plays == 1:
                raise LocalError(self.code, "no room")


class First:
    """A player that takes the first move there is."""

    async def think(self, thought: Thought) -> Any:
        return next(GAMES[thought.game].moves(thought.view, thought.seat))


def hand(game: str, node: Refusing) -> Player:
    player = Player(game)
    player.client = node  # type: ignore[assignment] (as much of one as it needs)
    state, _past = some_match(game, 2, 0)
    player.hear(View(b"m", 0, 0, pack(state), (), True))
    return player


@pytest.mark.parametrize(
    ("game", "code"),
    [
        ("hexcolumns", Code.ILLEGAL_MOVE),  # the well has fallen on meanwhile
        ("hexcolumns", Code.STALE),
        ("numlo", Code.STALE),
    ],
)
async def test_a_move_that_comes_too_late_is_thought_of_again(
    game: str, code: Code, autojump_clock: trio.testing.MockClock
) -> None:
    node = Refusing(code)
    player = hand(game, node)
    with trio.move_on_after(1):
        await player.play(0, 0, First())
    assert node.plays >= 2


async def test_an_illegal_move_in_a_game_of_turns_is_a_fault() -> None:
    player = hand("numlo", Refusing(Code.ILLEGAL_MOVE))
    with pytest.raises(LocalError):
        await player.play(0, 0, First())
