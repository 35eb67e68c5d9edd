"""Rectangles, hexagons, text widths, text editing: the toolkit without a display."""

import itertools
import subprocess
import sys
from random import Random
from typing import Any

import pygame
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from client.app.options import fields, label
from client.app.settings import Settings, load, store
from client.ui import hand, sound, typefaces, widgets
from client.ui.hand import Edit
from client.ui.intents import Key
from client.ui.layout import Hexes, Squares, box, centred, columns, grid, rows
from client.ui.scene import (
    Means,
    Node,
    Rect,
    Role,
    Shape,
    Touch,
    contrast,
    covers,
    drop_at,
    find,
    hit,
    inside,
    list_at,
    outline,
    shift,
    step,
    walk,
)
from client.ui.theme import Look
from client.ui.typefaces import Cut
from client.window import debug
from netplay import fetched
from rules import GAMES, editions

LOOK = Look()
AREAS = st.builds(
    Rect, st.integers(0, 50), st.integers(0, 50), st.integers(200, 900),
    st.integers(200, 900),
)  # fmt: skip


@pytest.mark.parametrize(
    "module",
    [
        "app.model",
        "update",
        "session",
        "ui.scene",
        "ui.layout",
        "ui.widgets",
        "networdz",
        "pages.screen",
        "pages.start",
        "pages.play",
        "pages.setup",
        "pages.overlays",
        "app.link",
    ],
)
def test_all_but_the_window_do_without_pygame(module: str) -> None:
    code = f"import sys, client.{module}; sys.exit('pygame' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == 0


@given(AREAS, st.lists(st.floats(0.1, 1.0), min_size=1, max_size=5), st.integers(0, 9))
def test_parts_of_a_rectangle_fill_it_without_overlap(
    area: Rect, parts: list[float], gap: int
) -> None:
    for cut, side in ((columns, 2), (rows, 3)):
        found = cut(area, parts, gap)
        assert all(area.holds(part) for part in found)
        assert not any(a.meets(b) for a, b in itertools.pairwise(found))
        assert sum(p[side] for p in found) == area[side] - gap * (len(parts) - 1)


def test_fixed_parts_keep_their_size_and_shares_take_the_rest() -> None:
    left, middle, right = columns(Rect(0, 0, 100, 10), [20, 1, 30], 5)
    assert (left.w, middle.w, right.w) == (20, 40, 30)
    assert right.right == 100


@given(AREAS)
def test_squares_stand_within_their_room_without_overlap(area: Rect) -> None:
    board = Squares.fitted(area, 15, 15)
    assert area.holds(board.rect)
    cells = [board.cell(column, row) for column in range(15) for row in range(15)]
    assert all(board.rect.holds(cell) for cell in cells)
    assert not any(a.meets(b) for a, b in itertools.combinations(cells, 2))


@given(AREAS, st.integers(-4, 4), st.integers(-4, 4))
def test_each_hexagon_is_hit_in_its_own_middle(area: Rect, q: int, r: int) -> None:
    cells = [(a, b) for a in range(-4, 5) for b in range(-4, 5)]
    board = Hexes.fitted(area, cells)
    every = [
        Node(Role.CELL, f"{a},{b}", board.cell(a, b), shape=Shape.FLAT, live=True)
        for a, b in cells
    ]
    spot = board.cell(q, r)
    found = hit(widgets.group(area, every), spot.centre)
    assert found is not None
    assert found.name == f"{q},{r}"
    near = Rect(area.x - 1, area.y - 1, area.w + 2, area.h + 2)
    assert near.holds(spot)


def test_a_hexagon_is_hit_inside_its_corners_only() -> None:
    node = Node(Role.CELL, "hex", Rect(0, 0, 100, 86), shape=Shape.FLAT, live=True)
    assert hit(node, (50, 43)) is node
    assert hit(node, (2, 2)) is None
    assert len(outline(node)) == 6


