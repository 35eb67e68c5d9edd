"""What every test of the window begins with."""

import pytest

from client.ui import tiles


@pytest.fixture(autouse=True)
def _lettered() -> None:
    """Begin with letters on tiles: that is the process's, and a test may change it."""
    tiles.call(tiles.LETTERS)
