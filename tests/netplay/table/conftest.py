"""Nodes for the tests of tables."""

from collections.abc import Iterator

import pytest

from tests.netplay.joined_nodes import Net


@pytest.fixture
def net() -> Iterator[Net]:
    one = Net("ann", "bob", "cyd", "dan", "eve")
    yield one
    one.close()
