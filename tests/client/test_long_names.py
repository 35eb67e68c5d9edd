"""Long names where there is little room: in cards, in lists, beside words."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from client.app.model import Model
from client.browser.session import fitting
from client.pages import screen
from client.ui import texts
from client.ui.scene import Node, find, walk
from rules import GAMES, LISTED
from tests.client.crowded import LONG, NEAR, busy, crowd, tables
from tests.client.crowded_matches import at, at_networdz, changed, ends
from tests.client.lettering import broken_words, fits
from tests.client.past import pages as finished
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
    each = fed(base((800, 500)), replace(crowd(), nearby=NEAR[:4]))
    listed = find(screen.scene(each), "near")
    assert listed is not None
    assert len(listed.kids) > 1
    model = fed(base((800, 500)), crowd())
    several = find(screen.scene(model), "near")
    assert several is not None
    title = LISTED[NEAR[0].game].title
    assert [kid.text for kid in several.kids[0].kids][:2] == [LONG[0], title]
    assert several.kids[1].kids[0].text == title, "the name stands above"
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


@pytest.mark.parametrize("game", ["networdz", "lhexicon", "numlo", "hexagrams"])
def test_in_a_wide_list_of_moves_names_have_the_room_they_need(game: str) -> None:
    model = at(base(fitting(820, 1180)), game)
    model = replace(model, scrolls={**model.scrolls, "side": 1})
    rows = [n for n in walk(screen.scene(model)) if n.name.startswith("move:")]
    shown = [kid for row in rows for kid in row.kids if kid.text in model.names]
    assert len(shown) > 1
    assert all(fits(name, model) for name in shown)


def test_the_way_to_more_about_a_friend_stands_beside_the_name() -> None:
    size = fitting(820, 1180)
    pages = dict(tables(busy(base(size))))
    root = screen.scene(pages["full table"])
    for seat in ("seat1", "seat2", "seat3"):
        name, about = find(root, f"{seat}.name"), find(root, f"who{seat[-1]}")
        assert name is not None and about is not None
        assert about.rect.y <= name.rect.y < name.rect.bottom <= about.rect.bottom


def test_no_name_on_the_card_of_a_result_is_broken_on_a_phone() -> None:
    model = at_networdz(busy(base(fitting(390, 844))))
    ended = [page for name, page in ends(model, "networdz") if name.endswith("result")]
    assert len(ended) > 1
    for page in ended:
        cards = [n for n in walk(screen.scene(page)) if "result.player" in n.name]
        assert len(cards) == 4
        for words in (kid for card in cards for kid in card.kids if kid.wrap):
            assert not broken_words(words)
            assert fits(words, page)


def test_of_three_friends_in_a_finished_game_each_is_read_on_a_phone() -> None:
    model = dict(finished(base()))["full finished games"]
    model = replace(model, size=fitting(390, 844))
    told = [n for n in walk(screen.scene(model)) if ".who" in n.name]
    many = [each for each in told if each.text.count(", ") == 2]
    assert many and all(each.size >= model.look.small for each in told)
    for each in many:
        assert fits(each, model)
        shown = [text.rstrip("…") for text in each.text.split(", ")]
        for name, begin in zip(LONG[1:], shown, strict=True):
            assert len(begin) >= 8 and name.startswith(begin)
