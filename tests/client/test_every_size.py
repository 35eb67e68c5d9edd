"""Every page at every size, scale, theme and language that is promised."""

from functools import lru_cache
from itertools import combinations

import pytest
from msgspec.structs import replace

from client import texts
from client.model import Model
from client.pages import whole
from client.scene import Node, top
from client.texts import LANGUAGES
from tests.client import games
from tests.client.lettering import fits, inked, of_the_program
from tests.client.worlds import base, pages

SIZES = ((800, 500), (1280, 800), (2560, 1600))
SCALES = (100, 200)
LOOKS = [(s, scale, lang) for s in SIZES for scale in SCALES for lang in LANGUAGES]


@lru_cache(maxsize=1)
def scenes(
    size: tuple[int, int], scale: int, language: str
) -> tuple[tuple[str, Node, Model], ...]:
    texts.speak(language)
    model = base(size, "light", scale)
    model = replace(model, settings=replace(model.settings, language=language))
    every = (*pages(model), *games.pages(model))
    return tuple((name, whole.scene(page), page) for name, page in every)


@pytest.mark.parametrize(("size", "scale", "language"), LOOKS)
def test_no_two_texts_lie_over_each_other(
    size: tuple[int, int], scale: int, language: str
) -> None:
    found = {
        (name, one.name, one.text, two.name, two.text)
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
