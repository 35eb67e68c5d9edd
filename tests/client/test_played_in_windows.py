"""Matches played in real windows by a real mouse and real keys.

The first moves of one are played always.  NETPLAY_LONG=1 plays all games to their
ends, by mouse and by keyboard, alone with a computer player and over two nodes.
"""

import os
import shutil
from pathlib import Path

import pytest

from rules import GAMES
from tests.client import playing
from tests.client.test_window import TOOLS

MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]
LONG = pytest.mark.skipif(
    os.environ.get("NETPLAY_LONG") != "1",
    reason="takes minutes: set NETPLAY_LONG=1 to play whole matches in windows",
)

pytestmark = [
    pytest.mark.window,
    pytest.mark.processes,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


def test_the_first_moves_are_made_with_the_keyboard(tmp_path: Path) -> None:
    plan = playing.Plan("numlo", mouse=False, most=2)
    moves, _seconds = playing.play(plan, tmp_path)
    assert moves == 2


@LONG
@pytest.mark.slow
@pytest.mark.parametrize("nodes", [1, 2])
@pytest.mark.parametrize("mouse", [True, False], ids=["mouse", "keyboard"])
@pytest.mark.parametrize("game", list(GAMES))
def test_a_match_is_played_to_its_end(
    tmp_path: Path, game: str, nodes: int, *, mouse: bool
) -> None:
    moves, _seconds = playing.play(playing.Plan(game, mouse, nodes), tmp_path)
    assert moves > 0
