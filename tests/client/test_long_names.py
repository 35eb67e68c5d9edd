"""Names of one long word in the players' cards, where these are narrow."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from client.model import Model
from client.pages import screen
from client.scene import Node, walk
from rules import GAMES
from tests.client.crowded_matches import at, changed
from tests.client.lettering import broken_words, fits
from tests.client.worlds import base

NAMES = (
    "Konstantinopolitanischer",
    "Maximiliane-Annastephani",
    "Преподобномучениковскийх",
    "Bartholomäusdenkmalpfleg",
)
"""As long as names may be, each without a blank."""


def long_named(model: Model) -> Model:
    """Return the window with such names at all seats."""
    assert model.table is not None
    pairs = zip(model.table.seats, NAMES, strict=False)
    return changed(model, seats=tuple(replace(s, name=name) for s, name in pairs))


def matches(game: str) -> Iterator[Model]:
    """Yield a match that goes on, one that is over, and one with two places first."""
    for size in ((800, 500), (1000, 640), (1280, 800)):
        model = long_named(at(base(size), game))
        yield model
        places = tuple(range(1, len(model.names) + 1))
        yield changed(model, phase="over", turn=(), audit="ok", places=places)
        tied = (1, 1, *places[2:])
        yield changed(model, phase="over", turn=(), audit="ok", places=tied)


def names(root: Node) -> list[Node]:
    """Return where the players' cards have their names."""
    return [n for n in walk(root) if n.name in {f"player{i}" for i in range(4)}]


@pytest.mark.parametrize("game", GAMES)
def test_a_name_of_one_long_word_is_neither_broken_nor_cut(game: str) -> None:
    for model in matches(game):
        shown = names(screen.scene(model))
        assert len(shown) == len(model.names)
        for node in shown:
            assert not broken_words(node) or not node.wrap
            assert fits(node, model), (model.size, node.text)
