"""What was drawn once is drawn the same again, and nothing else is taken for it."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from collections import Counter
from typing import Any, TypeAlias

import pygame
import pytest
from msgspec.structs import replace

from client.ui.scene import Align, Mark, Node, Pattern, Rect, Role, Shape, Touch
from client.ui.theme import THEMES, Look
from client.window.painter import PLATES, Painter

LOOK = Look(THEMES["light"])
AREA = Rect(0, 0, 120, 90)
Spot: TypeAlias = tuple[int, int]
PIECE = Node(
    Role.LABEL, "piece", Rect(20, 20, 60, 40), shape=Shape.ROUND, radius=8, depth=4,
    bg=(200, 120, 30), edge=(20, 30, 90), border=3, fg=(0, 0, 0), text="Wort", size=14,
)  # fmt: skip


def drawn(*nodes: Node, **touch: Any) -> pygame.Surface:
    surface = pygame.Surface(AREA[2:])
    root = Node(Role.PANEL, "window", AREA, kids=nodes)
    Painter(surface, LOOK).paint(root, Touch(**touch))
    return surface


def data(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


def rough(colour: tuple[int, ...]) -> tuple[int, ...]:
    """Return a colour without what scaling changes in it."""
    return tuple((part + 6) // 16 for part in colour)


def seen(surface: pygame.Surface, spot: tuple[int, int]) -> tuple[int, ...]:
    return rough(tuple(surface.get_at(spot))[:3])


@pytest.mark.parametrize(
    "other",
    [
        {"pattern": Pattern.GEM},
        {"edge": (250, 0, 0)},
        {"bg": (10, 200, 200)},
        {"border": 1},
        {"depth": 0},
        {"radius": 20},
        {"shape": Shape.RECT},
        {"shape": Shape.CIRCLE},
        {"mark": Mark.STAR},
        {"text": "Worte"},
        {"size": 18},
        {"bold": True},
        {"ghost": True},
        {"rect": Rect(20, 20, 50, 40)},
        {"rect": Rect(21, 20, 60, 40)},
    ],
)
def test_a_piece_that_differs_in_one_thing_is_drawn_otherwise(
    other: dict[str, Any],
) -> None:
    first = data(drawn(PIECE))
    assert data(drawn(replace(PIECE, **other))) != first
    assert data(drawn(PIECE)) == first


def test_a_small_board_is_drawn_for_its_size_and_its_game() -> None:
    boards = [
        Node(Role.PANEL, "", Rect(0, 0, 200, 200), shape=Shape.RECT, bg=colour)
        for colour in ((200, 0, 0), (0, 200, 0))
    ]
    faces = [
        Node(Role.LABEL, "", Rect(10, 10, side, side), miniature=board)
        for board in boards
        for side in (30, 60)
    ]
    for _again in range(2):
        found = [drawn(face) for face in faces]
        inside = [seen(each, (25, 25)) for each in found]
        far = [seen(each, (55, 55)) for each in found]
        ground = rough(LOOK.theme.ground)
        red, green = rough((200, 0, 0)), rough((0, 200, 0))
        assert inside == [red, red, green, green]
        assert far == [ground, red, ground, green]


def test_small_boards_that_come_and_go_are_not_taken_for_each_other() -> None:
    for step in range(90):  # more than are kept, each gone when the next is made
        colour = (16 * (step % 15) + 8, 16 * (step // 15) + 8, 24)
        board = Node(Role.PANEL, "", Rect(0, 0, 90, 90), shape=Shape.RECT, bg=colour)
        face = Node(Role.LABEL, "", Rect(10, 10, 40, 40), miniature=board)
        assert seen(drawn(face), (30, 30)) == rough(colour)


def test_what_is_dragged_lies_where_the_pointer_has_taken_it() -> None:
    piece = replace(PIECE, rect=Rect(0, 0, 20, 20), text="", depth=0, border=0)
    surface = drawn(replace(piece, live=True, drag=True), lift="piece", by=(60, 30))
    assert tuple(surface.get_at((70, 40)))[:3] == piece.bg
    pale = tuple(surface.get_at((10, 10)))[:3]
    assert pale not in (piece.bg, LOOK.theme.ground), "its place shows it faintly"
    assert tuple(surface.get_at((40, 70)))[:3] == LOOK.theme.ground


def test_where_a_piece_may_be_dropped_is_seen() -> None:
    cell = Node(Role.CELL, "cell", Rect(20, 20, 60, 40), shape=Shape.RECT, drop=True,
                bg=(200, 200, 200))  # fmt: skip
    plain = data(drawn(cell))
    assert data(drawn(cell, over="cell")) != plain
    assert data(drawn(replace(cell, drop=False), over="cell")) == plain


@pytest.mark.parametrize("bg", [(200, 200, 200), None])
def test_a_button_shows_that_the_pointer_is_on_it_and_that_it_is_pressed(
    bg: tuple[int, int, int] | None,
) -> None:
    button = Node(
        Role.BUTTON, "b", Rect(20, 20, 60, 40), shape=Shape.ROUND, radius=6, bg=bg,
        fg=(0, 0, 0), text="Go", size=14, live=True,
    )  # fmt: skip
    faces = [data(drawn(button, **touch)) for touch in ({}, {"hover": "b"})]
    faces.append(data(drawn(button, hover="b", pressed="b")))
    assert len({*faces}) == 3


def test_a_list_in_a_list_does_not_spill_and_what_follows_is_whole() -> None:
    long = Node(Role.LABEL, "", Rect(0, 0, 120, 90), shape=Shape.RECT, bg=(9, 9, 9))
    inner = Node(Role.LIST, "in", Rect(40, 10, 20, 90), kids=(long,), clip=True)
    mark = replace(long, rect=Rect(30, 40, 30, 30), bg=(200, 0, 0))
    outer = Node(
        Role.LIST, "out", Rect(30, 0, 40, 50), kids=(inner, mark), clip=True
    )  # fmt: skip
    after = replace(long, rect=Rect(0, 70, 120, 20), bg=(0, 0, 200))
    surface = drawn(outer, after)
    found = {spot: tuple(surface.get_at(spot))[:3] for spot in (
        (50, 20), (35, 20), (50, 45), (50, 55), (50, 80), (110, 80),
    )}  # fmt: skip
    ground = LOOK.theme.ground
    assert list(found.values()) == [
        (9, 9, 9), ground, (200, 0, 0), ground, (0, 0, 200), (0, 0, 200),
    ]  # fmt: skip


def test_a_field_shows_marked_text_both_ways_and_leaves_room_for_what_follows() -> None:
    field = Node(
        Role.ENTRY, "f", Rect(5, 10, 80, 30), shape=Shape.RECT, bg=(255, 255, 255),
        fg=(0, 0, 0), text="Buchstabe", size=14, caret=6, anchor=2,
    )  # fmt: skip
    after = Node(Role.LABEL, "", Rect(90, 60, 20, 20), shape=Shape.RECT, bg=(0, 0, 200))
    forth = drawn(field, after, focus="f")
    plain = drawn(replace(field, anchor=6), after, focus="f")
    back = drawn(replace(field, caret=2, anchor=6), after, focus="f")
    unmarked = drawn(replace(field, caret=2, anchor=2), after, focus="f")
    assert data(forth) != data(plain)
    assert data(back) != data(unmarked)
    assert tuple(forth.get_at((100, 70)))[:3] == (0, 0, 200)


def test_a_long_text_in_a_field_is_shown_where_the_cursor_is() -> None:
    words = "".join(chr(ord("a") + n % 26) for n in range(60))
    field = Node(
        Role.ENTRY, "f", Rect(5, 10, 80, 30), shape=Shape.RECT, bg=(255, 255, 255),
        fg=(0, 0, 0), text=words, size=14, caret=0, anchor=0,
    )  # fmt: skip
    first = drawn(field, focus="f")
    last = drawn(replace(field, caret=60, anchor=60), focus="f")
    assert data(first) != data(last)
    bar = LOOK.theme.focus
    for surface in (first, last):
        columns = [x for x in range(5, 85) if tuple(surface.get_at((x, 25)))[:3] == bar]
        assert columns, "the cursor is seen"


# What stands where: measured on the picture, by ink of one colour on another.

INK, PAPER = (200, 0, 0), (255, 255, 255)


def inked(surface: pygame.Surface, colour: tuple[int, int, int] = INK) -> set[Spot]:
    """Return where a colour is, or almost."""
    w, h = surface.get_size()
    return {
        (x, y)
        for x in range(w)
        for y in range(h)
        if sum(
            abs(a - b) for a, b in zip(surface.get_at((x, y))[:3], colour, strict=True)
        )
        < 90
    }


def columns(spots: set[Spot]) -> list[int]:
    return sorted({x for x, _y in spots})


def written(**changes: Any) -> Node:
    """Return a text in ink on nothing."""
    plain = Node(Role.LABEL, "t", Rect(5, 20, 110, 40), fg=INK, text="Il", size=16)
    return replace(plain, **changes)


@pytest.mark.parametrize("high", [8, 19, 20, 60])
def test_a_text_of_several_lines_shows_the_first_however_low_its_place_is(
    high: int,
) -> None:
    lines = written(text="one two three four five six", wrap=True)
    low = drawn(replace(lines, rect=Rect(5, 20, 60, high)))
    ink = inked(low)
    assert ink
    rows = {y for _x, y in ink}
    gaps = sum(y + 1 not in rows and y != max(rows) for y in rows)
    assert gaps >= (1 if high == 60 else 0), "lines do not lie on one another"
    assert gaps == 0 or high == 60


@pytest.mark.parametrize("anchor", [0, 4, 9])
def test_the_cursor_stands_behind_its_letter_whatever_is_marked(anchor: int) -> None:
    found = []
    for caret in range(10):
        field = Node(
            Role.ENTRY, "f", Rect(5, 10, 110, 30), shape=Shape.RECT, bg=PAPER,
            fg=(0, 0, 0), text="Buchstabe", size=14, caret=caret, anchor=anchor,
        )  # fmt: skip
        bar = inked(drawn(field, focus="f"), LOOK.theme.focus)
        inside = [at for at, _y in bar if 10 <= at < 110]  # and not the ring
        tall = [x for x in sorted({*inside}) if inside.count(x) >= 14]
        found.append(tall[0])
    assert found == sorted(set(found)), "farther with every letter"
    assert found[0] == 5 + 10


@pytest.mark.parametrize("text", ["HH", "MHH8"])
def test_a_sign_stands_before_its_text_and_not_on_it(text: str) -> None:
    middle = written(align=Align.CENTRE, text=text)
    alone = columns(inked(drawn(middle)))
    both = columns(inked(drawn(replace(middle, mark=Mark.PLUS))))
    letters = alone[-1] - alone[0] + 1
    sign_ends = both[-1] - letters
    assert both[-1] - both[0] >= letters + 6, "there is a sign, too"
    assert sign_ends not in both, "and a gap between the two"


def test_a_list_that_drops_down_dims_nothing_and_a_dialog_does() -> None:
    floor = Node(Role.LABEL, "", AREA, shape=Shape.RECT, bg=PAPER)
    box = Node(Role.DIALOG, "d", Rect(30, 30, 40, 30), shape=Shape.RECT, bg=INK)
    assert drawn(floor, box).get_at((5, 5))[:3] == PAPER
    assert drawn(floor, replace(box, depth=3)).get_at((5, 5))[:3] != PAPER


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", ["plain", "list", "large", "hexagon"])
def test_what_has_the_keyboard_has_a_ring_all_round(theme: str, kind: str) -> None:
    look = Look(THEMES[theme])
    rect = Rect(30, 20, 60, 52)
    node = Node(Role.BUTTON, "n", rect, shape=Shape.RECT, bg=look.theme.panel)
    if kind == "list":
        node = replace(node, clip=True)
    elif kind == "large":
        node = replace(node, rect=Rect(10, 10, 100, 70), shape=Shape.ROUND, radius=12)
    elif kind == "hexagon":
        corners = ((45, 20), (75, 20), (90, 46), (75, 72), (45, 72), (30, 46))
        node = replace(node, shape=Shape.POLYGON, points=corners)
    surface = pygame.Surface(AREA[2:])
    root = Node(Role.PANEL, "window", AREA, kids=(node,))
    Painter(surface, look).paint(root, Touch(focus="n"))
    ring = inked(surface, look.theme.focus)
    x, y, w, h = node.rect
    for near in ((x, y + h // 2), (x + w, y + h // 2), (x + w // 2, y)):
        assert any(abs(px - near[0]) <= 4 and abs(py - near[1]) <= 4 for px, py in ring)
    assert (x + w // 2, y + h // 2) not in ring
    left, right = min(columns(ring)), max(columns(ring))
    assert abs((left + right) / 2 - (x + w / 2)) <= 2, "it lies about its middle"
    Painter(surface, look).paint(root, Touch())
    assert not inked(surface, look.theme.focus)


def test_the_ring_of_a_row_is_whole_in_its_list_and_above_the_next_row() -> None:
    shelf = Rect(20, 10, 80, 60)
    rows = tuple(
        Node(Role.ITEM, f"row:{n}", Rect(20, 10 + 20 * n, 80, 20), shape=Shape.RECT,
             bg=LOOK.theme.panel)
        for n in range(3)
    )  # fmt: skip
    listed = Node(Role.LIST, "list", shelf, kids=rows, clip=True)
    for row in rows:
        x, y, w, h = row.rect
        ring = inked(drawn(listed, focus=row.name), LOOK.theme.focus)
        for side in ((x, y + h // 2), (x + w - 1, y + h // 2)):
            assert side in ring, (row.name, side)
        for side in ((x + w // 2, y), (x + w // 2, y + h - 1)):
            assert side in ring, (row.name, side)


@pytest.mark.parametrize("by", range(-4, 5))
def test_drawing_a_part_beside_a_ring_leaves_the_ring_whole(by: int) -> None:
    surface, node = pygame.Surface(AREA[2:]), replace(PIECE, name="n")
    root = Node(Role.PANEL, "window", AREA, kids=(node,))
    painter = Painter(surface, LOOK)
    painter.paint(root, Touch(focus="n"))
    whole = data(surface)
    right, low = node.rect.right + by, node.rect.bottom + by
    for part in (Rect(right, 0, 30, 90), Rect(0, low, 120, 20)):
        painter.paint(root, Touch(focus="n"), part)
        assert data(surface) == whole


def test_the_place_of_what_is_dragged_shows_faintly_what_lies_on_it() -> None:
    letter = Node(Role.LABEL, "", Rect(5, 5, 10, 10), shape=Shape.RECT, bg=(0, 0, 0))
    piece = Node(
        Role.TILE, "piece", Rect(0, 0, 20, 20), shape=Shape.RECT, bg=INK,
        kids=(letter,), live=True, drag=True,
    )  # fmt: skip
    surface = drawn(piece, lift="piece", by=(60, 30))
    body, on_it = surface.get_at((2, 2))[:3], surface.get_at((10, 10))[:3]
    assert LOOK.theme.ground not in (body, on_it)
    assert body not in (INK, on_it)
    assert on_it != (0, 0, 0)


def test_a_thick_line_has_no_gap_where_it_bends() -> None:
    spots = ((10, 70), (60, 15), (110, 70))
    line = Node(
        Role.LABEL, "", AREA, shape=Shape.LINE, points=spots, edge=INK, border=12
    )
    ink = inked(drawn(line))
    for x, y in spots:
        disc = {(x + dx, y + dy) for dx, dy in ((0, -4), (-4, 0), (4, 0), (0, 4))}
        assert disc <= ink


def test_of_two_characters_that_no_font_has_both_are_to_be_seen() -> None:
    one = columns(inked(drawn(written(text="\ue123"))))
    two = columns(inked(drawn(written(text="\ue123\ue456"))))
    assert one
    wide = one[-1] - one[0] + 1
    assert two[-1] - two[0] + 1 >= 2 * wide - 2


@pytest.mark.parametrize("text", ["HН中H", "H漢漢H", "H★H"])
def test_scripts_of_two_fonts_stand_side_by_side(text: str) -> None:
    """Each part has the room that its font says, as everything else is measured."""
    ink = columns(inked(drawn(written(text=text, align=Align.LEFT))))
    room = LOOK.width(text, 16)
    assert room - 4 <= ink[-1] - ink[0] + 1 <= room


@pytest.mark.parametrize("shape", [Shape.ROUND, Shape.CIRCLE, Shape.POLYGON])
def test_a_piece_stands_on_a_foot_in_the_colour_of_its_edge(shape: Shape) -> None:
    corners = ((45, 20), (75, 20), (90, 46), (75, 72), (45, 72), (30, 46))
    piece = Node(
        Role.TILE, "p", Rect(30, 20, 60, 52), shape=shape, radius=6, depth=10,
        bg=PAPER, edge=INK, points=corners if shape is Shape.POLYGON else (),
    )  # fmt: skip
    surface = drawn(piece)
    assert surface.get_at((60, 46))[:3] == PAPER
    foot = {y for x, y in inked(surface) if x == 60}
    assert foot, "it has one"
    assert min(foot) > 46
    flat = drawn(replace(piece, depth=0, edge=None))
    assert not inked(flat)


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_a_piece_has_no_fringe_of_another_colour(ground: str) -> None:
    """At its rim are only mixtures of its own colour and the one that it lies on."""
    look = Look(THEMES[ground])
    piece = Node(Role.LABEL, "", Rect(20, 10, 60, 60), shape=Shape.CIRCLE, bg=PAPER)
    surface = pygame.Surface(AREA[2:])
    floor = Node(Role.PANEL, "w", AREA, shape=Shape.RECT, bg=PAPER, kids=(piece,))
    Painter(surface, look).paint(floor, Touch())
    found = {tuple(surface.get_at((x, y)))[:3] for x in range(120) for y in range(90)}
    assert found == {PAPER}


@pytest.mark.parametrize(
    ("mark", "towards"),
    [
        (Mark.LEFT, (-1, 0)), (Mark.RIGHT, (1, 0)), (Mark.UP, (0, -1)),
        (Mark.DOWN, (0, 1)),
    ],
)  # fmt: skip
def test_an_arrow_gets_thinner_towards_where_it_points(
    mark: Mark, towards: Spot
) -> None:
    arrow = Node(Role.LABEL, "", Rect(20, 10, 60, 60), mark=mark, fg=INK)
    ink = inked(drawn(arrow))
    axis = 0 if towards[0] else 1
    lines = Counter(spot[axis] for spot in ink)
    first, last = lines[min(lines) + 1], lines[max(lines) - 1]
    assert (first < last) is (sum(towards) < 0)


@pytest.mark.parametrize("pattern", sorted(PLATES, key=lambda one: one.name))
def test_a_bold_sign_stays_on_its_hexagon(pattern: Pattern) -> None:
    corners = ((40, 10), (80, 10), (100, 45), (80, 80), (40, 80), (20, 45))
    hexagon = Node(
        Role.LABEL, "", Rect(20, 10, 80, 70), shape=Shape.POLYGON, points=corners,
        bg=PAPER, edge=INK, pattern=pattern,
    )  # fmt: skip
    sign = inked(drawn(hexagon))
    body = inked(drawn(replace(hexagon, bg=INK, pattern=Pattern.NONE)))
    assert sign
    assert len(sign) < len(body) * 0.75
    assert len(sign - body) <= 0.02 * len(sign)