def test_a_round_piece_is_hit_within_its_circle_only() -> None:
    node = Node(Role.CELL, "o", Rect(0, 0, 100, 100), shape=Shape.CIRCLE, live=True)
    for spot in ((50, 50), (50, 1), (99, 50), (84, 84)):
        assert hit(node, spot) is node
    for spot in ((2, 2), (97, 3), (88, 88), (13, 88)):
        assert hit(node, spot) is None


def test_a_triangle_is_hit_inside_only() -> None:
    corners = ((50, 10), (85, 70), (15, 70))
    node = Node(
        Role.CELL, "t", box(corners), shape=Shape.POLYGON, points=corners, live=True
    )
    assert hit(node, (50, 50)) is node
    assert hit(node, (node.rect.x + 2, node.rect.y + 2)) is None
    assert inside((50, 40), corners)


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("size", [10, 13, 14, 18, 22, 28, 35])
@pytest.mark.parametrize(
    "text",
    ["Waiting for Connection", "Ждём соединения", "Überprüfung läuft", "¿Ñandú?"],
)
def test_widths_read_from_the_font_are_those_drawn(
    text: str, size: int, bold: bool
) -> None:
    pygame.font.init()
    drawn = pygame.font.Font(str(typefaces.FONTS[bold]), size).size(text)[0]
    assert abs(typefaces.width(text, size, bold=bold) - drawn) <= 1 + len(text) // 6


def test_the_fonts_draw_all_that_is_shown() -> None:
    for letter in "AZazÄÖÜßÀÉÑñЖЁйя0189…→←↑↓·–—“”«»¿¡★●○◆":
        assert typefaces.own(Cut.TEXT).knows(letter), letter
        assert typefaces.own(Cut.BOLD).knows(letter), letter


@given(st.text(alphabet=st.characters(codec="latin-1"), max_size=60))
def test_wrapped_lines_are_no_wider_than_their_room(text: str) -> None:
    for line in typefaces.wrap(text, 14, 80):
        assert typefaces.width(line, 14) <= 80 or len(line) == 1


SIGNS_BEFORE = "«‹„“(¿¡["
SIGNS_AFTER = ":;!?»›”)].,…%"
WORDS = st.sampled_from(
    [
        "mot",
        "autre",
        "un",
        "chemin",
        "d'«",
        "».",
        "?!",
        "(«",
        "mot\u00a0:",
        "«\u202fun",
        *SIGNS_BEFORE,
        *SIGNS_AFTER,
    ]
)


@example(["mot"] * 7 + ["«", "«", "mot"], 120)
@example(["mot"] * 7 + ["mot", "»", "»", "»", "mot"], 120)
@given(st.lists(WORDS, max_size=12), st.integers(120, 300))
def test_no_line_begins_or_ends_with_a_sign_that_belongs_to_a_word(
    words: list[str], room: int
) -> None:
    """As French writes them: « mot », mot : mot ?"""
    text = " ".join(words)
    lines = typefaces.wrap(text, 14, room)
    assert " ".join(lines) == text
    assert not any(typefaces.width(line, 14) > room for line in lines)
    # Only where signs and their word have no room on one line may they part.
    ends = itertools.accumulate(len(line) + 1 for line in lines[:-1])
    for at in (end - 1 for end in ends):
        if _holds(text, at):
            assert typefaces.width(_held(text, at), 14) > room


def _holds(text: str, at: int) -> bool:
    """Tell whether the blank at a place keeps a sign and its word together."""
    return text[at - 1] in SIGNS_BEFORE or text[at + 1] in SIGNS_AFTER


def _held(text: str, at: int) -> str:
    """Return the words and signs around a blank that belong on one line."""
    free = [i for i, c in enumerate(text) if c == " " and not _holds(text, i)]
    first = max((i for i in free if i < at), default=-1)
    return text[first + 1 : min((i for i in free if i > at), default=len(text))]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("mot mot mot « « mot", ("mot mot mot", "« « mot")),
        ("mot mot mot » » mot", ("mot mot", "mot » » mot")),
        ("mot mot mot ????! mot", ("mot mot", "mot ????! mot")),
        ("mot mot mot d'« autre »", ("mot mot mot", "d'« autre »")),
        ("mot mot mot mot\u00a0: un", ("mot mot mot", "mot\u00a0: un")),
        ("« mot", ("« mot",)),
        (": mot «", (": mot «",)),
        ("«", ("«",)),
        ("", ("",)),
    ],
)
def test_signs_stay_with_their_word(text: str, lines: tuple[str, ...]) -> None:
    assert typefaces.wrap(text, 14, 100) == lines


