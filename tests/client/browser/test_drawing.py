"""What a page is told of scenes: changes that make the next of the one before."""

import os
import random
import string
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

from client.ui.scene import Touch

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import msgspec
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from client.app.model import Model, Over
from client.browser import drawing
from client.browser.session import fitting
from client.hexcolumns import wells
from client.hexcolumns.lessons import lessons
from client.pages import play, screen, start
from client.ui import texts, typefaces
from client.ui.intents import Click, Scroll, Text
from client.ui.scene import Align, Node, Rect, Role, Shape, around, find, shift, walk
from client.ui.theme import Look
from client.window import painter
from netplay.messages import door
from netplay.messages.table_questions import Agreeing
from rules import GAMES
from tests.client import page_pictures
from tests.client.listed import FEW
from tests.client.worlds import (
    at_match,
    base,
    fed,
    in_match,
    seat,
    some_match,
    status,
    table,
)

LOOK = Look()


def changed(old: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Return a node after a change, as the page makes it (scene.js)."""
    if "m" in change:
        return moved(old, *change["m"])
    kids = list(old.get("_", ()))
    own = {**old, **change.get("=", {})}
    node = {
        key: value for key, value in own.items() if key != "_" and value is not None
    }
    if "u" in change:
        for i, part in change["u"]:
            kids[i] = changed(kids[i], part)
    elif "_" in change:
        fresh: list[Any] = []
        for part in change["_"]:
            if isinstance(part, dict):
                fresh.append(part)
            elif isinstance(part[1], int):
                fresh += kids[part[0] : part[0] + part[1]]
            else:
                fresh.append(changed(kids[part[0]], part[1]))
        kids = fresh
    return {**node, "_": kids} if kids else node


def moved(old: dict[str, Any], dx: int, dy: int) -> dict[str, Any]:
    """Return a node and all on it, so far away."""
    x, y, w, h = old["b"]
    node = {**old, "b": [x + dx, y + dy, w, h]}
    if "p" in old:
        node["p"] = [[px + dx, py + dy] for px, py in old["p"]]
    if "_" in old:
        node["_"] = [moved(kid, dx, dy) for kid in old["_"]]
    return node


def sent(told: Any) -> Any:
    """Return what comes out at the other end."""
    return msgspec.json.decode(msgspec.json.encode(told))


def models() -> Iterator[Model]:
    """Yield a window that its user wanders through."""
    size = (1000, 640)
    yield (start := fed(base(size), status()))
    yield fed(start, Click("preferences"))
    yield fed(base(size), status(table=table()))
    yield (match := at_match(base(size)))
    yield fed(match, Click("pass"))
    yield fed(match, Click("tile:3"), Click("cell:112"))
    yield fed(match, Scroll("moves", 40))
    yield fed(match, Text("ABC"))
    yield at_match(base(size), 4)


def test_any_scene_can_be_made_of_any_other() -> None:
    scenes = [screen.scene(model) for model in models()]
    rng = random.Random(4)
    before = scenes[0]
    page = sent(drawing.whole(before, LOOK))
    for _ in range(40):
        after = rng.choice(scenes)
        change = drawing.change(before, after, LOOK)
        whole = sent(drawing.whole(after, LOOK))
        assert (change is None) == (page == whole)
        if change is not None:
            page = changed(page, sent(change))
        assert page == whole
        before = after


def test_a_small_change_is_told_in_few_bytes() -> None:
    match = at_match(base((1000, 640)))
    scenes = [screen.scene(match), screen.scene(fed(match, Click("tile:3")))]
    told = msgspec.json.encode(drawing.change(scenes[0], scenes[1], LOOK))
    assert len(told) < len(msgspec.json.encode(drawing.whole(scenes[1], LOOK))) / 10


def test_a_well_that_shakes_is_told_in_few_bytes() -> None:
    states = [lesson.position().state for lesson in lessons()]
    state = max(states, key=lambda state: sum(map(bool, state.wells[0].piece)))
    look, room, fallen = LOOK, Rect(0, 0, 600, 600), state.wells[0]
    still = wells.drawn(state, 0, room, look, None)
    shaken = wells.drawn(state, 0, room.moved(5, 0), look, None)
    told = sent(drawing.change(still, shaken, look))
    assert told == {"m": [5, 0]}
    assert changed(sent(drawing.whole(still, look)), told) == sent(
        drawing.whole(shaken, look)
    )
    lower = replace(fallen, height=fallen.height - 1)
    after = wells.drawn(replace(state, wells=(lower,)), 0, room, look, None)
    assert len(fallen.piece) == 3
    assert len(msgspec.json.encode(drawing.change(still, after, look))) < 100


def test_lines_move_with_what_they_lie_on() -> None:
    """Their points are the window's."""
    line = Node(Role.LABEL, "", Rect(3, 4, 9, 9), points=((3, 4), (12, 13)))
    old = Node(Role.PANEL, "", Rect(0, 0, 20, 20), kids=(line,))
    new = shift(old, 7, -2)
    told = sent(drawing.change(old, new, LOOK))
    assert told == {"m": [7, -2]}
    whole = [sent(drawing.whole(each, LOOK)) for each in (old, new)]
    assert changed(whole[0], told) == whole[1]
    bent = replace(new, kids=(replace(new.kids[0], points=((3, 4), (12, 13))),))
    told = sent(drawing.change(old, bent, LOOK))
    assert changed(whole[0], told) == sent(drawing.whole(bent, LOOK))


@pytest.mark.parametrize("align", list(Align))
@pytest.mark.parametrize("size", [9, 14, 26, 41])
@pytest.mark.parametrize("role", [Role.LABEL, Role.BUTTON, Role.TILE])
def test_a_text_stands_where_the_window_paints_it(
    role: Role, size: int, align: Align
) -> None:
    node = Node(
        role, "", Rect(0, 0, 300, 60), text="Dach", size=size, fg=(0, 0, 0), align=align
    )
    surface = pygame.Surface((300, 60))
    surface.fill((255, 255, 255))
    from client.window.painter import Painter  # noqa: PLC0415 (a display first)

    ours = Painter(surface, LOOK)
    ours.paint(node, Touch())
    ink = pygame.mask.from_threshold(surface, (0, 0, 0), (200, 200, 200))
    (box,) = [
        r.unionall(ink.get_bounding_rects()) for r in ink.get_bounding_rects()[:1]
    ]
    ((text, x, base, high, cut, wide),) = drawing.lines(node, LOOK)
    face = painter.font(int(high), bold=int(cut))
    assert text == "Dach"
    assert abs(box.bottom - int(base)) <= 1
    bearing = face.metrics("D")[0][0]
    assert abs(box.left - int(x) - bearing) <= 1
    assert abs(box.right - int(x) - int(wide)) <= max(3, size // 8)


@given(
    st.permutations(string.ascii_letters), st.data(), st.sampled_from((75, 150, 250))
)
def test_of_a_long_text_in_a_field_is_told_where_the_cursor_is(
    letters: list[str], data: st.DataObject, scale: int
) -> None:
    text = "".join(letters[: data.draw(st.integers(0, len(letters)))])
    caret = data.draw(st.integers(0, len(text)))
    look = replace(LOOK, scale=scale)
    rect = Rect(5, 10, look.px(data.draw(st.integers(60, 400))), look.row)
    field = Node(
        Role.ENTRY, "f", rect, text=text, size=look.body, fg=(0, 0, 0), caret=caret,
        anchor=caret, shape=Shape.RECT,
    )  # fmt: skip
    pieces = list(drawing.lines(field, look))
    shown = "".join(str(piece[0]) for piece in pieces)
    first = text.find(shown)
    assert first >= 0
    assert first <= caret <= first + len(shown)
    room = rect.w - 2 * look.px(drawing.PADDING)
    assert typefaces.width(shown, look.body) <= room
    if len(shown) < len(text):  # nothing is left out for which there is room
        beside = text[max(0, first - 1) : first + len(shown) + 1]
        assert typefaces.width(beside, look.body) > rect.w - 2 * look.px(
            drawing.PADDING
        )


def test_everything_that_can_be_used_has_a_name() -> None:
    for model in models():
        told = drawing.whole(screen.scene(model), LOOK)
        waiting = [told]
        while waiting:
            node = waiting.pop()
            waiting += node.get("_", ())
            if node["k"] in ("button", "choice", "check", "tab", "entry"):
                assert any(map(str.isalnum, node["a"])), node
                assert node["a"] != node["k"], node
    assert any(node.text for node in walk(screen.scene(model)))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("page", [(360, 640), (390, 844), (412, 915)])
def test_a_phone_held_upright_shows_the_board_over_its_whole_width(
    page: tuple[int, int], seats: int
) -> None:
    size = fitting(*page)
    root = screen.scene(at_match(base(size), seats))
    assert not [node for node in walk(root) if not root.rect.holds(node.rect)]
    cells = [node.rect for node in walk(root) if node.name.startswith("cell:")]
    board, kinds = around(*cells), {node.name for node in walk(root)}
    assert board is not None
    assert board.w > 0.9 * size[0]
    assert size[0] <= 1.34 * page[0]  # nothing is painted much smaller than it is
    assert {"done", "shuffle", "player0", "instructions"} <= kinds
    placed = {node.name: node.rect for node in walk(root)}
    assert placed["players"].bottom < board.y
    assert board.bottom < placed["rack"].y < placed["done"].y < placed["lower"].y
    assert all(placed[f"player{seat}"].bottom < board.y for seat in range(seats))


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("page", [(390, 844), (412, 915)])
def test_the_buttons_of_a_match_are_as_high_as_a_thumb_needs_them(
    page: tuple[int, int], game: str
) -> None:
    size = fitting(*page)
    root = screen.scene(replace(in_match(base(size), game, 2, 5), guest=True))
    times, head = page[0] / size[0], find(root, "bar")
    assert head is not None
    assert not [node for node in walk(root) if not root.rect.holds(node.rect)]
    buttons = [
        node
        for node in walk(root)
        if node.role is Role.BUTTON and node.live and node.rect.y >= head.rect.bottom
    ]
    assert bool(buttons) == (game != "hexagrams")  # there a row of the list is touched
    for node in buttons:
        assert node.rect.h * times >= 43.5, node.name
    assert find(root, "lower") is not None


@pytest.mark.parametrize("page", [(360, 640), (640, 360), (390, 844), (844, 390)])
def test_a_guest_sits_down_and_is_ready_by_what_a_thumb_hits_at_once(
    page: tuple[int, int],
) -> None:
    size = fitting(*page)
    own = seat("", key="", browser="Anna", state="awaited")
    invited = table(game="lhexicon", phase="forming", seats=(seat("Anna"), own))
    sits = replace(invited, seats=(invited.seats[0], replace(own, name="Dora")))
    asked = replace(sits, beginning=door.Beginning(asked=True))
    for told, names in ((invited, {"field.guest", "sit"}), (asked, {"accept"})):
        model = replace(fed(base(size), status(table=told)), guest=True)
        root = screen.scene(model)
        assert not [node for node in walk(root) if not root.rect.holds(node.rect)]
        found = {node.name: node.rect for node in walk(root) if node.name in names}
        assert found.keys() == names
        for rect in found.values():
            assert rect.h * page[0] / size[0] >= 43.5


WORDY = (
    "match of lhexicon", "lhexicon in progress", "lhexicon marking", "full lhexicon",
    "full lhexicon, over", "puzzle of lhexicon",
)  # fmt: skip


@cache
def pictured() -> dict[str, Model]:
    return dict(page_pictures.every())


@pytest.mark.parametrize("language", list(texts.LANGUAGES))
@pytest.mark.parametrize("page", [(360, 640), (390, 844), (412, 915)])
def test_no_words_beside_the_board_of_a_phone_lie_over_others(
    page: tuple[int, int], language: str
) -> None:
    texts.speak(language)
    size = fitting(*page)
    for name in WORDY:
        root = screen.scene(replace(pictured()[name], size=size))
        game = find(root, "game")
        assert game is not None
        said = [
            node.rect
            for node in walk(game)
            if node.role is Role.LABEL and len(node.text) > 3
        ]
        assert said
        for one, other in combinations(said, 2):
            assert not one.meets(other), (name, one, other)
    texts.speak("en")


def finished(game: str, page: tuple[int, int]) -> Model:
    """Return a match with all seats that was played to its end, as a guest sees it."""
    seats = min(4, max(GAMES[game].ABOUT.seats))
    model = in_match(base(fitting(*page)), game, seats, 3000)
    assert model.table is not None
    places = tuple(GAMES[game].places(some_match(game, seats, 3000)[0]))
    over = replace(model.table, phase="over", audit="ok", turn=(), places=places)
    return replace(fed(model, status(table=over)), over=Over.NONE, guest=True)


@pytest.mark.parametrize("game", ["networdz", "lhexicon", "numlo", "hexagrams"])
@pytest.mark.parametrize("page", [(390, 844), (844, 390)])
def test_a_game_that_is_over_shows_its_board_on_a_phone_and_nothing_to_press(
    page: tuple[int, int], game: str
) -> None:
    size = fitting(*page)
    root = screen.scene(finished(game, page))
    drawn = find(root, "game")
    assert drawn is not None
    found = [node for node in walk(drawn) if node.role is Role.BUTTON]
    assert not {node.name for node in found} & {
        "done", "pass", "recall", "shuffle", "next", "discard",
    }  # fmt: skip
    said = [node.rect for node in walk(drawn) if len(node.text) > 3]
    for one, other in combinations(said, 2):
        assert not one.meets(other)
    if page[0] < page[1] and game != "hexagrams":
        board = around(*(n.rect for n in walk(drawn) if n.name.startswith("cell:")))
        assert board is not None
        assert board.w > 0.8 * size[0]


@pytest.mark.parametrize("game", ["networdz", "lhexicon", "numlo", "hexagrams"])
@pytest.mark.parametrize("page", [(390, 844), (412, 915)])
def test_several_lines_of_chat_are_seen_on_a_phone_held_upright(
    page: tuple[int, int], game: str
) -> None:
    model = replace(in_match(base(fitting(*page)), game, 2, 5), guest=True)
    assert model.table is not None
    asks = replace(model.table, offers=Agreeing(may=((0, "stop"),)))
    model = fed(model, status(table=asks))
    lines = [door.Line("Bert", f"said {i}", i) for i in range(9)]
    model = fed(model, *lines, Click(f"{play.TABS}:{play.CHAT}"))
    lower = find(screen.scene(model), "lower")
    assert lower is not None
    lists = [node.rect for node in walk(lower) if node.role is Role.LIST]
    said = [
        node.rect
        for node in walk(lower)
        if node.text.startswith(("Bert: said", "said"))
    ]
    assert sum(any(room.holds(each) for room in lists) for each in said) >= 3


TURNS = [name for name, about in GAMES.items() if not about.ABOUT.hz]


@pytest.mark.parametrize("game", TURNS)
@pytest.mark.parametrize("page", [(844, 390), (640, 360)])
def test_a_phone_held_lying_has_the_board_at_its_left_and_keys_for_thumbs(
    page: tuple[int, int], game: str
) -> None:
    size = fitting(*page)
    times = page[0] / size[0]
    most = max(GAMES[game].ABOUT.seats)
    for seats in {2, most}:
        model = in_match(base(size), game, seats, 5)
        root = screen.scene(model)
        assert not [n for n in walk(root) if not root.rect.holds(n.rect)]
        head, drawn = find(root, "bar"), find(root, "game")
        assert head is not None
        assert drawn is not None
        cells = [n.rect for n in walk(root) if n.name.startswith("cell:")]
        field, high = around(*cells), size[1] - head.rect.bottom
        assert field is not None
        assert field.right < size[0] * 2 // 3
        assert field.h > high * (0.66 if size[0] < 900 else 0.8)
        keys = [n for n in walk(drawn) if n.role is Role.BUTTON and n.live]
        tiles = [n for n in walk(drawn) if n.name.startswith("rack:")]
        for node in (*keys, *tiles):
            assert node.rect.x >= field.right, node.name
            # Seven hexes that large would leave the board of the smallest no room.
            small = game == "lhexicon" and page[1] < 390 and node in tiles
            least = 36 if small else 43.5
            assert min(node.rect.w, node.rect.h) * times >= least, node.name
        for number in range(seats):
            assert find(root, f"player{number}") is not None
        assert find(root, "lower") is None
        for more in ("beside.moves", "beside"):
            aside = fed(model, Click(more))
            beside = screen.scene(aside)
            assert find(beside, "lower") is not None
            assert find(beside, "game") == drawn, "board and rack stay where they are"
            assert (find(beside, "field.chat") is not None) is (more == "beside")
        again = fed(aside, Click(f"{play.TABS}:{play.FIELD}"))
        assert screen.scene(again) == root


def test_whose_turn_it_is_can_be_read_on_the_owners_phone() -> None:
    size = fitting(390, 844)
    title = find(screen.scene(at_match(base(size))), "title")
    assert title is not None
    assert not title.wrap
    assert title.rect.w >= Look().width(title.text, title.size, bold=True)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "ru"])
