"""Two real windows: one player offers with the mouse, the other answers by keyboard."""

import os
import shutil
from pathlib import Path

import pytest

from rules import numlo
from tests.client import playing
from tests.client.hands import HANDS
from tests.client.test_window import TOOLS

MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]
SHOTS = os.environ.get("NETPLAY_SHOTS", "")

pytestmark = [
    pytest.mark.window,
    pytest.mark.processes,
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


def test_a_turn_is_taken_back_and_a_draw_agreed_to_in_two_windows(
    tmp_path: Path,
) -> None:
    shots = Path(SHOTS) if SHOTS else None
    plan = playing.Plan("numlo", nodes=2, shots=shots)
    with playing.tables(tmp_path, 2) as (anna, bert):
        playing.sit(plan, (anna, bert))
        anna.until(lambda: anna.view()[0].turn >= 0)
        first = anna.view()[0]
        on, other = (anna, bert) if first.turn == anna.view()[1] else (bert, anna)
        on.front()
        move = next(iter(numlo.moves(first, first.turn)))
        HANDS["numlo"](on, first, move, mouse=True)
        other.until(lambda: other.view()[0].turn == other.view()[1])
        on.click("agree")
        on.until(lambda: on.shown("agree.offer:back"))
        on.shoot(shots, "dialog")
        on.click("agree.offer:back")
        other.until(lambda: other.shown("agree.yes"))
        other.front()
        other.shoot(shots, "offered")
        other.click("agree.yes")
        for each in (on, other):
            each.until(lambda at=each: at.view()[0] == first)
        on.front()
        on.click("agree")
        on.until(lambda: on.shown("agree.offer:draw"))
        on.click("agree.offer:draw")
        other.front()
        other.until(lambda: other.shown("agree.yes"))
        other.reach("agree.yes")
        other.keys("Return")
        for each in (on, other):
            each.until(lambda at=each: playing.over(at))
        other.shoot(shots, "over")
