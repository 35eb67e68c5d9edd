"""Who plays in the tests of letters."""

from pathlib import Path

import pytest

from tests.netplay.correspondents import Cast, Correspondent
from tests.netplay.memory import World


@pytest.fixture
def cast(world: World, tmp_path: Path) -> Cast:
    """Ann and Bob, and Carla, who keeps their letters."""
    ann, bob, carla = (Correspondent(world, n, tmp_path) for n in (1, 2, 3))
    return ann, bob, carla
