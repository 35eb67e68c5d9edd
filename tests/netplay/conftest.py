"""A world of nodes in memory, for the tests of what nodes do."""

from pathlib import Path

import pytest

from tests.netplay.memory import Player, World


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def two(world: World, tmp_path: Path) -> tuple[Player, Player]:
    return Player(world, 1, tmp_path), Player(world, 2, tmp_path)