def test_a_word_too_long_for_a_line_keeps_its_signs() -> None:
    lines = typefaces.wrap(f"« {'mot' * 30} » ?", 14, 100)
    assert "".join(lines).replace(" ", "") == f"«{'mot' * 30}»?"
    assert lines[0].startswith("« mot")
    assert lines[-1].endswith("» ?")
    assert lines[-1][0] in "mot"
    full = typefaces.width("m" * 7, 14)
    assert typefaces.wrap("m" * 7 + ":", 14, full) == ("m" * 6, "m:")


@given(st.text(alphabet="mot «»:?¿\u00a0", max_size=30), st.integers(0, 60))
def test_a_text_is_whole_in_its_lines_however_narrow_they_are(
    text: str, room: int
) -> None:
    lines = typefaces.wrap(text, 14, room)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(typefaces.width(line, 14) <= room or len(line) == 1 for line in lines)


@given(st.text(max_size=40), st.integers(0, 200))
def test_a_shortened_text_fits(text: str, room: int) -> None:
    short = typefaces.shorten(text, 14, room)
    assert typefaces.width(short, 14) <= room or not short


KEYS = st.sampled_from(
    [
        Key(name, shift=shift, ctrl=ctrl)
        for name in ("left", "right", "home", "end", "backspace", "delete", "a")
        for shift in (False, True)
        for ctrl in (False, True)
    ]
)


@given(st.lists(st.one_of(KEYS, st.text(max_size=5)), max_size=30))
def test_a_field_keeps_its_cursor_in_its_text_whatever_comes(does: list[Any]) -> None:
    now = Edit()
    for each in does:
        if isinstance(each, str):
            now = hand.insert(now, each, 20)
        else:
            now = hand.press(now, each) or now
        assert 0 <= now.caret <= len(now.text) <= 20
        assert 0 <= now.anchor <= len(now.text)
        assert now.text == hand.clean(now.text)


@given(
    text=st.text("abcmwi ", min_size=1, max_size=60), room=st.integers(40, 300),
    caret=st.integers(0, 60), gap=st.integers(0, 60),
)  # fmt: skip
@example(text="m" * 60, room=90, caret=60, gap=58)
def test_a_click_sets_the_cursor_between_the_letters_where_it_came(
    text: str, room: int, caret: int, gap: int
) -> None:
    """Also where a long text has scrolled: between letters that are shown."""
    size, caret = 20, min(caret, len(text))
    first = hand.view(text, caret, size, room)
    assert typefaces.width(text[first:caret], size) <= room
    spot = max(first, min(gap, len(text)))
    x = typefaces.width(text[first:spot], size)
    now = hand.place(Edit(text, caret, 0), x, size, room)
    assert (now.caret, now.anchor, now.text) == (spot, spot, text)


class Piece:
    """A node as it is drawn: what it lies on, and what cuts it off."""

    def __init__(self, node: Node, on: "Piece | None") -> None:
        self.node, self.on, self.kids = node, on, list[Piece]()
        self.below: tuple[Piece, ...] = () if on is None else (*on.below, on)

    def built(self) -> Node:
        return replace(self.node, kids=tuple(kid.built() for kid in self.kids))

    def drawn(self) -> "list[Piece]":
        return [self, *(one for kid in self.kids for one in kid.drawn())]


ROLES = (Role.BUTTON, Role.BUTTON, Role.DIALOG, Role.LIST)
SHAPES = (Shape.RECT, Shape.FLAT, Shape.POLYGON, Shape.CIRCLE)