@pytest.mark.parametrize("page", [(390, 844), (360, 640)])
def test_the_start_page_of_a_phone_has_one_card_over_its_whole_width(
    page: tuple[int, int], language: str
) -> None:
    size = fitting(*page)
    assert size[0] == 480  # not the desktop's 800 painted smaller
    hands = base(size), fed(base(size), status(games=FEW))
    texts.speak(language)
    try:
        for model in hands:
            for tab in (None, 0, 1, 2, 3):
                scrolls = {} if tab is None else {start.TABS: tab}
                _fits(screen.scene(replace(model, scrolls=scrolls, settled=True)))
    finally:
        texts.speak("en")


def test_the_bar_of_a_guest_who_waits_keeps_its_height() -> None:
    size = fitting(820, 1180)
    heads = [
        find(screen.scene(replace(model, guest=True)), "title")
        for model in (base(size), at_match(base(size)))
    ]
    assert heads[0] is not None
    assert heads[1] is not None
    assert heads[0].rect.h == heads[1].rect.h > 20


def _fits(root: Node) -> None:
    assert not [node for node in walk(root) if not root.rect.holds(node.rect)]
    head = find(root, "bar")
    assert head is not None
    live = [node.rect for node in walk(head) if node.live or node.name == "title"]
    for i, one in enumerate(live):
        assert not [other for other in live[i + 1 :] if one.meets(other)]
    cards = [find(root, name) for name in ("here", "nearby", "address", "in-hand.card")]
    wide = [card.rect.w for card in cards if card is not None]
    assert len(wide) == 1
    assert wide[0] > root.rect.w * 9 // 10


