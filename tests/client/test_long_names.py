"""Long names where there is little room: in cards, in lists, beside words."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from client.app.model import Model
from client.pages import screen
from client.ui import texts
from client.ui.scene import Node, find, walk
from rules import GAMES, LISTED
from tests.client.crowded import LONG, NEAR, crowd
from tests.client.crowded_matches import at, changed
from tests.client.lettering import broken_words, fits
from tests.client.worlds import base, fed

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


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_a_table_nearby_has_name_and_game_in_full(language: str) -> None:
    texts.speak(language)
    model = fed(base((800, 500)), crowd())
    listed = find(screen.scene(model), "near")
    assert listed is not None
    assert len(listed.kids) > 1
    title = LISTED[NEAR[0].game].title
    for row, name in zip(listed.kids[:2], LONG, strict=False):
        assert [kid.text for kid in row.kids][:2] == [name, title]
        assert all(fits(kid, model) for kid in row.kids)
        assert name in row.value


@pytest.mark.parametrize("game", ["networdz", "lhexicon", "numlo", "hexagrams"])
def test_in_the_list_of_moves_a_name_gives_way_to_the_word(game: str) -> None:
    model = at(base((800, 500)), game)
    rows = [n for n in walk(screen.scene(model)) if n.name.startswith("move:")]
    words = [kid for row in rows for kid in row.kids if kid.bold]
    assert len(words) >= len(rows) > 1
    assert all(fits(word, model) for word in words)
    begin = {next(kid.rect.x for kid in row.kids if kid.bold) for row in rows}
    assert len(begin) == 1