def scene(rng: Random) -> list[Piece]:
    """Return nodes on each other, in the order in which they are drawn."""
    whole = [Piece(Node(Role.PANEL, "", Rect(0, 0, 12, 12), shape=Shape.RECT), None)]
    for number in range(rng.randrange(14)):
        x, y, w, h = (rng.randrange(8) + at // 2 for at in range(4))
        corners = (x, y), (x + w, y), (x, y + h)
        flags = {"live": 2, "focusable": 2, "drop": 2, "clip": 4}
        more: dict[str, Any] = {k: not rng.randrange(n) for k, n in flags.items()}
        more |= {"enabled": rng.random() < 0.8, "shape": rng.choice(SHAPES)}
        node = Node(rng.choice(ROLES), f"n{number}", Rect(x, y, w, h), **more)
        on = rng.choice(whole)
        on.kids.append(Piece(replace(node, points=corners), on))
        whole.append(on.kids[-1])
    return whole[0].drawn()


@given(st.integers(0, 1 << 30).map(Random))
def test_of_what_lies_on_each_other_the_uppermost_in_reach_is_hit_and_tab_stops_there(
    rng: Random,
) -> None:
    drawn, by = scene(rng), (rng.randrange(-40, 40), rng.randrange(-40, 40))
    root = drawn[0].built()
    dialogs = [
        one
        for one in drawn
        if one.node.role is Role.DIALOG and not any(b.node.clip for b in one.below)
    ]
    upper = dialogs[-1] if dialogs else drawn[0]
    reach = [one for one in drawn if upper in (*one.below, one)]
    moved = shift(root, *by)
    for x, y in itertools.product(range(0, 13, 2), range(0, 13, 2)):
        there = [
            one.node
            for one in reach
            if covers(one.node, (x, y))
            and all(b.node.rect.has((x, y)) for b in one.below if b.node.clip)
        ]
        live = [n.name for n in there if n.live and n.enabled]
        drops = [n.name for n in there if n.drop and n.enabled]
        lists = [n.name for n in there if n.role is Role.LIST]
        for whole, dx, dy in ((root, 0, 0), (moved, *by)):
            for find_, names in ((hit, live), (drop_at, drops), (list_at, lists)):
                found = find_(whole, (x + dx, y + dy))
                assert (found and found.name) == (names[-1] if names else None)
    names = [one.node.name for one in reach if one.node.focusable and one.node.enabled]
    for number, name in enumerate(names):
        assert step(root, name, 1) == (names[number + 1 :] or names)[0]
        assert step(root, name, -1) == names[number - 1]
    covered = [one.node.name for one in drawn if one not in reach]
    for name in ("", *covered):
        assert step(root, name, 1) == (names[0] if names else "")
        assert step(root, name, -1) == (names[-1] if names else "")


def test_a_field_edits_by_words_and_selections() -> None:
    now = hand.of("one two three")
    now = hand.press(now, Key("backspace", ctrl=True)) or now
    assert now.text == "one two "
    now = hand.press(now, Key("left", ctrl=True, shift=True)) or now
    assert now.selection == "two "
    assert hand.insert(now, "2", 20).text == "one 2"
    for _ in range(2):
        now = hand.press(now, Key("left", shift=True)) or now
    assert now.selection == "e two ", "a selection grows from where it began"
    now = hand.press(now, Key("right")) or now
    assert now.selection == ""
    there = hand.Edit("abcd", 2, 2)
    for key, left in (("delete", "abd"), ("backspace", "acd")):
        now = hand.press(there, Key(key)) or there
        assert now.text == left


def test_a_full_field_takes_as_much_as_is_selected() -> None:
    full = hand.Edit("abcdef", 4, 2)
    assert hand.insert(full, "XYZ", 6).text == "abXYef"
    assert hand.insert(hand.of("abcdef"), "X", 6).text == "abcdef"


def test_one_letter_again_goes_on_to_the_next_row_with_it_and_round() -> None:
    options = ["Anna", "Bert", "Bea", "Cyd"]
    opened = widgets.popup(
        "list", Rect(0, 0, 90, 30), options, 0, Rect(0, 0, 500, 500), LOOK,
        means=[Means()] * 4,
    )  # fmt: skip
    assert hand.lettered(opened, 0, "b") == 1
    assert hand.lettered(opened, 1, "bb") == 2
    assert hand.lettered(opened, 2, "bbb") == 1
    assert hand.lettered(opened, 1, "be") == 1
    assert hand.lettered(opened, 1, "bea") == 2
    assert hand.lettered(opened, 0, "x") is None


def test_pasted_text_is_made_one_harmless_line() -> None:
    assert hand.clean("a\nb\u202e\x07c") == "a bc"
    assert hand.clean("e\u0301") == "é"


def test_a_list_makes_only_the_rows_that_show() -> None:
    made = [widgets.row(f"row:{i}", str(i), LOOK) for i in range(1000)]
    listed = widgets.scroll("list", Rect(0, 0, 100, 100), made, 20, LOOK, offset=210)
    names = [n.name for n in walk(listed) if n.name.startswith("row")]
    assert names == [f"row:{i}" for i in range(10, 16)]
    end = widgets.scroll("list", Rect(0, 0, 100, 100), made, 20, LOOK, at_end=True)
    assert find(end, "row:999") is not None


@given(AREAS, st.integers(3, 90), st.integers(15, 60), st.integers(0, 9000))
def test_the_bar_of_a_list_stands_in_it_and_beside_its_rows(
    area: Rect, count: int, high: int, offset: int
) -> None:
    made = [widgets.row(f"row:{i}", str(i), LOOK) for i in range(count)]
    listed = widgets.scroll("list", area, made, high, LOOK, offset=offset)
    rows_ = [kid for kid in listed.kids if kid.name]
    bars = [kid.rect for kid in listed.kids if not kid.name]
    assert len(bars) == (listed.content > listed.rect.h)
    for bar in bars:
        assert listed.rect.holds(bar)
        assert not any(bar.meets(row.rect) for row in rows_)
        assert (listed.offset > 0) or bar.y == listed.rect.y
        at_end = listed.offset == listed.content - listed.rect.h
        assert at_end <= (bar.bottom == listed.rect.bottom)


@given(AREAS, st.integers(0, 900), st.integers(0, 900), st.integers(1, 30))
def test_an_open_list_lies_in_the_window_and_beside_its_field(
    area: Rect, x: int, y: int, count: int
) -> None:
    by = Rect(area.x + x % (area.w - 90), area.y + y % (area.h - 30), 90, 30)
    options = [f"a rather long option {i}" for i in range(count)]
    means = [Means()] * count
    opened = widgets.popup("list", by, options, 0, area, LOOK, means=means)
    assert area.holds(opened.rect)
    room = max(by.y - area.y, area.bottom - by.bottom) - LOOK.gap
    assert opened.rect.h > room or not opened.rect.meets(by)


@given(AREAS, st.integers(1, 2000), st.integers(1, 2000))
def test_what_is_put_in_the_middle_does_not_stand_out(
    area: Rect, wide: int, high: int
) -> None:
    found = centred(area, wide, high)
    assert area.holds(found)
    assert (found.w, found.h) == (min(wide, area.w), min(high, area.h))
    assert abs(found.x - area.x - (area.right - found.right)) <= 1
    assert abs(found.y - area.y - (area.bottom - found.bottom)) <= 1


@given(AREAS, st.integers(-9, 9), st.integers(-9, 9))
def test_hexagons_of_every_second_column_stand_in_one_row(
    area: Rect, q: int, r: int
) -> None:
    cells = [(a, b) for a in range(-4, 5) for b in range(-4, 5)]
    board = Hexes.fitted(area, cells)
    x, y = board.middle(q, r)
    assert board.middle(q + 2, r - 1) == (x + 2 * board.across, y)
    assert board.middle(q, r + 1) == (x, y + board.down)


def test_the_debug_port_answers_in_json() -> None:
    root = widgets.group(
        Rect(0, 0, 9, 9), [widgets.button("ok", Rect(1, 1, 5, 5), "OK", LOOK)]
    )
    showing = debug.Showing(root, Touch(focus="ok"), "start")
    assert b'"text":"OK"' in debug.answer(b'{"do":"find","name":"ok"}', showing)
    assert debug.answer(b'{"do":"find","name":"no"}', showing) == b"null\n"
    assert b'"ok":[1,1,5,5]' in debug.answer(b'{"do":"names"}', showing)
    assert b'"focus":"ok"' in debug.answer(b'{"do":"window"}', showing)
    assert b"unknown" in debug.answer(b'{"do":"fly"}', showing)
    assert b"error" in debug.answer(b"nonsense", showing)


def test_every_sound_has_samples_and_no_click_at_its_start() -> None:
    heard = {each: sound.samples(each) for each in sound.Sound}
    assert len(set(heard.values())) == len(heard)
    assert all(wave[:2] == b"\0\0" for wave in heard.values())


def test_settings_are_read_as_written_and_damaged_ones_are_set_aside(
    tmp_path: Any,
) -> None:
    own = Settings(theme="dark", scale=150, recent=("host a friend",))
    store(tmp_path, own)
    assert load(tmp_path) == (own, "")
    for name in ("window.json.damaged", "window.json.damaged-2"):
        (tmp_path / "window.json").write_text("{nonsense")
        assert load(tmp_path) == (Settings(), name)
        assert (tmp_path / name).read_text() == "{nonsense"
    assert load(tmp_path) == (Settings(), "")


@pytest.mark.parametrize("game", list(GAMES))
def test_every_option_of_every_game_can_be_set(game: str) -> None:
    made = fields(game)
    names = GAMES[game].ABOUT.options.__struct_fields__
    assert {f.key for f in made} == set(names) - {"edition", "lexicon"}
    for each in made:
        assert each.default in each.choices, each
        assert label(game, each.key)


def test_black_on_white_has_the_greatest_contrast() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((9, 9, 9), (9, 9, 9)) == pytest.approx(1)


def test_a_grid_has_its_cells_row_by_row() -> None:
    cells = grid(Rect(0, 0, 30, 20), 3, 2)
    assert [c[:2] for c in cells] == [
        (0, 0), (10, 0), (20, 0), (0, 10), (10, 10), (20, 10),
    ]  # fmt: skip


def test_fetched_editions_are_registered_and_damaged_ones_left_alone(
    tmp_path: Any,
) -> None:
    own = replace(editions.load("networdz"), title="A friend's own")
    folder = tmp_path / "words"
    folder.mkdir()
    (folder / f"{own.digest}.edition").write_bytes(editions.encode(own))
    (folder / f"{'0' * 64}.edition").write_bytes(editions.encode(own))
    (folder / f"{'1' * 64}.lexicon").write_bytes(b"nonsense")
    with pytest.raises(LookupError):
        editions.find(own.digest)
    fetched.restore(tmp_path)
    assert editions.find(own.digest) == own
    with pytest.raises(LookupError):
        editions.find("0" * 64)


def test_the_cursor_stands_behind_what_an_input_method_shows() -> None:
    room = Rect(0, 0, 200, 30)
    edit = Edit("ab", 1, 0, composing="xyz")
    field = widgets.entry("field", room, edit, LOOK, hint="say")
    assert (field.text, field.value) == ("axyzb", "ab")
    assert field.caret == len("axyz")
    typed = hand.insert(Edit("ab", 1, 1), "xyz", 20)
    assert widgets.entry("field", room, typed, LOOK).caret == field.caret
    empty = widgets.entry("field", room, Edit(), LOOK, hint="say")
    assert (empty.text, empty.caret, empty.anchor) == ("say", 0, 0)


@given(AREAS, st.integers(1, 60))
def test_a_text_to_be_read_lies_beside_its_bar_and_is_whole(
    area: Rect, count: int
) -> None:
    text = " ".join(f"word{n}" for n in range(count))
    room = Rect(area.x, area.y, max(area.w, 120), 60)
    shown = widgets.reading("read", room, text, LOOK)
    for line in shown.kids:
        wide = typefaces.width(line.text, line.size) if line.text else 0
        assert wide <= line.rect.w
    assert " ".join((shown.value or shown.text).split()) == text
