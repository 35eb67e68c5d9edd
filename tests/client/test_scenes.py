"""What holds of every page, at every size, scale and theme."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import pytest
from msgspec.structs import replace

from client.app.model import Model
from client.pages import screen
from client.ui.scene import (
    Colour,
    Node,
    Role,
    contrast,
    find,
    hit,
    step,
    stops,
    top,
    walk,
)
from client.ui.theme import THEMES
from tests.client import games
from tests.client.lettering import fits, of_the_program, shown
from tests.client.worlds import base, pages

DISCARDING = "lhexicon discarding"
"""The page of that name among the pictures."""

SIZES = ((800, 500), (1280, 800), (1000, 1200), (2560, 1600))
LOOKS = [
    *((size, "light", 100) for size in SIZES[:3]),
    *((size, "dark", 200) for size in SIZES[1:3]),
    (SIZES[0], "contrast", 75),
    # The same words with as much room or more, and so for the night.
    *(
        pytest.param(*look, marks=pytest.mark.slow)
        for look in (
            (SIZES[3], "light", 100), (SIZES[2], "contrast", 75),
            (SIZES[3], "contrast", 75), (SIZES[0], "dark", 200),
            (SIZES[3], "dark", 200), (SIZES[1], "contrast", 75),
        )
    ),
]  # fmt: skip
"""Each size with each size of letters."""


@lru_cache
def models() -> tuple[tuple[str, Model], ...]:
    return (*pages(base()), *games.pages(base()))


@lru_cache
def scenes(
    size: tuple[int, int] = (1280, 800), theme: str = "light", scale: int = 100
) -> tuple[tuple[str, Node, Model], ...]:
    found = []
    for name, model in models():
        own = replace(model.settings, theme=theme, scale=scale)
        page = replace(model, settings=own, size=size)
        found.append((name, screen.scene(page), page))
    return tuple(found)


@pytest.mark.parametrize(("size", "theme", "scale"), LOOKS)
def test_everything_lies_inside_the_window(
    size: tuple[int, int], theme: str, scale: int
) -> None:
    for name, root, _model in scenes(size, theme, scale):
        clips = (n for n in walk(root) if n.clip)
        within = {id(kid) for n in clips for kid in walk(n) if kid is not n}
        for node, visible in shown(root):
            if visible.w * visible.h < node.rect.w * node.rect.h:
                assert id(node) in within, (name, node.name, node.text, node.rect)


@pytest.mark.parametrize(("size", "theme", "scale"), LOOKS)
def test_names_are_unique(size: tuple[int, int], theme: str, scale: int) -> None:
    for name, root, _model in scenes(size, theme, scale):
        names = Counter(n.name for n in walk(root) if n.name)
        twice = [each for each, count in names.items() if count > 1]
        assert not twice, name


@pytest.mark.parametrize(("size", "theme", "scale"), LOOKS)
def test_a_click_in_the_middle_of_a_node_reaches_it(
    size: tuple[int, int], theme: str, scale: int
) -> None:
    for name, root, _model in scenes(size, theme, scale):
        inner = {id(n) for n in walk(top(root))}
        covering = {n.name for n in walk(root) if n.role is Role.TILE}
        for node, visible in shown(root):
            whole_ = visible == node.rect
            if id(node) in inner and node.live and node.enabled and whole_:
                found = hit(root, node.rect.centre)
                assert found is not None, (name, node.name)
                over = found.name in covering
                assert found.name == node.name or over, (name, node.name, found.name)


@pytest.mark.parametrize(("size", "theme", "scale"), LOOKS)
def test_targets_are_large_enough_to_hit(
    size: tuple[int, int], theme: str, scale: int
) -> None:
    for name, root, model in scenes(size, theme, scale):
        least = 20 * model.look.scale // 100 if model.look.scale < 100 else 20
        for node in walk(root):
            # Fifteen squares must share the height of the smallest window.
            square = node.name.startswith(("cell:", "tile:"))
            if node.live and not square:
                small = min(node.rect.w, node.rect.h)
                assert small >= min(least, 20), (name, node.name, node.rect)


@pytest.mark.parametrize(("size", "theme", "scale"), LOOKS)
def test_no_text_is_cut(size: tuple[int, int], theme: str, scale: int) -> None:
    for name, root, model in scenes(size, theme, scale):
        for node in of_the_program(root):
            assert fits(node, model), (name, node.name, node.text, node.rect)


@pytest.mark.parametrize("theme", THEMES)
def test_text_stands_out_from_what_it_stands_on(theme: str) -> None:
    for name, root, _model in scenes(theme=theme):
        for node, ground in grounds(root, THEMES[theme].ground):
            if node.text and node.fg is not None:
                ratio = contrast(node.fg, ground)
                assert ratio >= 4.5, (name, node.name, node.text, ratio)


def grounds(node: Node, ground: Colour) -> Iterator[tuple[Node, Colour]]:
    """Yield each node with the colour behind its text."""
    own = node.bg or ground
    yield node, own
    for kid in node.kids:
        yield from grounds(kid, own)


def test_an_edge_that_marks_something_is_wide_enough_to_be_seen() -> None:
    for name, root, _model in scenes():
        for node in walk(root):
            drawn = node.border or node.name == "cursor"  # whose strokes lie on it
            assert drawn or node.edge is None, (name, node.name)


@pytest.mark.parametrize("theme", THEMES)
def test_edges_and_rings_stand_out(theme: str) -> None:
    colours = THEMES[theme]
    for ground in (colours.ground, colours.panel):
        assert contrast(colours.focus, ground) >= 3
        assert contrast(colours.line, ground) >= 3
    for piece in (colours.tile, colours.fresh):
        assert contrast(piece, colours.tile_text) >= 7
        assert contrast(piece, colours.blank) >= 4.5


def test_tab_visits_every_control_once_and_comes_round() -> None:
    for name, root, _model in scenes():
        wanted = [n.name for n in stops(root)]
        seen, focus = [], ""
        for _ in wanted:
            focus = step(root, focus, 1)
            seen.append(focus)
        assert seen == wanted, name
        assert not wanted or step(root, focus, 1) == wanted[0]
        assert not wanted or step(root, wanted[0], -1) == wanted[-1]


def test_every_control_of_a_page_can_be_reached_by_tab() -> None:
    roles = (Role.BUTTON, Role.ENTRY, Role.CHOICE, Role.CHECK, Role.SLIDER, Role.TAB)
    for name, root, _model in scenes():
        reached = {n.name for n in stops(root)}
        for node in walk(top(root)):
            if node.role in roles and node.enabled:
                assert node.name in reached, (name, node.name)


def test_a_dialog_takes_all_input() -> None:
    for name, root, _model in scenes():
        if name in ("preferences", "help", "leave"):
            below = find(root, "done") or find(root, "preferences")
            assert below is not None
            found = hit(root, below.rect.centre)
            assert found is None or found.name != below.name


def test_a_dialog_of_a_game_dims_what_stands_beside_the_board_too() -> None:
    """A dialog dims what is drawn before it: so nothing is drawn after it."""
    found = [root for name, root, _page in scenes() if name == DISCARDING]
    assert len(found) == 1
    assert top(found[0]).name == "discarding"
    assert list(walk(found[0]))[-1] in walk(top(found[0]))
