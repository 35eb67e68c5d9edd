"""Real nodes for commands."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.netplay.commands.test_watching import Node
from tests.patience import PATIENCE


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Callable[[str], Node]]:
    """Return what starts a node by its name; all end with the test."""
    made: list[Node] = []

    def node(name: str) -> Node:
        made.append(Node(tmp_path / name))
        return made[-1]

    yield node
    for each in made:
        if each.process.poll() is None:
            each.process.terminate()
    for each in made:
        each.process.wait(PATIENCE)


@pytest.fixture
def two(nodes: Callable[[str], Node]) -> tuple[Node, Node]:
    return nodes("ann"), nodes("bob")
