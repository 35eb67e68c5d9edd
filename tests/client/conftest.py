"""What every test of the window begins with."""

import pytest

from client.ui import texts, tiles


@pytest.fixture(autouse=True)
def _english() -> None:
    """Begin in English: the language is the process's, and a test may change it."""
    texts.speak("en")
    tiles.call(tiles.LETTERS)
