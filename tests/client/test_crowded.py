"""Pages as full as players make them, at every size: nothing is cut, nor covered.

Each look is laid out once; the laws follow one another over its pages.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

import pytest
from msgspec.structs import replace

from client.app.model import Model
from client.pages import screen
from client.ui import texts, tiles, typefaces
from client.ui.scene import Node, Rect, Role, hit, top, walk
from tests.client import crowded, crowded_matches, games, listed, past, worlds
from tests.client.lettering import broken_words, fits, inked, of_the_program, shown
from tests.client.worlds import base

LOOKS = [
    *(((800, 500), 100, each) for each in ("fr", "de", "ru")),
    ((1280, 800), 200, "es"), ((800, 1000), 100, "fr"),
    *(
        pytest.param(*one, marks=pytest.mark.slow)
        for one in (
            ((1280, 800), 100, "ru"), ((1280, 800), 100, "de"),
            ((2560, 1440), 75, "ru"), ((2560, 1600), 200, "fr"),
            ((1000, 1200), 125, "es"), ((1100, 700), 100, "en"),
            ((800, 500), 100, "es"), ((800, 500), 100, "en"),
        )
    ),
]  # fmt: skip
"""The longest languages where there is least room, the largest letters, and an upright
window.  Spanish is among the largest letters, which have no more room.

Slow are sizes between those, such with more room for the same words, and English, whose
words are the shortest.
"""

PRESSED = (Role.BUTTON, Role.ENTRY, Role.CHOICE, Role.CHECK, Role.SLIDER, Role.TAB)

pytestmark = pytest.mark.parametrize(
    ("size", "scale", "language"), LOOKS, scope="module"
)


@lru_cache(maxsize=1)
def scenes(
    size: tuple[int, int], scale: int, language: str
) -> tuple[tuple[str, Node, Model], ...]:
    texts.speak(language)
    model = base(size, "light", scale)
    model = replace(model, settings=replace(model.settings, language=language))
    makers = (
        worlds.pages, games.pages, crowded.pages, crowded_matches.pages, listed.pages,
        past.pages,
    )  # fmt: skip
    every = (page for make in makers for page in make(model))
    return tuple((name, screen.scene(page), page) for name, page in every)


@lru_cache(maxsize=1)
def written(
    size: tuple[int, int], scale: int, language: str
) -> tuple[tuple[str, list[tuple[Node, Rect]]], ...]:
    """Return each page's texts with where their letters stand."""
    every = scenes(size, scale, language)
    return tuple((name, list(inked(top(root)))) for name, root, _model in every)


@lru_cache(maxsize=1)
def controls(
    size: tuple[int, int], scale: int, language: str
) -> tuple[tuple[str, list[tuple[Node, Rect]]], ...]:
    """Return what is pressed or typed into, with the part of it that shows."""
    return tuple(
        (name, [(n, v) for n, v in shown(top(root)) if _pressed(n) and v.w and v.h])
        for name, root, _model in scenes(size, scale, language)
    )


def _pressed(node: Node) -> bool:
    return node.role in PRESSED and bool(node.name)


def test_no_control_covers_another(
    size: tuple[int, int], scale: int, language: str
) -> None:
    found = {
        (name, one.name, two.name)
        for name, pressed in controls(size, scale, language)
        for (one, a), (two, b) in combinations(pressed, 2)
        if a.meets(b)
    }
    assert not found


def test_no_control_covers_a_text(
    size: tuple[int, int], scale: int, language: str
) -> None:
    found = set()
    every = zip(
        controls(size, scale, language), written(size, scale, language), strict=True
    )
    for (name, pressed), (_name, inks) in every:
        within = {id(kid) for node, _rect in pressed for kid in walk(node)}
        for node, ink in inks:
            if id(node) not in within:
                found |= {(name, n.name, node.text) for n, r in pressed if r.meets(ink)}
    assert not found


def test_no_two_texts_lie_over_each_other(
    size: tuple[int, int], scale: int, language: str
) -> None:
    found = {
        (name, one.text, two.text)
        for name, inks in written(size, scale, language)
        for (one, a), (two, b) in combinations(inks, 2)
        if a.meets(b)
    }
    assert not found


