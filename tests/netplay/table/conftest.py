"""Nodes for the tests of tables."""

from collections.abc import Iterator

import pytest

from tests.netplay.joined_nodes import Net

READ_TWICE = {
    "test_bell", "test_clocks_shown", "test_handing_seats", "test_offers_made",
}  # fmt: skip
"""Files whose every test is also one of what its players are told: see `Reader`.

Others have logs that lie, crowds, or so many rests that it would take long.
"""


@pytest.fixture(autouse=True)
def _read_twice(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hold what players are told against a second reading of their logs."""
    name = request.module.__name__.rpartition(".")[2]
    monkeypatch.setattr(Net, "read_twice", name in READ_TWICE)


@pytest.fixture
def net() -> Iterator[Net]:
    one = Net("ann", "bob", "cyd", "dan", "eve")
    yield one
    one.close()
