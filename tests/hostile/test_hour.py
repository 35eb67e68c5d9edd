"""A few seconds of a stranger's hour: nodes and their match go on, and pay little."""

from pathlib import Path

import pytest
import trio

from tests.hostile.hour import hour
from tests.hostile.nodes import needs_proc
from tests.patience import PATIENCE

pytestmark = [pytest.mark.processes, needs_proc]

SECONDS = 8.0


async def test_strangers_of_every_kind_cost_an_idle_node_and_a_match_little(
    tmp_path: Path,
) -> None:
    with trio.fail_after(PATIENCE):
        idle, near, far = await hour(tmp_path, SECONDS)
    for cost in (idle, near, far):
        assert cost.memory < 40
        assert cost.descriptors < 30
        assert cost.lines < 30
    assert not idle.disk