def test_no_text_is_cut(size: tuple[int, int], scale: int, language: str) -> None:
    """Names are cut beside a well, in a strip: where the page has them in full, too."""
    cut = set()
    for name, root, model in scenes(size, scale, language):
        every = [(node, fits(node, model)) for node in of_the_program(root)]
        full = {node.text for node, fit in every if fit}
        cut |= {
            (name, node.name, node.text)
            for node, fit in every
            if not fit and node.text not in full
        }
    assert not cut


def test_no_word_is_broken_where_a_line_ends(
    size: tuple[int, int], scale: int, language: str
) -> None:
    """But for addresses, which are longer than any line may be."""
    broken = {
        (name, node.name, word)
        for name, root, _model in scenes(size, scale, language)
        for node in of_the_program(root)
        if node.wrap and node.name != "own"
        for word in broken_words(node)
    }
    assert not broken


def test_no_line_of_a_list_is_cut(
    size: tuple[int, int], scale: int, language: str
) -> None:
    cut = set()
    for name, root, _model in scenes(size, scale, language):
        for node in walk(top(root)):
            if node.role is not Role.LIST or node.content <= node.rect.h:
                continue
            highest = max((kid.rect.h for kid in node.kids), default=0)
            for kid in node.kids:
                inside = node.rect.y <= kid.rect.y
                inside = inside and kid.rect.bottom <= node.rect.bottom
                if not inside and highest <= node.rect.h:
                    cut.add((name, node.name, kid.value or kid.text))
    assert not cut


def test_everything_lies_inside_its_card(
    size: tuple[int, int], scale: int, language: str
) -> None:
    out = {
        (name, card.name, kid.name, kid.text)
        for name, root, _model in scenes(size, scale, language)
        for card in walk(top(root))
        if card.role in (Role.PANEL, Role.DIALOG) and card.bg is not None
        for kid in _placed(card)
        if kid.size and kid.text and not card.rect.holds(kid.rect)
    }
    assert not out


def test_what_is_pressed_lies_in_the_window_under_the_pointer(
    size: tuple[int, int], scale: int, language: str
) -> None:
    away = set()
    every = zip(
        scenes(size, scale, language), controls(size, scale, language), strict=True
    )
    for (name, root, _model), (_name, pressed) in every:
        for node, visible in pressed:
            under = hit(root, visible.centre) if node.enabled and node.live else node
            whole_ = visible == node.rect or _scrolled(root, node)
            if under is not node or not whole_:
                away.add((name, node.name, under.name if under else ""))
    assert not away


def test_there_is_room_for_every_list(
    size: tuple[int, int], scale: int, language: str
) -> None:
    """Two lines of chat, moves and words at least, whatever else there is to see."""
    short = {
        (name, node.name, node.rect.h)
        for name, root, model in scenes(size, scale, language)
        for node in walk(top(root))
        if node.role is Role.LIST and node.content > node.rect.h
        if node.rect.h < 2 * round(model.look.small * 1.3) and node.name not in SHORT
    }
    assert not short


SHORT = ("notice", "fault")
"""Lists that are texts of one line, scrolled where they are longer."""


def _placed(node: Node) -> Iterator[Node]:
    """Yield what stands in a card, but for what is scrolled within it."""
    for kid in node.kids:
        yield kid
        if kid.role is not Role.LIST:
            yield from _placed(kid)


def _scrolled(root: Node, node: Node) -> bool:
    """Tell whether a node is part of a list, which may show half of it."""
    lists = (each for each in walk(root) if each.role is Role.LIST)
    return any(node is kid for each in lists for kid in walk(each))


def letter_at(node: Node) -> Rect:
    """Return where a tile's letter is inked, beside its points or above them."""
    found = tiles.face(node)
    wide = typefaces.width(node.text, found.size, bold=node.cut)
    high = round(found.size * tiles.CAPITAL)
    y = (node.rect.h - node.depth - high) // 2 - found.lift
    return Rect(found.left, y, wide, high)


def test_no_letter_lies_over_the_points_of_its_tile(
    size: tuple[int, int], scale: int, language: str
) -> None:
    over = set()
    for name, root, _model in scenes(size, scale, language):
        for node in walk(root):
            if node.text and node.corner:
                spare = node.rect.w // 11 + 1  # what letters leave free at their sides
                letter = letter_at(node).inset(0, 1)
                points = tiles.points_at(node).moved(spare, 0)
                if letter.meets(points):
                    over.add((name, node.text, node.corner, node.rect.w))
    assert not over