@pytest.mark.parametrize("name", ["full hexcolumns, stopped", "full hexcolumns, over"])
def test_no_key_can_be_pressed_where_nobody_plays_any_more(name: str) -> None:
    nodes = walk(screen.scene(pictured()[name]))
    keys = [node for node in nodes if node.name.startswith("press:")]
    assert not any(node.enabled for node in keys)


@pytest.mark.parametrize("page", [(820, 1180), (1280, 800), (390, 844), (844, 390)])
def test_the_letters_for_a_blank_cover_half_of_no_button(page: tuple[int, int]) -> None:
    model = pictured()["lhexicon blank"]
    root = screen.scene(replace(model, size=fitting(*page)))
    letters = find(root, "blank")
    assert letters is not None
    for node in walk(root):
        if node.role is Role.BUTTON and node not in letters.kids:
            whole = around(node.rect, letters.rect) == letters.rect
            assert whole or not node.rect.meets(letters.rect), node.name


def test_a_colour_and_what_is_looked_for_can_be_read_on_a_phone() -> None:
    size = fitting(390, 844)
    for name, text in (
        ("editor of dark tiles", "#202020"),
        ("full finished games, of a friend", "12345678"),
    ):
        model = replace(pictured()[name], size=size)
        wide = model.look.width(text, model.look.body)
        for node in walk(screen.scene(model)):
            if node.role is Role.ENTRY:
                assert node.rect.w >= wide + model.look.px(16), (name, node.name)


@pytest.mark.parametrize(
    "name", ["moves tried in numlo", "lesson 1 of numlo", "full networdz, review"]
)
@pytest.mark.parametrize("page", [(844, 390), (820, 1180)])
def test_nothing_of_the_game_looks_out_below_a_page_that_lies_over_it(
    page: tuple[int, int], name: str
) -> None:
    size = fitting(*page)
    picture = page_pictures.drawn(replace(pictured()[name], size=size))
    y = size[1] - 2
    assert len({tuple(picture.get_at((x, y))) for x in range(size[0])}) == 1
