"""Pages as full as players make them, at every size: nothing is cut, nor covered."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

import pytest
from msgspec.structs import replace

from client import texts
from client.model import Model
from client.pages import whole
from client.scene import Node, Rect, Role, top, walk
from tests.client import crowded
from tests.client.lettering import fits, inked, of_the_program, shown
from tests.client.worlds import base

LOOKS = [
    *(((800, 500), 100, each) for each in texts.LANGUAGES),
    ((1280, 800), 100, "de"), ((1280, 800), 100, "ru"), ((1280, 800), 200, "fr"),
    ((1000, 1200), 125, "es"), ((2560, 1440), 75, "ru"), ((2560, 1440), 250, "de"),
]  # fmt: skip
"""Every language where there is least room, and each of the others somewhere."""

PRESSED = (Role.BUTTON, Role.ENTRY, Role.CHOICE, Role.CHECK, Role.SLIDER, Role.TAB)


@lru_cache(maxsize=1)
def scenes(
    size: tuple[int, int], scale: int, language: str
) -> tuple[tuple[str, Node, Model], ...]:
    texts.speak(language)
    model = base(size, "light", scale)
    model = replace(model, settings=replace(model.settings, language=language))
    return tuple((name, whole.scene(page), page) for name, page in crowded.pages(model))


def controls(root: Node) -> Iterator[tuple[Node, Rect]]:
    """Yield what is pressed or typed into, with the part of it that shows."""
    for node, visible in shown(root):
        if node.role in PRESSED and node.name and visible.w and visible.h:
            yield node, visible


@pytest.mark.parametrize(("size", "scale", "language"), LOOKS)
def test_no_control_covers_another(
    size: tuple[int, int], scale: int, language: str
) -> None:
    found = {
        (name, one.name, two.name)
        for name, root, _model in scenes(size, scale, language)
        for (one, a), (two, b) in combinations(list(controls(top(root))), 2)
        if a.meets(b)
    }
    assert not found


@pytest.mark.parametrize(("size", "scale", "language"), LOOKS)
def test_no_control_covers_a_text(
    size: tuple[int, int], scale: int, language: str
) -> None:
    found = set()
    for name, root, _model in scenes(size, scale, language):
        part = top(root)
        pressed = list(controls(part))
        within = {id(kid) for node, _rect in pressed for kid in walk(node)}
        for node, ink in inked(part):
            if id(node) not in within:
                found |= {(name, n.name, node.text) for n, r in pressed if r.meets(ink)}
    assert not found


@pytest.mark.parametrize(("size", "scale", "language"), LOOKS)
def test_no_two_texts_lie_over_each_other(
    size: tuple[int, int], scale: int, language: str
) -> None:
    found = {
        (name, one.text, two.text)
        for name, root, _model in scenes(size, scale, language)
        for (one, a), (two, b) in combinations(list(inked(top(root))), 2)
        if a.meets(b)
    }
    assert not found


@pytest.mark.parametrize(("size", "scale", "language"), LOOKS)
def test_no_text_is_cut(size: tuple[int, int], scale: int, language: str) -> None:
    cut = {
        (name, node.name, node.text)
        for name, root, model in scenes(size, scale, language)
        for node in of_the_program(root)
        if not fits(node, model)
    }
    assert not cut


@pytest.mark.parametrize(("size", "scale", "language"), LOOKS)
def test_everything_lies_inside_its_card(
    size: tuple[int, int], scale: int, language: str
) -> None:
    out = {
        (name, card.name, kid.name, kid.text)
        for name, root, _model in scenes(size, scale, language)
        for card in walk(top(root))
        if card.role in (Role.PANEL, Role.DIALOG) and card.bg is not None
        for kid in walk(card)
        if kid.size and kid.text and not card.clip and not _held(card, kid)
    }
    assert not out


def _held(card: Node, kid: Node) -> bool:
    """Tell whether a node stands within a card, or is scrolled within it."""
    lists = [node for node in walk(card) if node.clip and node is not card]
    scrolled = any(kid is each for node in lists for each in walk(node))
    return scrolled or card.rect.holds(kid.rect)
