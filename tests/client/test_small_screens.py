"""Every page on phones and tablets: nothing outside, cut, over another, too small."""

import re
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from math import inf
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from client.app import edition_changes
from client.app.model import Model, Notice, Page
from client.browser import drawing
from client.browser.session import fitting
from client.pages import editor_view, faults, play, screen
from client.pages.review import LookAt
from client.ui import texts
from client.ui.intents import Click, Key
from client.ui.scene import Chosen, Node, Role, find, stops, top, walk
from netplay.messages import door
from netplay.sentences import Says
from rules import GAMES
from tests.client.crowded import LONG
from tests.client.lettering import fits, of_the_program, shown
from tests.client.listed import FEW
from tests.client.page_pictures import every
from tests.client.worlds import (
    asks,
    base,
    fed,
    in_match,
    networdz,
    playing,
    status,
    view,
)
from tests.netplay.programs.scripts import NODE

ROOT = Path(__file__).parents[2]

SCREENS = ((360, 640), (640, 360), (390, 844), (844, 390), (820, 1180))
"""CSS pixels: phones held upright and lying, and a tablet."""

WINDOWS = ((360, 640), pytest.param((640, 360), marks=pytest.mark.slow))
"""Pixels: the window made as small as it can be."""

PHONE = SCREENS[2]

FINGER, ENLARGED = 44, 4
"""What a finger needs, in CSS pixels, and how many times a page enlarges at most."""

OWN = ("finished.game", "rename")
"""Begin the names of texts that are players' own, or grow with their scores."""


@lru_cache(maxsize=len(SCREENS) + len(WINDOWS))
def laid_out(
    size: tuple[int, int], language: str
) -> tuple[tuple[str, Node, Model], ...]:
    """Return every page as it is laid out in so many pixels, in a language."""
    found = []
    for name, model in every():
        own = replace(model.settings, language=language)
        page = replace(model, settings=own, size=size)
        found.append((name, screen.scene(page), page))
    return tuple(found)


@pytest.fixture(scope="module", autouse=True)
def let_go() -> Iterator[None]:
    """Keep all these pages only for as long as they are looked at here."""
    yield
    laid_out.cache_clear()


def scenes(size: tuple[int, int], language: str) -> Iterator[tuple[str, Node, Model]]:
    """Yield every page as it is laid out, while that language is spoken."""
    texts.speak(language)
    try:
        yield from laid_out(size, language)
    finally:
        texts.speak("en")


def held(root: Node) -> set[int]:
    """Return what lies in something that cuts it, as a list does."""
    return {
        id(kid)
        for node in walk(root)
        if node.clip
        for kid in walk(node)
        if kid is not node
    }


def own(node: Node, spared: set[int]) -> bool:
    return id(node) in spared or any(name in node.text for name in LONG)


LANGUAGES = [
    "en",
    *(pytest.param(one, marks=pytest.mark.slow) for one in ("de", "es", "fr", "ru")),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SCREENS)
