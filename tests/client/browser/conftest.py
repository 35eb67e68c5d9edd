"""One Chromium for the tests of a module, and one home for those that need a seat."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.browser import chromium
from tests.client.browser.chromium import quiet, served
from tests.client.browser.test_lent import match_of_two


@pytest.fixture(autouse=True, scope="module")
def _ended() -> Iterator[None]:
    """End what a module's tests have started, behind the last of them."""
    yield
    chromium.ended()


@pytest.fixture(scope="module")
def lending(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a home with a match of Anna's that goes on, and pages for who comes."""
    home = tmp_path_factory.mktemp("lending")
    quiet(home)
    with served(home) as web:
        web.link()
        match_of_two(home)
        yield home