def test_a_small_screen_shows_every_page_whole(
    size: tuple[int, int], language: str
) -> None:
    laid = fitting(*size)
    assert not list(wrong(laid, size[0] / laid[0], language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", WINDOWS)
def test_a_small_window_shows_every_page_whole(
    size: tuple[int, int], language: str
) -> None:
    assert not list(wrong(size, 1.0, language))


def wrong(
    size: tuple[int, int], times: float, language: str
) -> Iterator[tuple[Any, ...]]:
    """Yield what is wrong on all pages of a size, painted so many times as large."""
    for name, root, model in scenes(size, language):
        lists = held(root)
        for node, seen in shown(root):
            if seen.w * seen.h < node.rect.w * node.rect.h and id(node) not in lists:
                yield name, "outside", node.name, node.rect
        owned = {
            id(each)
            for node in walk(root)
            if node.name.startswith(OWN)
            for each in walk(node)
        }
        for node in of_the_program(root):
            if not own(node, owned) and not fits(node, model):
                yield name, "cut", node.name, node.text
        free = [
            node
            for node in walk(top(root))
            if node.live and node.enabled and node.role not in (Role.CELL, Role.TILE)
            if id(node) not in lists
        ]
        for node in free:
            if min(node.rect.w, node.rect.h) * times * ENLARGED < FINGER:
                yield name, "small", node.name, node.rect
        for one, other in combinations(free, 2):
            a, b = one.rect, other.rect
            if a.meets(b) and not a.holds(b) and not b.holds(a):
                yield name, "over", one.name, other.name


PROBE = """
import { at, crowded, meant, top, CLIP, DRAG, ENABLED, LIVE } from "%s";
const asked = JSON.parse(await new Response(process.stdin).text());
const { times, finger, most, spared, pages } = asked;
const least = finger / times, found = [];
const takes = (each) => Boolean(each.i & (LIVE | DRAG)) && each.k !== "dialog";
for (const [name, root] of pages) {
  const over = top(root), [, , wide, high] = root.b;
  const look = (node, [x, y, right, low]) => {
    const [l, u, w, h] = node.b;
    const from = [Math.max(x, l), Math.max(y, u)];
    const part = [...from, Math.min(right, l + w), Math.min(low, u + h)];
    const whole = part[2] - part[0] === w && part[3] - part[1] === h;
    const cut = node.i & CLIP ? part : [x, y, right, low];
    for (const kid of node._ || []) look(kid, cut);
    const mx = l + w / 2, my = u + h / 2, small = Math.min(w, h);
    if (!whole || !(node.i & LIVE && node.i & ENABLED) || node.i & DRAG) return;
    if (spared.some((each) => (node.n || "").startsWith(each))) return;
    if (node.k === "slider" || node.k === "dialog" || small >= least - 0.5) return;
    if (at(over, mx, my, takes) !== node) return;
    if (crowded(over, node, least)) {
      if (small * times * most < finger) found.push([name, node.n, "too small"]);
      return;
    }
    for (const [dx, dy] of [[-1, 0], [1, 0], [0, -1], [0, 1]]) {
      const px = Math.min(wide - 1, Math.max(0, mx + dx * (least / 2 - 1)));
      const py = Math.min(high - 1, Math.max(0, my + dy * (least / 2 - 1)));
      const to = meant(over, { x: px, y: py }, least);
      const hit = at(over, to.x, to.y, takes) || node, [hl, hu, hw, hh] = hit.b;
      const holds = hl <= l && hu <= u && hl + hw >= l + w && hu + hh >= u + h;
      if (hit === node || holds || !(hit.i & ENABLED)) continue;
      found.push([name, node.n, dx, dy, hit.n]);
    }
  };
  look(over, [0, 0, wide, high]);
}
console.log(JSON.stringify(found));
"""
"""Asks the page's own script where a finger hits what is too small for it."""


@pytest.mark.skipif(not NODE, reason="there is no JavaScript here")
@pytest.mark.parametrize(
    "size",
    [*SCREENS[:2], *(pytest.param(s, marks=pytest.mark.slow) for s in SCREENS[2:4])],
)
def test_what_is_touched_is_large_enough_or_enlarged_before(
    size: tuple[int, int],
) -> None:
    """By the middles of a finger's edges, where it stands alone and stays as it is.

    What is in a row that can be touched itself has the row round it.  Slow are larger
    phones, which have the same pages with more room.
    """
    laid = fitting(*size)
    pages = [(n, drawing.whole(root, m.look)) for n, root, m in scenes(laid, "en")]
    script = (ROOT / "client/browser/page/scene.js").as_uri()
    asked: dict[str, Any] = {
        "times": size[0] / laid[0],
        "finger": FINGER,
        "most": ENLARGED,
    }
    asked["spared"] = ("who", "words.of")  # close lines about who has a card besides
    told = subprocess.run(
        [NODE, "--input-type=module", "-e", PROBE.replace("%s", script)],
        input=msgspec.json.encode({**asked, "pages": pages}),
        capture_output=True,
        check=True,
    )
    assert msgspec.json.decode(told.stdout) == []


def test_a_phone_shows_seven_moves_and_its_menu_what_else_can_be_done() -> None:
    model = replace(in_match(base(), "networdz", 2, 8), size=fitting(*PHONE))
    listed = find(screen.scene(model), "moves")
    assert listed is not None
    assert sum(kid.name.startswith("move:") for kid in listed.kids) == 7
    opened = fed(model, *clicked(screen.scene(model), "menu"))
    rows = [node.text for node in walk(screen.scene(opened))]
    for what in ("Try", "Copy"):
        assert any(row.startswith(what) for row in rows)


def test_a_short_phone_shows_four_moves_below_the_largest_board() -> None:
    page = replace(dict(every())["full numlo"], size=fitting(390, 664), scrolls={})
    listed = find(screen.scene(page), "moves")
    assert listed is not None
    seen = [kid for kid in listed.kids if kid.name.startswith("move:")]
    assert sum(listed.rect.holds(kid.rect) for kid in seen) == 4


@pytest.mark.parametrize("name", ["lend", "browsers", "full person", "resign"])
def test_a_dialog_with_round_corners_keeps_off_the_edges_of_a_phone(name: str) -> None:
    laid = fitting(*PHONE)
    box = top(screen.scene(replace(dict(every())[name], size=laid)))
    (face,) = [n for n in walk(box) if n.role is Role.DIALOG]
    assert face.rect.x >= 8
    assert laid[0] - face.rect.right >= 8


def test_one_thing_that_is_wrong_is_red_and_what_is_to_be_done_is_not() -> None:
    model = replace(in_match(base(), "networdz", 2, 2), size=(1280, 800))
    calm = replace(model, fault=None, notice=None)
    refused = replace(calm, fault=Notice("It does not fit.", inf, about="play"))
    theme = model.look.theme
    colours = {
        node.text.split("\n")[0]: node.fg
        for box in [find(screen.scene(refused), "instructions")]
        for node in (walk(box) if box is not None else ())
        if node.text
    }
    assert colours.pop("✗ It does not fit.") == theme.bad
    assert colours
    assert set(colours.values()) == {theme.text}


@pytest.mark.parametrize("game", ["networdz", "numlo"])
def test_looking_back_at_an_ended_match_brings_no_buttons_back(game: str) -> None:
    model = dict(every())[f"full {game}, over"]
    for size in (fitting(*PHONE), (1280, 800)):
        page = fed(replace(model, size=size), Click("x", means=LookAt(1)))
        root = screen.scene(page)
        assert find(root, "back.live") is not None
        for name in ("done", "pass", "show", "hint", "game.quit", "game.new"):
            assert find(root, name) is None, name


def test_ones_own_score_stands_beside_nobody_elses_name() -> None:
    for size in (*(fitting(*each) for each in SCREENS), (1280, 800)):
        root = screen.scene(replace(dict(every())["match of hexcolumns"], size=size))
        score, other = find(root, "score:0"), find(root, "who:1")
        assert score is not None
        assert other is not None
        assert score.text == "0 points"
        if score.rect.y < other.rect.bottom and other.rect.y < score.rect.bottom:
            assert other.rect.x - score.rect.right > 40


def test_changed_rules_stand_close_above_the_rules() -> None:
    for name in ("rules changed", "full guest, rules changed"):
        page = replace(dict(every())[name], size=fitting(*PHONE))
        told = [n for n in walk(screen.scene(page)) if n.name.startswith("changed:")]
        assert len(told) > 2
        for one, other in pairwise(told):
            assert other.rect.y - one.rect.y < 2 * page.look.small * 1.5


def test_the_names_of_an_edition_have_the_width_of_a_phone() -> None:
    page = replace(dict(every())["editor 0"], size=fitting(*PHONE))
    for key in ("name", "title"):
        field = find(screen.scene(page), f"{editor_view.FIELD}{key}")
        assert field is not None
        assert field.rect.w > page.size[0] / 2


def test_a_phone_held_upright_has_the_desktops_pages_nowhere() -> None:
    """Else they would be painted at half their size."""
    for size in ((360, 640), (390, 844)):
        assert fitting(*size)[0] == 480
    assert fitting(820, 1180) == (820, 1180)


SMALL = [(360, 640), (640, 360), (390, 844), (844, 390)]


def test_the_arrows_of_a_review_are_as_wide_as_a_thumb() -> None:
    laid = fitting(*PHONE)
    page = replace(dict(every())["full networdz, review"], size=laid)
    root = screen.scene(page)
    for name in ("review.before", "review.after"):
        arrow = find(root, name)
        assert arrow is not None
        assert min(arrow.rect.w, arrow.rect.h) * PHONE[0] / laid[0] >= FINGER


@pytest.mark.parametrize("game", ["networdz", "numlo", "hexagrams"])
def test_turns_and_better_moves_of_a_review_are_as_high_as_a_thumb(game: str) -> None:
    """And one of the moves is seen at once, where there are any to be chosen."""
    laid = fitting(*PHONE)
    page = replace(dict(every())[f"full {game}, review"], size=laid)
    root = screen.scene(page)
    for name in ("review.turns", "review.told"):
        listed = find(root, name)
        assert listed is not None
        for row in (each for each in walk(listed) if each.live):
            assert row.rect.h * PHONE[0] / laid[0] >= FINGER, row.name
            assert row.rect.bottom <= listed.rect.bottom or name == "review.turns"


@pytest.mark.parametrize("tab", [play.CHAT, play.REVIEW])
def test_what_is_pressed_at_the_foot_of_a_card_keeps_off_its_edge(tab: int) -> None:
    page = replace(dict(every())["over"], size=fitting(*PHONE))
    root = screen.scene(fed(page, Click(f"{play.TABS}:{tab}")))
    card = find(root, "lower")
    assert card is not None
    feet = [n for n in walk(card) if n.role in (Role.BUTTON, Role.ENTRY) and n.live]
    assert feet
    assert all(card.rect.bottom - n.rect.bottom >= 8 for n in feet)


@pytest.mark.parametrize("size", [*SMALL, (820, 1180)])
def test_the_keys_of_falling_hexes_are_large_at_once(size: tuple[int, int]) -> None:
    """In two rows below the well, or at both edges, where thumbs are."""
    laid = fitting(*size)
    times = size[0] / laid[0]
    for name, root, _model in scenes(laid, "en"):
        if name not in ("match of hexcolumns", "full hexcolumns"):
            continue
        keys = [n.rect for n in walk(root) if n.name.startswith("press:")]
        assert len(keys) >= 9
        for rect in keys:
            assert min(rect.w, rect.h) * times >= FINGER, rect
        if size[0] > size[1]:
            reach = 120 / times  # what a thumb of a holding hand reaches
            left = [rect for rect in keys if rect.right <= reach]
            right = [rect for rect in keys if rect.x >= laid[0] - reach]
            assert len(left) == len(right) == 5


@pytest.mark.parametrize("size", SMALL)
def test_who_hurries_on_a_phone_comes_to_the_chat_and_back(
    size: tuple[int, int],
) -> None:
    page = replace(dict(every())["match of hexcolumns"], size=fitting(*size))
    root = screen.scene(page)
    if size[0] > size[1]:
        assert find(root, "field.chat") is None
        page = fed(page, *clicked(root, "beside"))
        root = screen.scene(page)
    assert find(root, "field.chat") is not None
    board = [n.name for n in walk(root) if n.role is Role.TAB and n.text == "Board"]
    for name in board:
        page = fed(page, *clicked(root, name))
        root = screen.scene(page)
        assert find(root, "field.chat") is None
        assert find(root, "beside") is not None
    assert bool(board) == (size[0] > size[1])


LYING = [(640, 360), (844, 390)]


@pytest.mark.parametrize("size", LYING)
def test_the_bar_of_a_lying_phone_is_large_enough_at_once(
    size: tuple[int, int],
) -> None:
    laid = fitting(*size)
    for name, root, _model in scenes(laid, "en"):
        bar = find(root, "bar")
        for node in () if bar is None else bar.kids:
            if node.live and node.name != "games.next":
                assert round(node.rect.h * size[0] / laid[0]) >= FINGER, (name, node)


@pytest.mark.parametrize("size", [(360, 640), (390, 844)])
def test_no_button_of_a_phones_bar_moves_with_whose_turn_it_is(
    size: tuple[int, int],
) -> None:
    """Else the thumb that goes for the games has the next game under it."""
    found, titles = set(), set()
    for name, moves in (("Bo", 0), ("Bo", 1), ("Computer", 1), (LONG[0], 1)):
        state, past = networdz(2, moves)
        table = replace(playing(state, 2), number=2)
        seats = tuple(replace(seat, name=name) for seat in table.seats)
        told = status(table=replace(table, seats=seats), games=FEW[:4])
        model = fed(base(fitting(*size)), told, view(state, past, 0))
        titles.add(screen.title(model))
        root = screen.scene(model)
        bar = find(root, "bar")
        assert bar is not None
        places = {node.name: node.rect for node in bar.kids if node.role is Role.BUTTON}
        assert {"menu", "games.next"} == places.keys()
        opened = find(screen.scene(fed(model, *clicked(root, "menu"))), "menu:popup")
        assert opened is not None
        assert "Games" in opened.value.split("\n")
        found.add(tuple(sorted(places.items())))
    assert len(titles) == 4
    assert len(found) == 1


@pytest.mark.parametrize("size", LYING)
def test_a_match_that_stands_still_keeps_its_place_on_a_lying_phone(
    size: tuple[int, int],
) -> None:
    """Its board at the left, what is pressed at the right; nothing jumps."""
    pages = dict(every())
    for game in ("networdz", "lhexicon", "numlo", "hexagrams"):
        boards = set()
        for state in ("", ", paused", ", looking back", ", over"):
            page = replace(
                pages[f"full {game}{state}"], size=fitting(*size), scrolls={}
            )
            root = screen.scene(page)
            board = find(root, "board")
            assert board is not None
            boards.add(board.rect)
            assert find(root, "beside.moves") is not None
        assert len(boards) == 1, game


def test_a_tablet_held_upright_shows_all_of_start_and_table_at_once() -> None:
    pages = dict(every())
    size = fitting(820, 1180)
    root = screen.scene(replace(pages["start"], size=size))
    here, near, far = (find(root, name) for name in ("here", "nearby", "address"))
    assert here is not None and near is not None and far is not None
    assert here.rect.w > size[0] * 9 // 10
    assert here.rect.bottom < near.rect.y == far.rect.y
    root = screen.scene(replace(pages["table"], size=size))
    cards = [find(root, name) for name in ("seats", "game.card", "field.chat")]
    assert None not in cards
    assert not [node for node in walk(root) if node.role is Role.TAB]


def test_lhexicon_has_the_width_of_a_phone_for_its_board() -> None:
    """Phase, word and what is left in the bank stand in its free corners."""
    size = fitting(390, 844)
    model = dict(every())["lhexicon marking"]
    for language in texts.LANGUAGES:
        texts.speak(language)
        own = replace(model.settings, language=language)
        root = screen.scene(replace(model, settings=own, size=size))
        cells = [n.rect for n in walk(root) if n.name.startswith("cell:")]
        left, right = min(c.x for c in cells), max(c.right for c in cells)
        assert (right - left) * 100 > 70 * size[0], language
        for name in ("phase", "word", "bank", "done"):
            node = find(root, name)
            assert node is not None
            assert not [c for c in cells if c.meets(node.rect)], (language, name)
    texts.speak("en")


def test_the_help_of_a_phone_tells_of_fingers_and_not_of_a_mouse() -> None:
    model = dict(every())["help"]
    for size, hand in (((390, 844), True), ((844, 390), True), ((1280, 800), False)):
        root = screen.scene(replace(model, size=fitting(*size)))
        said = [node.text for node in walk(root)]
        assert any("hold a finger" in text for text in said) == hand
        assert any("click" in text for text in said) == (not hand)


def clicked(root: Node, name: str) -> tuple[Click, ...]:
    """Return the click on something that is there."""
    node = find(root, name)
    assert node is not None and node.live and node.enabled
    return (Click(name, w=node.rect.w, means=node.means),)


def test_what_is_to_be_done_is_seen_whole_and_what_was_said_below_it() -> None:
    model = replace(dict(every())["match of 2"], size=(1280, 800))
    box = find(screen.scene(model), "instructions")
    assert box is not None
    assert box.content > box.rect.h  # there is more than has room
    lines = [kid.text for kid in walk(box) if kid.text and box.rect.holds(kid.rect)]
    todo, _line, said = box.value.rpartition("\n")
    assert " ".join(lines) == " ".join(todo.split("\n"))
    assert said == str(Says.HAS_COME(name="Bert"))


@pytest.mark.parametrize("page", ["table", "levels at the table"])
def test_fields_of_who_plays_are_as_high_as_a_finger_hits(page: str) -> None:
    laid = fitting(*PHONE)
    root = screen.scene(replace(dict(every())[page], size=laid))
    for name in ("field.seat0", "kind0", "kind1", "kind3"):
        field = find(root, name)
        assert field is not None, name
        assert field.rect.h * PHONE[0] / laid[0] >= 24, name


UPRIGHT = [(360, 640), (390, 664), (390, 844)]
"""The second as a browser leaves it that shows its own bars."""


@pytest.mark.parametrize("size", UPRIGHT)
@pytest.mark.parametrize("game", list(GAMES))
def test_all_players_stand_in_two_lines_above_the_board_of_a_phone(
    game: str, size: tuple[int, int]
) -> None:
    """Also those with long names; below the board what is pressed, then the tabs."""
    laid = fitting(*size)
    for name in (f"match of {game}", f"full {game}"):
        root = screen.scene(replace(dict(every())[name], size=laid, scrolls={}))
        placed = {node.name: node.rect for node in walk(root)}
        cards = [
            node for node in walk(root) if re.match(r"player\d\.card|words", node.name)
        ]
        assert len({card.rect.y for card in cards}) == 2, name
        assert placed["players"].bottom * size[0] // laid[0] < 100, name
        cells = [n.rect for n in walk(root) if n.name.startswith("cell:")]
        if cells:
            assert placed["players"].bottom <= min(cell.y for cell in cells)
            low = max(cell.bottom for cell in cells)
            assert low < placed["instructions.box"].y < placed["lower"].y, name
            wide = max(c.right for c in cells) - min(c.x for c in cells)
            assert wide > 0.85 * laid[0], name


@pytest.mark.parametrize("size", UPRIGHT)
@pytest.mark.parametrize("game", [g for g in GAMES if not GAMES[g].ABOUT.hz])
def test_what_comes_and_goes_below_the_board_of_a_phone_does_not_move_it(
    game: str, size: tuple[int, int]
) -> None:
    pages, boards = dict(every()), set()
    for state in ("", ", paused", ", asked"):
        page = replace(pages[f"full {game}{state}"], size=fitting(*size), scrolls={})
        board = find(screen.scene(page), "board")
        assert board is not None
        boards.add(board.rect)
    assert len(boards) == 1


def test_a_short_phone_shows_moves_and_chat_when_their_tab_is_pressed() -> None:
    page = replace(dict(every())["match of networdz"], size=fitting(390, 664))
    whole = screen.scene(page)
    assert find(whole, "moves") is None
    for tab, there in ((play.MOVES, "moves"), (play.CHAT, "field.chat")):
        page = fed(page, *clicked(screen.scene(page), f"{play.TABS}:{tab}"))
        assert find(screen.scene(page), there) is not None
        assert find(screen.scene(page), "done") is not None
    page = fed(page, *clicked(screen.scene(page), f"{play.TABS}:{play.FIELD}"))
    assert screen.scene(page) == whole


def test_the_menu_of_a_phone_leads_where_the_bar_of_a_window_does() -> None:
    pages = dict(every())
    for name in ("your games", "table", "match of 2"):
        wide = screen.scene(replace(pages[name], size=(1600, 900)))
        bar = find(wide, "bar")
        assert bar is not None
        ways = {n.means for n in bar.kids if n.live and n.name != "games.next"}
        below = ("tryout", "moves.copy")  # the list of moves, where there is room
        ways |= {n.means for n in walk(wide) if n.live and n.name in below}
        page = replace(pages[name], size=fitting(*PHONE))
        opened = screen.scene(fed(page, *clicked(screen.scene(page), "menu")))
        rows = [n.means for n in walk(opened) if n.name.startswith("menu:")]
        assert ways == {row.of for row in rows if isinstance(row, Chosen)}, name
        assert fed(page, Click("menu"), Key("escape")).open == ""


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_menu_and_next_game_are_no_smaller_beside_a_player_who_is_alone(
    seats: int,
) -> None:
    model = in_match(base(fitting(*PHONE)), "networdz", seats, 5)
    model = fed(model, status(table=model.table, games=FEW))
    root = screen.scene(model)
    for name in ("menu", "games.next"):
        button = find(root, name)
        assert button is not None
        assert button.rect.h >= model.look.px(40), name


def test_the_menu_of_a_phone_opens_where_a_page_could_not_be_shown() -> None:
    page = replace(dict(every())["match of 2"], size=fitting(*PHONE))
    page = faults.after(page, ValueError("the tile has gone"))
    page = fed(page, *clicked(screen.scene(page), "menu"))
    opened = find(screen.scene(page), "menu:popup")
    assert opened is not None
    assert {"Leave", "Help"} <= set(opened.value.split("\n"))


def test_a_colour_of_an_edition_is_seen_whole_on_a_phone() -> None:
    page = replace(dict(every())["editor 3"], size=fitting(*PHONE))
    fields = [
        node
        for node in walk(screen.scene(page))
        if node.role is Role.ENTRY and edition_changes.COLOUR in node.name
    ]
    assert len(fields) == 11
    for node in fields:
        room = node.rect.w - 2 * page.look.px(10)
        assert page.look.width("#888888", page.look.body) <= room


@pytest.mark.parametrize("size", [*SMALL, (1280, 800)])
def test_who_asks_to_watch_is_seen_in_the_list_of_bystanders(
    size: tuple[int, int],
) -> None:
    page = replace(dict(every())["watchers"], size=fitting(*size))
    rows = find(screen.scene(page), "watchers.list")
    assert rows is not None
    seen = [node.name for node in walk(rows) if rows.rect.holds(node.rect)]
    assert [name for name in seen if name.startswith("allow:")]


@pytest.mark.parametrize("size", [(360, 640), (390, 844)])
def test_a_phone_shows_what_waits_friends_and_the_finished_games_in_a_line(
    size: tuple[int, int],
) -> None:
    page = replace(dict(every())["your games, friends"], size=fitting(*size))
    root = screen.scene(page)
    waits, fold = find(root, "in-hand.waiting"), find(root, "in-hand.ended")
    assert waits is not None and waits.text.startswith("2 ")
    assert fold is not None and fold.rect.h * size[0] / fitting(*size)[0] >= FINGER
    assert find(root, "in-hand:5") is None
    play_on = asks(page, *clicked(root, "in-hand.on:6"))
    assert play_on == asks(page, *clicked(root, "in-hand:6")) == [door.LookAt(6)]
    opened = fed(page, *clicked(root, "in-hand.ended"))
    assert find(screen.scene(opened), "in-hand:5") is not None
    shut = fed(opened, *clicked(screen.scene(opened), "in-hand.ended"))
    assert screen.scene(shut) == root
    low = replace(page, scrolls={**page.scrolls, "in-hand.list": 10_000})
    root = screen.scene(low)
    for key, name in (("KEY0", "Bert"), ("KEY1", "Dora")):
        one = fed(low, *clicked(root, f"challenge:{key}"))
        assert one.page is Page.TABLE
        assert one.setup.draft.seats[1].address == f"{key} {name}"


def test_a_finished_game_of_which_there_is_news_is_not_folded_away() -> None:
    ended = replace(FEW[4], unread=1)
    page = fed(base(fitting(*PHONE)), status(games=(*FEW[:4], ended)))
    assert find(screen.scene(page), "in-hand.ended") is not None
    assert find(screen.scene(page), "in-hand:5") is not None


def test_what_is_wrong_has_the_width_of_a_phone() -> None:
    size = fitting(*PHONE)
    root = screen.scene(replace(dict(every())["start with faults"], size=size))
    (row,) = [node for node in walk(root) if node.name.startswith("fault:")]
    assert row.kids[0].rect.w * 10 > 7 * size[0]


@pytest.mark.parametrize("size", UPRIGHT)
@pytest.mark.parametrize("game", ["networdz", "numlo"])
def test_where_nothing_is_pressed_any_more_its_room_is_the_tabs(
    game: str, size: tuple[int, int]
) -> None:
    """And the board keeps its place all the same."""
    pages, boards, tops = dict(every()), set(), []
    for state in ("", ", over"):
        page = replace(pages[f"full {game}{state}"], size=fitting(*size), scrolls={})
        root = screen.scene(page)
        board, box = find(root, "board"), find(root, "instructions.box")
        assert board is not None and box is not None
        boards.add(board.rect)
        tops.append(box.rect.y)
    assert len(boards) == 1
    assert tops[0] - tops[1] >= page.look.row


def test_preferences_take_the_height_of_a_phone_before_they_are_scrolled() -> None:
    page = replace(dict(every())["preferences"], size=fitting(*PHONE))
    close = find(screen.scene(page), "close")
    assert close is not None
    assert close.rect.bottom > page.size[1] * 9 // 10


def test_what_a_phone_asks_comes_before_the_ways_below_it_for_the_keyboard() -> None:
    asked = replace(dict(every())["links"], size=fitting(*PHONE))
    order = [node.name for node in stops(screen.scene(asked))]
    assert order.index("links.yes") < order.index("begin:0")
